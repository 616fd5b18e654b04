package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.times;

import io.headrace.lab.experiment.Course.Leg;
import io.headrace.lab.report.Report;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.lab.tune.AccuracyFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Paper B, Fig. 1b, 4, 5 and 6: what lossy variants cost in accuracy.
final class Accuracy extends Experiment {
  /// What ResNet-50 reached on the originals of ImageNet and Places365, and their benchmarks.
  private static final double[][] REACHED = {{76.725, 75.9}, {55.377, 54.7}};

  /// How far the benchmark of ImageNet lies below that.
  private static final double BENCHMARK = REACHED[0][0] - REACHED[0][1];

  Accuracy() {
    super("accuracy", "How much accuracy do lossy variants cost, by model, codec and quality?");
  }

  static Course course(Setup setup, String model, String set, String encoding) {
    return Course.of(model, set, Leg.of(setup.study().epochs(), encoding));
  }

  static List<String> sets(Setup setup) {
    return setup.sounds() == null ? List.of(Course.PHOTOS) : List.of(Course.PHOTOS, Course.SOUNDS);
  }

  private static List<Course> courses(Setup setup) {
    List<Course> courses = new ArrayList<>();
    for (String set : sets(setup)) {
      for (String model : setup.study().models()) {
        for (String encoding : setup.study().encodings()) {
          courses.add(course(setup, model, set, encoding));
        }
      }
    }
    return courses;
  }

  private static List<Trial> trials(Setup setup, String codec) {
    return IntStream.iterate(1, threads -> threads <= setup.threads(), threads -> 2 * threads)
        .mapToObj(threads -> setup.stored(codec + ":85").with(Key.THREADS, threads))
        .map(trial -> trial.with(Key.CONSUMER, "v100-alexnet"))
        .toList();
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    List<Trial> trials =
        Stream.of("jpeg", "webp").flatMap(codec -> trials(setup, codec).stream()).toList();
    Runs runs = bench.run(name(), trials);
    Map<String, List<Curve>> curves = bench.classroom().train(courses(setup));
    if (!curves.isEmpty()) {
      for (String encoding : setup.study().encodings()) {
        bench.classroom().keepBytes(facts, encoding);
      }
    }
    var data = new Data(setup, runs, facts, curves);
    if (!curves.isEmpty()) {
      file(data).write(bench.out().resolve("accuracy.json"));
    }
    return data;
  }

