package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.times;

import io.headrace.lab.experiment.Course.Leg;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.load.ConsumerRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Paper C, Fig. 7 and Table 2: end-to-end training with mixed formats, imitated and real.
///
/// Trainers have the rates of an H100, which has about 24 cores to itself, in proportion to the
/// threads here.
final class LiquidTraining extends Experiment {
  private static final double CORES = 24;

  private static final List<String> TRAINERS =
      List.of("resnet18", "mobilenetv3-small", "shufflenetv2", "squeezenet1.1");

  /// Images in a batch of Table 2, of those trainers that have a rate: on T4 and V100, on RTX 3090.
  private static final List<Integer> BATCHES = List.of(512, 768, 1024, 1280);

  private static final List<String> WAYS = List.of("DALI", "CoorDL", "Liquid");

  /// Tenths that are raw in the mix that is trained on, the paper's own for PNG on T4.
  private static final String MIX = "mix:7*raw+3*png";

  LiquidTraining() {
    super(
        "liquid-training",
        "Do mixed formats speed training up, end to end, without loss of accuracy?");
  }

  private static String consumer(Setup setup, String trainer) {
    return format(
        "%.0f/s", ConsumerRate.parse(trainer).samplesPerSecond() * setup.threads() / CORES);
  }

  private static Trial trial(Setup setup, Facts liquid, String rival, String trainer) {
    return LiquidMix.rival(setup, liquid, rival).with(Key.CONSUMER, consumer(setup, trainer));
  }

  private static Trial batches(Setup setup, int batch) {
    return setup
        .trial()
        .with(Key.SAMPLES, 0)
        .with(Key.BATCH, batch)
        .with(Key.PREFETCH, 2)
        .with(Key.PIPELINE, "random_resized_crop=224,flip,uint8,hwc");
  }

  private static Course sorted(Setup setup) {
    return Course.of(setup.study().model(), Course.PHOTOS, Leg.of(setup.study().epochs(), "png"));
  }

  private static Course mixed(Setup setup, Facts facts) {
    return Course.of(setup.study().model(), Course.SHUFFLED, Leg.of(setup.study().epochs(), MIX))
        .with(Key.MIX, "constant")
        .with(Key.ORDER, "two-region")
        .with(Key.CACHE, format("two-region:%.0f", facts.get("memory")));
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    Facts liquid = new LiquidMix().measure(bench).facts();
    List<Trial> trials =
        Setup.product(
                List.of("PNG", "JPEG"),
                TRAINERS,
                (encoding, trainer) ->
                    WAYS.stream()
                        .map(way -> trial(setup, liquid, encoding + ", " + way, trainer))
                        .toList())
            .stream()
            .flatMap(List::stream)
            .toList();
    Runs runs = bench.run(name(), trials);
    Runs large =
        bench.run(
            setup
                .sweep(name() + "-batches", BATCHES.stream().map(b -> batches(setup, b)).toList())
                .repeats(1));
    for (Map.Entry<String, Double> fact : liquid.all().entrySet()) {
      facts.keep("liquid " + fact.getKey(), fact.getValue());
    }
    for (int batch : BATCHES) {
      Run run = large.of(batches(setup, batch)).runs().getLast();
      facts.keep("batch " + batch, (double) run.conversion().samples() / batch);
    }
    facts.keep(
        "memory",
        () -> Math.floor(0.3 * bench.classroom().stored(Course.SHUFFLED, Leg.of(1, MIX)).bytes()));
    return new Data(
        setup, runs, facts, bench.classroom().train(List.of(sorted(setup), mixed(setup, facts))));
  }

  /// {@return the rate of a way over DALI's with a trainer}
  private static double gain(Data data, String encoding, String way, String trainer) {
    Facts liquid = data.facts().below("liquid ");
    return data.rate(trial(data.setup(), liquid, encoding + ", " + way, trainer))
        / data.rate(trial(data.setup(), liquid, encoding + ", DALI", trainer));
  }

