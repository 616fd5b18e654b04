package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.webp.WebpLosslessEncoding;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Files of others, or put together by hand, in WebP, QOI, BMP and PNM.
final class PictureFixturesTest {
  private final Arena arena = Arena.ofConfined();
  private final ImageDecoder decoder = new ImageDecoder();

  @AfterEach
  void close() {
    decoder.close();
    arena.close();
  }

  static Stream<String> fixtures() {
    return Stream.of("webp", "qoi", "bmp", "pnm")
        .flatMap(
            folder -> Pictures.expected(folder).stream().map(file -> folder + "/" + file.name()));
  }

  private MemorySegment decode(MemorySegment encoded) throws DecodeException {
    ImageInfo info = decoder.probe(encoded);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decodeRgb(encoded, info, rgb);
    return rgb;
  }

  private void refused(byte[] encoded, Fault fault, String words) {
    MemorySegment bytes = Pictures.offHeap(arena, encoded);
    assertThatThrownBy(() -> decode(bytes))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void pixelsAreThoseOfTheDefinition(String path) throws DecodeException {
    String folder = path.substring(0, path.indexOf('/'));
    Pictures.Expected expected =
        Pictures.expected(folder).stream()
            .filter(e -> path.endsWith("/" + e.name()))
            .findFirst()
            .orElseThrow();
    MemorySegment bytes = Pictures.offHeap(arena, Pictures.resource(path));
    ImageInfo info = decoder.probe(bytes);
    assertThat(info.format()).extracting(ImageFormat::label).isEqualTo(folder);
    assertThat(info.width()).isEqualTo(expected.width());
    assertThat(info.height()).isEqualTo(expected.height());
    assertThat(Pictures.crc(decode(bytes))).isEqualTo(expected.crc());
  }

  @ParameterizedTest
  @CsvSource({
    "webp/lossy.webp, 3, 8, 1",
    "webp/lossy-alpha.webp, 4, 8, 1",
    "webp/lossless-alpha.webp, 4, 8, 1",
    "webp/orientation-6.webp, 3, 8, 6",
    "qoi/all-rgba.qoi, 4, 8, 1",
    "bmp/rgb-32.bmp, 3, 8, 1",
    "bmp/masks.bmp, 3, 8, 1",
    "bmp/alpha-v5.bmp, 4, 8, 1",
    "bmp/palette-1.bmp, 3, 1, 1",
    "bmp/palette-8.bmp, 3, 8, 1",
    "bmp/grey-os2.bmp, 1, 8, 1",
    "bmp/rgb-555.bmp, 3, 5, 1",
    "bmp/rgb-565.bmp, 3, 6, 1",
    "bmp/masks-odd-16.bmp, 4, 4, 1",
    "bmp/masks-10.bmp, 3, 10, 1",
    "bmp/palette-2.bmp, 3, 2, 1",
    "bmp/rle-8.bmp, 3, 8, 1",
    "bmp/rle-4-top-down.bmp, 3, 4, 1",
    "pnm/bits.pbm, 1, 1, 1",
    "pnm/netpbm-plain-16.ppm, 3, 16, 1",
    "pnm/netpbm-plain.pgm, 1, 8, 1",
    "pnm/grey-max-1000.pgm, 1, 16, 1",
    "pnm/rgb-16.ppm, 3, 16, 1",
    "pnm/rgb-alpha.pam, 4, 8, 1",
    "pnm/grayscale-alpha.pam, 2, 8, 1",
  })
  void headersTellOfAlphaDepthAndOrientation(String path, int channels, int depth, int orientation)
      throws DecodeException {
    ImageInfo info = decoder.probe(MemorySegment.ofArray(Pictures.resource(path)));
    assertThat(info.channels()).isEqualTo(channels);
    assertThat(info.bitDepth()).isEqualTo(depth);
    assertThat(info.orientation()).isEqualTo(orientation);
  }

  @ParameterizedTest
  @CsvSource({
    // width 0; 5 channels; colour space 2; 2^32 - 1 columns; 60000 rows of 60000 in no bytes
    "716f6966 00000000 00000001 0300 01, CORRUPT, 0 x 1",
    "716f6966 00000001 00000001 0500 01, CORRUPT, 5 channels",
    "716f6966 00000001 00000001 0302 01, CORRUPT, colour space 2",
    "716f6966 ffffffff 00000001 0300 01, LIMIT, 4294967295",
    "716f6966 00000001 ffffffff 0300 01, LIMIT, 4294967295",
    "716f6966 ffffffff ffffffff 0300 01, LIMIT, 18446744065119617025",
    "716f6966 00002000 00002000 0300 01, TRUNCATED, at least",
    "716f6966 00000002 00000001 0300 ff010203, TRUNCATED, at least",
    // BMP: header of 41 bytes is no BMP; no rows; two planes; 5 bits; others below
    "424d 36000000 00000000 36000000 29000000 01, MISMATCH, starts with",
    "424d 36000000 00000000 1a000000 0c000000 0100 0000 0100 1800, CORRUPT, 1 x 0",
    "424d 36000000 00000000 1a000000 0c000000 0100 0100 0200 1800, CORRUPT, 2 planes",
    "424d 36000000 00000000 1a000000 0c000000 0100 0100 0100 0500, UNSUPPORTED, 5 bits",
    "424d 36000000 00000000 1a000000 0c000000 0100 0100 0100 1800, TRUNCATED, at least 29",
    "424d 36000000 00000000 10000000 0c000000 0100 0100 0100 1800, CORRUPT, inside the header",
    "424d 36000000 00000000 1a000000 0c000000 ffff ffff 0100 1800, LIMIT, 4294836225",
    // VP8L of 16384 x 16384, which is over the limit; VP8 that is no key frame; no picture at all
    "52494646 12000000 57454250 5650384c 05000000 2fffffff0f 00, LIMIT, 268435456",
    "52494646 16000000 57454250 56503820 0a000000 01000000000000000000, CORRUPT, no key frame",
    "52494646 0c000000 57454250 58595a20 00000000, CORRUPT, no picture",
    "52494646 16000000 57454250 56503820 ff000000 01000000000000000000, CORRUPT, chunk of 255",
    "52494646 ff000000 57454250 56503820 0a000000 01000000000000000000, TRUNCATED, needs 263",
  })
  void hostileHeadersAreRefusedWithAReason(String hex, Fault fault, String words) {
    refused(HexFormat.of().parseHex(hex.replace(" ", "")), fault, words);
  }

  @ParameterizedTest
  @CsvSource({
    "P3_1 1 255_0 0 0, TRUNCATED, in the samples",
    "P3_1 1 255_0 0, TRUNCATED, at least",
    "P3_1 1 255_0 0 256_, CORRUPT, sample 256 of at most 255",
    "P2_2 1 255_0 -1_, CORRUPT, no number",
    "P2_2 1 255_0:1_, CORRUPT, no white space",
    "P2_60000 60000 255_0_, LIMIT, 3600000000",
    "P1_2 1_02, CORRUPT, neither 0 nor 1",
    "P1_3 1_0 1_#_, TRUNCATED, in the samples",
    "P4_9 1_x, TRUNCATED, at least 9",
    "P7_WIDTH 1_HEIGHT 1_DEPTH 4_MAXVAL 255_TUPLTYPE CMYK_ENDHDR_xxxx, UNSUPPORTED, inks",
    "P5_0 1 255_x, CORRUPT, 0 x 1",
    "P5_1 1 0_x, CORRUPT, up to 0",
    "P5_1 1 65536_xx, CORRUPT, up to 65536",
    "P5_1 -1 255_x, CORRUPT, no number",
    "P5_1 99999999999 255_x, CORRUPT, number over",
    "P5_60000 60000 255_x, LIMIT, 3600000000",
    "P5_2 1 255_x, TRUNCATED, at least",
    "P5_2 1 25, TRUNCATED, in the header",
    "P5_1 1 100_x, CORRUPT, sample 120 of at most 100",
    "P7_WIDTH 1_HEIGHT 1_MAXVAL 255_ENDHDR_x, CORRUPT, 0 channels",
    "P7_WIDTH 1_HEIGHT 1_DEPTH 5_MAXVAL 255_ENDHDR_xxxxx, UNSUPPORTED, 5 channels",
    "P7_WIDTH 1_COLOUR 1, CORRUPT, unknown header line",
    "P7_WIDTH 1_#, TRUNCATED, in the header",
  })
  void hostilePnmsAreRefusedWithAReason(String text, Fault fault, String words) {
    refused(text.replace('_', '\n').getBytes(StandardCharsets.US_ASCII), fault, words);
  }

  @Test
  void animationsAreUnsupported() {
    refused(Pictures.resource("webp/animated.webp"), Fault.UNSUPPORTED, "animated, 32 x 32");
  }

  @Test
  void paletteIndexWithoutAColourIsCorrupt() {
    byte[] bmp = Pictures.resource("bmp/palette-short.bmp");
    bmp[bmp.length - 20] = 3;
    refused(bmp, Fault.CORRUPT, "colour 3 of 3");
  }

  /// Law: runs that lead out of the picture are CORRUPT, runs that stop before they say so are
  /// TRUNCATED, whatever they are.
  @ParameterizedTest
  @CsvSource({
    "rle-8.bmp, 0900, CORRUPT, column 9",
    "rle-8.bmp, 00090000000000000000000000, CORRUPT, column 9",
    "rle-8.bmp, 00020900, CORRUPT, column 9",
    "rle-8.bmp, 00020005, CORRUPT, row 5",
    "rle-8.bmp, 0110, CORRUPT, colour 16 of 16",
    "rle-8.bmp, 0100, TRUNCATED, in row 0 of 5",
    "rle-8.bmp, 0000 00, TRUNCATED, in row 1 of 5",
    "rle-8.bmp, 0002 00, TRUNCATED, in row 0 of 5",
    "rle-8.bmp, 0003 00, TRUNCATED, in row 0 of 5",
    "rle-4.bmp, 0003 00, TRUNCATED, in row 0 of 5",
    "rle-4.bmp, 0911, CORRUPT, column 9",
  })
  void runsThatLeadOutOfThePictureAreRefused(String file, String runs, Fault fault, String words) {
    byte[] bmp = Pictures.resource("bmp/" + file);
    int start = bmp[10] & 0xff;
    byte[] damaged = Arrays.copyOf(bmp, start + runs.replace(" ", "").length() / 2);
    byte[] body = HexFormat.of().parseHex(runs.replace(" ", ""));
    System.arraycopy(body, 0, damaged, start, body.length);
    refused(damaged, fault, words);
  }

  @Test
  void colourMasksWithHolesAreCorrupt() {
    byte[] bmp = Pictures.resource("bmp/rgb-565.bmp");
    bmp[54] = 1; // 0x0000f801
    refused(bmp, Fault.CORRUPT, "colour mask 0000f801");
    bmp[54] = 0;
    bmp[56] = 1; // a bit beyond the 16
    refused(bmp, Fault.CORRUPT, "colour mask 0001f800");
  }

  /// The encodings inside a BMP that only printers understand.
  @ParameterizedTest
  @CsvSource({"0, 4, 0 bits", "0, 5, 0 bits", "1, 3, 1 bits", "24, 4, 24 bits"})
  void otherCompressionsOfBmpAreNamed(int bits, int compression, String words) {
    byte[] bmp = Pictures.resource("bmp/os2-64.bmp");
    bmp[28] = (byte) bits;
    bmp[30] = (byte) compression;
    refused(bmp, Fault.UNSUPPORTED, words + " a pixel with compression " + compression);
  }

  @Test
  void damagedWebpIsCorruptInTheLibrarysWords() {
    byte[] webp = Pictures.resource("webp/lossless.webp");
    Arrays.fill(webp, 26, 60, (byte) 0xff);
    refused(webp, Fault.CORRUPT, "status 3 [19 x 13 pixels, lossless");
  }

  @Test
  void webpKeepsToItsBudget() throws DecodeException {
    var enough = new MemoryBudget(4 * 19 * 13);
    MemorySegment rgb = arena.allocate(3 * 19 * 13);
    MemorySegment webp = Pictures.offHeap(arena, Pictures.resource("webp/lossless.webp"));
    try (var rich = new ImageDecoder(enough, 1000);
        var poor = new ImageDecoder(new MemoryBudget(4 * 19 * 13 - 1), 1000)) {
      rich.decodeRgb(webp, rich.probe(webp), rgb);
      assertThat(enough.reserved()).isZero();
      ImageCodecContract.fault(() -> poor.decodeRgb(webp, poor.probe(webp), rgb), Fault.LIMIT);
    }
  }

  @Test
  void whatAFormatCannotSayIsOverTheLimit() {
    MemorySegment pixels = arena.allocate(3 * 16_384);
    try (var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      ImageCodecContract.fault(
          () -> encoder.encode(pixels, 16_384, 1, 3, new WebpLosslessEncoding(), out), Fault.LIMIT);
    }
  }

  @ParameterizedTest
  @CsvSource({"qoi/pillow.qoi, 19, 13", "qoi/pillow-flat.qoi, 200, 7"})
  void qoiIsThatOfOtherEncoders(String path, int width, int height) throws DecodeException {
    byte[] theirs = Pictures.resource(path);
    MemorySegment pixels = decode(Pictures.offHeap(arena, theirs));
    try (var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      long bytes = encoder.encode(pixels, width, height, 3, PlainCodec.QOI, out);
      assertThat(out.memory().asSlice(14, bytes - 14).toArray(JAVA_BYTE))
          .isEqualTo(Arrays.copyOfRange(theirs, 14, theirs.length));
    }
  }
}
