package io.headrace.memory;

import java.util.List;

/// What lies where in the memory of a batch: the samples' tensors, packed from its start on, then
/// for each field its values and, if they differ in size, the offsets of these. Values and offsets
/// begin at multiples of 64.
///
/// @param sample type and shape of one sample's tensor
/// @param fields the others, in order
/// @param capacity samples that there is room for
public record BatchLayout(TensorSpec sample, List<FieldSpec> fields, int capacity) {
  /// Copies the list.
  public BatchLayout {
    fields = List.copyOf(fields);
  }

  /// {@return bytes of the tensors}
  public long sampleBytes() {
    return Math.multiplyExact(sample.bytes(), capacity);
  }

  /// {@return bytes of it all}
  public long bytes() {
    return fields.isEmpty() ? sampleBytes() : values(fields.size());
  }

  /// {@return where a field's values begin}
  ///
  /// @param field from 0
  public long values(int field) {
    long at = aligned(sampleBytes());
    for (int i = 0; i < field; i++) {
      at = Math.addExact(at, areaBytes(i));
    }
    return at;
  }

  /// {@return bytes that a field's values may take}
  public long valueBytes(int field) {
    return Math.multiplyExact(fields.get(field).room(), capacity);
  }

  /// {@return where a field's offsets begin: int64, one more than there are samples, counted in
  ///     rows, or in bytes of a text; only if it is ragged}
  public long offsets(int field) {
    return values(field) + aligned(valueBytes(field));
  }

  private long areaBytes(int field) {
    long offsets = fields.get(field).ragged() ? (capacity + 1L) * Long.BYTES : 0;
    return Math.addExact(aligned(valueBytes(field)), aligned(offsets));
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, BatchMemory.ALIGNMENT) * BatchMemory.ALIGNMENT;
  }
}
