package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.inspect.Difference;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.LeftOut;
import io.headrace.format.Sample;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sets of sounds, in every container, from files to batches.
final class SoundLoadTest {
  private static final int COUNT = 23;
  private static final String AUGMENTED =
      "mono,resample=16000,gain=-6..6,random_crop=0.1,noise=20,log_mel=whisper,time_mask=5,"
          + "freq_mask=9:count=2";

  @TempDir static Path shared;
  private static Path wavs = Path.of(".");

  @BeforeAll
  static void write() throws IOException {
    wavs = SoundSets.folder(shared.resolve("wavs"), COUNT);
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).threads(2).seed(9);
  }

  private static EpochReport load(Path set, String pipeline, LoadOptions options)
      throws IOException {
    try (Dataset dataset = Datasets.open(set);
        var loader = new Loader(dataset, Pipeline.parse(pipeline), options);
        Epoch epoch = loader.epoch(1)) {
      List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
      return epoch.report();
    }
  }

  private static Path stored(Path to, String packing, String encoding) throws IOException {
    var representation = Representation.of(packing, "none", encoding, "keep");
    return Tiny.convert(wavs, to, representation, packing.equals("folder") ? 1 : 3);
  }

  @ParameterizedTest
  @CsvSource({
    "folder, keep",
    "folder, flac:8",
    "tfrecord, keep",
    "tfrecord, flac",
    "tar, keep",
    "tar, flac:0",
    "race, keep",
    "race, flac",
    "race, wav"
  })
  void samplesAreTheSameInEveryContainer(String packing, String encoding, @TempDir Path dir)
      throws IOException {
    Path set = stored(dir.resolve("set"), packing, encoding);
    EpochReport expected = load(wavs, AUGMENTED, options().build());
    EpochReport found = load(set, AUGMENTED, options().build());
    assertThat(expected.delivered()).isEqualTo(COUNT);
    assertThat(found.digest()).isEqualTo(expected.digest());
    assertThat(found.setDigest()).isEqualTo(expected.setDigest());
    try (Dataset one = Datasets.open(wavs);
        Dataset other = Datasets.open(set)) {
      assertThat(other.classes()).isEqualTo(one.classes());
      Difference.Report difference = Difference.of(one, other);
      assertThat(difference.same()).isTrue();
      assertThat(difference.sameBytes()).isEqualTo(encoding.startsWith("flac") ? 0 : COUNT);
      Verifier.Report report = Verifier.verify(other, true);
      assertThat(report.faults()).isEmpty();
      assertThat(report.samples()).isEqualTo(COUNT);
      assertThat(Content.ofFirst(other)).isEqualTo(Content.SOUND);
    }
  }

  @ParameterizedTest
  @CsvSource({"mp3:64", "mp3:v2", "vorbis:0.5"})
  void lossyOnesHaveTheSameRatesAndLengths(String encoding, @TempDir Path dir) throws IOException {
    Path set = stored(dir.resolve("set"), "tar", encoding);
    assertThat(load(set, AUGMENTED, options().build()).delivered()).isEqualTo(COUNT);
    try (Dataset one = Datasets.open(wavs);
        Dataset other = Datasets.open(set)) {
      Difference.Report difference = Difference.of(one, other);
      assertThat(difference.inBoth()).isEqualTo(COUNT);
      assertThat(difference.samePixels()).isZero();
      assertThat(difference.sameLabels()).isEqualTo(COUNT);
    }
  }

  @Test
  void threadsAndBatchesChangeNothing() throws IOException {
    Set<String> digests = new HashSet<>();
    for (int threads : new int[] {1, 2, 4}) {
      for (int batch : new int[] {1, 7}) {
        digests.add(
            load(wavs, AUGMENTED, options().threads(threads).batchSize(batch).build()).digest());
      }
    }
    assertThat(digests).hasSize(1);
    assertThat(load(wavs, AUGMENTED, options().seed(10).build()).digest()).isNotIn(digests);
  }

  @ParameterizedTest
  @CsvSource({
    "'mono,resample=16000,pad_or_trim=0.25', FLOAT32, '[1, 4000]'",
    "'mono,pad_or_trim=frames=700,float16', FLOAT16, '[1, 700]'",
    "'mono,resample=8000,pad_or_trim=1,spectrogram=torchaudio:bins_first', FLOAT32, '[201, 41]'",
    "'mono,resample=16000,random_crop=1,log_mel=presto,bfloat16', BFLOAT16, '[99, 80]'",
    "whisper, FLOAT32, '[80, 3000]'",
    "speech, FLOAT32, '[1000, 80]'"
  })
  void batchesHaveTheShapeThatIsForetold(String text, DType dtype, String shape)
      throws IOException {
    Pipeline pipeline = Pipeline.parse(text);
    assertThat(pipeline.input()).isEqualTo(Pipeline.Input.SOUND);
    assertThat(pipeline.outputSpec().dtype()).isEqualTo(dtype);
    assertThat(pipeline.outputSpec().shape()).hasToString(shape);
    assertThat(Pipeline.parse(pipeline.spec())).isEqualTo(pipeline);
    try (Dataset dataset = Datasets.open(wavs);
        var loader = new Loader(dataset, pipeline, options().build());
        Epoch epoch = loader.epoch(0);
        Batch batch = epoch.next()) {
      assertThat(batch).isNotNull();
      assertThat(epoch.report().skipped()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'mono,log_mel=whisper', resample=HZ and pad_or_trim",
    "'mono,resample=16000,log_mel=whisper', pad_or_trim=SECONDS",
    "'resample=16000,pad_or_trim=1', add mono",
    "'log_mel=whisper', put mono before",
    "'mono,pad_or_trim=1,flip', is on images",
    "'mono,resample=16000,pad_or_trim=1,uint8', would cut off",
    "'mono,resample=16000,random_crop=224x224', not a number",
    "'mono,pad_or_trim=frames=3000,log_mel=presto', resample=HZ",
    "presto-audio, resample=HZ"
  })
  void whatCannotBeBatchedIsRefused(String pipeline, String message) {
    assertThatThrownBy(() -> Pipeline.parse(pipeline).outputSpec())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void imagesAreNoSounds(@TempDir Path dir) throws IOException {
    Path pictures = Tiny.folder(dir.resolve("pictures"), 3);
    assertThatThrownBy(() -> load(pictures, AUGMENTED, options().build()))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("not sound");
    assertThatThrownBy(() -> load(wavs, "train", options().build()))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("a WAV file");
    assertThatThrownBy(() -> stored(dir.resolve("one"), "tar", "jpeg:80"))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("a sound (wav), which cannot become jpeg:80");
    assertThatThrownBy(
            () ->
                Tiny.convert(
                    pictures,
                    dir.resolve("two"),
                    Representation.of("tar", "none", "flac:5", "keep"),
                    1))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("an image (pnm), which cannot become flac:5");
  }

  @Test
  void decodedCachesAreRefused() throws IOException {
    LoadOptions options = options().cache(CacheSpec.parse("lru:1MB:decoded")).build();
    assertThatThrownBy(() -> load(wavs, AUGMENTED, options))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holds images");
  }

  /// What most files of a folder promise to be decides; the others are counted.
  @Test
  void mixedFoldersAreWhatMostOfThemAre(@TempDir Path dir) throws IOException {
    SoundSets.folder(dir, 3);
    Files.write(dir.resolve("class0/cover.ppm"), Tiny.picture(0));
    Files.write(dir.resolve("class1/notes.txt"), new byte[] {'a', 'b', 'c'});
    Files.write(dir.resolve("class1/voice.m4a"), new byte[] {0, 0, 0, 1});
    Files.write(dir.resolve("class1/plain"), SoundSets.wav(1, 1, 8000));
    Files.write(dir.resolve("loose.flac"), new byte[0]);
    try (Dataset dataset = Datasets.open(dir)) {
      assertThat(dataset.size()).isEqualTo(4);
      assertThat(dataset.leftOut())
          .extracting(LeftOut::kind)
          .containsExactlyInAnyOrder(
              LeftOut.Kind.PICTURE_AMONG_SOUNDS,
              LeftOut.Kind.NO_SOUND,
              LeftOut.Kind.OTHER_SOUND,
              LeftOut.Kind.LOOSE_SOUND);
      assertThat(dataset.warnings().toString()).contains("1 picture in a folder of sounds (.ppm)");
    }
    for (int i = 1; i < 6; i++) {
      Files.write(dir.resolve("class0/%d.ppm".formatted(i)), Tiny.picture(i));
    }
    try (Dataset dataset = Datasets.open(dir)) {
      assertThat(dataset.size()).isEqualTo(6);
      assertThat(dataset.leftOut())
          .extracting(LeftOut::kind)
          .contains(LeftOut.Kind.SOUND_AMONG_PICTURES);
    }
  }

  @Test
  void flatFoldersHaveNoLabels(@TempDir Path dir) throws IOException {
    Files.write(dir.resolve("1.wav"), SoundSets.wav(1, 1, 8000));
    Files.write(dir.resolve("0.wav"), SoundSets.wav(0, 1, 8000));
    try (Dataset dataset = Datasets.open(dir);
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        Dataset.SampleReader reader = dataset.openReader()) {
      reader.read(0, sample);
      assertThat(sample.key()).isEqualTo("0.wav");
      assertThat(sample.label()).isEqualTo(Sample.NO_LABEL);
      assertThat(dataset.size()).isEqualTo(2);
    }
  }
}
