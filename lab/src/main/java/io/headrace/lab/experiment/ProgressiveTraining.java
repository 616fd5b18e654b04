package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.times;

import io.headrace.convert.inspect.FidelityLikeness;
import io.headrace.format.Dataset;
import io.headrace.lab.experiment.Course.Leg;
import io.headrace.lab.report.Report;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Key;
import io.headrace.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Paper D: training on the first scans of each picture, from a slow device and from memory.
final class ProgressiveTraining extends Experiment {
  private static final int GROUPS = 4;

  /// The device delivers so much of what the trainer takes at full fidelity.
  private static final double DEVICE = 0.4;

  ProgressiveTraining() {
    super("pcr-training", "How soon is an accuracy reached when only the first scans are read?");
  }

  private static Course course(Setup setup, String model, String set, String fidelity) {
    return Course.of(model, set, Leg.at(setup.study().epochs(), fidelity));
  }

  /// {@return a training on photos in memory; full fidelity has the original's pixels}
  private static Course still(Setup setup, int fidelity) {
    String model = setup.study().model();
    return fidelity == GROUPS
        ? Accuracy.course(setup, model, Course.PHOTOS, "keep")
        : course(setup, model, Course.PHOTOS, String.valueOf(fidelity));
  }

  private static List<Course> still(Setup setup) {
    return IntStream.rangeClosed(1, GROUPS).mapToObj(group -> still(setup, group)).toList();
  }

  /// {@return trainings from the device: at full fidelity, at what MS-SSIM picks, at what gradients
  ///     choose}
  private static List<Course> slow(Setup setup, Facts facts) {
    return Stream.of("full", spelt(picked(facts, Course.PHOTOS)), Training.TUNED)
        .map(fidelity -> slow(setup, facts, fidelity))
        .toList();
  }

  /// {@return a training on photos from the device}
  private static Course slow(Setup setup, Facts facts, String fidelity) {
    return course(setup, setup.study().model(), Course.PHOTOS, fidelity)
        .with(Key.STORE, Setup.device(facts.get("device")));
  }

  /// {@return the fidelity that MS-SSIM picks for a set}
  private static int picked(Facts facts, String set) {
    List<Double> likeness = new ArrayList<>();
    for (int group = 1; group <= GROUPS; group++) {
      likeness.add(facts.get("likeness %s %d".formatted(set, group)));
    }
    return FidelityLikeness.least(likeness, FidelityLikeness.ENOUGH);
  }

  private static String spelt(int fidelity) {
    return fidelity == GROUPS ? "full" : String.valueOf(fidelity);
  }

