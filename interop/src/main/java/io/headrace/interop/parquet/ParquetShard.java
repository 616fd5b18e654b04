package io.headrace.interop.parquet;

import dev.hardwood.HardwoodContext;
import dev.hardwood.metadata.ColumnMetaData;
import dev.hardwood.metadata.CompressionCodec;
import dev.hardwood.metadata.FileMetaData;
import dev.hardwood.metadata.RowGroup;
import dev.hardwood.reader.ParquetFileReader;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.OpenOptions;
import io.headrace.interop.table.Columns;
import io.headrace.interop.table.Features;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/// One file: what its footer says. Immutable.
///
/// @param path of the file
/// @param bytes its size
/// @param rows in it
/// @param columns what is read
/// @param classes names by label; empty if there are none
/// @param batch rows to decode at a time, so that they take a few megabytes
record ParquetShard(
    Path path, long bytes, long rows, Columns columns, List<String> classes, int batch) {
  private static final long BATCH_BYTES = 8 << 20;
  private static final int MAX_BATCH = 256;

  /// Bytes that the columns of a row group may take, as they are stored: the library holds a row
  /// group, and reads the next one ahead.
  private static final long MAX_ROW_GROUP = 1L << 30;

  /// A call to the library, which may fail.
  @FunctionalInterface
  interface Call<T> {
    /// Does it.
    T run() throws IOException;
  }

  /// Reads the footer.
  ///
  /// @throws ConfigException if no column can be the image
  /// @throws CorruptDataException if it is not a Parquet file, or its footer makes no sense
  static ParquetShard open(Path path, OpenOptions said, Store store, HardwoodContext context)
      throws IOException {
    var where = Location.of(path.toString());
    return guarded(
        where,
        () -> {
          try (var input = new ParquetInput(path, store)) {
            DecodeException other = input.foreign();
            if (other != null) {
              throw CorruptDataException.at(where, other);
            }
            if (input.length() < 12) {
              throw new CorruptDataException(
                  Fault.TRUNCATED,
                  "%d bytes: not a Parquet file".formatted(input.length()),
                  where,
                  null);
            }
            try (ParquetFileReader reader = ParquetFileReader.open(input, context)) {
              return of(path, said, input.length(), reader, where);
            }
          }
        });
  }

  private static ParquetShard of(
      Path path, OpenOptions said, long bytes, ParquetFileReader reader, Location where)
      throws CorruptDataException {
    FileMetaData meta = reader.getFileMetaData();
    Features features = Features.of(meta.keyValueMetadata());
    Columns columns =
        Columns.of(
            ParquetSchema.nodes(reader.getFileSchema()),
            features,
            said,
            String.valueOf(path.getFileName()));
    checkRows(meta, where);
    long imageBytes = 0;
    for (RowGroup group : meta.rowGroups()) {
      checkSizes(group, columns, bytes, where);
      imageBytes +=
          group.columns().get(columns.image().column()).metaData().totalUncompressedSize();
    }
    long each = Math.max(1, imageBytes / Math.max(1, meta.numRows()));
    return new ParquetShard(
        path,
        bytes,
        meta.numRows(),
        columns,
        columns.classes(features),
        Math.clamp(BATCH_BYTES / each, 1, MAX_BATCH));
  }

  private static void checkRows(FileMetaData meta, Location where) throws CorruptDataException {
    long rows = 0;
    for (RowGroup group : meta.rowGroups()) {
      if (group.numRows() < 0) {
        throw corrupt("a row group of %d rows".formatted(group.numRows()), where);
      }
      rows += group.numRows();
    }
    if (rows != meta.numRows()) {
      throw corrupt(
          "row groups of %d rows, the footer says %d".formatted(rows, meta.numRows()), where);
    }
  }

  private static void checkSizes(RowGroup group, Columns columns, long fileBytes, Location where)
      throws CorruptDataException {
    long sum = 0;
    for (Columns.Leaf leaf : columns.leaves()) {
      if (leaf.column() >= group.columns().size()) {
        throw corrupt("a row group without column " + leaf.field(), where);
      }
      ColumnMetaData column = group.columns().get(leaf.column()).metaData();
      long size = column.totalCompressedSize();
      if (size < 0 || size > fileBytes || column.totalUncompressedSize() < 0) {
        throw corrupt(
            "column %s of %d bytes in a file of %d".formatted(leaf.field(), size, fileBytes),
            where);
      }
      CompressionCodec codec = column.codec();
      if (codec == CompressionCodec.BROTLI || codec == CompressionCodec.LZO) {
        throw new CorruptDataException(
            Fault.UNSUPPORTED,
            "column %s is compressed with %s, which is not read: write the file anew with zstd"
                .formatted(leaf.field(), codec),
            where,
            null);
      }
      sum += size;
    }
    if (sum > MAX_ROW_GROUP) {
      throw new CorruptDataException(
          Fault.LIMIT,
          "a row group takes %d bytes, at most %d are read: write smaller ones"
              .formatted(sum, MAX_ROW_GROUP),
          where,
          null);
    }
  }

  private static CorruptDataException corrupt(String what, Location where) {
    return new CorruptDataException(Fault.CORRUPT, what, where, null);
  }

  /// Calls the library, which may throw anything at damaged bytes.
  ///
  /// @throws CorruptDataException if it fails
  static <T> T guarded(Location where, Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (ConfigException e) {
      throw e;
    } catch (CorruptDataException e) {
      throw e;
    } catch (UncheckedIOException e) {
      throw fault(where, e.getCause() == null ? e : e.getCause());
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw fault(where, e);
    }
  }

  private static CorruptDataException fault(Location where, Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof CorruptDataException found) {
        return new CorruptDataException(found.fault(), found.reason(), where, e);
      }
    }
    return e instanceof OutOfMemoryError
        ? new CorruptDataException(
            Fault.LIMIT, "cannot be decoded in the memory there is: " + e.getMessage(), where, e)
        : new CorruptDataException(
            Fault.CORRUPT, "cannot be decoded as Parquet: " + e.getMessage(), where, e);
  }
}
