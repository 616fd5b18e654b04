package io.headrace.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.load.Bottleneck;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tuner whose clock, processors, disk and loader are the test's: all its numbers are known.
final class TunerTest {
  private static final int SAMPLES = 6;

  /// Rates of a candidate: of the warm-up, then of each repeat.
  private static final Map<String, double[]> RATES =
      Map.of(
          "original", new double[] {1, 100, 110, 300},
          "tfrecord", new double[] {900, 105, 108, 290},
          "tfrecord, jpeg 50", new double[] {2, 200, 240, 610});

  @TempDir private Path dir = Path.of(".");
  private final AtomicLong clock = new AtomicLong();
  private final List<String> loaded = new ArrayList<>();
  private final List<Long> firsts = new ArrayList<>();
  private Path photos = Path.of(".");
  private long busy;

  @BeforeEach
  void copy() {
    photos = Photos.few(dir.resolve("photos"), 2, 3);
  }

  private TuneOptions options(Limits limits) {
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(new Candidate("original", null));
    for (String encoding : List.of("keep", "jpeg:50")) {
      Representation to = Representation.of("tfrecord", "none", encoding, "keep");
      candidates.add(new Candidate(to.label(), to));
    }
    return new TuneOptions(
        Pipeline.train(),
        LoadOptions.builder().threads(2).build(),
        limits,
        candidates,
        SAMPLES,
        3,
        1,
        dir.resolve("work"));
  }

  private String name(Dataset data) {
    Path root = data.root();
    return root.equals(photos)
        ? "original"
        : root.endsWith("candidate-01") ? "tfrecord" : "tfrecord, jpeg 50";
  }

  /// Two epochs of six samples each, at the rate of the candidate's turn; others have one and a
  /// half of four processors meanwhile.
  private Stretch load(Dataset data, long first) {
    String name = name(data);
    int turn = (int) loaded.stream().filter(name::equals).count();
    double rate = Objects.requireNonNull(RATES.get(name))[turn];
    loaded.add(name);
    firsts.add(first);
    clock.addAndGet(1_000_000_000);
    busy += 150;
    Bottleneck bound = turn == 3 ? Bottleneck.READ : Bottleneck.DECODE;
    return new Stretch(
        List.of(
            Made.epoch(first, SAMPLES, 0, SAMPLES / rate, bound),
            Made.epoch(first + 1, SAMPLES, SAMPLES / rate, SAMPLES / rate, bound)),
        2 * SAMPLES / rate);
  }

  private Tuning tune(Limits limits) throws IOException, InterruptedException {
    TuneOptions options = options(limits);
    var instruments =
        new Instruments(
            () -> clock.addAndGet(0),
            () -> new ProcessorTime(busy, clock.get() / 1_000_000_000 * 400, 4, 0),
            4,
            folder -> 50_000,
            this::load,
            (data, epoch) -> new Solo(0.001 * (1 + epoch), 0.003, 0.001));
    try (Dataset dataset = Datasets.open(photos)) {
      return new Tuner(dataset, options, instruments).run(said -> {});
    }
  }

