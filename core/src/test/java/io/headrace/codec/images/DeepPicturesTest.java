package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.avif.AvifEncoding;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.lossless.LosslessEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.png.HandmadePng;
import io.headrace.codec.png.PngEncoding;
import io.headrace.codec.webp.WebpEncoding;
import io.headrace.codec.webp.WebpLosslessEncoding;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Pictures of more than 8 bits a channel, decoded to 16 and encoded from them.
final class DeepPicturesTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final ImageEncoder encoder = new ImageEncoder();
  private final ImageDecoder decoder = new ImageDecoder();

  @AfterEach
  void close() {
    decoder.close();
    encoder.close();
    out.close();
    arena.close();
  }

  static Stream<ImageEncoding> deep() {
    return Stream.of(
        PngEncoding.DEFAULT,
        PlainCodec.RAW,
        PlainCodec.PNM,
        new LosslessEncoding(LosslessLevel.FAST),
        new LosslessEncoding(LosslessLevel.SMALL));
  }

  static Stream<ImageEncoding> shallow() {
    return Stream.of(
        new JpegEncoding(90),
        new WebpEncoding(90),
        new WebpLosslessEncoding(),
        new AvifEncoding(90),
        PlainCodec.QOI,
        PlainCodec.BMP);
  }

  /// {@return a slope with noise in the low bytes: uint16 [height, width, 3]}
  private static char[] pixels(int width, int height) {
    var random = new Random(7);
    char[] pixels = new char[3 * width * height];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (char) (i * 65_000L / pixels.length + random.nextInt(500));
    }
    pixels[0] = 0xffff;
    pixels[1] = 0x00ff;
    pixels[2] = 0xff00;
    return pixels;
  }

  private byte[] encode(ImageEncoding encoding, int width, int height) throws DecodeException {
    MemorySegment pixels = arena.allocateFrom(JAVA_CHAR, pixels(width, height));
    long bytes = encoder.encode16(pixels, width, height, encoding, out);
    return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
  }

  private char[] decode16(byte[] encoded) throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encoded);
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(2 * info.rgbBytes() + 64, 2).fill((byte) 0x5a);
    decoder.decodeRgb16(bytes, info, rgb);
    assertThat(rgb.asSlice(2 * info.rgbBytes()).toArray(JAVA_BYTE)).containsOnly(0x5a);
    return rgb.asSlice(0, 2 * info.rgbBytes()).toArray(JAVA_CHAR);
  }

  private byte[] decode8(byte[] encoded) throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encoded);
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decodeRgb(bytes, info, rgb);
    return rgb.toArray(JAVA_BYTE);
  }

  /// Law: every bit comes back, and the 8 bits of a loader are the high byte; of PNM, whose samples
  /// are numbers, the nearest.
  @ParameterizedTest
  @MethodSource("deep")
  void everyBitComesBack(ImageEncoding encoding) throws DecodeException {
    assertThat(encoding.holds16Bits()).isTrue();
    for (int[] size : new int[][] {{1, 1}, {1, 9}, {17, 33}, {700, 90}}) {
      byte[] encoded = encode(encoding, size[0], size[1]);
      ImageInfo info = decoder.probe(Pictures.offHeap(arena, encoded));
      assertThat(info.format()).isEqualTo(encoding.format());
      assertThat(info.bitDepth()).isEqualTo(16);
      char[] expected = pixels(size[0], size[1]);
      assertThat(decode16(encoded)).isEqualTo(expected);
      byte[] eight = decode8(encoded);
      for (int i = 0; i < expected.length; i++) {
        int high =
            encoding.format() == ImageFormat.PNM ? (expected[i] + 128) / 257 : expected[i] >> 8;
        assertThat(eight[i] & 0xff).as("sample %d of %04x", i, (int) expected[i]).isEqualTo(high);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shallow")
  void encodingsOf8BitsDoNotTakeMore(ImageEncoding encoding) {
    assertThat(encoding.holds16Bits()).isFalse();
    assertThatThrownBy(() -> encode(encoding, 2, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @MethodSource("deep")
  void everyCutIsReported(ImageEncoding encoding) throws DecodeException {
    byte[] encoded = encode(encoding, 33, 21);
    char[] whole = decode16(encoded);
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = Corrupter.cut(encoded, length);
      for (boolean deep : new boolean[] {false, true}) {
        try {
          if (deep) {
            assertThat(decode16(cut)).isEqualTo(whole);
          } else {
            decode8(cut);
          }
          assertThat(encoding.format()).as("decoded although cut").isEqualTo(ImageFormat.PNG);
          assertThat(length).isGreaterThanOrEqualTo(encoded.length - 16); // a checksum, the end
        } catch (DecodeException e) {
          assertThat(e.fault()).isIn(Fault.TRUNCATED, Fault.MISMATCH);
        }
      }
    }
  }

  /// Law: damage to the low bytes is found though only the high bytes are asked for.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFlippedBitOfOurLosslessEncodingIsFound(boolean deep) throws DecodeException {
    byte[] encoded = encode(new LosslessEncoding(LosslessLevel.FAST), 9, 7);
    for (long bit = 0; bit < 8L * encoded.length; bit++) {
      byte[] damaged = Corrupter.flipBit(encoded, bit);
      assertThatThrownBy(() -> read(damaged, deep))
          .as("bit %d", bit)
          .isInstanceOf(DecodeException.class);
    }
  }

  private void read(byte[] encoded, boolean deep) throws DecodeException {
    if (deep) {
      decode16(encoded);
    } else {
      decode8(encoded);
    }
  }

  /// A reader of 8 bits alone would take the high bytes for the picture: the header says more.
  @Test
  void theLowBytesOfOurLosslessEncodingMustFit() throws DecodeException {
    byte[] one = encode(new LosslessEncoding(LosslessLevel.FAST), 9, 7);
    byte[] other = encode(new LosslessEncoding(LosslessLevel.FAST), 7, 9);
    int start = new String(one, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("HRLS", 1);
    int from = new String(other, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("HRLS", 1);
    byte[] mixed = new byte[start + other.length - from];
    System.arraycopy(one, 0, mixed, 0, start);
    System.arraycopy(other, from, mixed, start, other.length - from);
    assertThatThrownBy(() -> decode8(mixed))
        .hasMessageContaining("low bytes are 7 x 9")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.CORRUPT);
  }

  /// What `tf.io.serialize_tensor` writes for [[[1, 256, 65535]]] of uint16.
  @Test
  void bytesAreTensorFlows() throws DecodeException {
    MemorySegment pixels = arena.allocateFrom(JAVA_CHAR, '\u0001', '\u0100', '\uffff');
    long bytes = encoder.encode16(pixels, 1, 1, PlainCodec.RAW, out);
    assertThat(HexFormat.of().formatHex(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE)))
        .isEqualTo("0811120c12020801120208011202080322060100" + "0001ffff");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "2, 3", "4, 2", "6, 4"})
  void samplesOfPngAreThoseStored(int colourType, int samples) throws DecodeException {
    int width = 5;
    int height = 3;
    ByteBuffer rows = ByteBuffer.allocate(height * (1 + 2 * samples * width));
    char[] expected = new char[3 * width * height];
    for (int y = 0; y < height; y++) {
      rows.put((byte) 0); // no filter
      for (int x = 0; x < width; x++) {
        for (int s = 0; s < samples; s++) {
          char value = (char) (0x1234 * (x + 1) + 0x351 * y + 0x77 * s);
          rows.putChar(value);
          for (int c = 0; c < 3; c++) {
            if (s == (samples > 2 ? c : 0)) {
              expected[3 * (width * y + x) + c] = value;
            }
          }
        }
      }
    }
    byte[] png = new HandmadePng(width, height, 16, colourType, false).pixels(rows.array()).end();
    assertThat(decode16(png)).isEqualTo(expected);
  }

  @Test
  void samplesOfPnmAreThoseStored() throws DecodeException {
    byte[] ppm = Pictures.resource("pnm/rgb-16.ppm");
    ByteBuffer stored = ByteBuffer.wrap(ppm, ppm.length - 6 * 19 * 13, 6 * 19 * 13);
    char[] expected = new char[3 * 19 * 13];
    stored.asCharBuffer().get(expected);
    assertThat(decode16(ppm)).isEqualTo(expected);
    assertThat(decode16(Pictures.resource("pnm/netpbm-plain-16.ppm"))).isEqualTo(expected);
    byte[] pgm = Pictures.resource("pnm/grey-max-1000.pgm");
    int first = ByteBuffer.wrap(pgm, pgm.length - 2 * 19 * 13 + 6, 2).getChar(); // of column 3
    assertThat(decode16(pgm)[9]).isEqualTo((char) Math.round(first * 65.535));
  }

  @Test
  void samplesOfBmpAreSpreadOverAllValues() throws DecodeException {
    char[] pixels = decode16(Pictures.resource("bmp/masks-10.bmp"));
    for (int x = 0; x < 19; x++) { // the first row
      int[] colours = {x * 13 % 256, 0, 7};
      for (int c = 0; c < 3; c++) {
        long ten = colours[c] * 1023L / 255;
        assertThat(pixels[3 * x + c]).isEqualTo((char) Math.round(ten * 65_535 / 1023.0));
      }
    }
  }

  @Test
  void avifOf10BitsHasMoreThan256Steps() throws DecodeException {
    byte[] avif = Pictures.resource("avif/yuv444-10.avif");
    char[] deep = decode16(avif);
    byte[] eight = decode8(avif);
    long between = 0;
    for (int i = 0; i < deep.length; i++) {
      assertThat(Math.abs(deep[i] / 257.0 - (eight[i] & 0xff))).isLessThanOrEqualTo(1);
      between += deep[i] % 257 == 0 ? 0 : 1;
    }
    assertThat(between).isGreaterThan(deep.length / 2);
  }

  /// The announced depth is not believed: another picture of 8 bits may stand there now.
  @Test
  void picturesOf8BitsAreNotWhatWasAnnounced() throws DecodeException {
    MemorySegment pixels = arena.allocate(3 * 4 * 4);
    for (ImageEncoding encoding :
        List.of(PngEncoding.DEFAULT, PlainCodec.RAW, new LosslessEncoding(LosslessLevel.FAST))) {
      long bytes = encoder.encode(pixels, 4, 4, 3, encoding, out);
      MemorySegment encoded = out.memory().asSlice(0, bytes);
      ImageInfo info = decoder.probe(encoded);
      assertThat(info.bitDepth()).isEqualTo(8);
      MemorySegment rgb = arena.allocate(2 * info.rgbBytes());
      ImageCodecContract.fault(() -> decoder.decodeRgb16(encoded, info, rgb), Fault.MISMATCH);
    }
  }
}
