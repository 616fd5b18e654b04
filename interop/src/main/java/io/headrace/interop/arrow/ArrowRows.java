package io.headrace.interop.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.files.ShardFiles;
import io.headrace.interop.arrow.ArrowFile.Batch;
import io.headrace.interop.table.Columns;
import io.headrace.interop.table.NamedFile;
import io.headrace.interop.table.Node.Kind;
import io.headrace.interop.table.Rows;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Reads rows of files, each by itself.
final class ArrowRows extends Rows {
  private static final ValueLayout.OfShort I16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt I32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong I64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final List<ArrowFile> files;

  private final Store store;
  private final Block scratch = new Block(MemoryBudget.unbounded());

  /// Where the bytes read last are in the file.
  private long place;

  /// The file at hand, and where its columns are.
  private @Nullable ArrowFile file;

  private List<Columns.Leaf> leaves = List.of();
  private List<List<ArrowField>> fields = List.of();
  private List<byte[]> names = List.of();
  private long firstRow;
  private Batch batch = Batch.NONE;

  /// @param files whose rows are numbered through
  ArrowRows(List<ArrowFile> files, long[] starts, Store store) {
    super(starts);
    this.files = files;
    this.store = store;
  }

  @Override
  protected void read(int number, long row, Sample into) throws DecodeException, IOException {
    ArrowFile from = files.get(number);
    into.place(from.name(), row, -1);
    into.key(ShardFiles.baseName(from.file().path()) + "#" + row);
    if (from != file || row < firstRow || row >= firstRow + batch.rows()) {
      enter(from, from.batchOf(row));
    }
    fill(from, row - firstRow, into);
  }

  private void enter(ArrowFile from, int number) {
    if (from != file) {
      leaves = from.columns().leaves();
      fields = leaves.stream().map(from::path).toList();
      names = leaves.stream().map(leaf -> leaf.field().getBytes(UTF_8)).toList();
      file = from;
    }
    batch = from.batch(number);
    firstRow = from.firstRow(number);
  }

  private void fill(ArrowFile from, long row, Sample into) throws DecodeException, IOException {
    Columns columns = from.columns();
    long end = image(from, row, into);
    for (int leaf = 1; leaf < leaves.size(); leaf++) {
      Columns.Leaf each = leaves.get(leaf);
      List<ArrowField> path = fields.get(leaf);
      byte[] name = names.get(leaf);
      if (each.equals(columns.label())) {
        if (each.kind() != Kind.TEXT) {
          label(path, row, into);
        } else {
          long length = value(path, row, end, into);
          if (length >= 0) {
            into.labelText(end, length);
            end += length;
          }
        }
        continue;
      }
      MemorySegment memory = into.ensureKeeping(end + name.length);
      MemorySegment.copy(name, 0, memory, JAVA_BYTE, end, name.length);
      long length = value(path, row, end + name.length, into);
      if (length >= 0) {
        into.addField(end, name.length, end + name.length, length, false);
        end += name.length + length;
        if (each.equals(columns.labelList())) {
          into.labelInField();
        }
      }
    }
  }

  /// Reads the image to the start of the memory.
  ///
  /// @return its bytes
  private long image(ArrowFile from, long row, Sample into) throws DecodeException, IOException {
    long length = value(fields.getFirst(), row, 0, into);
    if (length < 0) {
      Columns.Leaf named = from.columns().path();
      long bytes = named == null ? -1 : value(fields.get(1), row, 0, into);
      if (bytes < 0) {
        throw new DecodeException(Fault.CORRUPT, "neither bytes nor path of an image");
      }
      MemorySegment text = into.block().memory().asSlice(0, bytes);
      String name = new String(text.toArray(JAVA_BYTE), UTF_8);
      length = NamedFile.read(Path.of(from.name()), name, store, into);
      count(length);
    }
    into.encoded(0, length);
    into.offset(place);
    return length;
  }

  private void label(List<ArrowField> path, long row, Sample into)
      throws DecodeException, IOException {
    switch (walk(path, 0, row)) {
      case null -> {}
      case Boolean truth -> into.label(truth ? 1 : 0);
      case Long number -> into.label(number);
      case Object number ->
          into.label(Columns.classOf(((Number) number).doubleValue(), number.toString()));
    }
  }

  /// Puts the value of a row into the sample's memory: bytes and texts as they are, numbers as
  /// text, lists as JSON.
  ///
  /// @param at where
  /// @return its bytes, or -1 if the row has none
  private long value(List<ArrowField> path, long row, long at, Sample into)
      throws DecodeException, IOException {
    ArrowField leaf = path.getLast();
    boolean listed = path.stream().anyMatch(field -> isList(field.type()));
    if (!listed && (leaf.type() == ArrowField.Type.BYTES || leaf.type() == ArrowField.Type.TEXT)) {
      for (ArrowField field : path) {
        if (!isThere(field, row)) {
          return -1;
        }
      }
      long start = number(leaf, 1, row, leaf.width());
      long end = number(leaf, 1, row + 1, leaf.width());
      long position = position(leaf, 2, start, end - start, 1);
      Block.requirePossible(at + end - start);
      MemorySegment memory = into.ensureKeeping(at + end - start);
      Objects.requireNonNull(file).file().read(position, memory.asSlice(at, end - start));
      count(end - start);
      place = position;
      return end - start;
    }
    Object value = walk(path, 0, row);
    if (value == null) {
      return -1;
    }
    byte[] text =
        (listed ? JsonMapper.shared().writeValueAsString(value) : value.toString()).getBytes(UTF_8);
    MemorySegment memory = into.ensureKeeping(at + text.length);
    MemorySegment.copy(text, 0, memory, JAVA_BYTE, at, text.length);
    return text.length;
  }

