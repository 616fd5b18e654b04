package io.headrace.cli.print;

import io.headrace.spec.Bytes;
import java.util.Locale;

/// Sizes and rates for people.
public final class Units {
  private Units() {}

  /// {@return a size, such as `38.2 KiB`}
  public static String size(long bytes) {
    return Bytes.text((double) bytes);
  }

  /// {@return a mean size}
  public static String size(double bytes) {
    return Bytes.text(bytes);
  }

  /// {@return a rate, such as `1,234`}
  public static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 100 ? "%,.1f" : "%,.0f", perSecond);
  }
}
