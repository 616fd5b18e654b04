package io.headrace.load;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.field.FieldRequest;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Views: several samples of an image in one batch, each with its own draws. And crops that depend
/// on the boxes of an image.
final class ViewsTest {
  private static final String STEPS = "random_resized_crop=16,flip,color_jitter=0.4:0.4:0.4:0.1";

  @TempDir static Path root;

  private static LoadOptions.Builder options(int threads) {
    return LoadOptions.builder().batchSize(8).threads(threads).seed(9);
  }

  /// {@return the bytes of all views of each sample of epoch 1}
  private static Map<Long, String> load(Path path, Pipeline steps, LoadOptions options)
      throws IOException {
    Map<Long, String> seen = new TreeMap<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, steps, options);
        Epoch epoch = loader.epoch(1)) {
      for (Batch next = epoch.next(); next != null; next = epoch.next()) {
        try (Batch batch = next) {
          long bytes = batch.data().byteSize() / batch.size();
          for (int i = 0; i < batch.validCount(); i++) {
            byte[] image = batch.data().asSlice(i * bytes, bytes).toArray(JAVA_BYTE);
            assertThat(seen.put(batch.id(i), Arrays.toString(image) + views(batch, i))).isNull();
          }
        }
      }
    }
    return seen;
  }

  private static String views(Batch batch, int slot) {
    var text = new StringBuilder();
    for (int f = 0; f < batch.fields().size(); f++) {
      assertThat(batch.fields().get(f).name()).isEqualTo("view_" + (f + 1));
      long bytes = batch.values(f).byteSize() / batch.size();
      byte[] view = batch.values(f).asSlice(slot * bytes, bytes).toArray(JAVA_BYTE);
      text.append('|').append(Arrays.toString(view));
    }
    return text.toString();
  }

  @Test
  void viewsDifferAndTheFirstIsTheImage() throws IOException {
    Path folder = Tiny.folder(root.resolve("folder"), 20);
    Map<Long, String> one = load(folder, Pipeline.parse(STEPS), options(1).build());
    Map<Long, String> three = load(folder, Pipeline.parse("views=3," + STEPS), options(1).build());
    assertThat(load(folder, Pipeline.parse("views=3," + STEPS), options(3).build()))
        .isEqualTo(three);
    assertThat(three.keySet()).isEqualTo(one.keySet());
    for (Map.Entry<Long, String> sample : three.entrySet()) {
      List<String> views = List.of(sample.getValue().split("\\|"));
      assertThat(views).hasSize(3).doesNotHaveDuplicates();
      assertThat(views.getFirst()).isEqualTo(one.get(sample.getKey()));
    }
  }

  @Test
  void theDigestIsOfAllViews() throws IOException {
    Path folder = Tiny.folder(root.resolve("digests"), 20);
    Set<Object> digests = new HashSet<>();
    for (String steps : List.of(STEPS, "views=2," + STEPS, "views=3," + STEPS)) {
      try (Dataset dataset = Datasets.open(folder);
          var loader = new Loader(dataset, Pipeline.parse(steps), options(2).build());
          Epoch epoch = loader.epoch(0)) {
        assertThat(Tiny.take(epoch, Long.MAX_VALUE)).hasSize(20);
        digests.add(epoch.report().digest());
      }
    }
    assertThat(digests).hasSize(3);
  }

  /// Law: a view of an image that was decoded for all of them is that of one decoded for it alone.
  @Test
  void decodingOnceGivesTheSamePixels() throws IOException, DecodeException {
    Pipeline steps = Pipeline.parse("views=4,random_resized_crop=64,flip,uint8,hwc");
    Path photo = Photos.sorted(Photos.sorted(Photos.folder()).getFirst()).getFirst();
    byte[] bytes = Files.readAllBytes(photo);
    try (Arena arena = Arena.ofConfined();
        var processor = processor(steps);
        var alone = processor(steps)) {
      MemorySegment encoded = arena.allocate(bytes.length);
      MemorySegment.copy(bytes, 0, encoded, JAVA_BYTE, 0, bytes.length);
      MemorySegment other = arena.allocate(bytes.length).copyFrom(encoded);
      MemorySegment slot = arena.allocate(steps.outputSpec().bytes());
      MemorySegment expected = arena.allocate(steps.outputSpec().bytes());
      for (long id = 0; id < 12; id++) {
        for (int view = 0; view < 4; view++) {
          processor.view(view);
          processor.process(encoded, 1, 0, id, slot);
          alone.view(view);
          alone.process(view % 2 == 0 ? encoded : other, 1, 0, id, expected); // never held
          assertThat(slot.mismatch(expected)).as("sample %d, view %d", id, view).isEqualTo(-1);
        }
      }
    }
  }

  private static SampleProcessor processor(Pipeline steps) {
    return new SampleProcessor(steps, MemoryBudget.unbounded(), SampleProcessor.Options.fast());
  }

  /// A box in the middle and one in a corner: the crop keeps the middle of at least one, and
  /// empties those whose middle it left out; the image shows the same place.
  @Test
  void cropsDependOnBoxes() throws IOException {
    Path folder = root.resolve("boxes");
    int count = 30;
    Tiny.folder(folder, count);
    var lines = new StringBuilder();
    for (int k = 0; k < count; k++) {
      lines.append(
          "{\"file_name\": \"class%d/%05d.ppm\", \"boxes\": [[1, 1, 6, 5], [7, 5, 9, 7]]}\n"
              .formatted(3 * k / count, k));
    }
    Files.writeString(folder.resolve("metadata.jsonl"), lines);
    Pipeline steps = Pipeline.parse("random_iou_crop,resize=14x18,uint8,hwc");
    assertThatThrownBy(() -> load(folder, steps, options(1).build()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("one field of boxes");
    LoadOptions options = options(2).fields(FieldRequest.parse("boxes:boxes")).build();
    Map<Integer, Integer> left = new TreeMap<>();
    try (Dataset dataset = Datasets.open(folder);
        var loader = new Loader(dataset, steps, options);
        Epoch epoch = loader.epoch(0)) {
      for (Batch next = epoch.next(); next != null; next = epoch.next()) {
        try (Batch batch = next) {
          float[] edges =
              batch.values(0).toArray(java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED);
          for (int i = 0; i < batch.size(); i++) {
            int kept = 0;
            for (int box = 0; box < 2; box++) {
              float[] sides = Arrays.copyOfRange(edges, 8 * i + 4 * box, 8 * i + 4 * box + 4);
              boolean empty = Arrays.equals(sides, new float[4]);
              assertThat(empty || (sides[2] > sides[0] && sides[3] > sides[1])).isTrue();
              kept += empty ? 0 : 1;
            }
            left.merge(kept, 1, Integer::sum);
          }
        }
      }
    }
    assertThat(left).containsOnlyKeys(1, 2);
  }
}
