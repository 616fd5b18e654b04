package io.headrace.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.inspect.Verifier;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.tfrecord.MaskedCrc;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Files that are something else than their names say: their first bytes are looked at before a
/// checksum is blamed.
final class ForeignFilesTest {
  @TempDir private Path dir = Path.of(".");

  /// What a file may be, with what is said of it.
  enum Content {
    LFS("a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9\n"),
    HTML("an HTML page", "\n<!doctype HTML><html><head><title>404 Not Found</title></head></html>"),
    XML("XML text", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"),
    TEXT("plain text", "Moved permanently. See the new address.\n"),
    ZIP("a zip archive", "PK\u0003\u0004\24\0\0\0\0\0" + "z".repeat(90)),
    SQLITE("an SQLite database", "SQLite format 3\0\20\0\1\1\0@  " + "\0".repeat(90)),
    ARROW(
        "an Arrow stream",
        "\u00ff\u00ff\u00ff\u00ff\u00b0\1\0\0\20\0\0\0\0\0\n\0" + "\1".repeat(90)),
    FEATHER("an Arrow file", "ARROW1\0\0\u00ff\u00ff\u00ff\u00ff" + "\1".repeat(90)),
    PARQUET("a Parquet file", "PAR1\25\4\25" + "\1".repeat(90)),
    HDF5("an HDF5 file", "\u0089HDF\r\n\u001a\n" + "\1".repeat(90)),
    TAR("a tar archive", "a.jpg" + "\0".repeat(252) + "ustar\00000" + "\0".repeat(247)),
    JPEG("a JPEG image", "\u00ff\u00d8\u00ff\u00e0\0\20JFIF" + "\1".repeat(90));

    private final String name;
    private final String text;

    Content(String name, String bytes) {
      this.name = name;
      text = bytes;
    }

    private byte[] bytes() {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  /// Where such a file may stand, by the name it has there.
  private static final List<String> PLACES =
      List.of(
          "train-00000-of-00001.tfrecord",
          "a.tfrecord.gz",
          "a.tar",
          "a.tar.gz",
          "a.race",
          "a.parquet",
          "shard.00000.mds",
          "PCR_index.pb",
          "PCR.db",
          "first/x.jpg");

  static Stream<Arguments> all() {
    return Arrays.stream(Content.values())
        .flatMap(
            content ->
                PLACES.stream()
                    .filter(place -> !isItself(content, place))
                    .map(place -> Arguments.of(content, place)));
  }

  private static boolean isItself(Content content, String place) {
    return switch (content) {
      case PARQUET -> place.equals("a.parquet");
      case SQLITE -> place.equals("PCR.db");
      case TAR -> place.startsWith("a.tar");
      case JPEG -> place.equals("first/x.jpg");
      default -> false;
    };
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatItIsIsSaid(Content content, String place) throws IOException {
    Path file = dir.resolve(place);
    Files.createDirectories(file.getParent());
    Files.write(file, place.endsWith(".gz") ? gzip(content.bytes()) : content.bytes());
    if (place.endsWith(".mds")) {
      Files.copy(Fixtures.path("mds/plain/index.json"), dir.resolve("index.json"));
      Files.copy(Fixtures.path("mds/plain/shard.00001.mds"), dir.resolve("shard.00001.mds"));
    }
    CorruptDataException fault = fault(dir);
    assertThat(fault.fault()).isEqualTo(Fault.MISMATCH);
    assertThat(fault.reason()).startsWith(content.name + ", not ");
    assertThat(fault.where().file()).isEqualTo(file.toString());
    if (content == Content.LFS) {
      assertThat(fault.reason()).contains("git lfs pull gets the file");
    } else if (content == Content.ZIP) {
      assertThat(fault.reason()).contains("unpack it");
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  /// {@return the fault of a dataset that has one, met when it is opened or read in order; read by
  /// number it is the same}
  private static CorruptDataException fault(Path path) throws IOException {
    try (Dataset dataset = Datasets.open(path)) {
      List<CorruptDataException> faults = Fixtures.stream(dataset, sample -> {});
      assertThat(faults).hasSize(1);
      if (dataset.indexed()) {
        try (var reader = dataset.openReader();
            var sample = Fixtures.sample()) {
          assertThatThrownBy(() -> reader.read(0, sample))
              .isInstanceOfSatisfying(
                  CorruptDataException.class,
                  e -> assertThat(e.reason()).isEqualTo(faults.getFirst().reason()));
        }
      }
      return faults.getFirst();
    } catch (CorruptDataException e) {
      return e;
    }
  }

  @Test
  void aManifestThatIsSomethingElseIsNamed() throws IOException {
    Files.write(dir.resolve("dataset.json"), Content.HTML.bytes());
    CorruptDataException fault = fault(dir);
    assertThat(fault.fault()).isEqualTo(Fault.MISMATCH);
    assertThat(fault.reason()).isEqualTo("an HTML page, not a manifest");
  }

  /// A file given alone, whose name promises nothing.
  @ParameterizedTest
  @CsvSource({
    "ZIP, is a zip archive: unpack it",
    "LFS, is a Git LFS pointer: git lfs pull gets the file",
    "FEATHER, is an Arrow file: export it with to_parquet",
    "HTML, is an HTML page: not a dataset that is read here",
    "JPEG, is one image: open its folder",
  })
  void aFileAloneIsNamed(Content content, String words) throws IOException {
    Path file = Files.write(dir.resolve("train.zip"), content.bytes());
    assertThatThrownBy(() -> Datasets.open(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + " " + words);
  }

  @Test
  void aCompressionOfParquetThatIsNotReadIsNamed() {
    assertThatThrownBy(() -> Datasets.open(Fixtures.path("parquet/wrong/brotli.parquet")))
        .isInstanceOfSatisfying(
            CorruptDataException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNSUPPORTED))
        .hasMessageContaining("column img is compressed with BROTLI, which is not read");
  }

  /// A picture in a format that is not read has one verdict, whatever it is packed in.
  @Test
  void aGifHasOneVerdictInAllContainers() throws IOException {
    Path folder = Files.createDirectories(dir.resolve("folder/a"));
    byte[] gif = ("GIF89a" + "\1".repeat(60)).getBytes(StandardCharsets.ISO_8859_1);
    Files.write(folder.resolve("x.gif"), gif);
    Path tar = Files.createDirectories(dir.resolve("tar"));
    Files.write(tar.resolve("a.tar"), tar(gif));
    Path mds = Files.createDirectories(dir.resolve("mds"));
    mds(mds, gif);
    Path records = Files.createDirectories(dir.resolve("tfrecord"));
    Files.write(records.resolve("a.tfrecord"), record(gif));
    for (Path set : List.of(dir.resolve("folder"), tar, mds, records)) {
      try (Dataset dataset = Datasets.open(set)) {
        List<String> faults = Verifier.verify(dataset, false).faults();
        assertThat(faults)
            .singleElement()
            .asString()
            .endsWith("UNSUPPORTED: a GIF image: this format is not read");
      }
    }
  }

  private static byte[] tar(byte[] image) {
    byte[] tar = new byte[3 * 512 + 512];
    put(tar, 0, "a.gif");
    put(tar, 124, "%011o".formatted(image.length));
    put(tar, 148, "        0");
    put(tar, 257, "ustar\00000");
    int sum = 0;
    for (byte b : tar) {
      sum += b;
    }
    put(tar, 148, "%06o\0".formatted(sum));
    System.arraycopy(image, 0, tar, 512, image.length);
    return tar;
  }

  private static void put(byte[] to, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, to, at, bytes.length);
  }

  private static void mds(Path folder, byte[] image) throws IOException {
    int start = 3 * 4;
    ByteBuffer shard = ByteBuffer.allocate(start + 4 + image.length).order(ByteOrder.LITTLE_ENDIAN);
    shard.putInt(1).putInt(start).putInt(shard.capacity()).putInt(image.length).put(image);
    Files.write(folder.resolve("a.mds"), shard.array());
    Files.writeString(
        folder.resolve("index.json"),
        """
        {"version": 2, "shards": [{"version": 2, "format": "mds", "samples": 1,
         "column_names": ["image"], "column_encodings": ["bytes"], "column_sizes": [null],
         "compression": null, "hashes": [], "zip_data": null,
         "raw_data": {"basename": "a.mds", "bytes": %d, "hashes": {}}}]}
        """
            .formatted(shard.capacity()));
  }

  /// A record of one `tf.train.Example` with the feature `image`, all lengths below 128.
  private static byte[] record(byte[] image) {
    byte[] example = image;
    for (String before : List.of("\n", "\n", "\n\5image\22", "\n", "\n")) {
      ByteBuffer wrapped = ByteBuffer.allocate(before.length() + 1 + example.length);
      wrapped.put(before.getBytes(StandardCharsets.ISO_8859_1));
      example = wrapped.put((byte) example.length).put(example).array();
    }
    var crc = new MaskedCrc();
    ByteBuffer file = ByteBuffer.allocate(16 + example.length).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(example.length);
    file.putInt(crc.of(MemorySegment.ofArray(file.array()).asSlice(0, 8)));
    file.put(example).putInt(crc.of(MemorySegment.ofArray(example)));
    return file.array();
  }
}
