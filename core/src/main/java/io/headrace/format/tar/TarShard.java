package io.headrace.format.tar;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.format.shard.StreamShard;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.StreamBytes;
import io.headrace.format.tar.archive.TarHeader;
import io.headrace.store.FileStream;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One archive of a dataset, as it was when the dataset was opened.
final class TarShard extends StreamShard<TarIndex> {
  /// Read ahead where members follow each other, and where only headers are looked at.
  private static final long STREAM_BUFFER = 256 << 10;

  static final long HEADER_BUFFER = 4 << 10;

  private final Store store;
  private final MemberRoles roles;
  private @Nullable Notes streamed;
  private volatile @Nullable TarShard neighbour;

  /// Looks at a file's first bytes.
  ///
  /// @param compression the kind it must have, or null
  /// @param declared samples it must have, or -1
  /// @throws CorruptDataException with [io.headrace.error.Fault#MISMATCH] if it is of another kind
  TarShard(
      Path path, Store store, @Nullable StreamKind compression, long declared, MemberRoles roles)
      throws IOException {
    super(path, store, "samples", compression, declared, TarDetector::detect);
    this.store = store;
    this.roles = roles;
  }

  /// {@return which members of a sample are what}
  MemberRoles roles() {
    return roles;
  }

  /// {@return the index: from the file beside the archive if that fits it, else by walking}
  @Override
  protected TarIndex walk() {
    return IndexFile.indexOf(this);
  }

  /// {@return what was odd when the archive was read last, as far as it was}
  synchronized @Nullable Notes notes() {
    TarIndex index = indexOrNull();
    return index != null ? index.notes() : streamed;
  }

  /// {@return what is wrong with the index beside the archive, or an empty text}
  String indexTrouble() {
    TarIndex index = indexOrNull();
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
    if (!indexed() || bytes() < mark) {
      return new long[0];
    }
    try (Arena arena = Arena.ofConfined();
        StreamBytes in = plain(0, HEADER_BUFFER);
        var runs = new RunReader(in, name(), new Notes())) {
      MemorySegment end = arena.allocate(mark, Long.BYTES);
      file().read(bytes() - mark, end);
      boolean marked = TarHeader.isZero(end, 0) && TarHeader.isZero(end, TarHeader.BLOCK);
      return marked && runs.next(null, 0) ? runs.run().kinds() : new long[0];
    } catch (IOException e) {
      return new long[0]; // whoever reads that archive meets its fault
    }
  }

  Store store() {
    return store;
  }

  /// {@return the archive from `position` on, if it is not compressed}
  ///
  /// @param bufferBytes to read ahead
  StreamBytes plain(long position, long bufferBytes) {
    return new StreamBytes(new FileStream(file(), position, false), position, bufferBytes);
  }

  /// {@return a cursor over all samples from the first}
  TarCursor cursor(int maxWindowLog) throws IOException {
    var channel = new FileStream(file().openAnother(), 0, true);
    try {
      var in = indexed() ? channel : decompress(channel, maxWindowLog);
      return new TarCursor(this, channel, new StreamBytes(in, 0, STREAM_BUFFER));
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private ReadableByteChannel decompress(FileStream channel, int window) {
    return Streams.decompress(channel, kind(), name(), window);
  }
}
