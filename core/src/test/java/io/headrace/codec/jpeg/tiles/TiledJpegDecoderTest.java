package io.headrace.codec.jpeg.tiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: a region of the tiles is that region of the whole picture, bit for bit.
final class TiledJpegDecoderTest {
  private static final int[] SCALES = {8, 4, 2, 1};

  private final Tiled tiled = new Tiled();

  @AfterEach
  void close() {
    tiled.close();
  }

  /// Regions at all borders and corners, of one pixel and of all, and some at random.
  private static List<Region> regions(int height, int width, int more, Random random) {
    List<Region> regions = new ArrayList<>();
    int h = Math.ceilDiv(height, 3);
    int w = Math.ceilDiv(width, 3);
    for (int top : new int[] {0, (height - h) / 2, height - h}) {
      for (int left : new int[] {0, (width - w) / 2, width - w}) {
        regions.add(new Region(top, left, h, w));
        regions.add(new Region(top, left, 1, 1));
      }
    }
    regions.add(new Region(height - 1, width - 1, 1, 1));
    regions.add(new Region(0, width - 1, height, 1));
    regions.add(new Region(0, 0, height, width));
    for (int i = 0; i < more; i++) {
      int rows = 1 + random.nextInt(height);
      int columns = 1 + random.nextInt(width);
      regions.add(
          new Region(
              random.nextInt(height - rows + 1),
              random.nextInt(width - columns + 1),
              rows,
              columns));
    }
    return regions;
  }

