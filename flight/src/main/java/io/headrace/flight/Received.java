package io.headrace.flight;

import io.headrace.memory.BatchBuffer;
import io.headrace.memory.BatchLayout;
import io.headrace.memory.FieldSlots;
import io.headrace.memory.FieldSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;

/// Copies a record batch, as [Columns] made it, into the memory of a batch.
final class Received {
  private Received() {}

  /// @param into as many slots as there are rows, or more
  /// @throws IOException if the rows are not what the layout says
  static void copy(VectorSchemaRoot rows, BatchBuffer into, BatchLayout layout) throws IOException {
    int size = rows.getRowCount();
    FieldVector images = rows.getVector(Columns.IMAGES);
    long sample = layout.sample().bytes();
    if (images instanceof BaseLargeVariableWidthVector blocks) {
      decompress(blocks, size, into, (int) sample);
    } else {
      MemorySegment.copy(bytes(images, size * sample), 0, into.data(), 0, size * sample);
    }
    ArrowBuf labels = rows.getVector(Columns.LABELS).getDataBuffer();
    ArrowBuf ids = rows.getVector(Columns.IDS).getDataBuffer();
    for (int i = 0; i < size; i++) {
      long at = (long) i * Long.BYTES;
      into.describe(i, labels.getLong(at), ids.getLong(at), 0);
    }
    for (int f = 0; f < layout.fields().size(); f++) {
      FieldSpec spec = layout.fields().get(f);
      copy(rows.getVector(3 + f), size, spec, into.field(f));
    }
    into.seal(size);
  }

  private static void copy(FieldVector column, int size, FieldSpec spec, FieldSlots into)
      throws IOException {
    long row = spec.kind() == FieldSpec.Kind.TEXT ? 1 : spec.rowBytes();
    ArrowBuf offsets = spec.ragged() ? column.getOffsetBuffer() : null;
    long rows = offsets == null ? size : offsets.getLong((long) size * Long.BYTES);
    FieldVector values = column instanceof LargeListVector list ? list.getDataVector() : column;
    MemorySegment bytes = bytes(values, rows * row);
    for (int i = 0; i < size; i++) {
      long from = offsets == null ? i : offsets.getLong((long) i * Long.BYTES);
      long to = offsets == null ? i + 1 : offsets.getLong((i + 1L) * Long.BYTES);
      if (from < 0 || to < from || to > rows || (to - from) * row > spec.room()) {
        throw new IOException("rows %d to %d of field '%s'".formatted(from, to, spec.name()));
      }
      MemorySegment.copy(bytes, from * row, into.cell(i), 0, (to - from) * row);
      into.filled(i, (to - from) * row, false);
    }
  }

  /// {@return the values of a column, or of what its lists hold}
  private static MemorySegment bytes(FieldVector column, long expected) throws IOException {
    FieldVector values = column instanceof FixedSizeListVector list ? list.getDataVector() : column;
    ArrowBuf memory = values.getDataBuffer();
    if (memory.capacity() < expected) {
      throw new IOException(
          "%d bytes of column '%s': expected %d"
              .formatted(memory.capacity(), column.getName(), expected));
    }
    return segment(memory, expected);
  }

  @SuppressWarnings("restricted") // Arrow's memory, of a size that was looked at
  private static MemorySegment segment(ArrowBuf memory, long bytes) {
    return MemorySegment.ofAddress(memory.memoryAddress()).reinterpret(bytes);
  }

  private static void decompress(
      BaseLargeVariableWidthVector blocks, int size, BatchBuffer into, int sample)
      throws IOException {
    LZ4SafeDecompressor lz4 = LZ4Factory.fastestInstance().safeDecompressor();
    ArrowBuf offsets = blocks.getOffsetBuffer();
    ArrowBuf data = blocks.getDataBuffer();
    for (int i = 0; i < size; i++) {
      long from = offsets.getLong((long) i * Long.BYTES);
      long to = offsets.getLong((i + 1L) * Long.BYTES);
      if (from < 0 || to < from || to > data.capacity()) {
        throw new IOException("a block of bytes %d to %d".formatted(from, to));
      }
      ByteBuffer block = data.nioBuffer(from, (int) (to - from));
      int made;
      try {
        made = lz4.decompress(block, 0, (int) (to - from), into.buffer(i), 0, sample);
      } catch (LZ4Exception e) {
        throw new IOException("a block that is not LZ4", e);
      }
      if (made != sample) {
        throw new IOException("%d bytes of a sample: expected %d".formatted(made, sample));
      }
    }
  }
}
