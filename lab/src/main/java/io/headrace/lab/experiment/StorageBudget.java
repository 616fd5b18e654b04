package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;

import io.headrace.error.ConfigException;
import io.headrace.lab.experiment.Course.Leg;
import io.headrace.lab.report.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Paper B, Fig. 8: a dataset in less storage, compressed or with fewer of its images.
final class StorageBudget extends Experiment {
  /// From the highest quality; WebP where no JPEG is small enough.
  private static final List<String> CANDIDATES =
      List.of("jpeg:85", "jpeg:75", "jpeg:50", "jpeg:25", "jpeg:10", "webp:10");

  StorageBudget() {
    super(
        "storage-budget",
        "Which learns more from less storage, a compressed dataset or a part of it?");
  }

  private static List<String> models(Setup setup) {
    List<String> models = setup.study().models();
    return models.subList(0, models.size() > 2 && setup.size() == Size.FULL ? 3 : 2);
  }

  /// {@return the training on the highest quality that fits into a budget}
  ///
  /// @throws ConfigException if none fits
  private static Course compressed(Setup setup, Facts facts, String model, int percent) {
    for (String encoding : CANDIDATES) {
      if (facts.get("bytes " + encoding) <= facts.get("bytes keep") * percent / 100) {
        return Accuracy.course(setup, model, Course.PHOTOS, encoding);
      }
    }
    throw new ConfigException("no variant fits into %d %%".formatted(percent));
  }

  private static Course part(Setup setup, String model, int percent) {
    Leg whole = Leg.of(setup.study().epochs(), "keep");
    return Course.of(model, Course.PHOTOS, whole.of(percent + "%"));
  }

  /// {@return budgets into which some variant fits}
  private static List<Integer> budgets(Setup setup, Facts facts) {
    double least = CANDIDATES.stream().mapToDouble(e -> facts.get("bytes " + e)).min().orElse(0);
    return setup.study().budgets().stream()
        .filter(percent -> least <= facts.get("bytes keep") * percent / 100)
        .toList();
  }

  private static List<Course> courses(Setup setup, Facts facts) {
    return Setup.product(
            models(setup),
            budgets(setup, facts),
            (model, percent) ->
                List.of(compressed(setup, facts, model, percent), part(setup, model, percent)))
        .stream()
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    bench.classroom().keepBytes(facts, "keep");
    for (String encoding : CANDIDATES) {
      bench.classroom().keepBytes(facts, encoding);
    }
    return new Data(setup, facts, bench.classroom().train(courses(setup, facts)));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B42",
            "budgets of 50 to 10 %: the highest quality that fits against a part of the images",
            "5 budgets",
            this::budgets),
        new Claim(
            "B43",
            "compression wins by 6 points at 50 %, by 29 at 10 %; less with smaller models",
            "6 to 29 points",
            this::gaps));
  }

  private Verdict budgets(Data data) {
    Setup setup = data.setup();
    for (Course course : courses(setup, data.facts())) {
      data.of(course);
    }
    List<Integer> asked = setup.study().budgets();
    List<Integer> fit = budgets(setup, data.facts());
    return Verdict.of(
        fit.equals(asked),
        fit.size() + " budgets",
        format(
            "%s %%, %d models; %s",
            fit,
            models(setup).size(),
            fit.equals(asked)
                ? "the parts are the first of each class by name"
                : "no variant fits into the others: headers do not shrink"));
  }

  /// {@return points by which compression wins, of the same seed}
  private static Score gap(Data data, String model, int percent) {
    List<Curve> small = data.of(compressed(data.setup(), data.facts(), model, percent));
    List<Curve> part = data.of(part(data.setup(), model, percent));
    List<Double> gaps = new ArrayList<>();
    for (int seed = 0; seed < small.size(); seed++) {
      gaps.add(small.get(seed).last() - part.get(seed).last());
    }
    return Score.of(gaps);
  }

  private Verdict gaps(Data data) {
    List<Integer> budgets = budgets(data.setup(), data.facts());
    List<String> words = new ArrayList<>();
    boolean grows = budgets.size() > 1;
    for (String model : models(data.setup())) {
      Score wide = gap(data, model, budgets.getFirst());
      Score tight = gap(data, model, budgets.getLast());
      grows &= tight.mean() > wide.mean() && tight.mean() > tight.spread();
      words.add(
          format(
              "%s %.1f ± %.1f at %d %%, %.1f ± %.1f at %d %%",
              model,
              wide.mean(),
              wide.spread(),
              budgets.getFirst(),
              tight.mean(),
              tight.spread(),
              budgets.getLast()));
    }
    double most =
        models(data.setup()).stream()
            .mapToDouble(model -> gap(data, model, budgets.getLast()).mean())
            .max()
            .orElseThrow();
    return Verdict.of(grows, format("%.1f points", most), String.join("; ", words));
  }

  @Override
  public List<Report.Section> show(Data data) {
    return data.curves().isEmpty()
        ? List.of()
        : List.of(
            Course.bars(
                "Fig. 8: compressed, or fewer images",
                Accuracy.note(data.setup()),
                data,
                courses(data.setup(), data.facts())));
  }
}
