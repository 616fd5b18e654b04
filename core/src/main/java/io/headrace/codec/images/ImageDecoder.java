package io.headrace.codec.images;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.FirstBytes;
import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Orientation;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.packed.PackedDecoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decodes any image format to RGB: the one decoder a worker needs.
///
/// The content decides which codec reads it. Codecs are made when first needed, so a dataset of
/// one format needs the library of no other. Used by one thread at a time.
///
/// Pixels come as they are stored, and [ImageInfo#orientation] says how to turn them, as
/// torchvision and Pillow leave them. A decoder made to apply orientations turns them: then
/// [#probe] reports the size of the upright picture, and orientation 1.
public final class ImageDecoder implements AutoCloseable {
  private final MemoryBudget budget;
  private final long maxPixels;
  private final boolean upright;
  private final Block stored;

  /// The image that was probed last, and its header.
  private MemorySegment probed = MemorySegment.NULL;

  private @Nullable ImageInfo probedInfo;

  private final Map<ImageFormat, PixelDecoder> decoders = new EnumMap<>(ImageFormat.class);

  /// A decoder with an unbounded budget that takes [ImageLimits#MAX_PIXELS].
  public ImageDecoder() {
    this(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  }

  /// @param budget for the rare image that needs scratch memory
  /// @param maxPixels columns times rows that an image may have
  public ImageDecoder(MemoryBudget budget, long maxPixels) {
    this(budget, maxPixels, false);
  }

  /// @param budget for the image that needs scratch memory: what a codec says, and 3 bytes a pixel
  ///     of one that has to be turned
  /// @param maxPixels columns times rows that an image may have
  /// @param applyOrientation whether pixels are brought the right way up
  public ImageDecoder(MemoryBudget budget, long maxPixels, boolean applyOrientation) {
    this.budget = budget;
    upright = applyOrientation;
    stored = new Block(budget);
    this.maxPixels = maxPixels;
  }

  /// Reads an image's header and holds it to the limits.
  ///
  /// @param encoded one whole encoded image
  /// @throws DecodeException saying what it is, if it is no image of a format that is read here
  ///     (MISMATCH, or UNSUPPORTED for an image); else as the format's own decoder does
  /// @throws ConfigException if the C library for the format is missing
  public ImageInfo probe(MemorySegment encoded) throws DecodeException {
    probed = MemorySegment.NULL;
    ImageInfo info = probeStored(encoded);
    probedInfo = info;
    probed = encoded;
    return upright ? info.upright() : info;
  }

  /// {@return what the header says, which is not read again if it is that of the last image}
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // others may be there
  private ImageInfo stored(MemorySegment encoded) throws DecodeException {
    ImageInfo info = probedInfo;
    return probed == encoded && info != null ? info : probeStored(encoded);
  }

  private ImageInfo probeStored(MemorySegment encoded) throws DecodeException {
    ImageFormat format = ImageFormat.detect(encoded);
    if (format == null) {
      throw FirstBytes.noImage(encoded, "an image that Headrace reads");
    }
    return decoder(format).probe(encoded);
  }

  /// {@return how to encode the image that was probed last so that it stays what it is}
  ///
  /// @param format of that image
  /// @param quality for a lossy format whose images do not tell theirs
  public ImageEncoding like(ImageFormat format, int quality) {
    return decoder(format).like(quality);
  }

  /// Decodes one image at full size.
  ///
  /// @param encoded one whole encoded image, off heap; if it is the segment that was probed last,
  ///     its header is not read again
  /// @param info as [#probe] reported it
  /// @param rgb uint8 [height, width, 3], off heap, at least [ImageInfo#rgbBytes] bytes; bytes
  ///     after those stay as they are
  /// @throws DecodeException if the image is cut, damaged or not as announced; `rgb` is then
  ///     undefined
  /// @throws ConfigException if the C library for the format is missing
  public void decodeRgb(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    decodeRgb(encoded, info, JpegScale.FULL, rgb);
  }

  /// Decodes one image of more than 8 bits at full size, as it is stored: not turned.
  ///
  /// @param encoded one whole encoded image, off heap
  /// @param info as [#probe] reported it, of a depth over 8 bits
  /// @param rgb uint16 [height, width, 3] in native order, off heap, at least twice
  ///     [ImageInfo#rgbBytes] bytes; full light is 65,535
  /// @throws DecodeException if the image is cut, damaged or not as announced; `rgb` is then
  ///     undefined
  /// @throws ConfigException if the C library for the format is missing
  public void decodeRgb16(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    decoder(info.format()).decode16(encoded, info, rgb);
  }

  /// Decodes one image smaller than it is, which only a JPEG can, packed or not.
  ///
  /// @param encoded one whole encoded image, off heap
  /// @param info as [#probe] reported it
  /// @param scale of the result; anything but [JpegScale#FULL] is for JPEGs only
  /// @param rgb uint8 [scaled height, scaled width, 3], off heap, at least [JpegScale#rgbBytes]
  ///     bytes
  /// @throws DecodeException if the image is cut, damaged or not as announced; `rgb` is then
  ///     undefined
  /// @throws ConfigException if the C library for the format is missing
  public void decodeRgb(MemorySegment encoded, ImageInfo info, JpegScale scale, MemorySegment rgb)
      throws DecodeException {
    ImageInfo found = upright ? stored(encoded) : info;
    if (found.orientation() == 1 || !upright) {
      decoder(info.format()).decode(encoded, info, scale, rgb);
      return;
    }
    ImageLimits.requireBytes(rgb, scale.rgbBytes(info));
    ImageLimits.requireSize(
        info.format().label(), found.upright().width(), found.upright().height(), info);
    long bytes = scale.rgbBytes(found);
    MemorySegment pixels = stored.ensure(bytes);
    decoder(found.format()).decode(encoded, found, scale, pixels);
    int width = scale.scaled(found.width());
    int height = scale.scaled(found.height());
    Orientation.apply(pixels, width, height, found.orientation(), rgb);
  }

  /// {@return whether parts of such an image can be decoded without the rest}
  public boolean hasParts(ImageInfo info) {
    return decoder(info.format()).hasParts(info, upright);
  }

  /// Decodes a part of an image that [#hasParts].
  ///
  /// @param window takes pixels that cannot be used where they are
  /// @return the part, or null if the whole is to be decoded, which also says what is wrong with it
  public @Nullable DecodedRegion decodePart(
      MemorySegment encoded, ImageInfo info, Region part, Block window) {
    try {
      return decoder(info.format()).decodePart(encoded, info, part, window);
    } catch (DecodeException e) {
      return null; // the whole says what is wrong
    }
  }

  /// Decodes a part of an image to planes of red, green and blue, or to one of grey.
  ///
  /// @param samples takes them
  /// @return false if the format has no way to planes
  public boolean decodePlanes(
      MemorySegment encoded, ImageInfo info, Region part, Planes planes, Block samples)
      throws DecodeException {
    return decoder(info.format()).decodePlanes(encoded, info, part, planes, samples);
  }

  /// Checks an image as strictly as can be: see [JpegDecoder#verify]; other formats are decoded.
  ///
  /// @param rgb as [#decodeRgb(MemorySegment, ImageInfo, MemorySegment)] takes them
  public void verify(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    if (info.format() == ImageFormat.JPEG) {
      jpeg().verify(encoded, upright ? stored(encoded) : info, rgb);
    } else if (info.format() == ImageFormat.PACKED) {
      packed().verify(encoded, rgb);
    } else {
      decodeRgb(encoded, info, rgb);
    }
  }

  /// {@return the decoder of JPEGs, whose header is that of the one that was probed or decoded
  ///     last}
  ///
  /// @throws ConfigException if libturbojpeg is missing
  public JpegDecoder jpeg() {
    return (JpegDecoder) decoder(ImageFormat.JPEG);
  }

  /// {@return the decoder of packed JPEGs, whose header is that of the one that was probed last}
  public PackedDecoder packed() {
    return (PackedDecoder) decoder(ImageFormat.PACKED);
  }

  /// {@return JPEGs decoded in full although libjpeg-turbo warned; see [JpegDecoder]}
  public long warnings() {
    long found = decoders.get(ImageFormat.JPEG) instanceof JpegDecoder jpeg ? jpeg.warnings() : 0;
    return decoders.get(ImageFormat.PACKED) instanceof PackedDecoder packed
        ? found + packed.warnings()
        : found;
  }

  /// {@return headers read so far, but for those of packed JPEGs and of tiles put together}
  public long headersRead() {
    long read = 0;
    for (PixelDecoder decoder : decoders.values()) {
      read +=
          switch (decoder) {
            case HeaderDecoder one -> one.headersRead();
            case JpegDecoder jpeg -> jpeg.header().reads();
            default -> 0;
          };
    }
    return read;
  }

  private PixelDecoder decoder(ImageFormat format) {
    PixelDecoder decoder = decoders.get(format);
    if (decoder == null) {
      decoder = ImageCodecs.of(format).decoder(budget, maxPixels);
      decoders.put(format, decoder);
    }
    return decoder;
  }

  @Override
  public void close() {
    stored.close();
    decoders.values().forEach(PixelDecoder::close);
  }
}
