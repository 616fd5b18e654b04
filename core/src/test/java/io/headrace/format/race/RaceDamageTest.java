package io.headrace.format.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.race.RaceFixture.Pictured;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RaceDamageTest {
  private static final int SAMPLES = 4;

  static Stream<RaceOptions> options() {
    return Stream.of(
        new RaceOptions(null, 2, new BlobCompression.None(), 0),
        new RaceOptions(null, 2, new BlobCompression.Zstd(3), 0),
        new RaceOptions(null, 2, new BlobCompression.Lz4(0), 60));
  }

  private static List<Pictured> samples() {
    List<Pictured> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      byte[] small = new byte[10 + i];
      byte[] large = new byte[25 + i];
      Arrays.fill(small, (byte) i);
      Arrays.fill(large, (byte) (i + 100));
      samples.add(
          new Pictured(
              "k" + i,
              i,
              "raw",
              i % 2 == 0 ? List.of(large) : List.of(small, large),
              List.of(),
              i == 2 ? Map.of("json", new byte[] {'{', '}'}) : Map.of()));
    }
    return samples;
  }

  /// What a reader got out of a file: samples, or faults in their place.
  private record Outcome(List<Pictured> whole, List<CorruptDataException> faults) {}

  private static Outcome read(Path file) throws IOException {
    var outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
    try (RaceDataset dataset =
            new RaceOpener().open(file, io.headrace.format.OpenOptions.DEFAULT, Store.LOCAL);
        var sample = new Sample(new Block(new MemoryBudget(1 << 20)))) {
      try (Dataset.SampleCursor cursor = dataset.openCursor(0)) {
        boolean more = true;
        while (more) {
          try {
            more = cursor.next(sample);
            if (more) {
              outcome.whole.add(RaceFixture.read(sample));
            }
          } catch (CorruptDataException e) {
            outcome.faults.add(e);
            more = cursor.resumable();
          }
        }
      }
    } catch (CorruptDataException e) {
      outcome.faults.add(e);
    }
    return outcome;
  }

  /// Law: whatever arrives is what was written; what does not is a fault that names the file.
  private static void assertNothingWrong(Outcome outcome, Path file, String how) {
    List<Pictured> written = samples();
    for (Pictured found : outcome.whole) {
      Pictured original = written.get(Integer.parseInt(found.key().substring(1)));
      assertThat(found.image()).as(how).isEqualTo(original.image());
      assertThat(found.label()).as(how).isEqualTo(original.label());
      assertThat(found.fields().keySet()).as(how).isEqualTo(original.fields().keySet());
    }
    assertThat(outcome.faults).as(how).isNotEmpty();
    outcome.faults.forEach(f -> assertThat(f.where().toString()).as(how).contains(file.toString()));
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyCutIsFound(RaceOptions options, @TempDir Path dir) throws IOException, DecodeException {
    byte[] all = Files.readAllBytes(RaceFixture.write(dir.resolve("x.race"), options, samples()));
    Path cut = dir.resolve("cut.race");
    for (int size = 0; size < all.length; size++) {
      Files.write(cut, Arrays.copyOf(all, size));
      Outcome outcome = read(cut);
      assertNothingWrong(outcome, cut, "cut to " + size);
      assertThat(outcome.whole).isEmpty(); // the index is at the end
      assertThat(outcome.faults.getFirst().fault())
          .as("cut to " + size)
          .isIn(Fault.TRUNCATED, Fault.MISMATCH);
    }
  }

  /// Law: damage within a blob costs that sample (or those of its block) alone; elsewhere it costs
  /// the shard, and never goes unnoticed.
  @ParameterizedTest
  @MethodSource("options")
  void everyFlippedBitIsFound(RaceOptions options, @TempDir Path dir)
      throws IOException, DecodeException {
    byte[] all = Files.readAllBytes(RaceFixture.write(dir.resolve("x.race"), options, samples()));
    Path flipped = dir.resolve("flipped.race");
    long groups = blobBytes(dir.resolve("x.race"));
    for (int bit = 0; bit < 8 * all.length; bit++) {
      byte[] bytes = all.clone();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(flipped, bytes);
      Outcome outcome = read(flipped);
      long at = bit / 8;
      boolean blob = at >= RaceLayout.HEADER && at < RaceLayout.HEADER + groups;
      if (blob && outcome.faults.isEmpty()) {
        // a level that was not asked for
        assertThat(outcome.whole).as("bit " + bit).hasSize(SAMPLES);
        continue;
      }
      assertNothingWrong(outcome, flipped, "bit " + bit);
      assertThat(outcome.whole.size() + outcome.faults.size())
          .as("bit " + bit)
          .isEqualTo(blob ? SAMPLES : 1);
    }
  }

  private static long blobBytes(Path file) throws IOException {
    try (RaceDataset dataset =
        new RaceOpener().open(file, io.headrace.format.OpenOptions.DEFAULT, Store.LOCAL)) {
      return dataset.groupBytes(Integer.MAX_VALUE);
    }
  }

  @Test
  void bytesBehindTheTrailerAreNotIgnored(@TempDir Path dir) throws IOException, DecodeException {
    Path file = RaceFixture.write(dir.resolve("x.race"), RaceOptions.PLAIN, samples1());
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length + 1));
    Outcome outcome = read(file);
    assertThat(outcome.whole).isEmpty();
    assertThat(outcome.faults).hasSize(1);
  }

  private static List<Pictured> samples1() {
    return List.of(Pictured.of("k0", 0, "raw", new byte[100]));
  }
}
