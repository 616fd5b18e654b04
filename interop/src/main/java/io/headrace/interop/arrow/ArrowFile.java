package io.headrace.interop.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.KeptFile;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardStarts;
import io.headrace.interop.table.Columns;
import io.headrace.interop.table.Features;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One file of record batches: where each lies, and what its columns are used for. Thread-safe.
///
///     0 magic      "ARROW1\0\0", of a file; a stream has none
///     messages     int32 -1; int32 bytes of metadata, 0 at the end; metadata; body
///
/// A body's buffers lie where the metadata say, little-endian.
final class ArrowFile implements AutoCloseable {
  private static final ValueLayout.OfLong I64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Bytes before the metadata of a message.
  private static final int HEAD = 8;

  private static final long MAGIC = 0x0000_3157_4f52_5241L; // ARROW1\0\0
  private static final int MAX_METADATA = 16 << 20;
  private static final int SCHEMA = 1;
  private static final int RECORD_BATCH = 3;

  /// Rows that are stored together.
  static final class Batch {
    static final Batch NONE = new Batch(0, 0, new long[0], new long[0]);

    private final long rows;
    private final long body;
    private final long[] nodes;
    private final long[] buffers;

    /// @param body where it begins in the file
    /// @param nodes rows and nulls of each field
    /// @param buffers where each begins in the body, and its bytes
    Batch(long rows, long body, long[] nodes, long[] buffers) {
      this.rows = rows;
      this.body = body;
      this.nodes = nodes;
      this.buffers = buffers;
    }

    long rows() {
      return rows;
    }

    /// {@return how many values a field has}
    long count(ArrowField field) {
      return nodes[2 * field.number()];
    }

    /// {@return whether some values of a field are not there}
    boolean hasNulls(ArrowField field) {
      return nodes[2 * field.number() + 1] != 0 && bytes(field, 0) > 0;
    }

    /// {@return where a buffer is in the file}
    ///
    /// @param buffer of the field, from 0
    long place(ArrowField field, int buffer) {
      return body + buffers[2 * (field.buffer() + buffer)];
    }

    /// {@return the bytes of a buffer}
    ///
    /// @param buffer of the field, from 0
    long bytes(ArrowField field, int buffer) {
      return buffers[2 * (field.buffer() + buffer) + 1];
    }
  }

  private final KeptFile file;
  private final String name;
  private final ArrowField.Schema schema;
  private final Columns columns;
  private final List<String> classes;
  private final List<Batch> batches = new ArrayList<>();
  private final long[] starts;

