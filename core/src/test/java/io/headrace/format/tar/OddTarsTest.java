package io.headrace.format.tar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Odd inputs 19 to 41 (see docs/odd-inputs-tar.md): streamed and by number the outcome is the
/// same.
class OddTarsTest {
  @TempDir private Path folder;

  private Tars open(byte[] tar) throws IOException {
    return Tars.open(Files.write(folder.resolve("t.tar"), tar), ShardOptions.DEFAULT);
  }

  private List<String> samples(byte[] tar) throws IOException {
    try (Tars data = open(tar)) {
      return Outcomes.both(data);
    }
  }

  /// {@return the warnings once all has been read, with the folder's name left out}
  private List<String> warnings(byte[] tar) throws IOException {
    try (Tars data = open(tar)) {
      var _ = Outcomes.both(data);
      return data.warnings().stream().map(w -> w.replace(folder + "/", "")).toList();
    }
  }

  /// Odd input 19.
  @Test
  void longNamesOfPaxAndGnuAreWhole() throws IOException {
    String name = "d/".repeat(10) + "k".repeat(150) + ".jpg";
    byte[] gnu =
        new Tarball()
            .member('L', "././@LongLink", (name + "\0").getBytes(ISO_8859_1))
            .file(name.substring(0, 100), "12345")
            .end();
    byte[] pax = new Tarball().pax('x', "path", name).file("cut", "12345").end();
    assertThat(samples(gnu)).containsExactly(name + " - 12345");
    assertThat(samples(pax)).containsExactly(name + " - 12345");
    String folders = "f".repeat(80) + "/" + "g".repeat(70);
    byte[] prefix =
        new Tarball()
            .header("a.jpg", 1, '0', h -> Tarball.put(h, 345, folders, 155))
            .data(new byte[] {'x'})
            .end();
    assertThat(samples(prefix)).containsExactly(folders + "/a.jpg - x");
  }

  /// Odd input 21: global values are defaults, and name no file.
  @Test
  void globalPaxHeadersAreNoMembersAndRenameNothing() throws IOException {
    byte[] tar =
        new Tarball()
            .pax('g', "comment", "0123456789abcdef")
            .pax('g', "path", "all.jpg")
            .file("a.jpg", "A")
            .file("b.jpg", "B")
            .end();
    assertThat(samples(tar)).containsExactly("a.jpg - A", "b.jpg - B");
    assertThat(warnings(tar))
        .containsExactly("2 samples have no label: no .cls member, such as a in t.tar");
  }

