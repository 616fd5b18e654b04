package io.headrace.format.tar;

import io.headrace.format.shard.ShardOptions;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// A file in memory, with nothing beside it.
public final class MemoryFile implements ByteFile {
  private static final Path PATH = Path.of("t.tar");

  private final MemorySegment bytes;

  private MemoryFile(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /// {@return a dataset of one archive}
  public static Tars open(MemorySegment tar) throws IOException {
    return Tars.open(PATH, List.of(PATH), ShardOptions.DEFAULT, store(tar));
  }

  static Tars open(byte[] tar) throws IOException {
    return open(MemorySegment.ofArray(tar));
  }

  private static Store store(MemorySegment tar) {
    return path -> {
      if (!path.equals(PATH)) {
        throw new NoSuchFileException(path.toString());
      }
      return new MemoryFile(tar);
    };
  }

  @Override
  public Path path() {
    return PATH;
  }

  @Override
  public long size() {
    return bytes.byteSize();
  }

  @Override
  public void read(long position, MemorySegment into) {
    MemorySegment.copy(bytes, position, into, 0, into.byteSize());
  }

  @Override
  public void close() {
    // the memory is someone else's
  }
}
