package io.headrace.interop.mds;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.field.FieldValue;
import io.headrace.interop.Fixtures;
import io.headrace.memory.FieldType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shards that MosaicML's own writer made, and damaged ones.
final class MdsDatasetTest {
  private static byte[] image(int number) throws IOException {
    return Files.readAllBytes(Fixtures.path("mds/images/%d.jpg".formatted(number)));
  }

  private static String field(Sample sample, int field) {
    return sample.fieldName(field)
        + "="
        + new String(sample.field(field).toArray(JAVA_BYTE), UTF_8);
  }

  private static void checkPlain(Sample sample, int i) throws IOException {
    assertThat(sample.encoded().toArray(JAVA_BYTE)).isEqualTo(image(i));
    assertThat(sample.label()).isEqualTo(i % 3);
    assertThat(sample.key()).isEqualTo("shard.0000%d.mds#%d".formatted(i / 4, i % 4));
    assertThat(sample.fields()).isEqualTo(3);
    assertThat(sample.fieldName(2)).isEqualTo("tokens");
    assertThat(tokens(sample)).isEqualTo(i + 1);
    assertThat(field(sample, 0)).isEqualTo("caption=picture " + i + ": é");
    assertThat(field(sample, 1)).isEqualTo("score=" + i / 4f);
  }

  /// Checks that the array counts up from 0, and tells how long it is.
  private static long tokens(Sample sample) throws IOException {
    var value = new FieldValue();
    try {
      value.read(sample, 2);
      assertThat(value.kind()).isEqualTo(FieldValue.Kind.NUMBERS);
      assertThat(value.type()).isEqualTo(FieldType.UINT16);
      byte[] all = new byte[(int) (2 * value.count())];
      value.copyTo(FieldType.UINT16, MemorySegment.ofArray(all));
      for (int k = 0; k < value.count(); k++) {
        assertThat(all[2 * k]).isEqualTo((byte) k);
      }
    } catch (DecodeException e) {
      throw new IOException(e);
    }
    return value.count();
  }

