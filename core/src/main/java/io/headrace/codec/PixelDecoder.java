package io.headrace.codec;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes images of one format. Used by one thread at a time.
public interface PixelDecoder extends AutoCloseable {
  /// Parts of more than this share of an image are not worth decoding without the rest.
  double MAX_SHARE = 0.9;

  /// Reads an image's header and holds it to the limits.
  ///
  /// @param encoded one whole encoded image
  ImageInfo probe(MemorySegment encoded) throws DecodeException;

  /// {@return how to encode the image that was probed last so that it stays what it is}
  ///
  /// @param quality for a lossy format whose images do not tell theirs
  ImageEncoding like(int quality);

  /// Decodes one image at full size.
  ///
  /// @param encoded one whole encoded image, off heap
  /// @param info as [#probe] reported it
  /// @param rgb uint8 [height, width, 3], off heap, at least [ImageInfo#rgbBytes] bytes
  void decode(MemorySegment encoded, ImageInfo info, MemorySegment rgb) throws DecodeException;

  /// Decodes one image smaller than it is, if the format can do that.
  ///
  /// @param rgb uint8 [scaled height, scaled width, 3], off heap
  default void decode(MemorySegment encoded, ImageInfo info, JpegScale scale, MemorySegment rgb)
      throws DecodeException {
    if (!scale.equals(JpegScale.FULL)) {
      throw new IllegalArgumentException(
          "%s cannot be decoded at %d/8".formatted(info.format().label(), scale.eighths()));
    }
    decode(encoded, info, rgb);
  }

  /// Decodes one image of more than 8 bits a channel, if the format has them.
  ///
  /// @param rgb uint16 [height, width, 3] in native order, off heap
  default void decode16(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    throw new IllegalArgumentException(info.format().label() + " has 8 bits a channel");
  }

  /// {@return whether parts of such an image can be decoded without the rest}
  ///
  /// @param turned whether the image is turned if it says so: parts lie as stored, not as shown
  default boolean hasParts(ImageInfo info, boolean turned) {
    return false;
  }

  /// Decodes a part of an image that [#hasParts].
  ///
  /// @param window takes pixels that cannot be used where they are
  /// @return the part, or null if the whole is to be decoded, which also says what is wrong with it
  default @Nullable DecodedRegion decodePart(
      MemorySegment encoded, ImageInfo info, Region part, Block window) throws DecodeException {
    return null;
  }

  /// Decodes a part of an image to planes of red, green and blue, or to one of grey.
  ///
  /// @param samples takes them
  /// @return false if the format has no way to planes
  default boolean decodePlanes(
      MemorySegment encoded, ImageInfo info, Region part, Planes planes, Block samples)
      throws DecodeException {
    return false;
  }

  @Override
  default void close() {
    // most hold nothing
  }
}
