package io.headrace.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.lab.report.Report;
import io.headrace.lab.trial.FakeMachine;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sweeps on a machine whose figures are known.
final class SweeperTest {
  @TempDir private Path dir = Path.of(".");
  private final List<String> said = new ArrayList<>();
  private Sweep sweep = Sweep.of("none yet", Trial.of(Path.of(".")));
  private Path file = Path.of(".");

  /// Two threads take 0.3 s in the first repeat, 0.1 s more in each further one; one thread takes
  /// twice as long.
  private final FakeMachine machine =
      new FakeMachine(
          (data, options, epoch, samples) ->
              (0.2 + 0.1 * Math.floorDiv(epoch, 1_000_000L)) * 2 / options.threads());

  @BeforeEach
  void make() {
    Path photos = Photos.few(dir.resolve("photos"), 2, 3);
    file = dir.resolve("out/runs.jsonl");
    sweep = Sweep.of("threads", Trial.of(photos)).over(Key.THREADS, "1", "2").repeats(3).seconds(0);
  }

  private Runs run(AtomicInteger left) throws IOException, InterruptedException {
    try (var runner = new Runner(dir.resolve("work"), false, machine.instruments())) {
      return new Sweeper(
              runner, Map.of("CPU", "made up"), said::add, () -> left.getAndDecrement() > 0)
          .run(sweep, file);
    }
  }

  @Test
  void trialsTakeTurnsAndWarmUpsDoNotCount() throws IOException, InterruptedException {
    Runs runs = run(new AtomicInteger(100));
    assertThat(said.subList(0, 4))
        .containsExactly(
            "threads: as found, threads 1, warm-up",
            "threads: as found, threads 2, warm-up",
            "threads: as found, threads 1, 1 of 3",
            "threads: as found, threads 2, 1 of 3");
    assertThat(said).hasSize(8);
    assertThat(runs.runs()).hasSize(8);
    assertThat(runs.machine()).containsEntry("CPU", "made up");
    List<Summary> summaries = runs.summaries();
    assertThat(summaries).hasSize(2);
    Summary one = summaries.getFirst();
    Summary two = summaries.get(1);
    assertThat(two.runs()).extracting(Run::repeat).containsExactly(1, 2, 3);
    assertThat(two.rate()).isCloseTo(6 / 0.4, within(1e-6));
    assertThat(two.median(Run::rate).low()).isCloseTo(6 / 0.5, within(1e-6));
    assertThat(two.median(Run::rate).high()).isCloseTo(6 / 0.3, within(1e-6));
    assertThat(one.rate()).isCloseTo(6 / 0.8, within(1e-6));
    assertThat(runs.of(sweep.trials().getFirst())).isEqualTo(one);
  }

  /// As it is killed after each run in turn, and with a line half written.
  @Test
  void aSweepThatStoppedGoesOnWhereItStopped() throws IOException, InterruptedException {
    Runs whole = run(new AtomicInteger(100));
    Files.delete(file);
    Runs runs = run(new AtomicInteger(1));
    for (int i = 0;
        i < 20 && runs.summaries().stream().mapToInt(s -> s.runs().size()).sum() < 6;
        i++) {
      Files.writeString(file, Files.readString(file) + "{\"settings\":{\"data");
      runs = run(new AtomicInteger(3));
    }
    assertThat(runs.summaries()).hasSize(2);
    for (Summary summary : runs.summaries()) {
      assertThat(summary.runs()).extracting(Run::repeat).containsExactly(1, 2, 3);
      assertThat(summary.rate()).isCloseTo(whole.of(summary.trial()).rate(), within(1e-9));
    }
    int before = said.size();
    assertThat(run(new AtomicInteger(100)).runs()).hasSameSizeAs(runs.runs());
    assertThat(said).as("nothing is run again").hasSize(before);
  }

