package io.headrace.flight;

import io.headrace.error.ConfigException;
import io.headrace.memory.Batch;
import io.headrace.memory.BatchLayout;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.FieldType;
import io.headrace.memory.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/// Batches as Arrow record batches, a row a sample: `images`, `labels`, `ids`, then the fields.
///
/// Tensors are `arrow.fixed_shape_tensor`, a canonical extension type: a fixed-size list with the
/// shape in its metadata. Their element type is Arrow's of that name; bfloat16 travels as its bits
/// in uint16, bool as uint8, and `headrace.dtype` in a column's metadata says so. Under LZ4 a row
/// of `images` is a block of it, and `headrace.compression` says `lz4_raw`.
final class Columns implements AutoCloseable {
  static final String IMAGES = "images";
  static final String LABELS = "labels";
  static final String IDS = "ids";

  /// Says an element type that Arrow has no name for.
  static final String DTYPE = "headrace.dtype";

  /// Says how rows of `images` are compressed.
  static final String COMPRESSION = "headrace.compression";

  static final String LZ4 = "lz4_raw";

  /// What Arrow and gRPC have room for in a message, less than 2³¹.
  private static final long MAX_BYTES = Integer.MAX_VALUE - (16L << 20);

  private final BatchLayout layout;
  private final BufferAllocator allocator;
  private final @Nullable LZ4Compressor compressor;
  private final List<ArrowBuf> taken = new ArrayList<>();
  private final List<Column> columns;
  private final VectorSchemaRoot root;

  /// @throws ConfigException if a batch has no room in a message
  Columns(BatchLayout layout, BufferAllocator allocator, boolean compressed) {
    this.layout = layout;
    this.allocator = allocator;
    compressor = compressed ? LZ4Factory.fastestInstance().fastCompressor() : null;
    if (layout.bytes() > MAX_BYTES) {
      throw new ConfigException(
          "a batch of %d bytes: expected at most %d, since it is one message; ask for smaller batches"
              .formatted(layout.bytes(), MAX_BYTES));
    }
    List<Field> fields = schema(layout, compressed).getFields();
    columns = fields.stream().map(Column::new).toList();
    root = new VectorSchemaRoot(fields, List.<FieldVector>copyOf(columns), 0);
  }

  /// {@return what is sent after each [#set]}
  VectorSchemaRoot root() {
    return root;
  }

  /// {@return the schema of all batches}
  static Schema schema(BatchLayout layout, boolean compressed) {
    List<Field> fields = new ArrayList<>();
    TensorSpec sample = layout.sample();
    FieldType dtype = FieldType.of(sample.dtype());
    if (compressed) {
      Map<String, String> said = tensor(dtype, sample.shape());
      said.put(COMPRESSION, LZ4);
      said.put("shape", sample.shape().toString());
      said.put(DTYPE, dtype.label());
      said.keySet().removeIf(name -> name.startsWith("ARROW:"));
      fields.add(field(IMAGES, new ArrowType.LargeBinary(), said, List.of()));
    } else {
      fields.add(fixed(IMAGES, dtype, sample.shape()));
    }
    fields.add(field(LABELS, type(FieldType.INT64), Map.of(), List.of()));
    fields.add(field(IDS, type(FieldType.UINT64), Map.of(), List.of()));
    for (FieldSpec spec : layout.fields()) {
      fields.add(
          switch (spec.kind()) {
            case FIXED -> fixed(spec.name(), spec.dtype(), spec.shape());
            case RAGGED ->
                field(
                    spec.name(),
                    new ArrowType.LargeList(),
                    Map.of(),
                    List.of(fixed("item", spec.dtype(), spec.shape())));
            case TEXT -> field(spec.name(), new ArrowType.LargeUtf8(), Map.of(), List.of());
          });
    }
    return new Schema(fields);
  }

  private static Field fixed(String name, FieldType dtype, List<Integer> shape) {
    if (shape.isEmpty()) {
      return field(name, type(dtype), bits(dtype), List.of());
    }
    Field item = field("item", type(dtype), Map.of(), List.of());
    int elements = Math.toIntExact(elements(shape));
    return field(name, new ArrowType.FixedSizeList(elements), tensor(dtype, shape), List.of(item));
  }

  private static Map<String, String> tensor(FieldType dtype, List<Integer> shape) {
    Map<String, String> said = new LinkedHashMap<>(bits(dtype));
    said.put("ARROW:extension:name", "arrow.fixed_shape_tensor");
    said.put("ARROW:extension:metadata", "{\"shape\":" + shape + "}");
    return said;
  }

