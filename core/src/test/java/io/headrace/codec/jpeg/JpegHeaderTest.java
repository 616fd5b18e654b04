package io.headrace.codec.jpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageCodecContract;
import io.headrace.codec.images.Pictures;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.JpegSurgery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class JpegHeaderTest {
  private final JpegHeader header = new JpegHeader();

  private JpegHeader read(String fixture) throws DecodeException {
    header.read(MemorySegment.ofArray(Pictures.resource("jpeg/" + fixture)));
    return header;
  }

  @ParameterizedTest
  @CsvSource({
    "baseline.jpg, 64, 48, 3, S420, false, false, 0",
    "grey.jpg, 61, 45, 1, GRAY, false, false, 0",
    "progressive.jpg, 61, 45, 3, S420, true, false, 0",
    "arithmetic.jpg, 61, 45, 3, S420, false, true, 0",
    "arithmetic-progressive.jpg, 61, 45, 3, S420, true, true, 0",
    "restart-blocks.jpg, 64, 48, 3, S420, false, false, 1",
    "restart-rows.jpg, 64, 48, 3, S420, false, false, 8",
    "sample-1x1.jpg, 61, 45, 3, S444, false, false, 0",
    "sample-2x1.jpg, 61, 45, 3, S422, false, false, 0",
    "sample-1x2.jpg, 61, 45, 3, S440, false, false, 0",
    "sample-4x1.jpg, 61, 45, 3, S411, false, false, 0",
    "sample-2x2-1x2-1x2.jpg, 61, 45, 3, S422, false, false, 0",
    "sample-2x4.jpg, 61, 45, 3, OTHER, false, false, 0",
    "sample-2x2-1x1-2x1.jpg, 61, 45, 3, OTHER, false, false, 0",
    "cmyk.jpg, 16, 16, 4, S444, false, false, 0",
    "thumbnail.jpg, 24, 16, 3, S444, false, false, 0",
    "fill-bytes.jpg, 64, 48, 3, S420, false, false, 0",
  })
  void saysWhatTheFileIs(
      String file,
      int width,
      int height,
      int components,
      Subsampling subsampling,
      boolean progressive,
      boolean arithmetic,
      int restartInterval)
      throws DecodeException {
    read(file);
    assertThat(header.info())
        .isEqualTo(
            new ImageInfo(
                ImageFormat.JPEG, width, height, components, 8, subsampling, progressive, 1));
    assertThat(header.arithmetic()).isEqualTo(arithmetic);
    assertThat(header.restartInterval()).isEqualTo(restartInterval);
  }

  @Test
  void orientationIsReadInBothByteOrders() throws DecodeException {
    assertThat(read("orientation-6-ii.jpg").orientation()).isEqualTo(6);
    assertThat(read("orientation-6-mm.jpg").orientation()).isEqualTo(6);
    assertThat(read("thumbnail.jpg").orientation()).isEqualTo(1);
  }

  @Test
  void nothingIsKeptFromTheLastFile() throws DecodeException {
    read("orientation-6-ii.jpg");
    read("restart-blocks.jpg");
    read("ycck.jpg");
    assertThat(header.adobeTransform()).isEqualTo(2);
    read("grey.jpg");
    assertThat(header.orientation()).isEqualTo(1);
    assertThat(header.restartInterval()).isZero();
    assertThat(header.adobeTransform()).isEqualTo(-1);
  }

  /// Law: what ImageMagick would report of a file of quality q is q.
  @Test
  void estimatedQualityIsTheOneEncodedWith() throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var encoder = new JpegEncoder()) {
      for (int channels : new int[] {3, 1}) {
        MemorySegment pixels = Pictures.offHeap(arena, Pictures.smooth(16, 16, channels));
        for (int quality = 1; quality <= 100; quality++) {
          long bytes = encoder.encode(pixels, 16, 16, channels, quality, Subsampling.S420, out);
          header.read(out.memory().asSlice(0, bytes));
          assertThat(header.estimatedQuality()).as("%d channels", channels).isEqualTo(quality);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/jpeg/imagemagick-quality.csv")
  void estimateIsImageMagicks(int quality, String luma, String chroma) throws DecodeException {
    String hex =
        "ffd8ffdb004300%sffdb004301%sffc0000b080010001001012200ffda0008010100003f00"
            .formatted(luma, chroma);
    header.read(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
    assertThat(header.estimatedQuality()).isEqualTo(quality);
  }

  @Test
  void tablesFarFromTheStandardHaveNoEstimate() throws DecodeException {
    byte[] jpeg = Pictures.resource("jpeg/quality-3.jpg");
    int dqt = JpegSurgery.find(jpeg, 0xdb);
    jpeg[dqt + 5 + 2 * 5] = 0x7f; // the entry that ImageMagick's hash takes first
    header.read(MemorySegment.ofArray(jpeg));
    assertThat(header.estimatedQuality()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "ff, MISMATCH, not a JPEG",
    "1f8b0800, MISMATCH, 'gzip data, not a JPEG'",
    "ffd8, TRUNCATED, needs",
    "ffd8ffd9, CORRUPT, before its first scan",
    "ffd8ffe00001, CORRUPT, length 1",
    "ffd8ffe000104a46, TRUNCATED, header needs 20 bytes",
    "ffd8ffda00080000000000003f00, CORRUPT, scan before the frame",
    "ffd8ffc3000b080010001001012200, UNSUPPORTED, SOF3",
    "ffd8ffc0000b080010001001010000, CORRUPT, sampling factors 0x0",
    "ffd8ffc0000b08001000100901220000, CORRUPT, 9 components",
    "ffd8ffc0000808001000100100, CORRUPT, 1 components in a frame header of 6",
    "ffd8ffc0000b080010001001012200ffda0002, CORRUPT, scan header",
    "ffd8ffc00004, TRUNCATED, needs",
    "ffd8ffdb000300, CORRUPT, quantisation table",
    "ffd8ffdd000300, CORRUPT, restart interval",
    "ffd8ffc0000b080010001001012200ffc0000b080010001001012200, CORRUPT, second frame",
  })
  void brokenHeadersAreRefusedWithAReason(String hex, Fault fault, String words) {
    MemorySegment jpeg = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    assertThatThrownBy(() -> header.read(jpeg))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  @Test
  void aHeaderCutAnywhereIsTruncated() throws DecodeException {
    byte[] jpeg = Pictures.resource("jpeg/orientation-6-ii.jpg");
    header.read(MemorySegment.ofArray(jpeg));
    for (int length = 2; length < header.firstScan(); length++) {
      MemorySegment cut = MemorySegment.ofArray(Corrupter.cut(jpeg, length));
      ImageCodecContract.fault(() -> header.read(cut), Fault.TRUNCATED);
    }
  }

  /// Law: whatever the bytes are, reading ends in a header or a [DecodeException].
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyBytesAreSurvived(long seed) {
    Random random = new Random(seed);
    byte[] jpeg = Pictures.resource("jpeg/orientation-6-mm.jpg");
    for (int i = 0; i < 20; i++) {
      jpeg[2 + random.nextInt(600)] = (byte) random.nextInt();
      try {
        header.read(MemorySegment.ofArray(jpeg));
        header.findEnd(MemorySegment.ofArray(jpeg));
        assertThat(header.estimatedQuality()).isBetween(0, 100);
      } catch (DecodeException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }
}
