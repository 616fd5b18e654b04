package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.ResamplerGoldenTest;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Encoded images, through the codecs.
final class RealImagesTest {
  private static byte[] resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(RealImagesTest.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    }
  }

  private static MemorySegment offHeap(Arena arena, byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  private static SampleProcessor processor(String spec, boolean dctScaling) {
    return new SampleProcessor(
        Pipeline.parse(spec), MemoryBudget.unbounded(), new SampleProcessor.Options(dctScaling));
  }

  private static byte[] process(SampleProcessor processor, Arena arena, MemorySegment encoded)
      throws DecodeException {
    MemorySegment slot = arena.allocate(processor.pipeline().outputSpec().bytes());
    processor.process(encoded, 1, 2, 3, slot);
    return slot.toArray(JAVA_BYTE);
  }

  /// Law: decoding, then the fused pass, equals decoding, then step by step.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/jpeg/baseline.jpg",
        "/jpeg/progressive.jpg",
        "/jpeg/grey.jpg",
        "/jpeg/cmyk.jpg",
        "/png/type2-08.png",
        "/raw/80x70x3.tensor",
        "/webp/lossy.webp",
        "/qoi/pillow.qoi"
      })
  void sameAsDecodeThenSteps(String name) throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        var decoder = new ImageDecoder();
        var processor = processor("resize_shorter=20,center_crop=24x16", false)) {
      MemorySegment encoded = offHeap(arena, resource(name));
      ImageInfo info = decoder.probe(encoded);
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decodeRgb(encoded, info, rgb);
      var picture = new Picture(info.height(), info.width(), rgb.toArray(JAVA_BYTE));
      assertThat(process(processor, arena, encoded))
          .isEqualTo(picture.resizeShorter(20).centerCrop(24, 16).rgb());
    }
  }

  /// Odd input 66: off unless asked for; restart markers, as tiles have, do not mislead it.
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6})
  void orientationIsAppliedBeforeAllSteps(int orientation) throws IOException, DecodeException {
    byte[] jpeg = withOrientation(resource("/jpeg/restart-rows.jpg"), orientation);
    try (Arena arena = Arena.ofConfined();
        var decoder = new ImageDecoder(MemoryBudget.unbounded(), 10_000, true);
        var upright = oriented(true);
        var stored = oriented(false)) {
      MemorySegment encoded = offHeap(arena, jpeg);
      ImageInfo info = decoder.probe(encoded);
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decodeRgb(encoded, info, rgb);
      var picture = new Picture(info.height(), info.width(), rgb.toArray(JAVA_BYTE));
      assertThat(info.width()).isEqualTo(orientation == 6 ? 48 : 64);
      assertThat(process(upright, arena, encoded))
          .isEqualTo(picture.resizeShorter(40).centerCrop(8, 8).rgb());
      byte[] asStored = process(stored, arena, offHeap(arena, resource("/jpeg/restart-rows.jpg")));
      assertThat(process(stored, arena, encoded)).isEqualTo(asStored);
    }
  }

  private static SampleProcessor oriented(boolean apply) {
    return new SampleProcessor(
        Pipeline.parse("resize_shorter=40,center_crop=8x8"),
        MemoryBudget.unbounded(),
        new SampleProcessor.Options(false, true, apply));
  }

  /// {@return a JPEG with an EXIF block after its first marker}
  private static byte[] withOrientation(byte[] jpeg, int orientation) {
    byte[] exif =
        HexFormat.of()
            .parseHex(
                "ffe10022457869660000" // APP1 of 34 bytes
                    + "49492a0008000000" // TIFF, lowest byte first, directory at 8
                    + "0100120103000100" // one entry: tag 0112, a SHORT
                    + "00000%d000000".formatted(orientation)
                    + "00000000");
    byte[] both = new byte[jpeg.length + exif.length];
    System.arraycopy(jpeg, 0, both, 0, 2);
    System.arraycopy(exif, 0, both, 2, exif.length);
    System.arraycopy(jpeg, 2, both, 2 + exif.length, jpeg.length - 2);
    return both;
  }

  @Test
  void scalingWhileDecodingStaysClose() throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        var exact = processor("resize=8x8", false);
        var scaled = processor("resize=8x8", true)) {
      for (String name : new String[] {"/jpeg/baseline.jpg", "/jpeg/grey.jpg"}) {
        MemorySegment encoded = offHeap(arena, resource(name));
        byte[] a = process(exact, arena, encoded);
        byte[] b = process(scaled, arena, encoded);
        assertThat(ResamplerGoldenTest.greatestDifference(a, b)).as(name).isLessThan(16);
        assertThat(b).as("pixels of %s", name).isNotEqualTo(a); // it did scale
      }
    }
  }

  @Test
  void damageIsReportedAndForgotten() throws IOException, DecodeException {
    byte[] jpeg = resource("/jpeg/baseline.jpg");
    try (Arena arena = Arena.ofConfined();
        var processor = processor("resize=8x8", false)) {
      byte[] good = process(processor, arena, offHeap(arena, jpeg));
      MemorySegment cut = offHeap(arena, Corrupter.cut(jpeg, jpeg.length / 2));
      assertThatThrownBy(() -> process(processor, arena, cut))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.TRUNCATED));
      assertThat(process(processor, arena, offHeap(arena, jpeg))).isEqualTo(good);
    }
  }

  @Test
  void steadyStateMakesNoGarbage() throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        var processor = processor("random_resized_crop=32,flip,normalize=imagenet,chw", false)) {
      MemorySegment encoded = offHeap(arena, resource("/jpeg/baseline.jpg"));
      MemorySegment slot = arena.allocate(processor.pipeline().outputSpec().bytes());
      for (int i = 0; i < 5000; i++) {
        processor.process(encoded, 1, 0, i, slot);
      }
      int n = 1000;
      long before = Allocations.ofThisThread();
      for (int i = 0; i < n; i++) {
        processor.process(encoded, 2, 0, i, slot);
      }
      assertThat((Allocations.ofThisThread() - before) / n).as("bytes an image").isLessThan(300);
    }
  }
}
