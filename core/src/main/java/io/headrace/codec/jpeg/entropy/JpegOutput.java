package io.headrace.codec.jpeg.entropy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A JPEG stream as it grows in a block.
public final class JpegOutput {
  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Block block;
  private MemorySegment memory;
  private long size;

  /// Bits of symbols that are not written yet, the last ones lowest.
  long rest;

  /// Their number.
  int restCount;

  public JpegOutput(Block block) {
    this.block = block;
    memory = block.memory();
  }

  /// {@return bytes written}
  public long size() {
    return size;
  }

  /// Makes room for that many bytes more.
  public void room(long bytes) throws DecodeException {
    memory = block.ensureKeeping(size + bytes);
  }

  public void u8(int value) throws DecodeException {
    room(1);
    memory.set(JAVA_BYTE, size++, (byte) value);
  }

  public void u16(int value) throws DecodeException {
    u8(value >> 8);
    u8(value);
  }

  public void marker(int marker) throws DecodeException {
    u16(0xff00 | marker);
  }

  /// Writes a marker, its length field and `content` bytes that the caller appends.
  public void segment(int marker, long content) throws DecodeException {
    marker(marker);
    u16((int) (content + 2));
  }

  public void bytes(MemorySegment from) throws DecodeException {
    room(from.byteSize());
    MemorySegment.copy(from, 0, memory, size, from.byteSize());
    size += from.byteSize();
  }

  public void text(String ascii) throws DecodeException {
    for (int i = 0; i < ascii.length(); i++) {
      u8(ascii.charAt(i));
    }
  }

  /// Writes the coded data of one scan, padded with ones to whole bytes.
  ///
  /// @param codes by slot
  public void coded(Tokens tokens, HuffmanCode[] codes) throws DecodeException {
    int[] of = tokens.codes(codes);
    int[] stretch = tokens.stretch();
    long acc = 0; // the last `n` bits are still to be written
    int n = 0;
    long all = tokens.begin();
    for (long from = 0; from < all; ) {
      int count = tokens.next(from);
      from += count;
      room(8L * count);
      for (int i = 0; i < count; i++) {
        int token = stretch[i];
        int code = of[token >>> 21];
        if (code == 0 && Tokens.slot(token) < Tokens.RAW) {
          throw Markers.unsupported(
              "a coefficient of %d bits has no standard Huffman code: ask for optimised tables"
                  .formatted(Tokens.symbol(token) & 15));
        }
        int extra = Tokens.count(token);
        acc = (acc << (code & 31) | code >>> 5) << extra | Tokens.bits(token);
        n += (code & 31) + extra;
        if (n >= 32) {
          n -= 32;
          word((int) (acc >>> n));
        }
      }
    }
    room(16);
    pad(acc, n);
  }

  /// Writes a symbol and the lowest `count` of its extra bits, of which those above are zero. There
  /// is room for them.
  public void symbol(HuffmanCode code, int symbol, int extra, int count) {
    int to = code.codes[symbol];
    rest = (rest << (to & 31) << count) | ((long) (to >>> 5) << count) | extra;
    restCount += (to & 31) + count;
    if (restCount >= 32) {
      restCount -= 32;
      word((int) (rest >>> restCount));
    }
  }

  /// Writes a block of a sequential scan (ITU-T T.81, F.1.2). There is room for it.
  ///
  /// @param difference of its first coefficient to that of the block before
  /// @param mask which of the others there are: bit k - 1 for the k-th of the zigzag
  /// @param values these, from `from` on; some may be 0
  /// @return -1, or the first symbol that the codes lack
  public int block(
      HuffmanCode dc, HuffmanCode ac, int difference, long mask, short[] values, int from) {
    int first = length(difference);
    if (dc.codes[first] == 0) {
      return first;
    }
    symbol(dc, first, extra(difference, first), first);
    int[] codes = ac.codes;
    long bits = rest;
    int held = restCount;
    int before = -1;
    int at = from;
    for (long left = mask; left != 0; left &= left - 1) {
      int value = values[at++];
      if (value == 0) {
        continue;
      }
      int place = Long.numberOfTrailingZeros(left);
      int run = place - before - 1;
      before = place;
      if (run > 15) {
        if (codes[HuffmanCode.SIXTEEN_ZEROS] == 0) {
          return HuffmanCode.SIXTEEN_ZEROS;
        }
        rest = bits;
        restCount = held;
        for (; run > 15; run -= 16) {
          symbol(ac, HuffmanCode.SIXTEEN_ZEROS, 0, 0);
        }
        bits = rest;
        held = restCount;
      }
      int length = length(value);
      int code = codes[run << 4 | length];
      if (code == 0) {
        return run << 4 | length;
      }
      int more = (code & 31) + length;
      bits = bits << more | (long) (code >>> 5) << length | extra(value, length);
      held += more;
      if (held >= 32) {
        held -= 32;
        word((int) (bits >>> held));
      }
    }
    rest = bits;
    restCount = held;
    if (before < 62) {
      if (codes[0] == 0) {
        return 0;
      }
      symbol(ac, 0, 0, 0);
    }
    return -1;
  }

  private static int length(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
  }

  /// {@return the bits that tell a number from the others of its length}
  private static int extra(int value, int length) {
    return (value + (value >> 31)) & ((1 << length) - 1);
  }

  /// Writes the bits that are left, padded with ones to whole bytes.
  public void endBits() {
    pad(rest, restCount);
    rest = 0;
    restCount = 0;
  }

  void word(int word) {
    int ff = ((word & 0x7f7f_7f7f) + 0x0101_0101) & word & 0x8080_8080; // bytes of 0xff
    if (ff == 0) {
      memory.set(WORD, size, word);
      size += 4;
    } else {
      for (int shift = 24; shift >= 0; shift -= 8) {
        stuffed(word >>> shift);
      }
    }
  }

  private void stuffed(int value) {
    memory.set(JAVA_BYTE, size++, (byte) value);
    if ((byte) value == (byte) 0xff) {
      memory.set(JAVA_BYTE, size++, (byte) 0);
    }
  }

  private void pad(long acc, int n) {
    int whole = (n + 7) & ~7;
    long padded = (acc << (whole - n)) | ((1L << (whole - n)) - 1);
    for (int shift = whole - 8; shift >= 0; shift -= 8) {
      stuffed((int) (padded >>> shift));
    }
  }
}
