package io.headrace.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Samples handed to a consumer, off heap. Its memory is lent: it is valid until [#close], or until
/// its epoch closes unless it is kept. Afterwards it is filled again.
public final class Batch implements AutoCloseable {
  private final BatchBuffer buffer;
  private final int size;
  private final int valid;
  private final long epoch;
  private final long index;
  private final Supplier<Runnable> keep;
  private Runnable giveBack;
  private boolean kept;
  private boolean closed;

  /// @param size slots in use, from the first on
  /// @param giveBack run once, at the first close
  public Batch(BatchBuffer buffer, int size, long epoch, long index, Runnable giveBack) {
    this(buffer, size, size, epoch, index, giveBack);
  }

  /// @param size slots in use, from the first on
  /// @param valid those of them that count; the others only fill the batch up
  /// @param giveBack run once, at the first close
  public Batch(BatchBuffer buffer, int size, int valid, long epoch, long index, Runnable giveBack) {
    this(buffer, size, valid, epoch, index, giveBack, () -> giveBack);
  }

  /// @param size slots in use, from the first on
  /// @param valid those of them that count; the others only fill the batch up
  /// @param giveBack run once, at the first close, unless it is kept
  /// @param keep run once, if it is kept: what it returns is then run in place of `giveBack`
  public Batch(
      BatchBuffer buffer,
      int size,
      int valid,
      long epoch,
      long index,
      Runnable giveBack,
      Supplier<Runnable> keep) {
    this.buffer = buffer;
    this.size = size;
    this.valid = valid;
    this.epoch = epoch;
    this.index = index;
    this.giveBack = giveBack;
    this.keep = keep;
  }

  /// {@return number of samples, those that only fill it up included}
  public int size() {
    return size;
  }

  /// {@return the mask: slots from this one on only fill the batch up. They repeat samples, so
  /// that every batch is full or every rank has the same number, and must not be counted}
  public int validCount() {
    return valid;
  }

  /// {@return the epoch it belongs to}
  public long epoch() {
    return epoch;
  }

  /// {@return its number among the epoch's delivered batches, from 0; those before it count too
  /// where the epoch was resumed}
  public long index() {
    return index;
  }

  /// {@return type and shape of the whole: [size, …]}
  public TensorSpec spec() {
    List<Integer> shape = new ArrayList<>();
    shape.add(size);
    shape.addAll(buffer.sample().shape());
    return new TensorSpec(buffer.sample().dtype(), shape);
  }

  /// {@return the tensor, row-major, read-only}
  ///
  /// @throws IllegalStateException once closed
  public MemorySegment data() {
    check();
    return buffer.data().asSlice(0, size * buffer.sample().bytes()).asReadOnly();
  }

  /// {@return class number of a sample, -1 for none}
  public long label(int slot) {
    check();
    return buffer.label(slot);
  }

  /// {@return identity of a sample: the hash of its key}
  public long id(int slot) {
    check();
    return buffer.id(slot);
  }

  /// {@return the fields that it has beside tensor, label and id}
  public List<FieldSpec> fields() {
    return IntStream.range(0, buffer.fields()).mapToObj(f -> buffer.field(f).spec()).toList();
  }

  /// {@return all values of a field, read-only: [size, shape…] if it is fixed, else rows or texts
  ///     after each other; see [#offset]}
  ///
  /// @param field its number among [#fields]
  /// @throws IllegalStateException once closed
  public MemorySegment values(int field) {
    check();
    return buffer.field(field).values(size).asReadOnly();
  }

  /// {@return where a sample's rows begin among the values of a ragged field, or the bytes of its
  ///     text}
  ///
  /// @param field its number among [#fields], of one that is ragged
  /// @param slot of the sample; [#size] for the end of the last one's
  public long offset(int field, int slot) {
    check();
    return buffer.field(field).offset(Objects.checkIndex(slot, size + 1));
  }

  /// {@return a sample's text}
  ///
  /// @param field its number among [#fields], of one of texts
  public String text(int field, int slot) {
    long start = offset(field, slot);
    byte[] bytes = values(field).asSlice(start, offset(field, slot + 1) - start).toArray(JAVA_BYTE);
    return new String(bytes, UTF_8);
  }

  /// Keeps the memory until [#close], also when its epoch is closed. The loader continues with its
  /// other memory. A caller that keeps all of it and asks for more waits for itself.
  public void keep() {
    check();
    if (!kept) {
      kept = true;
      giveBack = keep.get();
    }
  }

  private void check() {
    if (closed) {
      throw new IllegalStateException("batch is closed");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      giveBack.run();
    }
  }
}