  /// {@return trainings of other models and datasets, at the fidelity that MS-SSIM picks}
  private static List<Course> others(Setup setup, Facts facts) {
    List<Course> others = new ArrayList<>();
    for (String set : Accuracy.sets(setup)) {
      for (String model : setup.study().models().subList(0, 2)) {
        int fidelity = picked(facts, set);
        boolean main = model.equals(setup.study().model());
        if (fidelity < GROUPS && (main || set.equals(Course.PHOTOS))) {
          others.add(course(setup, model, set, spelt(fidelity)));
        }
      }
    }
    return others;
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    for (String set : Accuracy.sets(setup)) {
      if (!facts.has("likeness %s %d".formatted(set, GROUPS))) {
        var trial = bench.classroom().trial(set, Leg.at(1, "full"));
        try (Dataset data = bench.runner().open(trial, Store.LOCAL)) {
          double[] likeness = FidelityLikeness.of(data, FidelityLikeness.PICTURES);
          for (int group = 1; group <= GROUPS; group++) {
            facts.keep(
                "likeness %s %d".formatted(set, group),
                likeness[Math.min(group, likeness.length) - 1]);
          }
        }
      }
    }
    Map<String, List<Curve>> first = bench.classroom().train(List.of(still(setup, GROUPS)));
    if (first.isEmpty()) {
      return new Data(setup, facts, Map.of());
    }
    facts.keep(
        "bytes original", () -> bench.classroom().stored(Course.PHOTOS, Leg.of(1, "keep")).bytes());
    facts.keep(
        "device",
        () -> {
          double rate = first.values().iterator().next().getFirst().trainersRate();
          Conversion full = bench.classroom().stored(Course.PHOTOS, Leg.at(1, "full"));
          return DEVICE * rate * full.bytesPerSample();
        });
    List<Course> all = new ArrayList<>(still(setup));
    all.addAll(others(setup, facts));
    for (Course course : others(setup, facts)) {
      all.add(Accuracy.course(setup, course.model(), course.set(), "keep"));
    }
    all.addAll(slow(setup, facts));
    return new Data(setup, facts, bench.classroom().train(all.stream().distinct().toList()));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("D5", "less time to a target accuracy", "up to 2×", this::sooner),
        new Claim("D6", "on several datasets, tasks and machines", "4 datasets", this::range),
        new Claim("D7", "more than half of the bytes can be left out", "> 50 %", this::tolerable),
        new Claim(
            "D8", "the level is chosen automatically, ahead or while training", "", this::tuners),
        new Claim(
            "D12", "a regimen: the tuner changes the fidelity in mid-training", "", this::changed));
  }

  /// {@return how much sooner than full fidelity a training from the device reaches what full
  ///     fidelity reaches with every seed}
  private static Score gain(Data data, String fidelity) {
    Course full = slow(data.setup(), data.facts(), "full");
    double target = data.of(full).stream().mapToDouble(Curve::last).min().orElseThrow();
    List<Double> gains = new ArrayList<>();
    double whole = data.score(full, curve -> curve.secondsTo(target)).mean();
    for (Curve curve : data.of(slow(data.setup(), data.facts(), fidelity))) {
      gains.add(whole / curve.secondsTo(target));
    }
    return Score.of(gains);
  }

  private Verdict sooner(Data data) {
    String picked = spelt(picked(data.facts(), Course.PHOTOS));
    Score still = gain(data, picked);
    Score tuned = gain(data, Training.TUNED);
    Score best = still.above(tuned) > 0 ? still : tuned;
    return Verdict.of(
        best.mean() - best.spread() > 1,
        times(best.mean()),
        format(
            "to what full fidelity reaches with every seed, from a device of %s: fidelity %s %s,"
                + " chosen while training %s",
            Setup.device(data.fact("device")), picked, gained(still), gained(tuned)));
  }

  private static String gained(Score gain) {
    return gain.mean() == 0
        ? "does not get there"
        : format("%.2f ± %.2f", gain.mean(), gain.spread());
  }

  private Verdict range(Data data) {
    List<Course> others = others(data.setup(), data.facts());
    List<String> words = new ArrayList<>();
    boolean same = true;
    for (Course course : others) {
      Score full =
          data.accuracy(Accuracy.course(data.setup(), course.model(), course.set(), "keep"));
      Score less = data.accuracy(course);
      same &= less.keepsUpWith(full);
      words.add(course.model() + " on " + course.set() + " " + less.against(full));
    }
    return Verdict.of(
        same && others.size() > 2,
        others.size() + " trainings",
        "on one machine, at the fidelity of MS-SSIM 0.95: " + String.join("; ", words));
  }

  /// {@return the least fidelity whose accuracy is not below that of full by more than the spreads}
  private static int least(Data data) {
    Score full = data.accuracy(still(data.setup(), GROUPS));
    int fidelity = 1;
    while (fidelity < GROUPS && !data.accuracy(still(data.setup(), fidelity)).keepsUpWith(full)) {
      fidelity++;
    }
    return fidelity;
  }

  private Verdict tolerable(Data data) {
    int fidelity = least(data);
    Course course = still(data.setup(), fidelity);
    double share =
        data.score(course, Curve::bytesPerImage).mean()
            / data.score(still(data.setup(), GROUPS), Curve::bytesPerImage).mean();
    Score full = data.accuracy(still(data.setup(), GROUPS));
    return Verdict.of(
        share < 0.5,
        percent(1 - share),
        format(
            "fidelity %d of %d: %s, the original %s: %s",
            fidelity, GROUPS, data.accuracy(course), full, data.accuracy(course).against(full)));
  }

  private Verdict tuners(Data data) {
    Course full = slow(data.setup(), data.facts(), "full");
    String picked = spelt(picked(data.facts(), Course.PHOTOS));
    List<String> words = new ArrayList<>();
    boolean good = true;
    for (String fidelity : List.of(picked, Training.TUNED)) {
      Course course = slow(data.setup(), data.facts(), fidelity);
      Score top = data.accuracy(course);
      double share =
          data.score(course, Curve::bytesPerImage).mean()
              / data.score(full, Curve::bytesPerImage).mean();
      good &= share < 1 && top.keepsUpWith(data.accuracy(full));
      words.add(
          format(
              "%s: %s of the bytes, %s",
              fidelity.equals(Training.TUNED) ? "by gradients" : "by MS-SSIM, fidelity " + picked,
              percent(share),
              top.against(data.accuracy(full))));
    }
    return Verdict.of(good, "fidelity " + picked, String.join("; ", words));
  }

  private Verdict changed(Data data) {
    Course tuned = slow(data.setup(), data.facts(), Training.TUNED);
    Score full = data.accuracy(slow(data.setup(), data.facts(), "full"));
    Score top = data.accuracy(tuned);
    List<List<String>> fidelities =
        data.of(tuned).stream()
            .map(curve -> curve.epochs().stream().map(Curve.Epoch::fidelity).toList())
            .toList();
    return Verdict.of(
        fidelities.stream().allMatch(all -> Set.copyOf(all).size() > 1) && top.keepsUpWith(full),
        String.join(" ", fidelities.getFirst()),
        "fidelity by epoch, first seed; accuracy " + top.against(full));
  }

  @Override
  public List<Report.Section> show(Data data) {
    if (data.curves().isEmpty()) {
      return List.of();
    }
    Setup setup = data.setup();
    return List.of(
        Course.bars("Accuracy by fidelity", Accuracy.note(setup), data, still(setup)),
        Course.times(
            "Accuracy by time, from the device",
            format("A device of %s.", Setup.device(data.fact("device"))),
            data,
            slow(setup, data.facts())));
  }
}
