package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.JpegFrame;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.StandardTables;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes JPEG through libjpeg-turbo. One per worker, one thread at a time: C state, and
/// an arena.
///
/// The pixels are those of libjpeg-turbo with the accurate integer DCT and fancy upsampling.
/// Orientation is reported, not applied; colour profiles are ignored.
///
/// Decoding is strict: data that ends early or is damaged fails. What libjpeg-turbo warns of but
/// reads in full is accepted and counted ([#warnings]): bytes left over between segments or after
/// the last MCU, an unknown JFIF revision, an unknown transform in Adobe's segment. libjpeg-turbo
/// tells of one warning only, and in the midst of a scan not of bad Huffman codes; so where it
/// warns, [JpegCoefficients] judges whether the coded data is whole. Bytes after the end marker
/// are ignored.
///
/// libjpeg-turbo keeps tables from picture to picture. Where one may leave out some that it uses,
/// those that it may rely on are loaded first: a picture never depends on the one before it.
///
/// What decodes throws an [io.headrace.error.ConfigException] if libturbojpeg is missing.
public final class JpegDecoder implements PixelDecoder {
  /// An image with several scans may have this many of the largest permitted size, more of
  /// smaller: a bound on time, which grows with scans times pixels however few bytes a scan has.
  private static final long SCANS = 32;

  /// The most scans that `TJFLAG_LIMITSCANS` lets pass.
  private static final long MAX_SCANS = 500;

  /// Columns or rows libjpeg accepts (`JPEG_MAX_DIMENSION`).
  private static final int MAX_EDGE = 65_500;

  private static final int FLAGS = TurboJpeg.TJFLAG_ACCURATEDCT | TurboJpeg.TJFLAG_LIMITSCANS;

  private final Arena arena = Arena.ofShared(); // the thread may change
  private @Nullable MemorySegment handle;
  private final JpegHeader header = new JpegHeader();

  /// Whose header that is.
  private MemorySegment probed = MemorySegment.NULL;

  private final MemoryBudget budget;
  private final Block scratch;
  private final Block planeMemory;
  private final JpegTop top;
  private final MemorySegment planePointers = arena.allocate(ADDRESS, 3);
  private final MemorySegment planeStrides = arena.allocate(JAVA_INT, 3);
  private final MemorySegment ints = arena.allocate(JAVA_INT, 4);
  private final boolean part;
  private @Nullable JpegCoefficients strict;
  private final long maxPixels;
  private long warnings;