  private static Map<String, String> bits(FieldType dtype) {
    return switch (dtype) {
      case BFLOAT16, BOOL -> Map.of(DTYPE, dtype.label());
      default -> Map.of();
    };
  }

  private static Field field(
      String name, ArrowType type, Map<String, String> said, List<Field> children) {
    return new Field(
        name, new org.apache.arrow.vector.types.pojo.FieldType(false, type, null, said), children);
  }

  private static ArrowType type(FieldType dtype) {
    return switch (dtype) {
      case BOOL, UINT8 -> new ArrowType.Int(8, false);
      case INT8 -> new ArrowType.Int(8, true);
      case UINT16, BFLOAT16 -> new ArrowType.Int(16, false);
      case INT16 -> new ArrowType.Int(16, true);
      case UINT32 -> new ArrowType.Int(32, false);
      case INT32 -> new ArrowType.Int(32, true);
      case UINT64 -> new ArrowType.Int(64, false);
      case INT64 -> new ArrowType.Int(64, true);
      case FLOAT16 -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    };
  }

  private static long elements(List<Integer> shape) {
    long elements = 1;
    for (int extent : shape) {
      elements = Math.multiplyExact(elements, extent);
    }
    return elements;
  }

  /// Makes a batch what [#root] has, until [#release].
  ///
  /// @param memory the batch's, which every message with it refers to
  void set(Batch batch, ArrowBuf memory) {
    int size = batch.size();
    long start = batch.data().address();
    ArrowBuf none = memory.slice(0, 0);
    if (compressor == null) {
      ArrowBuf samples = memory.slice(0, batch.data().byteSize());
      fill(columns.get(0), none, layout.sample().shape(), size, samples);
    } else {
      compress(compressor, columns.get(0), none, batch);
    }
    ArrowBuf labels = longs(size);
    ArrowBuf ids = longs(size);
    for (int i = 0; i < size; i++) {
      labels.setLong((long) i * Long.BYTES, batch.label(i));
      ids.setLong((long) i * Long.BYTES, batch.id(i));
    }
    columns.get(1).set(size, none, labels);
    columns.get(2).set(size, none, ids);
    for (int f = 0; f < layout.fields().size(); f++) {
      FieldSpec spec = layout.fields().get(f);
      Column column = columns.get(3 + f);
      MemorySegment values = batch.values(f);
      ArrowBuf bytes = memory.slice(values.address() - start, values.byteSize());
      if (!spec.ragged()) {
        fill(column, none, spec.shape(), size, bytes);
        continue;
      }
      ArrowBuf offsets = longs(size + 1);
      for (int i = 0; i <= size; i++) {
        offsets.setLong((long) i * Long.BYTES, batch.offset(f, i));
      }
      if (spec.kind() == FieldSpec.Kind.TEXT) {
        column.set(size, none, offsets, bytes);
      } else {
        column.set(size, none, offsets);
        fill(column.child(), none, spec.shape(), batch.offset(f, size), bytes);
      }
    }
    root.setRowCount(size);
  }

  private static void fill(
      Column column, ArrowBuf none, List<Integer> shape, long count, ArrowBuf bytes) {
    if (shape.isEmpty()) {
      column.set(count, none, bytes);
      return;
    }
    column.set(count, none);
    column.child().set(count * elements(shape), none, bytes);
  }

  private void compress(LZ4Compressor lz4, Column column, ArrowBuf none, Batch batch) {
    int size = batch.size();
    int bytes = Math.toIntExact(layout.sample().bytes());
    int most = lz4.maxCompressedLength(bytes);
    ArrowBuf blocks = take((long) size * most);
    ArrowBuf offsets = longs(size + 1);
    MemorySegment data = batch.data();
    long at = 0;
    for (int i = 0; i < size; i++) {
      offsets.setLong((long) i * Long.BYTES, at);
      ByteBuffer sample = data.asSlice((long) i * bytes, bytes).asByteBuffer();
      at += lz4.compress(sample, 0, bytes, blocks.nioBuffer(at, most), 0, most);
    }
    offsets.setLong((long) size * Long.BYTES, at);
    column.set(size, none, offsets, blocks.slice(0, at));
  }

  private ArrowBuf longs(int count) {
    return take((long) count * Long.BYTES);
  }

  private ArrowBuf take(long bytes) {
    ArrowBuf made = allocator.buffer(bytes);
    taken.add(made);
    made.writerIndex(bytes);
    return made;
  }

  @Override
  public void close() {
    release(); // vectors have nothing of their own
  }

  /// Lets go of what [#set] made: messages under way keep it.
  void release() {
    taken.forEach(ArrowBuf::close);
    taken.clear();
  }
}
