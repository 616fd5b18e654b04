package io.headrace.pipeline;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.Region;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Says what part of which image the planes of a [SampleProcessor] hold, so that more views of it
/// need no decoding.
final class HeldPlanes {
  private @Nullable ImageInfo info;
  private @Nullable Region part;
  private int eighths;
  private long address;
  private long bytes;
  private long epoch;
  private long sampleId;

  /// {@return whether something of that sample is held}
  boolean of(MemorySegment encoded, long epoch, long sampleId) {
    return part != null
        && encoded.address() == address
        && encoded.byteSize() == bytes
        && this.epoch == epoch
        && this.sampleId == sampleId;
  }

  /// {@return what the image's header says, if something is held}
  ImageInfo info() {
    return Objects.requireNonNull(info);
  }

  /// {@return whether a part is held at a size}
  boolean holds(Region needed, int eighths) {
    Region has = part;
    return has != null && this.eighths == eighths && has.contains(needed);
  }

  void drop() {
    part = null;
  }

  /// @param part of the image at `eighths` of its size; null if it could not be decoded so
  void take(
      MemorySegment encoded,
      long epoch,
      long sampleId,
      ImageInfo info,
      @Nullable Region part,
      int eighths) {
    address = encoded.address();
    bytes = encoded.byteSize();
    this.epoch = epoch;
    this.sampleId = sampleId;
    this.info = info;
    this.part = part;
    this.eighths = eighths;
  }
}
