package io.headrace.codec;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Reads PBM, PGM, PPM and PAM and writes PGM and PPM: a text header, then the samples, rows
/// packed; see [PnmHeader]. In PBM a 1 is black. One per worker.
///
/// Samples are brought to 8 bits as `255 * sample / maxval`, halves up, as Netpbm does. Alpha of a
/// PAM is dropped; [ImageInfo#channels] tells of it. What follows the first picture is ignored.
final class PnmCodec {
  private final PnmHeader header = new PnmHeader();
  private final long maxPixels;

  /// @param maxPixels columns times rows that an image may have
  PnmCodec(long maxPixels) {
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param pnm one whole file
  /// @throws DecodeException as [PnmHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels, [Fault#TRUNCATED] if there are too few bytes for them
  ImageInfo probe(MemorySegment pnm) throws DecodeException {
    readHeader(pnm);
    int depth = header.bitmap ? 1 : 8 * header.sampleBytes();
    return new ImageInfo(
        ImageFormat.PNM, header.width, header.height, header.channels, depth, null, false, 1);
  }

  private void readHeader(MemorySegment pnm) throws DecodeException {
    header.read(pnm);
    ImageLimits.requirePixels("pnm", header.width, header.height, maxPixels);
    ImageLimits.requirePlausible(
        "pnm", header.width, header.height, header.leastBytes(), pnm.byteSize());
  }

  /// Decodes one image, channels last, rows packed.
  ///
  /// @param pnm one whole file
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], at least [ImageInfo#rgbBytes] bytes; bytes behind
  ///     those stay as they are
  /// @throws DecodeException if the file is cut, not as announced, or a sample is over the largest
  ///     that the header allows; `pixels` is then undefined
  void decode(MemorySegment pnm, ImageInfo info, MemorySegment pixels) throws DecodeException {
    ImageLimits.requireBytes(pixels, info.rgbBytes());
    readHeader(pnm);
    ImageLimits.requireSize("pnm", header.width, header.height, info);
    int channels = header.channels;
    if (header.digits) {
      digits(pnm, pixels);
      return;
    }
    if (header.bitmap) {
      bits(pnm, pixels);
      return;
    }
    if (channels == 3 && header.maxval == 255) {
      MemorySegment.copy(pnm, header.pixels, pixels, 0, info.rgbBytes());
      return;
    }
    long count = (long) header.width * header.height;
    int sampleBytes = header.sampleBytes();
    int green = channels > 2 ? sampleBytes : 0;
    for (long i = 0; i < count; i++) {
      long from = header.pixels + i * channels * sampleBytes;
      pixels.set(JAVA_BYTE, 3 * i, sample(pnm, from));
      pixels.set(JAVA_BYTE, 3 * i + 1, sample(pnm, from + green));
      pixels.set(JAVA_BYTE, 3 * i + 2, sample(pnm, from + 2L * green));
    }
  }

  private void digits(MemorySegment pnm, MemorySegment pixels) throws DecodeException {
    header.rewind();
    long count = (long) header.width * header.height * header.channels;
    for (long i = 0; i < count; i++) {
      int sample = header.sample(pnm);
      byte value = eight(header.bitmap ? 1 - sample : sample, header.at());
      if (header.channels == 3) {
        pixels.set(JAVA_BYTE, i, value);
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
        grey(pixels, to++, (byte) (bit - 1));
      }
    }
  }

  private static void grey(MemorySegment pixels, long pixel, byte value) {
    for (int c = 0; c < 3; c++) {
      pixels.set(JAVA_BYTE, 3 * pixel + c, value);
    }
  }

  private byte sample(MemorySegment pnm, long at) throws DecodeException {
    return eight(header.maxval > 255 ? u16(pnm, at) : u8(pnm, at), at);
  }

  private byte eight(int value, long at) throws DecodeException {
    int maxval = header.maxval;
    if (value > maxval) {
      throw new DecodeException(
          Fault.CORRUPT, "pnm: sample %d of at most %d, at byte %d".formatted(value, maxval, at));
    }
    return (byte) ((510 * value + maxval) / (2 * maxval));
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
    long at = put(to, 0, 'P');
    at = put(to, put(to, at, channels == 3 ? '6' : '5'), '\n');
    at = put(to, decimal(to, at, width), ' ');
    at = put(to, decimal(to, at, height), '\n');
    at = put(to, decimal(to, at, 255), '\n');
    MemorySegment.copy(pixels, 0, to, at, bytes);
    return at + bytes;
  }

  private static long decimal(MemorySegment to, long at, int value) {
    long next = value < 10 ? at : decimal(to, at, value / 10);
    return put(to, next, '0' + value % 10);
  }

  private static long put(MemorySegment to, long at, int value) {
    to.set(JAVA_BYTE, at, (byte) value);
    return at + 1;
  }
}
