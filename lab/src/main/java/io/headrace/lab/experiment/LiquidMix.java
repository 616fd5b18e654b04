package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.rate;
import static io.headrace.lab.report.Words.times;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Median;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Paper C, Liquid: which share of a dataset to store raw, so that loading and decoding balance.
///
/// The device is imitated. For Fig. 3 and Fig. 6 its rate is such that PNG is bound by decoding and
/// raw by loading, and both are in balance in the first mix that decodes so much faster than PNG
/// alone as the paper's T4 machine was fed; for Fig. 2 such that raw reaches 27.4/24.5 of what PNG
/// reaches, as on its RTX 3090 machine.
final class LiquidMix extends Experiment {
  /// The share of the dataset that memory holds.
  private static final double MEMORY = 0.3;

  /// The paper's speed-up over DALI with PNG, on its T4 and V100 machines.
  private static final double PAPER = 3.05;

  private static final double IN_HAND = 1.1;

  /// Times that loading is measured; the median counts.
  private static final int PASSES = 3;

  /// What is mixed with raw: name for people, spelling.
  private static final Map<String, String> ENCODED =
      new TreeMap<>(Map.of("PNG", "png", "JPEG", "keep", "lossless", "lossless"));

  LiquidMix() {
    super("liquid", "Which mix of raw and encoded pictures balances loading and decoding?");
  }

  /// {@return an encoding of which so many tenths are raw}
  private static String mix(String encoded, String other, int tenths) {
    return switch (tenths) {
      case 0 -> encoded;
      case 10 -> other;
      default -> "mix:%d*%s+%d*%s".formatted(tenths, other, 10 - tenths, encoded);
    };
  }

  /// {@return a trial that decodes from memory alone}
  private static Trial decoding(Setup setup, String encoding) {
    return setup.stored(encoding).with(Key.ORDER, "sequential");
  }

  /// {@return samples a second that a device delivers, read in stored order without decoding}
  private static double loaded(Bench bench, Facts facts, String encoding, String device)
      throws IOException, InterruptedException {
    return facts.of(
        "load " + encoding + " from " + device,
        () -> {
          List<Double> rates = new ArrayList<>();
          for (int i = 0; i < PASSES; i++) {
            rates.add(pass(bench, encoding, device));
          }
          return Median.of(rates).value();
        });
  }

