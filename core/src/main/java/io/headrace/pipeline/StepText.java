package io.headrace.pipeline;

import io.headrace.memory.DType;
import io.headrace.pipeline.Step.RandomFlip;
import io.headrace.pipeline.Step.RandomResizedCrop;
import io.headrace.spec.Spec;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The text form of steps: `name`, `name=value` or `name=value:option=value`.
final class StepText {
  private static final String EXPECTED =
      "expected resize, resize_shorter, center_crop, random_crop, random_resized_crop, flip, "
          + "normalize, center, uint8, float16, bfloat16, float32, chw or hwc";

  private static final String RANGES =
      "expected area=LEAST-GREATEST or aspect=LEAST-GREATEST after ':'";

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
    Spec spec = Spec.step("step", text);
    return switch (spec.name()) {
      case "resize" -> {
        String size = required(spec);
        if (!size.contains("x")) {
          throw spec.bad("expected HEIGHTxWIDTH; for the shorter side say resize_shorter=EDGE");
        }
        yield spec.end(new Step.Resize(height(spec, size), width(spec, size)));
      }
      case "resize_shorter" ->
          spec.end(new Step.ResizeShorter(spec.number("edge", required(spec))));
      case "center_crop" -> {
        String size = required(spec);
        yield spec.end(new Step.CenterCrop(height(spec, size), width(spec, size)));
      }
      case "random_crop" -> {
        String size = required(spec);
        yield spec.end(new Step.RandomCrop(height(spec, size), width(spec, size)));
      }
      case "random_resized_crop" -> randomResizedCrop(spec);
      case "flip" -> {
        String probability = spec.next();
        yield spec.end(
            new RandomFlip(
                probability == null
                    ? RandomFlip.PROBABILITY
                    : spec.decimal("probability", probability)));
      }
      case "normalize" -> normalize(spec);
      case "center" -> bare(spec, new Step.Center());
      case "hwc", "chw" ->
          bare(spec, new Step.ToLayout(Layout.valueOf(spec.name().toUpperCase(Locale.ROOT))));
      case "uint8", "float16", "bfloat16", "float32" ->
          bare(spec, new Step.Cast(DType.of(spec.name())));
      default -> throw spec.bad(EXPECTED);
    };
  }

  private static Step randomResizedCrop(Spec spec) {
    String size = required(spec);
    List<Double> area = range(spec, "area", RandomResizedCrop.MIN_AREA, RandomResizedCrop.MAX_AREA);
    List<Double> aspect =
        range(spec, "aspect", RandomResizedCrop.MIN_ASPECT, RandomResizedCrop.MAX_ASPECT);
    if (!spec.isEmpty()) {
      throw spec.bad(RANGES);
    }
    return spec.end(
        new RandomResizedCrop(
            height(spec, size),
            width(spec, size),
            area.getFirst(),
            area.getLast(),
            aspect.getFirst(),
            aspect.getLast()));
  }

  /// {@return an option of the form `LEAST-GREATEST`}
  private static List<Double> range(Spec spec, String option, double least, double greatest) {
    String value = spec.option(option);
    if (value == null) {
      return List.of(least, greatest);
    }
    int dash = value.indexOf('-');
    if (dash < 1) {
      throw spec.bad(RANGES);
    }
    return List.of(
        spec.decimal(option, value.substring(0, dash)),
        spec.decimal(option, value.substring(dash + 1)));
  }

  private static Step normalize(Spec spec) {
    int range = spec.optionNumber("range", 1);
    String mean = required(spec);
    if (mean.equals("imagenet") && spec.isEmpty() && range == 1) {
      return Step.Normalize.IMAGENET;
    }
    String std = spec.next();
    if (std == null) {
      throw spec.bad("expected imagenet, or three means : three deviations [: range=255]");
    }
    return spec.end(new Step.Normalize(decimals(spec, mean), decimals(spec, std), range));
  }

  private static List<Double> decimals(Spec spec, String value) {
    return Stream.of(value.split("/", -1)).map(part -> spec.decimal("value", part)).toList();
  }

  private static Step bare(Spec spec, Step step) {
    if (!spec.isEmpty()) {
      throw spec.bad("takes no value");
    }
    return step;
  }

  private static String required(Spec spec) {
    String value = spec.next();
    return value == null ? "" : value;
  }

  private static int height(Spec spec, String size) {
    int x = size.indexOf('x');
    return spec.number("height", x < 0 ? size : size.substring(0, x));
  }

  private static int width(Spec spec, String size) {
    return spec.number("width", size.substring(size.indexOf('x') + 1));
  }
}
