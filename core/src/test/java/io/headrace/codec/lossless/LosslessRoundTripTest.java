package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What is encoded decodes to the same pixels: all of them, or any window.
final class LosslessRoundTripTest {
  private static final LosslessDecoder DECODER = new LosslessDecoder();

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void pixelsComeBack(long seed) throws DecodeException {
    Random random = new Random(seed);
    int width = 1 + random.nextInt(90);
    int height = 1 + random.nextInt(90);
    int channels = random.nextBoolean() ? 3 : 1;
    byte[] pixels = Images.random(random, width, height, channels);
    for (LosslessLevel level : LosslessLevel.values()) {
      byte[] encoded = Images.encode(pixels, width, height, channels, level);
      assertThat(DECODER.probe(MemorySegment.ofArray(encoded)))
          .isEqualTo(
              new ImageInfo(ImageFormat.LOSSLESS, width, height, channels, 8, null, false, 1));
      assertThat(Images.decode(DECODER, encoded))
          .as("%d x %d x %d, %s", width, height, channels, level)
          .isEqualTo(Images.rgb(pixels, channels));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "2, 1", "8, 2", "7, 3", "1, 5000", "5000, 1", "1100, 150", "513, 65"})
  void anySizeComesBack(int width, int height) throws DecodeException {
    for (int channels = 1; channels <= 3; channels += 2) {
      byte[] pixels = Images.random(new Random(width), width, height, channels);
      for (LosslessLevel level : LosslessLevel.values()) {
        byte[] encoded = Images.encode(pixels, width, height, channels, level);
        assertThat(Images.decode(DECODER, encoded)).isEqualTo(Images.rgb(pixels, channels));
      }
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void aWindowIsTheCropOfTheWhole(long seed) throws DecodeException {
    Random random = new Random(seed);
    boolean wide = random.nextInt(4) == 0;
    int width = 1 + random.nextInt(wide ? 1100 : 40);
    int height = 1 + random.nextInt(wide ? 70 : 900);
    byte[] pixels = Images.random(random, width, height, 3);
    LosslessLevel level = Images.level(random);
    byte[] encoded = Images.encode(pixels, width, height, 3, level);
    for (int i = 0; i < 6; i++) {
      int left = random.nextInt(width);
      int top = random.nextInt(height);
      int columns = 1 + random.nextInt(width - left);
      int rows = 1 + random.nextInt(height - top);
      byte[] window = new byte[3 * columns * rows];
      DECODER.decodeWindow(
          MemorySegment.ofArray(encoded), left, top, columns, rows, MemorySegment.ofArray(window));
      assertThat(window)
          .as("%d x %d at %d, %d of %d x %d", columns, rows, left, top, width, height)
          .isEqualTo(crop(pixels, width, left, top, columns, rows));
      assertThat(planes(encoded, left, top, columns, rows)).isEqualTo(window);
    }
  }

  /// {@return a window decoded to planes, as RGB}
  private static byte[] planes(byte[] encoded, int left, int top, int columns, int rows)
      throws DecodeException {
    var planes = new Planes();
    try (var block = new Block(MemoryBudget.unbounded())) {
      DECODER.decodePlanes(MemorySegment.ofArray(encoded), left, top, columns, rows, planes, block);
      byte[] rgb = new byte[3 * columns * rows];
      for (int i = 0; i < rgb.length; i++) {
        int plane = planes.count() == 1 ? 0 : i % 3;
        int y = top + i / 3 / columns;
        int x = left + i / 3 % columns;
        rgb[i] = planes.memory().get(JAVA_BYTE, planes.offset(plane, y, x));
      }
      return rgb;
    }
  }

  private static byte[] crop(byte[] rgb, int width, int left, int top, int columns, int rows) {
    byte[] crop = new byte[3 * columns * rows];
    for (int y = 0; y < rows; y++) {
      int from = 3 * ((top + y) * width + left);
      System.arraycopy(rgb, from, crop, 3 * columns * y, 3 * columns);
    }
    return crop;
  }

  @ParameterizedTest
  @EnumSource
  void photosComeBackSmaller(LosslessLevel level) throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        var jpegs = new JpegDecoder()) {
      long before = 0;
      long after = 0;
      for (Path group : Photos.sorted(Photos.folder())) {
        byte[] jpeg = Files.readAllBytes(Photos.sorted(group).getFirst());
        MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, jpeg);
        ImageInfo info = jpegs.probe(bytes);
        MemorySegment rgb = arena.allocate(info.rgbBytes());
        jpegs.decode(bytes, info, rgb);
        byte[] pixels = rgb.toArray(JAVA_BYTE);
        byte[] encoded = Images.encode(pixels, info.width(), info.height(), 3, level);
        assertThat(Images.decode(DECODER, encoded)).isEqualTo(pixels);
        before += pixels.length;
        after += encoded.length;
      }
      assertThat((double) after / before).isLessThan(0.45);
    }
  }

  @ParameterizedTest
  @EnumSource
  void decodingAndEncodingMakeNoGarbage(LosslessLevel level) throws DecodeException {
    byte[] pixels = Images.random(new Random(4), 40, 24, 3); // too small for frames to be coded
    byte[] stream = Images.encode(pixels, 40, 24, 3, level);
    try (Arena arena = Arena.ofConfined();
        var encoder = new LosslessEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      MemorySegment from = arena.allocateFrom(JAVA_BYTE, pixels);
      MemorySegment encoded = arena.allocateFrom(JAVA_BYTE, stream);
      MemorySegment rgb = arena.allocate(pixels.length);
      long[] costs = new long[10];
      for (int round = 0; round < costs.length; round++) {
        long start = Allocations.ofThisThread();
        for (int i = 0; i < 200; i++) {
          encoder.encode(from, 40, 24, 3, level, out);
          DECODER.decode(encoded, 40, 24, rgb);
        }
        costs[round] = (Allocations.ofThisThread() - start) / 200;
      }
      assertThat(Arrays.stream(costs).min().orElseThrow()).isLessThanOrEqualTo(64);
    }
  }
}
