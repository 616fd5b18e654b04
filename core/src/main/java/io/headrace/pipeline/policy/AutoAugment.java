package io.headrace.pipeline.policy;

import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Does one of 25 pairs of changes that were found to help on ImageNet: `auto_augment=imagenet`.
///
/// Source: Cubuk and others, "AutoAugment: learning augmentation policies from data", 2018;
/// `AutoAugment` of torchvision.
///
/// @param look how turned images look
public record AutoAugment(Warp.Look look) implements PixelStep {
  private static final int BINS = 10;

  private static final Part[][] PAIRS = {
    pair(Change.POSTERIZE, 0.4, 8, Change.ROTATE, 0.6, 9),
    pair(Change.SOLARIZE, 0.6, 5, Change.AUTO_CONTRAST, 0.6, 0),
    pair(Change.EQUALIZE, 0.8, 0, Change.EQUALIZE, 0.6, 0),
    pair(Change.POSTERIZE, 0.6, 7, Change.POSTERIZE, 0.6, 6),
    pair(Change.EQUALIZE, 0.4, 0, Change.SOLARIZE, 0.2, 4),
    pair(Change.EQUALIZE, 0.4, 0, Change.ROTATE, 0.8, 8),
    pair(Change.SOLARIZE, 0.6, 3, Change.EQUALIZE, 0.6, 0),
    pair(Change.POSTERIZE, 0.8, 5, Change.EQUALIZE, 1.0, 0),
    pair(Change.ROTATE, 0.2, 3, Change.SOLARIZE, 0.6, 8),
    pair(Change.EQUALIZE, 0.6, 0, Change.POSTERIZE, 0.4, 6),
    pair(Change.ROTATE, 0.8, 8, Change.COLOR, 0.4, 0),
    pair(Change.ROTATE, 0.4, 9, Change.EQUALIZE, 0.6, 0),
    pair(Change.EQUALIZE, 0.0, 0, Change.EQUALIZE, 0.8, 0),
    pair(Change.INVERT, 0.6, 0, Change.EQUALIZE, 1.0, 0),
    pair(Change.COLOR, 0.6, 4, Change.CONTRAST, 1.0, 8),
    pair(Change.ROTATE, 0.8, 8, Change.COLOR, 1.0, 2),
    pair(Change.COLOR, 0.8, 8, Change.SOLARIZE, 0.8, 7),
    pair(Change.SHARPNESS, 0.4, 7, Change.INVERT, 0.6, 0),
    pair(Change.SHEAR_X, 0.6, 5, Change.EQUALIZE, 1.0, 0),
    pair(Change.COLOR, 0.4, 0, Change.EQUALIZE, 0.6, 0),
    pair(Change.EQUALIZE, 0.4, 0, Change.SOLARIZE, 0.2, 4),
    pair(Change.SOLARIZE, 0.6, 5, Change.AUTO_CONTRAST, 0.6, 0),
    pair(Change.INVERT, 0.6, 0, Change.EQUALIZE, 1.0, 0),
    pair(Change.COLOR, 0.6, 4, Change.CONTRAST, 1.0, 8),
    pair(Change.EQUALIZE, 0.8, 0, Change.EQUALIZE, 0.6, 0)
  };

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "auto_augment",
          "auto_augment=imagenet[:interpolation=bilinear][:fill=VALUE]",
          Applies.COLOURS,
          "One of the 25 pairs of changes found on ImageNet.",
          "the pair; for each change whether, and its sign, if it has one",
          "torchvision's AutoAugment(IMAGENET)",
          List.of("auto_augment=imagenet", "auto_augment=imagenet:interpolation=bilinear:fill=128"),
          AutoAugment::parse);

  private static AutoAugment parse(Spec spec) {
    String policy = spec.next();
    if (policy == null || !policy.equals("imagenet")) {
      throw spec.bad("expected imagenet, the one policy there is");
    }
    return new AutoAugment(Warp.Look.parse(spec, Warp.Look.NEAREST));
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
    return "auto_augment=imagenet" + look.text(Warp.Look.NEAREST);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    Part[] pair = PAIRS[random.nextInt(PAIRS.length)];
    for (Part part : pair) {
      if (random.nextDouble() < part.probability) {
        Choice.USUAL.add(
            plan, part.change, part.bin, BINS, plan.height(), plan.width(), look, random);
      }
    }
  }

  private record Part(Change change, double probability, int bin) {}

  private static Part[] pair(
      Change first, double firstP, int firstBin, Change second, double secondP, int secondBin) {
    return new Part[] {new Part(first, firstP, firstBin), new Part(second, secondP, secondBin)};
  }
}
