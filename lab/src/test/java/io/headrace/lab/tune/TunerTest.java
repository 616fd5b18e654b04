package io.headrace.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.model.Costs;
import io.headrace.lab.trial.FakeMachine;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.load.Bottleneck;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tuner whose clock, disk and loader are the test's: all its numbers are known.
final class TunerTest {
  private static final int SAMPLES = 6;

  /// Rates of a candidate: of the warm-up, then of each turn.
  private static final Map<String, double[]> RATES =
      Map.of(
          "original", new double[] {1, 100, 110, 300},
          "tfrecord", new double[] {900, 105, 108, 290},
          "tfrecord, jpeg 50", new double[] {2, 200, 240, 610});

  /// Milliseconds that one thread takes to decode a sample of each.
  private final Map<String, Double> decodeMillis = new HashMap<>();

  @TempDir private Path dir = Path.of(".");
  private final List<String> loaded = new ArrayList<>();
  private final List<Candidate> candidates = new ArrayList<>();
  private Path photos = Path.of(".");
  private double budget = 1000;
  private String device = "page";
  private boolean stop;

  @BeforeEach
  void copy() {
    photos = Photos.few(dir.resolve("photos"), 2, 3);
    candidates.add(new Candidate("original", null));
    candidates.add(Candidates.parse("tfrecord none keep"));
    candidates.add(Candidates.parse("tfrecord none jpeg:50"));
    decodeMillis.putAll(Map.of("original", 18.0, "tfrecord", 18.0, "tfrecord, jpeg 50", 9.0));
  }

  /// Bytes that loading reads of a sample, if it has as many.
  private double readBytes = Double.MAX_VALUE;

  private Tuning tune(Limits limits) throws IOException, InterruptedException {
    Path work = dir.resolve("work");
    Trial found = Trial.of(photos).with(Key.THREADS, 2).with(Key.STORE, device);
    var machine =
        new FakeMachine(
            (data, options, epoch, samples) -> {
              String name = name(data, work);
              int turn = (int) (epoch / 1_000_000);
              if (epoch % 1_000_000 == 1) {
                loaded.add(name);
              }
              double[] rates = Objects.requireNonNull(RATES.get(name));
              return samples / rates[Math.min(turn, rates.length - 1)];
            });
    var options = new TuneOptions(found, limits, candidates, SAMPLES, 3, 0, budget, work);
    try (var runner = new Runner(work.resolve("data"), false, machine.instruments())) {
      return new Tuner(
              options,
              runner,
              machine.instruments(),
              folder -> 50_000,
              trial -> {
                Representation to = trial.representation();
                double decode =
                    Objects.requireNonNull(decodeMillis.get(to == null ? "original" : to.label()));
                var miss = new Costs.Work(0.001, decode / 1000, 0.001);
                return new Costs(readBytes, 1, miss, miss, readBytes, 0, 1);
              },
              () -> stop)
          .run(said -> {});
    }
  }

