package io.headrace.pipeline;

import io.headrace.codec.ImageDecoder;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegDecoder;
import io.headrace.codec.JpegScale;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Pixels decoded by the codecs.
final class CodecPixels implements PixelSource {
  private static final JpegScale[] SCALES = new JpegScale[9];

  static {
    for (int eighths = 1; eighths <= 8; eighths++) {
      SCALES[eighths] = new JpegScale(eighths);
    }
  }

  private final ImageDecoder decoder;

  CodecPixels(MemoryBudget budget, boolean applyOrientation) {
    decoder = new ImageDecoder(budget, JpegDecoder.MAX_PIXELS, applyOrientation);
  }

  @Override
  public ImageInfo probe(MemorySegment encoded) throws DecodeException {
    return decoder.probe(encoded);
  }

  @Override
  public boolean shrinks(ImageInfo info) {
    return info.format() == ImageFormat.JPEG;
  }

  @Override
  public void decode(MemorySegment encoded, ImageInfo info, int eighths, MemorySegment rgb)
      throws DecodeException {
    decoder.decodeRgb(encoded, info, SCALES[eighths], rgb);
  }

  @Override
  public long warnings() {
    return decoder.warnings();
  }

  @Override
  public void close() {
    decoder.close();
  }
}
