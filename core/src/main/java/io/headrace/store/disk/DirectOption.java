package io.headrace.store.disk;

import java.nio.file.OpenOption;

/// `ExtendedOpenOption.DIRECT`, the JDK's only way to `O_DIRECT`. Named in a string because javac
/// warns at every mention of the type, and no option silences it.
public final class DirectOption {
  private DirectOption() {}

  /// {@return the option}
  ///
  /// @throws UnsupportedOperationException if this JDK has none
  public static OpenOption get() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT") && option instanceof OpenOption direct) {
          return direct;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new UnsupportedOperationException("this JDK has no direct reads", e);
    }
    throw new UnsupportedOperationException("this JDK has no direct reads");
  }
}
