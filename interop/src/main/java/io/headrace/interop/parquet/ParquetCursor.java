package io.headrace.interop.parquet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.hardwood.HardwoodContext;
import dev.hardwood.reader.ColumnReaders;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.schema.ColumnProjection;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Sample;
import io.headrace.interop.table.Columns;
import io.headrace.interop.table.NamedFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Streams the rows of one file, decoded a batch at a time.
final class ParquetCursor implements SampleCursor {
  private final ParquetShard shard;
  private final Store store;
  private final ParquetInput input;
  private final HardwoodContext context;
  private final Watch watch;
  private final BooleanSupplier stopped;
  private final List<Column> fields = new ArrayList<>();
  private @Nullable ParquetFileReader reader;
  private @Nullable ColumnReaders readers;
  private @Nullable Column image;
  private @Nullable Column path;
  private @Nullable Column label;
  private @Nullable Column labelList;
  private long row;
  private int inBatch;
  private int batchRows;
  private boolean ended;
  private boolean resumable;
  private boolean finished;

  /// @param stopped whether the dataset was closed, after which nothing is read
  ParquetCursor(ParquetShard shard, Store store, HardwoodContext context, BooleanSupplier stopped)
      throws IOException {
    this.stopped = stopped;
    requireOpen();
    this.shard = shard;
    this.store = store;
    this.context = context;
    input = new ParquetInput(shard.path(), store);
    watch = new Watch(input, context.executor());
  }

  private void requireOpen() throws ClosedChannelException {
    if (stopped.getAsBoolean() || finished) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public boolean next(Sample into) throws IOException {
    resumable = false;
    requireOpen();
    if (ended) {
      return false;
    }
    ended = true; // unless all goes well
    into.place(shard.path().toString(), row, -1);
    if (!ParquetShard.guarded(into.location(), this::advance)) {
      if (row != shard.rows()) {
        throw new CorruptDataException(
            Fault.TRUNCATED,
            "%d rows, the footer says %d".formatted(row, shard.rows()),
            Location.of(shard.path().toString()),
            null);
      }
      return false;
    }
    into.key(shard.path().getFileName() + "#" + row);
    int at = inBatch++;
    row++;
    ended = false;
    resumable = true;
    try {
      fill(into, at);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
    into.storedBytes(shard.bytes() / shard.rows());
    return true;
  }

  /// {@return whether there is a row, decoded}
  private boolean advance() throws IOException {
    ColumnReaders open = readers;
    if (open == null) {
      open = open();
    }
    while (inBatch == batchRows) {
      if (!watch.call(open::nextBatch)) {
        return false;
      }
      batchRows = open.getRecordCount();
      inBatch = 0;
      load(image);
      load(path);
      load(label);
      fields.forEach(Column::load);
    }
    return true;
  }

  private static void load(@Nullable Column column) {
    if (column != null) {
      column.load();
    }
  }

  private ColumnReaders open() throws IOException {
    Columns columns = shard.columns();
    ParquetFileReader file = ParquetFileReader.open(input, context);
    reader = file;
    String[] names =
        columns.leaves().stream()
            .map(leaf -> file.getFileSchema().getColumn(leaf.column()).fieldPath().toString())
            .toArray(String[]::new);
    ColumnReaders open =
        file.buildColumnReaders(ColumnProjection.columns(names)).batchSize(shard.batch()).build();
    readers = open;
    Map<Integer, Column> byNumber = new HashMap<>();
    for (Columns.Leaf leaf : columns.leaves()) {
      for (int i = 0; i < open.getColumnCount(); i++) {
        var column = open.getColumnReader(i);
        if (column.getColumnSchema().columnIndex() == leaf.column()) {
          byNumber.put(leaf.column(), new Column(leaf, column));
        }
      }
    }
    image = Objects.requireNonNull(byNumber.get(columns.image().column()));
    path = columns.path() == null ? null : byNumber.get(columns.path().column());
    label = columns.label() == null ? null : byNumber.get(columns.label().column());
    for (Columns.Leaf leaf : columns.fields()) {
      Column field = Objects.requireNonNull(byNumber.get(leaf.column()));
      fields.add(field);
      labelList = leaf.equals(columns.labelList()) ? field : labelList;
    }
    return open;
  }

  private void fill(Sample into, int at) throws DecodeException, IOException {
    Column encoded = Objects.requireNonNull(image);
    Column labels = label;
    boolean text = labels != null && shard.columns().hasTextLabels();
    if (labels != null && !text && !labels.isNull(at)) {
      into.label(labels.label(at));
    }
    long imageBytes;
    if (encoded.isNull(at)) {
      imageBytes = readFile(into, at);
    } else {
      imageBytes = encoded.length(at);
      encoded.copy(at, into.ensure(imageBytes), 0);
    }
    into.encoded(0, imageBytes);
    long end = imageBytes;
    for (Column field : fields) {
      end = addField(into, field, at, end);
      if (field == labelList && !field.isNull(at)) {
        into.labelInField();
      }
    }
    if (path != null) {
      end = addField(into, path, at, end);
    }
    if (labels != null && text && !labels.isNull(at)) {
      int length = labels.length(at);
      labels.copy(at, into.ensureKeeping(end + length), end);
      into.labelText(end, length);
    }
  }

  private static long addField(Sample into, Column field, int at, long from)
      throws DecodeException {
    if (field.isNull(at)) {
      return from;
    }
    byte[] name = field.name();
    long value = from + name.length;
    int length = field.length(at);
    MemorySegment memory = into.ensureKeeping(value + length);
    MemorySegment.copy(name, 0, memory, JAVA_BYTE, from, name.length);
    field.copy(at, memory, value);
    into.addField(from, name.length, value, length, false);
    return value + length;
  }

  /// Reads an image that the row only names, from the folder of the Parquet file or below.
  private long readFile(Sample into, int at) throws DecodeException, IOException {
    Column named = path;
    if (named == null || named.isNull(at)) {
      throw new DecodeException(Fault.CORRUPT, "neither bytes nor path of an image");
    }
    return NamedFile.read(shard.path(), named.text(at), store, into);
  }

  @Override
  public boolean resumable() {
    return resumable;
  }

  @Override
  public long bytesRead() {
    return input.bytesRead();
  }

  @Override
  public void close() throws IOException {
    if (finished) {
      return;
    }
    finished = true;
    try (input) {
      ColumnReaders open = readers;
      if (open != null) {
        boolean _ =
            ParquetShard.guarded(
                Location.of(shard.path().toString()), () -> watch.call(() -> close(open)));
      }
      if (reader != null) {
        reader.close();
      }
    } catch (CorruptDataException e) {
      // do not wait for a worker that died: the fault was thrown when the rows were read
    }
  }

  private static boolean close(ColumnReaders open) {
    open.close();
    return true;
  }
}
