package io.headrace.store;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A file of the local file system, open for reading; its size is that when it was opened.
abstract class ChannelFile implements ByteFile {
  final FileChannel channel;
  private final Path path;
  private final long size;

  /// @param channel closed with this
  ChannelFile(Path path, FileChannel channel, long size) {
    this.path = path;
    this.channel = channel;
    this.size = size;
  }

  @Override
  public final Path path() {
    return path;
  }

  @Override
  public final long size() {
    return size;
  }

  /// {@return the fault of a file that ends before all bytes are read}
  ///
  /// @param position where it ends
  /// @param missing bytes that were to follow
  final CorruptDataException endsEarly(long position, long missing) {
    return new CorruptDataException(
        Fault.TRUNCATED,
        "file ends %d bytes early".formatted(missing),
        new Location(path.toString(), -1, null, position),
        null);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
