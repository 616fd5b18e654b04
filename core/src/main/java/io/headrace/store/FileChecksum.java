package io.headrace.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// Checksums of whole local files.
public final class FileChecksum {
  private static final int CHUNK = 1 << 20;

  private FileChecksum() {}

  /// {@return the CRC-32C of a file}
  public static long crc32c(Path file) throws IOException {
    var crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      while (in.read(buffer) >= 0) {
        crc.update(buffer.flip());
        buffer.clear();
      }
    }
    return crc.getValue();
  }
}
