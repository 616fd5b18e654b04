package io.headrace.codec.lossless;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// CRC-32C (RFC 3720, appendix B.4) of off-heap bytes, without garbage: bytes go through a window
/// of its own.
final class Checksum {
  private static final int WINDOW = 8192;

  private final CRC32C crc = new CRC32C();
  private final MemorySegment window;
  private final ByteBuffer buffer;

  /// @param arena owns the window
  Checksum(Arena arena) {
    window = arena.allocate(WINDOW, Long.BYTES);
    buffer = window.asByteBuffer();
  }

  int of(MemorySegment bytes, long from, long length) {
    crc.reset();
    for (long done = 0; done < length; done += WINDOW) {
      int step = (int) Math.min(WINDOW, length - done);
      MemorySegment.copy(bytes, from + done, window, 0, step);
      crc.update(buffer.clear().limit(step));
    }
    return (int) crc.getValue();
  }

  /// @throws DecodeException with [Fault#CORRUPT] if the bytes have another checksum
  void require(String what, MemorySegment bytes, long from, long length, int expected)
      throws DecodeException {
    int found = of(bytes, from, length);
    if (found != expected) {
      throw new DecodeException(
          Fault.CORRUPT,
          "lossless: %s has CRC-32C %08x, expected %08x".formatted(what, found, expected));
    }
  }
}
