package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headrace.codec.jpeg.coefficients.Jpegs;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.race.RaceDataset;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.FidelityReading;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loader reads the bands of a packed JPEG that a crop needs, and no pixel changes.
final class PackedLoadTest {
  /// Crops of most pictures to a half or a quarter, of some to less.
  private static final String LARGE = "random_resized_crop=80:area=0.1-1,uint8,hwc";

  /// Crops of all pictures to a quarter or less.
  private static final String SMALL = "random_resized_crop=6,uint8,hwc";

  /// Pictures that cannot be decoded to planes, whose bands are read all.
  private static final List<String> UNUSUAL =
      List.of("rgb.jpg", "cmyk.jpg", "sample-2x2-1x1-2x1.jpg");

  @TempDir static Path root;
  private static Path files = Path.of(".");
  private static Path packed = Path.of(".");

  @BeforeAll
  static void store() throws IOException, InterruptedException {
    files = Photos.few(root.resolve("files"), 2, 6);
    Path other = Files.createDirectories(files.resolve("unusual"));
    for (String name : UNUSUAL) {
      Files.write(other.resolve(name), Jpegs.named("jpeg/" + name));
    }
    Path photo = Photos.sorted(Photos.sorted(files).getFirst()).getFirst();
    Files.write(other.resolve("turned.jpg"), turned(Files.readAllBytes(photo)));
    packed = root.resolve("packed");
    try (Dataset dataset = Datasets.open(files)) {
      Representation to = Representation.of("race", "none", "packed", "keep");
      new Converter(dataset, ConvertOptions.of(packed, to, 2)).run();
    }
  }

  /// {@return the same photo, which now says that it lies on its side}
  private static byte[] turned(byte[] photo) {
    byte[] tag = Jpegs.named("jpeg/orientation-6-mm.jpg");
    int length = 4 + 256 * (tag[4] & 0xff) + (tag[5] & 0xff);
    byte[] turned = Arrays.copyOf(tag, length + photo.length - 2);
    System.arraycopy(photo, 2, turned, length, photo.length - 2);
    return turned;
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(5).seed(17).digest(true);
  }

  private static EpochReport load(Path path, String pipeline, LoadOptions options)
      throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse(pipeline), options);
        Epoch epoch = loader.epoch(0)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  private static long bytes(int bands) throws IOException {
    try (Dataset dataset = Datasets.open(packed)) {
      return ((RaceDataset) dataset).groupBytes(bands);
    }
  }

  /// {@return the most that is read for so many bytes} Neighbours that are wanted at the same time
  /// are read together, with the few bytes between them.
  private static long withGaps(long bytes) {
    return bytes + bytes / 100;
  }

  @Test
  void onlyBandsThatCountAreRead() throws IOException {
    EpochReport large = load(packed, LARGE, options().build());
    assertThat(large.digest()).isEqualTo(load(files, LARGE, options().build()).digest());
    assertThat(large.bytesRead()).isBetween(bytes(1), (bytes(2) + bytes(3)) / 2);
    assertThat(large.fidelities()).extracting(FidelityReading::groups).containsExactly(1, 2, 3);
    long stored = large.fidelities().stream().mapToLong(FidelityReading::bytes).sum();
    assertThat(large.bytesRead()).isBetween(stored, withGaps(stored));
    EpochReport small = load(packed, SMALL, options().build());
    assertThat(small.digest()).isEqualTo(load(files, SMALL, options().build()).digest());
    assertThat(small.fidelities())
        .extracting(FidelityReading::groups, FidelityReading::samples)
        .containsExactly(tuple(1, 13L), tuple(3, 3L));
    LoadOptions exact = options().decoding(Decoding.EXACT).build();
    EpochReport whole = load(packed, SMALL, exact);
    assertThat(whole.digest()).isEqualTo(load(files, SMALL, exact).digest());
    assertThat(whole.bytesRead()).isBetween(bytes(3), withGaps(bytes(3)));
  }

  /// Law: neither who reads nor what a cache holds changes a pixel.
  @ParameterizedTest
  @ValueSource(strings = {"full", "sequential"})
  void nothingChangesWhatIsDelivered(String order) throws IOException {
    LoadOptions.Builder some = options().order(OrderSpec.parse(order));
    String expected = load(files, LARGE, some.build()).digest();
    EpochReport read = load(packed, LARGE, some.threads(3).readers(2).build());
    assertThat(read.digest()).isEqualTo(expected);
    assertThat(read.bytesRead()).isLessThan(bytes(3));
    EpochReport kept = load(packed, LARGE, some.cache(new CacheSpec.Lru(2 * bytes(3))).build());
    assertThat(kept.digest()).isEqualTo(expected);
    assertThat(kept.bytesRead()).isBetween(bytes(3), withGaps(bytes(3)));
  }
}