  /// Law: streamed or read one by one, samples are those that were written.
  @Test
  void columnsBecomeImageLabelAndFields() throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("mds/plain"));
        Dataset.SampleReader reader = dataset.openReader();
        Sample sample = Fixtures.sample()) {
      assertThat(dataset).isInstanceOf(MdsDataset.class);
      assertThat(dataset.size()).isEqualTo(7);
      assertThat(dataset.indexed()).isTrue();
      assertThat(dataset.warnings()).isEmpty();
      var count = new int[1];
      assertThat(Fixtures.stream(dataset, s -> checkPlain(s, count[0]++))).isEmpty();
      assertThat(count[0]).isEqualTo(7);
      for (int i = 6; i >= 0; i--) {
        reader.read(i, sample);
        checkPlain(sample, i);
      }
    }
  }

  @Test
  void bytesOfATellingNameAreSounds() throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("mds/audio"))) {
      var count = new int[1];
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    int i = count[0]++;
                    assertThat(Content.of(s.encoded())).isEqualTo(Content.SOUND);
                    assertThat(s.encoded().byteSize()).isEqualTo(44 + 2 * (300 + 10 * i));
                    assertThat(s.label()).isEqualTo(i % 2);
                    assertThat(field(s, 0)).isEqualTo("text=word " + i);
                  }))
          .isEmpty();
      assertThat(count[0]).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "gz", "bz2"})
  void compressedShardsStream(String compression) throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("mds/packed-" + compression))) {
      assertThat(dataset.indexed()).isFalse();
      assertThat(dataset.size()).isEqualTo(7);
      var count = new int[1];
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    int i = count[0]++;
                    assertThat(s.encoded().toArray(JAVA_BYTE)).isEqualTo(image(i));
                    assertThat(s.label()).isEqualTo(i);
                    assertThat(field(s, 0)).isEqualTo("meta={\"n\": " + i + "}");
                  }))
          .isEmpty();
      assertThat(count[0]).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "snappy"})
  void otherCompressionsAreRefusedByName(String compression) throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("mds/packed-" + compression))) {
      List<CorruptDataException> faults = Fixtures.stream(dataset, s -> {});
      assertThat(faults).hasSize(1);
      assertThat(faults.getFirst().fault()).isEqualTo(Fault.UNSUPPORTED);
      assertThat(faults.getFirst().reason()).contains("'" + compression);
    }
  }

  /// Raw pixels become PPM and PGM; a mode that these cannot hold is a fault of that sample alone.
  @Test
  void pilImagesBecomePortableMaps() throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("mds/pil"))) {
      List<byte[]> images = new ArrayList<>();
      List<Long> labels = new ArrayList<>();
      List<CorruptDataException> faults =
          Fixtures.stream(
              dataset,
              s -> {
                images.add(s.encoded().toArray(JAVA_BYTE));
                labels.add(s.label());
              });
      assertThat(labels).containsExactly(4L, 5L);
      assertThat(images.get(0))
          .startsWith("P6\n24 16\n255\n".getBytes(US_ASCII))
          .endsWith(Files.readAllBytes(Fixtures.path("mds/images/0.rgb")))
          .hasSize(13 + 24 * 16 * 3);
      assertThat(images.get(1))
          .startsWith("P5\n24 16\n255\n".getBytes(US_ASCII))
          .endsWith(Files.readAllBytes(Fixtures.path("mds/images/1.grey")));
      assertThat(faults).hasSize(1);
      assertThat(faults.getFirst().fault()).isEqualTo(Fault.UNSUPPORTED);
      assertThat(faults.getFirst().reason()).contains("mode CMYK");
    }
  }

  @Test
  void withoutAnImageColumnTheColumnsAreListed() {
    assertThatThrownBy(() -> Datasets.open(Fixtures.path("mds/text")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("text:str");
  }

  @Test
  void aFlippedBitIsFoundByTheHash(@TempDir Path dir) throws IOException {
    Fixtures.copy(Fixtures.path("mds/plain"), dir);
    Path file = dir.resolve("shard.00001.mds");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 40] ^= 1;
    Files.write(file, bytes);
    try (Dataset dataset = Datasets.open(dir)) {
      List<CorruptDataException> faults = Fixtures.stream(dataset, s -> {});
      assertThat(faults).hasSize(1);
      assertThat(faults.getFirst().reason()).contains("sha1 of the file is");
      assertThat(faults.getFirst().where().file()).isEqualTo(file.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain/shard.00000.mds", "packed-zstd/shard.00000.mds.zstd"})
  void aCutFileIsTruncated(String name, @TempDir Path dir) throws IOException {
    String folder = name.substring(0, name.indexOf('/'));
    Fixtures.copy(Fixtures.path("mds/" + folder), dir);
    Path file = dir.resolve(name.substring(folder.length() + 1));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    try (Dataset dataset = Datasets.open(dir)) {
      List<CorruptDataException> faults = Fixtures.stream(dataset, s -> {});
      assertThat(faults).hasSize(1);
      assertThat(faults.getFirst().fault()).isEqualTo(Fault.TRUNCATED);
      assertThat(faults.getFirst().where().file()).isEqualTo(file.toString());
    }
  }

  @Test
  void aMissingShardIsNamed(@TempDir Path dir) throws IOException {
    Fixtures.copy(Fixtures.path("mds/plain"), dir);
    Files.delete(dir.resolve("shard.00001.mds"));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("shard.00001.mds");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../secret", "a/../../secret", "/etc/secret", "a\\\\secret", "./a", "a/./b"})
  void anIndexMayNotLeadOutOfItsFolder(String name, @TempDir Path dir) throws IOException {
    String index = Files.readString(Fixtures.path("mds/plain/index.json"));
    Files.writeString(dir.resolve("index.json"), index.replace("shard.00000", name));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(".mds' is not a file in the index's folder or below");
  }

  /// What streaming's merge_index makes of parts that were written in folders of their own.
  @Test
  void anIndexMergedOfSeveralHasFoldersInItsNames(@TempDir Path dir) throws IOException {
    String index = Files.readString(Fixtures.path("mds/plain/index.json"));
    Files.createDirectories(dir.resolve("part0/deep"));
    Files.copy(
        Fixtures.path("mds/plain/shard.00000.mds"), dir.resolve("part0/deep/shard.00000.mds"));
    Files.copy(Fixtures.path("mds/plain/shard.00001.mds"), dir.resolve("shard.00001.mds"));
    Files.writeString(
        dir.resolve("index.json"), index.replace("shard.00000", "part0/deep/shard.00000"));
    try (Dataset dataset = Datasets.open(dir);
        Dataset.SampleReader reader = dataset.openReader();
        Sample sample = Fixtures.sample()) {
      List<String> keys = new ArrayList<>();
      assertThat(Fixtures.stream(dataset, each -> keys.add(each.key()))).isEmpty();
      assertThat(keys).hasSize(7).contains("part0/deep/shard.00000.mds#1", "shard.00001.mds#0");
      reader.read(1, sample);
      assertThat(sample.encoded().toArray(JAVA_BYTE)).isEqualTo(image(1));
    }
  }

  @Test
  void anIndexOfAnotherVersionIsUnsupported(@TempDir Path dir) throws IOException {
    String index = Files.readString(Fixtures.path("mds/plain/index.json"));
    Files.writeString(dir.resolve("index.json"), index.replace("\"version\": 2", "\"version\": 3"));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("version 3");
  }

  /// Law: whatever bytes are changed, reading ends with samples or with a fault at a place.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void changedBytesNeverDoHarm(long seed, @TempDir Path dir) throws IOException {
    var random = new Random(seed);
    boolean packed = random.nextInt(4) == 0;
    Fixtures.copy(Fixtures.path(packed ? "mds/packed-zstd" : "mds/plain"), dir);
    Path victim =
        dir.resolve(
            random.nextInt(4) == 0
                ? "index.json"
                : packed ? "shard.00000.mds.zstd" : "shard.00000.mds");
    byte[] bytes = Files.readAllBytes(victim);
    for (int i = 0; i < 2; i++) {
      int at = random.nextInt(random.nextBoolean() ? bytes.length : 24);
      bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ 1);
    }
    Files.write(victim, bytes);
    try (Dataset dataset = MdsDataset.open(dir, io.headrace.store.Store.LOCAL)) {
      for (CorruptDataException e : Fixtures.stream(dataset, s -> {})) {
        assertThat(e.where().file()).startsWith(dir.toString());
      }
      if (dataset.indexed()) {
        try (Dataset.SampleReader reader = dataset.openReader();
            Sample sample = Fixtures.sample()) {
          for (long i = 0; i < dataset.size(); i++) {
            try {
              reader.read(i, sample);
            } catch (CorruptDataException e) {
              assertThat(e.where().file()).startsWith(dir.toString());
            }
          }
        }
      }
    } catch (CorruptDataException | NoSuchFileException | ConfigException e) {
      assertThat(e).hasMessageFindingMatch("index|shard|column");
    }
  }
}