  @Test
  void onlyTheSweepsOwnRunsAreGivenBack() throws IOException, InterruptedException {
    var _ = run(new AtomicInteger(100));
    List<Trial> two =
        sweep.trials().stream().filter(trial -> trial.get(Key.THREADS).equals("2")).toList();
    sweep = sweep.withTrials(two).repeats(4);
    Runs runs = run(new AtomicInteger(100));
    assertThat(runs.summaries()).hasSize(1);
    assertThat(runs.summaries().getFirst().runs()).hasSize(4);
    assertThat(Runs.read(file).summaries()).hasSize(2);
  }

  @Test
  void coldRunsOfAReconvertingSweepTimeEachConversion() throws IOException, InterruptedException {
    Trial cold = sweep.trials().getFirst().with(Key.LEVEL, "cold");
    Sweep both = Sweep.of("cold", cold).over(Key.FORMAT, "found", "race");
    sweep = new Sweep("cold", both.trials(), 2, 1, true);
    Runs runs = run(new AtomicInteger(100));
    List<Run> race =
        runs.runs().stream().filter(r -> r.setting(Key.FORMAT).equals("race")).toList();
    assertThat(race).hasSize(3);
    assertThat(race).allMatch(run -> run.conversion().samples() == 6);
    assertThat(machine.log.stream().filter(line -> line.endsWith(".race"))).hasSize(18);
  }

  @Test
  void theReportShowsEveryTrial() throws IOException, InterruptedException {
    Runs runs = run(new AtomicInteger(100));
    Report report = RunsPage.of(runs, "runs.jsonl", "headrace report runs.jsonl");
    assertThat(report.subtitle()).isEqualTo("2 trials, 6 runs that count");
    Report.Figure rates = report.sections().getFirst().figure();
    Report.Table table = report.sections().getLast().table();
    assertThat(rates != null && table != null).isTrue();
    if (rates != null && table != null) {
      assertThat(rates.points())
          .extracting(Report.Point::label)
          .containsExactly("as found, threads 1", "as found, threads 2");
      assertThat(rates.points().getLast().y()).isCloseTo(6 / 0.4, within(1e-6));
      assertThat(rates.points().getLast().low()).isCloseTo(6 / 0.5, within(1e-6));
      assertThat(table.marked()).as("the fastest").containsExactly(1);
      assertThat(table.rows()).allMatch(row -> row.size() == table.columns().size());
      assertThat(table.rows().getFirst().getLast().toString()).startsWith("headrace load ");
    }
    assertThat(report.machine()).containsEntry("CPU", "made up");
  }

  @Test
  void filesOfOtherKindsAreRefused() throws IOException {
    Path other = dir.resolve("other");
    assertThatThrownBy(() -> Runs.read(other))
        .isInstanceOf(ConfigException.class)
        .hasMessage("no runs at " + other);
    Files.writeString(other, "{\"a\":1}\n");
    assertThatThrownBy(() -> Runs.read(other))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            other + " is not a file of runs of version 1: no headrace_runs in its first line");
    Files.writeString(other, "{\"headrace_runs\":\"1\",\"machine\":{}}\nnot JSON\n");
    assertThatThrownBy(() -> Runs.read(other))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(other + ", line 2 is not a run: ");
  }

  @Test
  void aGridIsTheProductOfItsValuesWithoutDuplicates() {
    Sweep grid =
        Sweep.of("grid", Trial.of(Path.of("photos")))
            .over(Key.FORMAT, "tfrecord", "tar")
            .over(Key.COMPRESSION, "none", "zlib", "zlib:strategy=default");
    assertThat(grid.trials()).hasSize(4);
    assertThat(grid.varied()).containsExactly(Key.FORMAT, Key.COMPRESSION);
    List<Trial> twice = new ArrayList<>(grid.trials());
    twice.addAll(grid.trials());
    assertThat(grid.withTrials(twice).trials()).hasSize(4);
    assertThatThrownBy(() -> grid.withTrials(List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("sweep grid of 0 trials");
  }
}
