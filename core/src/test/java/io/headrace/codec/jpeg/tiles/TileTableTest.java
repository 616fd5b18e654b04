package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TileTableTest {
  private final Tiled tiled = new Tiled();
  private MemorySegment jpeg = MemorySegment.NULL;

  @BeforeEach
  void tile() throws DecodeException {
    jpeg = tiled.tile(tiled.encode(250, 100, Subsampling.S420, 90, 1), 4);
  }

  @AfterEach
  void close() {
    tiled.close();
  }

  private MemorySegment write(TileTable tiles) {
    MemorySegment stored = tiled.arena.allocate(tiles.bytes());
    tiles.write(stored);
    return stored;
  }

  @Test
  void scanFindsWhatTheTranscoderWrote() throws DecodeException {
    var found = new TileTable();
    assertThat(found.scan(jpeg, tiled.header(jpeg))).isTrue();
    assertThat(write(found).mismatch(write(tiled.tiles))).isEqualTo(-1);
    assertThat(found.across()).isEqualTo(4);
    assertThat(found.down()).isEqualTo(7);
    assertThat(found.end()).isEqualTo((int) jpeg.byteSize());
  }

  @Test
  void storedFormComesBack() throws DecodeException {
    MemorySegment stored = write(tiled.tiles);
    assertThat(stored.byteSize()).isEqualTo(14 + 2 * 28);
    var read = new TileTable();
    read.read(stored);
    read.check(jpeg);
    assertThat(write(read).mismatch(stored)).isEqualTo(-1);
  }

  @Test
  void longTilesTakeMoreBytes() throws DecodeException {
    MemorySegment large = tiled.encode(5000, 16, Subsampling.S444, 100, 1);
    MemorySegment rows = tiled.tile(large, 5000); // one tile a row
    assertThat(tiled.tiles.across()).isEqualTo(1);
    MemorySegment stored = write(tiled.tiles);
    assertThat(stored.get(JAVA_BYTE, 0)).isEqualTo((byte) 2);
    assertThat(stored.byteSize()).isEqualTo(14 + 4 * 2);
    var read = new TileTable();
    read.read(stored);
    read.check(rows);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "baseline.jpg",
        "restart-rows.jpg", // one for two rows
        "progressive.jpg",
        "progressive-restart.jpg",
        "arithmetic.jpg"
      })
  void otherFilesHaveNone(String name) throws DecodeException {
    MemorySegment other = tiled.fixture(name);
    assertThat(tiled.tiles.scan(other, tiled.header(other))).isFalse();
    assertThat(tiled.tiles.across()).isZero();
    assertThatThrownBy(() -> tiled.tiles.check(other)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void cutFilesHaveNone() throws DecodeException {
    byte[] bytes = jpeg.toArray(JAVA_BYTE);
    for (int length = 700; length < bytes.length; length += 11) {
      MemorySegment cut = tiled.offHeap(Corrupter.cut(bytes, length));
      tiled.header(jpeg);
      assertThat(new TileTable().scan(cut, tiled.whole.header())).isFalse();
    }
  }

  @Test
  void tableOfAnotherJpegIsRefused() throws DecodeException {
    MemorySegment stored = write(tiled.tiles);
    MemorySegment[] others = {
      tiled.tile(tiled.encode(250, 100, Subsampling.S420, 91, 1), 4),
      tiled.tile(tiled.encode(250, 100, Subsampling.S444, 90, 1), 4),
      tiled.tile(tiled.encode(250, 100, Subsampling.S420, 90, 1), 2),
      tiled.tile(tiled.encode(250, 90, Subsampling.S420, 90, 1), 4),
      tiled.encode(250, 100, Subsampling.S420, 90, 1)
    };
    tiled.tiles.read(stored);
    var all = new Region(0, 0, 90, 250);
    for (MemorySegment other : others) {
      assertThatThrownBy(() -> tiled.tiles.check(other))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MISMATCH));
      assertThatThrownBy(() -> tiled.region(other, all, JpegScale.FULL))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MISMATCH));
    }
  }

  /// Law: whatever a table says, and whatever is in the JPEG, decoding ends, in pixels or in an
  /// exception that says why.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void hostileTablesAndFilesDoNoHarm(long seed) {
    var random = new Random(seed);
    byte[] stored = write(tiled.tiles).toArray(JAVA_BYTE);
    byte[] bytes = jpeg.toArray(JAVA_BYTE);
    for (int round = 0; round < 60; round++) {
      byte[] table = random.nextInt(3) == 0 ? stored : damage(stored, random);
      byte[] file = random.nextInt(3) == 0 ? bytes : damage(bytes, random);
      if (random.nextInt(6) == 0) {
        file = Corrupter.cut(file, random.nextInt(file.length));
      }
      MemorySegment off = tiled.offHeap(file);
      try {
        tiled.tiles.read(MemorySegment.ofArray(table));
        int height = tiled.tiles.height();
        int width = tiled.tiles.width();
        int h = 1 + random.nextInt(Math.min(height, 100));
        int w = 1 + random.nextInt(Math.min(width, 250));
        var region =
            new Region(random.nextInt(height - h + 1), random.nextInt(width - w + 1), h, w);
        tiled.region(off, region, JpegScale.FULL);
      } catch (DecodeException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }

  private static byte[] damage(byte[] bytes, Random random) {
    byte[] copy = bytes.clone();
    for (int i = 0; i <= random.nextInt(3); i++) {
      copy[random.nextInt(Math.min(copy.length, 1 << (4 + random.nextInt(12))))] =
          (byte) random.nextInt(256);
    }
    return copy;
  }
}
