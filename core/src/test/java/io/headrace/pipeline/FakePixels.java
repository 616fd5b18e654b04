package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.pipeline.pixels.PixelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// "Decodes" images that are already pixels, after two ints: height and width.
///
/// Shrinks by taking the first of every `8 / eighths` pixels.
final class FakePixels implements PixelSource {
  private static final int HEADER = 8;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final boolean shrinks;
  int lastEighths;

  FakePixels(boolean shrinks) {
    this.shrinks = shrinks;
  }

  static MemorySegment encode(Arena arena, Picture picture) {
    MemorySegment encoded = arena.allocate(HEADER + picture.rgb().length);
    encoded.set(INT, 0, picture.height());
    encoded.set(INT, 4, picture.width());
    MemorySegment.copy(picture.rgb(), 0, encoded, JAVA_BYTE, HEADER, picture.rgb().length);
    return encoded;
  }

  @Override
  public ImageInfo probe(MemorySegment encoded) throws DecodeException {
    if (encoded.byteSize() < HEADER) {
      throw new DecodeException(Fault.TRUNCATED, "no header");
    }
    return new ImageInfo(
        ImageFormat.RAW, encoded.get(INT, 4), encoded.get(INT, 0), 3, 8, null, false, 1);
  }

  @Override
  public boolean shrinks(ImageInfo info) {
    return shrinks;
  }

  @Override
  public void decode(MemorySegment encoded, ImageInfo info, int eighths, MemorySegment rgb) {
    lastEighths = eighths;
    int every = 8 / eighths;
    long out = 0;
    for (int y = 0; y < info.height(); y += every) {
      for (int x = 0; x < info.width(); x += every) {
        MemorySegment.copy(encoded, HEADER + 3L * (y * info.width() + x), rgb, out, 3);
        out += 3;
      }
    }
  }

  @Override
  public long warnings() {
    return 0;
  }

  @Override
  public void close() {}
}
