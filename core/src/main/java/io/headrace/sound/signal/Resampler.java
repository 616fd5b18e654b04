package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Gives sound another sample rate through libsamplerate: band-limited interpolation with a
/// windowed sinc, without delay. One per worker: C state.
public final class Resampler implements AutoCloseable {
  /// The least and largest ratios libsamplerate takes (`SRC_MAX_RATIO`).
  private static final int MAX_RATIO = 256;

  /// Zeros that follow the end of the sound, in samples.
  private static final int ZEROS = 1 << 12;

  private final Arena arena = Arena.ofShared(); // the thread may change
  private final MemorySegment data = arena.allocate(SampleRate.DATA_BYTES, Long.BYTES);
  private final MemorySegment error = arena.allocate(JAVA_INT);
  private final MemorySegment zeros = arena.allocate(ZEROS * (long) Float.BYTES, Float.BYTES);
  private final Quality quality;
  private MemorySegment state = MemorySegment.NULL;
  private int channels;

  /// How much work goes into a sample. Source: libsamplerate's `SRC_SINC_…` converters.
  public enum Quality {
    /// 97 % of the band, 145 dB of signal to noise.
    BEST(0),
    /// 90 % of the band, 121 dB.
    MEDIUM(1),
    /// 80 % of the band, 97 dB.
    FAST(2);

    private final int converter;

    Quality(int converter) {
      this.converter = converter;
    }
  }

  /// @param quality of all it makes
  /// @throws ConfigException if libsamplerate is missing
  public Resampler(Quality quality) {
    NativeLibrary.SAMPLERATE.require();
    this.quality = quality;
  }

  /// {@return frames of sound at another rate: the fewest that last as long}
  ///
  /// @throws ConfigException if a rate is not at least 1, or one is over 256 times the other
  public static long frames(long frames, int fromRate, int toRate) {
    if (fromRate < 1
        || toRate < 1
        || Math.max(fromRate, toRate) / MAX_RATIO >= Math.min(fromRate, toRate)) {
      throw new ConfigException(
          "resampling from %d to %d Hz: expected rates that differ less than %d-fold"
              .formatted(fromRate, toRate, MAX_RATIO));
    }
    return Math.ceilDiv(Math.multiplyExact(frames, (long) toRate), (long) fromRate);
  }

  /// Resamples sound. Frame i of the result is the sound at time i / `toRate`; zeros lie around it.
  ///
  /// @param samples float32 [frames, channels], off heap
  /// @param frames how many
  /// @param channels samples in a frame, 1 to 4096
  /// @param fromRate frames a second of `samples`
  /// @param toRate frames a second of the result
  /// @param out takes float32 [[#frames], channels] at its start
  /// @return frames of the result
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget of `out` does not allow it
  /// @throws ConfigException as [#frames] does
  public long resample(
      MemorySegment samples, long frames, int channels, int fromRate, int toRate, Block out)
      throws DecodeException {
    long count = frames(frames, fromRate, toRate);
    if (channels < 1 || channels > ZEROS) {
      throw new IllegalArgumentException(channels + " channels: expected 1 to " + ZEROS);
    }
    long frameBytes = channels * (long) Float.BYTES;
    if (!samples.isNative() || samples.byteSize() / frameBytes < frames) {
      throw new IllegalArgumentException(
          "%d frames of %d channels do not lie in %d bytes off heap"
              .formatted(frames, channels, samples.byteSize()));
    }
    MemorySegment to = out.ensure(count * frameBytes);
    if (fromRate == toRate) {
      MemorySegment.copy(samples, 0, to, 0, count * frameBytes);
      return count;
    }
    ready(channels);
    double ratio = (double) toRate / fromRate;
    long used = 0;
    long made = 0;
    int idle = 0;
    while (made < count && idle < 2) {
      boolean sound = used < frames;
      data.set(ADDRESS, 0, sound ? samples.asSlice(used * frameBytes) : zeros);
      data.set(ADDRESS, 8, to.asSlice(made * frameBytes));
      data.set(JAVA_LONG, 16, sound ? frames - used : ZEROS / channels);
      data.set(JAVA_LONG, 24, count - made);
      data.set(JAVA_INT, 48, 0); // more may always follow: zeros do
      data.set(JAVA_DOUBLE, 56, ratio);
      int failed = SampleRate.process(state, data);
      if (failed != 0) {
        throw new IllegalStateException("src_process: " + SampleRate.strerror(failed));
      }
      long taken = data.get(JAVA_LONG, 32);
      used += sound ? taken : 0;
      long gave = data.get(JAVA_LONG, 40);
      made += gave;
      idle = taken == 0 && gave == 0 ? idle + 1 : 0;
    }
    to.asSlice(made * frameBytes, (count - made) * frameBytes).fill((byte) 0);
    return count;
  }

  private void ready(int channels) {
    if (this.channels != channels) {
      release();
      state = SampleRate.create(quality.converter, channels, error);
      this.channels = channels;
    } else {
      SampleRate.reset(state);
    }
  }

  private void release() {
    if (!state.equals(MemorySegment.NULL)) {
      SampleRate.delete(state);
      state = MemorySegment.NULL;
      channels = 0;
    }
  }

  @Override
  public void close() {
    release();
    arena.close();
  }
}
