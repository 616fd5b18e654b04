package io.headrace.interop.mds;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.KeptFile;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One shard. An uncompressed one is opened when first read; a compressed one is decompressed into
/// memory for each cursor. Thread-safe.
final class MdsShard implements ShardedDataset.Shard {
  /// Bytes that a shard may take in memory; MosaicML's own shards have 64 MiB.
  static final long MAX_INFLATED = 1L << 30;

  private final Path path;
  private final MdsIndex.Shard about;
  private final MdsColumns columns;
  private final Store store;
  private final boolean compressed;
  private @Nullable KeptFile file;
  private volatile boolean closed;

  /// @param folder that the index lies in
  /// @throws NoSuchFileException if the file is not there
  MdsShard(Path folder, MdsIndex.Shard about, MdsColumns columns, Store store) throws IOException {
    this.about = about;
    this.columns = columns;
    this.store = store;
    Path raw = folder.resolve(about.raw().name());
    MdsIndex.Data zip = about.zip();
    compressed = zip != null && !Files.exists(raw);
    path = compressed ? folder.resolve(Objects.requireNonNull(zip).name()) : raw;
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "the index names it, but it is missing");
    }
  }

  @Override
  public Path path() {
    return path;
  }

  String name() {
    return path.toString();
  }

  /// {@return the key of a sample}
  String key(long sample) {
    return about.raw().name() + "#" + sample;
  }

  MdsIndex.Shard about() {
    return about;
  }

  MdsColumns columns() {
    return columns;
  }

  @Override
  public long bytes() throws IOException {
    return Files.size(path);
  }

  @Override
  public long samples() {
    return about.samples();
  }

  @Override
  public boolean indexed() {
    return !compressed;
  }

  boolean compressed() {
    return compressed;
  }

  /// {@return what is known about the file that is there}
  MdsIndex.Data stored() {
    return compressed ? Objects.requireNonNull(about.zip()) : about.raw();
  }

  /// {@return the uncompressed file}
  synchronized ByteFile file() throws IOException {
    KeptFile open = file;
    if (closed) {
      throw new ClosedChannelException();
    }
    if (open == null) {
      open = KeptFile.of(path, store, store.open(path));
      file = open;
    }
    checkSize(open);
    return open;
  }

  private void checkSize(ByteFile open) throws IOException {
    long size = open.size();
    long expected = stored().bytes();
    if (size != expected) {
      DecodeException other = ShardFiles.foreign(open, "an MDS shard");
      if (other != null && !compressed) {
        throw CorruptDataException.at(Location.of(name()), other);
      }
      throw new CorruptDataException(
          size < expected ? Fault.TRUNCATED : Fault.MISMATCH,
          "%d bytes, the index says %d".formatted(size, expected),
          new Location(name(), -1, null, Math.min(size, expected)),
          null);
    }
  }

  /// Decompresses the shard.
  ///
  /// @param into takes its bytes at its start
  void inflate(Block into) throws IOException {
    StreamKind kind = kind();
    if (closed) {
      throw new ClosedChannelException();
    }
    try (ByteFile zip = store.open(path)) {
      checkSize(zip);
      var hashes = new Hashes(stored().hashes());
      var in = new FileChannelOf(zip, hashes);
      long expected = about.raw().bytes();
      long at = 0;
      try (ReadableByteChannel plain = Streams.decompress(in, kind, name())) {
        while (true) {
          MemorySegment memory = into.ensureKeeping(Math.min(expected + 1, at + (1 << 20)));
          int n =
              plain.read(
                  memory.asSlice(at, Math.min(1 << 20, memory.byteSize() - at)).asByteBuffer());
          if (n < 0) {
            break;
          }
          at += n;
          if (at > expected) {
            break;
          }
        }
      }
      if (at != expected) {
        throw new DecodeException(
            at < expected ? Fault.TRUNCATED : Fault.MISMATCH,
            "%s bytes when decompressed, the index says %d"
                .formatted(at > expected ? "more than " + expected : at, expected));
      }
      hashes.check();
      if (!hashes.any()) {
        var raw = new Hashes(about.raw().hashes());
        raw.update(into.memory().asSlice(0, at));
        raw.check();
      }
    } catch (DecodeException e) {
      throw CorruptDataException.at(Location.of(name()), e);
    }
  }

  private StreamKind kind() throws CorruptDataException {
    String spec = about.compression();
    int colon = spec.indexOf(':');
    String algorithm = colon < 0 ? spec : spec.substring(0, colon);
    return switch (algorithm) {
      case "zstd" -> StreamKind.ZSTD;
      case "gz" -> StreamKind.GZIP;
      case "bz2" -> StreamKind.BZIP2;
      default ->
          throw new CorruptDataException(
              Fault.UNSUPPORTED,
              "shard compressed with '%s': zstd, gz and bz2 are read".formatted(spec),
              Location.of(name()),
              null);
    };
  }

  /// {@return a fault at its place}
  CorruptDataException at(long sample, long offset, DecodeException cause) {
    return CorruptDataException.at(
        new Location(name(), sample, sample < 0 ? null : key(sample), offset), cause);
  }

  /// {@return a new block for a shard}
  static Block block() {
    return new Block(new MemoryBudget(MAX_INFLATED));
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (file != null) {
      file.close();
      file = null;
    }
  }

  /// The bytes of a file as a channel, which takes them into hashes as they pass.
  private static final class FileChannelOf implements ReadableByteChannel {
    private final ByteFile file;
    private final Hashes hashes;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment window = arena.allocate(256 << 10);
    private long position;

    FileChannelOf(ByteFile file, Hashes hashes) {
      this.file = file;
      this.hashes = hashes;
    }

    @Override
    public int read(java.nio.ByteBuffer into) throws IOException {
      long left = file.size() - position;
      if (left == 0) {
        return -1;
      }
      int n = (int) Math.min(Math.min(left, window.byteSize()), into.remaining());
      MemorySegment part = window.asSlice(0, n);
      file.read(position, part);
      hashes.update(part);
      into.put(part.asByteBuffer());
      position += n;
      return n;
    }

    @Override
    public boolean isOpen() {
      return arena.scope().isAlive();
    }

    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
      }
    }
  }
}
