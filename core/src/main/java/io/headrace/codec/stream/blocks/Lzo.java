package io.headrace.codec.stream.blocks;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// One block of LZO1X: matches in the last 48 KiB, and bytes that are copied. Source: `lzo.rst` in
/// the documentation of Linux, which lists the instructions.
///
///     0000LLLL                      after copied bytes or at the start: 3 + L bytes to copy
///     0000DDSS HHHHHHHH             after a match: 2 bytes from (H << 2) + D + 1 back, or 3 bytes
///                                   from 2048 further back after at least 4 copied bytes
///     0001HLLL DDDDDDDD DDDDDDSS    2 + L bytes from 16384 + (H << 14) + D back; D = H = 0 ends
///     001LLLLL DDDDDDDD DDDDDDSS    2 + L bytes from D + 1 back, D little-endian in 14 bits
///     LLLDDDSS HHHHHHHH             L >= 2: 1 + L bytes from (H << 3) + D + 1 back
///
/// S bytes to copy follow a match. A length L of 0 is the most that L may be, and 255 for each zero
/// byte that follows, and the byte after these.
final class Lzo {
  /// How a stream ends.
  private static final int END = 0b0001_0001;

  private static final int NEAR = 2048;
  private static final int MIDDLE = 16_384;
  private static final int FAR = 0xbfff;
  private static final int MIN_MATCH = 4;
  private static final int HASH_BITS = 14;

  /// Where four bytes of a hash were seen last, plus 1.
  private final int[] seen = new int[1 << HASH_BITS];

  /// {@return the most bytes that a block takes}
  static int maxCompressed(int plain) {
    return plain + plain / 16 + 64 + 3;
  }

  /// Compresses a block.
  ///
  /// @param plain from 0 to its limit; its position stays
  /// @param to takes at most [#maxCompressed] bytes
  void compress(ByteBuffer plain, ByteBuffer to) {
    int start = to.position();
    int end = plain.limit();
    int copied = 0; // up to here all is written
    int at = 0;
    Arrays.fill(seen, 0);
    while (at + MIN_MATCH <= end) {
      int word = plain.getInt(at);
      int slot = (word * 0x9e3779b1) >>> (32 - HASH_BITS);
      int from = seen[slot] - 1;
      seen[slot] = at + 1;
      if (from < 0 || at - from > FAR || plain.getInt(from) != word) {
        at += 1 + ((at - copied) >> 6); // faster where nothing repeats
        continue;
      }
      int length = MIN_MATCH;
      while (at + length < end && plain.get(from + length) == plain.get(at + length)) {
        length++;
      }
      copy(plain, copied, at - copied, to, start);
      match(length, at - from, to);
      at += length;
      copied = at;
    }
    copy(plain, copied, end - copied, to, start);
    to.put((byte) END).put((byte) 0).put((byte) 0);
  }

  private static void copy(ByteBuffer plain, int from, int length, ByteBuffer to, int start) {
    int at = to.position();
    if (length == 0) {
      return;
    }
    if (at == start && length <= 238) {
      to.put((byte) (17 + length));
    } else if (length <= 3) {
      to.put(at - 2, (byte) (to.get(at - 2) | length)); // S of the match before
    } else {
      length(0, 15, length - 3, to);
    }
    to.put(to.position(), plain, from, length).position(to.position() + length);
  }

  private static void match(int length, int distance, ByteBuffer to) {
    if (length <= 8 && distance <= NEAR) {
      int d = distance - 1;
      to.put((byte) (((length - 1) << 5) | ((d & 7) << 2))).put((byte) (d >> 3));
    } else if (distance <= MIDDLE) {
      int d = distance - 1;
      length(0b0010_0000, 31, length - 2, to);
      to.put((byte) (d << 2)).put((byte) (d >> 6));
    } else {
      int d = distance - MIDDLE;
      length(0b0001_0000 | ((d >> 11) & 8), 7, length - 2, to);
      to.put((byte) (d << 2)).put((byte) (d >> 6));
    }
  }

