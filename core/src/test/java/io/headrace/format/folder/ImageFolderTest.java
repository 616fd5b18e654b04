package io.headrace.format.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.LeftOut;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFolderTest {
  /// Enough of a JPEG for a reader that looks at first bytes only.
  private static final byte[] JPEG = {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 16};

  @TempDir private Path root;

  private void put(String path, byte[] content) throws IOException {
    Path file = root.resolve(path);
    Path _ = Files.createDirectories(file.resolve(".."));
    Path _ = Files.write(file, content);
  }

  private void put(String path) throws IOException {
    put(path, JPEG);
  }

  private record Row(String key, long label) {}

  private static List<Row> rows(Dataset data) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var reader = data.openReader();
        var cursor = data.openCursor(0)) {
      for (long i = 0; i < data.size(); i++) {
        reader.read(i, sample);
        var row = new Row(sample.key(), sample.label());
        assertThat(sample.id()).isEqualTo(SampleIds.of(sample.key()));
        assertThat(sample.encodedBytes()).isEqualTo(JPEG.length);
        assertThat(cursor.next(sample)).isTrue();
        assertThat(new Row(sample.key(), sample.label())).isEqualTo(row);
        rows.add(row);
      }
      assertThat(cursor.next(sample)).isFalse();
    }
    return rows;
  }

  private static List<String> skips(ImageFolder folder) {
    return folder.leftOut().stream()
        .map(s -> folder.root().relativize(s.path()) + ": " + s.reason())
        .toList();
  }

  @Test
  void foldersAreClassesAndNestedFoldersBelongToThem() throws IOException {
    put("dog/2.jpg");
    put("cat/b/1.png");
    put("cat/a.JPEG");
    put("cat/b.jpg");
    put("dog/content-decides", JPEG);
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.classes()).containsExactly("cat", "dog");
      assertThat(rows(folder))
          .containsExactly(
              new Row("cat/a.JPEG", 0),
              new Row("cat/b.jpg", 0),
              new Row("cat/b/1.png", 0),
              new Row("dog/2.jpg", 1),
              new Row("dog/content-decides", 1));
      assertThat(folder.storedBytes()).isEqualTo(5L * JPEG.length);
      assertThat(folder.leftOut()).isEmpty();
      assertThat(folder.indexed()).isTrue();
    }
  }

  /// Odd input 90.
  @Test
  void hiddenEntriesAreNoClassesAndAreReported() throws IOException {
    put(".ipynb_checkpoints/x.jpg");
    put(".DS_Store", new byte[] {0});
    put("a/1.jpg");
    put("a/.hidden.jpg");
    put("a/.cache/2.jpg");
    put("b/1.jpg");
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.classes()).containsExactly("a", "b");
      assertThat(folder.size()).isEqualTo(2);
      assertThat(skips(folder))
          .containsExactly(
              ".DS_Store: hidden",
              ".ipynb_checkpoints: hidden",
              "a/.cache: hidden",
              "a/.hidden.jpg: hidden");
    }
  }

  /// Odd input 92.
  @Test
  void classesAreOrderedByTheirBytes() throws IOException {
    for (String name : List.of("0", "1", "2", "10", "100")) {
      put(name + "/x.jpg");
    }
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.classes()).containsExactly("0", "1", "10", "100", "2");
      assertThat(folder.warnings())
          .singleElement()
          .satisfies(w -> assertThat(w).contains("folder 10 gets label 2"));
    }
  }

  @Test
  void namesOfAnyAlphabetAreOrderedByCodePoint() throws IOException {
    assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")));
    // U+1D538 lies above U+FF21, though its first UTF-16 unit lies below
    List<String> ordered = List.of("B", "a", "\u00e9", "\u0416", "\uff21", "\ud835\udd38");
    for (String name : ordered.reversed()) {
      put(name + "/" + name + ".jpg");
    }
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.classes()).isEqualTo(ordered);
      assertThat(rows(folder))
          .extracting(Row::key)
          .isEqualTo(ordered.stream().map(n -> n + "/" + n + ".jpg").toList());
    }
  }

  @Test
  void linksAreFollowedButNotInCircles() throws IOException {
    put("a/1.jpg");
    Path outside = Files.createDirectories(root.resolve("../outside-" + root.getFileName()));
    Path _ = Files.write(outside.resolve("far.jpg"), JPEG);
    Path _ = Files.createSymbolicLink(root.resolve("a/2.jpg"), root.resolve("a/1.jpg"));
    Path _ = Files.createSymbolicLink(root.resolve("b"), outside);
    Path _ = Files.createSymbolicLink(root.resolve("a/loop"), root.resolve("a"));
    Path _ = Files.createSymbolicLink(root.resolve("again"), root);
    Path _ = Files.createSymbolicLink(root.resolve("a/dead.jpg"), root.resolve("gone"));
    try (var folder = ImageFolder.open(root)) {
      assertThat(rows(folder))
          .containsExactly(new Row("a/1.jpg", 0), new Row("a/2.jpg", 0), new Row("b/far.jpg", 1));
      assertThat(skips(folder))
          .containsExactly(
              "a/dead.jpg: symbolic link to nothing",
              "a/loop: symbolic link to a folder that holds it",
              "again: symbolic link to a folder that holds it");
    }
    Files.delete(outside.resolve("far.jpg"));
    Files.delete(outside);
  }

  /// Samples would come twice, and those of other classes with a label that is not theirs.
  @Test
  void aLinkAboveItsClassFolderIsACircleToo() throws IOException {
    put("a/1.jpg");
    put("a/deep/2.jpg");
    put("b/1.jpg");
    Path _ = Files.createSymbolicLink(root.resolve("b/root"), root);
    Path _ = Files.createSymbolicLink(root.resolve("a/deep/up"), Path.of("../.."));
    Path _ = Files.createSymbolicLink(root.resolve("b/above"), root.toAbsolutePath().getParent());
    Path _ = Files.createSymbolicLink(root.resolve("b/sibling"), Path.of("../a/deep"));
    try (var folder = ImageFolder.open(root)) {
      assertThat(rows(folder))
          .containsExactly(
              new Row("a/1.jpg", 0),
              new Row("a/deep/2.jpg", 0),
              new Row("b/1.jpg", 1),
              new Row("b/sibling/2.jpg", 1));
      assertThat(folder.leftOut())
          .extracting(LeftOut::kind)
          .containsOnly(LeftOut.Kind.LOOP)
          .hasSize(4); // one of them seen through the sibling's link
      assertThat(folder.warnings())
          .containsExactly(
              "link b/sibling leads to a/deep in the same dataset: what is in there comes twice",
              "left out: 4 links to folders above");
      assertThat(folder.linkedFolders()).containsExactly(root.resolve("a/deep").toRealPath());
    }
  }

  @Test
  void whatIsLeftOutIsCountedInOneLine() throws IOException {
    put("a/1.jpg");
    put("loose.jpg");
    put("notes.csv", "file_name,label\n".getBytes(StandardCharsets.US_ASCII));
    put("a/labels.txt", "1\n".getBytes(StandardCharsets.US_ASCII));
    put("a/boxes.json", "{}".getBytes(StandardCharsets.US_ASCII));
    put("a/1.jp2", "\0\0\0\fjP  \r\n\u0087\n".getBytes(StandardCharsets.ISO_8859_1));
    put("a/2.jxl", "\u00ff\n..".getBytes(StandardCharsets.ISO_8859_1));
    put("a/3.TGA", new byte[40]);
    put("a/.hidden");
    Path _ = Files.createSymbolicLink(root.resolve("a/dead.jpg"), root.resolve("gone"));
    Path _ = Files.createSymbolicLink(root.resolve("dead"), root.resolve("gone"));
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.size()).isEqualTo(1);
      assertThat(folder.leftOut()).hasSize(10);
      assertThat(folder.warnings())
          .containsExactly(
              "left out: 1 picture beside the class folders (loose.jpg),"
                  + " 1 other file beside the class folders (.csv), 2 broken links,"
                  + " 3 pictures of types that are not read (.jp2, .jxl, .tga),"
                  + " 2 files that are no pictures (.json, .txt), 1 hidden (.hidden)");
    }
  }

  @Test
  void hiddenFilesAloneAreNoWarning() throws IOException {
    put("a/1.jpg");
    put("a/.DS_Store");
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.warnings()).isEmpty();
    }
  }

  @Test
  void aBrokenLinkIsLeftOutWithoutClassesToo() throws IOException {
    put("1.jpg");
    Path _ = Files.createSymbolicLink(root.resolve("2.jpg"), root.resolve("gone"));
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.size()).isEqualTo(1);
      assertThat(folder.warnings()).containsExactly("left out: 1 broken link (2.jpg)");
    }
  }

  /// Odd input 94.
  @Test
  void extensionsOfAnyCaseAreImages() throws IOException {
    for (String name : List.of("1.jpg", "2.JPG", "3.JPEG", "4.jpeg", "5.webp")) {
      put("a/" + name);
    }
    put("a/6.txt", "hello".getBytes(StandardCharsets.US_ASCII));
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.size()).isEqualTo(5);
      assertThat(skips(folder)).singleElement().asString().startsWith("a/6.txt: not an image");
    }
  }

  @Test
  void whatIsNoImageIsListedWithItsReason() throws IOException {
    put("a/1.jpg");
    put("a/readme.txt", "hello".getBytes(StandardCharsets.US_ASCII));
    put("a/page", "<html>".getBytes(StandardCharsets.US_ASCII));
    put("a/nothing", new byte[0]);
    put("loose.jpg");
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.size()).isEqualTo(1);
      assertThat(skips(folder))
          .containsExactly(
              "a/nothing: empty file",
              "a/page: an HTML page, not an image",
              "a/readme.txt: not an image: begins with 68656c6c, which is no known kind",
              "loose.jpg: not in a class folder");
    }
  }

  /// Odd inputs 70, 88 and 98: the name promised an image, so the fault is not passed over.
  @Test
  void aBrokenPromiseIsAFaultOfTheSample() throws IOException {
    put("a/0-good.jpg");
    put("a/1-empty.jpg", new byte[0]);
    put("a/2-gzip.JPEG", new byte[] {0x1f, (byte) 0x8b, 8, 0});
    put("a/3-heic.jpg", "\0\0\0\34ftypheic".getBytes(StandardCharsets.ISO_8859_1));
    put("a/4-gif.gif", "GIF89a".getBytes(StandardCharsets.ISO_8859_1));
    put("a/5-junk.png", "junk".getBytes(StandardCharsets.ISO_8859_1));
    put("a/6-good.jpg");
    List<Fault> faults = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    int delivered = 0;
    try (var folder = ImageFolder.open(root);
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var cursor = folder.openCursor(0)) {
      boolean more = true;
      while (more) {
        try {
          more = cursor.next(sample);
          delivered += more ? 1 : 0;
        } catch (CorruptDataException e) {
          assertThat(cursor.resumable()).isTrue();
          assertThat(e.where().key()).isEqualTo(sample.key());
          faults.add(e.fault());
          messages.add(e.reason());
        }
      }
    }
    assertThat(delivered).isEqualTo(2);
    assertThat(faults)
        .containsExactly(
            Fault.CORRUPT, Fault.MISMATCH, Fault.UNSUPPORTED, Fault.UNSUPPORTED, Fault.CORRUPT);
    assertThat(messages.get(0)).isEqualTo("empty file");
    assertThat(messages.get(1)).isEqualTo("gzip data, not an image");
    assertThat(messages.get(2)).isEqualTo("a HEIF image (HEIC): this format is not read");
    assertThat(messages.get(3)).isEqualTo("a GIF image: this format is not read");
  }

  @Test
  void aVanishedFileIsAFaultWithItsKey() throws IOException {
    put("a/1.jpg");
    try (var folder = ImageFolder.open(root);
        var reader = folder.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      Files.delete(root.resolve("a/1.jpg"));
      assertThatThrownBy(() -> reader.read(0, sample))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("IO: cannot be read")
          .hasMessageContaining("key=a/1.jpg");
    }
  }

  @Test
  void aFolderOfFilesAloneIsUnlabelled() throws IOException {
    put("2.jpg");
    put("10.jpg");
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.classes()).isEmpty();
      assertThat(rows(folder)).containsExactly(new Row("10.jpg", -1), new Row("2.jpg", -1));
    }
  }

  @Test
  void anEmptyClassKeepsItsLabel() throws IOException {
    Path _ = Files.createDirectories(root.resolve("b"));
    put("a/1.jpg");
    put("c/1.jpg");
    try (var folder = ImageFolder.open(root)) {
      assertThat(folder.classes()).containsExactly("a", "b", "c");
      assertThat(rows(folder)).containsExactly(new Row("a/1.jpg", 0), new Row("c/1.jpg", 2));
      assertThat(folder.warnings()).containsExactly("class b has no images");
    }
  }

  @Test
  void nothingToReadIsSaidAtOnce() throws IOException {
    assertThatThrownBy(() -> ImageFolder.open(root))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no images in " + root);
    assertThatThrownBy(() -> Datasets.open(root))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("empty folder");
    Path missing = root.resolve("missing");
    assertThatThrownBy(() -> ImageFolder.open(missing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(missing.toString());
    assertThatThrownBy(() -> Datasets.open(missing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(missing.toString());
    put("a/readme.txt", new byte[] {1, 2, 3});
    assertThatThrownBy(() -> Datasets.open(root))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("readme.txt");
    assertThatThrownBy(() -> Datasets.open(root.resolve("a/readme.txt")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not a TFRecord file");
  }
}
