package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.inspect.Difference;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A pipeline on sound that is cut, stored and continued gives what it gives uncut, bit for bit.
final class SoundsAheadTest {
  private static final int COUNT = 7;

  @TempDir static Path shared;
  private static Path wavs = Path.of(".");

  @BeforeAll
  static void write() throws IOException {
    wavs = SoundSets.folder(shared.resolve("wavs"), COUNT);
  }

  private static String digest(Path path, String pipeline) throws IOException {
    var options = LoadOptions.builder().batchSize(4).seed(3).digest(true).build();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse(pipeline), options);
        Epoch epoch = loader.epoch(1)) {
      List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
      assertThat(epoch.report().delivered()).isEqualTo(COUNT);
      return epoch.report().digest();
    }
  }

  private static Path store(Path from, Path to, String packing, String encoding, String steps)
      throws IOException {
    Representation stored =
        new Representation(
            Representation.of(packing, "none", "keep", "keep").packing(),
            TargetEncoding.parse(encoding),
            Representation.PLAIN.resize(),
            Representation.PLAIN.compression(),
            Pipeline.parse(steps));
    return Tiny.convert(from, to, stored, packing.equals("folder") ? 1 : 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          flac:5   | decode,mono,resample=16000,pad_or_trim=0.2,log_mel=presto                | tfrecord | raw
          mp3:64   | decode,mono,resample=16000,pad_or_trim=0.2,log_mel=presto                | tfrecord | fpc
          keep     | mono,resample=16000,pad_or_trim=0.3,log_mel=whisper:mels_first,time_mask=9 | race   | shuffle
          keep     | decode,resample=8000,gain=-6,mono,random_crop=0.1,noise=9,log_mel=torchaudio | tar  | raw
          vorbis   | mono,resample=16000,pad_or_trim=frames=3000,spectrogram=presto,freq_mask=30,float16 | tar | raw
          keep     | mono,resample=16000,pad_or_trim=0.1,log_mel=whisper,bfloat16             | race     | lz4
          """)
  void cutAtEveryPlace(
      String codec, String whole, String packing, String encoding, @TempDir Path dir)
      throws IOException {
    Path source =
        Tiny.convert(
            wavs, dir.resolve("source"), Representation.of("race", "none", codec, "keep"), 1);
    Pipeline pipeline = Pipeline.parse(whole);
    String expected = digest(source, whole);
    for (int cut = 1; cut <= pipeline.firstRandomStep(); cut++) {
      Pipeline offline = pipeline.split(cut).offline();
      String with = offline.givesSpectrogram() ? encoding : "keep";
      Path stored = store(source, dir.resolve("cut" + cut), packing, with, offline.spec());
      assertThat(digest(stored, whole)).as("cut after '%s'", offline).isEqualTo(expected);
      try (Dataset dataset = Datasets.open(stored)) {
        assertThat(Manifest.stepsOf(dataset)).isEqualTo(offline.spec());
        assertThat(Verifier.verify(dataset, true).faults()).isEmpty();
        assertThat(Verifier.verify(dataset, true).samples()).isEqualTo(COUNT);
        assertThat(Difference.of(dataset, dataset).same()).isTrue();
      }
    }
  }

  @Test
  void stepsAreDoneInSeveralConversions(@TempDir Path dir) throws IOException {
    String whole = "mono,resample=16000,pad_or_trim=0.2,log_mel=whisper,time_mask=4";
    Path one = store(wavs, dir.resolve("1"), "tar", "keep", "mono,resample=16000");
    Path two = store(one, dir.resolve("2"), "race", "wav", "mono,resample=16000,pad_or_trim=0.2");
    Path three =
        store(
            two,
            dir.resolve("3"),
            "tfrecord",
            "raw",
            "mono,resample=16000,pad_or_trim=0.2,log_mel=whisper");
    assertThat(digest(three, whole)).isEqualTo(digest(wavs, whole));
    String done = "mono,resample=16000,pad_or_trim=0.2,log_mel=whisper";
    assertThat(Pipeline.usual(Content.SOUND, done)).isEqualTo(Pipeline.parse(done));
    assertThat(Pipeline.usual(Content.SOUND, "mono,resample=16000")).isEqualTo(Pipeline.speech());
    assertThatThrownBy(() -> digest(three, "mono,resample=8000,pad_or_trim=1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("begin with the same steps");
  }

  @ParameterizedTest
  @CsvSource({
    "'mono,resample=16000', flac:5, expected keep or wav",
    "'mono,resample=16000', zvc, expected keep or wav",
    "'mono,random_crop=1', keep, draws random numbers",
    "'mono,resample=16000,pad_or_trim=1,log_mel=whisper', jpeg:80, expected raw or a tensor codec"
  })
  void whatCannotBeStoredIsRefused(
      String steps, String encoding, String message, @TempDir Path dir) {
    assertThatThrownBy(() -> store(wavs, dir.resolve("x"), "race", encoding, steps))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
