package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Decodes JPEG through libjpeg-turbo. One per worker: C state, and a thread-confined arena.
///
/// The pixels are those of libjpeg-turbo with the accurate integer DCT and fancy upsampling.
/// Orientation is reported, not applied; colour profiles are ignored.
///
/// Decoding is strict: data that ends early or is damaged fails. What libjpeg-turbo warns of but
/// reads in full is accepted and counted ([#warnings]): bytes left over between segments and an
/// unknown JFIF revision. Bytes behind the end marker are ignored.
public final class JpegDecoder implements AutoCloseable {
  /// Pixels an image may have where no other bound is given.
  public static final long MAX_PIXELS = 250_000_000;

  /// An image with several scans may have this many of the largest permitted size, more of
  /// smaller: a bound on time, which grows with scans times pixels however few bytes a scan has.
  private static final long SCANS = 32;

  /// The most scans that `TJFLAG_LIMITSCANS` lets pass.
  private static final long MOST_SCANS = 500;

  /// Columns or rows libjpeg accepts (`JPEG_MAX_DIMENSION`).
  private static final int MAX_EDGE = 65_500;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment handle;
  private final JpegHeader header = new JpegHeader();
  private final MemoryBudget budget;
  private final Block scratch;
  private final long maxPixels;
  private long warnings;

  /// A decoder with an unbounded budget that takes [#MAX_PIXELS].
  ///
  /// @throws ConfigException if libturbojpeg is missing
  public JpegDecoder() {
    this(MemoryBudget.unbounded(), MAX_PIXELS);
  }

