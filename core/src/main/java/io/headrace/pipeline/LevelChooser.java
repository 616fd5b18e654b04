package io.headrace.pipeline;

import io.headrace.error.DecodeException;
import io.headrace.format.LevelChoice;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;

/// Chooses the smallest level of a pyramid whose crop still has as many pixels as the first pass
/// makes. The crop is drawn in advance, since it depends only on the sample's place and the image's
/// size. One per reader.
public final class LevelChooser implements LevelChoice {
  private final long seed;
  private final long epoch;
  private final Plan plan;
  private final CounterRandom random = new CounterRandom();

  /// @param seed of the run
  /// @param epoch from 0
  public LevelChooser(Pipeline pipeline, long seed, long epoch) {
    this.seed = seed;
    this.epoch = epoch;
    plan = pipeline.plan();
  }

  @Override
  public int choose(long id, int height, int width, int levels) {
    int whole = levels - 1;
    if (height < 1 || width < 1 || height > StepText.MAX_EXTENT || width > StepText.MAX_EXTENT) {
      return whole; // its header may know better
    }
    random.reset(seed, epoch, id);
    try {
      plan.set(height, width, random);
    } catch (DecodeException e) {
      return whole; // processing it says what is wrong
    }
    int eighths = SampleProcessor.eighths(plan.stage(0));
    int level = whole;
    for (int larger = eighths; larger < 8 && level > 0; larger *= 2) {
      level--;
    }
    return level;
  }
}
