package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.png.HandmadePng;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.JpegSurgery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Inputs that people reported of other loaders, by their numbers in `docs/odd-inputs-images.md`.
final class OddImagesTest {
  private final Arena arena = Arena.ofConfined();
  private final ImageDecoder decoder = new ImageDecoder();

  @AfterEach
  void close() {
    decoder.close();
    arena.close();
  }

  private byte[] decode(byte[] encoded) throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encoded);
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decodeRgb(bytes, info, rgb);
    return rgb.toArray(JAVA_BYTE);
  }

  /// {@return the red samples, for pictures that are grey}
  private byte[] grey(byte[] encoded) throws DecodeException {
    byte[] rgb = decode(encoded);
    byte[] grey = new byte[rgb.length / 3];
    for (int i = 0; i < grey.length; i++) {
      grey[i] = rgb[3 * i];
      assertThat(rgb[3 * i + 1]).isEqualTo(grey[i]);
      assertThat(rgb[3 * i + 2]).isEqualTo(grey[i]);
    }
    return grey;
  }

  private void refused(byte[] encoded, Fault fault, String words) {
    assertThatThrownBy(() -> decode(encoded))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  @Test
  void entry42CutJpegSaysHowMuchThereWas() {
    byte[] jpeg = Pictures.resource("jpeg/baseline.jpg");
    byte[] cut = Corrupter.cut(jpeg, jpeg.length * 6 / 10);
    refused(cut, Fault.TRUNCATED, "64 x 48 pixels, %d bytes, no end marker".formatted(cut.length));
  }

  @ParameterizedTest
  @ValueSource(ints = {65_500, 65_535})
  void entry64HugeSizesAreRefusedFromTheHeaderAlone(int edge) {
    byte[] jpeg = Pictures.resource("jpeg/progressive.jpg");
    int sof = JpegSurgery.find(jpeg, 0xc2);
    for (int i : new int[] {5, 7}) {
      jpeg[sof + i] = (byte) (edge >> 8);
      jpeg[sof + i + 1] = (byte) edge;
    }
    MemorySegment bytes = Pictures.offHeap(arena, jpeg);
    long before = Allocations.ofThisThread();
    ImageCodecContract.fault(() -> decoder.probe(bytes), Fault.LIMIT);
    assertThat(Allocations.ofThisThread() - before).isLessThan(1 << 20);
  }

  @Test
  void entry74InterlacedPicturesSmallerThanTheirPasses() throws DecodeException {
    byte[] values = new byte[15];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (10 * i);
    }
    // rows of the passes, each after its filter: the first, second and fourth have a pixel each,
    // the third has none, the fifth row 2, the sixth rows 0 and 2, the seventh row 1
    byte[] passes = hex("0000 0028 0014 0064788c 000a1e 006e82 00323c46505a");
    byte[] png = new HandmadePng(5, 3, 8, 0, true).pixels(passes).end();
    assertThat(grey(png)).isEqualTo(values);
    assertThat(grey(new HandmadePng(1, 1, 8, 0, true).pixels((byte) 0, (byte) 9).end()))
        .containsExactly(9);
  }

  @ParameterizedTest
  @CsvSource({
    "8, 1, 1, 00a5, ff00ff0000ff00ff",
    "4, 1, 2, 001b, 0055aaff",
    "2, 1, 4, 003c, 33cc",
    "3, 2, 1, 00a00040, ff00ff00ff00",
  })
  void entry76FewBitsAreSpreadOverAllValues(
      int width, int height, int depth, String rows, String expected) throws DecodeException {
    byte[] png = new HandmadePng(width, height, depth, 0, false).pixels(hex(rows)).end();
    assertThat(grey(png)).isEqualTo(hex(expected));
  }

  @Test
  void entry78ColourKeyIsReportedAndChangesNoColour() throws DecodeException {
    byte[] png =
        new HandmadePng(2, 1, 8, 2, false)
            .chunk("tRNS", hex("000a 0014 001e"))
            .pixels(hex("00 0a141e 0b141e"))
            .end();
    assertThat(decode(png)).isEqualTo(hex("0a141e 0b141e"));
    assertThat(decoder.probe(MemorySegment.ofArray(png)).hasAlpha()).isTrue();
    byte[] wide =
        new HandmadePng(1, 1, 16, 2, false)
            .chunk("tRNS", hex("0a01 1401 1e01"))
            .pixels(hex("00 0a02 1402 1e02"))
            .end();
    assertThat(decode(wide)).isEqualTo(hex("0a141e"));
  }

  @Test
  void entry80AlphaIsDroppedAndJpegHasThreeComponents() throws DecodeException {
    byte[] png = new HandmadePng(2, 1, 8, 6, false).pixels(hex("00 ff000000 0000ff80")).end();
    byte[] rgb = decode(png);
    assertThat(rgb).isEqualTo(hex("ff0000 0000ff"));
    assertThat(decoder.probe(MemorySegment.ofArray(png)).hasAlpha()).isTrue();
    try (var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      var encoding = new JpegEncoding(95, Subsampling.S444);
      long bytes = encoder.encode(Pictures.offHeap(arena, rgb), 2, 1, 3, encoding, out);
      byte[] jpeg = out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
      assertThat(decoder.probe(MemorySegment.ofArray(jpeg)).channels()).isEqualTo(3);
      assertThat(Pictures.largestDifference(decode(jpeg), rgb)).isLessThan(40);
    }
  }

  @Test
  void entry82CutPngIsTruncatedButItsEndChunkMayBeMissing() throws DecodeException {
    byte[] rows = new byte[64 * 65];
    new Random(1).nextBytes(rows);
    for (int y = 0; y < 64; y++) {
      rows[65 * y] = 0;
    }
    byte[] png = new HandmadePng(64, 64, 8, 0, false).pixels(rows).end();
    refused(Corrupter.cut(png, png.length / 2), Fault.TRUNCATED, "64 x 64 pixels");
    assertThat(decode(Corrupter.cut(png, png.length - 12))).isEqualTo(decode(png));
  }

  @ParameterizedTest
  @ValueSource(strings = {"iCCP", "zTXt"})
  void entry84MetadataBombsCostNothing(String type) throws DecodeException {
    byte[] zeros = HandmadePng.deflate(new byte[50_000_000]);
    byte[] data = new byte[3 + zeros.length];
    data[0] = 'a'; // a name, its end, and the method of compression
    System.arraycopy(zeros, 0, data, 3, zeros.length);
    byte[] png =
        new HandmadePng(2, 2, 8, 0, false).chunk(type, data).pixels(hex("00 0102 00 0304")).end();
    MemorySegment bytes = Pictures.offHeap(arena, png);
    MemorySegment rgb = arena.allocate(12);
    long before = Allocations.ofThisThread();
    decoder.decodeRgb(bytes, decoder.probe(bytes), rgb);
    assertThat(Allocations.ofThisThread() - before).isLessThan(1 << 20);
    assertThat(rgb.toArray(JAVA_BYTE)).isEqualTo(hex("010101 020202 030303 040404"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void entry86StillPictureOfAnAnimatedPng(boolean broken) throws DecodeException {
    byte[] control = hex("00000000 00000002 00000002 00000000 00000000 0001 000a 00 00");
    byte[] frame = broken ? hex("00000001 ffff") : frame(hex("00 0708 00 090a"));
    byte[] png =
        new HandmadePng(2, 2, 8, 0, false)
            .chunk("acTL", hex("00000001 00000000"))
            .pixels(hex("00 0102 00 0304"))
            .chunk("fcTL", control)
            .chunk("fdAT", frame)
            .end();
    assertThat(grey(png)).containsExactly(1, 2, 3, 4);
  }

  private static byte[] frame(byte[] rows) {
    byte[] packed = HandmadePng.deflate(rows);
    byte[] frame = new byte[4 + packed.length];
    frame[3] = 1; // its number
    System.arraycopy(packed, 0, frame, 4, packed.length);
    return frame;
  }

  @Test
  void entry88NearlyNothingIsNoPicture() {
    refused(new byte[0], Fault.MISMATCH, "no bytes at all");
    refused(hex("ff"), Fault.MISMATCH, "starts with ff");
    refused(hex("ffd8"), Fault.MISMATCH, "starts with ff d8");
  }

  @Test
  void entry96AnimatedWebpIsUnsupported() {
    refused(Pictures.resource("webp/animated.webp"), Fault.UNSUPPORTED, "animated");
  }

  @Test
  void entry98HeicIsNamedAndAvifIsRead() throws DecodeException {
    refused(hex("0000001c 66747970 68656963 00000000"), Fault.UNSUPPORTED, "a HEIF image");
    assertThat(decode(Pictures.resource("avif/grey.avif"))).hasSize(3 * 19 * 13);
  }
}
