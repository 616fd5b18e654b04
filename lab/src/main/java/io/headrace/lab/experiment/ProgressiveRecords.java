package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.times;

import io.headrace.convert.inspect.FidelityLikeness;
import io.headrace.format.Dataset;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.meter.Stage;
import io.headrace.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Paper D, Progressive Compressed Records: one dataset at four fidelities.
final class ProgressiveRecords extends Experiment {
  /// Last scans of the fidelity groups, as in the paper's code.
  private static final List<Integer> SCANS = List.of(1, 2, 5, 10);

  private static final int PICTURES = 64;

  ProgressiveRecords() {
    super("pcr", "What does it save to read only the first scans of each picture?");
  }

  private static Trial records(Setup setup) {
    return setup
        .trial()
        .with(Key.FORMAT, "race:groups=1/2/5/10")
        .with(Key.ENCODING, "progressive")
        .with(Key.PIPELINE, "resize_shorter=256,center_crop=224,uint8,hwc");
  }

  private static String group(int index) {
    return index == SCANS.size() - 1 ? "full" : String.valueOf(index + 1);
  }

  private static Trial trial(Setup setup, int index, boolean slow) {
    return records(setup)
        .with(Key.FIDELITY, group(index))
        .with(Key.STORE, slow ? setup.hdd() : "page");
  }

  private static Trial original(Setup setup) {
    return records(setup).with(Key.FORMAT, "race").with(Key.ENCODING, "keep");
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    List<Trial> trials = new ArrayList<>(List.of(original(setup)));
    for (int index = 0; index < SCANS.size(); index++) {
      trials.add(trial(setup, index, true));
      trials.add(trial(setup, index, false));
    }
    var runs = bench.run(name(), trials);
    if (!facts.has("similarity full")) {
      try (Dataset data = bench.runner().open(records(setup), Store.LOCAL)) {
        double[] likeness = FidelityLikeness.of(data, PICTURES);
        for (int index = 0; index < SCANS.size(); index++) {
          facts.keep("similarity " + group(index), likeness[index]);
        }
      }
    }
    return new Data(setup, runs, facts);
  }

  private static double bytes(Data data, int index) {
    return data.of(trial(data.setup(), index, true)).value(Run::bytesPerSample);
  }

  /// {@return bytes of a group as a share of the original's}
  private static double share(Data data, int index) {
    return bytes(data, index) / data.of(original(data.setup())).bytesPerSample();
  }

  /// {@return the largest group of at most half the original's bytes; the first if there is none}
  private static int half(Data data) {
    int index = SCANS.size() - 1;
    while (index > 0 && share(data, index) > 0.5) {
      index--;
    }
    return index;
  }

  private static double speedUp(Data data, int index) {
    Setup setup = data.setup();
    return data.rate(trial(setup, index, true)) / data.rate(trial(setup, SCANS.size() - 1, true));
  }

  private static double decoding(Data data, int index) {
    return data.of(trial(data.setup(), index, false)).value(r -> r.cpu(Stage.DECODE));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("D3", "no more bytes in total than the original", "≤ 100 %", this::total),
        new Claim("D9", "half the bandwidth, up to twice the speed", "2×", this::faster),
        new Claim(
            "D11", "decoding of progressive pictures costs more, by scans", "", this::decoded));
  }

  private Verdict total(Data data) {
    double share =
        data.of(trial(data.setup(), SCANS.size() - 1, true)).bytesPerSample()
            / data.of(original(data.setup())).bytesPerSample();
    return Verdict.of(share <= 1, format("%.1f %%", 100 * share), "all files of both datasets");
  }

  private Verdict faster(Data data) {
    int index = half(data);
    double expected = bytes(data, SCANS.size() - 1) / bytes(data, index);
    double up = speedUp(data, index);
    return Verdict.of(
        up >= Math.min(1.9, 0.9 * expected) && expected >= 1.9,
        times(up),
        format(
            "fetch-bound, scans 1 to %d at %s of the bytes; bytes alone make %.2f×",
            SCANS.get(index), percent(share(data, index)), expected));
  }

  private Verdict decoded(Data data) {
    double base = data.of(original(data.setup())).value(r -> r.cpu(Stage.DECODE));
    double full = decoding(data, SCANS.size() - 1) / base;
    return Verdict.of(
        full > 1 && decoding(data, 0) < decoding(data, SCANS.size() - 1),
        times(full),
        format(
            "CPU time to decode all scans against the original; scan 1 alone takes %.2f×",
            decoding(data, 0) / base));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<List<Object>> rows = new ArrayList<>();
    List<Point> points = new ArrayList<>();
    for (int index = 0; index < SCANS.size(); index++) {
      String label = "scans 1 to " + SCANS.get(index);
      double share = share(data, index);
      double up = speedUp(data, index);
      points.add(new Point("measured", label, 100 * share, up));
      points.add(
          new Point(
              "bytes alone",
              label,
              100 * share,
              bytes(data, SCANS.size() - 1) / bytes(data, index)));
      rows.add(
          List.of(
              label,
              bytes(data, index),
              share,
              data.fact("similarity " + group(index)),
              data.rate(trial(data.setup(), index, true)),
              data.rate(trial(data.setup(), index, false)),
              1000 * decoding(data, index)));
    }
    return List.of(
        Report.lines(
                "Speed by fidelity, fetch-bound",
                "The device delivers as many pictures a second as the hard disk of paper B.",
                "bytes read, % of the original; multiple of full fidelity's rate",
                points)
            .with(
                "fidelity; read|bytes; of the original|share; MS-SSIM|; from the "
                    + "device|images/s; from memory|images/s; decoding|CPU ms",
                rows));
  }
}
