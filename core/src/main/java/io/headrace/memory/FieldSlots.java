package io.headrace.memory;

import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The values of one field in a batch. Each slot has a cell of its own, so that many threads fill
/// them in any order; [#seal] then moves values that differ in size together.
public final class FieldSlots {
  private final FieldSpec spec;
  private final MemorySegment values;
  private final MemorySegment offsets;
  private final MemorySegment[] cells;
  private final @Nullable ByteBuffer[] buffers;
  private final long[] bytes;
  private final boolean[] missing;
  private final int[] outside;

  /// @param values room for all cells
  /// @param offsets room for one more than there are slots; not used if the field is fixed
  FieldSlots(FieldSpec spec, MemorySegment values, MemorySegment offsets, int capacity) {
    this.spec = spec;
    this.values = values;
    this.offsets = offsets;
    buffers = new ByteBuffer[capacity];
    bytes = new long[capacity];
    missing = new boolean[capacity];
    outside = new int[capacity];
    cells = new MemorySegment[capacity];
    for (int i = 0; i < capacity; i++) {
      cells[i] = values.asSlice(i * spec.room(), spec.room());
    }
  }

  /// {@return what they are values of}
  public FieldSpec spec() {
    return spec;
  }

  /// {@return the cell of a slot, of [FieldSpec#room] bytes}
  public MemorySegment cell(int slot) {
    return cells[slot];
  }

  /// {@return the same, from its beginning, for one thread at a time}
  public ByteBuffer buffer(int slot) {
    ByteBuffer buffer = buffers[slot];
    if (buffer == null) {
      buffer = cells[slot].asByteBuffer();
      buffers[slot] = buffer;
    }
    return buffer.clear();
  }

  /// Says how much of a cell is filled.
  ///
  /// @param filled bytes, a whole number of rows
  /// @param absent whether the sample has no such field
  public void filled(int slot, long filled, boolean absent) {
    bytes[slot] = filled;
    missing[slot] = absent;
    outside[slot] = 0;
  }

  /// {@return bytes that are filled of a cell}
  public long filled(int slot) {
    return bytes[slot];
  }

  /// Leaves rows of a cell out.
  ///
  /// @param rows how many stay, at its start
  public void keep(int slot, int rows) {
    outside[slot] = (int) (bytes[slot] / spec.rowBytes()) - rows;
    bytes[slot] = rows * spec.rowBytes();
  }

  void copy(int from, int to) {
    MemorySegment.copy(values, from * spec.room(), values, to * spec.room(), bytes[from]);
    bytes[to] = bytes[from];
    missing[to] = missing[from];
    outside[to] = outside[from];
  }

  void blank(int slot) {
    if (!spec.ragged()) {
      cells[slot].fill((byte) 0);
    }
    filled(slot, spec.ragged() ? 0 : spec.room(), true);
  }

  /// Moves the values of the first slots together and writes their offsets.
  ///
  /// @param size slots to hand out
  void seal(int size) {
    if (!spec.ragged()) {
      return;
    }
    long row = Math.max(1, spec.rowBytes());
    long at = 0;
    for (int slot = 0; slot < size; slot++) {
      offsets.set(U64, (long) slot * Long.BYTES, at / row);
      long cell = slot * spec.room();
      if (at != cell) {
        MemorySegment.copy(values, cell, values, at, bytes[slot]); // overlaps are copied right
      }
      at += bytes[slot];
    }
    offsets.set(U64, (long) size * Long.BYTES, at / row);
  }

  /// {@return samples without this field among the first slots}
  public int missing(int size) {
    int count = 0;
    for (int slot = 0; slot < size; slot++) {
      count += missing[slot] ? 1 : 0;
    }
    return count;
  }

  /// {@return rows that were left out of the first slots}
  public long outside(int size) {
    long count = 0;
    for (int slot = 0; slot < size; slot++) {
      count += outside[slot];
    }
    return count;
  }

  /// {@return where a sample's rows begin, or its text's bytes, once sealed}
  ///
  /// @param slot from 0; the number of samples for the end of the last one
  long offset(int slot) {
    return offsets.get(U64, (long) slot * Long.BYTES);
  }

  /// {@return all values of a sealed batch}
  MemorySegment values(int size) {
    long used = spec.ragged() ? offset(size) * Math.max(1, spec.rowBytes()) : size * spec.room();
    return values.asSlice(0, used);
  }
}
