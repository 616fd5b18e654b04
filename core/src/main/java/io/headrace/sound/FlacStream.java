package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// What a FLAC stream says of itself: STREAMINFO, and the last frame. Source: RFC 9639, 8.2 and
// 9.1.
final class FlacStream {
  /// Bytes of `fLaC`, of a metadata block's header, of STREAMINFO.
  private static final int MAGIC = 4;

  private static final int BLOCK_HEADER = 4;
  private static final int STREAM_INFO = 34;

  /// Where the MD5 of the samples lies: the last 16 bytes of STREAMINFO.
  private static final int MD5 = MAGIC + BLOCK_HEADER + 18;

  /// Headers believed, at most: a bound on time, since each is followed by a checksum.
  private static final int CHECKSUMS = 8;

  private static final int[] CRC8 = table(0x07, 8);
  private static final int[] CRC16 = table(0x8005, 16);

  private long total;
  private int bits;
  private int blockSize;
  private long lastSample;

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

  /// Reads a stream that starts with `fLaC`.
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] or [Fault#CORRUPT] if there is no STREAMINFO
  void read(MemorySegment flac) throws DecodeException {
    if (flac.byteSize() < MAGIC + BLOCK_HEADER + STREAM_INFO) {
      throw new DecodeException(
          Fault.TRUNCATED, "flac: ends after %d bytes, in STREAMINFO".formatted(flac.byteSize()));
    }
    if ((u8(flac, MAGIC) & 0x7f) != 0) {
      throw new DecodeException(Fault.CORRUPT, "flac: the first metadata is not STREAMINFO");
    }
    blockSize = u8(flac, 8) << 8 | u8(flac, 9); // the smallest: that of every block but the last
    bits = ((u8(flac, 20) & 1) << 4 | u8(flac, 21) >> 4) + 1;
    total = (long) (u8(flac, 21) & 15) << 32;
    for (int i = 0; i < 4; i++) {
      total |= (long) u8(flac, 22 + i) << (24 - 8 * i);
    }
    lastSample = findLast(flac);
  }

  /// Looks for the last frame from the end on: the one whose CRC-16 is the last two bytes.
  private long findLast(MemorySegment flac) {
    long end = flac.byteSize();
    long stop = Math.max(MAGIC + BLOCK_HEADER + STREAM_INFO, end - longest());
    int tries = CHECKSUMS;
    for (long at = end - 8; at >= stop && tries > 0; at--) {
      if (u8(flac, at) == 0xff && (u8(flac, at + 1) & 0xfe) == 0xf8) {
        long last = endOfFrame(flac, at, end);
        if (last >= 0) {
          tries--;
          if (crc16(flac, at, end) == 0) {
            return last;
          }
        }
      }
    }
    return -1;
  }

  /// Bytes a frame can have: eight channels stored verbatim, 33 bits a sample, and its header.
  private static long longest() {
    return 65_536L * 8 * 33 / 8 + 64;
  }

  /// {@return number of the sample behind the frame that starts at `at`, or -1 if no header does}
  private long endOfFrame(MemorySegment flac, long at, long end) {
    boolean variable = (u8(flac, at + 1) & 1) != 0;
    int sizeCode = u8(flac, at + 2) >> 4;
    int rateCode = u8(flac, at + 2) & 15;
    if (sizeCode == 0 || rateCode == 15) {
      return -1;
    }
    long next = at + 4;
    int lead = u8(flac, next);
    int more = lead < 0x80 ? 0 : Integer.numberOfLeadingZeros(~(lead << 24)) - 1;
    if (more < 0 || (lead >= 0x80 && more == 0) || next + more + 6 > end) {
      return -1;
    }
    long number = more == 0 ? lead : lead & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
      number = number << 6 | (u8(flac, next + i) & 0x3f);
    }
    next += more + 1L;
    int size;
    if (sizeCode == 6) {
      size = u8(flac, next++) + 1;
    } else if (sizeCode == 7) {
      size = (u8(flac, next) << 8 | u8(flac, next + 1)) + 1;
      next += 2;
    } else if (sizeCode == 1) {
      size = 192;
    } else {
      size = sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
    }
    next += rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0;
    if (next >= end || crc8(flac, at, next + 1) != 0) {
      return -1;
    }
    return (variable ? number : number * blockSize) + size;
  }

  private static int crc8(MemorySegment bytes, long from, long to) {
    int crc = 0;
    for (long at = from; at < to; at++) {
      crc = CRC8[crc ^ u8(bytes, at)];
    }
    return crc;
  }

  private static int crc16(MemorySegment bytes, long from, long to) {
    int crc = 0;
    for (long at = from; at < to; at++) {
      crc = (crc << 8 & 0xffff) ^ CRC16[crc >> 8 ^ u8(bytes, at)];
    }
    return crc;
  }

  private static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xff;
  }

  /// {@return frames of samples as STREAMINFO says, 0 where it does not}
  long total() {
    return total;
  }

  /// {@return bits of a sample}
  int bits() {
    return bits;
  }

  /// {@return frames of samples as the last frame says; -1 if the data does not end with a frame}
  long lastSample() {
    return lastSample;
  }

  /// {@return whether STREAMINFO has a checksum of the samples}
  static boolean hasMd5(MemorySegment flac) {
    for (int i = 0; i < 16; i++) {
      if (u8(flac, MD5 + i) != 0) {
        return true;
      }
    }
    return false;
  }

  /// {@return whether the checksum of the samples in STREAMINFO is `md5`}
  static boolean isMd5(MemorySegment flac, byte[] md5) {
    return MemorySegment.mismatch(flac, MD5, MD5 + 16, MemorySegment.ofArray(md5), 0, md5.length)
        < 0;
  }
}
