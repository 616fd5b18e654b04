package io.headrace.convert.encode;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageSize;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.quality.MsSsim;
import io.headrace.codec.quality.Psnr;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Cpu;
import java.lang.foreign.MemorySegment;

/// Measures how much quality encoding an image again has cost. One per worker.
public final class QualityMeter implements AutoCloseable {
  /// Likeness of one image to what it was encoded from.
  ///
  /// @param psnr in dB; infinite if equal
  /// @param ssim at most 1
  /// @param msSsim at most 1
  /// @param cpuNanos that measuring took
  public record Likeness(double psnr, double ssim, double msSsim, long cpuNanos) {}

  /// Bytes of heap that measuring may take. Pictures that need more are not measured.
  private static final long MAX_HEAP = 256L << 20;

  private final MsSsim msSsim = new MsSsim();
  private final Block decoded;

  QualityMeter(MemoryBudget budget) {
    decoded = new Block(budget);
  }

  /// {@return whether a picture is small enough: [MsSsim] takes some 5 bytes a pixel, and 55
  ///     numbers of 8 bytes a column}
  public static boolean measures(ImageSize size) {
    return 5L * size.width() * size.height() + 55L * 8 * size.width() <= MAX_HEAP;
  }

  /// {@return the likeness of an encoded image to the pixels it was made from}
  ///
  /// @param rgb uint8 [height, width, 3]
  /// @param encoded made from them
  Likeness measure(MemorySegment rgb, ImageSize size, MemorySegment encoded, ImageDecoder decoder)
      throws DecodeException {
    long start = Cpu.ofThisThread();
    ImageInfo info = decoder.probe(encoded);
    MemorySegment now = decoded.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(encoded, info, now);
    double noise = Psnr.measure(rgb, now);
    double many = msSsim.measure(rgb, now, size.width(), size.height());
    return new Likeness(noise, msSsim.ssim(), many, Cpu.ofThisThread() - start);
  }

  @Override
  public void close() {
    decoded.close();
  }
}
