package io.headrace.codec.avif;

import static io.headrace.codec.BigEndian.number;
import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u32;
import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// What the boxes of an AVIF say of its primary picture: a reusable holder. Sources: ISO/IEC
/// 14496-12 (boxes), 23008-12 (items and their properties), "AV1 Image File Format" 1.1.
///
/// Reading allocates nothing until it fails. Not thread-safe.
final class AvifHeader {
  private static final int META = 0x6d657461;
  private static final int MDAT = 0x6d646174;
  private static final int IDAT = 0x69646174;
  private static final int PITM = 0x7069746d;
  private static final int IPRP = 0x69707270;
  private static final int IPCO = 0x6970636f;
  private static final int IPMA = 0x69706d61;
  private static final int ISPE = 0x69737065;
  private static final int PIXI = 0x70697869;
  private static final int AV1C = 0x61763143;
  private static final int IROT = 0x69726f74;
  private static final int IMIR = 0x696d6972;
  private static final int AUXC = 0x61757843;
  private static final int AVIS = 0x61766973;

  /// How the name of every alpha plane ends: `alpha`.
  private static final long ALPHA = 0x616c706861L;

  /// EXIF orientation by mirroring (none, top to bottom, left to right) and quarter turns against
  /// the clock, which come first.
  private static final int[][] ORIENTATIONS = {{1, 8, 3, 6}, {4, 5, 2, 7}, {2, 7, 4, 5}};

  private int width;
  private int height;
  private int largestWidth;
  private int largestHeight;
  private int bitDepth;
  private boolean grey;
  private boolean alpha;
  private boolean data;
  private int turns;
  private int mirror;

  /// The box that [#next] found: its type, where its content starts and where it ends.
  private int type;

  private long start;
  private long end;

