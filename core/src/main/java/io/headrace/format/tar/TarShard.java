package io.headrace.format.tar;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.KeptFile;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One archive of a dataset, as it was when the dataset was opened.
final class TarShard implements Closeable {
  /// Read ahead where members follow each other, and where only headers are looked at.
  private static final long STREAM_BUFFER = 256 << 10;

  static final long HEADER_BUFFER = 4 << 10;

  private final Path path;
  private final String name;
  private final Store store;
  private final long declared;
  private final KeptFile kept;
  private final StreamKind kind;
  private final MemberRoles roles;
  private @Nullable TarIndex index;
  private @Nullable Notes streamed;
  private volatile @Nullable TarShard neighbour;

  private TarShard(
      Path path, Store store, long declared, KeptFile kept, StreamKind kind, MemberRoles roles) {
    this.roles = roles;
    this.path = path;
    this.name = path.toString();
    this.store = store;
    this.declared = declared;
    this.kept = kept;
    this.kind = kind;
  }

  /// Looks at a file's first bytes.
  ///
  /// @param compression the kind it must have, or null
  /// @param declared samples it must have, or -1
  /// @throws CorruptDataException with [Fault#MISMATCH] if it is of another kind
  static TarShard open(Path path, Store store, @Nullable StreamKind compression, long declared)
      throws IOException {
    return open(path, store, compression, declared, MemberRoles.USUAL);
  }

  /// As [#open(Path, Store, StreamKind, long)], with what its members are.
  static TarShard open(
      Path path, Store store, @Nullable StreamKind compression, long declared, MemberRoles roles)
      throws IOException {
    try (ByteFile file = store.open(path)) {
      StreamKind found = TarDetector.detect(file);
      if (file.size() == 0 || compression == null || compression == found) {
        return new TarShard(path, store, declared, KeptFile.like(path, store, file), found, roles);
      }
      boolean plain = found == StreamKind.NONE;
      throw new CorruptDataException(
          Fault.MISMATCH,
          "declared as %s, but is %s"
              .formatted(compression.label(), plain ? "not compressed (none)" : found.label()),
          Location.of(path.toString()),
          null);
    }
  }

  Path path() {
    return path;
  }

  /// {@return the path in words, for places}
  String name() {
    return name;
  }

  StreamKind kind() {
    return kind;
  }

  /// {@return which members of a sample are what}
  MemberRoles roles() {
    return roles;
  }

  long bytes() {
    return kept.size();
  }

  /// {@return samples that the manifest declares, or -1}
  long declared() {
    return declared;
  }

  /// {@return samples in the archive, plus one that stands for a damaged tail; or as many as
  /// declared}
  long samples() {
    if (declared >= 0) {
      return declared;
    }
    TarIndex i = index();
    return i.count() + (i.fault() == null ? 0L : 1L);
  }

  /// Checks that nothing follows the samples that the manifest declares.
  ///
  /// @throws CorruptDataException with [Fault#MISMATCH] if something does
  void checkNotMore() throws CorruptDataException {
    TarIndex i = index();
    if (declared >= 0 && (i.count() > declared || (i.count() == declared && i.fault() != null))) {
      throw new CorruptDataException(
          Fault.MISMATCH,
          "more than the %d samples that the manifest says: %d samples in %d bytes"
              .formatted(declared, i.count(), kept.size()),
          Location.of(name),
          i.fault());
    }
  }

  /// {@return the index: from the file beside the archive if that fits it, else by walking}
  synchronized TarIndex index() {
    TarIndex i = index;
    if (i == null) {
      i = IndexFile.indexOf(this);
      index = i;
    }
    return i;
  }

  /// {@return what was odd when the archive was read last, as far as it was}
  synchronized @Nullable Notes notes() {
    return index != null ? index.notes() : streamed;
  }

  /// {@return what is wrong with the index beside the archive, or an empty text}
  synchronized String indexTrouble() {
    return index == null ? "" : index.trouble();
  }

  /// Takes note of what was odd when the archive was streamed.
  ///
  /// @param whole whether it was read to its end
  synchronized void streamed(Notes notes, boolean whole) {
    if (whole || streamed == null) {
      streamed = notes;
    }
  }

  /// Sets another archive of the set.
  void neighbour(TarShard other) {
    neighbour = other;
  }

  /// {@return the extensions, as hashes, of the first sample of another archive of the set, if that
  /// is not compressed and has its end mark; else none}
  long[] othersKinds() {
    TarShard other = neighbour;
    return other == null ? new long[0] : other.firstKinds();
  }

  private long[] firstKinds() {
    long mark = 2L * TarHeader.BLOCK;
    if (kind != StreamKind.NONE || bytes() < mark) {
      return new long[0];
    }
    try (Arena arena = Arena.ofConfined();
        StreamBytes in = plain(0, HEADER_BUFFER);
        var runs = new RunReader(in, name, new Notes())) {
      MemorySegment end = arena.allocate(mark, Long.BYTES);
      kept.read(bytes() - mark, end);
      boolean marked = TarHeader.isZero(end, 0) && TarHeader.isZero(end, TarHeader.BLOCK);
      return marked && runs.next(null, 0) ? runs.run().kinds() : new long[0];
    } catch (IOException e) {
      return new long[0]; // whoever reads that archive meets its fault
    }
  }

  Store store() {
    return store;
  }

  /// {@return the open file}
  ByteFile file() {
    return kept;
  }

  /// {@return the archive from `position` on, if it is not compressed}
  ///
  /// @param bufferBytes to read ahead
  StreamBytes plain(long position, long bufferBytes) {
    return new StreamBytes(new StoreChannel(file(), position, false), position, bufferBytes);
  }

  /// {@return a cursor over all samples from the first}
  TarCursor cursor(int maxWindowLog) throws IOException {
    var channel = new StoreChannel(kept.openAnother(), 0, true);
    try {
      var in = kind == StreamKind.NONE ? channel : decompress(channel, maxWindowLog);
      return new TarCursor(this, channel, new StreamBytes(in, 0, STREAM_BUFFER));
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private java.nio.channels.ReadableByteChannel decompress(StoreChannel channel, int window) {
    return Streams.decompress(channel, kind, name, window);
  }

  @Override
  public void close() throws IOException {
    kept.close();
  }
}
