package io.headrace.store.disk;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Measures how fast a folder's disk is read in sequence, past the page cache.
///
/// @param bytesPerSecond the rate
/// @param direct whether the page cache was bypassed (`O_DIRECT`); if not, for instance on tmpfs,
///     the rate is memory's
public record DiskProbe(double bytesPerSecond, boolean direct) {
  private static final int CHUNK = 1 << 20;
  private static final int ALIGNMENT = 4096;

  /// Writes `mebibytes` to a temporary file in `folder` and reads them back. The file loses its
  /// name before anything is written, so that none is left over when the process is killed.
  ///
  /// @throws IOException if the folder cannot be written to
  public static DiskProbe of(Path folder, int mebibytes) throws IOException {
    Path file = Files.createTempFile(folder, ".headrace-probe", null);
    try (Arena arena = Arena.ofConfined();
        FileChannel out = FileChannel.open(file, WRITE);
        FileChannel plain = FileChannel.open(file, READ);
        FileChannel direct = openDirect(file)) {
      Files.delete(file);
      MemorySegment memory = arena.allocate(CHUNK, ALIGNMENT);
      for (long i = 0; i < CHUNK; i += Long.BYTES) {
        memory.setAtIndex(ValueLayout.JAVA_LONG, i / Long.BYTES, i * 0x9e3779b97f4a7c15L);
      }
      ByteBuffer buffer = memory.asByteBuffer();
      for (int i = 0; i < mebibytes; i++) {
        buffer.clear();
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
      }
      out.force(true);
      if (direct != null) {
        try {
          return new DiskProbe(rate(direct, buffer), true);
        } catch (IOException e) {
          // it can be opened so, and not read
        }
      }
      return new DiskProbe(rate(plain, buffer), false);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /// {@return the file as it is read past the page cache, or null where that is not offered}
  private static @Nullable FileChannel openDirect(Path file) {
    try {
      return FileChannel.open(file, READ, DirectOption.get());
    } catch (UnsupportedOperationException | IOException e) {
      return null;
    }
  }

  private static double rate(FileChannel in, ByteBuffer buffer) throws IOException {
    long bytes = 0;
    long start = System.nanoTime();
    for (int n = 0; n >= 0; bytes += n) {
      buffer.clear();
      n = in.read(buffer);
      if (n < 0) {
        break;
      }
    }
    return bytes / ((System.nanoTime() - start) / 1e9);
  }
}
