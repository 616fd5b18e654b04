package io.headrace.bench;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.headrace.tensor.TensorShape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Log-mel spectrograms of WAV files, for benchmarks: 80 bands, windows of 25 ms every 10 ms
/// (Hann), natural logarithm of the power plus 1e-6. Mel of f Hz is 2595 log10(1 + f / 700).
final class LogMel {
  private static final int BANDS = 80;
  private static final int FFT = 512;
  private static final int MAX_FRAMES = 20_000;
  private static final int HEADER = 44;

  private LogMel() {}

  /// {@return the spectrograms of a folder's WAV files (mono, 16 bit, 44 bytes of header), by name,
  ///     one after the other: float32 [frames, 80]}
  static TensorSample ofFolder(Path folder, Arena arena) throws IOException {
    List<float[]> frames = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.filter(file -> file.toString().endsWith(".wav")).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException("no WAV file in " + folder);
    }
    for (Path file : files) {
      if (frames.size() < MAX_FRAMES) {
        ByteBuffer wav = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        add(wav, frames);
      }
    }
    var shape = TensorShape.of(frames.size(), BANDS);
    MemorySegment values = arena.allocate(4 * shape.elements(), 64);
    for (int i = 0; i < frames.size(); i++) {
      for (int band = 0; band < BANDS; band++) {
        values.setAtIndex(JAVA_FLOAT, (long) i * BANDS + band, frames.get(i)[band]);
      }
    }
    return new TensorSample("log-mel of %d WAV files".formatted(files.size()), shape, values);
  }

  private static void add(ByteBuffer wav, List<float[]> frames) {
    int rate = wav.getInt(24);
    int window = Math.min(FFT, rate / 40);
    int hop = rate / 100;
    int samples = (wav.limit() - HEADER) / 2;
    double[][] filters = filters(rate);
    for (int start = 0; start + window <= samples; start += hop) {
      double[] re = new double[FFT];
      double[] im = new double[FFT];
      for (int i = 0; i < window; i++) {
        double hann = 0.5 - 0.5 * Math.cos(2 * Math.PI * i / window);
        re[i] = hann * wav.getShort(HEADER + 2 * (start + i)) / 32768;
      }
      transform(re, im);
      float[] frame = new float[BANDS];
      for (int band = 0; band < BANDS; band++) {
        double power = 0;
        for (int bin = 0; bin <= FFT / 2; bin++) {
          power += filters[band][bin] * (re[bin] * re[bin] + im[bin] * im[bin]);
        }
        frame[band] = (float) Math.log(power + 1e-6);
      }
      frames.add(frame);
    }
  }

  /// {@return triangles whose corners are evenly spaced in mel, by band, then bin}
  private static double[][] filters(int rate) {
    double top = 2595 * Math.log10(1 + rate / 2.0 / 700);
    double[] corners = new double[BANDS + 2];
    for (int i = 0; i < corners.length; i++) {
      double mel = top * i / (BANDS + 1);
      corners[i] = 700 * (Math.pow(10, mel / 2595) - 1) * FFT / rate;
    }
    double[][] filters = new double[BANDS][FFT / 2 + 1];
    for (int band = 0; band < BANDS; band++) {
      for (int bin = 0; bin <= FFT / 2; bin++) {
        double up = (bin - corners[band]) / (corners[band + 1] - corners[band]);
        double down = (corners[band + 2] - bin) / (corners[band + 2] - corners[band + 1]);
        filters[band][bin] = Math.max(0, Math.min(up, down));
      }
    }
    return filters;
  }

  /// An FFT in place, radix 2, by decimation in time.
  private static void transform(double[] re, double[] im) {
    for (int i = 0, j = 0; i < FFT; i++) {
      if (i < j) {
        double swap = re[i];
        re[i] = re[j];
        re[j] = swap;
        swap = im[i];
        im[i] = im[j];
        im[j] = swap;
      }
      int bit = FFT >> 1;
      for (; (j & bit) != 0; bit >>= 1) {
        j ^= bit;
      }
      j |= bit;
    }
    for (int half = 1; half < FFT; half <<= 1) {
      for (int k = 0; k < half; k++) {
        double c = Math.cos(Math.PI * k / half);
        double s = -Math.sin(Math.PI * k / half);
        for (int i = k; i < FFT; i += 2 * half) {
          int j = i + half;
          double x = c * re[j] - s * im[j];
          double y = c * im[j] + s * re[j];
          re[j] = re[i] - x;
          im[j] = im[i] - y;
          re[i] += x;
          im[i] += y;
        }
      }
    }
  }
}
