package io.headrace.order;

import io.headrace.error.ConfigException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The names by which users choose among few things.
final class Labels {
  private Labels() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /// {@return the value of that name}
  ///
  /// @param what is chosen
  /// @throws ConfigException if there is none
  static <E extends Enum<E>> E parse(String what, E[] values, String name) {
    for (E value : values) {
      if (of(value).equals(name)) {
        return value;
      }
    }
    throw new ConfigException(
        "%s '%s': expected %s"
            .formatted(
                what,
                name,
                Arrays.stream(values).map(Labels::of).collect(Collectors.joining(" or "))));
  }
}
