package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageSize;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.codec.lossless.LosslessEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.codec.png.PngEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.pixels.CodecPixels;
import io.headrace.pipeline.pixels.PixelSource;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: decoding only what a sample shows makes the same sample.
final class RegionsTest {
  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  /// Pixels from the codecs, with a count of those that were decoded in part.
  private static final class Counting implements PixelSource {
    private final CodecPixels pixels = new CodecPixels(MemoryBudget.unbounded(), false);
    int whole;
    int parts;

    @Override
    public ImageInfo probe(MemorySegment encoded) throws DecodeException {
      return pixels.probe(encoded);
    }

    @Override
    public boolean shrinks(ImageInfo info) {
      return pixels.shrinks(info);
    }

    @Override
    public void decode(MemorySegment encoded, ImageInfo info, int eighths, MemorySegment rgb)
        throws DecodeException {
      whole++;
      pixels.decode(encoded, info, eighths, rgb);
    }

    @Override
    public boolean hasParts(MemorySegment encoded, ImageInfo info) throws DecodeException {
      return pixels.hasParts(encoded, info);
    }

    @Override
    public @Nullable DecodedRegion decodePart(
        MemorySegment encoded, ImageInfo info, int eighths, Region part) {
      DecodedRegion region = pixels.decodePart(encoded, info, eighths, part);
      parts += region == null ? 0 : 1;
      return region;
    }

    @Override
    public long warnings() {
      return pixels.warnings();
    }

    @Override
    public void close() {
      pixels.close();
    }
  }

  private static SampleProcessor processor(
      String spec, boolean dctScaling, boolean regions, PixelSource source) {
    return new SampleProcessor(
        Pipeline.parse(spec),
        MemoryBudget.unbounded(),
        new SampleProcessor.Options(dctScaling, regions),
        source);
  }

  private MemorySegment tiled(int height, int width, int target) throws DecodeException {
    try (var encoder = new JpegEncoder();
        var block = new Block(MemoryBudget.unbounded());
        var out = new Block(MemoryBudget.unbounded())) {
      Picture picture = Picture.random(height, width, 1);
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, picture.rgb());
      long size = encoder.encode(rgb, width, height, 3, 60, Subsampling.S420, block);
      MemorySegment jpeg = block.memory().asSlice(0, size);
      long bytes = new TiledTranscoder().tile(jpeg, target, out, new TileTable());
      return arena.allocateFrom(JAVA_BYTE, out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
    }
  }

  private byte[] process(
      SampleProcessor processor, MemorySegment jpeg, int height, int width, int i)
      throws DecodeException {
    var size = new ImageSize(height, width);
    MemorySegment slot = arena.allocate(processor.pipeline().outputSpec(size).bytes());
    processor.process(jpeg, 1, 2, i, slot);
    return slot.toArray(JAVA_BYTE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random_resized_crop=32,flip",
        "random_resized_crop=200,flip,normalize=imagenet,chw",
        "random_crop=60x70,flip",
        "flip,random_crop=60x70,resize=30x50,center_crop=20",
        "resize_shorter=64,center_crop=32",
        "resize=64x64,flip,random_crop=20x30",
        "resize_shorter=400,center_crop=90",
        "center_crop=64,center_crop=100",
        "center_crop=50x400",
        "resize=20x30"
      })
  void sameSamples(String spec) throws DecodeException {
    int height = 150;
    int width = 240;
    MemorySegment jpeg = tiled(height, width, 3);
    for (boolean scaling : new boolean[] {false, true}) {
      var counting = new Counting();
      try (var parts = processor(spec, scaling, true, counting);
          var whole =
              processor(spec, scaling, false, new CodecPixels(MemoryBudget.unbounded(), false))) {
        for (int i = 0; i < 20; i++) {
          assertThat(process(parts, jpeg, height, width, i))
              .as("sample %d", i)
              .isEqualTo(process(whole, jpeg, height, width, i));
        }
      }
      if (spec.equals("resize=20x30")) {
        assertThat(counting.parts).isZero(); // all of it is needed
      } else {
        assertThat(counting.parts).isGreaterThan(10);
      }
      assertThat(counting.parts + counting.whole).isEqualTo(20);
    }
  }

