package io.headrace.pipeline;

import io.headrace.error.ConfigException;
import io.headrace.memory.DType;
import io.headrace.pipeline.Step.RandomFlip;
import io.headrace.pipeline.Step.RandomResizedCrop;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The text form of steps: `name`, `name=value` or `name=value:option=value`.
final class StepText {
  private static final String EXPECTED =
      "expected resize, resize_shorter, center_crop, random_crop, random_resized_crop, flip, "
          + "normalize, center, uint8, float16, bfloat16, float32, chw or hwc";

  private StepText() {}

  static String print(Step step) {
    return switch (step) {
      case Step.Resize(int h, int w) -> "resize=" + h + "x" + w;
      case Step.ResizeShorter(int edge) -> "resize_shorter=" + edge;
      case Step.CenterCrop(int h, int w) -> "center_crop=" + size(h, w);
      case Step.RandomCrop(int h, int w) -> "random_crop=" + size(h, w);
      case RandomResizedCrop crop -> print(crop);
      case RandomFlip(double p) -> p == RandomFlip.PROBABILITY ? "flip" : "flip=" + number(p);
      case Step.Normalize n ->
          n.equals(Step.Normalize.IMAGENET)
              ? "normalize=imagenet"
              : "normalize="
                  + triple(n.mean())
                  + ":"
                  + triple(n.std())
                  + (n.range() == 1 ? "" : ":range=" + n.range());
      case Step.Center() -> "center";
      case Step.Cast(DType dtype) -> dtype.label();
      case Step.ToLayout(Layout layout) -> layout.name().toLowerCase(Locale.ROOT);
    };
  }

  private static String print(RandomResizedCrop crop) {
    var text = new StringBuilder("random_resized_crop=").append(size(crop.height(), crop.width()));
    if (crop.minArea() != RandomResizedCrop.MIN_AREA
        || crop.maxArea() != RandomResizedCrop.MAX_AREA) {
      text.append(":area=").append(range(crop.minArea(), crop.maxArea()));
    }
    if (crop.minAspect() != RandomResizedCrop.MIN_ASPECT
        || crop.maxAspect() != RandomResizedCrop.MAX_ASPECT) {
      text.append(":aspect=").append(range(crop.minAspect(), crop.maxAspect()));
    }
    return text.toString();
  }

  private static String size(int h, int w) {
    return h == w ? String.valueOf(h) : h + "x" + w;
  }

  private static String range(double least, double greatest) {
    return number(least) + "-" + number(greatest);
  }

  private static String triple(List<Double> values) {
    return number(values.get(0)) + "/" + number(values.get(1)) + "/" + number(values.get(2));
  }

  private static String number(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  static Step parse(String text) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    String value = equals < 0 ? "" : text.substring(equals + 1);
    return switch (name) {
      case "resize" -> {
        if (!value.contains("x")) {
          throw bad(text, "expected HEIGHTxWIDTH; for the shorter side say resize_shorter=EDGE");
        }
        yield new Step.Resize(height(text, value), width(text, value));
      }
      case "resize_shorter" -> new Step.ResizeShorter(integer(text, value));
      case "center_crop" -> new Step.CenterCrop(height(text, value), width(text, value));
      case "random_crop" -> new Step.RandomCrop(height(text, value), width(text, value));
      case "random_resized_crop" -> randomResizedCrop(text, value);
      case "flip" -> new RandomFlip(equals < 0 ? RandomFlip.PROBABILITY : decimal(text, value));
      case "normalize" -> normalize(text, value);
      case "center" -> bare(text, equals, new Step.Center());
      case "hwc", "chw" ->
          bare(text, equals, new Step.ToLayout(Layout.valueOf(name.toUpperCase(Locale.ROOT))));
      case "uint8", "float16", "bfloat16", "float32" ->
          bare(text, equals, new Step.Cast(DType.of(name)));
      default -> throw bad(text, EXPECTED);
    };
  }

  private static Step randomResizedCrop(String text, String value) {
    String[] parts = value.split(":", -1);
    double minArea = RandomResizedCrop.MIN_AREA;
    double maxArea = RandomResizedCrop.MAX_AREA;
    double minAspect = RandomResizedCrop.MIN_ASPECT;
    double maxAspect = RandomResizedCrop.MAX_ASPECT;
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i];
      int dash = part.indexOf('-');
      if (part.startsWith("area=") && dash > 0) {
        minArea = decimal(text, part.substring("area=".length(), dash));
        maxArea = decimal(text, part.substring(dash + 1));
      } else if (part.startsWith("aspect=") && dash > 0) {
        minAspect = decimal(text, part.substring("aspect=".length(), dash));
        maxAspect = decimal(text, part.substring(dash + 1));
      } else {
        throw bad(text, "expected area=LEAST-GREATEST or aspect=LEAST-GREATEST after ':'");
      }
    }
    return new RandomResizedCrop(
        height(text, parts[0]), width(text, parts[0]), minArea, maxArea, minAspect, maxAspect);
  }

  private static Step normalize(String text, String value) {
    if (value.equals("imagenet")) {
      return Step.Normalize.IMAGENET;
    }
    String[] parts = value.split(":", -1);
    int range = 1;
    if (parts.length == 3 && parts[2].startsWith("range=")) {
      range = integer(text, parts[2].substring("range=".length()));
    } else if (parts.length != 2) {
      throw bad(text, "expected imagenet, or three means : three deviations [: range=255]");
    }
    return new Step.Normalize(decimals(text, parts[0]), decimals(text, parts[1]), range);
  }

  private static List<Double> decimals(String text, String value) {
    List<Double> values = new ArrayList<>();
    for (String part : value.split("/", -1)) {
      values.add(decimal(text, part));
    }
    return values;
  }

  private static Step bare(String text, int equals, Step step) {
    if (equals >= 0) {
      throw bad(text, "takes no value");
    }
    return step;
  }

  private static int height(String text, String size) {
    int x = size.indexOf('x');
    return integer(text, x < 0 ? size : size.substring(0, x));
  }

  private static int width(String text, String size) {
    return integer(text, size.substring(size.indexOf('x') + 1));
  }

  private static int integer(String text, String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw bad(text, "'" + digits + "' is not a whole number");
    }
  }

  private static double decimal(String text, String digits) {
    try {
      return Double.parseDouble(digits);
    } catch (NumberFormatException e) {
      throw bad(text, "'" + digits + "' is not a number");
    }
  }

  private static ConfigException bad(String text, String expected) {
    return new ConfigException("step '" + text + "': " + expected);
  }
}
