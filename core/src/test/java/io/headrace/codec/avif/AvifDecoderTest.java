package io.headrace.codec.avif;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageCodecContract;
import io.headrace.codec.images.Pictures;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AvifDecoderTest {
  private final Arena arena = Arena.ofConfined();
  private final AvifDecoder decoder = new AvifDecoder(MemoryBudget.unbounded(), 1_000_000);

  @AfterEach
  void close() {
    decoder.close();
    arena.close();
  }

  private MemorySegment fixture(String name) {
    return Pictures.offHeap(arena, Pictures.resource("avif/" + name + ".avif"));
  }

  private byte[] decode(MemorySegment avif) throws DecodeException {
    ImageInfo info = decoder.probe(avif);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decode(avif, info, rgb);
    return rgb.toArray(JAVA_BYTE);
  }

  private void refused(byte[] avif, Fault fault, String words) {
    MemorySegment bytes = Pictures.offHeap(arena, avif);
    assertThatThrownBy(() -> decode(bytes))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  /// avifdec converts with libyuv, here libavif does: a sample may differ by little.
  @ParameterizedTest
  @CsvSource({
    "yuv420, 19, 13, 3, 8",
    "yuv444-10, 19, 13, 3, 10",
    "yuv422-limited, 19, 13, 3, 8",
    "grey, 19, 13, 1, 8",
    "identity, 19, 13, 3, 8",
    "alpha, 19, 13, 4, 8",
    "grid, 128, 64, 3, 8",
    "larger-item, 19, 13, 3, 8",
  })
  void pixelsAreThoseOfAvifdec(String name, int width, int height, int channels, int depth)
      throws DecodeException {
    MemorySegment avif = fixture(name);
    assertThat(decoder.probe(avif))
        .isEqualTo(new ImageInfo(ImageFormat.AVIF, width, height, channels, depth, null, false, 1));
    byte[] ppm = Pictures.resource("avif/" + name + ".ppm");
    byte[] expected = Arrays.copyOfRange(ppm, ppm.length - 3 * width * height, ppm.length);
    assertThat(Pictures.largestDifference(decode(avif), expected)).isLessThanOrEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6, 8})
  void turnsAndMirrorsAreReportedAsAnOrientation(int orientation) throws DecodeException {
    ImageInfo info = decoder.probe(fixture("orientation-" + orientation));
    assertThat(info.orientation()).isEqualTo(orientation);
    assertThat(info.width()).isEqualTo(19);
  }

  @Test
  void sequencesAreUnsupported() {
    refused(Pictures.resource("avif/sequence.avif"), Fault.UNSUPPORTED, "animated");
  }

  @Test
  void headerSizesAreHeldToLimits() {
    byte[] avif = Pictures.resource("avif/yuv420.avif");
    int ispe = find(avif, "ispe");
    avif[ispe + 8] = 1; // 2^24 columns more
    refused(avif, Fault.LIMIT, "over the limit of 1000000");
    avif[ispe + 8] = (byte) 0x80;
    refused(avif, Fault.CORRUPT, "primary picture of -");
  }

  /// The frame inside is larger than announced: refused before it is decoded.
  @Test
  void theCodedFrameIsHeldToTheHeader() {
    byte[] avif = Pictures.resource("avif/yuv420.avif");
    int ispe = find(avif, "ispe");
    avif[ispe + 11] = 4;
    refused(avif, Fault.CORRUPT, "4 x 13 pixels");
  }

  private static int find(byte[] bytes, String text) {
    for (int i = 0; i + text.length() <= bytes.length; i++) {
      if (new String(bytes, i, text.length(), java.nio.charset.StandardCharsets.US_ASCII)
          .equals(text)) {
        return i;
      }
    }
    throw new AssertionError(text);
  }

  @Test
  void damagedCodedDataIsCorruptInTheLibrarysWords() {
    byte[] avif = Pictures.resource("avif/yuv420.avif");
    Arrays.fill(avif, avif.length - 78, avif.length, (byte) 0x7f);
    refused(avif, Fault.CORRUPT, "[19 x 13 pixels");
  }

  /// Matrix coefficients of ITU-T H.273 that libavif does not convert: YDzDx, two that depend on
  /// the primaries or the transfer function, ICtCp, and two without a meaning yet.
  @ParameterizedTest
  @ValueSource(ints = {11, 10, 13, 14, 3, 99})
  void matricesThatCannotBeConvertedAreUnsupported(int matrix) {
    byte[] avif = Pictures.resource("avif/yuv420.avif");
    avif[find(avif, "nclx") + 9] = (byte) matrix;
    refused(avif, Fault.UNSUPPORTED, "matrix coefficients %d, chroma format 3".formatted(matrix));
  }

  /// Red, green and blue as such cannot have chroma of half the size.
  @Test
  void coloursStoredAsSuchNeedChromaOfFullSize() {
    byte[] avif = Pictures.resource("avif/yuv420.avif");
    avif[find(avif, "nclx") + 9] = 0;
    refused(avif, Fault.UNSUPPORTED, "matrix coefficients 0, chroma format 3");
  }

  @Test
  void largerItemsAreHeldToTheLimitsToo() {
    MemorySegment avif = fixture("larger-item");
    MemorySegment rgb = arena.allocate(3 * 19 * 13);
    try (var small = new AvifDecoder(MemoryBudget.unbounded(), 190 * 130 - 1);
        var poor = new AvifDecoder(new MemoryBudget(6 * 190 * 130 - 1), 1_000_000)) {
      assertThatThrownBy(() -> small.probe(avif)).hasMessageContaining("190 x 130 is 24700 pixels");
      ImageCodecContract.fault(() -> small.probe(avif), Fault.LIMIT);
      ImageCodecContract.fault(() -> poor.decode(avif, poor.probe(avif), rgb), Fault.LIMIT);
    }
  }

  @Test
  void planesAreHeldToTheBudgetAndGivenBack() throws DecodeException {
    MemorySegment avif = fixture("yuv444-10");
    MemorySegment rgb = arena.allocate(3 * 19 * 13);
    var enough = new MemoryBudget(12 * 19 * 13);
    try (var rich = new AvifDecoder(enough, 1000);
        var poor = new AvifDecoder(new MemoryBudget(12 * 19 * 13 - 1), 1000)) {
      rich.decode(avif, rich.probe(avif), rgb);
      assertThat(enough.reserved()).isZero();
      ImageCodecContract.fault(() -> poor.decode(avif, poor.probe(avif), rgb), Fault.LIMIT);
    }
  }

  @Test
  void versionsNotKnownAreRefused() {
    assertThat(LibAvif.isOne("1.4.2")).isTrue();
    assertThat(LibAvif.isOne("0.11.1")).isFalse();
    assertThatThrownBy(() -> LibAvif.isOne("0.9.3"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("0.11 or 1.x is needed");
    assertThatThrownBy(() -> LibAvif.isOne("10.0.0")).isInstanceOf(ConfigException.class);
  }
}
