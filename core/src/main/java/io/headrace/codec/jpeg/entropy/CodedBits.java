package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.jpeg.Markers.corrupt;
import static io.headrace.codec.jpeg.Markers.truncated;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// Reads coded data bit by bit and symbol by symbol (ITU-T T.81, F.2.2).
///
/// Bits lie at the top of `bits`, `count` of them; 32 or more after a refill, which is enough for
/// one code and its extra bits. Reading on after the end gives zeros: whoever reads blocks asks
/// [#requireData] after each.
public class CodedBits {
  protected final CodedBytes data = new CodedBytes();

  /// Bits read ahead, at the top.
  protected long bits;

  /// Their number.
  protected int count;

  /// Index of the byte that is read ahead next.
  protected int next;

  /// Takes the coded data from `at` on, up to the next marker.
  public void load(MemorySegment jpeg, long at) throws DecodeException {
    data.load(jpeg, at);
    bits = 0;
    count = 0;
    next = 0;
  }

  /// {@return offset of the marker that ends the data, its 0xff; -1 if the stream ends first}
  public final long marker() {
    return data.marker();
  }

  /// {@return offset just after the data}
  public final long end() {
    return data.end();
  }

  /// {@return whole bytes of the data that have not been read}
  public final long left() {
    return Math.max(0, 8L * data.length() - (8L * next - count)) / 8;
  }

  /// {@return whether the rest of the byte that was read last is as coders fill it up: with ones
  ///     (T.81, F.1.2.3), some with zeros}
  public final boolean padded() {
    int rest = count & 7; // whole bytes are taken in
    long value = bits >>> 1 >>> (63 - rest);
    return value == 0 || value == (1 << rest) - 1;
  }

  /// Makes sure that nothing was read that is not there.
  ///
  /// @throws DecodeException if more was read than there is
  public final void requireData() throws DecodeException {
    if (overrun()) {
      throw fail("");
    }
  }

  private boolean overrun() {
    return 8L * next - count > 8L * data.length();
  }

  protected final DecodeException fail(String what) {
    if (!overrun()) {
      return corrupt(what, data.position((8L * next - count) / 8));
    }
    if (data.marker() < 0) {
      return truncated("the coded data ends in a block, after byte " + data.end());
    }
    return corrupt("the coded data ends in a block", data.marker());
  }

  protected final void refill() {
    if (count < 32) {
      bits |= data.word(next) >>> count;
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
