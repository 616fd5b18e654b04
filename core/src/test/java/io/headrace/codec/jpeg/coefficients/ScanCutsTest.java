package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.quality.MsSsim;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ScanCutsTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final JpegTranscoder transcoder = new JpegTranscoder();
  private final JpegDecoder decoder = new JpegDecoder();
  private final ScanCuts cuts = new ScanCuts();

  @AfterEach
  void close() {
    decoder.close();
    transcoder.close();
    out.close();
    arena.close();
  }

  private MemorySegment offHeap(byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  private MemorySegment progressive(byte[] jpeg) throws DecodeException {
    JpegTarget target = new JpegTarget.Progressive(MetadataPolicy.DROP_ALL_BUT_NEEDED);
    Transcoded result = transcoder.transcode(offHeap(jpeg), target, out);
    return offHeap(out.memory().asSlice(0, result.bytes()).toArray(JAVA_BYTE));
  }

  private MemorySegment prefix(MemorySegment jpeg, ScanGroups groups, int group)
      throws DecodeException {
    long bytes = cuts.prefix(jpeg, groups, group, out);
    return offHeap(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
  }

  static List<String> fixtures() {
    return Jpegs.fixtures();
  }

  /// Law: any prefix decodes without a warning, and the last is the picture.
  @ParameterizedTest
  @MethodSource("fixtures")
  void everyPrefixDecodes(String name) throws DecodeException {
    MemorySegment jpeg = progressive(Jpegs.named(name));
    cuts.find(jpeg);
    byte[] pixels = {};
    long warned = decoder.warnings();
    for (int group = 1; group <= cuts.scans(); group++) {
      pixels = Jpegs.pixels(decoder, prefix(jpeg, ScanGroups.EACH_SCAN, Math.min(group, 10)));
    }
    assertThat(pixels).isEqualTo(Jpegs.pixels(decoder, jpeg));
    if (!name.contains("jfif-0")) {
      assertThat(decoder.warnings()).isEqualTo(warned);
    }
    assertThat(prefix(jpeg, ScanGroups.DEFAULT, 4).mismatch(jpeg)).isEqualTo(-1);
  }

  /// The offsets by a second, plain implementation of the definition.
  @ParameterizedTest
  @MethodSource("fixtures")
  void cutsLieBehindTheCodedData(String name) throws DecodeException {
    byte[] jpeg = Jpegs.named(name);
    cuts.find(offHeap(jpeg));
    for (int scan = 1; scan <= cuts.scans(); scan++) {
      int end = (int) cuts.scanEnd(scan);
      assertThat(jpeg[end]).isEqualTo((byte) 0xff);
      assertThat(jpeg[end + 1] & 0xff).isGreaterThan(0xbf).matches(m -> (m & 0xf8) != 0xd0);
      byte[] between = Arrays.copyOfRange(jpeg, scan == 1 ? 0 : (int) cuts.scanEnd(scan - 1), end);
      assertThat(headers(between)).isEqualTo(1);
    }
  }

  private static int headers(byte[] bytes) {
    int at = (bytes[0] & 0xff) == 0xff && bytes[1] == (byte) 0xd8 ? 2 : 0;
    int count = 0;
    while (at < bytes.length) {
      if (bytes[at] == (byte) 0xff && bytes[at + 1] != (byte) 0xff) {
        count += bytes[at + 1] == (byte) 0xda ? 1 : 0;
        if (count > 0) {
          return count;
        }
        at += 2 + ((bytes[at + 2] & 0xff) << 8) + (bytes[at + 3] & 0xff);
      } else {
        at++;
      }
    }
    return count;
  }

  @Test
  void fidelityRisesWithTheGroup() throws DecodeException {
    MemorySegment jpeg = progressive(Jpegs.encoded(200, 150, Subsampling.S420, 85, 4));
    cuts.find(jpeg);
    assertThat(cuts.scans()).isEqualTo(10);
    byte[] full = Jpegs.pixels(decoder, jpeg);
    int width = transcoder.picture().width();
    int height = transcoder.picture().height();
    double before = 0;
    long bytes = 0;
    for (int group = 1; group <= ScanGroups.DEFAULT.count(); group++) {
      MemorySegment prefix = prefix(jpeg, ScanGroups.DEFAULT, group);
      double similarity =
          new MsSsim()
              .measure(
                  MemorySegment.ofArray(Jpegs.pixels(decoder, prefix)),
                  MemorySegment.ofArray(full),
                  width,
                  height);
      assertThat(similarity).isGreaterThan(before);
      assertThat(prefix.byteSize()).isGreaterThan(bytes);
      before = similarity;
      bytes = prefix.byteSize();
    }
    assertThat(before).isEqualTo(1);
  }

  @Test
  void groupsAreThoseAskedFor() {
    ScanGroups groups = ScanGroups.DEFAULT;
    int[] expected = {1, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4};
    for (int scan = 1; scan <= expected.length; scan++) {
      assertThat(groups.groupOf(scan)).as("scan %d", scan).isEqualTo(expected[scan - 1]);
    }
    assertThat(groups.lastScan(3, 10)).isEqualTo(5);
    assertThat(groups.lastScan(3, 4)).isEqualTo(4);
    assertThat(groups.lastScan(4, 6)).isEqualTo(6);
    assertThat(groups.lastScan(4, 14)).isEqualTo(14);
    assertThat(ScanGroups.EACH_SCAN.count()).isEqualTo(10);
    assertThat(ScanGroups.EACH_SCAN.groupOf(7)).isEqualTo(7);
    assertThatThrownBy(() -> ScanGroups.of(1, 1)).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> ScanGroups.of()).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> ScanGroups.of(0)).isInstanceOf(ConfigException.class);
  }

  @Test
  void baselineIsOneGroup() throws DecodeException {
    MemorySegment jpeg = offHeap(Jpegs.named("jpeg/baseline.jpg"));
    cuts.find(jpeg);
    assertThat(cuts.scans()).isEqualTo(1);
    for (int group = 1; group <= 4; group++) {
      assertThat(cuts.groupEnd(ScanGroups.DEFAULT, group)).isEqualTo(jpeg.byteSize() - 2);
    }
    assertThat(cuts.groupEnd(ScanGroups.DEFAULT, 0)).isZero();
  }

  @Test
  void cutStreamsAreReported() {
    byte[] jpeg = Jpegs.named("jpeg/progressive.jpg");
    for (int length = 0; length < jpeg.length; length++) {
      MemorySegment cut = offHeap(Arrays.copyOf(jpeg, length));
      assertThatThrownBy(() -> cuts.find(cut))
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isIn(Fault.TRUNCATED, Fault.MISMATCH);
    }
  }
}