  /// @param original without tiles
  /// @param jpeg the same with tiles, whose table is in `tiled`
  private void same(MemorySegment original, MemorySegment jpeg, int more, Random random)
      throws DecodeException {
    TileTable tiles = tiled.tiles;
    for (int eighths : SCALES) {
      var scale = new JpegScale(eighths);
      MemorySegment all = tiled.pixels(original, scale);
      int width = scale.scaled(tiles.width());
      for (Region region : regions(scale.scaled(tiles.height()), width, more, random)) {
        assertThat(tiled.region(jpeg, region, scale))
            .as("%s at %d/8, %d x %d", region, eighths, tiles.width(), tiles.height())
            .isEqualTo(Tiled.cut(all, width, region));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void everySubsamplingAndInterval(Subsampling subsampling) throws DecodeException {
    var random = new Random(1);
    for (int[] size : new int[][] {{161, 75}, {192, 17}, {98, 33}}) {
      MemorySegment original = tiled.encode(size[0], size[1], subsampling, 90, 7);
      for (int target : new int[] {1, 2, 3, 4, 7}) {
        MemorySegment jpeg = tiled.tile(original, target);
        tiled.tiles.check(jpeg);
        same(original, jpeg, 3, random);
      }
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anySizeAndWindow(long seed) throws DecodeException {
    var random = new Random(seed);
    List<Subsampling> all = List.of(Subsampling.values());
    Subsampling subsampling = all.get(random.nextInt(6)); // all but OTHER
    int width = 1 + random.nextInt(200);
    int height = 1 + random.nextInt(90);
    MemorySegment original = tiled.encode(width, height, subsampling, 85, seed);
    MemorySegment jpeg = tiled.tile(original, random.nextInt(12));
    same(original, jpeg, 8, random);
  }

  /// 4:2:0, MCUs of 16 pixels in a row of 11 or 13, which nothing divides.
  @ParameterizedTest
  @ValueSource(ints = {161, 162, 164, 166, 170, 176, 193, 194, 195, 196, 208})
  void paddingIsNotSeen(int width) throws DecodeException {
    for (Subsampling subsampling : List.of(Subsampling.S420, Subsampling.S422)) {
      MemorySegment original = tiled.encode(width, 40, subsampling, 95, 3);
      for (int target = 3; target <= 5; target++) {
        MemorySegment jpeg = tiled.tile(original, target);
        assertThat(tiled.tiles.width()).isEqualTo(width);
        assertThat(tiled.header(jpeg).width()).isGreaterThanOrEqualTo(width);
        same(original, jpeg, 5, new Random(width));
      }
    }
    assertThat(tiled.decoder.warnings()).isZero();
  }

  /// Where a few rows are left over at the bottom, 5/8 of them may be as many as 4/8.
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void narrowAndLowPictures(Subsampling subsampling) throws DecodeException {
    for (int[] size : new int[][] {{3, 67}, {1, 67}, {67, 3}, {35, 1}, {17, 17}, {2, 18}, {7, 7}}) {
      MemorySegment original = tiled.encode(size[0], size[1], subsampling, 90, 7);
      same(original, tiled.tile(original, 1), 30, new Random(size[0]));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 6, 7})
  void otherEighthsHoldToo(int eighths) throws DecodeException {
    MemorySegment original = tiled.encode(200, 90, Subsampling.S420, 90, 2);
    MemorySegment jpeg = tiled.tile(original, 2);
    var scale = new JpegScale(eighths);
    MemorySegment all = tiled.pixels(original, scale);
    int width = scale.scaled(200);
    for (Region region : regions(scale.scaled(90), width, 20, new Random(4))) {
      assertThat(tiled.region(jpeg, region, scale)).isEqualTo(Tiled.cut(all, width, region));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "baseline.jpg",
        "odd.jpg",
        "grey.jpg",
        "rgb.jpg",
        "rgb-without-adobe.jpg",
        "rgb-taken-for-ycc.jpg",
        "fill-bytes.jpg",
        "restart-blocks.jpg",
        "restart-rows.jpg",
        "sample-1x4.jpg",
        "sample-2x2-1x1-2x1.jpg",
        "sample-2x2-1x2-1x2.jpg",
        "sample-2x4.jpg",
        "sample-4x2.jpg",
        "thumbnail.jpg"
      })
  void filesOfOthers(String name) throws DecodeException {
    MemorySegment original = tiled.fixture(name);
    for (int target = 1; target <= 2; target++) {
      MemorySegment jpeg = tiled.tile(original, target);
      same(original, jpeg, 10, new Random(5));
    }
  }

  @Test
  void restartsOfOthersAreFound() throws DecodeException {
    MemorySegment jpeg = tiled.fixture("restart-blocks.jpg");
    assertThat(tiled.tiles.scan(jpeg, tiled.header(jpeg))).isTrue();
    same(jpeg, jpeg, 20, new Random(6));
  }

  @Test
  void regionsNeedNotBeCopied() throws DecodeException {
    MemorySegment original = tiled.encode(200, 100, Subsampling.S420, 90, 1);
    MemorySegment jpeg = tiled.tile(original, 2);
    var region = new Region(40, 70, 20, 30);
    DecodedRegion decoded = tiled.decoder.decode(jpeg, tiled.tiles, region, JpegScale.FULL);
    assertThat(decoded.stride()).isEqualTo(64); // columns 64 to 127
    assertThat(decoded.top()).isEqualTo(8); // rows 32 to 63
    assertThat(decoded.left()).isEqualTo(6);
    assertThat(decoded.offset(1)).isEqualTo(3 * (9 * 64 + 6));
    assertThat(tiled.decoder.share(tiled.tiles, region, JpegScale.FULL))
        .isEqualTo(2 * 2 / (7.0 * 7));
  }

  @ParameterizedTest
  @CsvSource({"447, 448, 4", "448, 500, 4", "896, 900, 2", "447, 2000, 8", "1792, 1792, 1"})
  void scaleNeverGoesBelowTheTarget(int height, int width, int eighths) {
    int expected = height < 448 ? 8 : eighths;
    assertThat(new Region(3, 5, height, width).scaleFor(224, 224).eighths()).isEqualTo(expected);
  }

  @Test
  void scaledRegionShowsAllOfIt() {
    assertThat(new Region(3, 8, 10, 7).at(JpegScale.HALF)).isEqualTo(new Region(1, 4, 6, 4));
    assertThat(new Region(3, 8, 10, 8).at(JpegScale.EIGHTH)).isEqualTo(new Region(0, 1, 2, 1));
  }

  @Test
  void impossibleRegionsAreRefused() throws DecodeException {
    MemorySegment jpeg = tiled.tile(tiled.encode(64, 48, Subsampling.S420, 90, 1), 2);
    assertThatThrownBy(() -> tiled.region(jpeg, new Region(0, 60, 5, 5), JpegScale.FULL))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> tiled.region(jpeg, new Region(20, 0, 5, 5), JpegScale.HALF))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new Region(0, 0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                tiled.decoder.decode(
                    jpeg,
                    tiled.tiles,
                    new Region(0, 0, 5, 5),
                    JpegScale.FULL,
                    tiled.arena.allocate(74)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void memoryIsThatOfTheTiles() throws DecodeException {
    MemorySegment jpeg = tiled.tile(tiled.encode(2000, 1000, Subsampling.S420, 50, 1), 4);
    var budget = new MemoryBudget(100_000);
    try (var decoder = new TiledJpegDecoder(budget, ImageLimits.MAX_PIXELS)) {
      decoder.decode(jpeg, tiled.tiles, new Region(500, 900, 20, 60), JpegScale.FULL);
      assertThatThrownBy(
              () -> decoder.decode(jpeg, tiled.tiles, new Region(0, 0, 900, 900), JpegScale.FULL))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.LIMIT));
    }
    assertThat(budget.reserved()).isZero();
  }

  @Test
  void steadyStateMakesLittleGarbage() throws DecodeException {
    MemorySegment jpeg = tiled.tile(tiled.encode(320, 240, Subsampling.S420, 80, 1), 4);
    var region = new Region(60, 70, 50, 60);
    int n = 0;
    long before = 0;
    for (; n < 3000; n++) {
      if (n == 2000) {
        before = Allocations.ofThisThread();
      }
      tiled.decoder.decode(jpeg, tiled.tiles, region, JpegScale.FULL);
    }
    assertThat((Allocations.ofThisThread() - before) / 1000).as("bytes a region").isLessThan(400);
  }
}
