package io.headrace.sound.flac;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One frame of a FLAC stream: its header, and the samples of its channels. Source: RFC 9639,
/// section 9.
///
/// Nothing is thrown: [#read] says how it went, since a caller that looks for the next frame tries
/// many places.
public final class FlacFrame {
  /// How reading went.
  public enum Outcome {
    /// Header, samples and checksum are in order.
    WHOLE,
    /// There is no header here.
    NONE,
    /// The data ends within the frame.
    CUT,
    /// The header is in order, its samples or their checksum are not.
    DAMAGED
  }

  /// Samples a channel can have in a frame.
  public static final int MAX_BLOCK = 65_536;

  private static final int MAX_LPC_ORDER = 32;
  private static final int LEFT_SIDE = 8;
  private static final int RIGHT_SIDE = 9;
  private static final int MID_SIDE = 10;

  private static final int[] RATES = {
    0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000
  };

  /// Bits of a sample by their code: 0 as STREAMINFO says, -1 reserved.
  private static final int[] BITS = {0, 8, 12, -1, 16, 20, 24, 32};

  private static final int[] CRC8 = table(0x07, 8);

  /// Remainders of a byte with 0 to 7 bytes of zeros after it.
  private static final int[][] CRC16 = new int[8][];

  static {
    CRC16[0] = table(0x8005, 16);
    for (int zeros = 1; zeros < CRC16.length; zeros++) {
      CRC16[zeros] = new int[256];
      for (int i = 0; i < 256; i++) {
        int crc = CRC16[zeros - 1][i];
        CRC16[zeros][i] = (crc << 8 & 0xffff) ^ CRC16[0][crc >> 8];
      }
    }
  }

  private final FlacBits in = new FlacBits();
  private final long[] coefficients = new long[MAX_LPC_ORDER];
  private long[][] channels = new long[0][];
  private boolean variable;
  private long number;
  private int blockSize;
  private int assignment;
  private int rate;
  private int bits;
  private long body;
  private long end;

  /// {@return the remainders of a byte divided by a polynomial, highest bit first}
  private static int[] table(int polynomial, int width) {
    int[] table = new int[256];
    for (int i = 0; i < 256; i++) {
      int value = i << (width - 8);
      for (int bit = 0; bit < 8; bit++) {
        boolean high = (value >> (width - 1) & 1) != 0;
        value = (value << 1 ^ (high ? polynomial : 0)) & ((1 << width) - 1);
      }
      table[i] = value;
    }
    return table;
  }

  private static int crc8(MemorySegment bytes, long from, long to) {
    int crc = 0;
    for (long at = from; at < to; at++) {
      crc = CRC8[crc ^ u8(bytes, at)];
    }
    return crc;
  }

