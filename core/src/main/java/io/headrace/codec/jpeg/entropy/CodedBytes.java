package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Coded data between two markers without its stuffing: a zero byte follows each 0xff of data in
/// the stream (ITU-T T.81, F.1.2.3), and is left out here.
///
/// The buffer grows with the data found and is reused. Zeros follow the data, so that whole words
/// can be read to its end and a block can be read beyond it.
public final class CodedBytes {
  /// Zeros after the data: more than any block takes.
  private static final int SPARE = 512;

  private static final long HIGH = 0x8080_8080_8080_8080L;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[8192];
  private int length;
  private MemorySegment source = MemorySegment.NULL;
  private long start;
  private long end;
  private long marker;

  /// Takes the data from `at` on, up to the next marker or the end of the stream.
  void load(MemorySegment jpeg, long at) throws DecodeException {
    source = jpeg;
    start = at;
    length = 0;
    long size = jpeg.byteSize();
    long from = at;
    while (true) {
      from = copyPlain(jpeg, from, size);
      if (from >= size) {
        end = size;
        marker = -1;
        break;
      }
      long code = from + 1;
      while (code < size && u8(jpeg, code) == 0xff) {
        code++; // fill bytes
      }
      if (code < size && u8(jpeg, code) == 0) {
        bytes[length++] = (byte) 0xff;
        from = code + 1;
      } else {
        end = from;
        marker = code < size ? code - 1 : -1;
        break;
      }
    }
    Arrays.fill(bytes, length, length + SPARE, (byte) 0);
  }

  /// Copies up to the next 0xff.
  ///
  /// @return its offset, or the stream's size
  private long copyPlain(MemorySegment jpeg, long from, long size) throws DecodeException {
    long at = from;
    int to = length;
    byte[] into = room(to);
    while (true) {
      if (to + SPARE + 16 > into.length) {
        into = room(to);
      }
      if (at + 8 > size) {
        break;
      }
      long word = jpeg.get(WORD, at);
      WORDS.set(into, to, word);
      long ff = ((word & ~HIGH) + ONES) & word & HIGH; // the high bit of each byte of 0xff
      if (ff != 0) {
        int plain = Long.numberOfLeadingZeros(ff) >>> 3;
        length = to + plain;
        return at + plain;
      }
      at += 8;
      to += 8;
    }
    while (at < size && u8(jpeg, at) != 0xff) {
      into[to++] = (byte) u8(jpeg, at++);
    }
    length = to;
    return at;
  }

  private byte[] room(int used) throws DecodeException {
    if (used + SPARE + 16 > bytes.length) {
      if (bytes.length > 1 << 29) {
        throw new DecodeException(
            Fault.LIMIT, "jpeg: more than %d bytes of coded data in a row".formatted(used));
      }
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    return bytes;
  }

  /// {@return eight bytes, the first of them the highest}
  public long word(int at) {
    return (long) WORDS.get(bytes, at);
  }

  /// {@return bytes of data}
  int length() {
    return length;
  }

  /// {@return offset of the marker after the data, of the 0xff just before its code; -1 if the
  ///     stream ends first}
  long marker() {
    return marker;
  }

  /// {@return offset just after the data}
  long end() {
    return end;
  }

  /// {@return offset in the stream of the data's byte `index`}
  long position(long index) {
    long at = start;
    for (long i = 0; i < index && at < end; i++) {
      boolean stuffed = u8(source, at) == 0xff;
      while (stuffed && at + 1 < end && u8(source, at + 1) == 0xff) {
        at++;
      }
      at += stuffed ? 2 : 1;
    }
    return Math.min(at, end);
  }
}
