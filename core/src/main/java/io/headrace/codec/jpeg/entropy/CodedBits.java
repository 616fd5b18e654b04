package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;
import static io.headrace.codec.jpeg.Markers.truncated;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The coded data between two markers, as bits: without the zero byte that follows each 0xff of
/// data in the stream (ITU-T T.81, F.1.2.3).
///
/// It comes through a buffer of fixed size. Zeros follow the data there, so that whole words can be
/// read to its end, and an MCU beyond it: whoever reads blocks asks [#ready] or [#requireData]
/// after each. Confined to one thread, and reused.
public class CodedBits {
  /// More bytes than an MCU of ten blocks takes: 64 symbols of at most 32 bits each.
  private static final int MCU_BYTES = 2560;

  private static final int CHUNK = 8192;
  private static final int BUFFER = 4 * CHUNK;
  private static final long HIGH = 0x8080_8080_8080_8080L;
  private static final long ONES = 0x0101_0101_0101_0101L;

  /// Reads words of [#bytes], the first byte highest.
  protected static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] raw = new byte[CHUNK];

  /// Offset in the source of what [#raw] holds, and its length.
  private long rawAt;

  private int rawLength;

  /// Data that is at hand.
  protected final byte[] bytes = new byte[BUFFER + MCU_BYTES + 16];

  /// Bits read ahead, the next one highest; those below [#count] may be there too.
  protected long bits;

  /// Their number.
  protected int count;

  /// Index in [#bytes] of the byte that is read ahead next.
  protected int next;

  private MemorySegment source = MemorySegment.NULL;

  /// Offsets in the source: of the first byte, of what has not been taken yet, and of the end.
  private long start;

  private long from;
  private long end;

  /// Bytes of data that have left the buffer.
  private long gone;

  /// Bytes in the buffer.
  private int length;

  /// Whether a marker or the end of the source has been met.
  private boolean complete;

  /// Takes the coded data from `at` on, up to the next marker.
  public final void load(MemorySegment jpeg, long at) {
    load(jpeg, at, jpeg.byteSize());
  }

  /// Takes the coded data from `at` on, up to the next marker or to `stop`.
  public final void load(MemorySegment jpeg, long at, long stop) {
    source = jpeg;
    end = stop;
    rawLength = 0;
    load(at);
  }

  /// Takes further coded data of the same stream.
  public final void load(long at) {
    start = at;
    from = at;
    gone = 0;
    complete = false;
    length = 0;
    bits = 0;
    count = 0;
    next = 0;
    fill();
  }

  /// Makes sure that the coded data of an MCU is at hand.
  ///
  /// @return false if data has been used that is not there
  public final boolean ready() {
    if (length - next < MCU_BYTES) {
      if (!complete) {
        fill();
      }
      return used() <= 8L * length;
    }
    return true;
  }

  /// Makes sure that the coded data of an MCU is at hand, and that nothing was read that is not
  /// there.
  ///
  /// @throws DecodeException if more was read than there is
  public final void requireData() throws DecodeException {
    if (!ready()) {
      throw fail("");
    }
  }

  /// {@return bits of the buffer that have been used}
  protected final long used() {
    return 8L * next - count;
  }

  /// {@return whether all coded data has been used, but for the bits that fill up the last byte}
  public final boolean finished() {
    return complete && 8L * length - used() >= 0 && 8L * length - used() < 8;
  }

  /// Goes after the marker which the data ended with, if all data was used and it is that one.
  public final boolean resume(int marker) {
    if (!finished() || marker() < 0 || u8(source, from + 1) != marker) {
      return false;
    }
    load(from + 2);
    return true;
  }

  private void fill() {
    // Bits that have been taken out may be put back: they are in the last eight bytes.
    int keep = Math.max(0, Math.min(next, length) - Long.BYTES);
    System.arraycopy(bytes, keep, bytes, 0, length - keep);
    next -= keep;
    length -= keep;
    gone += keep;
    while (!complete && length <= BUFFER - CHUNK) {
      chunk();
    }
    Arrays.fill(bytes, length, length + MCU_BYTES + 8, (byte) 0);
  }

  /// Takes another chunk, or what there is of it.
  private void chunk() {
    if (from < rawAt || from + 2 > rawAt + rawLength) {
      rawAt = from;
      rawLength = (int) Math.min(CHUNK, end - from);
      MemorySegment.copy(source, JAVA_BYTE, from, raw, 0, rawLength);
    }
    int n = rawLength;
    int at = (int) (from - rawAt);
    int to = length;
    while (true) {
      while (at + 8 <= n) {
        long word = (long) WORDS.get(raw, at);
        WORDS.set(bytes, to, word);
        long ff = ((word & ~HIGH) + ONES) & word & HIGH; // the high bit of each byte of 0xff
        if (ff != 0) {
          int plain = Long.numberOfLeadingZeros(ff) >>> 3;
          at += plain;
          to += plain;
          break;
        }
        at += 8;
        to += 8;
      }
      while (at < n && raw[at] != (byte) 0xff) {
        bytes[to++] = raw[at++];
      }
      if (at + 1 < n && raw[at + 1] == 0 && !filled(rawAt + at)) {
        bytes[to++] = (byte) 0xff;
        at += 2;
        continue;
      }
      if (at + 1 < n && raw[at + 1] == (byte) 0xff) {
        at++; // fill bytes stand before markers
        continue;
      }
      break;
    }
    length = to;
    from = rawAt + at;
    complete = at + 1 < n || rawAt + n == end;
  }

  /// {@return whether there is a fill byte before the 0xff at `at`: after one, a zero byte is
  ///     damage, not data (T.81, B.1.1.2)}
  private boolean filled(long at) {
    return at > start && u8(source, at - 1) == 0xff;
  }

  /// {@return offset of the marker that ends the data, its 0xff; -1 if the stream ends first}
  public final long marker() {
    long at = end();
    return at + 1 < end ? at : -1;
  }

  /// {@return offset just after the data}
  public final long end() {
    return complete ? from : walk(from, Long.MAX_VALUE);
  }

  /// {@return whether there are whole bytes of data that have not been read}
  public final boolean more() {
    return !complete || 8L * length - used() >= 8;
  }

  /// {@return whole bytes of the data that have not been read}
  public final long left() {
    long beyond = 0;
    long stop = end();
    for (long at = from; at < stop; beyond++) {
      at = walk(at, 1);
    }
    return Math.max(0, 8 * (length + beyond) - used()) / 8;
  }

  /// {@return whether the rest of the byte that was read last is as coders fill it up: with ones
  ///     (T.81, F.1.2.3), some with zeros}
  public final boolean padded() {
    int rest = count & 7; // whole bytes are taken in
    long value = bits >>> 1 >>> (63 - rest);
    return value == 0 || value == (1 << rest) - 1;
  }

  protected final DecodeException fail(String what) {
    if (!complete || used() <= 8L * length) {
      return corrupt(what, walk(start, gone + used() / 8));
    }
    if (marker() < 0) {
      return truncated("the coded data ends in a block, after byte " + end());
    }
    return corrupt("the coded data ends in a block", marker());
  }

  /// {@return offset after so many bytes of data from `at` on, or of the marker that ends them}
  private long walk(long at, long count) {
    long place = at;
    for (long i = 0; i < count && place < end; i++) {
      long after = place + 1;
      if (u8(source, place) == 0xff) {
        while (after < end && u8(source, after) == 0xff) {
          after++;
        }
        if (after == end || u8(source, after) != 0 || after > place + 1) {
          return after - 1;
        }
        after++;
      }
      place = after;
    }
    return place;
  }

  protected final void refill() {
    if (count < 32) {
      bits |= (long) WORDS.get(bytes, next) >>> count;
      next += (63 - count) >>> 3;
      count |= 56;
    }
  }

  protected final void drop(int n) {
    bits <<= n;
    count -= n;
  }

  /// {@return the next `n` bits, 1 to 16, which a symbol's look-up has brought}
  public final int take(int n) {
    int value = (int) (bits >>> (64 - n));
    drop(n);
    return value;
  }

  /// {@return the next symbol}
  public final int symbol(HuffmanTable table) throws DecodeException {
    refill();
    int entry = table.look[(int) (bits >>> (64 - HuffmanTable.LOOK))];
    if (entry == 0) {
      entry = table.find((int) (bits >>> 48));
      if (entry == 0) {
        throw fail("no such Huffman code");
      }
    }
    int length = entry & 31;
    drop((entry & HuffmanTable.RESOLVED) == 0 ? length : length - ((entry >>> 8) & 15));
    return (entry >>> 8) & 255;
  }
}
