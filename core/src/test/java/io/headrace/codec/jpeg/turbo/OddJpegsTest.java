package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.Pictures;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledJpegDecoder;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.testkit.JpegSurgery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JPEGs without tables, with damage in their scans, with numbers given twice: the same in every
/// path, whatever was decoded before.
final class OddJpegsTest {
  private static final int DHT = 0xc4;
  private static final int DQT = 0xdb;
  private static final int JFIF = 0xe0;
  private static final JpegTarget OPTIMISED =
      new JpegTarget.Baseline(true, MetadataPolicy.KEEP_ALL);
  private static final JpegTarget STANDARD =
      new JpegTarget.Baseline(false, MetadataPolicy.KEEP_ALL);
  private static final JpegTarget PROGRESSIVE = new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL);

  private final Arena arena = Arena.ofConfined();
  private final MemoryBudget budget = MemoryBudget.unbounded();
  private final Block out = new Block(budget);
  private final Block tiledBytes = new Block(budget);
  private final JpegDecoder decoder = new JpegDecoder();
  private final BaselineDecoder own = new BaselineDecoder(budget);
  private final TiledJpegDecoder tiled = new TiledJpegDecoder();
  private final TiledTranscoder tiler = new TiledTranscoder();
  private final JpegTranscoder transcoder = new JpegTranscoder();

  /// Leaves other tables behind in every context.
  @BeforeEach
  void decodeAnother() throws DecodeException {
    byte[] other = transcode(Pictures.resource("jpeg/quality-3.jpg"), OPTIMISED);
    decodeEverywhere(other);
    decode(transcode(other, PROGRESSIVE));
  }

  @AfterEach
  void close() {
    transcoder.close();
    tiled.close();
    own.close();
    decoder.close();
    tiledBytes.close();
    out.close();
    arena.close();
  }

  private byte[] transcode(byte[] jpeg, JpegTarget target) throws DecodeException {
    long bytes = transcoder.transcode(Pictures.offHeap(arena, jpeg), target, out).bytes();
    return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
  }

  private byte[] decode(byte[] jpeg) throws DecodeException {
    return decode(jpeg, JpegScale.FULL);
  }

  private byte[] decode(byte[] jpeg, JpegScale scale) throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, jpeg);
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(scale.rgbBytes(info));
    decoder.decode(bytes, info, scale, rgb);
    return rgb.toArray(JAVA_BYTE);
  }

  private void verify(byte[] jpeg) throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, jpeg);
    ImageInfo info = decoder.probe(bytes);
    decoder.verify(bytes, info, arena.allocate(info.rgbBytes()));
  }

  /// {@return what every path makes of a JPEG: whole and in part, as colours and as planes, by
  ///     libjpeg-turbo and by us, rewritten and cut into tiles}
  private List<byte[]> decodeEverywhere(byte[] jpeg) throws DecodeException {
    List<byte[]> found = new ArrayList<>();
    for (int eighths : new int[] {8, 4, 2, 1}) {
      found.add(decode(jpeg, new JpegScale(eighths)));
    }
    MemorySegment bytes = Pictures.offHeap(arena, jpeg);
    ImageInfo info = decoder.probe(bytes);
    MemorySegment top =
        Objects.requireNonNull(decoder.decodeTop(bytes, info, JpegScale.FULL, 8, out));
    found.add(top.asSlice(0, 3L * 8 * info.width()).toArray(JAVA_BYTE));
    var planes = new Planes();
    assertThat(decoder.decodePlanes(bytes, info, JpegScale.FULL, info.height(), planes)).isTrue();
    found.add(luminance(planes, info.height(), info.width()));
    var header = new JpegHeader();
    header.read(bytes);
    for (JpegScale scale : new JpegScale[] {JpegScale.FULL, JpegScale.HALF}) {
      var all = new Region(0, 0, scale.scaled(info.height()), scale.scaled(info.width()));
      assertThat(own.decode(bytes, header, null, all, scale, planes)).isTrue();
      found.add(luminance(planes, all.height(), all.width()));
    }
    var tiles = new TileTable();
    long cut = tiler.tile(bytes, 1, tiledBytes, tiles);
    MemorySegment inTiles = tiledBytes.memory().asSlice(0, cut);
    var region = new Region(0, 0, info.height() / 2, info.width() / 2);
    MemorySegment rgb = arena.allocate(region.rgbBytes());
    tiled.decode(inTiles, tiles, region, JpegScale.FULL, rgb);
    found.add(rgb.toArray(JAVA_BYTE));
    found.add(inTiles.toArray(JAVA_BYTE));
    found.add(transcode(jpeg, PROGRESSIVE));
    found.add(transcode(jpeg, STANDARD));
    return found;
  }

  private static byte[] luminance(Planes planes, int rows, int columns) {
    byte[] samples = new byte[rows * columns];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = planes.memory().get(JAVA_BYTE, planes.offset(0, i / columns, i % columns));
    }
    return samples;
  }

  private static void fault(Fault fault, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault));
  }

  /// Every way of reading a whole JPEG finds the same fault.
  private void faultEverywhere(Fault fault, byte[] jpeg) {
    fault(fault, () -> decode(jpeg));
    fault(fault, () -> decode(jpeg, JpegScale.HALF));
    fault(fault, () -> verify(jpeg));
    fault(fault, () -> transcode(jpeg, PROGRESSIVE));
    fault(fault, () -> transcode(jpeg, OPTIMISED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"baseline", "odd", "grey", "restart-rows", "sample-2x1", "line-number"})
  void motionJpegHasTheStandardsHuffmanTables(String name) throws DecodeException {
    byte[] whole = transcode(Pictures.resource("jpeg/" + name + ".jpg"), STANDARD);
    byte[] bare = JpegSurgery.without(whole, DHT);
    assertThat(bare.length).isLessThan(whole.length - 200);
    List<byte[]> expected = decodeEverywhere(whole);
    decodeAnother();
    List<byte[]> found = decodeEverywhere(bare);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.get(i)).as("path %d", i).isEqualTo(expected.get(i));
    }
    verify(bare);
  }

  @Test
  void motionJpegInSeveralScans() throws DecodeException {
    byte[] whole = Pictures.resource("jpeg-tables/scans.jpg");
    int later = JpegSurgery.find(JpegSurgery.without(whole, DHT), DHT);
    byte[] bare = JpegSurgery.without(whole, DHT);
    for (int i = 0; i < 2; i++) {
      assertThat(bare[later + 1]).isEqualTo((byte) DHT);
      int length = (bare[later + 2] & 0xff) << 8 | (bare[later + 3] & 0xff);
      bare = JpegSurgery.cutOut(bare, later, 2 + length);
    }
    assertThat(decode(bare)).isEqualTo(decode(whole));
    assertThat(transcode(bare, PROGRESSIVE)).isEqualTo(transcode(whole, PROGRESSIVE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg/baseline",
        "jpeg/grey",
        "jpeg/progressive",
        "jpeg/restart-rows",
        "jpeg/cmyk",
        "jpeg-tables/scans"
      })
  void withoutQuantisationTablesItIsCorrupt(String name) {
    byte[] bare = JpegSurgery.without(Pictures.resource(name + ".jpg"), DQT);
    faultEverywhere(Fault.CORRUPT, bare);
    MemorySegment bytes = Pictures.offHeap(arena, bare);
    fault(Fault.CORRUPT, () -> tiler.tile(bytes, 1, tiledBytes, new TileTable()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"arithmetic", "arithmetic-progressive"})
  void withoutQuantisationTablesArithmeticCodingIsCorruptToo(String name) {
    byte[] bare = JpegSurgery.without(Pictures.resource("jpeg/" + name + ".jpg"), DQT);
    fault(Fault.CORRUPT, () -> decode(bare));
  }

  /// Only a table's component needs it, and only once that has a scan.
  @Test
  void quantisationTablesMayComeBetweenScans() throws DecodeException {
    byte[] whole = Pictures.resource("jpeg-tables/scans.jpg");
    int second = 89; // the second of two tables, each 69 bytes with marker and length
    int scan = 713; // where the tables of the second scan begin
    assertThat(whole[second + 4]).isEqualTo((byte) 1);
    byte[] moved = new byte[whole.length];
    System.arraycopy(whole, 0, moved, 0, second);
    System.arraycopy(whole, second + 69, moved, second, scan - second - 69);
    System.arraycopy(whole, second, moved, scan - 69, 69);
    System.arraycopy(whole, scan, moved, scan, whole.length - scan);
    assertThat(decode(moved)).isEqualTo(decode(whole));
    assertThat(transcode(moved, OPTIMISED)).isEqualTo(transcode(whole, OPTIMISED));
    faultEverywhere(Fault.CORRUPT, JpegSurgery.cutOut(moved, scan - 69, 69));
  }

  @Test
  void aComponentWithoutAScanIsCorrupt() {
    byte[] whole = Pictures.resource("jpeg-tables/scans.jpg");
    byte[] two = JpegSurgery.cutOut(whole, 992, whole.length - 2 - 992);
    faultEverywhere(Fault.CORRUPT, two);
  }

  /// Fidelity by prefix: the first scan may hold luminance alone.
  @Test
  void beginningsOfAProgressivePictureMayLackComponents() throws DecodeException {
    MemorySegment jpeg =
        Pictures.offHeap(arena, Pictures.resource("jpeg-tables/progressive-scans.jpg"));
    var cuts = new ScanCuts();
    cuts.find(jpeg);
    assertThat(cuts.scans()).isEqualTo(6);
    for (int scan = 1; scan <= 6; scan++) {
      long bytes = cuts.prefix(jpeg, ScanGroups.EACH_SCAN, scan, out);
      verify(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
    }
  }

  @Test
  void aProgressivePictureWithoutHuffmanTablesIsCorrupt() {
    faultEverywhere(
        Fault.CORRUPT, JpegSurgery.without(Pictures.resource("jpeg/progressive.jpg"), DHT));
  }

  /// As libjpeg takes them: three components are YCbCr, four YCCK.
  @ParameterizedTest
  @CsvSource({"baseline, 2", "baseline, 7", "progressive, 2", "ycck, 1", "ycck, 9"})
  void unknownTransformsOfAdobeAreRead(String name, int transform) throws DecodeException {
    byte[] plain = JpegSurgery.without(Pictures.resource("jpeg/" + name + ".jpg"), JFIF);
    byte[] odd = JpegSurgery.withTransform(JpegSurgery.without(plain, 0xee), transform);
    byte[] expected = decode(plain);
    assertThat(decode(odd)).isEqualTo(expected);
    assertThat(decoder.warnings()).isEqualTo(1);
    verify(odd);
    assertThat(decode(transcode(odd, PROGRESSIVE))).isEqualTo(expected);
    assertThat(decode(transcode(odd, STANDARD))).isEqualTo(expected);
    int bad = odd.length - 12;
    fault(Fault.CORRUPT, () -> decode(JpegSurgery.damaged(odd, bad, new Random(1), 9)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"restart-blocks", "restart-rows", "progressive-restart"})
  void aLostRestartMarkerIsDamage(String name) throws DecodeException {
    byte[] whole = Pictures.resource("jpeg/" + name + ".jpg");
    verify(whole);
    for (int at : JpegSurgery.restarts(whole)) {
      faultEverywhere(Fault.CORRUPT, JpegSurgery.cutOut(whole, at, 2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"restart-blocks", "restart-rows", "progressive-restart"})
  void bytesLeftOverBeforeARestartMarkerAreDamage(String name) {
    byte[] whole = Pictures.resource("jpeg/" + name + ".jpg");
    var random = new Random(2);
    for (int at : JpegSurgery.restarts(whole)) {
      faultEverywhere(Fault.CORRUPT, JpegSurgery.inserted(whole, at, random, 20));
      byte[] few = JpegSurgery.inserted(whole, at, random, 1); // fewer than libjpeg reads ahead
      fault(Fault.CORRUPT, () -> verify(few));
      fault(Fault.CORRUPT, () -> transcode(few, PROGRESSIVE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"baseline", "restart-rows", "progressive", "cmyk"})
  void bytesAfterTheLastMcuAreNoDamage(String name) throws DecodeException {
    byte[] whole = Pictures.resource("jpeg/" + name + ".jpg");
    for (int count : new int[] {1, 4, 500}) {
      byte[] more = JpegSurgery.inserted(whole, whole.length - 2, new Random(3), count);
      long before = decoder.warnings();
      assertThat(decode(more)).isEqualTo(decode(whole));
      assertThat(decoder.warnings()).isBetween(before + (count > 8 ? 1 : 0), before + 1);
      verify(more);
      assertThat(transcode(more, PROGRESSIVE)).isEqualTo(transcode(whole, PROGRESSIVE));
    }
  }

  /// libjpeg-turbo says nothing of bad codes where it decodes fast: only that bytes are left over.
  /// Those do not make damage harmless, except where codes are misread as others and end, by
  /// chance, as the last block would.
  @Test
  void damageThatLeavesBytesOverIsDamage() throws DecodeException {
    byte[] large = transcode(noise(), STANDARD);
    byte[] sound = decode(large);
    int start = JpegSurgery.find(large, 0xda) + 14;
    var random = new Random(4);
    int refused = 0;
    int accepted = 0;
    for (int i = 0; i < 100; i++) {
      int at = start + random.nextInt(large.length / 2);
      byte[] damaged = JpegSurgery.damaged(large, at, random, 3);
      long before = decoder.warnings();
      try {
        decode(damaged);
        accepted += decoder.warnings() > before ? 1 : 0;
      } catch (DecodeException e) {
        assertThat(e.fault()).isIn(Fault.CORRUPT, Fault.TRUNCATED);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(50);
    assertThat(accepted).isLessThan(10);
    assertThat(decode(large)).isEqualTo(sound);
  }

  private byte[] noise() throws DecodeException {
    byte[] pixels = new byte[3 * 160 * 160];
    new Random(5).nextBytes(pixels);
    try (var encoder = new JpegEncoder()) {
      MemorySegment rgb = Pictures.offHeap(arena, pixels);
      long bytes = encoder.encode(rgb, 160, 160, 3, 90, Subsampling.S420, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  /// Arithmetic coding has no codes that could be bad, so bytes left over are all there is to see.
  @Test
  void bytesLeftOverOfArithmeticCodingAreDamage() {
    byte[] whole = Pictures.resource("jpeg/arithmetic.jpg");
    fault(
        Fault.CORRUPT,
        () -> decode(JpegSurgery.inserted(whole, whole.length - 2, new Random(6), 9)));
  }

  /// libjpeg finds components of the same number in a scan of all of them, but in no other.
  @ParameterizedTest
  @ValueSource(strings = {"baseline", "cmyk", "restart-rows"})
  void componentsOfTheSameNumberAreNotTakenApart(String name) throws DecodeException {
    byte[] alike = JpegSurgery.numberedAlike(Pictures.resource("jpeg/" + name + ".jpg"));
    byte[] pixels = decode(alike);
    verify(alike);
    assertThat(pixels).isEqualTo(decode(Pictures.resource("jpeg/" + name + ".jpg")));
    fault(Fault.UNSUPPORTED, () -> transcode(alike, PROGRESSIVE));
    assertThat(decode(transcode(alike, OPTIMISED))).isEqualTo(pixels);
  }

  @Test
  void samplingThatLibjpegCannotUndoIsUnsupportedBeforehand() throws DecodeException {
    byte[] jpeg = Pictures.resource("jpeg/sample-3x1.jpg");
    int frame = JpegSurgery.find(jpeg, 0xc0);
    assertThat(jpeg[frame + 11]).isEqualTo((byte) 0x31);
    jpeg[frame + 14] = 0x21;
    fault(Fault.UNSUPPORTED, () -> decoder.probe(Pictures.offHeap(arena, jpeg)));
  }
}
