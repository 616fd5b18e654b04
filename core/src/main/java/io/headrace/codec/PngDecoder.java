package io.headrace.codec;

import io.headrace.codec.natives.NativeLibrary;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Decodes PNG of any colour type and depth to 8-bit RGB through libspng. One per worker.
///
/// Grey gives three equal channels, 1, 2 and 4 bits are spread over 0 to 255, 16 bits lose their
/// low byte. Alpha is dropped, not composited, as Pillow's `convert("RGB")` does;
/// [ImageInfo#channels] tells of it. Gamma and profiles are ignored, and of an animation the
/// still picture is read. Checksums of all chunks that pixels come from are checked. A missing
/// end chunk is no fault, for the pixels are complete.
public final class PngDecoder implements AutoCloseable {
  /// Bytes that one chunk of metadata may take, or expand to.
  private static final long CHUNK_BYTES = 8 << 20;

  private final PngHeader header = new PngHeader();
  private final Block scratch;
  private final long maxPixels;

  /// A decoder with an unbounded budget that takes [JpegDecoder#MAX_PIXELS].
  ///
  /// @throws ConfigException if libspng is missing
  public PngDecoder() {
    this(MemoryBudget.unbounded(), JpegDecoder.MAX_PIXELS);
  }

  /// @param budget for a copy of the stream without its metadata, made where that is over 8 MiB
  /// @param maxPixels columns times rows that an image may have
  /// @throws ConfigException if libspng is missing
  public PngDecoder(MemoryBudget budget, long maxPixels) {
    NativeLibrary.SPNG.require();
    scratch = new Block(budget);
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param png one whole PNG stream
  /// @throws DecodeException with [Fault#MISMATCH] if it is no PNG, [Fault#TRUNCATED] if there are
  ///     too few bytes for the header or its pixels, [Fault#CORRUPT] if the header is damaged,
  ///     [Fault#LIMIT] if there are too many pixels
  public ImageInfo probe(MemorySegment png) throws DecodeException {
    readHeader(png);
    return header.info();
  }

  private void readHeader(MemorySegment png) throws DecodeException {
    header.read(png);
    ImageLimits.requirePixels("png", header.width(), header.height(), maxPixels);
    ImageLimits.requirePlausible(
        "png", header.width(), header.height(), header.leastBytes(), png.byteSize());
  }

  /// Decodes one image, channels last, rows packed. Source: `spng_decode_image` in spng.h, 0.7.
  ///
  /// @param png one whole PNG stream, off heap
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], off heap, at least [ImageInfo#rgbBytes] bytes; bytes
  ///     behind those stay as they are
  /// @throws DecodeException if the stream is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  public void decode(MemorySegment png, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(png, pixels, info.rgbBytes());
    readHeader(png);
    ImageLimits.requireSize("png", header.width(), header.height(), info);
    int error = run(png, info, pixels);
    if (error == Spng.ECHUNK_LIMITS) {
      error = run(withoutMetadata(png), info, pixels);
    }
    if (error != 0) {
      throw new DecodeException(
          fault(error),
          "png: %s [%d x %d pixels, %d bytes]"
              .formatted(Spng.strerror(error), info.width(), info.height(), png.byteSize()));
    }
  }

  private static int run(MemorySegment png, ImageInfo info, MemorySegment pixels) {
    MemorySegment context = Spng.ctxNew(0);
    try {
      int error = Spng.setImageLimits(context, info.width(), info.height());
      if (error == 0) {
        error = Spng.setChunkLimits(context, CHUNK_BYTES, CHUNK_BYTES);
      }
      if (error == 0) {
        error = Spng.setPngBuffer(context, png);
      }
      if (error == 0) {
        error = Spng.decodeImage(context, pixels, info.rgbBytes(), Spng.FMT_RGB8);
      }
      if (error == 0 && Spng.decodeChunks(context) == Spng.ECHUNK_CRC) {
        error =
            Spng.ECHUNK_CRC; // of the last pixels; what else is wrong behind them does not matter
      }
      return error;
    } finally {
      Spng.ctxFree(context);
    }
  }

  private static Fault fault(int error) {
    return switch (error) {
      case Spng.IO_EOF -> Fault.TRUNCATED;
      case Spng.EMEM -> Fault.LIMIT;
      default -> Fault.CORRUPT;
    };
  }

  /// {@return a copy of the chunks that pixels are made from}
  private MemorySegment withoutMetadata(MemorySegment png) throws DecodeException {
    MemorySegment copy = scratch.ensure(png.byteSize());
    long to = 8;
    MemorySegment.copy(png, 0, copy, 0, to);
    long at = to;
    while (at + PngHeader.CHUNK <= png.byteSize()) {
      long length = Integer.toUnsignedLong(BigEndian.u32(png, at)) + PngHeader.CHUNK;
      int type = BigEndian.u32(png, at + 4);
      if (length > png.byteSize() - at) {
        break;
      }
      if (type == PngHeader.IHDR
          || type == PngHeader.PLTE
          || type == PngHeader.IDAT
          || type == PngHeader.IEND) {
        MemorySegment.copy(png, at, copy, to, length);
        to += length;
      }
      at += length;
    }
    return copy.asSlice(0, to);
  }

  @Override
  public void close() {
    scratch.close();
  }
}
