package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;

/// Gives sound another sample rate by windowed-sinc interpolation, as
/// `torchaudio.functional.resample` with its defaults does: a Hann window over six zero crossings
/// on either side, and a cut-off at 99 % of the lower rate's band.
///
/// Source of the formulas: J. O. Smith, "Digital Audio Resampling", CCRMA. Rates are divided by
/// what they have in common, so that the filter has as many phases as the target rate then has. One
/// per worker and pair of rates. Allocates nothing after it was made.
public final class SincResampler {
  private static final int ZERO_CROSSINGS = 6;
  private static final double ROLL_OFF = 0.99;

  /// The most taps of all phases; more would be rates that hardly anyone has.
  private static final long MAX_TAPS = 1 << 21;

  /// Samples of the result that are made before they are stored.
  private static final int CHUNK = 1 << 12;

  private final int from;
  private final int to;
  private final int taps;

  /// Weights, [phase, tap].
  private final float[] weights;

  /// The sample that the first tap of a phase is for, from that of its group.
  private final int[] firsts;

  private final float[] in;
  private final float[] out = new float[CHUNK];

  /// @param fromRate frames a second of what comes in
  /// @param toRate frames a second of what comes out
  /// @throws ConfigException if a rate is not positive, or the two have so little in common that
  ///     the filter would be huge
  public SincResampler(int fromRate, int toRate) {
    if (fromRate < 1 || toRate < 1) {
      throw new ConfigException(
          "resampling from %d to %d Hz: expected at least 1".formatted(fromRate, toRate));
    }
    int common = gcd(fromRate, toRate);
    from = fromRate / common;
    to = toRate / common;
    double base = Math.min(from, to) * ROLL_OFF;
    int width = (int) Math.ceil(ZERO_CROSSINGS * from / base);
    taps = 2 * width + 2;
    if ((long) taps * to > MAX_TAPS) {
      throw new ConfigException(
          "resampling from %d to %d Hz: these rates have only %d Hz in common"
              .formatted(fromRate, toRate, common));
    }
    weights = new float[taps * to];
    firsts = new int[to];
    for (int phase = 0; phase < to; phase++) {
      int centre = (int) ((long) phase * from / to);
      firsts[phase] = centre - width;
      for (int tap = 0; tap < taps; tap++) {
        double t = ((double) (firsts[phase] + tap) / from - (double) phase / to) * base;
        weights[phase * taps + tap] = (float) weight(t, base / from);
      }
    }
    in = new float[(int) ((long) CHUNK * from / to) + 2 * from + 2 * taps];
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static double weight(double t, double scale) {
    if (Math.abs(t) >= ZERO_CROSSINGS) {
      return 0;
    }
    double window = Math.cos(t * Math.PI / ZERO_CROSSINGS / 2);
    double x = t * Math.PI;
    return (x == 0 ? 1 : Math.sin(x) / x) * window * window * scale;
  }

  /// {@return frames of the result: the fewest that last as long}
  ///
  /// @param frames that come in
  public long frames(long frames) {
    return Math.ceilDiv(Math.multiplyExact(frames, (long) to), (long) from);
  }

  /// Resamples one channel.
  ///
  /// @param sound float32 [frames], or one of several channels that take turns
  /// @param frames how many
  /// @param channel of it, from 0
  /// @param channels in `sound` and in `result`
  /// @param result float32 [[#frames], channels], of which the channel is written
  public void resample(
      MemorySegment sound, long frames, int channel, int channels, MemorySegment result) {
    long count = frames(frames);
    long done = 0;
    while (done < count) {
      long group = done / to;
      long start = group * from - taps;
      int phase = (int) (done - group * to);
      int made = (int) Math.min(count - done, CHUNK);
      int needed = (int) Math.ceilDiv(((long) phase + made) * from, (long) to) + 2 * taps;
      load(sound, frames, channel, channels, start, needed);
      int base = taps;
      for (int i = 0; i < made; i++) {
        out[i] = dot(base + firsts[phase], phase * taps);
        if (++phase == to) {
          phase = 0;
          base += from;
        }
      }
      store(made, done, channel, channels, result);
      done += made;
    }
  }

  private void load(
      MemorySegment sound, long frames, int channel, int channels, long start, int needed) {
    int head = (int) Math.min(needed, Math.max(0, -start));
    int end = (int) Math.min(needed, Math.max(0, frames - start));
    for (int i = 0; i < head; i++) {
      in[i] = 0;
    }
    if (channels == 1 && end > head) {
      MemorySegment.copy(
          sound, JAVA_FLOAT_UNALIGNED, (start + head) * Float.BYTES, in, head, end - head);
    } else {
      for (int i = head; i < end; i++) {
        long at = ((start + i) * channels + channel) * Float.BYTES;
        in[i] = sound.get(JAVA_FLOAT_UNALIGNED, at);
      }
    }
    for (int i = Math.max(head, end); i < needed; i++) {
      in[i] = 0;
    }
  }

  private float dot(int at, int weight) {
    float a = 0;
    float b = 0;
    for (int tap = 0; tap < taps; tap += 2) {
      a += in[at + tap] * weights[weight + tap];
      b += in[at + tap + 1] * weights[weight + tap + 1];
    }
    return a + b;
  }

  private void store(int made, long done, int channel, int channels, MemorySegment result) {
    if (channels == 1) {
      MemorySegment.copy(out, 0, result, JAVA_FLOAT_UNALIGNED, done * Float.BYTES, made);
      return;
    }
    for (int i = 0; i < made; i++) {
      long at = ((done + i) * channels + channel) * Float.BYTES;
      result.set(JAVA_FLOAT_UNALIGNED, at, out[i]);
    }
  }
}
