package io.headrace.codec.avif;

import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Decodes AVIF of any depth and chroma to 8-bit RGB through libavif. One per worker.
///
/// Alpha is dropped, not composited; [ImageInfo#channels] tells of it. Colours that were
/// multiplied with it stay so. Rotation and mirroring (the `irot` and `imir` properties, not
/// EXIF, which the format tells to ignore) are reported as an orientation, not applied. Crops
/// (`clap`) and profiles are ignored, sequences are unsupported. Chroma is upsampled bilinearly
/// by libavif's own code, which every build of it has. Which library reads the AV1 in it, dav1d
/// or another, is libavif's choice; AV1 defines its pixels.
final class AvifDecoder extends HeaderDecoder {
  private final Arena arena = Arena.ofShared(); // the thread may change
  private final MemorySegment rgb = arena.allocate(LibAvif.RGB_BYTES, Long.BYTES);
  private final AvifHeader header = new AvifHeader();
  private final MemoryBudget budget;
  private final long maxPixels;
  private final boolean one;

  /// @param budget for what libavif keeps of a picture while decoding: 6 bytes a pixel, 12 where it
  ///     has more than 8 bits a channel; counted for the largest picture in the file, since libavif
  ///     has one limit for all of them
  /// @param maxPixels columns times rows that an image may have
  /// @throws ConfigException if libavif is missing, or neither 0.11 nor 1.x
  AvifDecoder(MemoryBudget budget, long maxPixels) {
    one = LibAvif.require();
    this.budget = budget;
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param avif one whole AVIF file
  /// @throws DecodeException as [AvifHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels
  @Override
  protected void readHeader(MemorySegment avif) throws DecodeException {
    header.read(avif);
    ImageLimits.requirePixels("avif", header.width(), header.height(), maxPixels);
    ImageLimits.requirePixels("avif", header.largestWidth(), header.largestHeight(), maxPixels);
    ImageLimits.requireEdge(
        "avif", header.largestWidth(), header.largestHeight(), AvifEncoder.MAX_EDGE);
  }

  @Override
  protected ImageInfo info(MemorySegment avif) {
    return header.info();
  }

  @Override
  public ImageEncoding like(int quality) {
    return new AvifEncoding(quality);
  }

  /// Decodes one image, channels last, rows packed. Source: avif/avif.h, 0.11 and 1.0.
  ///
  /// @param avif one whole AVIF file, off heap
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], off heap, at least [ImageInfo#rgbBytes] bytes; bytes
  ///     after those stay as they are
  /// @throws DecodeException if the file is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  @Override
  public void decode(MemorySegment avif, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    decode(avif, info, 8, pixels);
  }

  /// Decodes one image to 16 bits, as libavif scales them; as [#decode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, off heap
  @Override
  public void decode16(MemorySegment avif, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    decode(avif, info, 16, pixels);
  }

  private void decode(MemorySegment avif, ImageInfo info, int depth, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(avif, pixels, info.rgbBytes() * (depth / 8));
    header(avif);
    ImageLimits.requireSize("avif", header.width(), header.height(), info);
    long count = (long) info.width() * info.height();
    count = Math.max(count, (long) header.largestWidth() * header.largestHeight());
    long kept = (header.bitDepth() > 8 ? 12 : 6) * count;
    ImageLimits.reserve("avif", budget, kept, info);
    try {
      MemorySegment decoder = LibAvif.decoderCreate(count);
      try {
        check(LibAvif.decode(decoder, avif), info, avif);
        MemorySegment image = LibAvif.image(decoder);
        ImageLimits.requireSize("avif", LibAvif.width(image), LibAvif.height(image), info);
        LibAvif.rgb(rgb, one, image, pixels, info.width(), depth);
        requireColours(LibAvif.yuvToRgb(image, rgb), image, info, avif);
      } finally {
        LibAvif.decoderDestroy(decoder);
      }
    } finally {
      budget.release(kept);
    }
  }

  private static void requireColours(
      int result, MemorySegment image, ImageInfo info, MemorySegment avif) throws DecodeException {
    if (result == LibAvif.REFORMAT_FAILED || result == LibAvif.UNSUPPORTED_DEPTH) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "avif: libavif cannot make RGB of it: matrix coefficients %d, chroma format %d, %s"
              .formatted(
                  LibAvif.matrixCoefficients(image),
                  LibAvif.yuvFormat(image),
                  LibAvif.resultToString(result)));
    }
    check(result, info, avif);
  }

  private static void check(int result, ImageInfo info, MemorySegment avif) throws DecodeException {
    if (result != 0) {
      Fault fault =
          switch (result) {
            case LibAvif.TRUNCATED_DATA -> Fault.TRUNCATED;
            case LibAvif.OUT_OF_MEMORY -> Fault.LIMIT;
            case LibAvif.NO_CODEC_AVAILABLE, LibAvif.NOT_IMPLEMENTED -> Fault.UNSUPPORTED;
            default -> Fault.CORRUPT;
          };
      throw new DecodeException(
          fault,
          "avif: %s [%d x %d pixels, %d bytes]"
              .formatted(
                  LibAvif.resultToString(result), info.width(), info.height(), avif.byteSize()));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
