package io.headrace.codec.webp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.PixelEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Encodes WebP through libwebp, as `cwebp -m 4 -q Q` and `cwebp -lossless` of the same version do
/// from RGB. One per worker.
final class WebpEncoder implements PixelEncoder {
  /// Asks for lossless in place of a quality.
  static final int LOSSLESS = -1;

  /// Columns or rows that the format has room for (`WEBP_MAX_DIMENSION`).
  private static final int MAX_EDGE = 16_383;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment output = arena.allocate(ADDRESS);
  private final Block scratch = new Block(MemoryBudget.unbounded());

  /// @throws ConfigException if libwebp is missing
  WebpEncoder() {
    NativeLibrary.WEBP.require();
  }

  /// Encodes one image. Source: `WebPEncodeRGB` and `WebPEncodeLosslessRGB` in webp/encode.h, 1.2.
  /// What libwebp needs while encoding is not counted in the budget of `out`.
  ///
  /// @param pixels uint8 [height, width, channels], off heap, rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey, which WebP stores as RGB
  /// @param quality 0 to 100, or [#LOSSLESS]
  /// @param out takes the file at its start
  /// @return bytes of the file
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it, or a side
  ///     is over 16,383
  long encode(MemorySegment pixels, int width, int height, int channels, int quality, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, channels);
    ImageLimits.requireNative(output, pixels, (long) channels * width * height);
    if (quality < LOSSLESS || quality > 100) {
      throw new IllegalArgumentException("quality " + quality + ": expected 0 to 100, or -1");
    }
    ImageLimits.requireEdge("webp", width, height, MAX_EDGE);
    MemorySegment rgb = channels == 3 ? pixels : spread(pixels, (long) width * height);
    long bytes =
        quality == LOSSLESS
            ? LibWebp.encodeLosslessRgb(rgb, width, height, output)
            : LibWebp.encodeRgb(rgb, width, height, quality, output);
    if (bytes == 0) {
      throw ImageLimits.notEncoded(
          "webp", width, height, "libwebp lacks memory, or room in the first of its partitions");
    }
    MemorySegment webp = output.get(ADDRESS, 0);
    try {
      MemorySegment to = out.ensure(bytes);
      MemorySegment.copy(LibWebp.sized(webp, bytes), 0, to, 0, bytes);
      return bytes;
    } finally {
      LibWebp.free(webp);
    }
  }

  /// {@return grey as RGB}
  private MemorySegment spread(MemorySegment grey, long count) throws DecodeException {
    MemorySegment rgb = scratch.ensure(3 * count);
    for (long i = 0; i < count; i++) {
      byte value = grey.get(JAVA_BYTE, i);
      rgb.set(JAVA_BYTE, 3 * i, value);
      rgb.set(JAVA_BYTE, 3 * i + 1, value);
      rgb.set(JAVA_BYTE, 3 * i + 2, value);
    }
    return rgb;
  }

  @Override
  public long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {
    int quality = encoding instanceof WebpEncoding(int asked) ? asked : LOSSLESS;
    return encode(pixels, width, height, channels, quality, out);
  }

  @Override
  public void close() {
    scratch.close();
    arena.close();
  }
}
