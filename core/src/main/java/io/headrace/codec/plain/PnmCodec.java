package io.headrace.codec.plain;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads PBM, PGM, PPM and PAM and writes PGM and PPM: a text header, then the samples, rows
/// packed; see [PnmHeader]. In PBM a 1 is black. One per worker.
///
/// Samples are brought to 8 bits as `255 * sample / maxval`, halves up, as Netpbm does; to 16
/// bits, where that is asked for, as `65535 * sample / maxval`. Alpha of a PAM is dropped;
/// [ImageInfo#channels] tells of it. What follows the first picture is ignored.
final class PnmCodec extends HeaderDecoder {
  private static final ValueLayout.OfChar NETWORK = JAVA_CHAR_UNALIGNED.withOrder(BIG_ENDIAN);

  private final PnmHeader header = new PnmHeader();
  private final long maxPixels;

  /// Full light in what is decoded, 255 or 65,535.
  private int most = 255;

  /// @param maxPixels columns times rows that an image may have
  PnmCodec(long maxPixels) {
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param pnm one whole file
  /// @throws DecodeException as [PnmHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels, [Fault#TRUNCATED] if there are too few bytes for them
  @Override
  protected void readHeader(MemorySegment pnm) throws DecodeException {
    header.read(pnm);
    ImageLimits.requirePixels("pnm", header.width, header.height, maxPixels);
    ImageLimits.requirePlausible(
        "pnm", header.width, header.height, header.leastBytes(), pnm.byteSize());
  }

  @Override
  protected ImageInfo info(MemorySegment pnm) {
    int depth = header.bitmap ? 1 : 8 * header.sampleBytes();
    return new ImageInfo(
        ImageFormat.PNM, header.width, header.height, header.channels, depth, null, false, 1);
  }

  @Override
  public ImageEncoding like(int quality) {
    return PlainCodec.PNM;
  }

  /// Decodes one image, channels last, rows packed.
  ///
  /// @param pnm one whole file
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], at least [ImageInfo#rgbBytes] bytes; bytes after
  ///     those stay as they are
  /// @throws DecodeException if the file is cut, not as announced, or a sample is over the largest
  ///     that the header allows; `pixels` is then undefined
  @Override
  public void decode(MemorySegment pnm, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    decode(pnm, info, 255, pixels);
  }

  /// Decodes one image, channels last, rows packed, to the numbers 0 to `most`.
  ///
  /// @param most 255, or 65,535 for pixels of uint16 in native order
  private void decode(MemorySegment pnm, ImageInfo info, int most, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireBytes(pixels, most == 255 ? info.rgbBytes() : 2 * info.rgbBytes());
    header(pnm);
    ImageLimits.requireSize("pnm", header.width, header.height, info);
    this.most = most;
    int channels = header.channels;
    if (header.digits) {
      digits(pnm, pixels);
      return;
    }
    if (header.bitmap) {
      bits(pnm, pixels);
      return;
    }
    if (channels == 3 && header.maxval == 255 && most == 255) {
      MemorySegment.copy(pnm, header.pixels, pixels, 0, info.rgbBytes());
      return;
    }
    long count = (long) header.width * header.height;
    int sampleBytes = header.sampleBytes();
    int green = channels > 2 ? sampleBytes : 0;
    for (long i = 0; i < count; i++) {
      long from = header.pixels + i * channels * sampleBytes;
      put(pixels, 3 * i, sample(pnm, from));
      put(pixels, 3 * i + 1, sample(pnm, from + green));
      put(pixels, 3 * i + 2, sample(pnm, from + 2L * green));
    }
  }

  /// Decodes one image to 16 bits; as [#decode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order
  @Override
  public void decode16(MemorySegment pnm, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    decode(pnm, info, 65_535, pixels);
  }

  private void put(MemorySegment pixels, long sample, int value) {
    if (most == 255) {
      pixels.set(JAVA_BYTE, sample, (byte) value);
    } else {
      pixels.set(JAVA_CHAR_UNALIGNED, 2 * sample, (char) value);
    }
  }

  private void digits(MemorySegment pnm, MemorySegment pixels) throws DecodeException {
    header.rewind();
    long count = (long) header.width * header.height * header.channels;
    for (long i = 0; i < count; i++) {
      int sample = header.sample(pnm);
      int value = scaled(header.bitmap ? 1 - sample : sample, header.at());
      if (header.channels == 3) {
        put(pixels, i, value);
      } else {
        grey(pixels, i, value);
      }
    }
  }

  private void bits(MemorySegment pnm, MemorySegment pixels) {
    long to = 0;
    for (int y = 0; y < header.height; y++) {
      long row = header.pixels + header.rowBytes() * y;
      for (int x = 0; x < header.width; x++) {
        int bit = u8(pnm, row + x / 8) >> (7 - x % 8) & 1;
        grey(pixels, to++, most * (1 - bit));
      }
    }
  }

  private void grey(MemorySegment pixels, long pixel, int value) {
    for (int c = 0; c < 3; c++) {
      put(pixels, 3 * pixel + c, value);
    }
  }

  private int sample(MemorySegment pnm, long at) throws DecodeException {
    return scaled(header.maxval > 255 ? u16(pnm, at) : u8(pnm, at), at);
  }

  private int scaled(int value, long at) throws DecodeException {
    int maxval = header.maxval;
    if (value > maxval) {
      throw new DecodeException(
          Fault.CORRUPT, "pnm: sample %d of at most %d, at byte %d".formatted(value, maxval, at));
    }
    return (int) ((2L * most * value + maxval) / (2L * maxval));
  }

  /// Encodes one image of 8 bits: RGB as PPM (P6), grey as PGM (P5).
  ///
  /// @param pixels uint8 [height, width, channels], rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey
  /// @param out takes the file at its start
  /// @return bytes of the file
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it
  static long encode(MemorySegment pixels, int width, int height, int channels, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, channels);
    long bytes = (long) channels * width * height;
    MemorySegment to = out.ensure(bytes + 32);
    long at = writeHeader(to, width, height, channels, 255);
    MemorySegment.copy(pixels, 0, to, at, bytes);
    return at + bytes;
  }

  /// Encodes one RGB image of 16 bits; as [#encode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order
  static long encode16(MemorySegment pixels, int width, int height, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, 3);
    long samples = 3L * width * height;
    MemorySegment to = out.ensure(2 * samples + 32);
    long at = writeHeader(to, width, height, 3, 65_535);
    MemorySegment.copy(pixels, JAVA_CHAR_UNALIGNED, 0, to, NETWORK, at, samples);
    return at + 2 * samples;
  }

  private static long writeHeader(
      MemorySegment to, int width, int height, int channels, int maxval) {
    long at = write(to, 0, 'P');
    at = write(to, write(to, at, channels == 3 ? '6' : '5'), '\n');
    at = write(to, decimal(to, at, width), ' ');
    at = write(to, decimal(to, at, height), '\n');
    return write(to, decimal(to, at, maxval), '\n');
  }

  private static long decimal(MemorySegment to, long at, int value) {
    long next = value < 10 ? at : decimal(to, at, value / 10);
    return write(to, next, '0' + value % 10);
  }

  private static long write(MemorySegment to, long at, int value) {
    to.set(JAVA_BYTE, at, (byte) value);
    return at + 1;
  }
}
