package io.headrace.lab.codecs;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// An image as it was found, and its pixels.
///
/// @param stored the file's bytes, off heap
/// @param plain pixels, uint8 RGB [height, width, 3], off heap
/// @param width columns
/// @param height rows
record Pixels(MemorySegment stored, MemorySegment plain, int width, int height)
    implements Subject.Item {
  /// {@return the images that can be decoded, up to [Material#MAX_BYTES] of pixels}
  ///
  /// @param arena owns the pixels
  /// @param notes takes what was left out
  /// @throws IOException if not one can be decoded
  static List<Pixels> decode(List<MemorySegment> files, Arena arena, List<String> notes)
      throws IOException {
    List<Pixels> pictures = new ArrayList<>();
    long bytes = 0;
    int left = 0;
    String reason = "";
    try (var decoder = new ImageDecoder()) {
      for (MemorySegment file : files) {
        try {
          ImageInfo info = decoder.probe(file);
          if (!pictures.isEmpty() && bytes + info.rgbBytes() > Material.MAX_BYTES) {
            notes.add("%d images make pixels enough".formatted(pictures.size()));
            break;
          }
          MemorySegment rgb = arena.allocate(info.rgbBytes(), 64);
          decoder.decodeRgb(file, info, rgb);
          pictures.add(new Pixels(file, rgb, info.width(), info.height()));
          bytes += info.rgbBytes();
        } catch (DecodeException e) {
          left++;
          reason = String.valueOf(e.getMessage());
        }
      }
    }
    if (pictures.isEmpty()) {
      throw new IOException("not one of %d images can be decoded: %s".formatted(left, reason));
    }
    if (left > 0) {
      notes.add("%d images cannot be decoded, such as: %s".formatted(left, reason));
    }
    return pictures;
  }
}
