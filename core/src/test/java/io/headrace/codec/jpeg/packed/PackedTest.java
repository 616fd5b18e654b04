package io.headrace.codec.jpeg.packed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.Jpegs;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.planes.Idct;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.JpegSurgery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Packed pictures are their JPEGs: the same file, the same coefficients, the same samples.
final class PackedTest {
  private static final MemoryBudget BUDGET = MemoryBudget.unbounded();

  private final Arena arena = Arena.ofConfined();
  private final PackedTranscoder transcoder = new PackedTranscoder(BUDGET, 1 << 26);
  private final PackedRebuilder rebuilder = new PackedRebuilder();
  private final PackedDecoder decoder = new PackedDecoder(BUDGET, 1 << 26);
  private final PackedHeader header = new PackedHeader();
  private final Block out = new Block(BUDGET);

  @AfterEach
  void close() {
    transcoder.close();
    decoder.close();
    out.close();
    arena.close();
  }

  private MemorySegment offHeap(byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  private MemorySegment pack(MemorySegment jpeg, int tile) throws DecodeException {
    return copy(transcoder.pack(jpeg, tile, MetadataPolicy.KEEP_ALL, out));
  }

  private MemorySegment copy(long bytes) {
    return arena.allocate(bytes).copyFrom(out.memory().asSlice(0, bytes));
  }

  private MemorySegment rebuild(MemorySegment packed) throws DecodeException {
    return copy(rebuilder.rebuild(packed, out));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg/baseline.jpg",
        "jpeg/cmyk.jpg",
        "jpeg/ycck.jpg",
        "jpeg/grey.jpg",
        "jpeg/odd.jpg",
        "jpeg/orientation-6-mm.jpg",
        "jpeg/quality-3.jpg",
        "jpeg/restart-blocks.jpg",
        "jpeg/restart-rows.jpg",
        "jpeg/rgb.jpg",
        "jpeg/sample-1x1.jpg",
        "jpeg/sample-1x2.jpg",
        "jpeg/sample-1x4.jpg",
        "jpeg/sample-2x1.jpg",
        "jpeg/sample-4x1.jpg",
        "jpeg/thumbnail.jpg",
        "jpeg/fill-bytes.jpg",
      })
  void aSequentialFileComesBackByteForByte(String name) throws DecodeException {
    byte[] file = Jpegs.named(name);
    for (int tile : new int[] {0, 1, 3, 64}) {
      MemorySegment packed = pack(offHeap(file), tile);
      assertThat(transcoder.exact()).isTrue();
      header.read(packed);
      assertThat(header.exact()).isTrue();
      assertThat(header.sourceBytes()).isEqualTo(file.length);
      assertThat(rebuild(packed).toArray(JAVA_BYTE)).isEqualTo(file);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg/empty-huffman.jpg",
        "jpeg/progressive.jpg",
        "jpeg/progressive-restart.jpg",
        "jpeg-scans/cmyk-progressive.jpg",
        "jpeg-scans/separate.jpg",
        "jpeg-scans/separate-restart.jpg",
        "jpeg-scans/spectral.jpg",
        "jpeg-scans/pairs.jpg",
      })
  void anyOtherComesBackWithItsCoefficients(String name) throws DecodeException {
    MemorySegment file = offHeap(Jpegs.named(name));
    MemorySegment packed = pack(file, 0);
    assertThat(transcoder.exact()).isFalse();
    try (var before = new JpegCoefficients();
        var after = new JpegCoefficients()) {
      before.read(file);
      after.read(rebuild(packed));
      assertThat(after.sameAs(before)).isTrue();
      assertThat(after.progressive()).isFalse();
    }
  }

