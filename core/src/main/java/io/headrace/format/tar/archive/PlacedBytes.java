package io.headrace.format.tar.archive;

import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A part of an archive that lies at the start of a sample's memory already.
public final class PlacedBytes implements TarBytes {
  private @Nullable Block memory;
  private long length;
  private long base;
  private long at;

  /// Begins a part.
  ///
  /// @param memory of the sample; may grow when names are put after the part
  /// @param length of the part, in bytes
  /// @param base where in the archive it lies
  public void reset(Block memory, long length, long base) {
    this.memory = memory;
    this.length = length;
    this.base = base;
    at = 0;
  }

  /// {@return bytes of the part that were not passed yet}
  long left() {
    return length - at;
  }

  @Override
  public long position() {
    return base + at;
  }

  @Override
  public long take(MemorySegment into, long offset, long bytes) {
    long n = Math.min(bytes, left());
    MemorySegment.copy(Objects.requireNonNull(memory).memory(), at, into, offset, n);
    at += n;
    return n;
  }

  @Override
  public long skip(long bytes) {
    long n = Math.min(bytes, left());
    at += n;
    return n;
  }

  @Override
  public long placeAt(long end) {
    return at;
  }

  @Override
  public long place(Block into, long end, long bytes) {
    return skip(bytes);
  }
}
