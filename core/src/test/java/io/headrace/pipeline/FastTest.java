package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.codec.ImageSize;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.AcrossFilter;
import io.headrace.pipeline.values.Normalize;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.FreshJvm;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JPEGs processed by their planes look like those processed exactly.
final class FastTest {
  private static final SampleProcessor.Options PLANES =
      new SampleProcessor.Options(false, true, false, true);

  /// Bytes an image.
  private static final long LITTLE = 800;

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  private static SampleProcessor processor(String spec, SampleProcessor.Options options) {
    return new SampleProcessor(Pipeline.parse(spec), MemoryBudget.unbounded(), options);
  }

  private byte[] run(SampleProcessor processor, MemorySegment jpeg, ImageSize size, int sample)
      throws DecodeException {
    MemorySegment slot = arena.allocate(processor.pipeline().outputSpec(size).bytes());
    slot.fill((byte) 0x5a); // whatever is not written shows
    processor.process(jpeg, 1, 2, sample, slot);
    return slot.toArray(JAVA_BYTE);
  }

  private byte[] run(
      String spec, SampleProcessor.Options options, MemorySegment jpeg, ImageSize size, int sample)
      throws DecodeException {
    try (var processor = processor(spec, options)) {
      return run(processor, jpeg, size, sample);
    }
  }