  /// @param budget for the inks of CMYK images, 4 bytes a pixel, and the coefficients that
  ///     libjpeg-turbo keeps of progressive ones, 3 to 6 bytes a pixel; other images need none
  /// @param maxPixels columns times rows that an image may have
  /// @throws ConfigException if libturbojpeg is missing
  public JpegDecoder(MemoryBudget budget, long maxPixels) {
    handle = TurboJpeg.initDecompress(arena);
    this.budget = budget;
    scratch = new Block(budget);
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param jpeg one whole JPEG stream
  /// @throws DecodeException as [JpegHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels, [Fault#TRUNCATED] if there are too few bytes for them, [Fault#UNSUPPORTED] for 12
  ///     bits or two components
  public ImageInfo probe(MemorySegment jpeg) throws DecodeException {
    readHeader(jpeg);
    return header.info();
  }

  private void readHeader(MemorySegment jpeg) throws DecodeException {
    header.read(jpeg);
    if (Math.max(header.width(), header.height()) > MAX_EDGE) {
      throw new DecodeException(
          Fault.LIMIT,
          "jpeg: %d x %d, but libjpeg-turbo takes at most %d a side"
              .formatted(header.width(), header.height(), MAX_EDGE));
    }
    ImageLimits.requirePixels("jpeg", header.width(), header.height(), maxPixels);
    ImageLimits.requirePlausible(
        "jpeg",
        header.width(),
        header.height(),
        header.frame().leastBytes(),
        jpeg.byteSize() - header.firstScan());
    if (header.multipleScans()) {
      requireFewScans(jpeg);
    }
    if (header.bitDepth() != 8) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "jpeg: %d bits a sample, expected 8".formatted(header.bitDepth()));
    }
    if (header.components() == 2) {
      throw new DecodeException(Fault.UNSUPPORTED, "jpeg: two components have no known colours");
    }
  }

  private void requireFewScans(MemorySegment jpeg) throws DecodeException {
    long pixels = (long) header.width() * header.height();
    if (pixels > SCANS * maxPixels / MOST_SCANS) {
      header.findEnd(jpeg);
      if (header.scans() * pixels > SCANS * maxPixels) {
        throw new DecodeException(
            Fault.LIMIT,
            "jpeg: %d scans of %d x %d pixels, over the limit of %d"
                .formatted(
                    header.scans(), header.width(), header.height(), SCANS * maxPixels / pixels));
      }
    }
  }

  /// {@return the last header read}
  public JpegHeader header() {
    return header;
  }

  /// {@return pictures decoded in full although libjpeg-turbo warned, since this was made}
  public long warnings() {
    return warnings;
  }

  /// Decodes one image at full size; see the scaled form.
  public void decode(MemorySegment jpeg, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    decode(jpeg, info, JpegScale.FULL, pixels);
  }

  /// Decodes one image, channels last, rows packed. Grey gives three equal channels; CMYK and YCCK
  /// give `round(C * K / 255)` and so on from inks stored inverted, as Adobe's and everybody's
  /// are.
  ///
  /// Where a smaller scale would not make the image smaller still, as for 1 x 1 pixels, the
  /// largest scale of the same size is used. Source: `tjDecompress2` in turbojpeg.h, 2.1.
  ///
  /// @param jpeg one whole JPEG stream, off heap
  /// @param info as [#probe] reported it
  /// @param scale of the result
  /// @param pixels uint8 [scaled height, scaled width, 3], off heap, at least
  ///     [JpegScale#rgbBytes] bytes; bytes behind those stay as they are
  /// @throws DecodeException if the stream is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  public void decode(MemorySegment jpeg, ImageInfo info, JpegScale scale, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(jpeg, pixels, scale.rgbBytes(info));
    readHeader(jpeg);
    ImageLimits.requireSize("jpeg", header.width(), header.height(), info);
    int width = scale.scaled(info.width());
    int height = scale.scaled(info.height());
    if (header.components() == 4) {
      MemorySegment inks = scratch.ensure(4L * width * height);
      decompress(jpeg, inks, width, height, TurboJpeg.TJPF_CMYK, 4 * width);
      toRgb(inks, pixels, (long) width * height);
    } else {
      decompress(jpeg, pixels, width, height, TurboJpeg.TJPF_RGB, 3 * width);
    }
  }

  private void decompress(
      MemorySegment jpeg, MemorySegment pixels, int width, int height, int format, int pitch)
      throws DecodeException {
    long kept = header.multipleScans() ? header.frame().coefficientBytes() : 0;
    if (!budget.tryReserve(kept)) {
      throw new DecodeException(
          Fault.LIMIT,
          "jpeg: %d x %d pixels in several scans take %d more bytes, but %d of %d are taken"
              .formatted(header.width(), header.height(), kept, budget.reserved(), budget.limit()));
    }
    try {
      int flags = TurboJpeg.TJFLAG_ACCURATEDCT | TurboJpeg.TJFLAG_LIMITSCANS;
      if (TurboJpeg.decompress(handle, jpeg, pixels, width, pitch, height, format, flags) != 0) {
        judge(jpeg);
      }
    } finally {
      budget.release(kept);
    }
  }

  /// Decides what an error or warning means. libjpeg-turbo keeps the words of the first warning
  /// only, so a harmless one may hide the end of the data: that is looked for.
  private void judge(MemorySegment jpeg) throws DecodeException {
    String words = TurboJpeg.errorString(handle);
    boolean whole = header.findEnd(jpeg) >= 0;
    boolean harmless =
        words.contains("extraneous bytes before marker") || words.contains("unknown JFIF revision");
    if (harmless && whole && TurboJpeg.errorCode(handle) == TurboJpeg.TJERR_WARNING) {
      warnings++;
      return;
    }
    boolean cut = !whole || words.contains("Premature end");
    boolean unsupported =
        words.contains("not supported")
            || words.contains("Unsupported")
            || words.contains("not implemented");
    throw new DecodeException(
        unsupported ? Fault.UNSUPPORTED : cut ? Fault.TRUNCATED : Fault.CORRUPT,
        "jpeg: %s [%d x %d pixels, %d bytes, %s]"
            .formatted(
                words,
                header.width(),
                header.height(),
                jpeg.byteSize(),
                whole ? "with an end marker" : "no end marker"));
  }

  private static void toRgb(MemorySegment inks, MemorySegment pixels, long count) {
    for (long i = 0; i < count; i++) {
      int k = inks.get(JAVA_BYTE, 4 * i + 3) & 0xff;
      for (int c = 0; c < 3; c++) {
        int ink = inks.get(JAVA_BYTE, 4 * i + c) & 0xff;
        pixels.set(JAVA_BYTE, 3 * i + c, (byte) ((ink * k + 127) / 255));
      }
    }
  }

  @Override
  public void close() {
    scratch.close();
    arena.close();
  }
}
