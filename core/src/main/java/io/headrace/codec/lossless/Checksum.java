package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// CRC-32C (RFC 3720, appendix B.4), without garbage.
final class Checksum {
  private static final int WINDOW = 8192;

  private final CRC32C crc = new CRC32C();
  private final byte[] window = new byte[WINDOW];

  int of(byte[] bytes, int length) {
    crc.reset();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  int of(MemorySegment bytes, long from, long length) {
    crc.reset();
    for (long done = 0; done < length; done += WINDOW) {
      int step = (int) Math.min(WINDOW, length - done);
      MemorySegment.copy(bytes, JAVA_BYTE, from + done, window, 0, step);
      crc.update(window, 0, step);
    }
    return (int) crc.getValue();
  }

  /// @throws DecodeException with [Fault#CORRUPT] if the checksums differ
  static void require(String what, int found, int expected) throws DecodeException {
    if (found != expected) {
      throw new DecodeException(
          Fault.CORRUPT,
          "lossless: %s has CRC-32C %08x, expected %08x".formatted(what, found, expected));
    }
  }
}
