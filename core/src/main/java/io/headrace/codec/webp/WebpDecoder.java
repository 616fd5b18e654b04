package io.headrace.codec.webp;

import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Decodes WebP, lossy and lossless, through libwebp, with the pixels of `dwebp`. One per worker.
///
/// Alpha is dropped, not composited; [ImageInfo#channels] tells of it. Orientation is reported, not
/// applied; profiles are ignored. Animations are unsupported.
final class WebpDecoder extends HeaderDecoder {
  private final Arena arena = Arena.ofShared(); // the thread may change
  private final MemorySegment config = arena.allocate(LibWebp.CONFIG_BYTES, Long.BYTES);
  private final WebpHeader header = new WebpHeader();
  private final MemoryBudget budget;
  private final long maxPixels;

  /// @param budget for what libwebp keeps of a picture while decoding: 4 bytes a pixel of lossless
  ///     ones, 1 where a lossy one has alpha
  /// @param maxPixels columns times rows that an image may have
  /// @throws ConfigException if libwebp is missing
  WebpDecoder(MemoryBudget budget, long maxPixels) {
    NativeLibrary.WEBP.require();
    this.budget = budget;
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param webp one whole WebP file
  /// @throws DecodeException as [WebpHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels
  @Override
  protected void readHeader(MemorySegment webp) throws DecodeException {
    header.read(webp);
    ImageLimits.requirePixels("webp", header.width(), header.height(), maxPixels);
  }

  @Override
  protected ImageInfo info(MemorySegment webp) {
    return header.info();
  }

  @Override
  public ImageEncoding like(int quality) {
    return header.lossless() ? new WebpLosslessEncoding() : new WebpEncoding(quality);
  }

  /// Decodes one image, channels last, rows packed. Source: `WebPDecode` in webp/decode.h, 1.2.
  ///
  /// @param webp one whole WebP file, off heap
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], off heap, at least [ImageInfo#rgbBytes] bytes; bytes
  ///     after those stay as they are
  /// @throws DecodeException if the file is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  @Override
  public void decode(MemorySegment webp, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(webp, pixels, info.rgbBytes());
    header(webp);
    ImageLimits.requireSize("webp", header.width(), header.height(), info);
    long kept = (header.lossless() ? 4L : header.alpha() ? 1L : 0L) * info.width() * info.height();
    ImageLimits.reserve("webp", budget, kept, info);
    int status;
    try {
      LibWebp.initConfig(config, pixels, info.width());
      status = LibWebp.decode(webp, config);
    } finally {
      budget.release(kept);
    }
    if (status != 0) {
      throw new DecodeException(
          fault(status),
          "webp: libwebp gives status %d [%d x %d pixels, %s, %d bytes]"
              .formatted(
                  status,
                  info.width(),
                  info.height(),
                  header.lossless() ? "lossless" : "lossy",
                  webp.byteSize()));
    }
  }

  private static Fault fault(int status) {
    return switch (status) {
      case LibWebp.OUT_OF_MEMORY -> Fault.LIMIT;
      case LibWebp.UNSUPPORTED_FEATURE -> Fault.UNSUPPORTED;
      case LibWebp.SUSPENDED, LibWebp.NOT_ENOUGH_DATA -> Fault.TRUNCATED;
      default -> Fault.CORRUPT;
    };
  }

  @Override
  public void close() {
    arena.close();
  }
}
