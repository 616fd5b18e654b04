package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MetadataTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final JpegTranscoder transcoder = new JpegTranscoder();
  private final JpegCoefficients made = new JpegCoefficients();

  @AfterEach
  void close() {
    made.close();
    transcoder.close();
    out.close();
    arena.close();
  }

  private Dropped rewrite(byte[] jpeg, MetadataPolicy policy) throws DecodeException {
    MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, jpeg);
    Transcoded result = transcoder.transcode(bytes, new JpegTarget.Baseline(true, policy), out);
    made.read(out.memory().asSlice(0, result.bytes()));
    return result.dropped();
  }

  private boolean has(int marker, String text) {
    return made.markerSegments().has(marker, text);
  }

  /// EXIF orientation 6, an ICC profile, an XMP block, a comment.
  private static byte[] rich(String fixture) {
    byte[] jpeg = Jpegs.named("jpeg/" + fixture);
    jpeg = Jpegs.with(jpeg, 0xe2, Jpegs.ascii("ICC_PROFILE\0\1\1profile"));
    jpeg = Jpegs.with(jpeg, 0xe1, Jpegs.ascii("http://ns.adobe.com/xap/1.0/\0<x/>"));
    return Jpegs.with(jpeg, 0xfe, Jpegs.ascii("a comment"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"orientation-6-ii.jpg", "orientation-6-mm.jpg"})
  void allIsKeptWhereAsked(String name) throws DecodeException {
    byte[] jpeg = rich(name);
    assertThat(rewrite(jpeg, MetadataPolicy.KEEP_ALL)).isEqualTo(Dropped.NOTHING);
    JpegCoefficients from = transcoder.picture();
    assertThat(made.segments()).isEqualTo(from.segments());
    for (int i = 0; i < made.segments(); i++) {
      assertThat(made.segmentMarker(i)).isEqualTo(from.segmentMarker(i));
      assertThat(made.segment(i).mismatch(from.segment(i))).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"orientation-6-ii.jpg", "orientation-6-mm.jpg"})
  void orientationAndProfileAreKeptWhereAsked(String name) throws DecodeException {
    Dropped dropped = rewrite(rich(name), MetadataPolicy.KEEP_ORIENTATION_AND_COLOUR);
    assertThat(made.header().orientation()).isEqualTo(6);
    assertThat(has(0xe2, "ICC_PROFILE")).isTrue();
    assertThat(has(0xfe, "a comment")).isFalse();
    assertThat(has(0xe1, "http")).isFalse();
    assertThat(dropped.segments()).isEqualTo(2);
    assertThat(dropped.orientation()).isEqualTo(1);
    assertThat(dropped.colourProfile()).isFalse();
  }

  @Test
  void lossOfOrientationAndProfileIsReported() throws DecodeException {
    byte[] jpeg = rich("orientation-6-ii.jpg");
    byte[] tail = Arrays.copyOf(jpeg, jpeg.length + 33);
    Dropped dropped = rewrite(tail, MetadataPolicy.DROP_ALL_BUT_NEEDED);
    assertThat(dropped.segments()).isEqualTo(4);
    assertThat(dropped.orientation()).isEqualTo(6);
    assertThat(dropped.colourProfile()).isTrue();
    assertThat(dropped.trailingBytes()).isEqualTo(33);
    assertThat(dropped.bytes()).isBetween(100L, 1000L);
    assertThat(made.header().orientation()).isEqualTo(1);
    assertThat(made.segments()).isEqualTo(1); // JFIF
  }

  @ParameterizedTest
  @CsvSource({
    "rgb.jpg, 0",
    "ycck.jpg, 2",
    "cmyk.jpg, 0",
    "odd.jpg, -1",
    "rgb-without-adobe.jpg, -1"
  })
  void coloursAreSaidAsBefore(String name, int transform) throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/" + name);
    rewrite(jpeg, MetadataPolicy.DROP_ALL_BUT_NEEDED);
    assertThat(made.header().adobeTransform()).isEqualTo(transform);
    var header = new JpegHeader();
    header.read(MemorySegment.ofArray(jpeg));
    assertThat(has(0xe0, "JFIF"))
        .isEqualTo(transcoder.picture().markerSegments().has(0xe0, "JFIF"));
  }

  @ParameterizedTest
  @EnumSource
  void thumbnailsGoUnlessAllIsKept(MetadataPolicy policy) throws DecodeException {
    Dropped dropped = rewrite(Jpegs.named("jpeg/thumbnail.jpg"), policy);
    boolean all = policy == MetadataPolicy.KEEP_ALL;
    assertThat(dropped.bytes()).isEqualTo(all ? 0 : dropped.bytes());
    assertThat(dropped.bytes() > 500).isNotEqualTo(all);
  }

  @Test
  void thumbnailOfJfifIsCutOff() throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/rgb-without-adobe.jpg");
    byte[] content = Arrays.copyOf(Jpegs.ascii("JFIF\0\1\1\0\0\1\0\1\1\1rgb"), 17);
    Dropped dropped = rewrite(Jpegs.with(jpeg, 0xe0, content), MetadataPolicy.DROP_ALL_BUT_NEEDED);
    assertThat(dropped).isEqualTo(new Dropped(0, 3, 1, false, 0));
    assertThat(made.segment(0).byteSize()).isEqualTo(14);
  }

  @Test
  void segmentsBehindTheFirstScanAreNotMovedInFront() throws DecodeException {
    byte[] jpeg = Jpegs.named("jpeg/odd.jpg");
    byte[] late = Arrays.copyOf(jpeg, jpeg.length + 6);
    byte[] comment = {(byte) 0xff, (byte) 0xfe, 0, 4, 'h', 'i', (byte) 0xff, (byte) 0xd9};
    System.arraycopy(comment, 0, late, jpeg.length - 2, comment.length);
    Dropped dropped = rewrite(late, MetadataPolicy.KEEP_ALL);
    assertThat(dropped).isEqualTo(new Dropped(1, 6, 1, false, 0));
  }
}