  /// Writes an instruction with a length.
  private static void length(int instruction, int most, int length, ByteBuffer to) {
    if (length <= most) {
      to.put((byte) (instruction | length));
      return;
    }
    to.put((byte) instruction);
    int left = length - most;
    for (; left > 255; left -= 255) {
      to.put((byte) 0);
    }
    to.put((byte) left);
  }

  /// Decompresses a block.
  ///
  /// @param from one whole block, from its position to its limit
  /// @param to takes it at its start; its limit is the size that the block must have
  /// @throws DecodeException if it is damaged, or of another size
  static void decompress(ByteBuffer from, ByteBuffer to) throws DecodeException {
    to.position(0);
    int before = 0; // bytes copied before the instruction: 0 to 3 after a match, 4 for more
    if (from.hasRemaining() && (from.get(from.position()) & 0xff) > 17) {
      int length = (from.get() & 0xff) - 17;
      copy(from, length, to);
      before = Math.min(4, length);
    }
    while (true) {
      int code = next(from);
      int length;
      int distance;
      int after; // the byte whose lowest bits say how many bytes to copy follow
      if (code >= 64) {
        length = (code >> 5) + 1;
        distance = (next(from) << 3) + ((code >> 2) & 7) + 1;
        after = code;
      } else if (code >= 32) {
        length = 2 + length(code & 31, 31, from);
        after = next(from);
        distance = (next(from) << 6) + (after >> 2) + 1;
      } else if (code >= 16) {
        length = 2 + length(code & 7, 7, from);
        after = next(from);
        distance = MIDDLE + ((code & 8) << 11) + (next(from) << 6) + (after >> 2);
        if (distance == MIDDLE) {
          if (length != 3 || from.hasRemaining() || to.hasRemaining()) {
            throw corrupt("ends at byte %d of %d".formatted(to.position(), to.limit()));
          }
          return;
        }
      } else if (before == 0) {
        copy(from, 3 + length(code, 15, from), to);
        before = 4;
        continue;
      } else {
        after = code;
        length = before == 4 ? 3 : 2;
        distance = (next(from) << 2) + (code >> 2) + (before == 4 ? NEAR + 1 : 1);
      }
      repeat(distance, length, to);
      before = after & 3;
      copy(from, before, to);
    }
  }

  private static int next(ByteBuffer from) throws DecodeException {
    if (!from.hasRemaining()) {
      throw corrupt("is cut");
    }
    return from.get() & 0xff;
  }

  private static int length(int stated, int most, ByteBuffer from) throws DecodeException {
    if (stated != 0) {
      return stated;
    }
    int length = most;
    int more;
    while ((more = next(from)) == 0) {
      length += 255;
      if (length > Integer.MAX_VALUE / 2) {
        throw corrupt("has an endless length");
      }
    }
    return length + more;
  }

  private static void copy(ByteBuffer from, int length, ByteBuffer to) throws DecodeException {
    if (length > from.remaining() || length > to.remaining()) {
      throw corrupt(
          "copies %d bytes at byte %d of %d".formatted(length, to.position(), to.limit()));
    }
    to.put(to.position(), from, from.position(), length).position(to.position() + length);
    from.position(from.position() + length);
  }

  private static void repeat(int distance, int length, ByteBuffer to) throws DecodeException {
    int at = to.position();
    if (distance > at || length > to.remaining()) {
      throw corrupt(
          "repeats %d bytes from %d back, at byte %d of %d"
              .formatted(length, distance, at, to.limit()));
    }
    if (distance >= length) {
      to.put(at, to, at - distance, length).position(at + length);
      return;
    }
    for (int i = at; i < at + length; i++) {
      to.put(i, to.get(i - distance));
    }
    to.position(at + length);
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "lzop: a block " + what);
  }
}
