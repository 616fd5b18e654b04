package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.images.ImageCodecContract;
import io.headrace.codec.images.Pictures;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.JpegSurgery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JpegDecoderTest {
  private final Arena arena = Arena.ofConfined();
  private final JpegDecoder decoder = new JpegDecoder();

  @AfterEach
  void close() {
    decoder.close();
    arena.close();
  }

  static List<Pictures.Expected> fixtures() {
    return Pictures.expected("jpeg");
  }

  private MemorySegment fixture(String name) {
    return Pictures.offHeap(arena, Pictures.resource("jpeg/" + name));
  }

  private MemorySegment decode(MemorySegment jpeg) throws DecodeException {
    return decode(jpeg, JpegScale.FULL);
  }

  private MemorySegment decode(MemorySegment jpeg, JpegScale scale) throws DecodeException {
    ImageInfo info = decoder.probe(jpeg);
    MemorySegment rgb = arena.allocate(scale.rgbBytes(info));
    decoder.decode(jpeg, info, scale, rgb);
    return rgb;
  }

  private void refused(byte[] jpeg, Fault fault, String words) {
    MemorySegment bytes = Pictures.offHeap(arena, jpeg);
    assertThatThrownBy(() -> decode(bytes))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void pixelsAreThoseOfDjpeg(Pictures.Expected expected) throws DecodeException {
    MemorySegment jpeg = fixture(expected.name());
    ImageInfo info = decoder.probe(jpeg);
    assertThat(info.width()).isEqualTo(expected.width());
    assertThat(info.height()).isEqualTo(expected.height());
    assertThat(Pictures.crc(decode(jpeg))).isEqualTo(expected.crc());
  }

  @ParameterizedTest
  @CsvSource({"jfif-0.jpg, 1", "extraneous.jpg, 1", "baseline.jpg, 0", "empty-huffman.jpg, 0"})
  void harmlessWarningsAreCounted(String name, int warnings) throws DecodeException {
    decode(fixture(name));
    assertThat(decoder.warnings()).isEqualTo(warnings);
  }

  @Test
  void harmlessWarningDoesNotHideTheEndOfTheData() {
    byte[] jpeg = Pictures.resource("jpeg/jfif-0.jpg");
    refused(Corrupter.cut(jpeg, jpeg.length * 9 / 10), Fault.TRUNCATED, "JFIF");
  }

  @Test
  void flatColoursComeOutRight() throws DecodeException {
    assertThat(decode(fixture("rgb.jpg")).asSlice(0, 3).toArray(JAVA_BYTE))
        .containsExactly((byte) 200, 30, 60);
    assertThat(decode(fixture("rgb-taken-for-ycc.jpg")).asSlice(0, 3).toArray(JAVA_BYTE))
        .containsExactly(105, (byte) 255, 26);
    assertThat(decode(fixture("ycck.jpg")).asSlice(0, 3).toArray(JAVA_BYTE))
        .containsExactly(1, (byte) 255, (byte) 255);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void bytesBehindTheEndAreIgnored(int kind) throws DecodeException {
    byte[] jpeg = Pictures.resource("jpeg/baseline.jpg");
    byte[] other = Pictures.resource("jpeg/odd.jpg");
    byte[] both = Arrays.copyOf(jpeg, jpeg.length + 1000);
    if (kind == 1) {
      new Random(5).nextBytes(other);
    }
    if (kind > 0) {
      System.arraycopy(other, 0, both, jpeg.length, 1000);
    }
    MemorySegment bytes = Pictures.offHeap(arena, both);
    assertThat(decode(bytes).mismatch(decode(fixture("baseline.jpg")))).isEqualTo(-1);
    assertThat(decoder.header().findEnd(bytes)).isEqualTo(jpeg.length);
    assertThat(decoder.warnings()).isZero();
  }

  @Test
  void cutDataSaysSoInTheLibrarysWords() {
    byte[] jpeg = Pictures.resource("jpeg/baseline.jpg");
    refused(Corrupter.cut(jpeg, jpeg.length * 9 / 10), Fault.TRUNCATED, "Premature end of JPEG");
  }

  @Test
  void damagedCodedDataIsCorrupt() throws DecodeException {
    byte[] jpeg = Pictures.resource("jpeg/baseline.jpg");
    decoder.probe(Pictures.offHeap(arena, jpeg));
    byte[] damaged = jpeg.clone();
    int start = (int) decoder.header().firstScan() + 40;
    Arrays.fill(damaged, start, start + 60, (byte) 0xfe);
    refused(damaged, Fault.CORRUPT, "with an end marker");
  }

  @ParameterizedTest
  @CsvSource({
    "65500, 65500, 4290250000 pixels, LIMIT",
    "65535, 65535, at most 65500, LIMIT",
    "15000, 15000, the data ends after, TRUNCATED",
    "0, 64, DNL, UNSUPPORTED",
    "48, 0, width 0, CORRUPT"
  })
  void headerSizesAreHeldToLimits(int height, int width, String words, Fault fault) {
    byte[] jpeg = Pictures.resource("jpeg/progressive.jpg");
    int sof = JpegSurgery.find(jpeg, 0xc2);
    jpeg[sof + 5] = (byte) (height >> 8);
    jpeg[sof + 6] = (byte) height;
    jpeg[sof + 7] = (byte) (width >> 8);
    jpeg[sof + 8] = (byte) width;
    refused(jpeg, fault, words);
  }

  @Test
  void twelveBitsAreUnsupported() {
    byte[] jpeg = Pictures.resource("jpeg/baseline.jpg");
    jpeg[JpegSurgery.find(jpeg, 0xc0) + 4] = 12;
    refused(jpeg, Fault.UNSUPPORTED, "12 bits");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void scaledSizesAreRoundedUp(int eighths) throws DecodeException {
    var scale = new JpegScale(eighths);
    MemorySegment rgb = decode(fixture("odd.jpg"), scale);
    assertThat(rgb.byteSize())
        .isEqualTo(3L * Math.ceilDiv(61 * eighths, 8) * Math.ceilDiv(45 * eighths, 8));
    byte[] full = decode(fixture("odd.jpg")).toArray(JAVA_BYTE);
    assertThat(mean(rgb.toArray(JAVA_BYTE))).isBetween(mean(full) - 10, mean(full) + 10);
  }

  private static double mean(byte[] samples) {
    double sum = 0;
    for (byte b : samples) {
      sum += b & 0xff;
    }
    return sum / samples.length;
  }

  @Test
  void onePixelSurvivesAnyScale() throws DecodeException {
    assertThat(JpegScale.EIGHTH.scaled(1)).isEqualTo(1);
    assertThat(JpegScale.HALF.scaled(61)).isEqualTo(31);
    assertThat(decode(fixture("cmyk.jpg"), JpegScale.EIGHTH).byteSize()).isEqualTo(12);
  }

  @Test
  void manyScansOfManyPixelsAreOverTheLimit() {
    byte[] jpeg = Pictures.resource("jpeg/progressive.jpg");
    int scan = JpegSurgery.find(jpeg, 0xda);
    byte[] many = Arrays.copyOf(jpeg, jpeg.length + 200 * 10);
    for (int i = 0; i < 200; i++) { // each an AC scan of no coded data
      byte[] empty = {(byte) 0xff, (byte) 0xda, 0, 8, 1, 1, 0, 1, 63, 0};
      System.arraycopy(empty, 0, many, scan + 10 * i, 10);
    }
    System.arraycopy(jpeg, scan, many, scan + 2000, jpeg.length - scan);
    MemorySegment bytes = Pictures.offHeap(arena, many);
    try (var strict = new JpegDecoder(MemoryBudget.unbounded(), 61 * 45)) {
      assertThatThrownBy(() -> strict.probe(bytes))
          .hasMessageContaining("210 scans of 61 x 45 pixels, over the limit of 32");
    }
  }

  @Test
  void coefficientsAreHeldToTheBudgetAndGivenBack() throws DecodeException {
    MemorySegment jpeg = fixture("progressive.jpg");
    MemorySegment rgb = arena.allocate(3 * 61 * 45);
    long needed = 2L * 64 * (8 * 6 + 2 * 4 * 3); // 4:2:0: 4 x 3 MCUs
    var enough = new MemoryBudget(needed);
    try (var decoder = new JpegDecoder(enough, ImageLimits.MAX_PIXELS);
        var poor = new JpegDecoder(new MemoryBudget(needed - 1), ImageLimits.MAX_PIXELS)) {
      decoder.decode(jpeg, decoder.probe(jpeg), rgb);
      assertThat(enough.peak()).isEqualTo(needed);
      assertThat(enough.reserved()).isZero();
      ImageCodecContract.fault(() -> poor.decode(jpeg, poor.probe(jpeg), rgb), Fault.LIMIT);
    }
  }

  @Test
  void scratchForInksIsHeldToTheBudget() {
    try (var poor = new JpegDecoder(new MemoryBudget(1000), ImageLimits.MAX_PIXELS)) {
      MemorySegment jpeg = fixture("cmyk.jpg");
      MemorySegment rgb = arena.allocate(3 * 16 * 16);
      ImageCodecContract.fault(() -> poor.decode(jpeg, poor.probe(jpeg), rgb), Fault.LIMIT);
    }
  }

  @Test
  void heapSegmentsAreRefusedBeforeCSeesThem() throws DecodeException {
    MemorySegment jpeg = fixture("baseline.jpg");
    ImageInfo info = decoder.probe(jpeg);
    MemorySegment heap = MemorySegment.ofArray(new byte[(int) info.rgbBytes()]);
    assertThatThrownBy(() -> decoder.decode(jpeg, info, heap))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("off heap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"progressive.jpg", "progressive-restart.jpg", "arithmetic.jpg"})
  void cutsOfOtherKindsAreReported(String name) throws DecodeException {
    byte[] jpeg = Pictures.resource("jpeg/" + name);
    for (int length = 0; length < jpeg.length; length += 3) {
      MemorySegment cut = Pictures.offHeap(arena, Corrupter.cut(jpeg, length));
      assertThatThrownBy(() -> decode(cut)).isInstanceOf(DecodeException.class);
    }
  }
}
