package io.headrace.codec.images;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.Subsampling;
import io.headrace.codec.avif.AvifEncoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.codec.lossless.LosslessEncoder;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.codec.plain.BmpCodec;
import io.headrace.codec.plain.PnmCodec;
import io.headrace.codec.plain.QoiCodec;
import io.headrace.codec.plain.RawCodec;
import io.headrace.codec.png.PngEncoder;
import io.headrace.codec.webp.WebpEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Encodes images in any format: the one encoder a worker needs.
///
/// Codecs are made when first needed. Confined to the thread that first encodes.
public final class ImageEncoder implements AutoCloseable {
  private @Nullable JpegEncoder jpeg;
  private @Nullable PngEncoder png;
  private @Nullable WebpEncoder webp;
  private @Nullable AvifEncoder avif;
  private @Nullable QoiCodec qoi;
  private @Nullable LosslessEncoder lossless;

  /// An encoder that holds no C state yet.
  public ImageEncoder() {}

  /// Encodes one image.
  ///
  /// @param pixels uint8 [height, width, channels], off heap, rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey
  /// @param encoding what to make
  /// @param out takes the encoded image at its start
  /// @return bytes of the encoded image
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget of `out` does not allow it, or
  ///     the image is larger than the format can say
  /// @throws ConfigException if the C library for the format is missing
  public long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {
    return switch (encoding) {
      case ImageEncoding.Jpeg(int quality, Subsampling subsampling) ->
          jpeg().encode(pixels, width, height, channels, quality, subsampling, out);
      case ImageEncoding.Png(int level) ->
          png().encode(pixels, width, height, channels, level, out);
      case ImageEncoding.Raw() -> RawCodec.encode(pixels, width, height, channels, out);
      case ImageEncoding.Webp(int quality) ->
          webp().encode(pixels, width, height, channels, quality, out);
      case ImageEncoding.WebpLossless() ->
          webp().encode(pixels, width, height, channels, WebpEncoder.LOSSLESS, out);
      case ImageEncoding.Avif(int quality) ->
          avif().encode(pixels, width, height, channels, quality, out);
      case ImageEncoding.Qoi() -> qoi().encode(pixels, width, height, channels, out);
      case ImageEncoding.Bmp() -> BmpCodec.encode(pixels, width, height, channels, out);
      case ImageEncoding.Lossless(LosslessLevel level) ->
          lossless().encode(pixels, width, height, channels, level, out);
      case ImageEncoding.Pnm() -> PnmCodec.encode(pixels, width, height, channels, out);
    };
  }

  /// Encodes one RGB image of 16 bits.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, off heap, rows packed
  /// @param encoding what to make, which [ImageEncoding#holds16Bits]
  /// @throws DecodeException as [#encode] does
  public long encode16(
      MemorySegment pixels, int width, int height, ImageEncoding encoding, Block out)
      throws DecodeException {
    return switch (encoding) {
      case ImageEncoding.Png(int level) -> png().encode16(pixels, width, height, level, out);
      case ImageEncoding.Raw() -> RawCodec.encode16(pixels, width, height, out);
      case ImageEncoding.Pnm() -> PnmCodec.encode16(pixels, width, height, out);
      case ImageEncoding.Lossless(LosslessLevel level) ->
          lossless().encode16(pixels, width, height, level, out);
      case ImageEncoding.Jpeg _,
          ImageEncoding.Webp _,
          ImageEncoding.WebpLossless _,
          ImageEncoding.Avif _,
          ImageEncoding.Qoi _,
          ImageEncoding.Bmp _ ->
          throw new IllegalArgumentException(encoding + " has 8 bits a channel");
    };
  }

  private JpegEncoder jpeg() {
    JpegEncoder encoder = jpeg;
    if (encoder == null) {
      encoder = new JpegEncoder();
      jpeg = encoder;
    }
    return encoder;
  }

  private PngEncoder png() {
    PngEncoder encoder = png;
    if (encoder == null) {
      encoder = new PngEncoder();
      png = encoder;
    }
    return encoder;
  }

  private WebpEncoder webp() {
    WebpEncoder encoder = webp;
    if (encoder == null) {
      encoder = new WebpEncoder();
      webp = encoder;
    }
    return encoder;
  }

  private AvifEncoder avif() {
    AvifEncoder encoder = avif;
    if (encoder == null) {
      encoder = new AvifEncoder();
      avif = encoder;
    }
    return encoder;
  }

  private QoiCodec qoi() {
    QoiCodec codec = qoi;
    if (codec == null) {
      codec = new QoiCodec(Long.MAX_VALUE);
      qoi = codec;
    }
    return codec;
  }

  private LosslessEncoder lossless() {
    LosslessEncoder encoder = lossless;
    if (encoder == null) {
      encoder = new LosslessEncoder();
      lossless = encoder;
    }
    return encoder;
  }

  @Override
  public void close() {
    if (lossless != null) {
      lossless.close();
    }
    if (webp != null) {
      webp.close();
    }
    if (avif != null) {
      avif.close();
    }
    if (jpeg != null) {
      jpeg.close();
    }
    if (png != null) {
      png.close();
    }
  }
}