  /// A decoder with an unbounded budget that takes [ImageLimits#MAX_PIXELS].
  public JpegDecoder() {
    this(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  }

  /// @param budget for the inks of CMYK images, 4 bytes a pixel, and the coefficients that
  ///     libjpeg-turbo keeps of progressive ones, 3 to 6 bytes a pixel; other images need none
  /// @param maxPixels columns times rows that an image may have
  public JpegDecoder(MemoryBudget budget, long maxPixels) {
    this(budget, maxPixels, false);
  }

  /// @param part whether pictures claim to be smaller than their coded data is, so that bytes may
  ///     be left over in front of restart markers and the end marker
  public JpegDecoder(MemoryBudget budget, long maxPixels, boolean part) {
    this.part = part;
    this.budget = budget;
    scratch = new Block(budget);
    planeMemory = new Block(budget);
    top = new JpegTop(budget);
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param jpeg one whole JPEG stream
  /// @throws DecodeException as [JpegHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels, [Fault#TRUNCATED] if there are too few bytes for them, [Fault#UNSUPPORTED] for 12
  ///     bits or two components
  @Override
  public ImageInfo probe(MemorySegment jpeg) throws DecodeException {
    readHeader(jpeg);
    return header.info();
  }

  @Override
  public ImageEncoding like(int quality) {
    int estimate = header.estimatedQuality();
    return new JpegEncoding(estimate > 0 ? estimate : quality);
  }

  private void readHeader(MemorySegment jpeg) throws DecodeException {
    probed = MemorySegment.NULL;
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
      if (!header.scansTogether()) {
        header.requireScans(jpeg);
      }
    }
    if (header.bitDepth() != 8) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "jpeg: %d bits a sample, expected 8".formatted(header.bitDepth()));
    }
    if (header.components() == 2) {
      throw new DecodeException(Fault.UNSUPPORTED, "jpeg: two components have no known colours");
    }
    if (!header.frame().wholeFactors()) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "jpeg: sampling factors that are no multiples of each other");
    }
    probed = jpeg;
  }

  private void requireFewScans(MemorySegment jpeg) throws DecodeException {
    long pixels = (long) header.width() * header.height();
    if (pixels > SCANS * maxPixels / MAX_SCANS) {
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

  /// {@return the header of a JPEG, which is not read again if it was that of the last one}
  ///
  /// @param jpeg the segment that [#probe] took, whose bytes are still the same, or any other
  /// @throws DecodeException as [#probe]
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // others may be there
  public JpegHeader header(MemorySegment jpeg) throws DecodeException {
    if (probed != jpeg) {
      readHeader(jpeg);
    }
    return header;
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
  @Override
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
  ///     [JpegScale#rgbBytes] bytes; bytes after those stay as they are
  /// @throws DecodeException if the stream is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  @Override
  public void decode(MemorySegment jpeg, ImageInfo info, JpegScale scale, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireNative(jpeg, pixels, scale.rgbBytes(info));
    header(jpeg);
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

  /// Decodes the first rows of an image, and no more than a few that follow them: the same pixels
  /// as [#decode(MemorySegment, ImageInfo, JpegScale, MemorySegment)] gives those rows. What is
  /// wrong with the data below goes unnoticed.
  ///
  /// @param rows of the image at `scale`, at least 1
  /// @param pixels grows as needed
  /// @return uint8 [at least rows, scaled width, 3], in `pixels`; null if only the whole image can
  ///     tell
  /// @throws DecodeException if the header is not as announced, or the budget does not allow it
  public @Nullable MemorySegment decodeTop(
      MemorySegment jpeg, ImageInfo info, JpegScale scale, int rows, Block pixels)
      throws DecodeException {
    header(jpeg);
    ImageLimits.requireSize("jpeg", header.width(), header.height(), info);
    int coded = codedRows(scale, rows);
    if (coded == 0 || header.components() > 3 || !JpegTop.possible(jpeg, header)) {
      return null;
    }
    int width = scale.scaled(info.width());
    int height = scale.scaled(coded);
    MemorySegment rgb = pixels.ensure(3L * width * height);
    MemorySegment part = top.of(jpeg, header, coded);
    int format = TurboJpeg.TJPF_RGB;
    loadTables();
    boolean sound =
        TurboJpeg.decompress(turbo(), part, rgb, width, 3 * width, height, format, FLAGS) == 0
            || JpegTop.expected(turbo());
    return sound ? rgb : null;
  }

  /// {@return rows of MCUs, in pixels, that show the first `rows` at a scale and one more, with
  ///     which their chroma may be mixed; 0 if that is all of the image, or if its scale would be
  ///     ambiguous}
  private int codedRows(JpegScale scale, int rows) {
    int mcu = header.frame().mcuHeight();
    long pixels = Math.ceilDiv((rows + 1L) * 8, (long) scale.eighths());
    long coded = Math.ceilDiv(pixels, (long) mcu) * mcu;
    return coded >= header.height() || header.width() < 8 ? 0 : (int) coded;
  }

  /// Decodes luminance and chrominance, without upsampling and without making colours of them.
  ///
  /// Chrominance has the resolution that it was coded in, at any scale. Source:
  /// `tjDecompressToYUVPlanes` in turbojpeg.h, 2.1.
  ///
  /// @param rows of the image at `scale` that are wanted; more may be decoded
  /// @param planes tells where they are, in memory of this decoder
  /// @return whether the JPEG has such planes and could be decoded; if not, only
  ///     [#decode(MemorySegment, ImageInfo, JpegScale, MemorySegment)] can tell
  /// @throws DecodeException if the header is not as announced, or the budget does not allow it
  public boolean decodePlanes(
      MemorySegment jpeg, ImageInfo info, JpegScale scale, int rows, Planes planes)
      throws DecodeException {
    header(jpeg);
    ImageLimits.requireSize("jpeg", header.width(), header.height(), info);
    JpegFrame frame = header.frame();
    if (!header.inPlanes()) {
      return false;
    }
    int coded = JpegTop.possible(jpeg, header) ? codedRows(scale, rows) : 0;
    int width = scale.scaled(header.width());
    int height = scale.scaled(coded == 0 ? header.height() : coded);
    int count = header.components();
    int across = frame.horizontalFactor(0);
    int down = frame.verticalFactor(0);
    planes.in(planeMemory.ensure(planes.layOut(count, across, down, height, width)));
    for (int p = 0; p < 3; p++) {
      planePointers.setAtIndex(ADDRESS, p, planes.memory().asSlice(planes.start(p)));
      planeStrides.setAtIndex(JAVA_INT, p, planes.stride(p));
    }
    MemorySegment part = coded == 0 ? jpeg : top.of(jpeg, header, coded);
    long kept = header.multipleScans() ? frame.coefficientBytes() : 0;
    if (!budget.tryReserve(kept)) {
      return false;
    }
    loadTables();
    try {
      return TurboJpeg.decompressToYuvPlanes(
                  turbo(), part, planePointers, width, planeStrides, height, FLAGS)
              == 0
          || (coded > 0 && JpegTop.expected(turbo()));
    } finally {
      budget.release(kept);
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
    loadTables();
    try {
      if (TurboJpeg.decompress(turbo(), jpeg, pixels, width, pitch, height, format, FLAGS) != 0) {
        judge(jpeg);
      }
    } finally {
      budget.release(kept);
    }
  }

  /// {@return libjpeg-turbo's state, made when a picture is first decoded: headers need no library}
  private MemorySegment turbo() {
    MemorySegment made = handle;
    if (made == null) {
      made = TurboJpeg.initDecompress(arena);
      handle = made;
    }
    return made;
  }

  /// Forgets the Huffman tables of the pictures before, where this one may lack some.
  private void loadTables() {
    if ((header.multipleScans() || header.standardTables()) && !header.arithmetic()) {
      MemorySegment tables =
          header.progressive() ? StandardTables.NONE : StandardTables.OF_MOTION_JPEG;
      TurboJpeg.loadTables(turbo(), tables, ints);
    }
  }

  /// Checks an image as strictly as can be: decodes it, and reads Huffman codes once more by our
  /// own reader, which finds bad ones that libjpeg-turbo passes over. For those who have the time.
  ///
  /// @param pixels as [#decode(MemorySegment, ImageInfo, MemorySegment)] takes them
  /// @throws DecodeException as that
  public void verify(MemorySegment jpeg, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    long before = warnings;
    decode(jpeg, info, pixels);
    if (warnings == before && !header.arithmetic()) {
      strict().read(jpeg);
    }
  }

  private JpegCoefficients strict() {
    JpegCoefficients reader = strict;
    if (reader == null) {
      reader = new JpegCoefficients(budget, maxPixels);
      strict = reader;
    }
    return reader;
  }

  /// Decides what an error or warning means. libjpeg-turbo keeps the words of the first warning
  /// only, so a harmless one may hide others: the coded data is read again. We have no reader for
  /// arithmetic coding, so bytes left over in such scans are damage.
  private void judge(MemorySegment jpeg) throws DecodeException {
    if (part && JpegTop.leftOver(turbo())) {
      return;
    }
    String words = TurboJpeg.errorString(turbo());
    boolean whole = header.findEnd(jpeg) >= 0;
    boolean harmless =
        words.contains("extraneous bytes before marker")
            || words.contains("unknown JFIF revision")
            || words.contains("Unknown Adobe color transform");
    if (harmless && whole && TurboJpeg.errorCode(turbo()) == TurboJpeg.TJERR_WARNING) {
      if (!header.arithmetic()) {
        strict().read(jpeg);
      } else if (JpegTop.leftOver(turbo())) {
        throw new DecodeException(Fault.CORRUPT, "jpeg: " + words);
      }
      warnings++;
      return;
    }
    boolean cut = !whole || words.contains("Premature end");
    boolean unsupported =
        words.contains("not supported")
            || (words.contains("Unsupported") && !words.contains("marker"))
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
    planeMemory.close();
    top.close();
    if (strict != null) {
      strict.close();
    }
    arena.close();
  }
}
