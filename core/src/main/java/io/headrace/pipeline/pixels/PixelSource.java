package io.headrace.pipeline.pixels;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Where a sample processor gets pixels from.
public interface PixelSource extends AutoCloseable {
  /// {@return what an encoded image's header says}
  ImageInfo probe(MemorySegment encoded) throws DecodeException;

  /// {@return what the header of an encoded image and its tile table say}
  ///
  /// @param tiles in its stored form; empty if there is none
  default ImageInfo probe(MemorySegment encoded, MemorySegment tiles) throws DecodeException {
    return probe(encoded);
  }

  /// {@return whether [#decode] can shrink such an image}
  boolean shrinks(ImageInfo info);

  /// Decodes one image, shrunk to `eighths / 8` of its extents, rounded up.
  ///
  /// @param eighths 8, or if [#shrinks] also 4, 2 or 1
  /// @param rgb uint8 [height, width, 3], at least as large
  void decode(MemorySegment encoded, ImageInfo info, int eighths, MemorySegment rgb)
      throws DecodeException;

  /// {@return whether [#decodePart] may work for such an image}
  default boolean hasParts(MemorySegment encoded, ImageInfo info) throws DecodeException {
    return false;
  }

  /// Decodes part of an image, shrunk as [#decode] would.
  ///
  /// @param part what is wanted, in pixels of the shrunk image
  /// @return its pixels, the same as those of the whole, valid until the next call; null if only
  ///     [#decode] can tell
  default @Nullable DecodedRegion decodePart(
      MemorySegment encoded, ImageInfo info, int eighths, Region part) {
    return null;
  }

  /// {@return whether [#decodePlanes] may work for such an image}
  default boolean hasPlanes(ImageInfo info) {
    return false;
  }

  /// Decodes luminance and chrominance of part of an image, shrunk as [#decode] would.
  ///
  /// @param part what is wanted, in pixels of the shrunk image
  /// @param whole whether all of the image is decoded anyway, so that damage shows
  /// @param planes tells where they are until the next call: those of `part` and of a pixel around
  ///     it, or more
  /// @return whether it could be done; if not, only [#decode] can tell
  default boolean decodePlanes(
      MemorySegment encoded, ImageInfo info, int eighths, Region part, boolean whole, Planes planes)
      throws DecodeException {
    return false;
  }

  /// {@return images decoded so far although their codec warned}
  long warnings();

  @Override
  void close();
}
