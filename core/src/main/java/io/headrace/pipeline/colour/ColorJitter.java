package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes brightness, contrast, saturation and hue by factors that are drawn, in an order that is
/// drawn: `color_jitter=0.4:0.4:0.4:0.1`.
///
/// A number alone, B, means factors from `max(0, 1 - B)` to `1 + B`, of hue from -H to H, as in
/// torchvision; ranges are written `0.8-1.2`, for hue `-0.1..0.2`. What is 0 or left out stays.
///
/// @param brightness factors
/// @param contrast factors
/// @param saturation factors
/// @param hue shares of the circle by which hues are turned
/// @param probability how often it is done
public record ColorJitter(
    Range brightness, Range contrast, Range saturation, Range hue, double probability)
    implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "color_jitter",
          "color_jitter=BRIGHTNESS[:CONTRAST[:SATURATION[:HUE]]][:p=PROBABILITY]",
          Applies.COLOURS,
          "Changes brightness, contrast, saturation and hue by random factors, in random order.",
          "whether, if p is below 1; three for the order; brightness, contrast, saturation, hue,"
              + " those that change",
          "torchvision's ColorJitter",
          List.of(
              "color_jitter=0.4",
              "color_jitter=0.4:0.4:0.4:0.1",
              "color_jitter=0.8:0.8:0.8:0.2:p=0.8",
              "color_jitter=0:0.2-1.5",
              "color_jitter=0.4:0:0.5:-0.1..0.2"),
          ColorJitter::parse);

  private static final Range AS_IT_IS = new Range(1, 1);
  private static final Range NO_TURN = new Range(0, 0);

  /// Checks the numbers.
  public ColorJitter {
    Range _ = brightness.within("color_jitter", "brightness", 0, Double.MAX_VALUE);
    Range _ = contrast.within("color_jitter", "contrast", 0, Double.MAX_VALUE);
    Range _ = saturation.within("color_jitter", "saturation", 0, Double.MAX_VALUE);
    Range _ = hue.within("color_jitter", "hue", -0.5, 0.5);
    StepText.requireProbability("color_jitter", probability);
  }

  private static ColorJitter parse(Spec spec) {
    Range brightness = factors(spec, "brightness", StepText.required(spec));
    Range contrast = factors(spec, "contrast", spec.next());
    Range saturation = factors(spec, "saturation", spec.next());
    String hue = spec.next();
    return new ColorJitter(
        brightness,
        contrast,
        saturation,
        hue == null ? new Range(0, 0) : Range.around(spec, "hue", hue),
        Chance.option(spec));
  }

  /// {@return factors of a text, which may be a number below and above 1}
  private static Range factors(Spec spec, String what, @Nullable String text) {
    if (text == null) {
      return AS_IT_IS;
    }
    Range range = Range.parse(spec, what, text);
    if (!range.fixed()) {
      return range;
    }
    return new Range(Math.max(0, 1 - range.greatest()), 1 + range.greatest());
  }

  private static String text(Range factors) {
    double more = shortest(factors.greatest() - 1);
    boolean around = factors.equals(new Range(Math.max(0, 1 - more), 1 + more));
    return around ? StepText.number(more) : factors.text();
  }

  /// {@return the decimal that was typed, of which 1 more has lost the last bits}
  private static double shortest(double more) {
    double rounded = Math.rint(more * 1e9) / 1e9;
    return 1 + rounded == 1 + more ? rounded : more;
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public String spec() {
    StringBuilder text = new StringBuilder("color_jitter=").append(text(brightness));
    boolean turns = !hue.equals(NO_TURN);
    if (turns || !saturation.equals(AS_IT_IS)) {
      text.append(':').append(text(contrast)).append(':').append(text(saturation));
      if (turns) {
        text.append(':').append(hue.aroundText());
      }
    } else if (!contrast.equals(AS_IT_IS)) {
      text.append(':').append(text(contrast));
    }
    return text.append(Chance.text(probability)).toString();
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (!Chance.happens(probability, random)) {
      return;
    }
    int order = 0; // four hexadecimal digits: which change comes first, second …
    int left = 0x3210;
    for (int n = 4; n > 0; n--) {
      int at = n == 1 ? 0 : 4 * random.nextInt(n);
      order = (order << 4) | ((left >>> at) & 0xf);
      left = ((left >>> (at + 4)) << at) | (left & ((1 << at) - 1));
    }
    double light = brightness.draw(random);
    double against = contrast.draw(random);
    double colour = saturation.draw(random);
    double turn = hue.draw(random);
    for (int shift = 12; shift >= 0; shift -= 4) {
      switch ((order >>> shift) & 0xf) {
        case 0 -> add(plan, brightness, light, Brightness.EFFECT);
        case 1 -> add(plan, contrast, against, Contrast.EFFECT);
        case 2 -> add(plan, saturation, colour, Saturation.EFFECT);
        default -> {
          if (!hue.equals(NO_TURN)) {
            Drawn _ = plan.add(Hue.EFFECT).set(0, turn);
          }
        }
      }
    }
  }

  private static void add(Plan plan, Range range, double factor, Effect effect) {
    if (!range.equals(AS_IT_IS)) {
      Drawn _ = plan.add(effect).set(0, factor);
    }
  }
}
