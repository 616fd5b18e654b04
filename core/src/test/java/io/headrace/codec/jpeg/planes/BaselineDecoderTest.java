package io.headrace.codec.jpeg.planes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: samples are libjpeg-turbo's, or at a half and a quarter those of [CornerPlanes], whatever
/// part of the picture is decoded, and from which table.
final class BaselineDecoderTest {
  private static final int[] SCALES = {8, 4, 2, 1};

  private final Arena arena = Arena.ofConfined();
  private final JpegDecoder turbo = new JpegDecoder();
  private final JpegEncoder encoder = new JpegEncoder();
  private final TiledTranscoder transcoder = new TiledTranscoder();
  private final TileTable tiles = new TileTable();
  private final Block block = new Block(MemoryBudget.unbounded());
  private final BaselineDecoder own = new BaselineDecoder(MemoryBudget.unbounded());
  private final CornerPlanes corners = new CornerPlanes();
  private final Planes expected = new Planes();
  private final Planes planes = new Planes();

  @AfterEach
  void close() {
    own.close();
    corners.close();
    block.close();
    encoder.close();
    turbo.close();
    arena.close();
  }

  private MemorySegment fixture(String name) {
    try (InputStream in = BaselineDecoderTest.class.getResourceAsStream("/jpeg/" + name)) {
      return arena.allocateFrom(JAVA_BYTE, Objects.requireNonNull(in, name).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @param noise amplitude of what no neighbours share; 255 leaves nothing else
  private MemorySegment encode(
      int width, int height, Subsampling subsampling, int quality, int noise, long seed)
      throws DecodeException {
    var random = new Random(seed);
    MemorySegment rgb = arena.allocate(3L * width * height);
    for (int i = 0; i < 3 * width * height; i++) {
      int x = i / 3 % width;
      int y = i / 3 / width;
      int c = i % 3;
      double wave = Math.sin(0.05 * x * (c + 1) + 0.11 * y * (3 - c));
      int value = (int) (128 + (255 - noise) / 2.1 * wave) + random.nextInt(noise) - noise / 2;
      rgb.set(JAVA_BYTE, i, (byte) Math.clamp(value, 0, 255));
    }
    return copy(encoder.encode(rgb, width, height, 3, quality, subsampling, block));
  }

  private MemorySegment copy(long bytes) {
    return arena.allocate(bytes).copyFrom(block.memory().asSlice(0, bytes));
  }

  private MemorySegment tile(MemorySegment jpeg, int target) throws DecodeException {
    return copy(transcoder.tile(jpeg, target, block, tiles));
  }

  /// @param jpeg decoded by libjpeg-turbo, or by its coefficients
  /// @param other decoded by tiles, or the same without
  private void same(
      MemorySegment jpeg, MemorySegment other, @Nullable TileTable table, int times, Random random)
      throws DecodeException {
    ImageInfo info = turbo.probe(jpeg);
    for (int eighths : SCALES) {
      var scale = new JpegScale(eighths);
      int height = scale.scaled(info.height());
      int width = scale.scaled(info.width());
      if (BaselineDecoder.differs(scale)) {
        corners.decode(jpeg, eighths, arena, expected);
      } else {
        assertThat(turbo.decodePlanes(jpeg, info, scale, height, expected)).isTrue();
      }
      for (int i = 0; i < times; i++) {
        int rows = i == 0 ? height : 1 + random.nextInt(height);
        int columns = i == 0 ? width : 1 + random.nextInt(width);
        int top = random.nextInt(height - rows + 1);
        int left = random.nextInt(width - columns + 1);
        var part = new Region(top, left, rows, columns);
        turbo.probe(other);
        assertThat(own.decode(other, turbo.header(), table, part, scale, planes)).isTrue();
        compare(
            part, height, width, "%s of %d x %d at %d/8".formatted(part, width, height, eighths));
        turbo.probe(jpeg);
      }
    }
  }

  /// Compares the region and one sample around it.
  private void compare(Region part, int height, int width, String what) {
    assertThat(planes.count()).isEqualTo(expected.count());
    for (int p = 0; p < planes.count(); p++) {
      int across = p == 0 ? 1 : expected.across();
      int down = p == 0 ? 1 : expected.down();
      int x0 = Math.max(0, part.left() - 1) / across;
      int x1 = Math.min(width - 1, part.left() + part.width()) / across;
      int y0 = Math.max(0, part.top() - 1) / down;
      int y1 = Math.min(height - 1, part.top() + part.height()) / down;
      for (int y = y0; y <= y1; y++) {
        long a = expected.offset(p, y, x0);
        long b = planes.offset(p, y, x0);
        int n = x1 - x0 + 1;
        long differs =
            MemorySegment.mismatch(expected.memory(), a, a + n, planes.memory(), b, b + n);
        assertThat(differs).as("plane %d, row %d from %d, %s", p, y, x0, what).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void everySubsamplingSizeAndQuality(Subsampling subsampling) throws DecodeException {
    var random = new Random(3);
    for (int[] size : new int[][] {{161, 75}, {64, 64}, {33, 98}, {8, 5}, {1, 9}, {3, 67}}) {
      for (int quality : new int[] {30, 75, 92, 100}) {
        MemorySegment jpeg = encode(size[0], size[1], subsampling, quality, 40, quality);
        same(jpeg, jpeg, null, 6, random);
      }
    }
  }

  /// Every coefficient counts, up to the sixty-fourth, after which no end of block stands: what
  /// follows is the next block's, though it was looked up with this one's.
  @ParameterizedTest
  @ValueSource(ints = {60, 90, 98, 100})
  void noise(int quality) throws DecodeException {
    for (Subsampling subsampling : List.of(Subsampling.S444, Subsampling.S420)) {
      for (int seed = 0; seed < 4; seed++) {
        MemorySegment jpeg = encode(150, 90, subsampling, quality, 255, seed);
        same(jpeg, jpeg, null, 8, new Random(seed));
      }
    }
  }

  /// Blocks that end with the sixty-fourth coefficient after few bits: what was looked up of the
  /// next block is put back, even where the bytes it was in have just left the buffer.
  @Test
  void shortBlocksThatEndWithTheirLastCoefficient() throws DecodeException {
    String block = "0" + "1011" + "00".repeat(3) + "011"; // 0, then 1, 48 zeros, 13 zeros and 1
    int edge = 1280;
    StringBuilder bits = new StringBuilder();
    bits.append(block.repeat(edge / 8 * (edge / 8)));
    bits.append("1".repeat((8 - bits.length() % 8) % 8));
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(HexFormat.of().parseHex("ffd8ffdb004300" + "01".repeat(64)));
    bytes.writeBytes(HexFormat.of().parseHex("ffc0000b08%04x%04x01011100".formatted(edge, edge)));
    bytes.writeBytes(HexFormat.of().parseHex("ffc400140001" + "00".repeat(15) + "00"));
    bytes.writeBytes(
        HexFormat.of().parseHex("ffc40017100002" + "02" + "00".repeat(13) + "f0d10001"));
    bytes.writeBytes(HexFormat.of().parseHex("ffda0008010100003f00"));
    for (int i = 0; i < bits.length(); i += 8) {
      int value = Integer.parseInt(bits.substring(i, i + 8), 2);
      bytes.write(value);
      if (value == 0xff) {
        bytes.write(0);
      }
    }
    bytes.writeBytes(HexFormat.of().parseHex("ffd9"));
    MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, bytes.toByteArray());
    same(jpeg, jpeg, null, 1, new Random(1));
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyTilesOrNone(long seed) throws DecodeException {
    var random = new Random(seed);
    for (int i = 0; i < 2; i++) {
      Subsampling subsampling =
          List.of(Subsampling.values()).get(random.nextInt(6)); // all but OTHER
      int width = 8 + random.nextInt(300);
      int height = 1 + random.nextInt(120);
      int quality = 20 + random.nextInt(81);
      MemorySegment jpeg =
          encode(width, height, subsampling, quality, 1 + random.nextInt(255), random.nextLong());
      MemorySegment tiled = tile(jpeg, random.nextInt(9));
      same(jpeg, tiled, tiles, 5, random);
      if (tiles.padding() == 0) {
        same(jpeg, tiled, null, 3, random); // restart by restart, from the beginning
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "baseline.jpg",
        "fill-bytes.jpg",
        "grey.jpg",
        "odd.jpg",
        "orientation-6-mm.jpg",
        "quality-3.jpg",
        "restart-blocks.jpg",
        "restart-rows.jpg",
        "sample-1x2.jpg",
        "sample-2x1.jpg",
        "sample-4x1.jpg",
        "thumbnail.jpg"
      })
  void filesOfOtherCoders(String name) throws DecodeException {
    MemorySegment jpeg = fixture(name);
    same(jpeg, jpeg, null, 12, new Random(5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "arithmetic.jpg",
        "cmyk.jpg",
        "empty-huffman.jpg",
        "progressive.jpg",
        "extraneous.jpg",
        "rgb.jpg",
        "sample-2x2-1x2-1x2.jpg",
        "ycck.jpg"
      })
  void othersAreLeftToLibjpegTurbo(String name) throws DecodeException {
    MemorySegment jpeg = fixture(name);
    ImageInfo info = turbo.probe(jpeg);
    var part = new Region(0, 0, info.height(), info.width());
    assertThat(own.decode(jpeg, turbo.header(), null, part, JpegScale.FULL, planes)).isFalse();
  }

  /// Where 2/8 and 3/8 of both sides are as many pixels, libjpeg-turbo takes the larger scale.
  @Test
  void picturesWhoseScaleIsAmbiguousAreLeftToLibjpegTurbo() throws DecodeException {
    MemorySegment jpeg = encode(7, 5, Subsampling.S420, 90, 60, 1);
    turbo.probe(jpeg);
    var pixel = new Region(0, 0, 1, 1);
    assertThat(own.decode(jpeg, turbo.header(), null, pixel, JpegScale.QUARTER, planes)).isFalse();
    assertThat(own.decode(jpeg, turbo.header(), null, pixel, JpegScale.FULL, planes)).isTrue();
  }

  @Test
  void cutsAreNotDecoded() throws DecodeException {
    MemorySegment jpeg = encode(64, 48, Subsampling.S420, 90, 60, 1);
    for (long end = jpeg.byteSize() - 1; end > 700; end -= 13) {
      MemorySegment cut = jpeg.asSlice(0, end);
      ImageInfo info = turbo.probe(cut);
      var part = new Region(0, 0, info.height(), info.width());
      assertThat(own.decode(cut, turbo.header(), null, part, JpegScale.FULL, planes)).isFalse();
    }
  }

  /// Much damage shows, and what shows is left to libjpeg-turbo; of what does not, samples are its
  /// too. A block that was given up leaves
  /// nothing for the next picture.
  @Test
  void damageIsSeen() throws DecodeException {
    var random = new Random(8);
    MemorySegment sound = encode(96, 64, Subsampling.S420, 85, 50, 4);
    byte[] bytes = sound.toArray(JAVA_BYTE);
    turbo.probe(sound);
    int scan = (int) turbo.header().firstScan() + 14;
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] damaged = bytes.clone();
      damaged[scan + random.nextInt(bytes.length - scan - 2)] ^= (byte) (1 << random.nextInt(8));
      MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, damaged);
      ImageInfo info = turbo.probe(jpeg);
      var part = new Region(0, 0, info.height(), info.width());
      if (!own.decode(jpeg, turbo.header(), null, part, JpegScale.FULL, planes)) {
        refused++;
        turbo.probe(sound);
        same(sound, sound, null, 1, random);
      } else if (turbo.decodePlanes(jpeg, info, JpegScale.FULL, info.height(), expected)) {
        compare(part, info.height(), info.width(), "damaged");
      }
    }
    assertThat(refused).isBetween(250, 1000);
  }

  /// Whatever bytes are changed, there is an end, without another error than those announced.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyBytesAreSurvived(long seed) throws DecodeException {
    var random = new Random(seed);
    MemorySegment tiled = tile(encode(200, 120, Subsampling.S420, 90, 80, 4), 2);
    byte[] bytes = tiled.toArray(JAVA_BYTE);
    int decoded = 0;
    for (int i = 0; i < 60; i++) {
      byte[] damaged = bytes.clone();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, damaged);
      try {
        ImageInfo info = turbo.probe(jpeg);
        if ((long) info.height() * info.width() < 1 << 18) {
          var part = new Region(info.height() / 2, info.width() / 2, 1, 1);
          TileTable table = i % 2 == 0 ? tiles : null;
          var scale = new JpegScale(SCALES[random.nextInt(4)]);
          decoded += own.decode(jpeg, turbo.header(), table, part, scale, planes) ? 1 : 0;
        }
      } catch (DecodeException e) {
        assertThat(e.fault()).isNotNull();
      }
    }
    assertThat(decoded).isLessThan(60);
    same(tiled, tiled, tiles, 2, random);
  }

  @Test
  void tablesOfAnotherPictureAreNotBelieved() throws DecodeException {
    MemorySegment jpeg = tile(encode(200, 120, Subsampling.S420, 90, 80, 4), 2);
    tile(encode(120, 200, Subsampling.S420, 90, 80, 4), 2);
    turbo.probe(jpeg);
    var part = new Region(0, 0, 50, 50);
    assertThat(own.decode(jpeg, turbo.header(), tiles, part, JpegScale.FULL, planes)).isFalse();
  }

  @Test
  void nothingIsLeftForTheCollector() throws DecodeException {
    MemorySegment jpeg = encode(200, 120, Subsampling.S420, 90, 80, 4);
    turbo.probe(jpeg);
    var part = new Region(20, 30, 80, 120);
    own.decode(jpeg, turbo.header(), null, part, JpegScale.FULL, planes);
    // Vectors of code that is not compiled are objects, so the skipped blocks are counted.
    long before = Allocations.ofThisThread();
    for (int i = 0; i < 50; i++) {
      own.decode(jpeg, turbo.header(), null, part, JpegScale.EIGHTH, planes);
    }
    assertThat((Allocations.ofThisThread() - before) / 50).isLessThan(200);
  }

  @Test
  void cutTileTablesAreSurvived() throws DecodeException {
    MemorySegment jpeg = tile(encode(200, 120, Subsampling.S420, 90, 80, 4), 2);
    MemorySegment stored = arena.allocate(tiles.bytes());
    tiles.write(stored);
    byte[] sound = stored.toArray(JAVA_BYTE);
    var table = new TileTable();
    int read = 0;
    for (int i = 0; i < sound.length * 8; i++) {
      MemorySegment flipped = arena.allocateFrom(JAVA_BYTE, Corrupter.flipBit(sound, i));
      turbo.probe(jpeg);
      try {
        table.read(flipped);
        read++;
        own.decode(jpeg, turbo.header(), table, new Region(30, 30, 60, 90), JpegScale.FULL, planes);
      } catch (DecodeException e) {
        assertThat(e).hasMessageContaining("tile");
      }
    }
    assertThat(read).isPositive();
  }
}