  private String name(Dataset data, Path work) {
    Path root = data.root();
    if (!root.startsWith(work)) {
      return "original";
    }
    try {
      return data.storedBytes() > bytes() ? "tfrecord" : "tfrecord, jpeg 50";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long bytes() throws IOException {
    try (Dataset all = Datasets.open(photos)) {
      return all.storedBytes();
    }
  }

  @Test
  void candidatesTakeTurnsUntilTheSameOneWins() throws IOException, InterruptedException {
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    List<String> turn = List.of("original", "tfrecord, jpeg 50", "tfrecord");
    assertThat(loaded.subList(0, 6)).as("warm-ups, the first turn").hasSize(6);
    assertThat(loaded.subList(0, 3)).isEqualTo(turn);
    assertThat(loaded.subList(3, 6)).isEqualTo(turn);
    Result pick = tuning.pick().result();
    assertThat(pick.candidate().name()).isEqualTo("tfrecord, jpeg 50");
    assertThat(pick.rates()).hasSize(3);
    assertThat(pick.measured()).isCloseTo(240, within(1e-3));
    Result original = tuning.results().getFirst();
    assertThat(original.measured()).isCloseTo(110, within(1e-3));
    assertThat(original.spread()).isCloseTo(200.0 / 110, within(1e-5));
    assertThat(original.bottleneck()).isEqualTo(Bottleneck.DECODE);
    // two processors, 1 ms of reading, 18 of decoding, 1 of the rest
    assertThat(original.predicted()).isCloseTo(2 / 0.020, within(1e-6));
    assertThat(tuning.untried())
        .as("far behind after two turns")
        .extracting(Tuning.Untried::name)
        .containsExactly("tfrecord");
    assertThat(tuning.sampled()).isEqualTo(SAMPLES);
    assertThat(tuning.samples()).isEqualTo(SAMPLES);
    assertThat(dir.resolve("work/data")).isEmptyDirectory();
  }

  @Test
  void whatIsPredictedToBeSlowerIsNotMeasured() throws IOException, InterruptedException {
    decodeMillis.put("tfrecord", 60.0);
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    assertThat(loaded).doesNotContain("tfrecord");
    assertThat(tuning.untried())
        .singleElement()
        .satisfies(one -> assertThat(one.name()).isEqualTo("tfrecord"))
        .satisfies(
            one ->
                assertThat(one.why())
                    .isEqualTo(
                        "predicted 30 samples/s (decoding takes 60.0 ms of a core), others more"));
  }

  /// A learned codec is judged by few samples, and what speaks against it is said with its reason.
  @Test
  void aLearnedCodecSaysWhyNot() throws IOException, InterruptedException {
    assertThat(Candidates.of(Content.IMAGE, Pipeline.train()).stream().map(Candidate::name))
        .noneMatch(name -> name.contains("learned"));
    Candidate learned = Candidates.withLearned(Content.IMAGE, Pipeline.train()).getLast();
    assertThat(learned.name()).isEqualTo("race, learned small 2");
    candidates.add(learned);
    decodeMillis.put(learned.name(), 400.0);
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.1));
    assertThat(tuning.untried())
        .filteredOn(one -> one.name().equals(learned.name()))
        .extracting(Tuning.Untried::why)
        .containsExactly(
            "predicted 4.6 samples/s (decoding takes 400.0 ms of a core), others more");
    tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0, 0, true, 1e9, null));
    assertThat(tuning.untried())
        .filteredOn(one -> one.name().equals(learned.name()))
        .extracting(Tuning.Untried::why)
        .containsExactly(
            "its pixels differ, and slower: predicted 4.6 samples/s (decoding takes 400.0 ms of a"
                + " core)");
  }

  @Test
  void whatIsOutsideTheLimitsIsNotMeasured() throws IOException, InterruptedException {
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5, 0, true, 1e9, null));
    assertThat(loaded).doesNotContain("tfrecord, jpeg 50");
    assertThat(tuning.untried())
        .filteredOn(one -> one.name().equals("tfrecord, jpeg 50"))
        .extracting(Tuning.Untried::why)
        .containsExactly("its pixels differ");
  }

  @Test
  void whenTheTimeIsOverTheBestSoFarIsPicked() throws IOException, InterruptedException {
    stop = true;
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    assertThat(tuning.results()).hasSize(1);
    assertThat(tuning.pick().result().candidate().name()).isEqualTo("original");
    assertThat(tuning.untried())
        .extracting(Tuning.Untried::why)
        .containsOnly("there was no time to look at it");
    stop = false;
    budget = 0.5; // each epoch of the warm-ups takes seconds
    loaded.clear();
    tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    assertThat(loaded).containsExactly("original", "original");
    assertThat(tuning.untried())
        .extracting(Tuning.Untried::why)
        .containsOnly("there was no time to measure it");
  }

  /// A mixture of two is faster than both where loading bounds one and decoding the other.
  @Test
  void oppositesAreMixedWhereThatBalancesLoadAndDecode() throws IOException, InterruptedException {
    candidates.clear();
    candidates.add(new Candidate("original", null));
    candidates.add(Candidates.parse("race none keep"));
    candidates.add(Candidates.parse("race none raw"));
    decodeMillis.putAll(Map.of("original", 50.0, "race", 50.0, "race, raw", 0.1));
    device = "4MB/s";
    stop = false;
    budget = 1e-9; // after the looks, which take no time of this clock, nothing but the original
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1000, 0, 0.5));
    assertThat(tuning.untried())
        .extracting(Tuning.Untried::name)
        .anyMatch(name -> name.startsWith("race, mix:"));
  }

  @Test
  void sizesAreMeasuredAndWhatDoesNotFitIsBoundByTheDisk()
      throws IOException, InterruptedException {
    long bytes = bytes();
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, bytes / 2, 0, 0.5));
    Result original = tuning.results().getFirst();
    assertThat(original.totalBytes()).isCloseTo((double) bytes, within((double) SAMPLES));
    // what a cache of half the bytes has not is read from the disk in every epoch, at 50 kB/s
    assertThat(original.storeRate())
        .isBetween(50_000.0 / bytes * SAMPLES, 110_000.0 / bytes * SAMPLES);
    assertThat(original.rate()).isEqualTo(original.storeRate());
    assertThat(original.trial().get(Key.CACHE)).isEqualTo("minio:" + bytes / 2);
    assertThat(tuning.diskBytesPerSecond()).isEqualTo(50_000);
  }

  /// Tiles, bands and levels that a crop does not need are not read.
  @Test
  void aDeviceGivesMoreSamplesOfWhichAPartIsRead() throws IOException, InterruptedException {
    decodeMillis.putAll(Map.of("original", 0.1, "tfrecord", 0.1, "tfrecord, jpeg 50", 0.1));
    device = "1MB/s";
    var limits = new Limits(Long.MAX_VALUE, 1, 0, 0.5);
    double whole = tune(limits).results().getFirst().predicted();
    readBytes = bytes() / (4.0 * SAMPLES);
    double part = tune(limits).results().getFirst().predicted();
    assertThat(part / whole).isBetween(3.0, 4.1);
  }

  /// Nothing but reading tells how many samples a compressed TFRecord without a manifest has.
  @Test
  void sizesOfADatasetThatOnlyStreamsAreThoseOfItsSamples()
      throws IOException, InterruptedException {
    Path stream = dir.resolve("stream");
    try (Dataset dataset = Datasets.open(photos)) {
      Representation to = Representation.of("tfrecord", "gzip", "keep", "keep");
      var _ = new Converter(dataset, ConvertOptions.of(stream, to, 1)).run();
    }
    Files.delete(stream.resolve("dataset.json"));
    try (Runner runner = new Runner(dir.resolve("work2"), false)) {
      var found = runner.prepare(Trial.of(stream));
      assertThat(found.samples()).isEqualTo(SAMPLES);
      assertThat(found.bytes())
          .isCloseTo((double) Files.size(Photos.sorted(stream).getFirst()), within(1.0));
    }
  }

  @Test
  void aBusyMachineIsSaidToBeBusy() {
    Result one = Made.result("original", 100, 1, Made.FITS, 100, 110, 300);
    var limits = new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5);
    var tuning =
        new Tuning(
            List.of(one),
            Pick.of(List.of(one), limits),
            limits,
            6,
            6,
            1,
            List.of(0.375, 0.375),
            List.of());
    assertThat(tuning.othersMean()).isCloseTo(0.375, within(1e-9));
    assertThat(tuning.conditions())
        .contains("Repeats of a candidate differ by up to 182 %") // 100, 110, 300
        .contains("Other processes took 38 % of the processors on average, 38 % at most")
        .contains("The machine is busy");
  }
}
