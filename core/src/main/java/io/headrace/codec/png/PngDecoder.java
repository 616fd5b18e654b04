package io.headrace.codec.png;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;

import io.headrace.codec.BigEndian;
import io.headrace.codec.DecodedRegion;
import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.Region;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Decodes PNG of any colour type and depth to 8-bit RGB. One per worker. What is usual and sound
/// is decoded by [PngRows], the rest by libspng, which also says what is wrong.
///
/// Grey gives three equal channels, 1, 2 and 4 bits are spread over 0 to 255, 16 bits lose their
/// low byte. Alpha is dropped, not composited, as Pillow's `convert("RGB")` does;
/// [ImageInfo#channels] tells of it. Gamma and profiles are ignored, and of an animation the
/// still picture is read. Checksums of all chunks that pixels come from are checked. A missing
/// end chunk is no fault, for the pixels are complete.
public final class PngDecoder extends HeaderDecoder {
  /// Where a PNG's header says its colour type, after the bits of a sample.
  private static final int COLOUR_TYPE = 25;

  /// Bytes that one chunk of metadata may take, or expand to.
  private static final long CHUNK_BYTES = 8 << 20;

  private final PngHeader header = new PngHeader();
  private final PngRows rows = new PngRows();
  private final Block scratch;
  private final Block deep;
  private final long maxPixels;
  private final boolean own;

  /// {@return bits of a sample of a PNG, as its header says; 0 if it is not a PNG}
  ///
  /// @param image encoded; only the first bytes are looked at
  public static int bits(MemorySegment image) {
    boolean png = ImageFormat.detect(image) == ImageFormat.PNG && image.byteSize() > COLOUR_TYPE;
    return png ? image.get(JAVA_BYTE, COLOUR_TYPE - 1) : 0;
  }

  /// {@return whether an image is a PNG of one channel, grey or numbers of colours: a mask}
  ///
  /// @param image encoded; only the first bytes are looked at
  public static boolean hasNumbers(MemorySegment image) {
    return bits(image) > 0
        && (image.get(JAVA_BYTE, COLOUR_TYPE) == 0 || image.get(JAVA_BYTE, COLOUR_TYPE) == 3);
  }

