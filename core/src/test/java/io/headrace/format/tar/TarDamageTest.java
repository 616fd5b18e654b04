package io.headrace.format.tar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Law: whatever is cut or flipped, reading ends in samples and faults, and no sample but the
/// damaged ones changes. Tar has no checksum of data: a flip there changes this sample alone.
class TarDamageTest {
  private static Tarball three() {
    return new Tarball()
        .file("a.jpg", "A".repeat(300))
        .file("a.cls", "1")
        .file("b.jpg", "B".repeat(300))
        .file("b.cls", "2")
        .file("c.jpg", "C".repeat(300))
        .file("c.cls", "3");
  }

  private static final List<String> SOUND =
      List.of(
          "a.jpg 1 " + "A".repeat(300), "b.jpg 2 " + "B".repeat(300), "c.jpg 3 " + "C".repeat(300));

  /// Bytes of each sample in the archive.
  private static final int SAMPLE = 2048;

  /// {@return what comes out, now and then in both ways}
  private static List<String> outcomes(Tars data, int turn) throws IOException {
    return turn % 8 == 0 ? Outcomes.both(data) : Outcomes.stream(data);
  }

  @Test
  void everyCutIsSeen() throws IOException {
    byte[] whole = three().end();
    // every cut in and after the second sample, and some elsewhere
    for (int length = 1;
        length < 3 * SAMPLE;
        length += length / SAMPLE == 1 || length / 512 == 8 ? 1 : 7) {
      try (Tars data = MemoryFile.open(Corrupter.cut(whole, length))) {
        List<String> lines = outcomes(data, length);
        String as = "cut at %d: %s".formatted(length, lines);
        int sample = length / SAMPLE;
        int inMember = length % 1024;
        int bytes = length % SAMPLE < 1024 ? 300 : 1;
        if (inMember == 0 || inMember >= 512 + bytes) { // between members, or in padding
          assertThat(data.warnings()).as(as).anyMatch(w -> w.contains("may have been cut"));
          assertThat(lines.subList(0, sample)).as(as).isEqualTo(SOUND.subList(0, sample));
          assertThat(lines.size()).as(as).isLessThanOrEqualTo(sample + 1);
        } else {
          // a cut in the first header of a sample takes the one before, whose end nobody saw
          int complete = length % SAMPLE < 512 ? Math.max(0, sample - 1) : sample;
          assertThat(lines.getLast()).as(as).startsWith("TRUNCATED");
          assertThat(lines.subList(0, lines.size() - 1))
              .as(as)
              .isEqualTo(SOUND.subList(0, complete));
        }
      }
    }
    for (int length = 3 * SAMPLE + 512; length <= whole.length; length++) {
      try (Tars data = MemoryFile.open(Corrupter.cut(whole, length))) {
        List<String> lines = outcomes(data, length);
        if (length % 512 == 0) {
          assertThat(lines).isEqualTo(SOUND);
        } else {
          assertThat(lines.getLast()).startsWith("TRUNCATED");
        }
      }
    }
  }

  @Test
  void everyFlippedBitChangesItsOwnSampleOrIsAFault() throws IOException {
    byte[] whole = three().end();
    // every bit of one header, and some of all other blocks
    for (int bit = 0; bit < 8 * whole.length; bit += bit / 8 / 512 == 6 ? 1 : 33) {
      int at = bit / 8;
      try (Tars data = MemoryFile.open(Corrupter.flipBit(whole, bit))) {
        List<String> lines = outcomes(data, at);
        int hit = Math.min(at / SAMPLE, 3);
        boolean header = at < 3 * SAMPLE ? at / 512 % 2 == 0 : true;
        if (!header) { // data or padding
          assertThat(lines).as("bit %d", bit).hasSize(3);
          for (int s = 0; s < 3; s++) {
            if (s != hit) {
              assertThat(lines.get(s)).as("bit %d", bit).isEqualTo(SOUND.get(s));
            }
          }
        } else if (!lines.equals(SOUND)) { // a bit of no meaning, in either sum, changes nothing
          // the sample before goes with the damage, as nobody saw its end
          assertThat(lines.getLast()).as("bit %d", bit).startsWith("CORRUPT");
          assertThat(lines.subList(0, lines.size() - 1))
              .as("bit %d", bit)
              .isEqualTo(SOUND.subList(0, lines.size() - 1));
          assertThat(lines.size()).isGreaterThanOrEqualTo(hit);
        } else {
          boolean checksum = at % 512 >= 148 && at % 512 < 156;
          assertThat(at >= 3 * SAMPLE + 512 || checksum).as("bit %d", bit).isTrue();
        }
      }
    }
  }

  static LongStream seeds() {
    return Seeds.random().limit(10);
  }

  /// Extended headers, long names and numbers in base 256: the members after them are never
  /// mistaken.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("seeds")
  void anyDamageEndsInSamplesAndFaults(long seed) throws IOException {
    byte[] whole =
        new Tarball()
            .pax('x', "path", "é/" + "x".repeat(120) + ".jpg")
            .file("cut", "A")
            .member('L', "././@LongLink", ("y".repeat(120) + ".jpg\0").getBytes(UTF_8))
            .file("cut", "B")
            .pax('g', "comment", "z")
            .header("s.jpg", 1, 'S', _ -> {})
            .data("s".getBytes(ISO_8859_1))
            .pax('x', "HEADRACE.key", "the/key.jpg")
            .file("k.jpg", "K")
            .end();
    var random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      byte[] tar = whole;
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        tar = Corrupter.flipBit(tar, random.nextInt(8 * tar.length));
      }
      if (random.nextBoolean()) {
        tar = Corrupter.cut(tar, random.nextInt(tar.length));
      }
      try (Tars data = MemoryFile.open(tar)) {
        assertThat(Outcomes.both(data).size()).isLessThanOrEqualTo(5);
      }
    }
  }
}
