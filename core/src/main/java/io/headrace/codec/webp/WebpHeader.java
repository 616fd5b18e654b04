package io.headrace.codec.webp;

import static io.headrace.codec.BigEndian.u32;
import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.BigEndian;
import io.headrace.codec.ExifOrientation;
import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// What the chunks of a WebP say: a reusable holder. Source: "WebP Container Specification" (RFC
/// 9649, section 2); for the pictures' own headers RFC 6386, 9.1 and RFC 9649, 3.3.
///
/// Reading allocates nothing until it fails. Not thread-safe.
public final class WebpHeader {
  private static final long RIFF_BYTES = 12;
  private static final long CHUNK = 8;
  private static final int VP8 = 0x56503820;
  private static final int VP8L = 0x5650384c;
  private static final int VP8X = 0x56503858;
  private static final int ALPH = 0x414c5048;
  private static final int EXIF = 0x45584946;
  private static final int ANIMATION_FLAG = 0x02;
  private static final int ALPHA_FLAG = 0x10;

  /// `Exif`, which some writers put before the TIFF header.
  private static final int EXIF_PREFIX = 0x45786966;

  private int width;
  private int height;
  private boolean lossless;
  private boolean alpha;
  private boolean animated;
  private boolean picture;
  private int orientation;

  /// An empty holder: only [#read] gives its accessors a meaning.
  public WebpHeader() {}

  /// Reads the chunks, all of which must be there.
  ///
  /// @param webp one whole WebP file
  /// @throws DecodeException with [Fault#MISMATCH] if it is no WebP, [Fault#TRUNCATED] if it is
  ///     shorter than its header says, [Fault#CORRUPT] if the chunks make no picture,
  ///     [Fault#UNSUPPORTED] if it is an animation
  public void read(MemorySegment webp) throws DecodeException {
    if (ImageFormat.detect(webp) != ImageFormat.WEBP) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(webp, "a WebP"));
    }
    if (webp.byteSize() < RIFF_BYTES + CHUNK) {
      throw cut(RIFF_BYTES + CHUNK, webp.byteSize());
    }
    long end = CHUNK + LittleEndian.u32(webp, 4);
    if (end > webp.byteSize()) {
      throw cut(end, webp.byteSize());
    }
    width = 0;
    height = 0;
    lossless = false;
    alpha = false;
    animated = false;
    picture = false;
    orientation = ExifOrientation.NORMAL;
    for (long at = RIFF_BYTES; at + CHUNK <= end; ) {
      long length = LittleEndian.u32(webp, at + 4);
      long start = at + CHUNK;
      if (length > end - start) {
        throw corrupt("chunk of %d bytes in the last %d".formatted(length, end - start), at);
      }
      chunk(webp, u32(webp, at), start, length);
      at = start + length + (length & 1);
    }
    if (animated) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "webp: animated, %d x %d pixels".formatted(width, height));
    }
    if (!picture) {
      throw corrupt("no picture", end);
    }
  }

  private void chunk(MemorySegment webp, int type, long start, long length) throws DecodeException {
    switch (type) {
      case VP8X -> {
        if (length < 10) {
          throw corrupt("extended header of %d bytes".formatted(length), start);
        }
        int flags = u8(webp, start);
        animated = (flags & ANIMATION_FLAG) != 0;
        alpha = (flags & ALPHA_FLAG) != 0;
        width = 1 + LittleEndian.u24(webp, start + 4);
        height = 1 + LittleEndian.u24(webp, start + 7);
      }
      case VP8 -> lossy(webp, start, length);
      case VP8L -> lossless(webp, start, length);
      case ALPH -> alpha = true;
      case EXIF -> {
        boolean prefixed = length >= 6 && u32(webp, start) == EXIF_PREFIX;
        orientation = ExifOrientation.read(webp, start + (prefixed ? 6 : 0), start + length);
      }
      default -> {
        // colour profile, XMP or of a later day: says nothing about the pixels
      }
    }
  }

  /// Frame header of a key frame: 3 bytes of tag, start code, 14 bits each of width and height.
  private void lossy(MemorySegment webp, long start, long length) throws DecodeException {
    if (length < 10
        || (u8(webp, start) & 1) != 0
        || BigEndian.number(webp, start + 3, 3) != 0x9d012a) {
      throw corrupt("no key frame in VP8 data of %d bytes".formatted(length), start);
    }
    picture(
        LittleEndian.u16(webp, start + 6) & 0x3fff,
        LittleEndian.u16(webp, start + 8) & 0x3fff,
        start);
  }

  /// Signature, then 14 bits each of width - 1 and height - 1, an alpha bit and 3 of version.
  private void lossless(MemorySegment webp, long start, long length) throws DecodeException {
    if (length < 5 || u8(webp, start) != 0x2f) {
      throw corrupt("no signature in VP8L data of %d bytes".formatted(length), start);
    }
    int bits = LittleEndian.i32(webp, start + 1);
    lossless = true;
    alpha |= (bits & (1 << 28)) != 0;
    picture(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff), start);
  }

  private void picture(int columns, int rows, long at) throws DecodeException {
    boolean other = width != 0 && (columns != width || rows != height);
    if (columns == 0 || rows == 0 || other) {
      throw corrupt(
          "picture of %d x %d pixels, canvas of %d x %d".formatted(columns, rows, width, height),
          at);
    }
    width = columns;
    height = rows;
    picture = true;
  }

  /// {@return columns, in pixels, at most 16,383}
  public int width() {
    return width;
  }

  /// {@return rows, in pixels, at most 16,383}
  public int height() {
    return height;
  }

  /// {@return whether the colours are stored without loss}
  public boolean lossless() {
    return lossless;
  }

  /// {@return whether there is transparency}
  public boolean alpha() {
    return alpha;
  }

  /// {@return the header in the form all codecs share}
  public ImageInfo info() {
    return new ImageInfo(
        ImageFormat.WEBP, width, height, alpha ? 4 : 3, 8, null, false, orientation);
  }

  private static DecodeException cut(long wanted, long bytes) {
    return new DecodeException(
        Fault.TRUNCATED, "webp: needs %d bytes, the data ends after %d".formatted(wanted, bytes));
  }

  private static DecodeException corrupt(String what, long at) {
    return new DecodeException(Fault.CORRUPT, "webp: %s, at byte %d".formatted(what, at));
  }
}
