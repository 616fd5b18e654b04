package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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

  private static final int TOGETHER = 4;

  /// The most samples of a group, and the most phases, for which the sound is sorted: with more
  /// there are too few of each.
  private static final int MAX_PLANES = 8;

  /// Floats in a vector, at most.
  private static final int VECTOR = 16;

  private final @Nullable PhaseFilter given;
  private final int from;
  private final int to;
  private final int taps;

  /// Weights, [phase, tap].
  private final float[] weights;

  /// The sample that the first tap of a phase is for, from that of its group.
  private final int[] firsts;

  /// Where the taps and the weights begin of samples that are made together.
  private final int[] starts = new int[TOGETHER];

  private final int[] rows = new int[TOGETHER];
  private final int[] places;
  private float[] sorted = new float[0];
  private float[] ofPhase = new float[0];
  private final float[] in;
  private final float[] out = new float[CHUNK];

  /// @param fromRate frames a second of what comes in
  /// @param toRate frames a second of what comes out
  /// @throws ConfigException if a rate is not positive, or the two have so little in common that
  ///     the filter would be huge
  public SincResampler(int fromRate, int toRate) {
    this(fromRate, toRate, null);
  }

  /// @param filter instead of the fastest
  SincResampler(int fromRate, int toRate, @Nullable PhaseFilter filter) {
    given = filter;
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
    places = new int[taps];
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

  /// {@return the first frame that is read for a frame of the result; it may be before the sound}
  ///
  /// @param made frame of the result, from 0
  public long first(long made) {
    return made / to * from + firsts[(int) (made % to)];
  }

  /// {@return the frame after the last one that is read for a frame of the result; it may be after
  ///     the sound}
  public long end(long made) {
    return first(made) + taps;
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
    resample(sound, frames, 0, channel, channels, result, 0, frames(frames));
  }

  /// Makes a part of the result.
  ///
  /// @param sound as above, or only that part of it which is read
  /// @param frames how many there are in `sound`
  /// @param start number of the first of them
  /// @param channel of it, from 0
  /// @param channels in `sound` and in `result`
  /// @param result float32 [end - begin, channels], of which the channel is written
  /// @param begin first frame of the result that is made
  /// @param end frame after the last
  public void resample(
      MemorySegment sound,
      long frames,
      long start,
      int channel,
      int channels,
      MemorySegment result,
      long begin,
      long end) {
    PhaseFilter filter = given == null ? PhaseFilter.fastest() : given;
    boolean planes = filter.pays() && from <= MAX_PLANES && to <= MAX_PLANES;
    long done = begin;
    while (done < end) {
      long group = done / to;
      long lead = group * from - taps;
      int phase = (int) (done - group * to);
      int made = (int) Math.min(end - done, CHUNK);
      int needed = (int) Math.ceilDiv(((long) phase + made) * from, (long) to) + 2 * taps;
      load(sound, frames, channel, channels, lead - start, needed);
      if (planes) {
        byPhase(filter, phase, made, needed);
      } else {
        oneByOne(phase, made);
      }
      store(made, done - begin, channel, channels, result);
      done += made;
    }
  }

  private void oneByOne(int firstPhase, int made) {
    int phase = firstPhase;
    int base = taps;
    int i = 0;
    for (; i <= made - TOGETHER; i += TOGETHER) {
      for (int j = 0; j < TOGETHER; j++) {
        starts[j] = base + firsts[phase];
        rows[j] = phase * taps;
        if (++phase == to) {
          phase = 0;
          base += from;
        }
      }
      four(i);
    }
    for (; i < made; i++) {
      out[i] = dot(base + firsts[phase], phase * taps);
      if (++phase == to) {
        phase = 0;
        base += from;
      }
    }
  }

  /// Sorts the sound by the places of its samples in a group, so that neighbouring samples of a
  /// phase read neighbouring samples, and makes phase after phase.
  private void byPhase(PhaseFilter filter, int firstPhase, int made, int needed) {
    int length = Math.ceilDiv(needed, from);
    int stride = length + VECTOR;
    if (sorted.length < from * stride) {
      sorted = new float[from * stride];
      ofPhase = new float[CHUNK + VECTOR];
    }
    for (int plane = 0; plane < from; plane++) {
      int count = Math.ceilDiv(needed - plane, from);
      int at = plane * stride;
      for (int i = 0; i < count; i++) {
        sorted[at + i] = in[i * from + plane];
      }
    }
    for (int k = 0; k < Math.min(to, made); k++) { // the first of each phase
      int phase = (firstPhase + k) % to;
      int begin = taps + firsts[phase] + (firstPhase + k) / to * from;
      for (int tap = 0; tap < taps; tap++) {
        places[tap] = (begin + tap) % from * stride + (begin + tap) / from;
      }
      int count = Math.ceilDiv(made - k, to);
      filter.run(sorted, places, weights, phase * taps, ofPhase, count);
      for (int i = 0; i < count; i++) {
        out[i * to + k] = ofPhase[i];
      }
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

  /// Makes four samples side by side, so that no sum waits for another.
  private void four(int at) {
    float[] x = in;
    float[] w = weights;
    int x0 = starts[0];
    int x1 = starts[1];
    int x2 = starts[2];
    int x3 = starts[3];
    int w0 = rows[0];
    int w1 = rows[1];
    int w2 = rows[2];
    int w3 = rows[3];
    float a0 = 0;
    float a1 = 0;
    float a2 = 0;
    float a3 = 0;
    float b0 = 0;
    float b1 = 0;
    float b2 = 0;
    float b3 = 0;
    for (int tap = 0; tap < taps; tap += 2) {
      a0 += x[x0 + tap] * w[w0 + tap];
      a1 += x[x1 + tap] * w[w1 + tap];
      a2 += x[x2 + tap] * w[w2 + tap];
      a3 += x[x3 + tap] * w[w3 + tap];
      b0 += x[x0 + tap + 1] * w[w0 + tap + 1];
      b1 += x[x1 + tap + 1] * w[w1 + tap + 1];
      b2 += x[x2 + tap + 1] * w[w2 + tap + 1];
      b3 += x[x3 + tap + 1] * w[w3 + tap + 1];
    }
    out[at] = a0 + b0;
    out[at + 1] = a1 + b1;
    out[at + 2] = a2 + b2;
    out[at + 3] = a3 + b3;
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
