package io.headrace.pipeline.policy;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Does one of 14 changes at a random magnitude: TrivialAugment Wide.
///
/// Source: Müller and Hutter, "TrivialAugment: tuning-free yet state-of-the-art data augmentation",
/// 2021; `TrivialAugmentWide` of torchvision.
///
/// @param bins how many magnitudes there are
/// @param look how turned images look
public record TrivialAugment(int bins, Warp.Look look) implements PixelStep {
  private static final int BINS = 31;

  /// All but the last, which inverts.
  private static final int CHANGES = Change.values().length - 1;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "trivial_augment",
          "trivial_augment[=BINS][:interpolation=bilinear][:fill=VALUE]",
          Applies.COLOURS,
          "One random change of 14, at a random magnitude (wide).",
          "the change; its magnitude and sign, if it has them",
          "torchvision's TrivialAugmentWide",
          List.of("trivial_augment", "trivial_augment=11:interpolation=bilinear:fill=128"),
          TrivialAugment::parse);

  /// Checks the numbers.
  public TrivialAugment {
    if (bins < 2 || bins > 1000) {
      throw new ConfigException(
          "trivial_augment: %d magnitudes, expected 2 to 1000".formatted(bins));
    }
  }

  private static TrivialAugment parse(Spec spec) {
    int bins = spec.number("bins", BINS);
    return new TrivialAugment(bins, Warp.Look.parse(spec, Warp.Look.NEAREST));
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
    String options = look.text(Warp.Look.NEAREST);
    return bins == BINS
        ? "trivial_augment" + (options.isEmpty() ? "" : "=" + options.substring(1))
        : "trivial_augment=" + bins + options;
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    Change change = Choice.draw(random, CHANGES);
    int bin = change.sized() ? random.nextInt(bins) : 0;
    Choice.WIDE.add(plan, change, bin, bins, plan.height(), plan.width(), look, random);
  }
}