  @Test
  void twelveBitsCannotBePacked() {
    byte[] file = Jpegs.named("jpeg/baseline.jpg");
    int frame = JpegSurgery.find(file, 0xc0);
    file[frame + 1] = (byte) 0xc1;
    file[frame + 4] = 12;
    assertThatThrownBy(() -> pack(offHeap(file), 0))
        .hasMessageContaining("12 bits")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.UNSUPPORTED);
  }

  /// libjpeg smooths blocks of a progressive JPEG whose scans leave coefficients unsaid: its pixels
  /// are not those of its coefficients.
  @Test
  void whatLacksScansCannotBePacked() {
    assertThatThrownBy(() -> pack(offHeap(Jpegs.named("jpeg-scans/lacks-scans.jpg")), 0))
        .hasMessageContaining("lacks scans")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.UNSUPPORTED);
  }

  @Test
  void tilesAreOfOneTo64Mcus() {
    MemorySegment file = offHeap(Jpegs.named("jpeg/baseline.jpg"));
    assertThatThrownBy(() -> pack(file, 65))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tiles of 65 MCUs: expected 1 to 64");
  }

  /// Law: samples of any region at any scale are those of the JPEG, by vectors or not.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void samplesAreThoseOfTheJpeg(long seed) throws DecodeException {
    var random = new Random(seed);
    Subsampling[] all = {
      Subsampling.S420, Subsampling.S444, Subsampling.S422, Subsampling.S440, Subsampling.GRAY
    };
    int width = 1 + random.nextInt(200);
    int height = 1 + random.nextInt(150);
    MemorySegment jpeg =
        encode(width, height, all[random.nextInt(all.length)], 20 + random.nextInt(80), random);
    MemorySegment packed = pack(jpeg, random.nextInt(6));
    assertThat(transcoder.exact()).isTrue();
    try (var baseline = new BaselineDecoder(BUDGET);
        var plain = new PackedDecoder(BUDGET, 1 << 26, false);
        var fast = new PackedDecoder(BUDGET, 1 << 26, Idct.vectors())) {
      var read = new JpegHeader();
      read.read(jpeg);
      var expected = new Planes();
      var found = new Planes();
      for (int i = 0; i < 8; i++) {
        var scale = new JpegScale(1 << random.nextInt(4));
        Region part = part(scale.scaled(height), scale.scaled(width), random);
        boolean possible = baseline.decode(jpeg, read, null, part, scale, expected);
        for (PackedDecoder form : List.of(plain, fast)) {
          assertThat(form.decodePlanes(packed, part, scale, found)).isEqualTo(possible);
          if (possible) {
            requireEqual(expected, found, part);
          }
        }
      }
    }
  }

  private static Region part(int height, int width, Random random) {
    int top = random.nextInt(height);
    int left = random.nextInt(width);
    return new Region(
        top, left, 1 + random.nextInt(height - top), 1 + random.nextInt(width - left));
  }

  private static void requireEqual(Planes expected, Planes found, Region part) {
    assertThat(found.count()).isEqualTo(expected.count());
    for (int p = 0; p < expected.count(); p++) {
      int across = p == 0 ? 1 : expected.across();
      int down = p == 0 ? 1 : expected.down();
      for (int y = part.top(); y < part.top() + part.height(); y++) {
        for (int x = part.left(); x < part.left() + part.width(); x++) {
          long a = expected.offset(p, y / down, x / across);
          long b = found.offset(p, y / down, x / across);
          assertThat(found.memory().get(JAVA_BYTE, b))
              .isEqualTo(expected.memory().get(JAVA_BYTE, a));
        }
      }
    }
  }

  private MemorySegment encode(
      int width, int height, Subsampling subsampling, int quality, Random random)
      throws DecodeException {
    MemorySegment rgb = arena.allocate(3L * width * height);
    int noise = 1 + random.nextInt(80);
    for (int i = 0; i < 3 * width * height; i++) {
      double wave = 80 * Math.sin(0.02 * (i % (3 * width))) + 40 * Math.sin(0.001 * i);
      rgb.set(JAVA_BYTE, i, (byte) (128 + wave + random.nextInt(noise)));
    }
    try (var encoder = new JpegEncoder()) {
      return copy(encoder.encode(rgb, width, height, 3, quality, subsampling, out));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cmyk.jpg",
        "ycck.jpg",
        "rgb.jpg",
        "odd.jpg",
        "sample-2x2-1x1-2x1.jpg",
        "arithmetic.jpg",
        "arithmetic-progressive.jpg"
      })
  void coloursAreThoseOfTheJpeg(String name) throws DecodeException {
    MemorySegment jpeg = offHeap(Jpegs.named("jpeg/" + name));
    try (var images = new ImageDecoder()) {
      ImageInfo info = images.probe(jpeg);
      MemorySegment expected = arena.allocate(info.rgbBytes());
      images.decodeRgb(jpeg, info, expected);
      MemorySegment packed = pack(jpeg, 0);
      ImageInfo found = images.probe(packed);
      assertThat(found.width()).isEqualTo(info.width());
      assertThat(found.height()).isEqualTo(info.height());
      assertThat(found.subsampling()).isEqualTo(info.subsampling());
      assertThat(found.hasAlpha()).isFalse();
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      images.decodeRgb(packed, found, rgb);
      assertThat(rgb.mismatch(expected)).isEqualTo(-1);
    }
  }

  /// Law: pixels of a part are those of the whole picture, made of fewer tiles.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void aPartIsThatOfThePicture(long seed) throws DecodeException {
    var random = new Random(seed);
    Subsampling[] all = {
      Subsampling.S420, Subsampling.S444, Subsampling.S422, Subsampling.S440, Subsampling.GRAY
    };
    int width = 1 + random.nextInt(150);
    int height = 1 + random.nextInt(200);
    Subsampling subsampling = all[random.nextInt(all.length)];
    MemorySegment jpeg = encode(width, height, subsampling, 20 + random.nextInt(80), random);
    MemorySegment packed = pack(jpeg, 1 + random.nextInt(2));
    ImageInfo info = decoder.probe(packed);
    MemorySegment expected = arena.allocate(info.rgbBytes());
    decoder.decode(packed, info, expected);
    Region part = part(height, width, random);
    try (var window = new Block(BUDGET)) {
      DecodedRegion found = decoder.decodePart(packed, info, part, window);
      if (found == null) { // nearly all of it, since a tile has 32 rows at most
        assertThat(part.height() + 66).isGreaterThan(height * 9 / 10);
        return;
      }
      for (int y = 0; y < part.height(); y++) {
        long from = 3 * ((long) (part.top() + y) * width + part.left());
        long row = 3L * part.width();
        assertThat(found.pixels().asSlice(found.offset(y), row))
            .matches(pixels -> pixels.mismatch(expected.asSlice(from, row)) < 0, "the same");
      }
    }
  }

  /// Law: a picture cut after a band is the picture with the coefficients of its bands; cut
  /// anywhere else it is refused.
  @Test
  void everyCutIsABandOrRefused() throws DecodeException {
    MemorySegment file = offHeap(Jpegs.named("jpeg/baseline.jpg"));
    MemorySegment packed = pack(file, 2);
    header.read(packed);
    for (int length = 0; length < packed.byteSize(); length++) {
      MemorySegment cut = packed.asSlice(0, length);
      int bands = 0;
      for (int band = 0; band < 2; band++) {
        bands +=
            length == header.partEnd(band) || length == header.partEnd(band) + 2 ? band + 1 : 0;
      }
      if (bands == 0) {
        assertThatThrownBy(() -> new PackedHeader().read(cut))
            .as("%d bytes", length)
            .isInstanceOf(DecodeException.class);
      } else {
        requireFirst(bands == 1 ? 8 : 24, file, rebuild(cut));
      }
    }
  }

  private static void requireFirst(int last, MemorySegment jpeg, MemorySegment cut)
      throws DecodeException {
    try (var whole = new JpegCoefficients();
        var some = new JpegCoefficients()) {
      whole.read(jpeg);
      some.read(cut);
      for (int c = 0; c < whole.components(); c++) {
        for (int row = 0; row < whole.component(c).rows(); row++) {
          for (int column = 0; column < whole.component(c).columns(); column++) {
            for (int k = 0; k < 64; k++) {
              assertThat(some.coefficient(c, row, column, k))
                  .isEqualTo(k <= last ? whole.coefficient(c, row, column, k) : 0);
            }
          }
        }
      }
    }
  }

  /// Law: whatever bit is flipped, there is a picture or a fault, and the check finds it.
  @Test
  void everyFlippedBitIsAPictureOrAFault() throws DecodeException {
    byte[] packed = pack(offHeap(Jpegs.named("jpeg/grey.jpg")), 1).toArray(JAVA_BYTE);
    var planes = new Planes();
    MemorySegment rgb = arena.allocate(1 << 22);
    MemorySegment damaged = arena.allocate(packed.length);
    int unnoticed = 0;
    for (long bit = 0; bit < 8L * packed.length; bit++) {
      damaged.copyFrom(MemorySegment.ofArray(Corrupter.flipBit(packed, bit)));
      try {
        ImageInfo info = decoder.probe(damaged);
        var all = new Region(0, 0, info.height(), info.width());
        boolean _ = decoder.decodePlanes(damaged, all, JpegScale.FULL, planes);
        decoder.verify(damaged, rgb);
        unnoticed++;
      } catch (DecodeException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    // tile sizes and the flag say nothing about the JPEG, nor do the bits that fill up a byte
    assertThat(unnoticed).isLessThan(packed.length);
  }

  @Test
  void aPackedPictureStaysWhatItIs() throws DecodeException {
    MemorySegment packed = pack(offHeap(Jpegs.named("jpeg/baseline.jpg")), 0);
    var crc = new CRC32C();
    crc.update(packed.asByteBuffer());
    assertThat("%d %08x".formatted(packed.byteSize(), crc.getValue())).isEqualTo("688 77abac5d");
  }
}
