package io.headrace.lab.report;

import java.util.Locale;

/// Numbers as people read them, alike in every country.
public final class Words {
  private Words() {}

  /// {@return a text with values in it}
  @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's, which we do not ship
  public static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }

  /// {@return a ratio, such as `1.40×`}
  public static String times(double ratio) {
    return format("%.2f×", ratio);
  }

  /// {@return a share, such as `83 %`}
  public static String percent(double share) {
    return format("%.0f %%", 100 * share);
  }

  /// {@return a rate, such as `1,204/s`}
  public static String rate(double perSecond) {
    return format("%,.0f/s", perSecond);
  }

  /// {@return a rate of samples, such as `1,204 samples/s` or `2.5 samples/s`}
  public static String perSecond(double samples) {
    return format(samples < 10 ? "%.1f samples/s" : "%,.0f samples/s", samples);
  }
}