  /// {@return what `tune --max-accuracy-loss` reads: the accuracies of the main model on photos}
  private static AccuracyFile file(Data data) {
    Setup setup = data.setup();
    String model = setup.study().model();
    Map<String, Double> reached = new LinkedHashMap<>();
    for (String encoding : setup.study().encodings()) {
      reached.put(encoding, data.accuracy(course(setup, model, Course.PHOTOS, encoding)).mean());
    }
    Score original = data.accuracy(course(setup, model, Course.PHOTOS, "keep"));
    return AccuracyFile.of("top-1 accuracy of " + model, Math.max(0.5, original.spread()), reached);
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("B31", "3 models × 11 variants × 2 datasets", "66 curves", this::curves),
        new Claim(
            "B32",
            "the originals reach the benchmarks: 75.9 % on ImageNet, 54.7 % on Places365",
            "76.7, 55.4 %",
            _ ->
                Verdict.of(
                    Arrays.stream(REACHED).allMatch(row -> row[0] >= row[1]),
                    format("%.1f points below the original", BENCHMARK),
                    "by the paper's own Fig. 5; B34 sets the same margin here")),
        new Claim("B33", "peaks are never more than 5 points below the original", "5", this::peaks),
        new Claim(
            "B34", "74 % fewer bytes stay above ResNet's benchmark (WebP 75)", "74 %", this::saved),
        new Claim(
            "B35",
            "QF 10 costs clearly; WebP costs less than JPEG at low quality",
            "−3.2 points",
            this::lowest),
        new Claim("B36", "AlexNet: JPEG 85 feeds faster than WebP 85", "2.6×", this::webp));
  }

  private Verdict curves(Data data) {
    Setup setup = data.setup();
    List<Course> courses = courses(setup);
    int count = courses.stream().mapToInt(course -> data.of(course).size()).sum();
    Size.Study study = setup.study();
    return Verdict.of(
        sets(setup).size() == 2 && study.models().size() == 3,
        courses.size() + " curves",
        format(
            "%d models × %d variants × %d datasets, %d trainings of %d epochs with all seeds",
            study.models().size(),
            study.encodings().size(),
            sets(setup).size(),
            count,
            study.epochs()));
  }

  private Verdict peaks(Data data) {
    Score worst = new Score(0, 0);
    String where = "no variant is below its original";
    for (Course course : courses(data.setup())) {
      Score lost = lost(data, List.of(course), Curve::peak);
      if (lost.mean() > worst.mean()) {
        worst = lost;
        where = "most lost by " + course.name();
      }
    }
    return Verdict.of(worst.mean() <= 5, format("%.1f points", worst.mean()), where);
  }

  /// {@return points that variants lose against their originals, mean over some trainings, from the
  /// same seeds}
  private static Score lost(Data data, List<Course> courses, ToDoubleFunction<Curve> number) {
    List<Double> losses = new ArrayList<>();
    for (int seed = 0; seed < data.of(courses.getFirst()).size(); seed++) {
      double sum = 0;
      for (Course course : courses) {
        Course original = course(data.setup(), course.model(), course.set(), "keep");
        sum +=
            number.applyAsDouble(data.of(original).get(seed))
                - number.applyAsDouble(data.of(course).get(seed));
      }
      losses.add(sum / courses.size());
    }
    return Score.of(losses);
  }

  private Verdict saved(Data data) {
    Setup setup = data.setup();
    String model = setup.study().models().getLast();
    Score original = data.accuracy(course(setup, model, Course.PHOTOS, "keep"));
    String best = "keep";
    for (String encoding : setup.study().encodings()) {
      Score reached = data.accuracy(course(setup, model, Course.PHOTOS, encoding));
      if (original.above(reached) <= BENCHMARK
          && data.fact("bytes " + encoding) < data.fact("bytes " + best)) {
        best = encoding;
      }
    }
    double saved = 1 - data.fact("bytes " + best) / data.fact("bytes keep");
    Score reached = data.accuracy(course(setup, model, Course.PHOTOS, best));
    return Verdict.of(
        saved >= 0.74,
        percent(saved),
        format(
            "%s of %s: %s, the original %s: %s",
            model, best, reached, original, reached.against(original)));
  }

  private static List<Course> of(Setup setup, String encoding) {
    return courses(setup).stream()
        .filter(course -> course.legs().getFirst().encoding().equals(encoding))
        .toList();
  }

  private Verdict lowest(Data data) {
    Score jpeg = lost(data, of(data.setup(), "jpeg:10"), Curve::last);
    Score webp = lost(data, of(data.setup(), "webp:10"), Curve::last);
    boolean clear = jpeg.mean() > jpeg.spread();
    return Verdict.of(
        clear && webp.mean() < jpeg.mean(),
        format("%+.1f, %+.1f points", -jpeg.mean(), -webp.mean()).replace('-', '−'),
        format(
            "JPEG 10 and WebP 10, mean of all models and datasets: %s; WebP against JPEG %s",
            clear ? "a clear loss" : "none or one inside the seeds' spread", jpeg.against(webp)));
  }

  private Verdict webp(Data data) {
    List<Double> ratios = new ArrayList<>();
    List<Trial> jpeg = trials(data.setup(), "jpeg");
    List<Trial> webp = trials(data.setup(), "webp");
    for (int i = 0; i < jpeg.size(); i++) {
      ratios.add(data.rate(jpeg.get(i)) / data.rate(webp.get(i)));
    }
    double mean = Statistics.mean(ratios);
    return Verdict.of(
        mean >= 1.3,
        times(mean),
        format("mean of 1 to %d threads, from memory", data.setup().threads()));
  }

  @Override
  public List<Report.Section> show(Data data) {
    if (data.curves().isEmpty()) {
      return List.of();
    }
    Setup setup = data.setup();
    List<Report.Section> sections = new ArrayList<>();
    for (String set : sets(setup)) {
      List<Course> own = courses(setup).stream().filter(c -> c.set().equals(set)).toList();
      sections.add(Course.bars("Fig. 5: accuracy by variant, " + set, note(setup), data, own));
      sections.add(
          Course.curves(
              "Fig. 4: accuracy by epoch, " + set,
              "The original and the lowest quality.",
              data,
              own.stream()
                  .filter(c -> List.of("keep", "jpeg:10").contains(c.legs().getFirst().encoding()))
                  .toList()));
    }
    return sections;
  }

  /// {@return what was trained, in words}
  static String note(Setup setup) {
    Size.Study study = setup.study();
    return format(
        "Photos of %s, %d pixels for the networks, width %s, %d epochs in batches of %d, %s times"
            + " the recipe's learning rate, means of %d seeds. A difference below both standard"
            + " deviations is inside the seeds' spread.",
        study.resize(),
        study.edge(),
        study.width(),
        study.epochs(),
        study.batch(),
        study.rate(),
        study.seeds());
  }
}