  /// Odd input 23.
  @Test
  void oversizedExtendedHeadersAreRefusedAtOnce() throws IOException {
    byte[] promised =
        new Tarball().file("a.jpg", "A").header("././@LongLink", 077777777777L, 'L', _ -> {}).end();
    byte[] chained = chain(new Tarball().file("a.jpg", "A").file("b.jpg", "B"), 1000).end();
    Path file = Files.write(folder.resolve("large.tar"), large());
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(new byte[512]), 200 << 20); // a hole before
    }
    assertTimeout(
        Duration.ofSeconds(2),
        () -> {
          long before = Allocations.ofThisThread();
          assertThat(samples(promised))
              .containsExactly(
                  "LIMIT: an extended header of 8589934591 bytes: at most 1048576 are read"
                      + " (in the headers at byte 1024); the rest of the archive is lost");
          assertThat(samples(chained).getLast())
              .startsWith("LIMIT: more than 16 extended headers before one member");
          try (Tars data = Tars.open(file, ShardOptions.DEFAULT)) {
            assertThat(Outcomes.both(data).getFirst())
                .startsWith("LIMIT: an extended header of 209715200 bytes");
          }
          assertThat(Allocations.ofThisThread() - before).isLessThan(16 << 20);
        });
  }

  private static byte[] large() {
    return new Tarball().header("x", 200 << 20, 'x', _ -> {}).bytes();
  }

  private static Tarball chain(Tarball tar, int links) {
    for (int i = 0; i < links; i++) {
      tar.member('L', "././@LongLink", "name.jpg\0".getBytes(ISO_8859_1));
    }
    return tar.file("c.jpg", "C");
  }

  /// Odd input 25: what a sparse map claims never reaches the members after it.
  @Test
  void sparseMembersAreRefusedAloneWithAReason() throws IOException {
    byte[] claims =
        new Tarball()
            .header("a.jpg", 4, 'S', h -> Tarball.put(h, 386 + 12, "00004000000\0", 12))
            .data(new byte[4])
            .file("b.jpg", "B")
            .end();
    assertThat(samples(claims))
        .containsExactly(
            "CORRUPT: a sparse file whose map claims 1048576 bytes, of which 4 are stored",
            "b.jpg - B");
    byte[] honest =
        new Tarball()
            .header(
                "a.jpg",
                4,
                'S',
                h -> {
                  Tarball.put(h, 386 + 12, "00000000004\0", 12);
                  h[482] = 1; // the map goes on in the next block
                })
            .zeros(1)
            .data(new byte[4])
            .pax('x', "GNU.sparse.major", "1")
            .file("b.jpg", "BBBB")
            .file("c.jpg", "C")
            .end();
    assertThat(samples(honest))
        .containsExactly(
            "UNSUPPORTED: a sparse file: these are not read",
            "UNSUPPORTED: a sparse file: these are not read",
            "c.jpg - C");
  }

  /// Odd input 27.
  @Test
  void oddNumericFieldsAreReadOrRefused() throws IOException {
    for (String size :
        List.of("      5 \0  ", "000000000005", "5\0", "\u0080\0\0\0\0\0\0\0\0\0\0\5")) {
      byte[] tar =
          new Tarball()
              .header(
                  "a.jpg",
                  0,
                  '0',
                  h -> Tarball.put(h, 124, (size + "\0".repeat(12)).substring(0, 12), 12))
              .data("12345".getBytes(ISO_8859_1))
              .file("b.jpg", "B")
              .end();
      assertThat(samples(tar)).as(size).containsExactly("a.jpg - 12345", "b.jpg - B");
    }
    byte[] negative =
        new Tarball()
            .header("a.jpg", 0, '0', h -> Tarball.put(h, 124, "\u00ff".repeat(12), 12))
            .file("b.jpg", "B")
            .end();
    assertThat(samples(negative))
        .containsExactly("CORRUPT: negative size of a member: -1; the rest of the archive is lost");
    byte[] letters = new Tarball().header("a.jpg", 0, '0', h -> Tarball.put(h, 124, "5x", 2)).end();
    assertThat(samples(letters).getFirst()).startsWith("CORRUPT: the size of a member is not a");
  }

  /// Odd input 27: both sums that were ever written.
  @Test
  void headerChecksumsAreVerifiedSignedAndUnsigned() throws IOException {
    byte[] header = Arrays.copyOf(new Tarball().file("\u00e4\u00f6.jpg", "").bytes(), 512);
    Tarball.put(header, 148, "        ", 8);
    int signed = 0;
    for (byte b : header) {
      signed += b;
    }
    Tarball.put(header, 148, "%06o\0 ".formatted(signed), 8);
    assertThat(samples(new Tarball().raw(header).end())).containsExactly("\u00e4\u00f6.jpg - ");
    byte[] sound = new Tarball().file("a.jpg", "A").file("b.jpg", "B").file("c.jpg", "C").end();
    byte[] tar = Corrupter.flipBit(sound, 8L * (2048 + 110));
    assertThat(samples(tar))
        .containsExactly(
            "a.jpg - A",
            "CORRUPT: no tar header: the checksum of the 512 bytes here is wrong (in the headers at"
                + " byte 2048); the rest of the archive is lost");
    try (Tars data = open(tar);
        var cursor = data.openCursor(0);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThat(cursor.next(sample)).isTrue();
      assertThatThrownBy(() -> cursor.next(sample))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageEndingWith("[file=%s, record=1, key=b, offset=1024]".formatted(data.root()));
      assertThat(cursor.resumable()).isFalse();
      assertThat(cursor.next(sample)).isFalse();
    }
  }

  /// Odd input 29.
  @Test
  void keysKeepTheirSpellingAndExtensionsAreLowerCase() throws IOException {
    byte[] dot =
        new Tarball().file("./000.JPG", "A").file("./000.CLS", "7").file("./000.TXT", "t").end();
    assertThat(samples(dot)).containsExactly("./000.JPG 7 A txt=t");
    assertThat(samples(new Tarball().file("/abs/000.jpg", "A").end()))
        .containsExactly("/abs/000.jpg - A");
  }

  /// Odd input 31.
  @Test
  void scatteredMembersAreAFaultNotHalfSamples() throws IOException {
    byte[] tar =
        new Tarball()
            .file("a.jpg", "A")
            .file("b.jpg", "B")
            .file("a.cls", "1")
            .file("b.cls", "2")
            .end();
    assertThat(samples(tar))
        .containsExactly(
            "a.jpg - A",
            "b.jpg - B",
            "DUPLICATE: key 'a' reappears: the members of a sample must follow each other",
            "DUPLICATE: key 'b' reappears: the members of a sample must follow each other");
    assertThat(samples(new Tarball().file("a.jpg", "A").file("a.JPG", "B").end()))
        .containsExactly("DUPLICATE: two members of 'a' are called JPG");
  }

  /// Odd input 33.
  @Test
  void missingMembersAreCountedOrFaults() throws IOException {
    byte[] tar =
        new Tarball()
            .file("0.jpg", "A")
            .file("0.cls", "5")
            .file("1.jpg", "B")
            .file("2.jpg", "C")
            .file("2.cls", " 6\n")
            .file("3.cls", "7")
            .file("3.json", "{}")
            .file("4.jpg", "D")
            .file("4.cls", "0.5")
            .end();
    assertThat(samples(tar))
        .containsExactly(
            "0.jpg 5 A",
            "1.jpg - B",
            "2.jpg 6 C",
            "MISMATCH: no image among the members of '3': cls, json",
            "MISMATCH: the label of '4' is neither a whole number nor the name of a class: '0.5'");
    assertThat(warnings(tar))
        .containsExactly("1 samples have no label: no .cls member, such as 1 in t.tar");
  }

  /// Odd input 35.
  @Test
  void linksAndDevicesAreLeftOutWithAWarning() throws IOException {
    byte[] tar =
        new Tarball()
            .file("0.jpg", "A")
            .header("1.jpg", 0, '1', h -> Tarball.put(h, 157, "0.jpg", 100))
            .header("2.jpg", 0, '2', h -> Tarball.put(h, 157, "/etc/hostname", 100))
            .header("3.jpg", 999, '1', h -> Tarball.put(h, 157, "3.jpg", 100))
            .header("dev", 0, '3', _ -> {})
            .header("dir/", 0, '5', _ -> {})
            .file("0.cls", "1")
            .file("4.jpg", "D")
            .file("4.cls", "2")
            .end();
    assertThat(samples(tar)).containsExactly("0.jpg 1 A", "4.jpg 2 D");
    assertThat(warnings(tar))
        .containsExactly(
            "4 members that are no regular files left out, such as 1.jpg (type '1') in t.tar");
  }

  /// Odd input 37: nothing after an end is lost in silence.
  @Test
  void everyEndOfArchiveIsKnown() throws IOException {
    byte[] a = new Tarball().file("a.jpg", "A").file("a.cls", "1").bytes();
    byte[] b = new Tarball().file("b.jpg", "B").file("b.cls", "2").end();
    String goesOn =
        "1 times members follow an end-of-archive mark, and are read, such as t.tar at byte ";
    assertThat(samples(a)).containsExactly("a.jpg 1 A");
    assertThat(warnings(a))
        .containsExactly(
            "1 archives have no end-of-archive mark and may have been cut, such as t.tar");
    byte[] one = new Tarball().raw(a).zeros(1).raw(b).bytes();
    assertThat(samples(one)).containsExactly("a.jpg 1 A", "b.jpg 2 B");
    assertThat(warnings(one)).containsExactly(goesOn + 2560);
    byte[] two = new Tarball().raw(a).zeros(2).raw(b).bytes();
    assertThat(samples(two)).containsExactly("a.jpg 1 A", "b.jpg 2 B");
    assertThat(warnings(two)).containsExactly(goesOn + 3072);
    byte[] same = new Tarball().raw(a).zeros(2).raw(a).zeros(2).bytes();
    assertThat(samples(same)).hasSize(2).last().asString().startsWith("DUPLICATE: key 'a'");
    byte[] zeros = new Tarball().raw(a).zeros(2048).bytes();
    assertThat(samples(zeros)).containsExactly("a.jpg 1 A");
    assertThat(warnings(zeros)).isEmpty();
    byte[] rubbish = new Tarball().raw(a).zeros(2).raw(new byte[] {1, 2, 3}).bytes();
    assertThat(samples(rubbish)).containsExactly("a.jpg 1 A");
    assertThat(warnings(rubbish))
        .containsExactly("1 archives are followed by bytes that are no archive, such as t.tar");
    assertThat(warnings(new byte[0])).containsExactly("t.tar is empty: no members");
    assertThat(samples(new byte[10240])).isEmpty();
  }

  /// Odd input 39: both ways of reading leave out the same.
  @Test
  void numbersAndStreamAgreeOnWhatIsASample() throws IOException {
    String key = "k".repeat(150);
    byte[] tar =
        new Tarball()
            .file("README", "read me")
            .file("0.jpg", "A")
            .file("notes", "n")
            .file("0.cls", "3")
            .file("__meta__/x.jpg", "M")
            .file("__meta__", "M")
            .file(".hidden.jpg", "H")
            .file("d/.hidden.jpg", "H")
            .pax('x', "path", key + ".jpg")
            .file("cut", "B")
            .file("sub/__x__/1.jpg", "C")
            .end();
    List<String> expected = List.of("0.jpg 3 A", key + ".jpg - B", "sub/__x__/1.jpg - C");
    try (Tars data = open(tar)) {
      assertThat(data.size()).isEqualTo(3);
      assertThat(Outcomes.stream(data)).isEqualTo(expected);
      assertThat(Outcomes.read(data)).isEqualTo(expected);
      List<String> backwards = new ArrayList<>();
      try (var reader = data.openReader();
          var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
        for (int i = 2; i >= 0; i--) {
          reader.read(i, sample);
          backwards.addFirst(Outcomes.line(sample));
          assertThat(sample.location().record()).isEqualTo(i);
        }
      }
      assertThat(backwards).isEqualTo(expected);
      assertThat(data.warnings())
          .contains(
              "6 members left out whose names give no key, such as README (type '0') in "
                  + data.root());
    }
  }

  /// An archive that ends without its mark was cut, if its last sample lacks what all others have.
  @Test
  void anArchiveCutBetweenTheMembersOfItsLastSampleIsDamaged() throws IOException {
    byte[] cut =
        new Tarball()
            .file("a.jpg", "1")
            .file("a.cls", "0")
            .file("a.txt", "x")
            .file("b.JPG", "2")
            .file("b.CLS", "1")
            .file("c.jpg", "3")
            .bytes();
    assertThat(samples(cut))
        .satisfies(
            all -> {
              assertThat(all).hasSize(3);
              assertThat(all.getLast()).contains("TRUNCATED", "'c' lacks members");
            });
    byte[] whole =
        new Tarball()
            .file("a.jpg", "1")
            .file("a.cls", "0")
            .file("b.jpg", "2")
            .file("b.cls", "1")
            .bytes();
    assertThat(samples(whole)).hasSize(2).noneMatch(line -> line.contains("TRUNCATED"));
    byte[] marked = new Tarball().file("a.jpg", "1").file("a.cls", "0").file("b.jpg", "2").end();
    assertThat(samples(marked)).hasSize(2).noneMatch(line -> line.contains("TRUNCATED"));
  }

  /// The same where the archive has a single sample: those of another archive tell.
  @Test
  void aSingleSampleIsComparedWithThoseOfAnotherArchive() throws IOException {
    Files.write(folder.resolve("a.tar"), new Tarball().file("a.jpg", "1").file("a.cls", "0").end());
    Files.write(folder.resolve("b.tar"), new Tarball().file("b.jpg", "2").bytes());
    try (Tars data = Tars.open(folder, ShardOptions.DEFAULT)) {
      List<String> all = Outcomes.both(data);
      assertThat(all).hasSize(2);
      assertThat(all.getLast()).contains("TRUNCATED", "'b' lacks members");
    }
  }

  @Test
  void anArchiveOfZerosAloneIsSaidToHoldNothing() throws IOException {
    assertThat(warnings(new byte[10240]))
        .containsExactly("1 archives hold no sample, such as t.tar");
  }
}
