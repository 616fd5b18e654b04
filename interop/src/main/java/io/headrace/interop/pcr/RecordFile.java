package io.headrace.interop.pcr;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.KeptFile;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One record file. It is opened when first read, and its structure is kept while there is memory
/// for it.
/// Thread-safe.
final class RecordFile implements ShardedDataset.Shard {
  private static final int WINDOW = 4 << 10;

  private final Path path;
  private final PcrIndex.Entry entry;
  private final Store store;
  private final long declared;
  private @Nullable KeptFile file;
  private boolean closed;
  private SoftReference<@Nullable RecordMap> map = new SoftReference<>(null);
  private long count = -1;

  /// @param declared how many images the manifest says there are, or -1
  RecordFile(Path path, PcrIndex.Entry entry, Store store, long declared) {
    this.path = path;
    this.entry = entry;
    this.store = store;
    this.declared = declared;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long bytes() throws IOException {
    return Files.size(path);
  }

  @Override
  public void prepare() {
    long _ = samples();
  }

  PcrIndex.Entry entry() {
    return entry;
  }

  /// {@return the file as errors name it}
  String name() {
    return path.toString();
  }

  /// {@return the key of an image that has none of its own}
  String key(long image) {
    return entry.name() + "#" + image;
  }

  /// {@return the groups to read for a fidelity}
  int groups(int fidelity) {
    return Math.min(fidelity, entry.groups());
  }

  /// {@return images that a dataset counts, as the manifest says, or the metadata. One if the
  ///     metadata cannot be read, so that the fault shows}
  ///
  /// @throws UncheckedIOException if the thread is interrupted or the dataset closed
  @Override
  public synchronized long samples() {
    if (count < 0) {
      count = declared;
    }
    if (count < 0) {
      try (Arena arena = Arena.ofConfined()) {
        ByteFile from = checked();
        var in = new MessageInput(from, arena.allocate(Math.clamp(entry.prefix(0), 1, 64 << 10)));
        count = head(in).images();
      } catch (IOException e) {
        if (KeptFile.stopped(e)) {
          throw new UncheckedIOException(e);
        }
        count = 1;
      }
    }
    return count;
  }

  /// {@return what the metadata says}
  RecordHead head(MessageInput in) throws IOException {
    in.reset(0, entry.prefix(0));
    return read(in);
  }

  private RecordHead read(MessageInput in) throws IOException {
    try {
      return checkCount(RecordHead.read(in, entry.groups()));
    } catch (DecodeException e) {
      throw at(-1, in.position(), e);
    }
  }

  /// {@return what the metadata says, which lies in `bytes`}
  RecordHead head(MemorySegment bytes) throws IOException {
    var in = new MessageInput();
    in.reset(bytes, 0, bytes.byteSize());
    return read(in);
  }

  private RecordHead checkCount(RecordHead head) throws DecodeException {
    if (declared >= 0 && head.images() != declared) {
      throw new DecodeException(
          Fault.MISMATCH, "%d images, but the manifest says %d".formatted(head.images(), declared));
    }
    return head;
  }

  /// {@return where everything lies}
  synchronized RecordMap map() throws IOException {
    RecordMap known = map.get();
    if (known != null) {
      return known;
    }
    try (Arena arena = Arena.ofConfined()) {
      var in = new MessageInput(checked(), arena.allocate(WINDOW));
      try {
        known = new RecordMap(entry, in);
        RecordHead _ = checkCount(known.head());
      } catch (DecodeException e) {
        throw at(-1, in.position(), e);
      }
    }
    map = new SoftReference<>(known);
    return known;
  }

  /// {@return the file, which has as many bytes as the index says}
  synchronized ByteFile checked() throws IOException {
    KeptFile open = file;
    if (closed) {
      throw new ClosedChannelException();
    }
    if (open == null) {
      open = KeptFile.of(path, store, store.open(path));
      file = open;
    }
    long expected = entry.prefix(entry.groups());
    if (open.size() != expected) {
      DecodeException other = ShardFiles.foreign(open, "a record file");
      if (other != null) {
        throw CorruptDataException.at(Location.of(name()), other);
      }
      throw new CorruptDataException(
          open.size() < expected ? Fault.TRUNCATED : Fault.MISMATCH,
          "%d bytes, the index says %d".formatted(open.size(), expected),
          new Location(name(), -1, null, Math.min(open.size(), expected)),
          null);
    }
    return open;
  }

  /// {@return a fault at its place}
  CorruptDataException at(long image, long offset, DecodeException cause) {
    return CorruptDataException.at(
        new Location(name(), image, image < 0 ? null : key(image), offset), cause);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
