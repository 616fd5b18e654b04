package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Difference;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A pipeline that is cut, stored and continued gives what it gives uncut, bit for bit.
final class StepsAheadTest {
  private static final LoadOptions STORED =
      LoadOptions.builder()
          .batchSize(6)
          .order(OrderSpec.SEQUENTIAL)
          .decoding(Decoding.EXACT)
          .build();

  @TempDir static Path shared;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void photos() throws IOException {
    photos = Photos.few(shared.resolve("photos"), 2, 3);
  }

  private static String digest(Path path, String pipeline) throws IOException {
    var options =
        LoadOptions.builder().batchSize(4).seed(3).digest(true).decoding(Decoding.EXACT).build();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse(pipeline), options);
        Epoch epoch = loader.epoch(1)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      assertThat(epoch.report().delivered()).isEqualTo(6);
      return epoch.report().digest();
    }
  }

  private static Path convert(Path from, Path to, String packing, String encoding, String steps)
      throws IOException {
    Representation stored =
        new Representation(
            Representation.of(packing, "none", "keep", "keep").packing(),
            TargetEncoding.parse(encoding),
            Representation.PLAIN.resize(),
            Representation.PLAIN.compression(),
            Pipeline.parse(steps));
    try (Dataset dataset = Datasets.open(from)) {
      new Converter(dataset, ConvertOptions.of(to, stored, 2)).run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return to;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          presto-image                                                          | tfrecord | keep
          presto-image                                                          | race     | fpc
          presto-image                                                          | tar      | shuffle
          decode,resize_shorter=60,center_crop=40,normalize=imagenet,float16,chw | race    | zvc
          decode,resize=50x60,center,bfloat16,chw,random_erasing=1               | race    | raw
          decode,grayscale,contrast=1.5,resize=30x40,flip,hue=0.1,center         | folder  | keep
          decode,resize=30x40,chw,normalize=imagenet,random_erasing=1            | tar     | lz4
          decode,center_crop=400,resize=30x40,float32,random_crop=20,flip        | tfrecord | rle
          """)
  void cutAtEveryPlace(String whole, String packing, String encoding, @TempDir Path dir)
      throws IOException {
    Pipeline pipeline = Pipeline.parse(whole);
    String expected = digest(photos, whole);
    int last = pipeline.firstRandomStep();
    assertThat(last).isGreaterThan(1);
    for (int cut = 1; cut <= last; cut++) {
      String steps = pipeline.split(cut).offline().spec();
      boolean floats = !encoding.equals("fpc") || !Pipeline.parse(steps).givesPicture();
      String with = floats ? encoding : "zvc"; // fpc holds floats only
      Path stored = convert(photos, dir.resolve("cut" + cut), packing, with, steps);
      assertThat(digest(stored, whole)).as("cut after '%s'", steps).isEqualTo(expected);
      Manifest manifest = Manifest.readIfPresent(stored);
      assertThat(manifest == null ? "" : manifest.steps()).isEqualTo(steps);
    }
  }

  /// The feature image/encoded is a TensorProto as `tf.io.serialize_tensor` writes it: dtype,
  /// tensor_shape with a dim for each extent, tensor_content. `./test --peers` parses it in
  /// TensorFlow.
  @ParameterizedTest
  @CsvSource({
    "'decode,resize=3x2', 0804120c1202080312020802120208032212",
    "'decode,resize=3x2,center', 0801120c1202080312020802120208032248",
    "'decode,resize=3x2,float16,chw', 0813120c1202080312020803120208022224"
  })
  void aRecordHoldsASerialisedTensor(String steps, String head, @TempDir Path dir)
      throws IOException {
    Path stored = convert(photos, dir.resolve("out"), "tfrecord", "keep", steps);
    try (Dataset dataset = Datasets.open(stored);
        var cursor = dataset.openCursor(0);
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        Dataset source = Datasets.open(photos);
        var loader = new Loader(source, Pipeline.parse(steps), STORED);
        Epoch epoch = loader.epoch(0);
        Batch batch = Objects.requireNonNull(epoch.next())) {
      assertThat(cursor.next(sample)).isTrue();
      byte[] tensor = sample.encoded().toArray(ValueLayout.JAVA_BYTE);
      byte[] uncut = batch.data().toArray(ValueLayout.JAVA_BYTE);
      int bytes = uncut.length / 6;
      assertThat(HexFormat.of().formatHex(tensor, 0, tensor.length - bytes)).isEqualTo(head);
      assertThat(Arrays.copyOfRange(tensor, tensor.length - bytes, tensor.length))
          .isEqualTo(Arrays.copyOf(uncut, bytes));
    }
  }

  @Test
  void picturesMayBeStoredInAnyEncoding(@TempDir Path dir) throws IOException {
    String whole = "decode,resize_shorter=64,random_crop=48,flip";
    String expected = digest(photos, whole);
    for (String encoding : new String[] {"png", "qoi", "webp-lossless", "lossless", "ppm"}) {
      Path stored =
          convert(photos, dir.resolve(encoding), "race", encoding, "decode,resize_shorter=64");
      assertThat(digest(stored, whole)).as(encoding).isEqualTo(expected);
    }
  }

  @Test
  void stepsAreDoneInSeveralConversions(@TempDir Path dir) throws IOException {
    String whole = "decode,resize_shorter=64,center_crop=50,center,chw";
    Path one = convert(photos, dir.resolve("1"), "race", "keep", "decode,resize_shorter=64");
    Path two =
        convert(one, dir.resolve("2"), "tar", "zvc", "decode,resize_shorter=64,center_crop=50");
    Path three =
        convert(
            two,
            dir.resolve("3"),
            "race",
            "zvc",
            "decode,resize_shorter=64,center_crop=50,center,chw");
    try (Dataset dataset = Datasets.open(three)) {
      assertThat(Manifest.stepsOf(dataset))
          .isEqualTo("decode,resize_shorter=64,center_crop=50,center,chw");
      assertThat(Pipeline.usual(Content.IMAGE, Manifest.stepsOf(dataset)).spec())
          .isEqualTo("decode,resize_shorter=64,center_crop=50,center,chw");
      assertThat(Pipeline.usual(Content.IMAGE, "decode,resize=8x8")).isEqualTo(Pipeline.train());
    }
    assertThat(digest(three, whole)).isEqualTo(digest(photos, whole));
  }

  @Test
  void tensorsAreVerifiedAndCompared(@TempDir Path dir) throws IOException {
    Path one = convert(photos, dir.resolve("1"), "race", "fpc", "decode,resize=40x50,center");
    Path other = convert(photos, dir.resolve("2"), "tfrecord", "raw", "decode,resize=40x50,center");
    Path third = convert(photos, dir.resolve("3"), "tar", "raw", "decode,resize=40x50");
    try (Dataset first = Datasets.open(one);
        Dataset second = Datasets.open(other);
        Dataset pictures = Datasets.open(third)) {
      assertThat(Verifier.verify(first, true).faults()).isEmpty();
      assertThat(Verifier.verify(second, true).faults()).isEmpty();
      assertThat(Verifier.verify(second, true).samples()).isEqualTo(6);
      assertThat(Difference.of(first, second).same()).isTrue();
      assertThat(Difference.of(first, pictures).otherPixels()).hasSize(6);
    }
    Path shard;
    try (var files = Files.list(other)) {
      shard = files.filter(file -> file.toString().endsWith(".tfrecord")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(shard);
    bytes[bytes.length / 2] ^= 1;
    Files.write(shard, bytes);
    try (Dataset broken = Datasets.open(other)) {
      assertThat(Verifier.verify(broken, false).faults()).isNotEmpty();
    }
  }

  @Test
  void contradictionsAreRefused(@TempDir Path dir) throws IOException {
    Path small = convert(photos, dir.resolve("s"), "race", "keep", "decode,resize_shorter=64");
    Path done = convert(photos, dir.resolve("d"), "race", "keep", "decode,resize=64x64,center");
    assertThatThrownBy(() -> digest(small, "decode,resize_shorter=65,random_crop=48"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("steps 'decode,resize_shorter=64' done")
        .hasMessageContaining("leave out decode");
    assertThatThrownBy(() -> digest(done, "resize=64x64,random_crop=48"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("begin with the same steps");
    assertThat(digest(small, "resize_shorter=64,random_crop=48"))
        .isEqualTo(digest(photos, "resize_shorter=64,random_crop=48"));
    assertThat(digest(small, "random_resized_crop=48")).isNotEmpty();
    Path next = dir.resolve("n");
    assertThatThrownBy(() -> convert(photos, next, "race", "keep", "decode,random_crop=9"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'random_crop=9' draws random numbers");
    assertThatThrownBy(() -> convert(photos, next, "race", "jpeg:90", "decode,center"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'decode,center' give a tensor of float32");
    assertThatThrownBy(() -> convert(photos, next, "race", "fpc", ""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("encoding 'fpc' is for what steps give");
    assertThatThrownBy(() -> convert(photos, next, "race", "fpc", "decode"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tensor codec fpc cannot hold uint8");
    assertThat(Files.exists(next)).isFalse();
  }
}
