package io.headrace.format.race;

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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One shard, open, with its index in memory. A shard whose index cannot be believed keeps the
/// fault: its samples, as many as are declared or else one, throw it when they are read.
final class RaceShard implements ShardedDataset.Shard {
  /// Below this an index is read whatever it says; above, its bytes must be there anyway.
  private static final int MIN = RaceLayout.HEADER + RaceLayout.TRAILER + RaceIndex.HEADER;

  private final Path path;
  private final KeptFile file;
  private final long declared;
  private final @Nullable RaceIndex index;
  private final @Nullable CorruptDataException fault;

  private RaceShard(
      Path path,
      KeptFile file,
      long declared,
      @Nullable RaceIndex index,
      @Nullable CorruptDataException fault) {
    this.path = path;
    this.file = file;
    this.declared = declared;
    this.index = index;
    this.fault = fault;
  }

  /// Reads both ends and the index: three reads.
  ///
  /// @param declared samples that the manifest says there are, or -1
  /// @param declaredBytes size that the manifest says, or -1
  /// @param arena the index lies in
  static RaceShard open(Path path, Store store, long declared, long declaredBytes, Arena arena)
      throws IOException {
    ByteFile opened = store.open(path);
    KeptFile file;
    try {
      file = KeptFile.of(path, store, opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    try {
      RaceIndex index = readIndex(opened, declaredBytes, arena);
      if (declared >= 0 && declared != index.samples()) {
        throw new DecodeException(
            Fault.MISMATCH,
            "%d samples, but the manifest says %d".formatted(index.samples(), declared));
      }
      return new RaceShard(path, file, declared, index, null);
    } catch (DecodeException e) {
      var fault = CorruptDataException.at(Location.of(path.toString()), e);
      return new RaceShard(path, file, declared, null, fault);
    } catch (CorruptDataException e) {
      return new RaceShard(path, file, declared, null, e);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static void requireRace(ByteFile file) throws IOException, DecodeException {
    DecodeException other = ShardFiles.foreign(file, "a race shard");
    if (other != null) {
      throw other;
    }
  }

  private static RaceIndex readIndex(ByteFile file, long declaredBytes, Arena arena)
      throws IOException, DecodeException {
    long size = file.size();
    if (size < MIN) {
      requireRace(file);
      throw new DecodeException(
          Fault.TRUNCATED, "%d bytes: a race shard has at least %d".formatted(size, MIN));
    }
    try (Arena ends = Arena.ofConfined()) {
      MemorySegment header = ends.allocate(RaceLayout.HEADER);
      file.read(0, header);
      if (!RaceLayout.startsLikeRace(header)) {
        requireRace(file);
      }
      int groups = RaceLayout.readHeader(header);
      MemorySegment last = ends.allocate(RaceLayout.TRAILER);
      file.read(size - RaceLayout.TRAILER, last);
      RaceLayout.Trailer trailer = RaceLayout.readTrailer(last, size, groups);
      if (declaredBytes >= 0 && declaredBytes != size) {
        throw new DecodeException(
            Fault.MISMATCH, "%d bytes, but the manifest says %d".formatted(size, declaredBytes));
      }
      MemorySegment bytes = arena.allocate(Math.max(1, trailer.indexBytes()));
      bytes = bytes.asSlice(0, trailer.indexBytes());
      file.read(trailer.indexOffset(), bytes);
      RaceLayout.requireCrc("index", bytes, trailer.indexCrc());
      return new RaceIndex(bytes, trailer, trailer.indexOffset());
    }
  }

  @Override
  public Path path() {
    return path;
  }

  KeptFile file() {
    return file;
  }

  @Override
  public long bytes() {
    return file.size();
  }

  /// {@return samples, or those that stand for what cannot be read}
  @Override
  public long samples() {
    RaceIndex read = index;
    return read != null ? read.samples() : Math.max(1, declared);
  }

  /// {@return the index, or null if it cannot be believed}
  @Nullable RaceIndex indexOrNull() {
    return index;
  }

  /// {@return the index}
  ///
  /// @throws CorruptDataException if it cannot be believed
  RaceIndex index() throws CorruptDataException {
    RaceIndex read = index;
    if (read == null) {
      throw unreadable(-1);
    }
    return read;
  }

  /// {@return the fault that a sample of a shard without an index is}
  private CorruptDataException unreadable(long sample) {
    CorruptDataException cause = fault;
    if (cause == null) {
      throw new IllegalStateException("the shard is sound");
    }
    return new CorruptDataException(
        cause.fault(),
        cause.reason(),
        new Location(path.toString(), sample, null, cause.where().offset()),
        cause);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
