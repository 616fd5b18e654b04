package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.headrace.codec.ImageLimits;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JpegCoefficientsTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final JpegCoefficients picture = new JpegCoefficients();

  @AfterEach
  void close() {
    picture.close();
    out.close();
    arena.close();
  }

  private void read(byte[] jpeg) throws DecodeException {
    picture.read(arena.allocateFrom(JAVA_BYTE, jpeg));
  }

  private void refused(byte[] jpeg, Fault fault, String words) {
    assertThatThrownBy(() -> read(jpeg))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  private static int find(byte[] jpeg, int marker) {
    for (int i = 0; i < jpeg.length - 1; i++) {
      if (jpeg[i] == (byte) 0xff && jpeg[i + 1] == (byte) marker) {
        return i;
      }
    }
    throw new AssertionError("no such marker");
  }

  @Test
  void flatPictureHasOnlyDc() throws DecodeException {
    read(Jpegs.named("jpeg/cmyk.jpg"));
    assertThat(picture.components()).isEqualTo(4);
    for (int c = 0; c < 4; c++) {
      assertThat(picture.component(c).columns()).isEqualTo(2);
      for (int k = 1; k < 64; k++) {
        assertThat(picture.coefficient(c, 1, 1, k)).isZero();
      }
    }
    assertThat(picture.coefficient(0, 0, 0, 0)).isNotZero();
  }

  @Test
  void aFillByteWithinCodedDataIsDamage() throws DecodeException {
    byte[] jpeg = Jpegs.encoded(64, 48, Subsampling.S420, 95, 3);
    int stuffed = find(jpeg, 0xda);
    do {
      stuffed++;
    } while (jpeg[stuffed] != (byte) 0xff || jpeg[stuffed + 1] != 0);
    refused(filled(jpeg, stuffed), Fault.CORRUPT, "at byte " + (stuffed + 1));
    read(filled(jpeg, jpeg.length - 2)); // before a marker it may stand
    assertThat(picture.complete()).isTrue();
  }

  /// A JPEG with another 0xff at `at`.
  private static byte[] filled(byte[] jpeg, int at) {
    byte[] filled = Arrays.copyOf(jpeg, jpeg.length + 1);
    System.arraycopy(jpeg, at, filled, at + 1, jpeg.length - at);
    filled[at] = (byte) 0xff;
    return filled;
  }

  @Test
  void shapeIsThatOfTheFrame() throws DecodeException {
    read(Jpegs.named("jpeg/odd.jpg")); // 61 x 45, 4:2:0
    assertThat(picture.component(0).columns()).isEqualTo(8);
    assertThat(picture.component(0).rows()).isEqualTo(6);
    assertThat(picture.component(1).columns()).isEqualTo(4);
    assertThat(picture.component(1).rows()).isEqualTo(3);
    assertThat(picture.mcuColumns()).isEqualTo(4);
    assertThat(picture.mcuRows()).isEqualTo(3);
    assertThat(picture.component(0).quantisation(0)).isEqualTo(3);
    assertThat(picture.component(2).id()).isEqualTo(3);
    assertThat(picture.complete()).isTrue();
    assertThat(picture.segments()).isEqualTo(1);
    assertThat(picture.segmentMarker(0)).isEqualTo(0xe0);
    assertThat(picture.segment(0).byteSize()).isEqualTo(14);
  }

  @Test
  void otherPicturesAreNotTheSame() throws DecodeException {
    try (var other = new JpegCoefficients()) {
      other.read(arena.allocateFrom(JAVA_BYTE, Jpegs.named("jpeg/odd.jpg")));
      for (String name : new String[] {"quality-3", "grey", "sample-2x1", "baseline"}) {
        read(Jpegs.named("jpeg/" + name + ".jpg"));
        assertThat(picture.sameAs(other)).as(name).isFalse();
      }
      read(Jpegs.named("jpeg-scans/lacks-scans.jpg"));
      assertThat(picture.sameAs(other)).isFalse();
      assertThat(picture.complete()).isFalse();
      read(Jpegs.named("jpeg-scans/deep.jpg"));
      assertThat(picture.sameAs(other)).isTrue();
      assertThat(picture.scans()).isEqualTo(11);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "arithmetic, arithmetic coding",
    "arithmetic-progressive, arithmetic coding",
  })
  void arithmeticCodingIsUnsupported(String name, String words) {
    refused(Jpegs.named("jpeg/" + name + ".jpg"), Fault.UNSUPPORTED, words);
  }

  @ParameterizedTest
  @CsvSource({"c3, lossless", "c5, lossless or hierarchical", "cb, lossless"})
  void otherProcessesAreUnsupported(String marker, String words) {
    byte[] jpeg = Jpegs.named("jpeg/baseline.jpg");
    jpeg[find(jpeg, 0xc0) + 1] = (byte) Integer.parseInt(marker, 16);
    refused(jpeg, Fault.UNSUPPORTED, words);
  }

  @Test
  void twelveBitsAreUnsupported() {
    byte[] jpeg = Jpegs.named("jpeg/baseline.jpg");
    jpeg[find(jpeg, 0xc0) + 4] = 12;
    refused(jpeg, Fault.UNSUPPORTED, "12 bits");
  }

  @Test
  void headerSizesAreHeldToLimits() {
    byte[] jpeg = Jpegs.named("jpeg/progressive.jpg");
    int sof = find(jpeg, 0xc2);
    Arrays.fill(jpeg, sof + 5, sof + 9, (byte) 0xff);
    refused(jpeg, Fault.LIMIT, "65535 x 65535 is 4294836225 pixels");
    Arrays.fill(jpeg, sof + 5, sof + 9, (byte) 0x30);
    refused(jpeg, Fault.TRUNCATED, "pixels take at least");
  }

  /// One block, and then scans that bring nothing: a table whose only code ends the block.
  private byte[] manyScans(int count) throws DecodeException {
    byte[] one =
        transcode(
            Jpegs.encoded(8, 8, Subsampling.GRAY, 50, 1),
            new JpegTarget.Progressive(MetadataPolicy.DROP_ALL_BUT_NEEDED));
    var many = new ByteArrayOutputStream();
    many.write(one, 0, one.length - 2);
    many.writeBytes(HexFormat.of().parseHex("ffc40014100100" + "00".repeat(15)));
    for (int i = 6; i < count; i++) {
      many.writeBytes(HexFormat.of().parseHex("ffda0008010100013f007f"));
    }
    many.writeBytes(HexFormat.of().parseHex("ffd9"));
    return many.toByteArray();
  }

  @Test
  void scansTimesPixelsAreBounded() throws DecodeException {
    read(manyScans(500));
    assertThat(picture.scans()).isEqualTo(500);
    refused(manyScans(501), Fault.LIMIT, "more than 500 scans of 8 x 8 pixels");
    try (var strict = new JpegCoefficients(MemoryBudget.unbounded(), 64)) {
      strict.read(arena.allocateFrom(JAVA_BYTE, manyScans(32)));
      MemorySegment more = arena.allocateFrom(JAVA_BYTE, manyScans(33));
      assertThatThrownBy(() -> strict.read(more)).hasMessageContaining("more than 32 scans");
    }
  }

  private byte[] transcode(byte[] jpeg, JpegTarget target) throws DecodeException {
    try (var transcoder = new JpegTranscoder()) {
      Transcoded result = transcoder.transcode(arena.allocateFrom(JAVA_BYTE, jpeg), target, out);
      return out.memory().asSlice(0, result.bytes()).toArray(JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg/baseline.jpg",
        "jpeg/progressive.jpg",
        "jpeg/progressive-restart.jpg",
        "jpeg/restart-blocks.jpg",
        "jpeg-scans/separate.jpg"
      })
  void cutsAreReported(String name) {
    byte[] jpeg = Jpegs.named(name);
    for (int length = 0; length < jpeg.length; length += 2) {
      @Nullable Fault fault = null;
      try {
        read(Corrupter.cut(jpeg, length));
      } catch (DecodeException e) {
        fault = e.fault();
      }
      Fault expected = length < 2 ? Fault.MISMATCH : Fault.TRUNCATED;
      if (fault != expected) { // an assertion each time would be slow
        assertThat(fault).as("cut to %d", length).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void flippedBitsNeverCrashOrHang(long seed) throws DecodeException {
    Random random = new Random(seed);
    var names = Jpegs.fixtures();
    byte[] jpeg = Jpegs.named(names.get(random.nextInt(names.size())));
    var budget = new MemoryBudget(64 << 20);
    assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          try (var transcoder = new JpegTranscoder(budget, 4_000_000)) {
            for (int i = 0; i < 20; i++) {
              damaged(transcoder, jpeg, random);
            }
          }
        });
    assertThat(budget.reserved()).isZero();
  }

  /// Law: a damaged JPEG is refused in words, or rewritten as something that reads the same.
  private void damaged(JpegTranscoder transcoder, byte[] jpeg, Random random)
      throws DecodeException {
    byte[] damaged = jpeg;
    for (int n = random.nextInt(4); n >= 0; n--) {
      damaged = Corrupter.flipBit(damaged, random.nextLong(8L * jpeg.length));
    }
    MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, damaged);
    List<JpegTarget> targets = JpegTranscoderTest.TARGETS;
    Transcoded result;
    try {
      result = transcoder.transcode(bytes, targets.get(random.nextInt(targets.size())), out);
    } catch (DecodeException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
      return;
    }
    picture.read(out.memory().asSlice(0, result.bytes()));
    assertThat(picture.sameAs(transcoder.picture())).isTrue();
  }

  /// Law: whichever bit of a progressive JPEG is wrong, what its scans prove is so; and those of a
  /// sound one prove it.
  @ParameterizedTest
  @CsvSource({"60, S420", "95, S420", "90, GRAY"})
  void scansProveOnlyWhatIsSo(int quality, Subsampling sampling) throws DecodeException {
    MemorySegment source =
        arena.allocateFrom(JAVA_BYTE, Jpegs.encoded(37, 21, sampling, quality, 3));
    try (var transcoder = new JpegTranscoder();
        var proof = new ScanProof(transcoder.picture(), MemoryBudget.unbounded());
        var read = new JpegCoefficients()) {
      JpegTarget target = new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL);
      long size = transcoder.transcode(source, target, out).bytes();
      MemorySegment made = arena.allocate(size).copyFrom(out.memory().asSlice(0, size));
      proof.begin();
      assertThat(read.holds(made, transcoder.picture(), proof)).isTrue();
      int refused = 0;
      for (long bit = 0; bit < 8 * size; bit++) {
        byte was = made.get(JAVA_BYTE, bit / 8);
        made.set(JAVA_BYTE, bit / 8, (byte) (was ^ (1 << (bit % 8))));
        proof.begin();
        boolean claimed = read.holds(made, transcoder.picture(), proof);
        boolean so = outcome(picture, made).isEmpty() && transcoder.picture().sameAs(picture);
        assertThat(claimed && !so).as("bit %d", bit).isFalse();
        refused += so ? 0 : 1;
        made.set(JAVA_BYTE, bit / 8, was);
      }
      assertThat(refused).isGreaterThan((int) size);
    }
  }

  /// {@return whether all blocks are the same, those that only pad the picture too}
  private static boolean sameBlocks(JpegCoefficients a, JpegCoefficients b) {
    boolean same = a.components() == b.components();
    for (int c = 0; c < a.components() && same; c++) {
      JpegComponent component = a.component(c);
      same = component.paddedRows() == b.component(c).paddedRows();
      for (int row = 0; row < component.paddedRows() && same; row++) {
        same =
            b.row(c, row).blocks() == component.stride()
                && a.row(c, row).same(b.row(c, row), component.stride());
      }
    }
    return same;
  }

  /// Law: whichever bit is wrong, what is read for speed is what is read strictly, and so is what
  /// is wrong with it; and what is taken for the same picture at a glance is the same. At a high
  /// quality blocks are full, so that damage leaves them where an end of block follows.
  @ParameterizedTest
  @CsvSource({"0, 80", "2, 80", "0, 98"})
  void speedChangesNothing(int interval, int quality) throws DecodeException {
    MemorySegment jpeg;
    try (var transcoder = new JpegTranscoder();
        var strict =
            new JpegCoefficients(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS, false)) {
      jpeg = arena.allocateFrom(JAVA_BYTE, Jpegs.encoded(70, 30, Subsampling.S420, quality, 3));
      if (interval > 0) {
        var tiles = new TileTable();
        long bytes = new TiledTranscoder().tile(jpeg, interval, out, tiles);
        jpeg = arena.allocate(bytes).copyFrom(out.memory().asSlice(0, bytes));
      }
      MemorySegment source = arena.allocate(jpeg.byteSize()).copyFrom(jpeg);
      int sound = 0;
      int same = 0;
      for (long bit = 0; bit < 8 * jpeg.byteSize(); bit++) {
        byte was = jpeg.get(JAVA_BYTE, bit / 8);
        jpeg.set(JAVA_BYTE, bit / 8, (byte) (was ^ (1 << (bit % 8))));
        String expected = outcome(strict, jpeg);
        assertThat(outcome(picture, jpeg)).as("bit %d", bit).isEqualTo(expected);
        transcoder.picture().read(source);
        boolean claimed = transcoder.picture().isIn(jpeg);
        if (expected.isEmpty()) {
          sound++;
          assertThat(sameBlocks(picture, strict)).as("bit %d", bit).isTrue();
          assertThat(claimed && !transcoder.picture().isIn(strict)).as("bit %d", bit).isFalse();
        } else {
          assertThat(claimed).as("bit %d: %s", bit, expected).isFalse();
        }
        same += claimed ? 1 : 0;
        jpeg.set(JAVA_BYTE, bit / 8, was);
      }
      assertThat(same).as("bits that say nothing").isPositive();
      assertThat(sound).as("bits that change the picture").isGreaterThan(same);
    }
  }

  private static String outcome(JpegCoefficients picture, MemorySegment jpeg) {
    try {
      picture.read(jpeg);
      return "";
    } catch (DecodeException e) {
      return e.fault() + String.valueOf(e.getMessage());
    }
  }

  @Test
  void damageSaysWhatAndWhere() throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/restart-blocks.jpg");
    int second = find(jpeg, 0xd1);
    jpeg[second + 1] = (byte) 0xd3;
    refused(jpeg, Fault.CORRUPT, "marker d3 where d1 is due, at byte " + second);
    byte[] short1 = Jpegs.named("jpeg/baseline.jpg");
    byte[] without = Arrays.copyOf(short1, short1.length - 20);
    without[without.length - 2] = (byte) 0xff;
    without[without.length - 1] = (byte) 0xd9;
    refused(without, Fault.CORRUPT, "ends in a block, at byte " + (without.length - 2));
  }

  @Test
  void scansOutOfTurnAreCorrupt() {
    byte[] jpeg = Jpegs.named("jpeg-scans/separate.jpg");
    int sos = find(jpeg, 0xda);
    byte[] twice = jpeg.clone();
    for (int i = sos + 1; i < twice.length - 1; i++) {
      if (twice[i] == (byte) 0xff && twice[i + 1] == (byte) 0xda) {
        twice[i + 5] = jpeg[sos + 5]; // the first component again
        break;
      }
    }
    refused(twice, Fault.CORRUPT, "scan 2 brings bits of component 1 out of turn");
    byte[] unknown = jpeg.clone();
    unknown[sos + 5] = 77;
    refused(unknown, Fault.CORRUPT, "component 77, which the frame lacks");
  }

  @Test
  void missingScanOfSequentialPictureIsCorrupt() {
    byte[] jpeg = Jpegs.named("jpeg-scans/separate.jpg");
    int last = jpeg.length;
    while (jpeg[--last] != (byte) 0xda || jpeg[last - 1] != (byte) 0xff) {}
    byte[] less = Arrays.copyOf(jpeg, last + 1);
    less[last] = (byte) 0xd9;
    refused(less, Fault.CORRUPT, "no scan of component 3");
  }

  /// Four components of 2 x 2 blocks have MCUs too large to interleave: four scans then.
  @Test
  void whatCannotBeInterleavedStaysApart() throws DecodeException {
    String scan = "28a28a";
    String hex =
        "ffd8" + "ffdb004300" + "01".repeat(64) + "ffc00014080010001004012200022200032200042200";
    for (int id = 1; id <= 4; id++) {
      hex += "ffda0008010" + id + "00003f00" + scan;
    }
    byte[] jpeg = HexFormat.of().parseHex(hex + "ffd9"); // no DHT: the standard tables are meant
    read(jpeg);
    assertThat(picture.scans()).isEqualTo(4);
    byte[] progressive =
        transcode(jpeg, new JpegTarget.Progressive(MetadataPolicy.DROP_ALL_BUT_NEEDED));
    try (var other = new JpegCoefficients()) {
      other.read(MemorySegment.ofArray(progressive));
      assertThat(other.sameAs(picture)).isTrue();
      assertThat(other.scans()).isEqualTo(4 + 4 + 4 + 4 + 4 + 4);
      byte[] back = transcode(progressive, new JpegTarget.Baseline(true, MetadataPolicy.KEEP_ALL));
      other.read(MemorySegment.ofArray(back));
      assertThat(other.sameAs(picture)).isTrue();
      assertThat(other.scans()).isEqualTo(4);
    }
  }

  @Test
  void tablesRedefinedBetweenScansAreKeptApart() throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg-scans/separate.jpg");
    int sos = find(jpeg, 0xda);
    int second = sos + 1;
    while (jpeg[second] != (byte) 0xff || jpeg[second + 1] != (byte) 0xda) {
      second++;
    }
    byte[] table = new byte[65];
    Arrays.fill(table, (byte) 77);
    table[0] = 1; // the chroma's, before the first of its scans
    var changed = new ByteArrayOutputStream();
    changed.write(jpeg, 0, second);
    changed.writeBytes(new byte[] {(byte) 0xff, (byte) 0xdb, 0, 67});
    changed.writeBytes(table);
    int third = second + 1;
    while (jpeg[third] != (byte) 0xff || jpeg[third + 1] != (byte) 0xda) {
      third++;
    }
    changed.write(jpeg, second, third - second);
    changed.writeBytes(new byte[] {(byte) 0xff, (byte) 0xdb, 0, 67});
    table[1] = 78;
    changed.writeBytes(table);
    changed.write(jpeg, third, jpeg.length - third);
    byte[] made =
        transcode(changed.toByteArray(), new JpegTarget.Baseline(true, MetadataPolicy.KEEP_ALL));
    read(made);
    assertThat(picture.component(1).quantisation(0)).isEqualTo(77);
    assertThat(picture.component(2).quantisation(0)).isEqualTo(78);
    assertThat(picture.component(1).quantisationSlot()).isEqualTo(1);
    assertThat(picture.component(2).quantisationSlot()).isEqualTo(2);
    try (var decoder = new JpegDecoder()) {
      byte[] before = Jpegs.pixels(decoder, arena.allocateFrom(JAVA_BYTE, changed.toByteArray()));
      assertThat(Jpegs.pixels(decoder, arena.allocateFrom(JAVA_BYTE, made))).isEqualTo(before);
    }
  }

  @Test
  void failedReadingLeavesNothingToWrite() {
    byte[] jpeg = Jpegs.named("jpeg/odd.jpg");
    try (var writer = new JpegWriter()) {
      refused(Corrupter.cut(jpeg, jpeg.length - 9), Fault.TRUNCATED, "ends");
      assertThatThrownBy(() -> writer.write(picture, JpegTranscoderTest.TARGETS.getFirst(), out))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void wholeHeapAndOffHeapStreamsReadAlike() throws DecodeException {
    byte[] jpeg = Jpegs.encoded(67, 45, Subsampling.S422, 95, 5);
    read(jpeg);
    try (var other = new JpegCoefficients()) {
      other.read(MemorySegment.ofArray(jpeg));
      assertThat(other.sameAs(picture)).isTrue();
    }
  }
}
