package io.headrace.interop.pcr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.interop.pcr.Records.Image;
import io.headrace.store.Store;
import java.io.IOException;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Records that the original's tools would write, and damaged ones.
final class PcrDatasetTest {
  /// Law: at every fidelity an image has the bytes that the original reader makes, streamed or
  /// read one by one, with either index, packed labels or not.
  @ParameterizedTest
  @ValueSource(strings = {"advanced", "tensorflow"})
  void everyFidelityIsWhatTheOriginalReads(String folder) throws IOException {
    List<String[]> expected =
        Files.readAllLines(Records.fixture("expected.txt")).stream()
            .map(line -> line.split(" "))
            .filter(words -> words[0].equals(folder))
            .toList();
    try (Dataset dataset = Datasets.open(Records.fixture(folder));
        Dataset.SampleReader reader = dataset.openReader();
        Sample sample = Records.sample()) {
      assertThat(dataset).isInstanceOf(PcrDataset.class);
      assertThat(dataset.size()).isEqualTo(6);
      assertThat(dataset.groups()).isEqualTo(10);
      assertThat(dataset.indexed()).isTrue();
      for (int fidelity = 1; fidelity <= 10; fidelity++) {
        List<Image> streamed = Records.stream(dataset, fidelity);
        assertThat(streamed).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
          String[] words = expected.get(i);
          String sha = words[4 + Math.min(fidelity, words.length - 4) - 1];
          Image image = streamed.get(i);
          assertThat(image.key()).isEqualTo(words[1] + "#" + words[2]);
          assertThat(image.label()).isEqualTo(Long.parseLong(words[3]));
          assertThat(image.sha256()).isEqualTo(sha);
          reader.read(i, fidelity, sample);
          assertThat(Records.take(sample)).usingRecursiveComparison().isEqualTo(image);
        }
      }
    }
  }

  /// Law: cut to a lower fidelity, or read on to a higher one, an image is what reading it at that
  /// fidelity gives.
  @ParameterizedTest
  @ValueSource(strings = {"advanced", "tensorflow"})
  void readingOnIsReadingAtOnce(String folder) throws IOException {
    try (Dataset dataset = Datasets.open(Records.fixture(folder));
        Dataset.SampleReader reader = dataset.openReader();
        Sample sample = Records.sample()) {
      for (int i = 0; i < dataset.size(); i++) {
        for (int from = 1; from <= 10; from++) {
          for (int to = 1; to <= 10; to++) {
            reader.read(i, to, sample);
            String expected = Records.take(sample).sha256();
            long stored = sample.storedBytes();
            reader.read(i, from, sample);
            long before = sample.storedBytes();
            boolean enough = Math.min(to, sample.groupsInAll()) <= from;
            assertThat(sample.serves(to)).isEqualTo(enough);
            if (enough) {
              sample.shorten(to);
            } else {
              assertThat(reader.extend(i, to, sample)).isTrue();
              assertThat(sample.storedBytes()).isEqualTo(stored - before);
            }
            assertThat(Records.take(sample).sha256()).isEqualTo(expected);
          }
        }
      }
    }
  }

  /// Law: a fidelity reads a prefix of the record, every byte of it and none after.
  @ParameterizedTest
  @CsvSource({"1", "2", "5", "10", "99"})
  void aFidelityReadsExactlyAPrefix(int fidelity) throws IOException {
    Path folder = Records.fixture("advanced");
    PcrIndex index = PcrIndex.read(folder, Store.LOCAL);
    var watched = new WatchedStore();
    try (Dataset dataset = PcrDataset.open(folder, watched);
        Sample sample = Records.sample()) {
      for (int shard = 0; shard < 3; shard++) {
        PcrIndex.Entry entry = index.entries().get(shard);
        long prefix = entry.prefix(Math.min(fidelity, entry.groups()));
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard, fidelity)) {
          long stored = 0;
          while (cursor.next(sample)) {
            stored += sample.storedBytes();
          }
          assertThat(stored).isEqualTo(prefix);
          assertThat(cursor.bytesRead()).isEqualTo(prefix);
          assertThat(watched.farthest(entry.name())).isEqualTo(prefix);
        }
      }
    }
  }

  @Test
  void recordsAreInTheOrderOfTheirNumbers() throws IOException {
    try (Dataset dataset = Datasets.open(Records.fixture("advanced"))) {
      assertThat(dataset.shards())
          .extracting(p -> String.valueOf(p.getFileName()))
          .containsExactly("PCR_0.pcr", "PCR_1.pcr", "PCR_10.pcr");
    }
  }

  @Test
  void aCutFileIsTruncatedAndNamed(@TempDir Path dir) throws IOException {
    Records.copy(Records.fixture("advanced"), dir.resolve("d"));
    Path file = dir.resolve("d/PCR_0.pcr");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 7));
    try (Dataset dataset = Datasets.open(dir.resolve("d"))) {
      assertThat(dataset.size()).isEqualTo(4); // the record stands as one sample
      CorruptDataException fault = faultOf(dataset, 0);
      assertThat(fault.fault()).isEqualTo(Fault.TRUNCATED);
      assertThat(fault.where().file()).isEqualTo(file.toString());
      assertThat(fault.where().offset()).isEqualTo(whole.length - 7);
      assertThat(fault.reason()).contains("the index says " + whole.length);
    }
  }

  @Test
  void aFileThatHasGrownIsAMismatch(@TempDir Path dir) throws IOException {
    Records.copy(Records.fixture("tensorflow"), dir.resolve("d"));
    Path file = dir.resolve("d/PCR_1.pcr");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    try (Dataset dataset = Datasets.open(dir.resolve("d"))) {
      assertThat(faultOf(dataset, 1).fault()).isEqualTo(Fault.MISMATCH);
    }
  }

  /// An index whose boundaries lie elsewhere makes other messages of the same bytes.
  @Test
  void anIndexWithOtherBoundariesIsFoundOut(@TempDir Path dir) throws IOException {
    Records.copy(Records.fixture("advanced"), dir.resolve("d"));
    PcrIndex index = PcrIndex.read(dir.resolve("d"), Store.LOCAL);
    List<PcrIndex.Entry> moved = new ArrayList<>();
    for (PcrIndex.Entry entry : index.entries()) {
      List<Long> lengths = new ArrayList<>(entry.lengths());
      long last = lengths.removeLast();
      lengths.set(lengths.size() - 1, lengths.getLast() + last);
      moved.add(new PcrIndex.Entry(entry.name(), lengths));
    }
    Files.delete(dir.resolve("d/PCR.db"));
    IndexDatabase.write(dir.resolve("d/PCR.db"), moved, java.util.Map.of());
    try (Dataset dataset = Datasets.open(dir.resolve("d"))) {
      CorruptDataException fault = faultOf(dataset, 0);
      assertThat(fault.fault()).isEqualTo(Fault.MISMATCH);
      assertThat(fault.reason()).contains("10 levels, but the index gives 9 scan groups");
    }
  }

  @Test
  void aMissingRecordIsNamed(@TempDir Path dir) throws IOException {
    Records.copy(Records.fixture("advanced"), dir.resolve("d"));
    Files.delete(dir.resolve("d/PCR_1.pcr"));
    assertThatThrownBy(() -> Datasets.open(dir.resolve("d")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("PCR_1.pcr");
  }

  @Test
  void aRecordThatTheIndexDoesNotNameIsAWarning(@TempDir Path dir) throws IOException {
    Records.copy(Records.fixture("advanced"), dir.resolve("d"));
    Files.write(dir.resolve("d/PCR_7.pcr"), new byte[1]);
    try (Dataset dataset = Datasets.open(dir.resolve("d"))) {
      assertThat(dataset.warnings()).singleElement().asString().contains("PCR_7.pcr");
    }
  }

  @Test
  void aDatabaseThatIsNoneIsCorrupt(@TempDir Path dir) throws IOException {
    Files.write(dir.resolve("PCR.db"), "not a database at all".repeat(100).getBytes(UTF_8));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("PCR.db");
  }

  @Test
  void aPickleThatCouldCallCodeIsRefused() {
    byte[] evil = "cos\nsystem\n(S'true'\ntR.".getBytes(UTF_8);
    assertThatThrownBy(() -> Pickle.read(evil)).hasMessageContaining("opcode 63");
  }

  @Test
  void picklesOfNumbersComeBack() throws Exception {
    List<Long> numbers = List.of(0L, 255L, -1L, 65_536L, 5_000_000_000L, -5_000_000_000L);
    assertThat(Pickle.read(Pickle.list(numbers))).isEqualTo(numbers);
    assertThat(Pickle.read(Pickle.number(7L))).containsExactly(7L);
  }

  /// Law: whatever bytes are changed, reading ends with samples or with a fault at a place.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void changedBytesNeverDoHarm(long seed, @TempDir Path dir) throws IOException {
    var random = new Random(seed);
    Path folder = dir.resolve("d");
    Records.copy(Records.fixture(random.nextBoolean() ? "advanced" : "tensorflow"), folder);
    Path victim = folder.resolve(random.nextInt(4) == 0 ? "PCR_index.pb" : "PCR_0.pcr");
    if (!Files.exists(victim)) {
      victim = folder.resolve("PCR.db");
    }
    byte[] bytes = Files.readAllBytes(victim);
    for (int i = 0; i < 3; i++) {
      bytes[random.nextInt(random.nextBoolean() ? bytes.length : 64)] = (byte) random.nextInt();
    }
    Files.write(victim, bytes);
    try (Dataset dataset = Datasets.open(folder);
        Sample sample = Records.sample()) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          while (cursor.next(sample)) {
            assertThat(sample.encodedBytes()).isGreaterThanOrEqualTo(2);
          }
        } catch (CorruptDataException e) {
          assertThat(e.where().file()).startsWith(folder.toString());
        }
      }
      try (Dataset.SampleReader reader = dataset.openReader()) {
        for (long i = 0; i < dataset.size(); i++) {
          try {
            reader.read(i, 1 + random.nextInt(10), sample);
          } catch (CorruptDataException e) {
            assertThat(e.where().file()).startsWith(folder.toString());
          }
        }
      }
    } catch (CorruptDataException | NoSuchFileException e) {
      assertThat(e).hasMessageContaining(folder.toString());
    }
  }

  private static CorruptDataException faultOf(Dataset dataset, int shard) throws IOException {
    try (Dataset.SampleCursor cursor = dataset.openCursor(shard);
        Sample sample = Records.sample()) {
      while (cursor.next(sample)) {
        assertThat(sample.encodedBytes()).isPositive();
      }
    } catch (CorruptDataException e) {
      return e;
    }
    throw new AssertionError("no fault");
  }
}