  /// {@return the checksum of a frame: 0 if its own is among the bytes and right}
  static int crc16(MemorySegment bytes, long from, long to) {
    int crc = 0;
    long at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long word = bytes.get(FlacBits.U64, at) ^ (long) crc << 48;
      crc =
          CRC16[7][(int) (word >>> 56)]
              ^ CRC16[6][(int) (word >>> 48) & 0xff]
              ^ CRC16[5][(int) (word >>> 40) & 0xff]
              ^ CRC16[4][(int) (word >>> 32) & 0xff]
              ^ CRC16[3][(int) word >>> 24]
              ^ CRC16[2][(int) word >>> 16 & 0xff]
              ^ CRC16[1][(int) word >>> 8 & 0xff]
              ^ CRC16[0][(int) word & 0xff];
    }
    for (; at < to; at++) {
      crc = (crc << 8 & 0xffff) ^ CRC16[0][crc >> 8 ^ u8(bytes, at)];
    }
    return crc;
  }

  private static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xff;
  }

  /// {@return whether a header that its checksum holds lies at `at`}
  boolean readHeader(MemorySegment flac, long at) {
    long size = flac.byteSize();
    if (size - at < 6 || u8(flac, at) != 0xff || (u8(flac, at + 1) & 0xfe) != 0xf8) {
      return false;
    }
    int codes = u8(flac, at + 2);
    int layout = u8(flac, at + 3);
    int sizeCode = codes >> 4;
    int rateCode = codes & 15;
    variable = (u8(flac, at + 1) & 1) != 0;
    assignment = layout >> 4;
    bits = BITS[layout >> 1 & 7];
    if (sizeCode == 0 || rateCode == 15 || assignment > MID_SIDE || bits < 0 || layout % 2 != 0) {
      return false;
    }
    long next = at + 4;
    int lead = u8(flac, next);
    int more = lead < 0x80 ? 0 : Integer.numberOfLeadingZeros(~(lead << 24)) - 1;
    if (more < 0 || (lead >= 0x80 && more == 0) || next + more + 6 > size) {
      return false;
    }
    number = more == 0 ? lead : lead & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
      number = number << 6 | (u8(flac, next + i) & 0x3f);
    }
    next += more + 1L;
    if (sizeCode == 6) {
      blockSize = u8(flac, next++) + 1;
    } else if (sizeCode == 7) {
      blockSize = (u8(flac, next) << 8 | u8(flac, next + 1)) + 1;
      next += 2;
    } else if (sizeCode == 1) {
      blockSize = 192;
    } else {
      blockSize = sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
    }
    if (rateCode < 12) {
      rate = RATES[rateCode];
    } else if (rateCode == 12) {
      rate = 1000 * u8(flac, next++);
    } else {
      rate = (u8(flac, next) << 8 | u8(flac, next + 1)) * (rateCode == 14 ? 10 : 1);
      next += 2;
    }
    body = next + 1;
    return body <= size && crc8(flac, at, body) == 0;
  }

  /// Reads a frame.
  ///
  /// @param flac the whole stream
  /// @param at where it is to start
  /// @param stream what is said of all frames, and counts where this one says nothing
  public Outcome read(MemorySegment flac, long at, FlacStream stream) {
    if (!readHeader(flac, at)) {
      return Outcome.NONE;
    }
    bits = bits == 0 ? stream.bits() : bits;
    rate = rate == 0 ? stream.sampleRate() : rate;
    in.open(flac, body);
    try {
      room();
      boolean sound = true;
      for (int c = 0; sound && c < channels(); c++) {
        boolean side =
            (c == 1 && (assignment == LEFT_SIDE || assignment == MID_SIDE))
                || (c == 0 && assignment == RIGHT_SIDE);
        sound = subframe(channels[c], side ? bits + 1 : bits);
      }
      end = in.align() + 2;
      if (end > flac.byteSize()) {
        return Outcome.CUT;
      }
      if (!sound || crc16(flac, at, end) != 0) {
        return Outcome.DAMAGED;
      }
    } finally {
      in.forget();
    }
    separate();
    return Outcome.WHOLE;
  }

  private void room() {
    if (channels.length < channels()) {
      channels = Arrays.copyOf(channels, channels());
    }
    for (int c = 0; c < channels(); c++) {
      if (channels[c] == null || channels[c].length < blockSize) {
        channels[c] = new long[Math.min(MAX_BLOCK, Integer.highestOneBit(blockSize) * 2)];
      }
    }
  }

  /// {@return whether the samples of a channel could be read}
  private boolean subframe(long[] out, int width) {
    int header = (int) in.take(8);
    int wasted = (header & 1) == 0 ? 0 : (int) Math.min(in.unary() + 1, width);
    int type = header >> 1;
    int left = width - wasted;
    if (header > 0x7f || left < 1) {
      return false;
    }
    boolean sound = true;
    if (type == 0) {
      Arrays.fill(out, 0, blockSize, in.signed(left));
    } else if (type == 1) {
      verbatim(out, 0, blockSize, left);
    } else if (type >= 8 && type <= 12) {
      sound = fixed(out, type - 8, left);
    } else if (type >= 32) {
      sound = linear(out, type - 31, left);
    } else {
      return false;
    }
    for (int i = 0; wasted > 0 && i < blockSize; i++) {
      out[i] <<= wasted;
    }
    return sound && !in.overrun();
  }

  private void verbatim(long[] out, int from, int to, int width) {
    for (int i = from; i < to; i++) {
      out[i] = in.signed(width);
    }
  }

  private boolean fixed(long[] out, int order, int width) {
    if (order > blockSize) {
      return false;
    }
    verbatim(out, 0, order, width);
    if (!residual(out, order)) {
      return false;
    }
    for (int i = order; i < blockSize; i++) {
      out[i] +=
          switch (order) {
            case 0 -> 0;
            case 1 -> out[i - 1];
            case 2 -> 2 * out[i - 1] - out[i - 2];
            case 3 -> 3 * (out[i - 1] - out[i - 2]) + out[i - 3];
            default -> 4 * (out[i - 1] + out[i - 3]) - 6 * out[i - 2] - out[i - 4];
          };
    }
    return true;
  }

  private boolean linear(long[] out, int order, int width) {
    if (order > blockSize) {
      return false;
    }
    verbatim(out, 0, order, width);
    int precision = (int) in.take(4) + 1;
    int shift = (int) in.signed(5);
    if (precision == 16 || shift < 0) {
      return false; // reserved
    }
    for (int j = 0; j < order; j++) {
      coefficients[j] = in.signed(precision); // the first belongs to the sample before
    }
    Arrays.fill(coefficients, order, MAX_LPC_ORDER, 0);
    if (!residual(out, order)) {
      return false;
    }
    if (order <= 12 && blockSize > 12) {
      predict(out, order, 12, shift);
      predictBy12(out, shift);
    } else {
      predict(out, order, blockSize, shift);
    }
    return true;
  }

  /// Adds predictions to what they leave.
  private void predict(long[] out, int order, int end, int shift) {
    for (int i = order; i < end; i++) {
      long sum = 0;
      for (int j = 0; j < order; j++) {
        sum += coefficients[j] * out[i - 1 - j];
      }
      out[i] += sum >> shift;
    }
  }

  /// As [#predict], for orders up to 12, which is what encoders use, written out: the coefficients
  /// after the last are zeros.
  private void predictBy12(long[] out, int shift) {
    long[] c = coefficients;
    long c0 = c[0];
    long c1 = c[1];
    long c2 = c[2];
    long c3 = c[3];
    long c4 = c[4];
    long c5 = c[5];
    long c6 = c[6];
    long c7 = c[7];
    long c8 = c[8];
    long c9 = c[9];
    long c10 = c[10];
    long c11 = c[11];
    boolean eight = (c8 | c9 | c10 | c11) == 0;
    for (int i = 12; i < blockSize; i++) {
      long sum = c7 * out[i - 8] + c6 * out[i - 7] + c5 * out[i - 6] + c4 * out[i - 5];
      sum += c3 * out[i - 4] + c2 * out[i - 3] + c1 * out[i - 2];
      if (!eight) {
        sum += c11 * out[i - 12] + c10 * out[i - 11] + c9 * out[i - 10] + c8 * out[i - 9];
      }
      out[i] += (sum + c0 * out[i - 1]) >> shift;
    }
  }

  /// Reads what prediction leaves, in partitions of equal size.
  private boolean residual(long[] out, int order) {
    int coding = (int) in.take(2);
    int width = coding == 0 ? 4 : 5;
    int escape = (1 << width) - 1;
    int log = (int) in.take(4);
    int partition = blockSize >> log;
    if (coding > 1 || partition << log != blockSize || partition < order) {
      return false;
    }
    int from = order;
    for (int end = partition; end <= blockSize; end += partition) {
      int parameter = (int) in.take(width);
      if (parameter == escape) {
        verbatim(out, from, end, (int) in.take(5));
      } else {
        in.rice(out, from, end, parameter);
      }
      if (in.overrun()) {
        return false;
      }
      from = end;
    }
    return true;
  }

  /// Makes left and right of what two channels have in common.
  private void separate() {
    if (assignment < LEFT_SIDE) {
      return;
    }
    long[] first = channels[0];
    long[] second = channels[1];
    for (int i = 0; i < blockSize; i++) {
      switch (assignment) {
        case LEFT_SIDE -> second[i] = first[i] - second[i];
        case RIGHT_SIDE -> first[i] += second[i];
        default -> {
          long mid = first[i] << 1 | (second[i] & 1);
          first[i] = (mid + second[i]) >> 1;
          second[i] = (mid - second[i]) >> 1;
        }
      }
    }
  }

  /// {@return number of the first sample, by the header}
  public long firstSample(FlacStream stream) {
    return variable || stream.variable() ? number : number * stream.blockSize();
  }

  /// {@return samples a channel}
  public int blockSize() {
    return blockSize;
  }

  public int channels() {
    return assignment < LEFT_SIDE ? assignment + 1 : 2;
  }

  /// {@return bits of a sample}
  public int bits() {
    return bits;
  }

  /// {@return hertz}
  public int sampleRate() {
    return rate;
  }

  /// {@return the samples of a channel, [#blockSize] of them; valid until the next frame is read}
  public long[] samples(int channel) {
    return channels[channel];
  }

  /// {@return where the frame ends}
  public long end() {
    return end;
  }
}