  /// Reads where all is.
  ///
  /// @throws io.headrace.error.ConfigException if no column can be the image
  /// @throws CorruptDataException if it is no such file, or is cut
  ArrowFile(Path path, OpenOptions said, Store store) throws IOException {
    name = path.toString();
    ByteFile opened = store.open(path);
    try {
      schema = walk(opened);
      Features features = Features.of(schema.metadata());
      columns = Columns.of(schema.nodes(), features, said, ShardFiles.baseName(path));
      classes = columns.classes(features);
      starts = new long[batches.size() + 1];
      for (int i = 0; i < batches.size(); i++) {
        starts[i + 1] = starts[i] + batches.get(i).rows();
      }
      file = KeptFile.of(path, store, opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private ArrowField.Schema walk(ByteFile in) throws IOException {
    ArrowField.Schema found = null;
    long at = begin(in);
    while (at < in.size()) {
      int length = (int) (read(in, at, HEAD).get(I64, 0) >>> 32);
      long body = at + HEAD + length;
      if (length == 0) {
        break;
      }
      require(length > 0 && length <= MAX_METADATA, Fault.CORRUPT, "metadata of " + length, at);
      ByteBuffer metadata = ByteBuffer.wrap(read(in, at + HEAD, length).toArray(JAVA_BYTE));
      try {
        FlatTable message = FlatTable.root(metadata.order(ByteOrder.LITTLE_ENDIAN));
        long bodyBytes = message.number64(3, 0);
        boolean within = bodyBytes >= 0 && bodyBytes <= in.size() - body;
        require(within, Fault.TRUNCATED, "a body of %d bytes".formatted(bodyBytes), at);
        FlatTable header = Objects.requireNonNull(message.table(2), "no header");
        int type = message.number8(1, 0);
        if (type == SCHEMA && found == null) {
          found = ArrowField.schema(header);
        } else if (type == RECORD_BATCH) {
          batches.add(batch(header, Objects.requireNonNull(found, "no schema"), body, bodyBytes));
        } // dictionaries, whose columns are left out
        at = body + bodyBytes;
      } catch (DecodeException e) {
        throw CorruptDataException.at(new Location(name, -1, null, at), e);
      } catch (IndexOutOfBoundsException | NullPointerException e) {
        throw corrupt(Fault.CORRUPT, "damaged metadata: " + e.getMessage(), at);
      }
    }
    if (found == null) {
      throw corrupt(Fault.TRUNCATED, "%d bytes without a schema".formatted(in.size()), 0);
    }
    return found;
  }

  /// {@return where the first message is}
  private long begin(ByteFile in) throws IOException {
    if (in.size() >= HEAD) {
      long first = read(in, 0, HEAD).get(I64, 0);
      if (first == MAGIC || (int) first == -1) {
        return first == MAGIC ? HEAD : 0;
      }
    }
    DecodeException other = ShardFiles.foreign(in, "an Arrow file");
    if (other != null) {
      throw CorruptDataException.at(Location.of(name), other);
    }
    throw corrupt(Fault.CORRUPT, "the file begins with no message", 0);
  }

  private MemorySegment read(ByteFile in, long at, int length) throws IOException {
    require(length <= in.size() - at, Fault.TRUNCATED, "the file ends in a message", at);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(length);
      in.read(at, bytes);
      return MemorySegment.ofArray(bytes.toArray(JAVA_BYTE));
    }
  }

  private static Batch batch(FlatTable header, ArrowField.Schema schema, long body, long bodyBytes)
      throws DecodeException {
    if (header.table(3) != null) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "a body that is compressed: write the file without compression");
    }
    var batch = new Batch(header.number64(0, 0), body, header.pairs(1), header.pairs(2));
    if (batch.rows() < 0
        || batch.nodes.length != 2 * schema.all()
        || batch.buffers.length != 2 * schema.buffers()) {
      throw new DecodeException(
          Fault.CORRUPT,
          "a batch of %d rows in %d fields and %d buffers, the schema has %d and %d"
              .formatted(
                  batch.rows(),
                  batch.nodes.length / 2,
                  batch.buffers.length / 2,
                  schema.all(),
                  schema.buffers()));
    }
    for (int i = 0; i < batch.buffers.length; i += 2) {
      long start = batch.buffers[i];
      long length = batch.buffers[i + 1];
      if (start < 0 || length < 0 || start > bodyBytes || length > bodyBytes - start) {
        throw new DecodeException(
            Fault.CORRUPT,
            "buffer %d has %d bytes at %d of a body of %d"
                .formatted(i / 2, length, start, bodyBytes));
      }
    }
    for (ArrowField field : schema.fields()) {
      field.check(batch, batch.rows());
    }
    return batch;
  }

  private void require(boolean holds, Fault fault, String what, long at)
      throws CorruptDataException {
    if (!holds) {
      throw corrupt(fault, what, at);
    }
  }

  private CorruptDataException corrupt(Fault fault, String what, long at) {
    return new CorruptDataException(
        fault, "Arrow: " + what, new Location(name, -1, null, at), null);
  }

  KeptFile file() {
    return file;
  }

  String name() {
    return name;
  }

  Columns columns() {
    return columns;
  }

  List<String> classes() {
    return classes;
  }

  /// {@return the values of a column: the fields that these lie in, from the outermost on}
  List<ArrowField> path(Columns.Leaf leaf) {
    return Objects.requireNonNull(schema.path(leaf.column()));
  }

  long rows() {
    return starts[batches.size()];
  }

  /// {@return the number of the batch that has a row}
  int batchOf(long row) {
    return ShardStarts.shardOf(starts, row);
  }

  Batch batch(int number) {
    return batches.get(number);
  }

  /// {@return the number of a batch's first row}
  long firstRow(int batch) {
    return starts[batch];
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