  private static double pass(Bench bench, String encoding, String device)
      throws IOException, InterruptedException {
    long samples = 0;
    try (Dataset data = bench.runner().open(bench.setup().stored(encoding), Stores.parse(device));
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      long start = System.nanoTime();
      for (int shard = 0; shard < data.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = data.openCursor(shard)) {
          while (cursor.next(sample)) {
            samples++;
          }
        }
      }
      return samples / ((System.nanoTime() - start) / 1e9);
    } catch (CorruptDataException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// {@return tenths that are raw in the mix that the device balances: the fewest that can give
  ///     what the paper had, with something in hand since stages overlap imperfectly}
  private static int balance(Facts facts) {
    int tenths = 5;
    while (tenths < 9
        && facts.get("decode " + mix("png", "raw", tenths))
            < IN_HAND * PAPER * facts.get("decode png")) {
      tenths++;
    }
    return tenths;
  }

  private double decoded(Bench bench, Facts facts, String encoding)
      throws IOException, InterruptedException {
    Trial trial = decoding(bench.setup(), encoding);
    return facts.of(
        "decode " + encoding,
        () -> bench.run(bench.setup().sweep(name(), List.of(trial))).of(trial).rate());
  }

  private static double bytes(Bench bench, Facts facts, String encoding)
      throws IOException, InterruptedException {
    return facts.of(
        "bytes " + encoding,
        () -> bench.runner().prepare(bench.setup().stored(encoding)).bytesPerSample());
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    facts.keep("samples", () -> bench.runner().prepare(setup.stored("png")).samples());
    List<String> ladder = new ArrayList<>();
    for (int tenths = 0; tenths <= 10; tenths++) {
      ladder.add(mix("png", "raw", tenths));
    }
    for (String pair : List.of("keep", "webp-lossless")) {
      ladder.add(mix(pair, "png", 5));
      ladder.add(pair);
    }
    ladder.add("lossless");
    // in turn, so that a drift of the machine affects all alike
    var _ = bench.run(name(), ladder.stream().map(e -> decoding(setup, e)).toList());
    for (String encoding : ladder) {
      double _ = decoded(bench, facts, encoding);
      double _ = bytes(bench, facts, encoding);
    }
    String balanced = mix("png", "raw", balance(facts));
    String device =
        Setup.device(
            facts.of(
                "device",
                () ->
                    decoded(bench, facts, balanced)
                        * bytes(bench, facts, balanced)
                        * (1 - MEMORY)));
    for (String encoding : ladder) {
      double _ = loaded(bench, facts, encoding, device);
    }
    for (String encoded : ENCODED.values()) {
      facts.keep(
          "best " + encoded,
          () -> {
            var search =
                new MixSearch(
                    tenths -> {
                      String encoding = mix(encoded, "raw", tenths);
                      double load = loaded(bench, facts, encoding, device) / (1 - MEMORY);
                      return new double[] {load, decoded(bench, facts, encoding)};
                    });
            int best = search.run();
            facts.keep("searched " + encoded, search::measured);
            return best;
          });
    }
    for (String encoded : ENCODED.values()) {
      double _ = bytes(bench, facts, mix(encoded, "raw", (int) facts.get("best " + encoded)));
    }
    String second =
        Setup.device(
            facts.of(
                "device of Fig. 2",
                () -> 27.4 / 24.5 * decoded(bench, facts, "png") * bytes(bench, facts, "raw")));
    List<Trial> trials = new ArrayList<>(rivals(setup, facts).values());
    for (String encoding : List.of("png", "raw", "keep")) {
      trials.add(triangle(setup, facts, encoding, second));
    }
    Runs runs = bench.run(name(), trials);
    return new Data(setup, runs, facts);
  }

  /// {@return a trial of Fig. 2: a trainer whose rate is such that PNG reaches 24.5 % of it}
  private static Trial triangle(Setup setup, Facts facts, String encoding, String device) {
    return decoding(setup, encoding)
        .with(Key.STORE, device)
        .with(Key.CONSUMER, format("%.0f/s", facts.get("decode png") / 0.245));
  }

  /// {@return the trials of Fig. 6, by name: DALI's and CoorDL's way with PNG and JPEG, Liquid's
  ///     mix with each encoding, and each encoding alone in Liquid's two regions}
  static Map<String, Trial> rivals(Setup setup, Facts facts) {
    Map<String, Trial> rivals = new TreeMap<>();
    String device = Setup.device(facts.get("device"));
    ENCODED.forEach(
        (name, encoded) -> {
          Trial plain = setup.stored(encoded).with(Key.STORE, device);
          Trial regions = plain.with(Key.ORDER, "two-region");
          int best = (int) facts.get("best " + encoded);
          String mixed = mix(encoded, "raw", best);
          // the bytes of memory are those of a share of the dataset before it is mixed
          String memory = memory(facts, encoded);
          rivals.put(
              name + ", DALI", plain.with(Key.ORDER, "buffer:8").with(Key.CACHE, "lru" + memory));
          rivals.put(name + ", CoorDL", plain.with(Key.CACHE, "minio" + memory));
          rivals.put(name + ", two regions", regions.with(Key.CACHE, "two-region" + memory));
          rivals.put(
              name + ", Liquid",
              regions
                  .with(Key.ENCODING, mixed)
                  .with(Key.MIX, best == 0 || best == 10 ? "free" : "constant")
                  .with(Key.CACHE, "two-region" + memory(facts, mixed)));
        });
    return rivals;
  }

  private static String memory(Facts facts, String encoding) {
    return format(
        ":%.0f", Math.floor(MEMORY * facts.get("bytes " + encoding) * facts.get("samples")));
  }

  private static double rateOf(Data data, String rival) {
    return data.rate(rival(data.setup(), data.facts(), rival));
  }

  private static double speedUp(Data data, String encoded, String way) {
    return rateOf(data, encoded + ", " + way) / rateOf(data, encoded + ", DALI");
  }

  /// {@return PNG and raw in a mix, in tenths}
  private static String ratio(int raw) {
    return "%d:%d".formatted(10 - raw, raw);
  }

  /// {@return the trial of that name}
  static Trial rival(Setup setup, Facts facts, String name) {
    return Optional.ofNullable(rivals(setup, facts).get(name)).orElseThrow();
  }

  private static double load(Data data, String encoding) {
    Facts facts = data.facts();
    return facts.get("load " + encoding + " from " + Setup.device(facts.get("device")));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "C4", "use of processors, disk and accelerator by format", "Fig. 2", this::triangles),
        new Claim(
            "C5",
            "PNG: 24.5 % goodput, processors busy; BMP: 27.4 %, disk busy; JPEG 69.4 %",
            "24.5, 27.4, 69.4 %",
            this::goodput),
        new Claim(
            "C6", "load and decode over mixes PNG+BMP, PNG+JPEG, PNG+WebP", "Fig. 3a", this::mixes),
        new Claim(
            "C7", "WebP hardly moves it; JPEG helps; BMP buys decode with load", "", this::moves),
        new Claim("C8", "min(load, decode) has its best inside: 8:2 PNG:BMP", "8:2", this::inside),
        new Claim(
            "C9",
            "mix formats of opposite traits; the best mix balances load and decode",
            "",
            this::balances),
        new Claim("C10", "profiler: a dataset and a device in, a mix out", "", this::profiled),
        new Claim("C11", "11 mixes, of which the search starts at 5:5", "11", this::eleven),
        new Claim("C12", "binary search ends at one mix", "4 to 5 measured", this::searched),
        new Claim(
            "C29", "throughput of DALI, CoorDL, Liquid on PNG and JPEG", "Fig. 6", this::order),
        new Claim(
            "C30", "PNG: 3.05× (T4, V100), 2.25× (RTX 3090) of DALI", "3.05×, 2.25×", this::png),
        new Claim("C31", "JPEG: +54 %, +52 %, +5 % of DALI", "1.54×, 1.05×", this::jpeg));
  }

  private Verdict profiled(Data data) {
    return Verdict.of(
        data.facts().has("best png"),
        ratio((int) data.fact("best png")),
        format(
            "PNG:raw for a device of %s; JPEG %s",
            Setup.device(data.fact("device")), ratio((int) data.fact("best keep"))));
  }

  private Verdict eleven(Data data) {
    long there =
        IntStream.rangeClosed(0, 10)
            .filter(tenths -> load(data, mix("png", "raw", tenths)) > 0)
            .count();
    return Verdict.of(there == 11, String.valueOf(there), "all were measured for Fig. 3b");
  }

  private Verdict searched(Data data) {
    double measured = data.fact("searched png");
    int best = bestOfAll(data, 1 - MEMORY);
    int found = (int) data.fact("best png");
    return Verdict.of(
        measured <= 6 && Math.abs(found - best) <= 1,
        format("%.0f measured", measured),
        format("found %d tenths raw; of all eleven %d are best", found, best));
  }

  /// {@return tenths that are raw where min(load, decode) is highest}
  private static int bestOfAll(Data data, double misses) {
    int best = 0;
    for (int tenths = 0; tenths <= 10; tenths++) {
      best = both(data, tenths, misses) > both(data, best, misses) ? tenths : best;
    }
    return best;
  }

  private static double both(Data data, int tenths, double misses) {
    String encoding = mix("png", "raw", tenths);
    return Math.min(load(data, encoding) / misses, data.fact("decode " + encoding));
  }

  private static Run use(Data data, String encoding) {
    Facts facts = data.facts();
    String device = Setup.device(facts.get("device of Fig. 2"));
    return data.of(triangle(data.setup(), facts, encoding, device)).runs().getLast();
  }

  private static double processors(Data data, String encoding) {
    Run run = use(data, encoding);
    return run.cpuSeconds() / run.seconds() / data.setup().threads();
  }

  private static double disk(Data data, String encoding) {
    return use(data, encoding).bytesPerSecond() / data.fact("device of Fig. 2");
  }

  private Verdict triangles(Data data) {
    return Verdict.of(
        processors(data, "png") > disk(data, "png") && disk(data, "raw") > processors(data, "raw"),
        "PNG %s and %s, raw %s and %s"
            .formatted(
                percent(processors(data, "png")),
                percent(disk(data, "png")),
                percent(processors(data, "raw")),
                percent(disk(data, "raw"))),
        "use of the processors and of the disk: PNG is bound by the first, raw by the second");
  }

  private Verdict goodput(Data data) {
    double png = use(data, "png").goodput();
    double raw = use(data, "raw").goodput();
    double jpeg = use(data, "keep").goodput();
    return Verdict.of(
        Math.abs(png - 0.245) < 0.06 && Math.abs(raw - 0.274) < 0.06 && jpeg > Math.max(png, raw),
        format("%.1f, %.1f, %.1f %%", 100 * png, 100 * raw, 100 * jpeg),
        "trainer and device scaled to the paper's PNG and BMP; JPEG is decoded by processors, "
            + "not by the accelerator");
  }

  private Verdict mixes(Data data) {
    return Verdict.of(
        load(data, "png") > load(data, "raw") && data.fact("decode raw") > data.fact("decode png"),
        "%s, %s".formatted(rate(load(data, "png")), rate(load(data, "raw"))),
        format(
            "loading PNG and raw; decoding %s and %s",
            rate(data.fact("decode png")), rate(data.fact("decode raw"))));
  }

  private Verdict moves(Data data) {
    double png = data.fact("decode png");
    double webp = data.fact("decode webp-lossless") / png;
    double jpeg = data.fact("decode keep") / png;
    double raw = data.fact("decode raw") / png;
    double lost = load(data, "raw") / load(data, "png");
    return Verdict.of(
        webp < 2 && jpeg > webp && raw > jpeg && lost < 1,
        "%s, %s, %s".formatted(times(webp), times(jpeg), times(raw)),
        format("decoding of WebP, JPEG, raw against PNG; raw loads at %.2f of PNG's rate", lost));
  }

  private Verdict inside(Data data) {
    int best = bestOfAll(data, 1);
    return Verdict.of(
        best > 0 && best < 10,
        ratio(best),
        format(
            "%s against %s of PNG alone and %s of raw alone",
            rate(both(data, best, 1)), rate(both(data, 0, 1)), rate(both(data, 10, 1))));
  }

  private Verdict balances(Data data) {
    int best = bestOfAll(data, 1);
    String encoding = mix("png", "raw", best);
    double apart = load(data, encoding) / data.fact("decode " + encoding);
    return Verdict.of(
        apart > 0.6 && apart < 1.6,
        times(apart),
        "load to decode at the best mix; PNG alone has "
            + times(load(data, "png") / data.fact("decode png"))
            + ", raw alone "
            + times(load(data, "raw") / data.fact("decode raw")));
  }

  private Verdict order(Data data) {
    double coordl = speedUp(data, "PNG", "CoorDL");
    double liquid = speedUp(data, "PNG", "Liquid");
    return Verdict.of(
        liquid > coordl && coordl > 0.9,
        times(coordl) + ", " + times(liquid),
        "CoorDL and Liquid against DALI, PNG");
  }

  private Verdict png(Data data) {
    double liquid = speedUp(data, "PNG", "Liquid");
    double beats = rateOf(data, "lossless, two regions") / rateOf(data, "PNG, DALI");
    return Verdict.of(
        liquid >= 2.25,
        times(liquid),
        format(
            "our lossless encoding alone, at %.2f of PNG's bytes, has %.2f× of DALI's PNG, so that"
                + " it %s the mix outright",
            data.fact("bytes lossless") / data.fact("bytes png"),
            beats,
            beats > liquid ? "beats" : "does not beat"));
  }

  private Verdict jpeg(Data data) {
    double liquid = speedUp(data, "JPEG", "Liquid");
    int best = (int) data.fact("best keep");
    double cpu =
        data.of(rival(data.setup(), data.facts(), "JPEG, Liquid"))
            .value(run -> run.cpuSeconds() / run.samples());
    return Verdict.of(
        liquid >= 1.05,
        times(liquid),
        format(
            "%s JPEG:raw; a sample takes %.2f ms of CPU, %.2f of them to read and decode: the"
                + " rest is to copy whole pictures into memory and out",
            ratio(best),
            1000 * cpu,
            1000 * data.setup().threads() / data.fact("decode " + mix("keep", "raw", best))));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> arrows = new ArrayList<>();
    List<Point> curve = new ArrayList<>();
    for (int tenths = 0; tenths <= 10; tenths++) {
      String encoding = mix("png", "raw", tenths);
      double load = load(data, encoding);
      double decode = data.fact("decode " + encoding);
      String label = ratio(tenths) + " PNG:raw";
      arrows.add(new Point("PNG + raw", label, load, decode));
      curve.add(new Point("load", label, tenths, load));
      curve.add(new Point("decode", label, tenths, decode));
      curve.add(new Point("min(load, decode)", label, tenths, Math.min(load, decode)));
    }
    for (String pair : List.of("keep", "webp-lossless")) {
      String series = pair.equals("keep") ? "PNG + JPEG" : "PNG + WebP";
      for (int tenths : new int[] {0, 5, 10}) {
        // here the other format stands first, so that tenths are those of PNG
        String encoding = mix(pair, "png", 10 - tenths);
        arrows.add(
            new Point(
                series, ratio(tenths), load(data, encoding), data.fact("decode " + encoding)));
      }
    }
    List<Point> goodput = new ArrayList<>();
    Map<String, String> formats = new TreeMap<>(Map.of("PNG", "png", "raw", "raw", "JPEG", "keep"));
    formats.forEach(
        (name, encoding) -> {
          goodput.add(new Point("processors", name, 0, 100 * processors(data, encoding)));
          goodput.add(new Point("disk", name, 0, 100 * disk(data, encoding)));
          goodput.add(new Point("goodput", name, 0, 100 * use(data, encoding).goodput()));
          double paper = name.equals("PNG") ? 24.5 : name.equals("raw") ? 27.4 : 69.4;
          goodput.add(new Point("goodput, paper", name, 0, paper).asReference());
        });
    List<Point> bars = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    rivals(data.setup(), data.facts())
        .forEach(
            (name, trial) -> {
              String[] parts = name.split(", ", -1);
              double up = speedUp(data, parts[0], parts[1]);
              bars.add(new Point(parts[1], parts[0], 0, up));
              double rate = data.rate(trial);
              rows.add(
                  List.of(
                      name,
                      trial.get(Key.ENCODING),
                      data.of(trial).bytesPerSample(),
                      rate,
                      up,
                      rate / rateOf(data, "PNG, DALI")));
            });
    bars.add(new Point("Liquid, paper (T4)", "PNG", 0, PAPER).asReference());
    bars.add(new Point("Liquid, paper (T4)", "JPEG", 0, 1.54).asReference());
    return List.of(
        Report.bars(
            "Fig. 2: what each format uses",
            "Device and trainer are scaled to the paper's PNG and BMP.",
            "format; use, %",
            goodput),
        Report.lines(
            "Fig. 3a: load and decode over mixes",
            "",
            "log load, images/s; log decode, images/s",
            arrows),
        Report.lines(
            "Fig. 3b: the slower of load and decode",
            "Without a cache. The paper's best is 8:2.",
            "raw, tenths of the images; log images/s",
            curve),
        Report.bars(
                "Fig. 6: DALI, CoorDL, Liquid",
                format("Memory holds %s of each dataset.", percent(MEMORY)),
                "encoding; multiple of DALI's rate",
                bars)
            .with(
                "way; stored as; stored|bytes; throughput|images/s; of its DALI|×; of DALI's "
                    + "PNG|×",
                rows));
  }
}
