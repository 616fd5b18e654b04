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

/// Does some of 14 changes, all at one magnitude: `rand_augment=2:9`.
///
/// Source: Cubuk and others, "RandAugment: practical automated data augmentation with a reduced
/// search space", 2019; `RandAugment` of torchvision.
///
/// @param changes how many are done
/// @param magnitude of all, from 0 to `bins - 1`
/// @param bins how many magnitudes there are
/// @param look how turned images look
public record RandAugment(int changes, int magnitude, int bins, Warp.Look look)
    implements PixelStep {
  private static final int BINS = 31;

  /// All but the last, which inverts.
  private static final int CHANGES = Change.values().length - 1;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "rand_augment",
          "rand_augment[=CHANGES:MAGNITUDE][:bins=BINS][:interpolation=bilinear][:fill=VALUE]",
          Applies.COLOURS,
          "Some random changes of 14, all at one magnitude; 2 at 9 of 31 unless said.",
          "for each change which one, and its sign, if it has one",
          "torchvision's RandAugment",
          List.of("rand_augment=2:9", "rand_augment=1:5:bins=11:interpolation=bilinear"),
          RandAugment::parse);

  /// Checks the numbers.
  public RandAugment {
    if (bins < 2 || bins > 1000) {
      throw new ConfigException("rand_augment: %d magnitudes, expected 2 to 1000".formatted(bins));
    }
    if (changes < 0 || changes > 100 || magnitude < 0 || magnitude >= bins) {
      throw new ConfigException(
          "rand_augment: %d changes at magnitude %d, expected 0 to 100 at 0 to %d"
              .formatted(changes, magnitude, bins - 1));
    }
  }

  private static RandAugment parse(Spec spec) {
    int changes = spec.number("changes", 2);
    int magnitude = spec.number("magnitude", 9);
    int bins = spec.optionNumber("bins", BINS);
    return new RandAugment(changes, magnitude, bins, Warp.Look.parse(spec, Warp.Look.NEAREST));
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
    return "rand_augment="
        + changes
        + ":"
        + magnitude
        + (bins == BINS ? "" : ":bins=" + bins)
        + look.text(Warp.Look.NEAREST);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    for (int i = 0; i < changes; i++) {
      Change change = Choice.draw(random, CHANGES);
      Choice.USUAL.add(plan, change, magnitude, bins, plan.height(), plan.width(), look, random);
    }
  }
}
