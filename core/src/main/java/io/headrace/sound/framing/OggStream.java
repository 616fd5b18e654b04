package io.headrace.sound.framing;

import static io.headrace.memory.LittleEndian.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The pages of an Ogg file: whether all are there and in order, and where its chained streams
/// start. Source: RFC 3533, section 6.
///
/// libogg leaves out pages that are damaged or missing, and says nothing.
public final class OggStream {
  /// Bytes of a page's header before its segment table; where flags, serial number, sequence
  /// number, checksum and the number of segments lie.
  private static final int HEADER = 27;

  private static final int FLAGS = 5;
  private static final int SERIAL = 14;
  private static final int SEQUENCE = 18;
  private static final int CHECKSUM = 22;
  private static final int SEGMENTS = 26;

  /// Bytes before `fLaC` in a stream of it: 0x7f, `FLAC`, version, number of headers.
  private static final int FLAC_PREFIX = 9;

  private static final int FIRST = 2;
  private static final int LAST = 4;

  /// The remainders of a byte divided by 0x04c11db7, highest bit first.
  private static final int[] CRC = new int[256];

  static {
    for (int i = 0; i < CRC.length; i++) {
      int crc = i << 24;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc << 1 ^ (crc < 0 ? 0x04c11db7 : 0);
      }
      CRC[i] = crc;
    }
  }

  private long[] links = new long[4];
  private int count;
  private long end;

  /// Walks all pages.
  ///
  /// @param lenient whether damage becomes a note, not an exception
  /// @param notes takes what is odd
  public void read(MemorySegment ogg, boolean lenient, Notes notes) throws DecodeException {
    count = 0;
    end = ogg.byteSize();
    boolean ended = false;
    boolean starting = false;
    int serial = 0;
    int sequence = 0;
    int others = 0;
    long page = 0;
    long at = 0;
    while (at < end) {
      long next = pageEnd(ogg, at);
      if (next < 0) {
        long found = find(ogg, at + 1);
        boolean cut = found < 0 && !ended;
        if (found >= 0 || cut) {
          notes.damaged(
              cut ? Fault.TRUNCATED : Fault.CORRUPT,
              cut
                  ? "ogg: the last page is cut [page %d, byte %d]".formatted(page, at)
                  : "ogg: %d bytes between pages [byte %d]".formatted(found - at, at),
              lenient);
        } else {
          notes.add(
              Fault.CORRUPT,
              "ogg: %d bytes after the last page are none [byte %d]".formatted(end - at, at));
          end = at;
        }
        ended |= found < 0;
        at = found < 0 ? end : found;
        continue;
      }
      int flags = ogg.get(JAVA_BYTE, at + FLAGS);
      if (crc(ogg, at, next) != ogg.get(U32, at + CHECKSUM)) {
        notes.damaged(
            Fault.CORRUPT,
            "ogg: the checksum of a page is wrong [page %d, byte %d]".formatted(page, at),
            lenient);
      }
      boolean first = (flags & FIRST) != 0;
      if (first && !starting) {
        if (count > 0 && !ended) {
          notes.damaged(
              Fault.TRUNCATED,
              "ogg: a stream is not marked as ended before the next [page %d, byte %d]"
                  .formatted(page, at),
              lenient);
        }
        add(at);
        serial = ogg.get(U32, at + SERIAL);
        sequence = ogg.get(U32, at + SEQUENCE);
        ended = false;
      } else if (first) {
        others++;
      }
      starting = first;
      if (ogg.get(U32, at + SERIAL) == serial) {
        int number = ogg.get(U32, at + SEQUENCE);
        if (number != sequence) {
          notes.damaged(
              Fault.CORRUPT,
              "ogg: page %d follows page %d [byte %d]".formatted(number, sequence - 1, at),
              lenient);
        }
        sequence = number + 1;
        ended |= (flags & LAST) != 0;
      }
      page++;
      at = next;
    }
    if (!ended) {
      notes.damaged(Fault.TRUNCATED, "ogg: the last page is not marked as the last", lenient);
    }
    if (others > 0) {
      notes.add(
          Fault.UNSUPPORTED,
          "ogg: streams that run beside the first are left out, %d of them".formatted(others));
    }
    if (count == 0) {
      add(0);
    }
  }

  private void add(long at) {
    if (count == links.length) {
      links = Arrays.copyOf(links, 2 * count);
    }
    links[count++] = at;
  }

  /// {@return where the page at `at` ends, -1 if none is there in full}
  private static long pageEnd(MemorySegment ogg, long at) {
    if (ogg.byteSize() - at < HEADER || !Magic.at(ogg, at, "OggS")) {
      return -1;
    }
    int segments = ogg.get(JAVA_BYTE, at + SEGMENTS) & 0xff;
    long next = at + HEADER + segments;
    if (next > ogg.byteSize()) {
      return -1;
    }
    for (int i = 0; i < segments; i++) {
      next += ogg.get(JAVA_BYTE, at + HEADER + i) & 0xff;
    }
    return next <= ogg.byteSize() ? next : -1;
  }

  private static long find(MemorySegment ogg, long from) {
    for (long at = from; at < ogg.byteSize() - HEADER; at++) {
      if (Magic.at(ogg, at, "OggS") && pageEnd(ogg, at) >= 0) {
        return at;
      }
    }
    return -1;
  }

  /// {@return the checksum of a page, its own field taken as zeros}
  private static int crc(MemorySegment ogg, long from, long to) {
    int crc = 0;
    for (long at = from; at < to; at++) {
      long field = at - from - CHECKSUM;
      int next = field >= 0 && field < 4 ? 0 : ogg.get(JAVA_BYTE, at) & 0xff;
      crc = crc << 8 ^ CRC[crc >>> 24 ^ next];
    }
    return crc;
  }

  /// {@return whether the first page starts a FLAC stream; source: the Ogg FLAC mapping 1.0}
  public static boolean isFlac(MemorySegment ogg) {
    return ogg.byteSize() > HEADER + 1 + FLAC_PREFIX
        && ogg.get(JAVA_BYTE, HEADER + 1) == 0x7f
        && Magic.at(ogg, HEADER + 2, "FLAC");
  }

  /// Takes the FLAC stream out of the pages that were read: what they hold, one after the other, is
  /// one as if it were alone, after a few bytes.
  ///
  /// @return it, in `to`
  public MemorySegment flac(MemorySegment ogg, Block to) throws DecodeException {
    if (count > 1) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "ogg: FLAC streams chained one after the other [byte %d]".formatted(links[1]));
    }
    MemorySegment out = to.ensure(end);
    int serial = ogg.get(U32, SERIAL);
    long size = 0;
    for (long at = 0; at >= 0 && at < end; ) {
      long next = pageEnd(ogg, at);
      if (next < 0) {
        at = find(ogg, at + 1);
        continue;
      }
      long from = at + HEADER + (ogg.get(JAVA_BYTE, at + SEGMENTS) & 0xff);
      if (ogg.get(U32, at + SERIAL) == serial) {
        MemorySegment.copy(ogg, from, out, size, next - from);
        size += next - from;
      }
      at = next;
    }
    return out.asSlice(FLAC_PREFIX, Math.max(0, size - FLAC_PREFIX));
  }

  /// {@return streams chained one after the other, at least 1}
  public int links() {
    return count;
  }

  /// {@return where one of them starts}
  public long start(int link) {
    return links[link];
  }

  /// {@return where it ends}
  public long end(int link) {
    return link + 1 < count ? links[link + 1] : end;
  }
}
