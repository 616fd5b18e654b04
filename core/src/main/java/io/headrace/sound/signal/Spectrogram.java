package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Makes spectrograms: of the bins of the short-time Fourier transform, or mel bands of them, as
/// they are or as loudnesses.
///
/// The same as TensorFlow's `tf.signal.stft`, torchaudio's `Spectrogram`, `MelSpectrogram` and
/// `AmplitudeToDB`, and Whisper's `log_mel_spectrogram`, to within 1e-4 of a value. One per worker:
/// buffers for a few columns, which are transformed side by side. Allocates nothing.
public final class Spectrogram {
  /// Columns that are transformed at once.
  private static final int TOGETHER = 64;

  private final SpectrogramSpec spec;
  private final RealFft fft;
  private final float[] window;
  private final float[] samples;
  private final float[][] values;
  private final RealFft.Rows taker = this::take;
  private final @Nullable MelBank mel;
  private final float silence;
  private int columns;

  /// @param spec how
  public Spectrogram(SpectrogramSpec spec) {
    this.spec = spec;
    fft = new RealFft(spec.fftLength(), TOGETHER);
    window = hann(spec.window(), spec.framing() == SpectrogramSpec.Framing.WINDOWS);
    samples = new float[(TOGETHER - 1) * spec.step() + spec.window()];
    values = new float[spec.height()][TOGETHER];
    silence = spec.loudness().silence(spec.power());
    MelBands bands = spec.mel();
    mel = bands == null ? null : new MelBank(bands, spec.sampleRate(), spec.bins());
  }

  private static float[] hann(int length, boolean oddIsSymmetric) {
    int period = length % 2 != 0 && oddIsSymmetric ? length - 1 : length;
    float[] window = new float[length];
    for (int i = 0; i < length; i++) {
      window[i] = (float) (0.5 - 0.5 * Math.cos(2 * Math.PI * i / period));
    }
    return window;
  }

  /// {@return how}
  public SpectrogramSpec spec() {
    return spec;
  }

  /// Makes the spectrogram of a sound.
  ///
  /// @param sound float32 [frames], one channel
  /// @param frames how many
  /// @param quiet the frame from which on all are 0; `frames` if none or not known. Columns that
  ///     see nothing else are not transformed
  /// @param heightFirst whether the height is the first axis
  /// @param out float32 [columns, height] or [height, columns], see [SpectrogramSpec]
  /// @return columns
  public long of(
      MemorySegment sound, long frames, long quiet, boolean heightFirst, MemorySegment out) {
    long columns = spec.columns(frames);
    int height = spec.height();
    if (frames < 0
        || sound.byteSize() / Float.BYTES < frames
        || out.byteSize() / Float.BYTES / height < columns) {
      throw new IllegalArgumentException(
          "%d frames in %d bytes, %d columns of %d in %d bytes"
              .formatted(frames, sound.byteSize(), columns, height, out.byteSize()));
    }
    boolean quietEnd = quiet <= frames - spec.fftLength(); // so that it is mirrored into silence
    long heard = columns;
    if (quietEnd) {
      heard =
          Math.min(columns, Math.max(0, Math.ceilDiv(quiet - spec.first(), (long) spec.step())));
    }
    float loudest = Float.NEGATIVE_INFINITY;
    for (long column = 0; column < heard; column += TOGETHER) {
      int count = (int) Math.min(TOGETHER, heard - column);
      place(sound, frames, column * spec.step() + spec.first(), count);
      loudest = Math.max(loudest, transform(count));
      put(column, count, columns, heightFirst, out);
    }
    if (heard < columns) {
      loudest = Math.max(loudest, silence);
      for (float[] row : values) {
        Arrays.fill(row, silence);
      }
      for (long column = heard; column < columns; column += TOGETHER) {
        put(column, (int) Math.min(TOGETHER, columns - column), columns, heightFirst, out);
      }
    }
    if (spec.loudness().relative()) {
      Loudness loudness = spec.loudness();
      for (long at = 0; at < columns * height * Float.BYTES; at += Float.BYTES) {
        float value = out.get(JAVA_FLOAT_UNALIGNED, at);
        out.set(JAVA_FLOAT_UNALIGNED, at, loudness.within(value, loudest));
      }
    }
    return columns;
  }

  /// Puts the windows of columns into the transform's memory.
  ///
  /// @param from the first sample of the first
  private void place(MemorySegment sound, long frames, long from, int count) {
    int length = window.length;
    int step = spec.step();
    int needed = (count - 1) * step + length;
    float[] x = samples;
    int head = (int) Math.min(needed, Math.max(0, -from));
    int tail = (int) Math.min(needed - head, Math.max(0, from + needed - frames));
    MemorySegment.copy(
        sound, JAVA_FLOAT_UNALIGNED, (from + head) * Float.BYTES, x, head, needed - head - tail);
    for (int i = 0; i < head; i++) { // mirrored, the end itself not repeated
      x[i] = sound.get(JAVA_FLOAT_UNALIGNED, -(from + i) * Float.BYTES);
    }
    for (int i = needed - tail; i < needed; i++) {
      long mirrored = 2 * (frames - 1) - (from + i);
      x[i] = sound.get(JAVA_FLOAT_UNALIGNED, mirrored * Float.BYTES);
    }
    float[][] even = fft.even();
    float[][] odd = fft.odd();
    for (int i = 0; i < spec.fftLength() / 2; i++) {
      row(x, 2 * i, step, even[i], count);
      row(x, 2 * i + 1, step, odd[i], count);
    }
  }

  /// Takes a sample of each window.
  private void row(float[] x, int at, int step, float[] to, int count) {
    if (at >= window.length) {
      Arrays.fill(to, 0, count, 0);
      return;
    }
    float weight = window[at];
    for (int c = 0; c < count; c++) {
      to[c] = x[c * step + at] * weight;
    }
  }

  /// Makes [#values] of the columns that were placed.
  ///
  /// @return the loudest
  private float transform(int count) {
    columns = count;
    if (mel != null) {
      for (float[] row : values) {
        Arrays.fill(row, 0, count, 0);
      }
    }
    fft.power(count, taker);
    float loudest = Float.NEGATIVE_INFINITY;
    for (float[] row : values) {
      loudest = Math.max(loudest, spec.loudness().apply(row, count, spec.power()));
    }
    return loudest;
  }

  private void take(int bin, float[] power) {
    if (spec.power() == 1) {
      root(power, columns);
    }
    MelBank bank = mel;
    if (bank == null) {
      System.arraycopy(power, 0, values[bin], 0, columns);
    } else {
      bank.add(bin, power, columns, values);
    }
  }

  private static void root(float[] values, int count) {
    for (int c = 0; c < count; c++) {
      values[c] = (float) Math.sqrt(values[c]);
    }
  }

  private void put(long column, int count, long columns, boolean heightFirst, MemorySegment out) {
    int height = spec.height();
    if (heightFirst) {
      for (int band = 0; band < height; band++) {
        long at = (band * columns + column) * Float.BYTES;
        MemorySegment.copy(values[band], 0, out, JAVA_FLOAT_UNALIGNED, at, count);
      }
      return;
    }
    long at = column * height * Float.BYTES;
    for (int c = 0; c < count; c++) {
      for (int band = 0; band < height; band++) {
        out.set(JAVA_FLOAT_UNALIGNED, at, values[band][c]);
        at += Float.BYTES;
      }
    }
  }
}
