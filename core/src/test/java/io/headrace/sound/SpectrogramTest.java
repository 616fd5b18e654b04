package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.testkit.Allocations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

  @ParameterizedTest
  @CsvSource({"8000, 1111", "16000, 2000", "22050, 2500", "48000, 5000"})
  void isThatOfTensorFlow(int rate, int frames) {
    var spec = SpectrogramSpec.presto(rate);
    var spectrogram = new Spectrogram(spec);
    MemorySegment sound = arena.allocateFrom(JAVA_FLOAT, Golden.sound(frames));
    long columns = spec.columns(frames);
    MemorySegment stft = arena.allocate(columns * spec.bins() * Float.BYTES);
    assertThat(spectrogram.magnitudes(sound, frames, stft)).isEqualTo(columns);
    float[] wanted = Golden.load("stft-" + rate + ".bin.gz");
    assertThat(wanted).hasSize(3 * 513);
    assertThat(worst(stft.toArray(JAVA_FLOAT), wanted)).isLessThan(1e-4);
    MemorySegment mel = arena.allocate(columns * 80 * Float.BYTES);
    assertThat(spectrogram.logMel(sound, frames, mel)).isEqualTo(columns);
    wanted = Golden.load("mel-" + rate + ".bin.gz");
    assertThat(wanted).hasSize((int) columns * 80);
    assertThat(worst(mel.toArray(JAVA_FLOAT), wanted)).isLessThan(1e-4);
  }

  @Test
  void bandsAreThoseOfTensorFlow() {
    var bank = new MelBank(SpectrogramSpec.presto(16_000));
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
    spectrogram.logMel(arena.allocate(960 * Float.BYTES), 960, mel);
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
        spectrogram.logMel(sound, 3200, mel);
      }
      least = Math.min(least, (Allocations.ofThisThread() - start) / 20);
    }
    assertThat(least).isLessThanOrEqualTo(256);
  }
}