  /// Reads the boxes, all of which must be whole.
  ///
  /// @param avif one whole AVIF file
  /// @throws DecodeException with [Fault#MISMATCH] if it is no AVIF, [Fault#TRUNCATED] if a box is
  ///     longer than the file, [Fault#CORRUPT] if the boxes make no picture, [Fault#UNSUPPORTED]
  ///     if it is a sequence of pictures
  void read(MemorySegment avif) throws DecodeException {
    if (ImageFormat.detect(avif) != ImageFormat.AVIF) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(avif, "an AVIF"));
    }
    if (u32(avif, 8) == AVIS) {
      throw new DecodeException(Fault.UNSUPPORTED, "avif: animated (a sequence of pictures)");
    }
    width = 0;
    height = 0;
    largestWidth = 0;
    largestHeight = 0;
    bitDepth = 8;
    grey = false;
    alpha = false;
    data = false;
    turns = 0;
    mirror = 0;
    long metaStart = -1;
    long metaEnd = -1;
    for (long at = 0; at < avif.byteSize(); at = end) {
      next(avif, at, avif.byteSize(), Fault.TRUNCATED);
      data |= type == MDAT;
      if (type == META && metaStart < 0) {
        metaStart = start + 4;
        metaEnd = end;
      }
    }
    if (metaStart < 0) {
      throw new DecodeException(Fault.TRUNCATED, "avif: the data ends before any meta box");
    }
    readMeta(avif, metaStart, metaEnd);
    if (!data) {
      throw new DecodeException(Fault.TRUNCATED, "avif: the data ends before that of the picture");
    }
    if (width < 1 || height < 1) {
      throw corrupt("primary picture of %d x %d pixels".formatted(width, height), metaStart);
    }
  }

  private void readMeta(MemorySegment avif, long from, long to) throws DecodeException {
    long primary = -1;
    long properties = -1;
    long propertiesEnd = -1;
    for (long at = from; at < to; at = end) {
      next(avif, at, to, Fault.CORRUPT);
      data |= type == IDAT;
      if (type == PITM) {
        need(start + 6);
        boolean shortId = u8(avif, start) == 0;
        need(start + (shortId ? 6 : 8));
        primary = shortId ? u16(avif, start + 4) : number(avif, start + 4, 4);
      } else if (type == IPRP) {
        properties = start;
        propertiesEnd = end;
      }
    }
    if (primary < 0 || properties < 0) {
      throw corrupt("no primary picture", from);
    }
    long container = -1;
    long containerEnd = -1;
    for (long at = properties; at < propertiesEnd; at = end) {
      next(avif, at, propertiesEnd, Fault.CORRUPT);
      if (type == IPCO && container < 0) {
        container = start;
        containerEnd = end;
        lookThrough(avif, container, containerEnd);
        end = containerEnd;
      } else if (type == IPMA && container >= 0 && width == 0) {
        long last = end;
        associations(avif, primary, container, containerEnd);
        end = last;
      }
    }
  }

  /// Looks at the properties of all items, whichever is whose.
  private void lookThrough(MemorySegment avif, long from, long to) throws DecodeException {
    for (long at = from; at < to; at = end) {
      next(avif, at, to, Fault.CORRUPT);
      if (type == AUXC) {
        for (long i = start; i + 5 <= end; i++) {
          alpha |= u8(avif, i) == 'a' && number(avif, i, 5) == ALPHA;
        }
      } else if (type == ISPE && end - start >= 12) {
        int columns = u32(avif, start + 4);
        int rows = u32(avif, start + 8);
        if ((long) columns * rows > (long) largestWidth * largestHeight) {
          largestWidth = columns;
          largestHeight = rows;
        }
      }
    }
  }

  /// Applies the properties of the primary picture, which stand under their numbers from 1.
  private void associations(MemorySegment avif, long primary, long container, long containerEnd)
      throws DecodeException {
    need(start + 8);
    int idBytes = u8(avif, start) == 0 ? 2 : 4;
    int bytes = (u8(avif, start + 3) & 1) == 0 ? 1 : 2;
    long last = end;
    long at = start + 8;
    while (at + idBytes + 1 <= last) {
      long item = number(avif, at, idBytes);
      int count = u8(avif, at + idBytes);
      at += idBytes + 1;
      if (at + (long) count * bytes > last) {
        throw corrupt("%d properties overrun their box".formatted(count), at);
      }
      if (item == primary) {
        for (int i = 0; i < count; i++) {
          int index = bytes == 1 ? u8(avif, at + i) & 0x7f : u16(avif, at + 2L * i) & 0x7fff;
          property(avif, index, container, containerEnd);
        }
        return;
      }
      at += (long) count * bytes;
    }
  }

  private void property(MemorySegment avif, int index, long from, long to) throws DecodeException {
    long at = from;
    for (int i = 1; i <= index && at < to; i++) {
      next(avif, at, to, Fault.CORRUPT);
      at = end;
      if (i == index) {
        apply(avif);
      }
    }
  }

  private void apply(MemorySegment avif) throws DecodeException {
    switch (type) {
      case ISPE -> {
        need(start + 12);
        width = u32(avif, start + 4);
        height = u32(avif, start + 8);
      }
      case PIXI -> {
        need(start + 6);
        grey = u8(avif, start + 4) == 1;
        bitDepth = u8(avif, start + 5);
      }
      case AV1C -> {
        need(start + 4);
        int flags = u8(avif, start + 2);
        grey = (flags & 0x10) != 0;
        bitDepth = (flags & 0x40) == 0 ? 8 : (flags & 0x20) == 0 ? 10 : 12;
      }
      case IROT -> {
        need(start + 1);
        turns = u8(avif, start) & 3;
      }
      case IMIR -> {
        need(start + 1);
        mirror = 1 + (u8(avif, start) & 1);
      }
      default -> {
        // colour, aspect and so on: say nothing about how pixels lie
      }
    }
  }

  /// Reads a box's length and type. A length of 1 is followed by one of 64 bits, 0 means the rest.
  private void next(MemorySegment avif, long at, long limit, Fault whenCut) throws DecodeException {
    long left = limit - at;
    long header = 8;
    long length = left < header ? header : Integer.toUnsignedLong(u32(avif, at));
    if (length == 1) {
      header = 16;
      length = left < header ? header : number(avif, at + 8, 8);
    } else if (length == 0) {
      length = left;
    }
    if (length < 0 || length > left) {
      throw new DecodeException(
          whenCut,
          "avif: box at byte %d takes %s, there are %d"
              .formatted(at, Long.toUnsignedString(length), left));
    }
    if (length < header) {
      throw corrupt("box of %d bytes".formatted(length), at);
    }
    type = u32(avif, at + 4);
    start = at + header;
    end = at + length;
  }

  private void need(long to) throws DecodeException {
    if (to > end) {
      throw corrupt("box with too little in it", start);
    }
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /// {@return columns of the largest item: a picture, a cell of a grid, or something that comes
  ///     with the picture, such as a larger version of it}
  int largestWidth() {
    return largestWidth;
  }

  /// {@return rows of that item}
  int largestHeight() {
    return largestHeight;
  }

  int bitDepth() {
    return bitDepth;
  }

  ImageInfo info() {
    int channels = (grey ? 1 : 3) + (alpha ? 1 : 0);
    return new ImageInfo(
        ImageFormat.AVIF,
        width,
        height,
        channels,
        bitDepth,
        null,
        false,
        ORIENTATIONS[mirror][turns]);
  }

  private static DecodeException corrupt(String what, long at) {
    return new DecodeException(Fault.CORRUPT, "avif: %s, at byte %d".formatted(what, at));
  }
}