  private MemorySegment encode(Picture picture, Subsampling subsampling, int quality)
      throws DecodeException {
    try (var encoder = new JpegEncoder();
        var block = new Block(MemoryBudget.unbounded())) {
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, picture.rgb());
      long size =
          encoder.encode(rgb, picture.width(), picture.height(), 3, quality, subsampling, block);
      return arena.allocateFrom(JAVA_BYTE, block.memory().asSlice(0, size).toArray(JAVA_BYTE));
    }
  }

  private MemorySegment resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(FastTest.class.getResourceAsStream(name), name)) {
      return arena.allocateFrom(JAVA_BYTE, in.readAllBytes());
    }
  }

  /// {@return peak signal to noise, in dB; 99 for equal pixels}
  private static double psnr(byte[] a, byte[] b) {
    long squares = 0;
    for (int i = 0; i < a.length; i++) {
      int d = (a[i] & 0xff) - (b[i] & 0xff);
      squares += (long) d * d;
    }
    return squares == 0 ? 99 : 10 * Math.log10(255.0 * 255 * a.length / squares);
  }

  /// A picture with edges and colours, but no noise.
  private static Picture drawing(int height, int width) {
    Picture picture = Picture.smooth(height, width);
    for (int y = height / 4; y < height / 2; y++) {
      for (int x = width / 3; x < 2 * width / 3; x++) {
        picture.set(y, x, 0, 200);
        picture.set(y, x, 1, 90);
        picture.set(y, x, 2, 60);
      }
    }
    return picture;
  }

  /// Law: real photos differ by rounding only; where they are shrunk while being decoded, by
  /// little.
  @Test
  void photosLookTheSame() throws IOException, DecodeException {
    String spec = "random_resized_crop=160,flip";
    var size = new ImageSize(160, 160);
    List<Double> planes = new ArrayList<>();
    List<Double> fast = new ArrayList<>();
    try (var exactly = processor(spec, SampleProcessor.Options.exact());
        var byPlanes = processor(spec, PLANES);
        var quickly = processor(spec, SampleProcessor.Options.fast())) {
      for (Path folder : Photos.sorted(Photos.folder())) {
        for (Path photo : Photos.sorted(folder).subList(0, 3)) {
          MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, Files.readAllBytes(photo));
          for (int i = 0; i < 3; i++) {
            byte[] exact = run(exactly, jpeg, size, i);
            planes.add(psnr(exact, run(byPlanes, jpeg, size, i)));
            fast.add(psnr(exact, run(quickly, jpeg, size, i)));
          }
        }
      }
    }
    assertThat(planes).allSatisfy(p -> assertThat(p).isBetween(42.0, 98.0));
    assertThat(mean(planes)).isGreaterThan(50);
    assertThat(fast).allSatisfy(p -> assertThat(p).isGreaterThan(25));
    assertThat(mean(fast)).isGreaterThan(45);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  /// Law: so do all samplings, whatever the size.
  @ParameterizedTest
  @EnumSource(value = Subsampling.class, names = "OTHER", mode = EnumSource.Mode.EXCLUDE)
  void allSamplingsAndSizes(Subsampling subsampling) throws DecodeException {
    int[][] sizes = {{64, 96}, {61, 83}, {97, 50}, {33, 17}, {18, 16}, {9, 8}, {1, 1}, {3, 40}};
    for (int[] s : sizes) {
      MemorySegment jpeg = encode(drawing(s[0], s[1]), subsampling, 90);
      var size = new ImageSize(s[0], s[1]);
      for (String spec :
          List.of(
              "resize=24x20",
              "random_resized_crop=40x30:area=0.1-1,flip",
              "resize_shorter=20,center_crop=30x24",
              "resize=40x40,flip=1,resize=20x30")) {
        for (int i = 0; i < 2; i++) {
          byte[] exact = run(spec, SampleProcessor.Options.exact(), jpeg, size, i);
          byte[] planes = run(spec, PLANES, jpeg, size, i);
          assertThat(psnr(exact, planes)).as("%s %s %d", size, spec, i).isGreaterThan(35);
        }
      }
    }
  }

  /// JPEGs of every kind: what has no planes of luminance and chrominance is processed exactly.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "baseline",
        "progressive",
        "progressive-restart",
        "arithmetic",
        "grey",
        "cmyk",
        "ycck",
        "rgb",
        "rgb-without-adobe",
        "rgb-taken-for-ycc",
        "odd",
        "restart-rows",
        "restart-blocks",
        "jfif-0",
        "extraneous",
        "fill-bytes",
        "thumbnail",
        "sample-1x1",
        "sample-1x2",
        "sample-1x4",
        "sample-2x1",
        "sample-2x4",
        "sample-3x1",
        "sample-4x1",
        "sample-4x2",
        "sample-2x2-1x1-2x1",
        "sample-2x2-1x2-1x2"
      })
  void allKindsOfJpeg(String name) throws IOException, DecodeException {
    MemorySegment jpeg = resource("/jpeg/" + name + ".jpg");
    var size = new ImageSize(24, 24);
    for (int i = 0; i < 5; i++) {
      String spec = "random_resized_crop=24:area=0.3-1,flip";
      byte[] exact = run(spec, SampleProcessor.Options.exact(), jpeg, size, i);
      byte[] planes = run(spec, PLANES, jpeg, size, i);
      if (name.matches("cmyk|ycck|rgb|rgb-without-adobe|sample-3x1|sample-2x2-1x1-2x1")) {
        assertThat(planes).isEqualTo(exact);
      } else {
        assertThat(psnr(exact, planes)).isGreaterThan(30);
      }
    }
  }

  /// Law: a mirrored sample is the mirror image, bit for bit.
  @Test
  void flipsAreMirrorImages() throws DecodeException {
    MemorySegment jpeg = encode(drawing(61, 83), Subsampling.S420, 90);
    var size = new ImageSize(61, 83);
    byte[] plain = run("resize=30x40", PLANES, jpeg, size, 0);
    byte[] flipped = run("resize=30x40,flip=1", PLANES, jpeg, size, 0);
    assertThat(new Picture(30, 40, flipped).flip().rgb()).isEqualTo(plain);
  }

  /// Law: all types and layouts hold the same colours, and a float nearer ones than a byte.
  @ParameterizedTest
  @ValueSource(strings = {"uint8", "float32", "float16", "bfloat16"})
  void typesAndLayouts(String type) throws DecodeException {
    MemorySegment jpeg = encode(drawing(61, 83), Subsampling.S420, 90);
    var size = new ImageSize(61, 83);
    int h = 30;
    int w = 41;
    byte[] bytes = run("resize=30x41", PLANES, jpeg, size, 0);
    for (Layout layout : Layout.values()) {
      boolean whole = type.equals("uint8");
      String values = whole ? "" : "normalize=imagenet,";
      String spec = "resize=30x41," + values + type + "," + layout.name().toLowerCase(Locale.ROOT);
      var out = MemorySegment.ofArray(run(spec, PLANES, jpeg, size, 0));
      for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
          for (int c = 0; c < 3; c++) {
            long i = layout == Layout.HWC ? 3L * (y * w + x) + c : ((long) c * h + y) * w + x;
            double value =
                switch (DType.of(type)) {
                  case UINT8 -> out.get(JAVA_BYTE, i) & 0xff;
                  case FLOAT32 -> out.get(Processing.FLOAT, 4 * i);
                  case FLOAT16 -> Float.float16ToFloat(out.get(Processing.SHORT, 2 * i));
                  case BFLOAT16 -> Float.intBitsToFloat(out.get(Processing.SHORT, 2 * i) << 16);
                };
            double mean = Normalize.IMAGENET.mean().get(c);
            double std = Normalize.IMAGENET.std().get(c);
            double colour = whole ? value : (value * std + mean) * 255;
            double slack = whole ? 0 : DType.of(type) == DType.BFLOAT16 ? 1.1 : 0.6;
            assertThat(colour)
                .as("%s %s %d %d %d", type, layout, y, x, c)
                .isCloseTo(bytes[3 * (y * w + x) + c] & 0xff, within(slack));
          }
        }
      }
    }
  }

  /// Law: what lies outside of the image is black, as in the exact way.
  @Test
  void windowsMayOverhang() throws DecodeException {
    MemorySegment jpeg = encode(drawing(61, 83), Subsampling.S420, 90);
    var size = new ImageSize(61, 83);
    String spec = "resize_shorter=20,flip=1,center_crop=31x40";
    byte[] exact = run(spec, SampleProcessor.Options.exact(), jpeg, size, 0);
    byte[] planes = run(spec, PLANES, jpeg, size, 0);
    assertThat(psnr(exact, planes)).isGreaterThan(40);
    for (int i = 0; i < exact.length; i++) {
      int y = i / 120;
      int x = i / 3 % 40;
      if (y < 5 || y >= 25 || x < 6 || x >= 33) {
        assertThat(planes[i]).as("byte %d", i).isZero();
      }
    }
    var floats = MemorySegment.ofArray(run(spec + ",normalize=imagenet", PLANES, jpeg, size, 0));
    assertThat(floats.get(Processing.FLOAT, 0)).isEqualTo(-0.485f / 0.229f, within(1e-6f));
  }

  /// Law: decoding only what a sample shows makes the same sample; tiles, padded or not, and rows
  /// alike.
  @ParameterizedTest
  @EnumSource(value = Subsampling.class, names = "OTHER", mode = EnumSource.Mode.EXCLUDE)
  void regionsAreTheSame(Subsampling subsampling) throws DecodeException {
    String spec = "random_resized_crop=30:area=0.05-0.8,flip";
    var size = new ImageSize(30, 30);
    for (int width : new int[] {479, 241}) {
      MemorySegment plain = encode(Picture.random(150, width, 3), subsampling, 70);
      MemorySegment tiled;
      MemorySegment table;
      try (var out = new Block(MemoryBudget.unbounded())) {
        var tiles = new TileTable();
        long bytes = new TiledTranscoder().tile(plain, 3, out, tiles);
        tiled = arena.allocateFrom(JAVA_BYTE, out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
        table = arena.allocate(tiles.bytes());
        tiles.write(table);
      }
      for (boolean scaling : new boolean[] {false, true}) {
        try (var whole = processor(spec, new SampleProcessor.Options(scaling, false, false, true));
            var parts = processor(spec, new SampleProcessor.Options(scaling, true, false, true))) {
          for (int i = 0; i < 20; i++) {
            byte[] expected = run(whole, plain, size, i);
            assertThat(run(parts, plain, size, i)).as("rows, sample %d", i).isEqualTo(expected);
            MemorySegment slot = arena.allocate(size.rgbBytes());
            parts.process(tiled, table, 1, 2, i, slot);
            assertThat(slot.toArray(JAVA_BYTE))
                .as("tiles of %d, sample %d, %s", width, i, scaling)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  /// Law: damage that shows, and files cut short, are reported as in the exact way.
  @Test
  void damageIsReported() throws DecodeException {
    byte[] jpeg = encode(drawing(150, 240), Subsampling.S420, 90).toArray(JAVA_BYTE);
    try (var exact = processor("resize=32x32", SampleProcessor.Options.exact());
        var fast = processor("resize=32x32", SampleProcessor.Options.fast())) {
      for (int percent = 5; percent < 100; percent += 10) {
        byte[] half = Corrupter.cut(jpeg, jpeg.length * percent / 100);
        MemorySegment cut = arena.allocateFrom(JAVA_BYTE, half);
        String message = failure(exact, cut);
        assertThatThrownBy(() -> run(fast, cut, new ImageSize(150, 240), 0))
            .isInstanceOf(DecodeException.class)
            .hasMessage(message);
      }
      MemorySegment sound = arena.allocateFrom(JAVA_BYTE, jpeg);
      assertThat(run(fast, sound, new ImageSize(150, 240), 0)).isNotEmpty();
    }
  }

  /// Law: whatever the bytes, an image is processed if and only if it is exactly, and nothing else
  /// is thrown; where only parts are decoded, it may be processed nevertheless.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyBytes(long seed) throws IOException {
    var random = new Random(seed);
    String[] names = {"baseline", "grey", "restart-rows", "progressive", "sample-2x1", "thumbnail"};
    byte[] sound =
        resource("/jpeg/" + names[random.nextInt(names.length)] + ".jpg").toArray(JAVA_BYTE);
    String spec = "random_resized_crop=16,flip";
    var whole = new SampleProcessor.Options(true, false, false, true);
    var size = new ImageSize(16, 16);
    for (int i = 0; i < 6; i++) {
      byte[] bytes = sound.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        int last = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 200);
        bytes[random.nextInt(last)] = (byte) random.nextInt();
      }
      MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, bytes);
      // new ones each time: libjpeg-turbo uses tables of the image before if there are none
      try (var exact = processor(spec, new SampleProcessor.Options(true, false));
          var planes = processor(spec, whole);
          var fast = processor(spec, SampleProcessor.Options.fast())) {
        boolean sane = succeeds(exact, jpeg, size, i);
        assertThat(succeeds(planes, jpeg, size, i)).isEqualTo(sane);
        assertThat(succeeds(fast, jpeg, size, i) || !sane).isTrue();
      }
    }
  }

  private boolean succeeds(
      SampleProcessor processor, MemorySegment jpeg, ImageSize size, int sample) {
    try {
      run(processor, jpeg, size, sample);
      return true;
    } catch (DecodeException e) {
      return false;
    }
  }

  private String failure(SampleProcessor processor, MemorySegment jpeg) {
    try {
      run(processor, jpeg, new ImageSize(150, 240), 0);
    } catch (DecodeException e) {
      return Objects.requireNonNull(e.getMessage());
    }
    throw new AssertionError("not noticed");
  }

  /// Law: what was processed before does not show.
  @Test
  void reuseDoesNotShow() throws DecodeException {
    try (var reused = processor("random_resized_crop=24,flip", SampleProcessor.Options.fast())) {
      Subsampling[] all = Subsampling.values();
      for (int i = 0; i < 30; i++) {
        var size = new ImageSize(20 + 37 * i % 200, 20 + 61 * i % 150);
        Picture picture = drawing(size.height(), size.width());
        MemorySegment jpeg = encode(picture, all[i % (all.length - 1)], 80);
        assertThat(run(reused, jpeg, size, i))
            .isEqualTo(
                run("random_resized_crop=24,flip", SampleProcessor.Options.fast(), jpeg, size, i));
      }
    }
  }

  @Test
  void plansCanBeRead() throws DecodeException {
    String plan =
        SampleProcessor.explain(
            Pipeline.parse("resize_shorter=256,center_crop=224,normalize=imagenet,chw"),
            SampleProcessor.Options.fast(),
            new ImageSize(1200, 1600));
    assertThat(plan.lines())
        .containsExactly(
            "resize_shorter=256,center_crop=224,normalize=imagenet,chw of an image of 1200x1600",
            "decode: JPEG at 1/4, of a pyramid that level, of JPEGs, raw and lossless images no"
                + " more than is shown, where that is less",
            "pass 1: resize to 256x341, cut out 224x224 at row 16, column 58",
            "  to float32 [3, 224, 224], normalize=imagenet, straight into its place in the batch",
            "JPEGs in YCbCr or grey: planes are resized, then colours made; others: planes of"
                + " red, green and blue; rows by vectors");
  }

  /// With few taps and with many.
  @ParameterizedTest
  @ValueSource(ints = {80, 32})
  void steadyStateMakesLittleGarbage(int edge) throws IOException {
    String output = FreshJvm.run(FastTest.class, Integer.toString(edge));
    assertThat(output).as("bytes an image").containsOnlyDigits();
    assertThat(Long.parseLong(output)).as("bytes an image").isLessThan(LITTLE);
  }

  /// Prints the bytes of garbage that an image makes once the JIT is done.
  ///
  /// @param args the sample's edge
  public static void main(String[] args) throws DecodeException {
    System.out.println(new FastTest().garbage(Integer.parseInt(args[0])));
  }

  private long garbage(int edge) throws DecodeException {
    MemorySegment jpeg = encode(drawing(90, 120), Subsampling.S420, 80);
    try (var processor =
        processor(
            "random_resized_crop=%d,flip,normalize=imagenet,chw".formatted(edge),
            SampleProcessor.Options.fast())) {
      MemorySegment slot = arena.allocate(processor.pipeline().outputSpec().bytes());
      long least = Long.MAX_VALUE;
      long latest = System.nanoTime() + 60_000_000_000L; // by then the JIT is done, however busy
      for (int round = 0; least >= LITTLE && System.nanoTime() < latest; round++) {
        boolean vectors = AcrossFilter.warm() && BaselineDecoder.pays();
        long before = Allocations.ofThisThread();
        for (int i = 0; i < 500; i++) {
          processor.process(jpeg, round, 0, i, slot);
        }
        if (vectors) {
          least = Math.min(least, (Allocations.ofThisThread() - before) / 500);
        }
      }
      return least;
    }
  }
}
