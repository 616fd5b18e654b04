package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.quality.Psnr;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reported problems of lossless rewriting; rows of `docs/odd-inputs-images.md`.
final class OddTranscodeTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final JpegTranscoder transcoder = new JpegTranscoder();
  private final JpegDecoder decoder = new JpegDecoder();

  @AfterEach
  void close() {
    decoder.close();
    transcoder.close();
    out.close();
    arena.close();
  }

  private MemorySegment offHeap(byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  private byte[] transcode(byte[] jpeg, JpegTarget target) throws DecodeException {
    Transcoded result = transcoder.transcode(offHeap(jpeg), target, out);
    return out.memory().asSlice(0, result.bytes()).toArray(JAVA_BYTE);
  }

  private byte[] pixels(byte[] jpeg) throws DecodeException {
    return Jpegs.pixels(decoder, offHeap(jpeg));
  }

  /// 61 x 45 pixels by `cjpeg`, with the standard's tables.
  @Test
  void entry99OddSizesComeBackByteForByte() throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/odd.jpg");
    byte[] progressive = transcode(jpeg, new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL));
    byte[] back = transcode(progressive, new JpegTarget.Baseline(false, MetadataPolicy.KEEP_ALL));
    assertThat(transcoder.picture().width()).isEqualTo(61);
    assertThat(transcoder.picture().height()).isEqualTo(45);
    assertThat(pixels(progressive)).isEqualTo(pixels(jpeg));
    assertThat(pixels(back)).isEqualTo(pixels(jpeg));
    assertThat(progressive).isNotEqualTo(jpeg);
    assertThat(back).isEqualTo(jpeg);
  }

  @ParameterizedTest
  @EnumSource
  void entry101TrailersAreDroppedAndCounted(MetadataPolicy policy) throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/odd.jpg");
    byte[] trailed = Arrays.copyOf(jpeg, jpeg.length + 100);
    Arrays.fill(trailed, jpeg.length, trailed.length, (byte) 'x');
    for (JpegTarget target :
        List.of(new JpegTarget.Baseline(true, policy), new JpegTarget.Progressive(policy))) {
      Dropped dropped = transcoder.transcode(offHeap(trailed), target, out).dropped();
      assertThat(dropped.trailingBytes()).isEqualTo(100);
      assertThat(transcode(trailed, target)).isEqualTo(transcode(jpeg, target));
    }
  }

  /// Two pictures in a file, as cameras write them: an index segment in the first says where the
  /// second lies. Without the second, the index would point at nothing.
  @ParameterizedTest
  @EnumSource
  void entry101SecondPicturesAreDroppedWithTheirIndex(MetadataPolicy policy)
      throws DecodeException {
    byte[] first = Jpegs.named("jpeg/odd.jpg");
    byte[] second = Jpegs.named("jpeg/grey.jpg");
    byte[] indexed = Jpegs.with(first, 0xe2, Jpegs.ascii("MPF\0MM\0*\0\0\0\b\0\0\0\0\0\0"));
    byte[] both = Arrays.copyOf(indexed, indexed.length + second.length);
    System.arraycopy(second, 0, both, indexed.length, second.length);
    JpegTarget target = new JpegTarget.Progressive(policy);
    Dropped dropped = transcoder.transcode(offHeap(both), target, out).dropped();
    assertThat(dropped.trailingBytes()).isEqualTo(second.length);
    assertThat(dropped.segments()).isEqualTo(1);
    assertThat(dropped.bytes()).isEqualTo(indexed.length - first.length);
    assertThat(transcode(both, target)).isEqualTo(transcode(first, target));
    assertThat(pixels(transcode(both, target))).isEqualTo(pixels(both));
  }

  @Test
  void entry103EveryBeginningIsThatOfDjpeg() throws DecodeException {
    MemorySegment jpeg = offHeap(Jpegs.named("jpeg-prefixes/picture.jpg"));
    String[] lines =
        new String(Jpegs.named("jpeg-prefixes/expected.txt"), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .toArray(String[]::new);
    byte[] full = Jpegs.pixels(decoder, jpeg);
    var cuts = new ScanCuts();
    cuts.find(jpeg);
    assertThat(cuts.scans()).isEqualTo(10).isEqualTo(lines.length);
    long sizeBefore = 0;
    double before = 0;
    for (int scan = 1; scan <= 10; scan++) {
      String[] expected = lines[scan - 1].split(" ", -1);
      long size = cuts.prefix(jpeg, ScanGroups.EACH_SCAN, scan, out);
      assertThat(size).isEqualTo(Long.parseLong(expected[1]) + 2).isGreaterThan(sizeBefore);
      byte[] pixels =
          Jpegs.pixels(decoder, offHeap(out.memory().asSlice(0, size).toArray(JAVA_BYTE)));
      var crc = new CRC32();
      crc.update(pixels);
      assertThat("%08x".formatted(crc.getValue())).as("%d scans", scan).isEqualTo(expected[2]);
      double psnr = Psnr.measure(MemorySegment.ofArray(pixels), MemorySegment.ofArray(full));
      assertThat(psnr).isGreaterThanOrEqualTo(before);
      if (scan < 10) {
        assertThat(psnr).isCloseTo(Double.parseDouble(expected[3]), within(1e-3));
      }
      sizeBefore = size;
      before = psnr;
    }
    assertThat(before).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(decoder.warnings()).isZero();
  }

  /// A beginning without an end marker is cut short for anyone but [ScanCuts], who adds it.
  @Test
  void entry103BeginningsNeedTheirEndMarker() throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg-prefixes/picture.jpg");
    var cuts = new ScanCuts();
    cuts.find(offHeap(jpeg));
    for (int scan = 1; scan <= 10; scan++) {
      MemorySegment cut = offHeap(Arrays.copyOf(jpeg, (int) cuts.scanEnd(scan)));
      assertThatThrownBy(() -> transcoder.picture().read(cut))
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.TRUNCATED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"baseline.jpg", "progressive.jpg", "ycck.jpg"})
  void entry105HuffmanCodedPicturesAreRewritten(String name) throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/" + name);
    for (MetadataPolicy policy : MetadataPolicy.values()) {
      byte[] made = transcode(jpeg, new JpegTarget.Progressive(policy));
      assertThat(pixels(made)).isEqualTo(pixels(jpeg));
      int components = transcoder.picture().components();
      int adobe = transcoder.picture().header().adobeTransform();
      transcoder.picture().read(offHeap(made));
      assertThat(transcoder.picture().components())
          .isEqualTo(components)
          .isEqualTo(name.equals("ycck.jpg") ? 4 : 3);
      assertThat(transcoder.picture().header().adobeTransform())
          .isEqualTo(adobe)
          .isEqualTo(name.equals("ycck.jpg") ? 2 : -1);
    }
  }

  /// Whoever rewrites a set passes these through as they are: the fault and the words say why.
  @Test
  void entry105OthersAreRefusedWithTheirReason() {
    JpegTarget target = new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL);
    for (String name : List.of("arithmetic.jpg", "arithmetic-progressive.jpg")) {
      assertThatThrownBy(() -> transcode(Jpegs.named("jpeg/" + name), target))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("arithmetic")
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.UNSUPPORTED);
    }
    assertThatThrownBy(() -> transcode(Jpegs.named("png/type2-08.png"), target))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("PNG")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.MISMATCH);
  }
}
