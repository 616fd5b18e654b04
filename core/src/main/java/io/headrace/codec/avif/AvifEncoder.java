package io.headrace.codec.avif;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.PixelEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Encodes AVIF of 8 bits, 4:2:0 or grey, through libavif. One per worker.
final class AvifEncoder implements PixelEncoder {
  /// What `avifenc` takes, from 0 (slowest) to 10.
  private static final int SPEED = 6;

  /// Columns or rows that every libavif reads (`AVIF_DEFAULT_IMAGE_DIMENSION_LIMIT`).
  static final int MAX_EDGE = 32_768;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment rgb = arena.allocate(LibAvif.RGB_BYTES, Long.BYTES);
  private final MemorySegment output = arena.allocate(LibAvif.RW_DATA_BYTES, Long.BYTES);
  private final boolean one;

  /// @throws ConfigException if libavif is missing, or neither 0.11 nor 1.x
  AvifEncoder() {
    one = LibAvif.require();
  }

  /// Encodes one image, on one thread at speed 6. Source: avif/avif.h, 0.11 and 1.0. What libavif
  /// needs while encoding is not counted in the budget of `out`.
  ///
  /// @param pixels uint8 [height, width, channels], off heap, rows packed
  /// @param width columns, 1 to 32,768
  /// @param height rows, 1 to 32,768
  /// @param channels 3 for RGB, 1 for grey, which is stored as grey
  /// @param quality 0 to 100 on the scale of libavif 1.x, 100 having the finest quantizers
  /// @param out takes the file at its start
  /// @return bytes of the file
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it, or a side
  ///     is too long
  long encode(MemorySegment pixels, int width, int height, int channels, int quality, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, channels);
    ImageLimits.requireNative(output, pixels, (long) channels * width * height);
    ImageLimits.requireEdge("avif", width, height, MAX_EDGE);
    MemorySegment image =
        LibAvif.imageCreate(width, height, channels == 1 ? LibAvif.YUV400 : LibAvif.YUV420);
    try {
      if (channels == 1) {
        check(LibAvif.setGrey(image, pixels), width, height);
      } else {
        LibAvif.rgb(rgb, one, image, pixels, width, 8);
        check(LibAvif.rgbToYuv(image, rgb), width, height);
      }
      return write(image, quality, width, height, out);
    } finally {
      LibAvif.imageDestroy(image);
    }
  }

  private long write(MemorySegment image, int quality, int width, int height, Block out)
      throws DecodeException {
    output.fill((byte) 0);
    MemorySegment encoder = LibAvif.encoderCreate(one, quality, SPEED);
    try {
      check(LibAvif.write(encoder, image, output), width, height);
      long bytes = output.get(JAVA_LONG, ADDRESS.byteSize());
      MemorySegment to = out.ensure(bytes);
      MemorySegment.copy(LibAvif.sized(output.get(ADDRESS, 0), bytes), 0, to, 0, bytes);
      return bytes;
    } finally {
      LibAvif.rwDataFree(output);
      LibAvif.encoderDestroy(encoder);
    }
  }

  private static void check(int result, int width, int height) throws DecodeException {
    if (result == LibAvif.NO_CODEC_AVAILABLE) {
      throw new ConfigException("this libavif was built without an AV1 encoder");
    }
    if (result != 0) {
      throw ImageLimits.notEncoded(
          "avif", width, height, "libavif: " + LibAvif.resultToString(result));
    }
  }

  @Override
  public long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {

    return encode(pixels, width, height, channels, ((AvifEncoding) encoding).quality(), out);
  }

  @Override
  public void close() {
    arena.close();
  }
}
