package io.headrace.format.race;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A temporary file that is gone when closed. Small writes are gathered.
final class Spill implements WritableByteChannel {
  private static final int BUFFER = 256 << 10;

  private final Path path;
  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

  Spill(Path path) throws IOException {
    this.path = path;
    file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int bytes = source.remaining();
    if (bytes > buffer.remaining()) {
      drain();
    }
    if (bytes > buffer.remaining()) {
      writeOut(source);
    } else {
      buffer.put(source);
    }
    return bytes;
  }

  private void drain() throws IOException {
    writeOut(buffer.flip());
    buffer.clear();
  }

  private void writeOut(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new IOException(
          "cannot write %s: %s; %d bytes are written, %d are free"
              .formatted(
                  path,
                  e.getMessage(),
                  file.size(),
                  Files.getFileStore(path.toAbsolutePath()).getUsableSpace()),
          e);
    }
  }

  /// Appends all that was written to another file.
  void copyTo(WritableByteChannel target) throws IOException {
    drain();
    file.position(0);
    while (file.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        target.write(buffer);
      }
      buffer.clear();
    }
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      Files.deleteIfExists(path); // first, so that no file system has to keep what was written
    }
  }
}
