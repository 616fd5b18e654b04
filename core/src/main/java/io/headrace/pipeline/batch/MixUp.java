package io.headrace.pipeline.batch;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.U16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.ConfigException;
import io.headrace.memory.DType;
import io.headrace.pipeline.resize.Values;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.BatchStep;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Blends every sample with the one before it: `w x + (1 - w) y`, the weight `w` drawn from
/// Beta(alpha, alpha) once for the batch. `mixup=0.2`.
///
/// Floats are blended in float32. The result of uint8 is rounded, which torchvision does not do.
/// Source: Zhang and others, "mixup: beyond empirical risk minimization", 2017; `MixUp` of
/// torchvision's `transforms/v2/_augment.py`.
///
/// @param alpha above 0
public record MixUp(double alpha) implements BatchStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "mixup",
          "mixup=ALPHA",
          Applies.BATCH,
          "Blends every sample of a batch with the one before it; labels become weights.",
          "one weight from Beta(ALPHA, ALPHA) for the batch",
          "torchvision's MixUp",
          List.of("mixup=0.2", "mixup=1"),
          MixUp::parse);

  private static final int CHUNK = 4096;

  /// Checks the number.
  public MixUp {
    requireAlpha("mixup", alpha);
  }

  static void requireAlpha(String step, double alpha) {
    if (!(alpha > 0 && alpha <= 1e6)) {
      throw new ConfigException("%s: alpha %s, expected above 0".formatted(step, alpha));
    }
  }

  private static MixUp parse(Spec spec) {
    return new MixUp(spec.decimal("alpha", StepText.required(spec)));
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
    return "mixup=" + StepText.number(alpha);
  }

  @Override
  public double mix(Samples batch, CounterRandom random) {
    double weight = random.nextBeta(alpha);
    long bytes = batch.bytes();
    int last = batch.count() - 1;
    MemorySegment.copy(batch.data(), last * bytes, batch.spare(), 0, bytes);
    var blend = new Blend(batch.dtype(), (float) weight);
    for (int i = last; i > 0; i--) {
      blend.run(batch.data().asSlice(i * bytes, bytes), batch.data(), (i - 1) * bytes);
    }
    blend.run(batch.data().asSlice(0, bytes), batch.spare(), 0);
    return weight;
  }

  /// Blends samples, a few thousand elements at a time. One a batch.
  private static final class Blend {
    private final DType dtype;
    private final float own;
    private final float rest;
    private final float[] a = new float[CHUNK];
    private final float[] b = new float[CHUNK];
    private final short[] shorts = new short[CHUNK];
    private final byte[] bytes = new byte[CHUNK];

    Blend(DType dtype, float own) {
      this.dtype = dtype;
      this.own = own;
      rest = 1 - own;
    }

    void run(MemorySegment to, MemorySegment other, long at) {
      long count = to.byteSize() / dtype.bytes();
      for (long done = 0; done < count; done += CHUNK) {
        int n = (int) Math.min(CHUNK, count - done);
        load(to, done * dtype.bytes(), a, n);
        load(other, at + done * dtype.bytes(), b, n);
        for (int i = 0; i < n; i++) {
          a[i] = own * a[i] + rest * b[i];
        }
        store(to, done * dtype.bytes(), n);
      }
    }

    private void load(MemorySegment from, long at, float[] to, int n) {
      switch (dtype) {
        case FLOAT32 -> MemorySegment.copy(from, F32, at, to, 0, n);
        case UINT8 -> {
          MemorySegment.copy(from, JAVA_BYTE, at, bytes, 0, n);
          for (int i = 0; i < n; i++) {
            to[i] = bytes[i] & 0xff;
          }
        }
        case FLOAT16 -> {
          MemorySegment.copy(from, U16, at, shorts, 0, n);
          for (int i = 0; i < n; i++) {
            to[i] = Float.float16ToFloat(shorts[i]);
          }
        }
        case BFLOAT16 -> {
          MemorySegment.copy(from, U16, at, shorts, 0, n);
          for (int i = 0; i < n; i++) {
            to[i] = Float.intBitsToFloat(shorts[i] << 16);
          }
        }
      }
    }

    private void store(MemorySegment to, long at, int n) {
      switch (dtype) {
        case FLOAT32 -> MemorySegment.copy(a, 0, to, F32, at, n);
        case UINT8 -> {
          for (int i = 0; i < n; i++) {
            bytes[i] = (byte) (int) (a[i] + 0.5f);
          }
          MemorySegment.copy(bytes, 0, to, JAVA_BYTE, at, n);
        }
        case FLOAT16 -> {
          for (int i = 0; i < n; i++) {
            shorts[i] = Float.floatToFloat16(a[i]);
          }
          MemorySegment.copy(shorts, 0, to, U16, at, n);
        }
        case BFLOAT16 -> {
          for (int i = 0; i < n; i++) {
            shorts[i] = Values.bfloat16(a[i]);
          }
          MemorySegment.copy(shorts, 0, to, U16, at, n);
        }
      }
    }
  }
}
