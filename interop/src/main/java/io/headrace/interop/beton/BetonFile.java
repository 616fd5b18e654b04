package io.headrace.interop.beton;

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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One file, as it was when it was opened; layout at [BetonShardWriter]. Thread-safe.
final class BetonFile implements ShardedDataset.Shard {
  private static final int ENTRY = 24;

  /// Entries of the table that are read at a time.
  private static final int PIECE = 4096;

  private final KeptFile file;
  private final String name;
  private final List<BetonField> fields;
  private final int rowBytes;
  private final long rows;
  private final long samples;
  private final long table;
  private volatile long @Nullable [][] sizes;

  /// Reads what columns there are.
  ///
  /// @param declared samples that the manifest says, or -1
  /// @throws CorruptDataException if it is no such file, or is cut
  BetonFile(Path path, Store store, long declared) throws IOException {
    name = path.toString();
    ByteFile opened = store.open(path);
    try (Arena arena = Arena.ofConfined()) {
      if (opened.size() < BetonShardWriter.HEAD) {
        throw corrupt(Fault.TRUNCATED, "%d bytes".formatted(opened.size()), 0);
      }
      MemorySegment head = arena.allocate(BetonShardWriter.HEAD);
      opened.read(0, head);
      ByteBuffer numbers = head.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      int version = numbers.getShort(0) & 0xffff;
      if (version != BetonShardWriter.VERSION) {
        DecodeException other = ShardFiles.foreign(opened, "a .beton file");
        throw other != null
            ? CorruptDataException.at(Location.of(name), other)
            : corrupt(Fault.UNSUPPORTED, "version %d, 2 is read".formatted(version), 0);
      }
      int count = numbers.getShort(2) & 0xffff;
      samples = numbers.getLong(8);
      table = numbers.getLong(16);
      rows = BetonShardWriter.HEAD + (long) count * BetonField.BYTES;
      if (table == 0 || table > opened.size() || rows > opened.size()) {
        throw corrupt(
            Fault.TRUNCATED,
            "table at %d of %d bytes: FFCV writes its place last".formatted(table, opened.size()),
            16);
      }
      MemorySegment descriptors = arena.allocate(rows - BetonShardWriter.HEAD);
      opened.read(BetonShardWriter.HEAD, descriptors);
      try {
        fields = BetonField.read(descriptors.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
      } catch (DecodeException e) {
        throw CorruptDataException.at(Location.of(name), e);
      }
      rowBytes = BetonField.rowBytes(fields);
      if (rowBytes == 0 || table < rows || samples < 0 || samples > (table - rows) / rowBytes) {
        throw corrupt(
            Fault.CORRUPT,
            "%d samples of %d bytes do not lie between %d and %d"
                .formatted(samples, rowBytes, rows, table),
            8);
      }
      if (declared >= 0 && declared != samples) {
        throw corrupt(
            Fault.MISMATCH, "%d samples, but the manifest says %d".formatted(samples, declared), 8);
      }
      file = KeptFile.of(path, store, opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private CorruptDataException corrupt(Fault fault, String what, long at) {
    return new CorruptDataException(
        fault, ".beton: " + what, new Location(name, -1, null, at), null);
  }

  List<BetonField> fields() {
    return fields;
  }

  ByteFile file() {
    return file;
  }

  String name() {
    return name;
  }

  /// {@return where a sample's row is}
  long row(long sample) {
    return rows + sample * rowBytes;
  }

  int rowBytes() {
    return rowBytes;
  }

  /// {@return where data end}
  long dataEnd() {
    return table;
  }

  /// {@return the bytes of the value at a place, as the table says}
  ///
  /// @throws DecodeException if there is none
  long sizeAt(long place) throws IOException, DecodeException {
    long[][] all = sizes();
    int found = Arrays.binarySearch(all[0], place);
    if (found < 0) {
      throw new DecodeException(Fault.CORRUPT, "the table has nothing at %d".formatted(place));
    }
    return all[1][found];
  }

  /// {@return places in ascending order, and the bytes of each}
  private long[][] sizes() throws IOException {
    long[][] all = sizes;
    if (all == null) {
      synchronized (this) {
        all = sizes;
        if (all == null) {
          all = readTable();
          sizes = all;
        }
      }
    }
    return all;
  }

  private long[][] readTable() throws IOException {
    int count = Math.toIntExact((file.size() - table) / ENTRY);
    long[] places = new long[count];
    long[] bytes = new long[count];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate((long) PIECE * ENTRY);
      for (int from = 0; from < count; from += PIECE) {
        int some = Math.min(PIECE, count - from);
        MemorySegment part = piece.asSlice(0, (long) some * ENTRY);
        file.read(table + (long) from * ENTRY, part);
        ByteBuffer numbers = part.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < some; i++) {
          places[from + i] = numbers.getLong(i * ENTRY + 8);
          bytes[from + i] = numbers.getLong(i * ENTRY + 16);
        }
      }
    }
    long[] sorted = places.clone();
    Arrays.sort(sorted); // several writers take turns
    long[] sizes = new long[count];
    for (int i = 0; i < count; i++) {
      sizes[Arrays.binarySearch(sorted, places[i])] = bytes[i];
    }
    return new long[][] {sorted, sizes};
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public long bytes() {
    return file.size();
  }

  @Override
  public long samples() {
    return samples;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
