package io.headrace.spec;

import io.headrace.error.ConfigException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sizes in bytes as people write them.
public final class Bytes {
  private static final Pattern SIZE =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)(i?)b?", Pattern.CASE_INSENSITIVE);
  private static final String PREFIXES = "kmgt";

  private Bytes() {}

  /// {@return bytes written as `512`, `64MiB`, `1.5GB` or `2G`; a bare prefix counts in 1024s}
  ///
  /// @throws ConfigException if it is not a size
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new ConfigException("size '" + text + "': expected a number and a unit, such as 2GiB");
    }
    String prefix = matcher.group(2).toLowerCase(Locale.ROOT);
    boolean decimal = matcher.group(3).isEmpty() && text.toLowerCase(Locale.ROOT).endsWith("b");
    int power = prefix.isEmpty() ? 0 : PREFIXES.indexOf(prefix) + 1;
    double bytes = Double.parseDouble(matcher.group(1)) * Math.pow(decimal ? 1000 : 1024, power);
    if (bytes > Long.MAX_VALUE) {
      throw new ConfigException("size '" + text + "' is too large");
    }
    return (long) bytes;
  }

  /// {@return a size for people, such as `38.2 KiB`}
  public static String text(double bytes) {
    if (bytes < 1024) {
      return String.format(Locale.ROOT, "%.0f B", bytes);
    }
    double value = bytes / 1024;
    int i = 0;
    while (value >= 1024 && i < PREFIXES.length() - 1) {
      value /= 1024;
      i++;
    }
    String unit = PREFIXES.substring(i, i + 1).toUpperCase(Locale.ROOT) + "iB";
    return String.format(Locale.ROOT, value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
  }
}
