package io.headrace.load.deliver;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.U64;

import io.headrace.memory.BatchBuffer;
import io.headrace.memory.FieldSlots;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.FieldType;
import io.headrace.memory.Layout;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.step.BatchStep;
import io.headrace.random.CounterRandom;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Mixes the samples of a batch as the last step of a pipeline says. Labels become weights, in two
/// fields of the batch: a sample's class is `label` with the weight `label_weight`, and
/// `label_other` with the rest. What is drawn depends on the seed, the epoch and the batch's first
/// sample. For the consumer's thread.
public final class BatchMixer {
  /// The label of the sample that each is mixed with: int64.
  public static final String OTHER = "label_other";

  /// The weight of a sample's own label: float32.
  public static final String WEIGHT = "label_weight";

  private static final long SALT = 0x6d69_7865_7221_0001L; // apart from what samples draw

  private final BatchStep step;
  private final Pipeline pipeline;
  private final long seed;
  private final long epoch;
  private final CounterRandom random = new CounterRandom();
  private final MemorySegment spare;

  private BatchMixer(BatchStep step, Pipeline pipeline, long seed, long epoch) {
    this.step = step;
    this.pipeline = pipeline;
    this.seed = seed;
    this.epoch = epoch;
    spare = Arena.ofAuto().allocate(pipeline.outputSpec().bytes());
  }

  /// {@return a mixer for an epoch, or null if the pipeline mixes nothing}
  public static @Nullable BatchMixer of(Pipeline pipeline, long seed, long epoch) {
    return !pipeline.steps().isEmpty() && pipeline.steps().getLast() instanceof BatchStep step
        ? new BatchMixer(step, pipeline, seed, epoch)
        : null;
  }

  /// {@return the fields that mixing adds to batches, after all others}
  public static List<FieldSpec> fields(Pipeline pipeline) {
    return !pipeline.steps().isEmpty() && pipeline.steps().getLast() instanceof BatchStep
        ? List.of(
            FieldSpec.fixed(OTHER, FieldType.INT64, List.of()),
            FieldSpec.fixed(WEIGHT, FieldType.FLOAT32, List.of()))
        : List.of();
  }

  /// Mixes.
  ///
  /// @param valid the first slots, which are mixed
  /// @param filled slots to hand out; those from `valid` on stay as they are
  void mix(BatchBuffer buffer, int valid, int filled) {
    double weight = 1;
    if (valid > 0) {
      random.reset(seed ^ SALT, epoch, buffer.id(0));
      boolean rowsFirst = pipeline.layout() == Layout.HWC;
      List<Integer> shape = buffer.sample().shape();
      int height = shape.get(rowsFirst ? 0 : 1);
      int width = shape.get(rowsFirst ? 1 : 2);
      var samples =
          new BatchStep.Samples(
              buffer.data(),
              spare,
              valid,
              height,
              width,
              buffer.sample().dtype(),
              pipeline.layout());
      weight = step.mix(samples, random);
    }
    FieldSlots others = buffer.field(buffer.fields() - 2);
    FieldSlots weights = buffer.field(buffer.fields() - 1);
    for (int slot = 0; slot < filled; slot++) {
      int other = slot >= valid ? slot : slot == 0 ? valid - 1 : slot - 1;
      others.cell(slot).set(U64, 0, buffer.label(other));
      others.filled(slot, Long.BYTES, false);
      weights.cell(slot).set(F32, 0, slot < valid ? (float) weight : 1);
      weights.filled(slot, Float.BYTES, false);
    }
  }
}
