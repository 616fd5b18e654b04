package io.headrace.codec;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// A decoder that reads a header once: [#probe] does, and what is done next to the very segment
/// that it took, whose bytes must still be the same, goes by what was read then.
public abstract class HeaderDecoder implements PixelDecoder {
  private MemorySegment probed = MemorySegment.NULL;
  private long headersRead;

  /// For decoders.
  protected HeaderDecoder() {}

  @Override
  public final ImageInfo probe(MemorySegment encoded) throws DecodeException {
    read(encoded);
    probed = encoded;
    return info(encoded);
  }

  /// Reads the header of an image unless it was probed last.
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // others may be there
  protected final void header(MemorySegment encoded) throws DecodeException {
    if (probed != encoded) {
      read(encoded);
    }
  }

  private void read(MemorySegment encoded) throws DecodeException {
    forget();
    headersRead++;
    readHeader(encoded);
  }

  /// Says that another header was read than the one that was probed.
  protected final void forget() {
    probed = MemorySegment.NULL;
  }

  /// Reads a header and holds it to the limits.
  ///
  /// @param encoded one whole encoded image
  protected abstract void readHeader(MemorySegment encoded) throws DecodeException;

  /// {@return what the header says that was read last}
  ///
  /// @param encoded the image that it is of
  protected abstract ImageInfo info(MemorySegment encoded);

  /// {@return headers read so far}
  public final long headersRead() {
    return headersRead;
  }
}
