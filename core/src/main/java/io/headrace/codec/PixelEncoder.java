package io.headrace.codec;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Encodes images in one format. Confined to the thread that made it.
public interface PixelEncoder extends AutoCloseable {
  /// Encodes one image.
  ///
  /// @param pixels uint8 [height, width, channels], off heap, rows packed
  /// @param channels 3 for RGB, 1 for grey
  /// @param encoding one that the format's codec made
  /// @param out takes the encoded image at its start
  /// @return bytes of the encoded image
  long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException;

  /// Encodes one RGB image of 16 bits, if the encoding holds them.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, off heap, rows packed
  default long encode16(
      MemorySegment pixels, int width, int height, ImageEncoding encoding, Block out)
      throws DecodeException {
    throw new IllegalArgumentException(encoding + " has 8 bits a channel");
  }

  @Override
  default void close() {
    // some hold nothing
  }
}
