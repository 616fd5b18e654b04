package io.headrace.codec.png;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.PixelEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Encodes PNG of 8 bits, RGB or grey, and RGB of 16, not interlaced, through libspng. One per
/// worker.
public final class PngEncoder implements PixelEncoder {
  /// Colour type 2 of ISO/IEC 15948; grey is 0.
  private static final byte TRUECOLOUR = 2;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment ihdr = arena.allocate(Spng.IHDR_BYTES, Integer.BYTES);
  private final MemorySegment size = arena.allocate(JAVA_LONG);
  private final MemorySegment error = arena.allocate(JAVA_INT);

  /// @throws ConfigException if libspng is missing
  public PngEncoder() {
    NativeLibrary.SPNG.require();
  }

  /// Encodes one image. Source: `spng_encode_image` in spng.h, 0.7. libspng's own buffer, as large
  /// as the stream, is not counted in the budget of `out`.
  ///
  /// @param pixels uint8 [height, width, channels], off heap, rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey
  /// @param level of deflate, 0 (none) to 9
  /// @param out takes the stream at its start
  /// @return bytes of the stream
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it, or libspng
  ///     does not take the picture
  public long encode(
      MemorySegment pixels, int width, int height, int channels, int level, Block out)
      throws DecodeException {
    return encode(pixels, width, height, channels, 8, level, out);
  }

  /// Encodes one RGB image of 16 bits; as [#encode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, off heap
  public long encode16(MemorySegment pixels, int width, int height, int level, Block out)
      throws DecodeException {
    return encode(pixels, width, height, 3, 16, level, out);
  }

  private long encode(
      MemorySegment pixels, int width, int height, int channels, int depth, int level, Block out)
      throws DecodeException {
    if (channels != 1 && channels != 3) {
      throw new IllegalArgumentException(channels + " channels: expected 1 or 3");
    }
    if (level < 0 || level > 9 || width < 1 || height < 1) {
      throw new IllegalArgumentException(
          "%d x %d pixels, level %d: expected 0 to 9".formatted(width, height, level));
    }
    long bytes = (long) channels * width * height * (depth / 8);
    ImageLimits.requireNative(ihdr, pixels, bytes);
    ihdr.set(JAVA_INT, 0, width);
    ihdr.set(JAVA_INT, 4, height);
    ihdr.set(JAVA_BYTE, 8, (byte) depth);
    ihdr.set(JAVA_BYTE, 9, channels == 3 ? TRUECOLOUR : 0);
    MemorySegment context = Spng.ctxNew(Spng.CTX_ENCODER);
    try {
      check(Spng.setOption(context, Spng.ENCODE_TO_BUFFER, 1), width, height);
      check(Spng.setOption(context, Spng.IMG_COMPRESSION_LEVEL, level), width, height);
      check(Spng.setIhdr(context, ihdr), width, height);
      check(
          Spng.encodeImage(context, pixels, bytes, Spng.FMT_PNG, Spng.ENCODE_FINALIZE),
          width,
          height);
      MemorySegment png = Spng.getPngBuffer(context, size, error);
      check(error.get(JAVA_INT, 0), width, height);
      try {
        MemorySegment.copy(png, 0, out.ensure(png.byteSize()), 0, png.byteSize());
        return png.byteSize();
      } finally {
        Spng.free(png);
      }
    } finally {
      Spng.ctxFree(context);
    }
  }

  private static void check(int error, int width, int height) throws DecodeException {
    if (error != 0) {
      throw ImageLimits.notEncoded("png", width, height, "libspng: " + Spng.strerror(error));
    }
  }

  @Override
  public long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {

    return encode(pixels, width, height, channels, ((PngEncoding) encoding).level(), out);
  }

  @Override
  public long encode16(
      MemorySegment pixels, int width, int height, ImageEncoding encoding, Block out)
      throws DecodeException {
    return encode16(pixels, width, height, ((PngEncoding) encoding).level(), out);
  }

  @Override
  public void close() {
    arena.close();
  }
}
