package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jtransforms.fft.FloatFFT_1D;

/// Makes spectrograms: magnitudes of the short-time Fourier transform, and log-mel ones of them.
///
/// The same as TensorFlow's `tf.signal.stft`, `tf.abs` and `tf.signal.linear_to_mel_weight_matrix`,
/// to within 1e-4 of a value: a periodic Hann window (for odd lengths a symmetric one, as there),
/// no padding at either end. One per worker: buffers for one column. Allocates nothing.
public final class Spectrogram {
  /// Keeps the logarithm of silence finite.
  private static final float FLOOR = 1e-8f;

  private final SpectrogramSpec spec;
  private final FloatFFT_1D fft;
  private final float[] window;
  private final float[] points;
  private final float[] magnitudes;
  private final MelBank mel;

  /// @param spec how
  public Spectrogram(SpectrogramSpec spec) {
    this.spec = spec;
    fft = new FloatFFT_1D(spec.fftLength());
    window = hann(spec.window());
    points = new float[spec.fftLength()];
    magnitudes = new float[spec.bins()];
    mel = new MelBank(spec);
  }

  private static float[] hann(int length) {
    int period = length % 2 == 0 ? length : length - 1;
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

  /// Takes the magnitudes of the short-time Fourier transform.
  ///
  /// @param samples float32 [frames], one channel
  /// @param frames how many
  /// @param out float32 [columns, bins], see [SpectrogramSpec]
  /// @return columns
  public long magnitudes(MemorySegment samples, long frames, MemorySegment out) {
    long columns = columns(samples, frames, out, spec.bins());
    for (long column = 0; column < columns; column++) {
      transform(samples, column * spec.step());
      MemorySegment.copy(
          magnitudes,
          0,
          out,
          JAVA_FLOAT_UNALIGNED,
          column * spec.bins() * Float.BYTES,
          magnitudes.length);
    }
    return columns;
  }

  /// Takes the natural logarithm of 1e-8 plus the magnitudes in each mel band.
  ///
  /// @param samples float32 [frames], one channel
  /// @param frames how many
  /// @param out float32 [columns, mel bands], see [SpectrogramSpec]
  /// @return columns
  public long logMel(MemorySegment samples, long frames, MemorySegment out) {
    long columns = columns(samples, frames, out, spec.melBins());
    long at = 0;
    for (long column = 0; column < columns; column++) {
      transform(samples, column * spec.step());
      for (int band = 0; band < mel.bands(); band++) {
        float value = (float) Math.log(mel.apply(magnitudes, band) + FLOOR);
        out.set(JAVA_FLOAT_UNALIGNED, at, value);
        at += Float.BYTES;
      }
    }
    return columns;
  }

  private long columns(MemorySegment samples, long frames, MemorySegment out, int height) {
    long columns = spec.columns(frames);
    if (frames < 0
        || samples.byteSize() / Float.BYTES < frames
        || out.byteSize() / Float.BYTES / height < columns) {
      throw new IllegalArgumentException(
          "%d frames in %d bytes, %d columns of %d in %d bytes"
              .formatted(frames, samples.byteSize(), columns, height, out.byteSize()));
    }
    return columns;
  }

  /// Fills [#magnitudes] with those of one column.
  private void transform(MemorySegment samples, long from) {
    MemorySegment.copy(samples, JAVA_FLOAT_UNALIGNED, from * Float.BYTES, points, 0, window.length);
    for (int i = 0; i < window.length; i++) {
      points[i] *= window[i];
    }
    Arrays.fill(points, window.length, points.length, 0);
    fft.realForward(points); // [0] and [1]: the real values at 0 and at half the rate
    int half = points.length / 2;
    magnitudes[0] = Math.abs(points[0]);
    magnitudes[half] = Math.abs(points[1]);
    for (int bin = 1; bin < half; bin++) {
      float re = points[2 * bin];
      float im = points[2 * bin + 1];
      magnitudes[bin] = (float) Math.sqrt((double) re * re + (double) im * im);
    }
  }
}
