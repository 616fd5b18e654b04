package io.headrace.lab.tune;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.perSecond;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Model;
import io.headrace.lab.model.Platform;
import io.headrace.lab.model.Prediction;
import io.headrace.lab.model.Prediction.Bound;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.sweep.Sweeper;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Instruments;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.load.Bottleneck;
import io.headrace.load.cache.CacheSpec;
import io.headrace.store.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Picks a representation and a way to load it within limits: predicts all candidates from a few
/// samples of each, measures those that may be the best, in turn, until the same one wins.
///
/// @param runner stays the caller's
/// @param instruments that it measures with
/// @param disk measures the work folder's disk
/// @param glancing looks at a few samples
/// @param stopped whether to end now, with the best so far
public record Tuner(
    TuneOptions options,
    Runner runner,
    Instruments instruments,
    Disk disk,
    Glancing glancing,
    BooleanSupplier stopped) {
  /// Samples that each candidate is converted to be predicted from, and bytes of them as they were
  /// found: of large ones a few tell as much.
  private static final int FEW = 16;

  private static final double FEW_BYTES = 8e6;
  private static final int LEAST = 4;

  /// The same for learned codecs, which take seconds for a large picture.
  private static final double FEW_LEARNED_BYTES = 2e5;

  /// Candidates that are measured besides the original, at most.
  private static final int MEASURED = 7;

  /// What one thread alone tells of a rate is so far off, at most, in nine of ten cases.
  private static final Model FROM_A_GLANCE = new Model(0.3);

  /// Share of the budget that predicting may take.
  private static final double PREDICTING = 0.5;

  /// Share of the budget after which nothing more is converted: a round of measurements follows.
  private static final double CONVERTING = 0.8;

  /// A candidate this much slower than the best is measured no further.
  private static final double LOST = 0.75;

  /// Turns in which the same candidate must be the pick.
  private static final int STABLE = 2;

  private static final int MAX_TURNS = 9;

  /// Tells the bytes a second that a folder's disk gives.
  @FunctionalInterface
  public interface Disk {
    /// {@return the rate}
    double bytesPerSecond(Path folder) throws IOException;
  }

  /// Tells what a sample of a trial's data costs one thread.
  @FunctionalInterface
  public interface Glancing {
    /// {@return the costs, with the bytes that loading reads of a sample in random order}
    Costs at(Trial trial) throws IOException, InterruptedException;
  }

  /// Runs everything. What was converted is the runner's to remove.
  ///
  /// @param progress told what is done, one line each
  /// @throws IOException if the dataset as it is cannot be loaded
  public Tuning run(Consumer<String> progress) throws IOException, InterruptedException {
    Files.createDirectories(options.work());
    Conversion found = runner.prepare(options.trial());
    Device imitated = Device.find(options.trial().get(Key.STORE));
    progress.accept("measuring the disk");
    double rate =
        imitated == null ? disk.bytesPerSecond(options.work()) : imitated.bytesPerSecond();
    var search = new Search(found, imitated, rate, progress);
    search.look();
    search.mix();
    search.choose();
    search.measure();
    List<Result> results = search.results();
    return new Tuning(
        results,
        Pick.of(results, options.limits()),
        options.limits(),
        Math.min(options.samples(), found.samples()),
        found.samples(),
        rate,
        search.others,
        search.untried);
  }

  /// A candidate that was looked at.
  ///
  /// @param candidate which
  /// @param few the conversion of a few samples
  /// @param costs of a sample
  /// @param feeding how it is best loaded
  private record Seen(Candidate candidate, Conversion few, Costs costs, Feedings.Feeding feeding) {
    double predicted() {
      return feeding.prediction().rate();
    }
  }

  /// One search.
  private final class Search {
    private final Conversion found;
    private final @Nullable Device imitated;
    private final double diskRate;
    private final Consumer<String> progress;
    private final long start = instruments.ticker().nanos();
    private final List<Seen> seen = new ArrayList<>();
    private final List<Tuning.Untried> untried = new ArrayList<>();
    private final List<Double> others = new ArrayList<>();

    /// Whether what is measured now is measured for the first time: that is completed.
    private boolean first = true;

    /// Trials on the samples, of those that are measured.
    private final Map<Seen, Trial> measured = new LinkedHashMap<>();

    private final double bandwidth = instruments.memory().getAsDouble();
    private final Path file = options.work().resolve("runs.jsonl");

    Search(
        Conversion found, @Nullable Device imitated, double diskRate, Consumer<String> progress) {
      this.found = found;
      this.imitated = imitated;
      this.diskRate = diskRate;
      this.progress = progress;
    }

    /// {@return whether a share of the budget is used up}
    private boolean over(double share) {
      double passed = (instruments.ticker().nanos() - start) / 1e9;
      return stopped.getAsBoolean() || passed > share * options.budgetSeconds();
    }

    private void leaveOut(Candidate candidate, double predicted, String why) {
      untried.add(new Tuning.Untried(candidate.name(), predicted, why));
    }

    /// Converts a few samples to each candidate, and predicts what each would give.
    void look() throws IOException, InterruptedException {
      for (Candidate candidate : options.candidates()) {
        boolean original = candidate.original();
        if (!original && over(PREDICTING)) {
          leaveOut(candidate, 0, "there was no time to look at it");
          continue;
        }
        progress.accept("looking at " + candidate.name());
        try {
          Trial few = sampled(options.trial().with(candidate.representation()), few(candidate));
          Conversion conversion = runner.prepare(few);
          Costs costs = glancing.at(few);
          double bytes = original ? found.bytesPerSample() : conversion.bytesPerSample();
          double share = Math.min(1, costs.bytes() / Math.max(1, conversion.bytesPerSample()));
          seen.add(seen(candidate, conversion, costs.withBytes(few, bytes, share * bytes)));
        } catch (ConfigException | IOException e) {
          if (original) {
            throw e;
          }
          leaveOut(candidate, 0, String.valueOf(e.getMessage()));
        }
      }
    }

    /// {@return how many samples of a candidate are looked at}
    private int few(Candidate candidate) {
      Representation to = candidate.representation();
      boolean learned = to != null && to.encoding().spec().startsWith("learned");
      double bytes = Math.max(1, found.bytesPerSample());
      int few =
          learned
              ? (int) Math.clamp(FEW_LEARNED_BYTES / bytes, 1, LEAST)
              : (int) Math.clamp(FEW_BYTES / bytes, LEAST, FEW);
      return Math.min(few, options.samples());
    }

    private Seen seen(Candidate candidate, Conversion few, Costs costs) {
      Trial whole = options.trial().with(candidate.representation());
      double total = costs.bytes() * found.samples();
      return new Seen(
          candidate,
          few,
          costs,
          new Feedings(platform(total), options.limits().memoryBytes(), found.samples())
              .best(whole, costs, FROM_A_GLANCE));
    }

    /// {@return where a dataset of so many bytes comes from}
    private Platform platform(double totalBytes) {
      Platform memory = Platform.of(instruments.allowed(), bandwidth);
      if (imitated != null) {
        return memory.with(imitated);
      }
      return totalBytes <= options.limits().memoryBytes()
          ? memory
          : memory.with(Device.rate("disk", diskRate));
    }

    /// C9: formats with opposing characteristics are mixed where the model says that a mixture of
    /// raw and encoded images is faster than both: loading and decoding are then in balance. A
    /// mixture's costs are those of its parts, in proportion, so that all ratios are predicted from
    /// two candidates.
    void mix() {
      Seen raw = find("race none raw");
      Seen kept = find("race none keep");
      if (raw == null || kept == null) {
        return;
      }
      Seen best = null;
      for (int tenths = 1; tenths < 10; tenths++) {
        double share = tenths / 10.0;
        Candidate candidate =
            Candidates.parse("race none mix:%d*raw+%d*keep".formatted(tenths, 10 - tenths));
        Costs costs = raw.costs().mixed(share, kept.costs());
        Conversion few =
            new Conversion(
                share * raw.few().seconds() + (1 - share) * kept.few().seconds(),
                share * raw.few().cpuSeconds() + (1 - share) * kept.few().cpuSeconds(),
                raw.few().samples(),
                costs.bytes() * raw.few().samples(),
                raw.few().psnr(),
                raw.few().ssim(),
                raw.few().msSsim());
        Seen one = seen(candidate, few, costs);
        best = best == null || one.predicted() > best.predicted() ? one : best;
      }
      double ends = Math.max(raw.predicted(), kept.predicted());
      if (best != null && best.predicted() > (1 + Pick.NOISE) * ends) {
        seen.add(best);
      }
    }

    private @Nullable Seen find(String line) {
      Candidate wanted = Candidates.parse(line);
      return seen.stream().filter(one -> one.candidate().equals(wanted)).findFirst().orElse(null);
    }

    private double convertSeconds(Candidate candidate, Conversion conversion) {
      return candidate.original()
          ? 0
          : conversion.seconds() / Math.max(1, conversion.samples()) * found.samples();
    }

    private double capped(double rate) {
      double consumer = options.limits().consumer();
      return consumer > 0 ? Math.min(consumer, rate) : rate;
    }

    /// Leaves out what is outside the limits, and what is predicted to be slower than others.
    void choose() {
      List<Seen> allowed = new ArrayList<>();
      for (Seen one : seen.subList(1, seen.size())) {
        String objection =
            options
                .limits()
                .objection(
                    one.candidate(),
                    one.costs().bytes() * found.samples(),
                    one.few(),
                    convertSeconds(one.candidate(), one.few()));
        if (objection.isEmpty()) {
          allowed.add(one);
        } else {
          boolean slower = capped(one.predicted()) < capped(seen.getFirst().predicted());
          leaveOut(
              one.candidate(),
              one.predicted(),
              slower ? "%s, and slower: %s".formatted(objection, rate(one)) : objection);
        }
      }
      allowed.sort(
          Comparator.comparingDouble((Seen one) -> -capped(one.predicted()))
              .thenComparingDouble(one -> -one.few().ssim())
              .thenComparingDouble(one -> one.costs().bytes()));
      double bar = allowed.isEmpty() ? 0 : capped(allowed.getFirst().feeding().prediction().low());
      choose(seen.getFirst());
      for (Seen one : allowed) {
        if (measured.size() <= MEASURED && capped(one.feeding().prediction().high()) >= bar) {
          choose(one);
        } else {
          leaveOut(one.candidate(), one.predicted(), rate(one) + ", others more");
        }
      }
    }

    /// {@return the rate to expect, and what takes most where it is work}
    private static String rate(Seen one) {
      String rate = "predicted " + perSecond(one.predicted());
      Costs.Work work = one.costs().miss();
      Bound bound = one.feeding().prediction().bound();
      boolean decoding = work.decode() > work.read() + work.transform();
      return decoding && (bound == Bound.WORKERS || bound == Bound.PROCESSORS)
          ? format("%s (decoding takes %,.1f ms of a core)", rate, 1000 * work.decode())
          : rate;
    }

    private void choose(Seen one) {
      Trial whole = one.feeding().trial();
      if (imitated == null && !whole.cache().decoded()) {
        whole = whole.with(Key.CACHE, "none"); // measured from memory; the model says the rest
      }
      // epochs of slow trials are made short, but never so short that a cache has no meaning
      double within = Math.max(1, options.seconds()) * one.predicted();
      int number = (int) Math.clamp(within, Math.min(64, options.samples()), options.samples());
      measured.put(one, sampled(whole, number));
    }

    /// {@return a trial of some of the samples, with a cache that holds the same share of them}
    private Trial sampled(Trial whole, int number) {
      long count = Math.max(1, found.samples());
      Trial few = whole.with(Key.SAMPLES, Math.min(number, count));
      CacheSpec cache = whole.cache();
      if (cache instanceof CacheSpec.None) {
        return few;
      }
      double share = Math.min(1, (double) number / count);
      long bytes = Math.max(1 << 16, (long) (cache.bytes() * share));
      return few.with(Key.CACHE, whole.get(Key.CACHE).replaceFirst(":[^:]+", ":" + bytes));
    }

    /// Loads candidates in turn until the same one is the pick, or the time is over.
    void measure() throws IOException, InterruptedException {
      Runs.begin(file, "tune", Map.of());
      List<Trial> all = List.copyOf(measured.values());
      var sweep = new Sweep("tune", all, options.repeats(), options.seconds(), false);
      var sweeper = new Sweeper(runner, Map.of(), progress, () -> first || !over(1));
      boolean any = false;
      for (Seen one : List.copyOf(measured.keySet())) {
        boolean original = one.candidate().original();
        if (!original && over(any ? CONVERTING : 1)) {
          drop(one, "there was no time to measure it");
        } else {
          convert(one, sweep, sweeper);
          any |= !original;
        }
      }
      @Nullable Candidate winner = null;
      int stable = 0;
      for (int turn = 1; turn <= Math.max(options.repeats(), MAX_TURNS); turn++) {
        first = turn == 1;
        boolean _ = sweeper.round(sweep, List.copyOf(measured.values()), turn, file);
        List<Result> results = results();
        Candidate best = Pick.of(results, options.limits()).result().candidate();
        stable = best.equals(winner) ? stable + 1 : 1;
        winner = best;
        if (over(1) || (turn >= options.repeats() && (stable >= STABLE || turn == 1))) {
          return;
        }
        dropSlow(results, best);
      }
    }

    private void convert(Seen one, Sweep sweep, Sweeper sweeper)
        throws IOException, InterruptedException {
      Trial trial = Objects.requireNonNull(measured.get(one));
      progress.accept("converting to " + one.candidate().name());
      try {
        var _ = runner.prepare(trial);
        boolean _ = sweeper.round(sweep, List.of(trial), 0, file);
      } catch (ConfigException | IOException e) {
        if (one.candidate().original()) {
          throw e;
        }
        drop(one, String.valueOf(e.getMessage()));
      }
    }

    private void drop(Seen one, String why) {
      measured.remove(one);
      leaveOut(one.candidate(), one.predicted(), why);
    }

    /// Stops to measure what is far behind the best after two turns and more.
    private void dropSlow(List<Result> results, Candidate pick) {
      double best = results.stream().mapToDouble(r -> capped(r.rate())).max().orElse(0);
      for (Result result : results) {
        Candidate candidate = result.candidate();
        boolean far = result.rates().size() >= 2 && capped(result.rate()) < LOST * best;
        if (far && !candidate.original() && !candidate.equals(pick)) {
          String why = format("measured %,.0f samples/s, others more", result.rate());
          measured.keySet().stream()
              .filter(one -> one.candidate().equals(candidate))
              .toList()
              .forEach(one -> drop(one, why));
        }
      }
    }

    /// {@return what was measured so far of those that are still measured}
    List<Result> results() throws IOException {
      Runs runs = Runs.read(file);
      List<Result> results = new ArrayList<>();
      others.clear();
      for (Map.Entry<Seen, Trial> one : measured.entrySet()) {
        Summary summary = runs.of(one.getValue());
        summary.runs().forEach(run -> others.add(run.others()));
        results.add(result(one.getKey(), summary));
      }
      return results;
    }

    private Result result(Seen one, Summary summary) {
      Conversion conversion = summary.conversion();
      boolean original = one.candidate().original();
      Costs measuredCosts = Costs.of(summary, instruments.allowed(), null);
      double bytes = original ? found.bytesPerSample() : conversion.bytesPerSample();
      Costs costs =
          new Costs(
              bytes,
              measuredCosts.requests(),
              measuredCosts.miss(),
              one.costs().hit(),
              one.costs().keptBytes(),
              measuredCosts.rest(),
              measuredCosts.busy());
      Prediction prediction = one.feeding().prediction();
      return new Result(
          one.candidate(),
          one.feeding().trial(),
          costs,
          bytes * found.samples(),
          conversion,
          convertSeconds(one.candidate(), conversion),
          imitated == null ? prediction.without(Bound.STORE) : prediction.rate(),
          summary.runs().stream().map(Run::rate).toList(),
          imitated == null ? prediction.limit(Bound.STORE) : Double.POSITIVE_INFINITY,
          bottleneck(summary.commonest(Run::bottleneck)));
    }

    private static Bottleneck bottleneck(String label) {
      return Arrays.stream(Bottleneck.values())
          .filter(one -> one.label().equals(label))
          .findFirst()
          .orElseThrow();
    }
  }
}
