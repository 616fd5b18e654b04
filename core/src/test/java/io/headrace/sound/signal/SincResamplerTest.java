package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.sound.Golden;
import io.headrace.testkit.Allocations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SincResamplerTest {
  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  private float[] resample(float[] sound, int channels, int from, int to) {
    var resampler = new SincResampler(from, to);
    long frames = sound.length / channels;
    MemorySegment result = arena.allocate(resampler.frames(frames) * channels * Float.BYTES);
    for (int channel = 0; channel < channels; channel++) {
      resampler.resample(arena.allocateFrom(JAVA_FLOAT, sound), frames, channel, channels, result);
    }
    return result.toArray(JAVA_FLOAT);
  }

  @ParameterizedTest
  @CsvSource({"8000, 16000", "16000, 8000", "44100, 16000", "48000, 16000"})
  void isThatOfTorchaudio(int from, int to) {
    float[] wanted = Golden.load("sinc-%d-%d.bin.gz".formatted(from, to));
    float[] made = resample(Golden.sound(2000), 1, from, to);
    assertThat(made).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.length; i++) {
      assertThat(made[i]).isCloseTo(wanted[i], Offset.offset(5e-6f));
    }
  }

  /// Sound longer than a piece is as if it were made in one.
  @ParameterizedTest
  @CsvSource({"8000, 16000", "44100, 16000", "16000, 44100", "48000, 11025", "16000, 16001"})
  void piecesDoNotShow(int from, int to) {
    float[] sound = Golden.sound(30_000);
    float[] made = resample(sound, 1, from, to);
    float[] shifted = new float[30_000 + from];
    System.arraycopy(sound, 0, shifted, from, 30_000); // by one second, so by `to` samples
    float[] later = resample(shifted, 1, from, to);
    for (int i = 0; i < made.length; i++) {
      assertThat(later[i + to]).isEqualTo(made[i]);
    }
  }

  @Test
  void channelsAreApart() {
    float[] left = Golden.sound(3000);
    float[] both = new float[6000];
    for (int i = 0; i < 3000; i++) {
      both[2 * i] = left[i];
      both[2 * i + 1] = -left[2999 - i];
    }
    float[] made = resample(both, 2, 44_100, 16_000);
    float[] alone = resample(left, 1, 44_100, 16_000);
    assertThat(made).hasSize(2 * alone.length);
    for (int i = 0; i < alone.length; i++) {
      assertThat(made[2 * i]).isEqualTo(alone[i]);
    }
  }

  /// Law: made phase by phase, with vectors or without, in whole or from anywhere, it has the bits
  /// that it has made sample by sample.
  @ParameterizedTest
  @CsvSource({"8000, 16000", "48000, 16000", "24000, 16000", "16000, 48000", "32000, 48000"})
  void phaseByPhaseGivesTheSameBits(int from, int to) {
    MemorySegment sound = arena.allocateFrom(JAVA_FLOAT, Golden.sound(40_001));
    var single = new SincResampler(from, to, PhaseFilter.PLAIN); // makes them one by one
    long frames = single.frames(40_001);
    MemorySegment wanted = arena.allocate(frames * Float.BYTES);
    single.resample(sound, 40_001, 0, 1, wanted);
    for (PhaseFilter filter : new PhaseFilter[] {new PhaseFilter(), new VectorPhaseFilter()}) {
      var resampler = new SincResampler(from, to, filter);
      MemorySegment whole = arena.allocate(frames * Float.BYTES);
      resampler.resample(sound, 40_001, 0, 1, whole);
      assertThat(whole.mismatch(wanted)).as("%s", filter.getClass()).isEqualTo(-1);
      MemorySegment part = arena.allocate(4L * 7001);
      resampler.resample(sound, 40_001, 0, 0, 1, part, 5, 7006);
      assertThat(part.mismatch(wanted.asSlice(20, 4L * 7001))).isEqualTo(-1);
    }
  }

  @Test
  void ratesWithoutACommonDivisorAreRefused() {
    assertThatThrownBy(() -> new SincResampler(192_000, 191_999))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("only 1 Hz in common");
    assertThatThrownBy(() -> new SincResampler(0, 16_000))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("at least 1");
  }

  @Test
  void makesNoGarbage() {
    var resampler = new SincResampler(44_100, 16_000);
    MemorySegment sound = arena.allocateFrom(JAVA_FLOAT, Golden.sound(9000));
    MemorySegment result = arena.allocate(resampler.frames(9000) * Float.BYTES);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long start = Allocations.ofThisThread();
      for (int i = 0; i < 20; i++) {
        resampler.resample(sound, 9000, 0, 1, result);
      }
      least = Math.min(least, (Allocations.ofThisThread() - start) / 20);
    }
    assertThat(least).isLessThanOrEqualTo(256);
  }
}
