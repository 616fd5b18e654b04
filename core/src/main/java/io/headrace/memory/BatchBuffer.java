package io.headrace.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Room for one batch: sample tensors side by side, and label, id and checksum of each.
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

  /// @param sample type and shape of one sample
  /// @param data at least `capacity` samples, packed
  /// @param capacity slots
  public BatchBuffer(TensorSpec sample, MemorySegment data, int capacity) {
    this.sample = sample;
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
  }

  /// Empties a slot: zeros, no label, identity 0.
  public void blank(int index) {
    slot(index).fill((byte) 0);
    describe(index, -1, 0, 0);
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
