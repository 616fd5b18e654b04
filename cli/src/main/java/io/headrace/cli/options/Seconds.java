package io.headrace.cli.options;

import io.headrace.error.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times as people write them.
public final class Seconds {
  private static final Pattern TIME = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(s|m|min|h|)");

  private Seconds() {}

  /// {@return seconds written as `90`, `90s`, `5m` or `8h`}
  ///
  /// @throws ConfigException if it is not a time above 0
  public static double parse(String text) {
    Matcher matcher = TIME.matcher(text.strip());
    double number = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (!(number > 0)) {
      throw new ConfigException("time '%s': expected such as 90s, 5m or 8h".formatted(text));
    }
    return number
        * switch (matcher.group(2)) {
          case "m", "min" -> 60;
          case "h" -> 3600;
          default -> 1;
        };
  }
}