  /// A decoder with an unbounded budget that takes [ImageLimits#MAX_PIXELS].
  ///
  /// @throws ConfigException if libspng is missing
  public PngDecoder() {
    this(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  }

  /// @param budget for a copy of the stream without its metadata, made where that is over 8 MiB
  /// @param maxPixels columns times rows that an image may have
  /// @throws ConfigException if libspng is missing
  public PngDecoder(MemoryBudget budget, long maxPixels) {
    this(budget, maxPixels, true);
  }

  /// @param own whether rows are decoded here, and only what is unusual by libspng
  PngDecoder(MemoryBudget budget, long maxPixels, boolean own) {
    this.own = own;
    NativeLibrary.SPNG.require();
    scratch = new Block(budget);
    deep = new Block(budget);
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param png one whole PNG stream
  /// @throws DecodeException with [Fault#MISMATCH] if it is no PNG, [Fault#TRUNCATED] if there are
  ///     too few bytes for the header or its pixels, [Fault#CORRUPT] if the header is damaged,
  ///     [Fault#LIMIT] if there are too many pixels
  @Override
  protected void readHeader(MemorySegment png) throws DecodeException {
    header.read(png);
    ImageLimits.requirePixels("png", header.width(), header.height(), maxPixels);
    ImageLimits.requirePlausible(
        "png", header.width(), header.height(), header.leastBytes(), png.byteSize());
  }

  @Override
  protected ImageInfo info(MemorySegment png) {
    return header.info();
  }

  @Override
  public ImageEncoding like(int quality) {
    return PngEncoding.DEFAULT;
  }

  /// Decodes one image, channels last, rows packed.
  ///
  /// @param png one whole PNG stream, off heap
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], off heap, at least [ImageInfo#rgbBytes] bytes; bytes
  ///     after those stay as they are
  /// @throws DecodeException if the stream is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  @Override
  public void decode(MemorySegment png, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(png, pixels, info.rgbBytes());
    header(png);
    ImageLimits.requireSize("png", header.width(), header.height(), info);
    if (!own || !rows.decode(png, header, 0, 0, info.height(), info.width(), pixels, false)) {
      decode(png, info, pixels, info.rgbBytes(), Spng.FMT_RGB8);
    }
  }

  /// Decodes one image of 16 bits as they are stored; as [#decode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, off heap
  @Override
  public void decode16(MemorySegment png, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(png, pixels, 2 * info.rgbBytes());
    header(png);
    ImageLimits.requireSize("png", header.width(), header.height(), info);
    if (header.info().bitDepth() != 16) {
      throw new DecodeException(Fault.MISMATCH, "png: not of 16 bits, as was announced");
    }
    if (own && rows.decode(png, header, 0, 0, info.height(), info.width(), pixels, true)) {
      return;
    }
    int samples = header.samples();
    long count = (long) info.width() * info.height();
    long bytes = 2L * samples * count;
    MemorySegment stored = samples == 3 ? pixels : deep.ensure(bytes);
    decode(png, info, stored, bytes, Spng.FMT_PNG);
    if (samples == 3) {
      return;
    }
    int green = samples > 2 ? 1 : 0;
    for (long i = 0; i < count; i++) {
      for (int c = 0; c < 3; c++) {
        char sample = stored.get(JAVA_CHAR_UNALIGNED, 2 * (i * samples + (long) c * green));
        pixels.set(JAVA_CHAR_UNALIGNED, 2 * (3 * i + c), sample);
      }
    }
  }

  /// Decodes numbers of one channel as they are stored: entries of the palette by their number,
  /// grey of 1, 2 or 4 bits not spread.
  ///
  /// @param numbers uint8 [height, width], or uint16 in native order for a depth of 16, off heap
  /// @throws DecodeException also with [Fault#MISMATCH] if there are several channels
  public void decodeNumbers(MemorySegment png, ImageInfo info, MemorySegment numbers)
      throws DecodeException {
    header(png);
    ImageLimits.requireSize("png", header.width(), header.height(), info);
    if (header.samples() != 1) {
      throw new DecodeException(
          Fault.MISMATCH,
          "png: %d channels where class numbers are expected, which are grey or of a palette"
              .formatted(header.samples()));
    }
    int depth = header.info().bitDepth();
    long rowBytes = ((long) info.width() * depth + 7) / 8;
    long bytes = rowBytes * info.height();
    ImageLimits.requireNative(png, numbers, (depth == 16 ? 2L : 1L) * info.width() * info.height());
    if (depth >= 8) {
      decode(png, info, numbers, bytes, Spng.FMT_PNG);
      return;
    }
    MemorySegment packed = deep.ensure(bytes);
    decode(png, info, packed, bytes, Spng.FMT_PNG);
    int mask = (1 << depth) - 1;
    for (int y = 0; y < info.height(); y++) {
      for (int x = 0; x < info.width(); x++) {
        int bit = x * depth;
        int b = packed.get(JAVA_BYTE, y * rowBytes + bit / 8) >> (8 - depth - bit % 8);
        numbers.set(JAVA_BYTE, (long) y * info.width() + x, (byte) (b & mask));
      }
    }
  }

  private void decode(
      MemorySegment png, ImageInfo info, MemorySegment pixels, long bytes, int format)
      throws DecodeException {
    int error = run(png, info, pixels, bytes, format);
    if (error == Spng.ECHUNK_LIMITS) {
      error = run(withoutMetadata(png), info, pixels, bytes, format);
    }
    if (error != 0) {
      throw new DecodeException(
          fault(error),
          "png: %s [%d x %d pixels, %d bytes]"
              .formatted(Spng.strerror(error), info.width(), info.height(), png.byteSize()));
    }
  }

  private static int run(
      MemorySegment png, ImageInfo info, MemorySegment pixels, long bytes, int format) {
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
        error = Spng.decodeImage(context, pixels, bytes, format);
      }
      if (error == 0 && Spng.decodeChunks(context) == Spng.ECHUNK_CRC) {
        error =
            Spng.ECHUNK_CRC; // of the last pixels; what else is wrong after them does not matter
      }
      return error;
    } finally {
      Spng.ctxFree(context);
    }
  }

  /// Decodes part of an image, and no row below it.
  ///
  /// The checksums of all chunks are checked nevertheless; what is wrong below the part and has the
  /// right checksum goes unnoticed.
  ///
  /// @param png one whole PNG stream, off heap
  /// @param info as [#probe] reported it
  /// @param top first row of the part
  /// @param left first column of the part
  /// @param height rows of the part, at least 1; all must be within the image
  /// @param width columns of the part, at least 1
  /// @param pixels uint8 [height, width, 3], off heap, at least as large
  /// @return whether it could be done: not if the image is interlaced, or anything is the matter
  ///     with it, which [#decode] then says; `pixels` is then undefined
  public boolean decodeWindow(
      MemorySegment png,
      ImageInfo info,
      int top,
      int left,
      int height,
      int width,
      MemorySegment pixels)
      throws DecodeException {
    Objects.checkFromIndexSize(top, height, info.height());
    Objects.checkFromIndexSize(left, width, info.width());
    ImageLimits.requireNative(png, pixels, 3L * height * width);
    header(png);
    ImageLimits.requireSize("png", header.width(), header.height(), info);
    return !info.progressive() && rows.decode(png, header, top, left, height, width, pixels, false);
  }

  @Override
  public boolean hasParts(ImageInfo info, boolean turned) {
    return !turned && !info.progressive();
  }

  @Override
  public @Nullable DecodedRegion decodePart(
      MemorySegment png, ImageInfo info, Region part, Block window) throws DecodeException {
    if (part.top() + part.height() > MAX_SHARE * info.height()) {
      return null;
    }
    MemorySegment rgb = window.ensure(part.rgbBytes());
    return decodeWindow(png, info, part.top(), part.left(), part.height(), part.width(), rgb)
        ? new DecodedRegion(rgb, part.width(), 0, 0, part)
        : null;
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
    deep.close();
  }
}