  private static double mean(Data data, String encoding) {
    double logs =
        TRAINERS.stream().mapToDouble(t -> Math.log(gain(data, encoding, "Liquid", t))).sum();
    return Math.exp(logs / TRAINERS.size());
  }

  private static String each(Data data, String encoding) {
    return TRAINERS.stream()
        .map(
            trainer ->
                "%s at %s %s"
                    .formatted(
                        trainer,
                        consumer(data.setup(), trainer),
                        times(gain(data, encoding, "Liquid", trainer))))
        .collect(Collectors.joining(", "));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("C27", "batches of 512 to 1280 images for each trainer", "512–1280", this::table),
        new Claim(
            "C32", "end-to-end throughput by model, of DALI, CoorDL, Liquid", "Fig. 7", this::all),
        new Claim(
            "C33",
            "PNG: 1.58×, 2.02×, 1.07× of DALI, geometric means",
            "1.07×–2.02×",
            data -> faster(data, "PNG", 1.07)),
        new Claim(
            "C34",
            "JPEG: +14 %, +25 %, marginal, geometric means",
            "1.25×",
            data -> faster(data, "JPEG", 1)),
        new Claim("C35", "no accuracy is lost", "", this::same));
  }

  private Verdict table(Data data) {
    long full = BATCHES.stream().filter(batch -> data.fact("batch " + batch) >= 1).count();
    return Verdict.of(
        full == BATCHES.size(),
        full + " of " + BATCHES.size(),
        "batch sizes of Table 2 loaded, those that the photos fill"
            + (full == BATCHES.size() ? "" : ": they are too few for the others"));
  }

  private Verdict all(Data data) {
    boolean ahead =
        Setup.product(
                List.of("PNG", "JPEG"),
                TRAINERS,
                (encoding, trainer) -> gain(data, encoding, "Liquid", trainer))
            .stream()
            .allMatch(gain -> gain > 0.95);
    return Verdict.of(
        ahead,
        2 * TRAINERS.size() * WAYS.size() + " rates",
        data.curves().isEmpty()
            ? "Liquid is not behind DALI anywhere; imitated trainers only"
            : format(
                "Liquid against DALI: %s; real training on processors, bound by the network: %.2f×",
                ahead ? "nowhere behind" : "behind with some",
                data.score(mixed(data.setup(), data.facts()), Curve::rate).mean()
                    / data.score(sorted(data.setup()), Curve::rate).mean()));
  }

  private static Verdict faster(Data data, String encoding, double least) {
    double mean = mean(data, encoding);
    return Verdict.of(mean >= least, times(mean), each(data, encoding));
  }

  private Verdict same(Data data) {
    Score mixed = data.accuracy(mixed(data.setup(), data.facts()));
    Score full = data.accuracy(sorted(data.setup()));
    return Verdict.of(
        mixed.above(full) >= 0 || !mixed.apart(full),
        mixed.against(full),
        format("PNG:raw 3:7 in two regions of 30 %%: %s; PNG in full shuffles: %s", mixed, full));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Report.Section> sections = new ArrayList<>();
    for (String encoding : List.of("PNG", "JPEG")) {
      List<Point> points = new ArrayList<>();
      for (String trainer : TRAINERS) {
        for (String way : WAYS) {
          points.add(new Point(way, trainer, 0, gain(data, encoding, way, trainer)));
        }
      }
      sections.add(
          Report.bars(
              "Fig. 7: end to end, " + encoding,
              format("Rates of trainers: an H100's, of %.0f cores, for the threads here.", CORES),
              "trainer; multiple of DALI's rate",
              points));
    }
    if (!data.curves().isEmpty()) {
      sections.add(
          Course.bars(
              "Accuracy with mixed formats",
              Accuracy.note(data.setup()),
              data,
              List.of(sorted(data.setup()), mixed(data.setup(), data.facts()))));
    }
    return sections;
  }
}
