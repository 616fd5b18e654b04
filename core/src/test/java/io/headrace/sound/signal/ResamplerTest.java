package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.Golden;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResamplerTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final Resampler resampler = new Resampler(Resampler.Quality.BEST);

  @AfterEach
  void close() {
    resampler.close();
    out.close();
    arena.close();
  }

  private float[] resample(float[] samples, int channels, int from, int to) throws DecodeException {
    MemorySegment bytes = arena.allocateFrom(JAVA_FLOAT, samples);
    long frames = resampler.resample(bytes, samples.length / channels, channels, from, to, out);
    return out.memory().asSlice(0, frames * channels * Float.BYTES).toArray(JAVA_FLOAT);
  }

  /// {@return a tone that fades in and out, as in `generate.py`}
  private static float[] tone() {
    float[] tone = new float[4410];
    for (int i = 0; i < tone.length; i++) {
      double fade = Math.sin(Math.PI * i / 4410);
      tone[i] = (float) (Math.sin(2 * Math.PI * 0.031 * i) * fade * fade * 0.5);
    }
    return tone;
  }

  /// Within -80 dB of full scale of soxr's best, which is another filter.
  @ParameterizedTest
  @CsvSource({"44100, 16000, 1600", "8000, 16000, 8820", "48000, 44100, 4052"})
  void isThatOfSoxr(int from, int to, int frames) throws DecodeException {
    float[] wanted = Golden.load("resampled-%d-%d.bin.gz".formatted(from, to));
    float[] actual = resample(tone(), 1, from, to);
    assertThat(actual).hasSize(frames);
    double worst = 0;
    for (int i = 0; i < Math.min(actual.length, wanted.length); i++) {
      worst = Math.max(worst, Math.abs(actual[i] - wanted[i]));
    }
    assertThat(worst).isLessThan(1e-4);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 44100, 16000, 0",
    "1, 44100, 16000, 1",
    "1, 8000, 48000, 6",
    "441, 44100, 16000, 160",
    "442, 44100, 16000, 161",
    "20000, 8000, 16000, 40000",
    "777, 16000, 16000, 777"
  })
  void lengthIsExact(int frames, int from, int to, int wanted) throws DecodeException {
    assertThat(resample(new float[frames * 2], 2, from, to)).hasSize(2 * wanted);
  }

  @Test
  void channelsStayApartAndNoStateIsKept() throws DecodeException {
    float[] tone = tone();
    float[] two = new float[2 * tone.length];
    for (int i = 0; i < tone.length; i++) {
      two[2 * i] = tone[i];
    }
    float[] mono = resample(tone, 1, 44_100, 16_000);
    float[] stereo = resample(two, 2, 44_100, 16_000);
    for (int i = 0; i < mono.length; i++) {
      assertThat(stereo[2 * i]).isEqualTo(mono[i]);
      assertThat(stereo[2 * i + 1]).isZero();
    }
    assertThat(resample(tone, 1, 44_100, 16_000)).isEqualTo(mono);
    assertThat(resample(tone, 1, 44_100, 16_000)).isEqualTo(mono);
  }

  @Test
  void ratesTooFarApartAreRefused() {
    assertThatThrownBy(() -> resample(new float[9], 1, 192_000, 700))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("256-fold");
  }

  @Test
  void mixdownIsTheMean() {
    MemorySegment samples = arena.allocateFrom(JAVA_FLOAT, 1, 0, 0.5f, -0.5f, -1, -0.5f);
    Mixdown.mono(samples, 3, 2, samples);
    assertThat(samples.asSlice(0, 12).toArray(JAVA_FLOAT)).containsExactly(0.5f, 0, -0.75f);
  }
}
