package io.headrace.load;

import io.headrace.error.ConfigException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How many samples a second a trainer takes when data never make it wait.
///
/// @param name as users type it; empty for one that takes all it gets
/// @param samplesPerSecond above 0; infinite for one that takes all it gets
public record ConsumerRate(String name, double samplesPerSecond) {
  /// Takes all it gets, as fast as it comes.
  public static final ConsumerRate UNBOUNDED = new ConsumerRate("", Double.POSITIVE_INFINITY);

  /// Images a second that one accelerator trains on. The first six were measured on one H100
  /// (PyTorch, bfloat16, channels last, 224 x 224, data already on the device). The last two are
  /// those of "The Art of Losing to Win" on one V100.
  private static final Map<String, Double> PRESETS = new LinkedHashMap<>();

  static {
    PRESETS.put("alexnet", 38_566.0);
    PRESETS.put("resnet18", 12_375.0);
    PRESETS.put("resnet50", 4_155.0);
    PRESETS.put("mobilenetv3-small", 15_140.0);
    PRESETS.put("shufflenetv2", 12_998.0);
    PRESETS.put("squeezenet1.1", 15_461.0);
    PRESETS.put("v100-alexnet", 8_508.0);
    PRESETS.put("v100-resnet50", 1_175.0);
  }

  private static final Pattern SPELLING =
      Pattern.compile("(?:([0-9]{1,6})\\*)?([a-z][a-z0-9.-]*|[0-9]+(?:\\.[0-9]+)?(?:/s)?)");

  /// Checks the rate.
  public ConsumerRate {
    if (!(samplesPerSecond > 0)) {
      throw new ConfigException(
          "consumer of %s samples/s: expected more than 0".formatted(samplesPerSecond));
    }
  }

  /// {@return whether it takes all it gets}
  public boolean unbounded() {
    return samplesPerSecond == Double.POSITIVE_INFINITY;
  }

  /// {@return the share of its own rate that it has at another one, 0 to 1; NaN if it has none}
  public double goodput(double achieved) {
    return unbounded() ? Double.NaN : Math.min(1, achieved / samplesPerSecond);
  }

  /// Understands a rate such as `12375/s` or `12375`, the name of a preset such as `resnet50`, and
  /// several of one kind such as `4*resnet50`. An empty text and `none` take all they get.
  ///
  /// @throws ConfigException if it is none of these
  public static ConsumerRate parse(String text) {
    String spelt = text.strip().toLowerCase(Locale.ROOT);
    if (spelt.isEmpty() || spelt.equals("none")) {
      return UNBOUNDED;
    }
    Matcher matcher = SPELLING.matcher(spelt);
    if (matcher.matches()) {
      Double rate = PRESETS.get(matcher.group(2));
      double one =
          rate != null
              ? rate
              : Character.isDigit(matcher.group(2).charAt(0))
                  ? Double.parseDouble(matcher.group(2).replace("/s", ""))
                  : 0;
      double all = matcher.group(1) == null ? one : one * Long.parseLong(matcher.group(1));
      if (all > 0 && Double.isFinite(all)) {
        return new ConsumerRate(spelt, all);
      }
    }
    throw new ConfigException(
        "consumer '%s': expected samples a second such as 12375/s, one of %s, or several such as"
                .formatted(text, String.join(", ", PRESETS.keySet()))
            + " 4*resnet50");
  }

  @Override
  public String toString() {
    return name;
  }
}
