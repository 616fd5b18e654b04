package io.headrace.format.tar.archive;

import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The fields of a 512-byte header. Source: IEEE Std 1003.1-2024, `pax`, "ustar Interchange
/// Format"; for base-256 numbers and sparse files the GNU tar manual, "Basic Tar Format".
public final class TarHeader {
  /// Bytes of a header, and the unit that data is padded to.
  public static final int BLOCK = 512;

  static final int NAME = 0;
  static final int NAME_BYTES = 100;
  static final int SIZE = 124;
  static final int NUMBER_BYTES = 12;
  static final int CHECKSUM = 148;
  static final int CHECKSUM_BYTES = 8;
  static final int TYPE = 156;
  static final int MAGIC = 257;
  static final int PREFIX = 345;
  static final int PREFIX_BYTES = 155;

  private static final long USTAR = 0x7261747375L; // "ustar", then 0
  private static final int SPARSE = 386;
  private static final int SPARSE_ENTRIES = 4;
  private static final int SPARSE_EXTENDED = 482;

  /// Where a block that continues a sparse map says whether another one follows.
  private static final int SPARSE_CONTINUED = 504;

  private TarHeader() {}

  /// {@return `bytes` rounded up to whole blocks}
  public static long padded(long bytes) {
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
  }

  public static boolean isZero(MemorySegment block, long at) {
    for (long i = at; i < at + BLOCK; i += Long.BYTES) {
      if (block.get(JAVA_LONG_UNALIGNED, i) != 0) {
        return false;
      }
    }
    return true;
  }

  /// {@return whether the checksum is right, summed over unsigned bytes, as the standard has it, or
  /// signed ones, as some old programs did}
  public static boolean isSound(MemorySegment block, long at) {
    long stored = octal(block, at + CHECKSUM, CHECKSUM_BYTES);
    return stored == sum(block, at, 0xff) || (stored >= 0 && stored == sum(block, at, -1));
  }

  /// {@return the sum over the bytes, with the checksum's own taken as spaces}
  ///
  /// @param mask of the bits that count: 0xff of unsigned bytes, -1 of signed ones
  static int sum(MemorySegment block, long at, int mask) {
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      boolean blank = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES;
      sum += blank ? ' ' : block.get(JAVA_BYTE, at + i) & mask;
    }
    return sum;
  }

  /// {@return the type of member, such as `0`}
  static char type(MemorySegment block, long at) {
    return (char) (block.get(JAVA_BYTE, at + TYPE) & 0xff);
  }

  /// {@return whether it is a POSIX header, whose prefix field is part of the name}
  static boolean isPosix(MemorySegment block, long at) {
    return (block.get(U64, at + MAGIC) & 0xffffffffffffL) == USTAR;
  }

  /// {@return bytes of a text before its NUL}
  static int textLength(MemorySegment bytes, long at, long most) {
    int n = 0;
    while (n < most && bytes.get(JAVA_BYTE, at + n) != 0) {
      n++;
    }
    return n;
  }

  /// {@return bytes of data that follow the header}
  ///
  /// @throws DecodeException with [Fault#CORRUPT] if it is no number, or below zero
  static long size(MemorySegment block, long at) throws DecodeException {
    long size = number(block, at + SIZE);
    if (size == Long.MIN_VALUE) {
      throw new DecodeException(Fault.CORRUPT, "the size of a member is not a number");
    }
    if (size < 0) {
      throw new DecodeException(Fault.CORRUPT, "negative size of a member: " + size);
    }
    return size;
  }

  /// {@return a number of 12 bytes, octal or in base 256; [Long#MIN_VALUE] if it is none, or does
  /// not fit 63 bits}
  private static long number(MemorySegment block, long at) {
    int first = block.get(JAVA_BYTE, at) & 0xff;
    if (first < 0x80) {
      return octal(block, at, NUMBER_BYTES);
    }
    long value = (first & 0x40) != 0 ? first - 0x100L : first & 0x3f;
    for (int i = 1; i < NUMBER_BYTES; i++) {
      if (value != (value << 8) >> 8) {
        return Long.MIN_VALUE;
      }
      value = value << 8 | (block.get(JAVA_BYTE, at + i) & 0xff);
    }
    return value;
  }

  /// {@return an octal number between spaces, that ends at a NUL, a space or the field's end;
  /// [Long#MIN_VALUE] if it is none. No digit at all is zero}
  private static long octal(MemorySegment block, long at, int bytes) {
    long value = 0;
    boolean begun = false;
    for (int i = 0; i < bytes; i++) {
      byte b = block.get(JAVA_BYTE, at + i);
      if (b >= '0' && b <= '7') {
        value = value << 3 | (b - '0');
        begun = true;
      } else if (b == 0 || (b == ' ' && begun)) {
        return value;
      } else if (b != ' ') {
        return Long.MIN_VALUE;
      }
    }
    return value;
  }

  /// {@return bytes that the map in an old GNU sparse header claims; -1 if it makes no sense}
  static long sparseBytes(MemorySegment block, long at) {
    long sum = 0;
    for (int i = 0; i < SPARSE_ENTRIES; i++) {
      long bytes = number(block, at + SPARSE + NUMBER_BYTES * (2L * i + 1));
      if (bytes < 0 || sum + bytes < 0) {
        return -1;
      }
      sum += bytes;
    }
    return sum;
  }

  /// {@return whether the map of an old GNU sparse header goes on in another block}
  static boolean sparseGoesOn(MemorySegment block, long at, boolean header) {
    return block.get(JAVA_BYTE, at + (header ? SPARSE_EXTENDED : SPARSE_CONTINUED)) != 0;
  }
}
