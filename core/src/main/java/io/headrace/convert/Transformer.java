package io.headrace.convert;

import io.headrace.codec.ImageDecoder;
import io.headrace.codec.ImageEncoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegHeader;
import io.headrace.codec.Orientation;
import io.headrace.codec.Subsampling;
import io.headrace.codec.WebpHeader;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.ImageSize;
import io.headrace.pipeline.Resampler;
import java.lang.foreign.MemorySegment;

/// Turns one encoded image into its target encoding. One per worker thread.
final class Transformer implements AutoCloseable {
  /// For the rare JPEG whose tables fit no quality, and for WebP and AVIF, which do not tell
  /// theirs.
  private static final int UNKNOWN_QUALITY = 90;

  private final Representation representation;
  private final boolean applyOrientation;
  private final ImageDecoder decoder = new ImageDecoder();
  private final ImageEncoder encoder = new ImageEncoder();
  private final JpegHeader header = new JpegHeader();
  private final WebpHeader webp = new WebpHeader();
  private final Resampler resampler = new Resampler();
  private final Block pixels;
  private final Block turned;
  private final Block resized;
  private final Block encoded;
  private MemorySegment result = MemorySegment.NULL;
  private ImageSize size = new ImageSize(1, 1);
  private ImageFormat format = ImageFormat.RAW;
  private int channels;
  private boolean orientationDropped;
  private boolean alphaDropped;

  Transformer(ConvertOptions options, MemoryBudget budget) {
    representation = options.representation();
    applyOrientation = options.applyOrientation();
    turned = new Block(budget);
    pixels = new Block(budget);
    resized = new Block(budget);
    encoded = new Block(budget);
  }

  /// Transforms one image; the getters then describe the result.
  Outcome transform(MemorySegment source) throws DecodeException {
    ImageInfo stored = decoder.probe(source);
    boolean turn = applyOrientation && stored.orientation() != 1;
    ImageInfo info = turn ? stored.upright() : stored;
    ImageSize target = representation.resize().target(info.height(), info.width());
    boolean sameSize = target.height() == info.height() && target.width() == info.width();
    orientationDropped = false;
    alphaDropped = false;
    if (sameSize && !turn && keeps(source, info)) {
      result = source;
      size = target;
      format = info.format();
      channels = info.channels();
      return representation.encoding() instanceof TargetEncoding.Keep
          ? Outcome.KEPT
          : Outcome.KEPT_BELOW_TARGET;
    }
    MemorySegment rgb = pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(source, stored, rgb);
    if (turn) {
      MemorySegment upright = turned.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
      Orientation.apply(rgb, stored.width(), stored.height(), stored.orientation(), upright);
      rgb = upright;
    }
    if (!sameSize) {
      long bytes = 3L * target.height() * target.width();
      MemorySegment small = resized.ensure(bytes).asSlice(0, bytes);
      resampler.resize(rgb, new ImageSize(info.height(), info.width()), small, target);
      rgb = small;
    }
    ImageEncoding encoding = encodingFor(source, info);
    long bytes = encoder.encode(rgb, target.width(), target.height(), 3, encoding, encoded);
    result = encoded.memory().asSlice(0, bytes);
    size = target;
    format = encoding.format();
    channels = encoding instanceof ImageEncoding.Jpeg && isGrey(info) ? 1 : 3;
    orientationDropped = info.orientation() != 1;
    alphaDropped = info.hasAlpha();
    return sameSize ? Outcome.REENCODED : Outcome.RESIZED;
  }

  private boolean keeps(MemorySegment source, ImageInfo info) throws DecodeException {
    return switch (representation.encoding()) {
      case TargetEncoding.Keep() -> true;
      case TargetEncoding.Jpeg(int quality) -> {
        if (info.format() != ImageFormat.JPEG) {
          yield false;
        }
        header.read(source);
        int estimate = header.estimatedQuality();
        yield estimate > 0 && estimate <= quality;
      }
      case TargetEncoding.Png() -> info.format() == ImageFormat.PNG;
      case TargetEncoding.Raw() -> info.format() == ImageFormat.RAW;
      case TargetEncoding.Webp(_), TargetEncoding.WebpLossless(), TargetEncoding.Avif(_) -> false;
      case TargetEncoding.Lossless(_) -> false;
      case TargetEncoding.Qoi() -> info.format() == ImageFormat.QOI;
      case TargetEncoding.Bmp() -> info.format() == ImageFormat.BMP;
      case TargetEncoding.Ppm() -> info.format() == ImageFormat.PNM;
    };
  }

  /// A resized or turned image that is to keep its encoding is encoded anew in its own format, a
  /// JPEG at its own estimated quality.
  private ImageEncoding encodingFor(MemorySegment source, ImageInfo info) throws DecodeException {
    return switch (representation.encoding()) {
      case TargetEncoding.Jpeg(int quality) -> jpeg(quality, info);
      case TargetEncoding.Png() -> ImageEncoding.Png.DEFAULT;
      case TargetEncoding.Raw() -> new ImageEncoding.Raw();
      case TargetEncoding.Webp(int quality) -> new ImageEncoding.Webp(quality);
      case TargetEncoding.WebpLossless() -> new ImageEncoding.WebpLossless();
      case TargetEncoding.Avif(int quality) -> new ImageEncoding.Avif(quality);
      case TargetEncoding.Qoi() -> new ImageEncoding.Qoi();
      case TargetEncoding.Lossless(LosslessLevel level) -> new ImageEncoding.Lossless(level);
      case TargetEncoding.Bmp() -> new ImageEncoding.Bmp();
      case TargetEncoding.Ppm() -> new ImageEncoding.Pnm();
      case TargetEncoding.Keep() ->
          switch (info.format()) {
            case JPEG -> {
              header.read(source);
              int estimate = header.estimatedQuality();
              yield jpeg(estimate > 0 ? estimate : UNKNOWN_QUALITY, info);
            }
            case PNG -> ImageEncoding.Png.DEFAULT;
            case RAW -> new ImageEncoding.Raw();
            case WEBP -> {
              webp.read(source);
              yield webp.lossless()
                  ? new ImageEncoding.WebpLossless()
                  : new ImageEncoding.Webp(UNKNOWN_QUALITY);
            }
            case AVIF -> new ImageEncoding.Avif(UNKNOWN_QUALITY);
            case QOI -> new ImageEncoding.Qoi();
            case LOSSLESS -> new ImageEncoding.Lossless(TargetEncoding.Lossless.USUAL);
            case BMP -> new ImageEncoding.Bmp();
            case PNM -> new ImageEncoding.Pnm();
          };
    };
  }

  private static ImageEncoding jpeg(int quality, ImageInfo info) {
    return new ImageEncoding.Jpeg(quality, isGrey(info) ? Subsampling.GRAY : Subsampling.S420);
  }

  private static boolean isGrey(ImageInfo info) {
    return info.channels() <= 2;
  }

  MemorySegment result() {
    return result;
  }

  ImageSize size() {
    return size;
  }

  ImageFormat format() {
    return format;
  }

  int channels() {
    return channels;
  }

  boolean orientationDropped() {
    return orientationDropped;
  }

  boolean alphaDropped() {
    return alphaDropped;
  }

  @Override
  public void close() {
    turned.close();
    decoder.close();
    encoder.close();
    pixels.close();
    resized.close();
    encoded.close();
  }
}