  private static boolean isList(ArrowField.Type type) {
    return type == ArrowField.Type.LIST || type == ArrowField.Type.FIXED_LIST;
  }

  /// {@return what a field has at an index, of the last field of the path: a number, a text, or a
  ///     list of these or of lists; null if there is none}
  private @Nullable Object walk(List<ArrowField> path, int depth, long index)
      throws DecodeException, IOException {
    ArrowField field = path.get(depth);
    if (!isThere(field, index)) {
      return null;
    }
    return switch (field.type()) {
      case STRUCT -> walk(path, depth + 1, index);
      case LIST ->
          list(
              path,
              depth + 1,
              number(field, 1, index, field.width()),
              number(field, 1, index + 1, field.width()));
      case FIXED_LIST -> list(path, depth + 1, index * field.width(), (index + 1) * field.width());
      case BOOL -> bit(field, 1, index);
      case SIGNED, UNSIGNED, FLOAT -> scalar(field, number(field, 1, index, field.width()));
      case BYTES, TEXT -> {
        long start = number(field, 1, index, field.width());
        long length = number(field, 1, index + 1, field.width()) - start;
        long position = position(field, 2, start, length, 1);
        yield new String(bytes(position, length).toArray(JAVA_BYTE), UTF_8);
      }
      case OTHER -> throw new IllegalStateException("columns of other types are left out");
    };
  }

  private List<@Nullable Object> list(List<ArrowField> path, int depth, long from, long to)
      throws DecodeException, IOException {
    ArrowField element = path.get(depth);
    List<@Nullable Object> values = new ArrayList<>();
    boolean numbers =
        switch (element.type()) {
          case SIGNED, UNSIGNED, FLOAT -> !batch.hasNulls(element);
          default -> false;
        };
    if (numbers && to > from) { // in one read
      int width = element.width();
      long length = Math.multiplyExact(to - from, width);
      MemorySegment all = bytes(position(element, 1, from, to - from, width), length);
      for (long i = 0; i < length; i += width) {
        values.add(scalar(element, whole(all, i, width)));
      }
      return values;
    }
    for (long i = from; i < to; i++) {
      values.add(walk(path, depth, i));
    }
    return values;
  }

  private static Object scalar(ArrowField field, long bits) {
    if (field.type() == ArrowField.Type.FLOAT) {
      return switch (field.width()) {
        case 2 -> Float.float16ToFloat((short) bits);
        case 4 -> Float.intBitsToFloat((int) bits);
        default -> Double.longBitsToDouble(bits);
      };
    }
    int unused = 64 - 8 * field.width();
    return field.type() == ArrowField.Type.SIGNED
        ? (bits << unused) >> unused
        : bits >= 0 ? (Object) bits : new BigInteger(Long.toUnsignedString(bits));
  }

  private boolean isThere(ArrowField field, long index) throws DecodeException, IOException {
    return !batch.hasNulls(field) || bit(field, 0, index);
  }

  private boolean bit(ArrowField field, int buffer, long index)
      throws DecodeException, IOException {
    return ((number(field, buffer, index / 8, 1) >> (index % 8)) & 1) != 0;
  }

  /// {@return a number of a buffer, its upper bits zero}
  private long number(ArrowField field, int buffer, long index, int width)
      throws DecodeException, IOException {
    return read(position(field, buffer, index, 1, width), width);
  }

  /// {@return where values lie in the file}
  ///
  /// @param buffer of the field, from 0
  /// @throws DecodeException if the buffer does not have them
  private long position(ArrowField field, int buffer, long index, long count, int width)
      throws DecodeException {
    long length = batch.bytes(field, buffer);
    if (index < 0 || count < 0 || index > length / width - count) {
      throw new DecodeException(
          Fault.CORRUPT,
          "column %s: %d values at %d of a buffer of %d bytes"
              .formatted(field.name(), count, index, length));
    }
    return batch.place(field, buffer) + index * width;
  }

  private MemorySegment bytes(long position, long length) throws DecodeException, IOException {
    MemorySegment bytes = scratch.ensure(length).asSlice(0, length);
    Objects.requireNonNull(file).file().read(position, bytes);
    count(length);
    return bytes;
  }

  private long read(long position, int width) throws DecodeException, IOException {
    return whole(bytes(position, width), 0, width);
  }

  private static long whole(MemorySegment bytes, long at, int width) {
    return switch (width) {
      case 1 -> bytes.get(JAVA_BYTE, at) & 0xffL;
      case 2 -> bytes.get(I16, at) & 0xffffL;
      case 4 -> bytes.get(I32, at) & 0xffff_ffffL;
      default -> bytes.get(I64, at);
    };
  }

  @Override
  public void close() {
    scratch.close(); // files belong to the dataset
  }
}
