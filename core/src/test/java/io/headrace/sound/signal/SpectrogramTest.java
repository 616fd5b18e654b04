package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.sound.Golden;
import io.headrace.spec.Spec;
import io.headrace.testkit.Allocations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpectrogramTest {
  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  /// {@return the largest difference relative to the wanted value, or to 1 where that is less}
  private static double worst(float[] actual, float[] wanted) {
    double worst = 0;
    for (int i = 0; i < wanted.length; i++) {
      worst = Math.max(worst, Math.abs(actual[i] - wanted[i]) / Math.max(1, Math.abs(wanted[i])));
    }
    return worst;
  }

  /// {@return the spectrogram of the golden sound, heights first}
  private float[] make(String text, boolean mel, int rate, int frames) {
    String name = mel ? "log_mel=" : "spectrogram=";
    SpectrogramSpec spec = SpectrogramSetting.parse(Spec.step("step", name + text), mel).at(rate);
    MemorySegment out = arena.allocate(spec.columns(frames) * spec.height() * Float.BYTES);
    MemorySegment sound = arena.allocateFrom(JAVA_FLOAT, Golden.sound(frames));
    long columns = new Spectrogram(spec).of(sound, frames, frames, true, out);
    assertThat(columns).isEqualTo(spec.columns(frames));
    return out.toArray(JAVA_FLOAT);
  }

  private static float[] turned(float[] values, int height) {
    float[] turned = new float[values.length];
    int width = values.length / height;
    for (int i = 0; i < values.length; i++) {
      turned[i % width * height + i / width] = values[i];
    }
    return turned;
  }

  @ParameterizedTest
  @CsvSource({"8000, 1111", "16000, 2000", "22050, 2500", "48000, 5000"})
  void isThatOfTensorFlow(int rate, int frames) {
    float[] stft = turned(make("presto", false, rate, frames), 513);
    float[] wanted = Golden.load("stft-" + rate + ".bin.gz");
    assertThat(wanted).hasSize(3 * 513);
    assertThat(worst(stft, wanted)).isLessThan(1e-4);
    float[] mel = turned(make("presto", true, rate, frames), 80);
    wanted = Golden.load("mel-" + rate + ".bin.gz");
    assertThat(mel).hasSameSizeAs(wanted);
    assertThat(worst(mel, wanted)).isLessThan(1e-4);
  }

  @ParameterizedTest
  @CsvSource({
    "torchaudio, false, torch-spectrogram",
    "torchaudio:n_mels=64:log=none, true, torch-mel",
    "torchaudio:n_fft=480:hop_length=160:n_mels=40:f_min=60:f_max=7600:top_db=40, true,"
        + " torch-decibels",
    "torchaudio:n_fft=512:win_length=400:hop_length=160:center=false:power=1:n_mels=40:norm=slaney:mel_scale=slaney,"
        + " true, torch-slaney"
  })
  void isThatOfTorchaudio(String text, boolean mel, String golden) {
    float[] wanted = Golden.load(golden + ".bin.gz");
    float[] made = make(text, mel, 16_000, 2000);
    assertThat(made).hasSameSizeAs(wanted);
    assertThat(worst(made, wanted)).isLessThan(1e-4);
  }

  @ParameterizedTest
  @CsvSource({"80", "128"})
  void isThatOfWhisper(int bands) {
    float[] wanted = Golden.load("whisper-" + bands + ".bin.gz");
    float[] made = make("whisper:n_mels=" + bands, true, 16_000, 4000);
    assertThat(made).hasSameSizeAs(wanted);
    assertThat(worst(made, wanted)).isLessThan(1e-4);
  }

  @ParameterizedTest
  @CsvSource({
    "whisper, 16000",
    "torchaudio, 22050",
    "presto, 8000",
    "torchaudio:center=false, 16000"
  })
  void silenceNeedsNotBeTransformed(String text, int rate) {
    SpectrogramSpec spec =
        SpectrogramSetting.parse(Spec.step("step", "log_mel=" + text), true).at(rate);
    float[] padded = Arrays.copyOf(Golden.sound(5000), 20_000);
    MemorySegment sound = arena.allocateFrom(JAVA_FLOAT, padded);
    long bytes = spec.columns(20_000) * spec.height() * Float.BYTES;
    MemorySegment whole = arena.allocate(bytes);
    MemorySegment quick = arena.allocate(bytes);
    var spectrogram = new Spectrogram(spec);
    spectrogram.of(sound, 20_000, 20_000, false, whole);
    spectrogram.of(sound, 20_000, 5000, false, quick);
    assertThat(quick.mismatch(whole)).isEqualTo(-1);
    spectrogram.of(arena.allocate(80_000), 20_000, 0, false, quick);
    spectrogram.of(arena.allocate(80_000), 20_000, 20_000, false, whole);
    assertThat(quick.mismatch(whole)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "n_fft=402, factors 2",
    "hop_length=0, every 0",
    "f_max=9000, at most half",
    "power=3, power 3",
    "mel_scale=bark, mel_scale=bark",
    "center=maybe, true or false",
    "top_db=80:log=ln, log=db",
    "speed=2, no option 'speed'"
  })
  void whatMakesNoSenseIsRefused(String option, String message) {
    Spec spec = Spec.step("step", "log_mel=torchaudio:" + option);
    assertThatThrownBy(() -> SpectrogramSetting.parse(spec, true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void bandsAreThoseOfTensorFlow() {
    var bands = new MelBands(80, 125, 3800, MelBands.Scale.TENSORFLOW, false);
    var bank = new MelBank(bands, 16_000, 513);
    float[] wanted = Golden.load("matrix-16000.bin.gz");
    float[] actual = new float[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      actual[i] = bank.weight(i / 80, i % 80);
    }
    assertThat(worst(actual, wanted)).isLessThan(1e-4);
    assertThat(bank.weight(0, 0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "319, 0", "320, 1", "479, 1", "480, 2", "16000, 99"})
  void onlyWholeWindowsCount(long samples, long columns) {
    assertThat(SpectrogramSpec.presto(16_000).columns(samples)).isEqualTo(columns);
  }

  @Test
  void silenceIsFinite() {
    var spectrogram = new Spectrogram(SpectrogramSpec.presto(48_000));
    MemorySegment mel = arena.allocate(80 * Float.BYTES);
    spectrogram.of(arena.allocate(960 * Float.BYTES), 960, 960, false, mel);
    assertThat(mel.toArray(JAVA_FLOAT)).containsOnly((float) Math.log(1e-8f));
  }

  @Test
  void impossibleSpectrogramsAreRefused() {
    assertThatThrownBy(() -> SpectrogramSpec.presto(96_000))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("1920 samples");
    assertThatThrownBy(() -> SpectrogramSpec.presto(7_000))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("half the rate");
  }

  @Test
  void makesNoGarbage() {
    var spectrogram = new Spectrogram(SpectrogramSpec.presto(16_000));
    MemorySegment sound = arena.allocateFrom(JAVA_FLOAT, Golden.sound(3200));
    MemorySegment mel = arena.allocate(80 * 19 * Float.BYTES);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long start = Allocations.ofThisThread();
      for (int i = 0; i < 20; i++) {
        spectrogram.of(sound, 3200, 3200, false, mel);
      }
      least = Math.min(least, (Allocations.ofThisThread() - start) / 20);
    }
    assertThat(least).isLessThanOrEqualTo(256);
  }
}
