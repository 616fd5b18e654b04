package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Law: tiles and back changes no coefficient.
final class TiledTranscoderTest {
  private final Tiled tiled = new Tiled();

  @AfterEach
  void close() {
    tiled.close();
  }

  private void fault(MemorySegment jpeg, Fault fault, String words) {
    assertThatThrownBy(() -> tiled.tile(jpeg, 0))
        .hasMessageContaining(words)
        .isInstanceOfSatisfying(DecodeException.class, e -> assertThat(e.fault()).isEqualTo(fault));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void thereAndBackIsTheSamePicture(Subsampling subsampling) throws DecodeException {
    for (int width : new int[] {161, 176, 250}) {
      MemorySegment original = tiled.encode(width, 50, subsampling, 92, 9);
      MemorySegment plain = tiled.restore(tiled.tile(original, 0));
      assertThat(tiled.header(plain).width()).isEqualTo(width);
      assertThat(tiled.header(plain).restartInterval()).isZero();
      assertThat(plain.byteSize()).isLessThan(original.byteSize()); // optimal tables
      JpegScale full = JpegScale.FULL;
      assertThat(tiled.pixels(plain, full).mismatch(tiled.pixels(original, full))).isEqualTo(-1);
      // Symbols are unchanged: to code them again gives the same bytes.
      MemorySegment again = tiled.restore(tiled.tile(plain, 3));
      assertThat(again.mismatch(plain)).isEqualTo(-1);
    }
  }

  /// With the table counted in. Files whose Huffman codes are optimal already grow by 1 %.
  @Test
  void photosGetNoLarger() throws IOException, DecodeException {
    Path group = Photos.sorted(Photos.folder()).getFirst();
    for (Path photo : Photos.sorted(group).subList(0, 3)) {
      MemorySegment sample = tiled.offHeap(Files.readAllBytes(photo));
      MemorySegment original = tiled.encodeAgain(sample, 92);
      MemorySegment jpeg = tiled.tile(original, 0);
      assertThat(jpeg.byteSize() + tiled.tiles.bytes()).isLessThan(original.byteSize());
      MemorySegment plain = tiled.restore(jpeg);
      assertThat((double) jpeg.byteSize() / plain.byteSize()).isBetween(1.0, 1.015);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "500, 16, 4, 4", // 32 MCUs
    "1024, 16, 4, 4",
    "330, 16, 4, 3", // 21
    "400, 16, 4, 5", // 25
    "176, 16, 4, 4", // 11: one of padding with 3 and 4, none divides
    "976, 16, 4, 3", // 61: 3 and 4 pad by 2 and 3, 5 by 4
    "962, 16, 4, 7", // 61, but the last would have 2 columns alone: on to what leaves more
    "40, 16, 4, 3",
    "20, 16, 4, 2",
    "500, 8, 8, 7", // 63
    "4000, 16, 4, 5", // 250
    "1000, 16, 1, 1"
  })
  void intervalIsNearTheTarget(int width, int mcu, int target, int interval) {
    assertThat(TileInterval.choose(width, mcu, target)).isEqualTo(interval);
  }

  @Test
  void metadataStays() throws DecodeException {
    MemorySegment original = tiled.fixture("orientation-6-ii.jpg");
    assertThat(tiled.header(original).orientation()).isEqualTo(6);
    MemorySegment kept = tiled.tile(original, 0);
    assertThat(tiled.header(kept).orientation()).isEqualTo(6);
    MemorySegment thumbnail = tiled.tile(tiled.fixture("thumbnail.jpg"), 0);
    assertThat(tiled.pixels(thumbnail, JpegScale.FULL).mismatch(pixels("thumbnail.jpg")))
        .isEqualTo(-1);
    MemorySegment rgb = tiled.tile(tiled.fixture("rgb.jpg"), 0);
    assertThat(tiled.header(rgb).adobeTransform()).isZero(); // else its colours are others
  }

  private MemorySegment pixels(String fixture) throws DecodeException {
    return tiled.pixels(tiled.fixture(fixture), JpegScale.FULL);
  }

  @ParameterizedTest
  @CsvSource({
    "progressive.jpg, progressive",
    "arithmetic.jpg, arithmetic",
    "cmyk.jpg, 4 components",
    "ycck.jpg, 4 components"
  })
  void whatCannotBeTiledIsSaid(String name, String words) {
    fault(tiled.fixture(name), Fault.UNSUPPORTED, words);
  }

  @Test
  void twelveBitsAreUnsupported() {
    byte[] jpeg = tiled.fixture("baseline.jpg").toArray(JAVA_BYTE);
    for (int i = 0; i < jpeg.length; i++) {
      if (jpeg[i] == (byte) 0xff && jpeg[i + 1] == (byte) 0xc0) {
        jpeg[i + 4] = 12;
        break;
      }
    }
    fault(tiled.offHeap(jpeg), Fault.UNSUPPORTED, "12 bits");
    assertThatThrownBy(() -> tiled.tile(tiled.fixture("baseline.jpg"), -1))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void everyCutIsReported() {
    byte[] jpeg = tiled.fixture("restart-blocks.jpg").toArray(JAVA_BYTE);
    for (int length = 0; length < jpeg.length - 2; length += 5) {
      MemorySegment cut = tiled.offHeap(Corrupter.cut(jpeg, length));
      assertThatThrownBy(() -> tiled.tile(cut, 0)).isInstanceOf(DecodeException.class);
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void damageIsReportedOrHarmless(long seed) {
    var random = new Random(seed);
    byte[] jpeg =
        tiled.fixture(random.nextBoolean() ? "odd.jpg" : "restart-blocks.jpg").toArray(JAVA_BYTE);
    for (int round = 0; round < 40; round++) {
      byte[] damaged = jpeg.clone();
      for (int i = 0; i <= random.nextInt(4); i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      MemorySegment bytes = tiled.offHeap(damaged);
      try {
        MemorySegment result = tiled.tile(bytes, 0);
        tiled.tiles.check(result);
        new JpegHeader().read(result);
      } catch (DecodeException e) {
        assertThat(e.fault()).isNotEqualTo(Fault.IO);
      }
    }
  }
}
