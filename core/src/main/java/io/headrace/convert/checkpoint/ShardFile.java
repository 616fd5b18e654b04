package io.headrace.convert.checkpoint;

import io.headrace.convert.checkpoint.ShardTally.Counter;
import io.headrace.store.FileChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// The bytes of a shard on their way to disk: counted, checksummed, and on disk when closed.
public final class ShardFile implements WritableByteChannel {
  private final Path path;
  private final FileChannel channel;
  private final CRC32C crc = new CRC32C();
  private final long expected;
  private long bytes;

  /// @param expected bytes the whole file will take, estimated; 0 if unknown
  public ShardFile(Path path, long expected) throws IOException {
    this.path = path;
    this.expected = expected;
    channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int n = source.remaining();
    crc.update(source.duplicate());
    try {
      while (source.hasRemaining()) {
        channel.write(source);
      }
    } catch (IOException e) {
      throw new IOException(
          "cannot write %s: %s; %d bytes are written, %s more are needed, %d are free"
              .formatted(
                  path,
                  e.getMessage(),
                  bytes,
                  expected > bytes + n ? "about " + (expected - bytes) : "at least " + n,
                  freeBytes(path)),
          e);
    }
    bytes += n;
    return n;
  }

  /// {@return bytes that can be written where `path` lies}
  public static long freeBytes(Path path) throws IOException {
    Path existing = path.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
      if (existing == null) {
        return 0;
      }
    }
    return Files.getFileStore(existing).getUsableSpace();
  }

  /// {@return bytes written}
  public long bytes() {
    return bytes;
  }

  /// {@return their CRC-32C}
  public long crc() {
    return crc.getValue();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      try {
        channel.force(true);
      } finally {
        channel.close();
      }
    }
  }

  /// {@return whether a file holds what its tally says}
  static boolean matches(Path file, ShardTally tally) throws IOException {
    return Files.size(file) == tally.get(Counter.FILE_BYTES)
        && FileChecksum.crc32c(file) == tally.get(Counter.FILE_CRC32C);
  }
}
