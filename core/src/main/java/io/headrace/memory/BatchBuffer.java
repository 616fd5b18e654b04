package io.headrace.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Room for one batch: sample tensors side by side, label, id and checksum of each, and fields.
///
/// Producers write disjoint slots from many threads; the caller that passes the buffer on orders
/// the writes before the reads.
public final class BatchBuffer {
  private final TensorSpec sample;
  private final MemorySegment data;
  private final long stride;
  private final long[] labels;
  private final long[] ids;
  private final long[] hashes;
  private final MemorySegment[] slots;
  private final @Nullable ByteBuffer[] buffers;
  private final FieldSlots[] fields;

  /// @param sample type and shape of one sample
  /// @param data at least `capacity` samples, packed
  /// @param capacity slots
  public BatchBuffer(TensorSpec sample, MemorySegment data, int capacity) {
    this(new BatchLayout(sample, List.of(), capacity), data);
  }

  /// @param data as many bytes as the layout says
  public BatchBuffer(BatchLayout layout, MemorySegment data) {
    int capacity = layout.capacity();
    sample = layout.sample();
    this.data = data;
    stride = sample.bytes();
    labels = new long[capacity];
    ids = new long[capacity];
    hashes = new long[capacity];
    slots = new MemorySegment[capacity];
    for (int i = 0; i < capacity; i++) {
      slots[i] = data.asSlice(i * stride, stride);
    }
    buffers = new ByteBuffer[capacity];
    fields = new FieldSlots[layout.fields().size()];
    for (int f = 0; f < fields.length; f++) {
      FieldSpec spec = layout.fields().get(f);
      fields[f] =
          new FieldSlots(
              spec,
              data.asSlice(layout.values(f), layout.valueBytes(f)),
              spec.ragged()
                  ? data.asSlice(layout.offsets(f), (capacity + 1L) * Long.BYTES)
                  : MemorySegment.NULL,
              capacity);
    }
  }

  /// {@return number of fields}
  public int fields() {
    return fields.length;
  }

  /// {@return the values of a field}
  ///
  /// @param field from 0, below [#fields]
  public FieldSlots field(int field) {
    return fields[field];
  }

  /// Makes the first slots ready to be handed out: from now on no slot is filled or copied.
  public void seal(int size) {
    for (FieldSlots field : fields) {
      field.seal(size);
    }
  }

  /// {@return type and shape of one sample}
  public TensorSpec sample() {
    return sample;
  }

  /// {@return number of slots}
  public int capacity() {
    return labels.length;
  }

  /// {@return all slots' memory, packed, in order}
  public MemorySegment data() {
    return data;
  }

  /// {@return the memory of one slot}
  public MemorySegment slot(int index) {
    return slots[index];
  }

  /// {@return the memory of one slot as a buffer, for checksums: always the same object, its
  /// position at the start and its limit at the end}
  public ByteBuffer buffer(int index) {
    ByteBuffer buffer = buffers[index];
    if (buffer == null) {
      buffer = slots[index].asByteBuffer();
      buffers[index] = buffer;
    }
    return buffer.clear();
  }

  /// Says what lies in a slot.
  ///
  /// @param label class number, -1 for none
  /// @param id the sample's identity
  /// @param hash checksum of its pixels, 0 where none is taken
  public void describe(int index, long label, long id, long hash) {
    labels[index] = label;
    ids[index] = id;
    hashes[index] = hash;
  }

  /// Copies a slot, pixels and description, over another.
  public void copy(int from, int to) {
    MemorySegment.copy(data, from * stride, data, to * stride, stride);
    describe(to, labels[from], ids[from], hashes[from]);
    for (FieldSlots field : fields) {
      field.copy(from, to);
    }
  }

  /// Empties a slot: zeros, no label, identity 0.
  public void blank(int index) {
    slot(index).fill((byte) 0);
    describe(index, -1, 0, 0);
    for (FieldSlots field : fields) {
      field.blank(index);
    }
  }

  /// {@return the class number in a slot, -1 for none}
  public long label(int index) {
    return labels[index];
  }

  /// {@return the identity of the sample in a slot}
  public long id(int index) {
    return ids[index];
  }

  /// {@return the checksum of the pixels in a slot}
  public long hash(int index) {
    return hashes[index];
  }
}
