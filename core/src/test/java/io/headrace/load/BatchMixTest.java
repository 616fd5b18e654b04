package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.LastBatch;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Batches are mixed as mixup and cutmix say, and labels become weights.
final class BatchMixTest {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Everything of a batch.
  private static final class Taken {
    private final float[][] samples;
    private final long[] labels;
    private final long[] others;
    private final float[] weights;
    private final int valid;

    Taken(float[][] samples, long[] labels, long[] others, float[] weights, int valid) {
      this.samples = samples;
      this.labels = labels;
      this.others = others;
      this.weights = weights;
      this.valid = valid;
    }
  }

  private static List<Taken> load(Path path, String pipeline, int threads) throws IOException {
    var options =
        LoadOptions.builder()
            .batchSize(4)
            .seed(3)
            .threads(threads)
            .lastBatch(LastBatch.PAD)
            .build();
    List<Taken> taken = new ArrayList<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse(pipeline), options);
        Epoch epoch = loader.epoch(1)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        taken.add(take(batch));
        batch.close();
      }
    }
    return taken;
  }

  private static Taken take(Batch batch) {
    int size = batch.size();
    int n = (int) (batch.data().byteSize() / size / Float.BYTES);
    float[][] samples = new float[size][n];
    long[] labels = new long[size];
    long[] others = new long[size];
    float[] weights = new float[size];
    for (int slot = 0; slot < size; slot++) {
      for (int i = 0; i < n; i++) {
        samples[slot][i] = batch.data().get(FLOAT, 4L * ((long) slot * n + i));
      }
      labels[slot] = batch.label(slot);
      if (!batch.fields().isEmpty()) {
        others[slot] = batch.values(0).get(LONG, 8L * slot);
        weights[slot] = batch.values(1).get(FLOAT, 4L * slot);
      }
    }
    return new Taken(samples, labels, others, weights, batch.validCount());
  }

  @ParameterizedTest
  @ValueSource(strings = {"hwc", "chw"})
  void mixup(String layout, @TempDir Path dir) throws IOException {
    Path folder = Tiny.folder(dir, 10);
    String steps = "center_crop=6x8,normalize=imagenet," + layout;
    List<Taken> plain = load(folder, steps, 2);
    List<Taken> mixed = load(folder, steps + ",mixup=0.4", 2);
    assertThat(mixed).hasSize(3);
    for (int b = 0; b < 3; b++) {
      Taken before = plain.get(b);
      Taken after = mixed.get(b);
      float weight = after.weights[0];
      assertThat(weight).isBetween(0f, 1f);
      for (int slot = 0; slot < after.samples.length; slot++) {
        boolean counts = slot < after.valid;
        int other = counts ? (slot + after.valid - 1) % after.valid : slot;
        float own = counts ? weight : 1;
        assertThat(after.weights[slot]).isEqualTo(own);
        assertThat(after.labels[slot]).isEqualTo(before.labels[slot]);
        assertThat(after.others[slot]).isEqualTo(before.labels[other]);
        for (int i = 0; i < after.samples[slot].length; i++) {
          float expected = own * before.samples[slot][i] + (1 - own) * before.samples[other][i];
          assertThat(after.samples[slot][i]).isCloseTo(expected, within(1e-5f));
        }
      }
    }
    assertThat(mixed.get(0).weights[0]).isNotEqualTo(mixed.get(1).weights[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hwc", "chw"})
  void cutmix(String layout, @TempDir Path dir) throws IOException {
    Path folder = Tiny.folder(dir, 12);
    String steps = "center_crop=6x8,center," + layout;
    List<Taken> plain = load(folder, steps, 2);
    List<Taken> mixed = load(folder, steps + ",cutmix=1", 2);
    int pasted = 0;
    for (int b = 0; b < 3; b++) {
      Taken before = plain.get(b);
      Taken after = mixed.get(b);
      for (int slot = 0; slot < 4; slot++) {
        int other = (slot + 3) % 4;
        assertThat(after.others[slot]).isEqualTo(before.labels[other]);
        int same = 0;
        for (int i = 0; i < after.samples[slot].length; i++) {
          assertThat(after.samples[slot][i])
              .isIn(before.samples[slot][i], before.samples[other][i]);
          same += after.samples[slot][i] == before.samples[slot][i] ? 1 : 0;
        }
        double share = (double) same / after.samples[slot].length;
        assertThat((double) after.weights[slot]).isLessThanOrEqualTo(share + 1e-6);
        pasted += after.weights[slot] < 1 ? 1 : 0;
      }
    }
    assertThat(pasted).isPositive();
  }

  @Test
  void threadsChangeNothing(@TempDir Path dir) throws IOException {
    Path folder = Tiny.folder(dir, 12);
    String steps = "random_crop=5,flip,center,mixup=1";
    List<Taken> one = load(folder, steps, 1);
    List<Taken> four = load(folder, steps, 4);
    for (int b = 0; b < 3; b++) {
      assertThat(four.get(b).samples).isDeepEqualTo(one.get(b).samples);
      assertThat(four.get(b).weights).isEqualTo(one.get(b).weights);
    }
  }

  @Test
  void mixingComesLast() {
    assertThatThrownBy(() -> Pipeline.parse("resize=4x4,mixup=1,center"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'center' is on each sample: put it before 'mixup=1'");
    assertThatThrownBy(() -> Pipeline.parse("resize=4x4,mixup=0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("mixup: alpha 0.0, expected above 0");
  }
}