  @ParameterizedTest
  @EnumSource
  void losslessImagesGiveTheSameSamples(LosslessLevel level) throws DecodeException {
    int height = 300;
    int width = 700;
    MemorySegment image;
    try (var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, Picture.random(height, width, 1).rgb());
      var encoding = new LosslessEncoding(level);
      long bytes = encoder.encode(rgb, width, height, 3, encoding, out);
      image = arena.allocateFrom(JAVA_BYTE, out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
    }
    String spec = "random_resized_crop=32,flip";
    var counting = new Counting();
    try (var parts = processor(spec, true, true, counting);
        var whole =
            processor(spec, true, false, new CodecPixels(MemoryBudget.unbounded(), false))) {
      for (int i = 0; i < 20; i++) {
        assertThat(process(parts, image, height, width, i))
            .as("sample %d", i)
            .isEqualTo(process(whole, image, height, width, i));
      }
    }
    assertThat(counting.parts).isGreaterThan(10);
  }

  @Test
  void switchedOffDecodesTheWhole() throws DecodeException {
    MemorySegment jpeg = tiled(150, 240, 3);
    var counting = new Counting();
    try (var processor = processor("random_crop=30", false, false, counting)) {
      process(processor, jpeg, 150, 240, 1);
    }
    assertThat(counting.whole).isEqualTo(1);
  }

  /// Law: an image cut short is reported, wherever the sample is.
  @Test
  void cutFilesAreReported() throws DecodeException {
    byte[] jpeg = tiled(150, 240, 3).toArray(JAVA_BYTE);
    var counting = new Counting();
    try (var processor = processor("random_crop=30", false, true, counting)) {
      for (int i = 0; i < 60; i += 3) {
        int sample = i;
        MemorySegment cut =
            arena.allocateFrom(JAVA_BYTE, Corrupter.cut(jpeg, jpeg.length * (40 + i) / 100));
        assertThatThrownBy(() -> process(processor, cut, 150, 240, sample))
            .isInstanceOf(DecodeException.class);
      }
    }
    assertThat(counting.parts).isZero();
  }

  /// Damage that a part shows is reported as of the whole.
  @Test
  void damageThatIsSeenIsReported() throws DecodeException {
    byte[] jpeg = tiled(150, 240, 3).toArray(JAVA_BYTE);
    int middle = jpeg.length / 2;
    for (int i = middle; i < middle + 400; i++) {
      if (jpeg[i] != (byte) 0xff && jpeg[i - 1] != (byte) 0xff) {
        jpeg[i] = (byte) 0xfe; // markers stay
      }
    }
    MemorySegment damaged = arena.allocateFrom(JAVA_BYTE, jpeg);
    try (var processor = processor("center_crop=140x200", false, true, new Counting())) {
      assertThatThrownBy(() -> process(processor, damaged, 150, 240, 0))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("240 x 150 pixels");
    }
  }

  /// Law: of a PNG too, no more than is shown is decoded, to the same pixels.
  @Test
  void pngsAreDecodedDownToTheCrop() throws DecodeException {
    Picture picture = Picture.random(150, 240, 3);
    try (var encoder = new PngEncoder();
        var block = new Block(MemoryBudget.unbounded());
        var counting = new Counting();
        var parts = processor("random_resized_crop=32,flip", false, true, counting);
        var whole = processor("random_resized_crop=32,flip", false, false, new Counting())) {
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, picture.rgb());
      long size = encoder.encode(rgb, 240, 150, 3, 1, block);
      MemorySegment png = block.memory().asSlice(0, size);
      for (int i = 0; i < 50; i++) {
        assertThat(process(parts, png, 150, 240, i)).isEqualTo(process(whole, png, 150, 240, i));
      }
      assertThat(counting.parts).isBetween(10, 50);
    }
  }

  @Test
  void steadyStateMakesLittleGarbage() throws DecodeException {
    MemorySegment jpeg = tiled(150, 240, 3);
    try (var processor =
        processor(
            "random_resized_crop=32,flip,normalize=imagenet,chw", false, true, new Counting())) {
      MemorySegment slot = arena.allocate(processor.pipeline().outputSpec().bytes());
      for (int i = 0; i < 2000; i++) {
        processor.process(jpeg, 1, 0, i, slot);
      }
      int n = 1000;
      long before = Allocations.ofThisThread();
      for (int i = 0; i < n; i++) {
        processor.process(jpeg, 2, 0, i, slot);
      }
      assertThat((Allocations.ofThisThread() - before) / n).as("bytes an image").isLessThan(600);
    }
  }
}