  @Test
  void candidatesTakeTurnsAndTheMedianCounts() throws IOException, InterruptedException {
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    List<String> turn = List.of("original", "tfrecord", "tfrecord, jpeg 50");
    List<String> four = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      four.addAll(turn);
    }
    assertThat(loaded).isEqualTo(four);
    assertThat(firsts).containsExactly(0L, 0L, 0L, 2L, 2L, 2L, 4L, 4L, 4L, 6L, 6L, 6L);
    assertThat(tuning.results())
        .extracting(r -> r.candidate().name())
        .containsExactlyElementsOf(turn);
    Result original = tuning.results().getFirst();
    assertThat(original.rates()).hasSize(3);
    assertThat(original.measured()).isCloseTo(110, within(1e-6));
    assertThat(original.spread()).isCloseTo(200.0 / 110, within(1e-6));
    assertThat(original.bottleneck()).isEqualTo(Bottleneck.DECODE);
    assertThat(tuning.results().get(1).measured()).isCloseTo(108, within(1e-6));
    assertThat(tuning.results().get(2).measured()).isCloseTo(240, within(1e-6));
    // reading takes 2, 3 and 4 ms in the repeats that count, decoding and the rest 4 ms
    assertThat(original.costs().readSeconds()).isCloseTo(0.003, within(1e-9));
    assertThat(original.decodeSeconds()).isEqualTo(0.003);
    assertThat(original.transformSeconds()).isEqualTo(0.001);
    assertThat(original.predicted()).isCloseTo(Math.min(2 / 0.004, 4 / 0.007), within(1e-6));
    // the machine slowed all three down and sped them up alike: turn by turn, jpeg 50 is faster
    assertThat(tuning.pick().result().candidate().name()).isEqualTo("tfrecord, jpeg 50");
    assertThat(dir.resolve("work")).doesNotExist();
  }

  @Test
  void sizesAreMeasuredAndWhatDoesNotFitIsBoundByTheDisk()
      throws IOException, InterruptedException {
    long bytes = 0;
    for (Path group : Photos.sorted(photos)) {
      for (Path photo : Photos.sorted(group)) {
        bytes += Files.size(photo);
      }
    }
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, bytes / 2, 0, 0.5));
    Result original = tuning.results().getFirst();
    assertThat(original.totalBytes()).isCloseTo((double) bytes, within((double) SAMPLES));
    // half of it is read from the disk in every epoch, at 50 kB/s
    assertThat(original.storeRate()).isCloseTo(50_000.0 / bytes * SAMPLES * 2, within(0.1));
    assertThat(original.rate()).isEqualTo(original.storeRate());
    Result kept = tuning.results().get(1);
    assertThat(kept.totalBytes() - bytes).as("headers and labels").isBetween(100.0, 2000.0);
    assertThat(kept.quality()).isEqualTo(1);
    assertThat(tuning.results().get(2).totalBytes()).isLessThan(0.7 * bytes);
    assertThat(tuning.results().get(2).quality()).isBetween(0.7, 0.99);
    assertThat(tuning.sampled()).isEqualTo(SAMPLES);
    assertThat(tuning.samples()).isEqualTo(SAMPLES);
    assertThat(tuning.diskBytesPerSecond()).isEqualTo(50_000);
  }

  /// Nothing but reading tells how many samples a compressed TFRecord without a manifest has.
  @Test
  void sizesOfADatasetThatOnlyStreamsAreThoseOfItsSamples()
      throws IOException, InterruptedException {
    Path stream = dir.resolve("stream");
    try (Dataset dataset = Datasets.open(photos)) {
      Representation to = Representation.of("tfrecord", "gzip", "keep", "keep");
      new io.headrace.convert.Converter(
              dataset, io.headrace.convert.ConvertOptions.of(stream, to, 1))
          .run();
    }
    Files.delete(stream.resolve("dataset.json"));
    long bytes;
    try (Dataset dataset = Datasets.open(stream)) {
      assertThat(dataset.size()).isEqualTo(-1);
      bytes = dataset.storedBytes();
    }
    photos = stream;
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    assertThat(tuning.results().getFirst().totalBytes()).isCloseTo((double) bytes, within(1.0));
    assertThat(tuning.results().getFirst().costs().storedBytes())
        .isCloseTo((double) bytes / SAMPLES, within(1.0));
    assertThat(tuning.results().get(2).totalBytes()).isLessThan(0.7 * bytes);
    assertThat(tuning.sampled()).isEqualTo(SAMPLES);
  }

  @Test
  void aBusyMachineIsSaidToBeBusy() throws IOException, InterruptedException {
    Tuning tuning = tune(new Limits(Long.MAX_VALUE, 1L << 40, 0, 0.5));
    assertThat(tuning.others()).hasSize(9); // warm-ups do not count
    assertThat(tuning.othersMean()).isCloseTo(1.5 / 4, within(1e-9));
    assertThat(tuning.othersMost()).isCloseTo(1.5 / 4, within(1e-9));
    assertThat(tuning.conditions())
        .contains("Repeats of a candidate differ by up to 182 %") // 100, 110, 300
        .contains("Other processes took 38 % of the processors on average, 38 % at most")
        .contains("The machine is busy");
  }
}
