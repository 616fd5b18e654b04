package io.headrace.codec.images;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/// Encodes images in any format: the one encoder a worker needs.
///
/// Codecs are made when first needed. Confined to the thread that first encodes.
public final class ImageEncoder implements AutoCloseable {
  private final Map<ImageFormat, PixelEncoder> encoders = new EnumMap<>(ImageFormat.class);

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
    return encoder(encoding).encode(pixels, width, height, channels, encoding, out);
  }

  /// Encodes one RGB image of 16 bits.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, off heap, rows packed
  /// @param encoding what to make, which [ImageEncoding#holds16Bits]
  /// @throws DecodeException as [#encode] does
  public long encode16(
      MemorySegment pixels, int width, int height, ImageEncoding encoding, Block out)
      throws DecodeException {
    return encoder(encoding).encode16(pixels, width, height, encoding, out);
  }

  private PixelEncoder encoder(ImageEncoding encoding) {
    ImageFormat format = encoding.format();
    PixelEncoder encoder = encoders.get(format);
    if (encoder == null) {
      encoder = ImageCodecs.of(format).encoder();
      encoders.put(format, encoder);
    }
    return encoder;
  }

  @Override
  public void close() {
    encoders.values().forEach(PixelEncoder::close);
  }
}
