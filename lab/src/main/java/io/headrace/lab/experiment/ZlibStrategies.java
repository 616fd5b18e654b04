package io.headrace.lab.experiment;

import static io.headrace.lab.experiment.CompressionGrid.NONE;
import static io.headrace.lab.experiment.CompressionGrid.STRATEGIES;
import static io.headrace.lab.experiment.CompressionGrid.correlation;
import static io.headrace.lab.experiment.CompressionGrid.plain;
import static io.headrace.lab.experiment.CompressionGrid.ratios;
import static io.headrace.lab.experiment.CompressionGrid.under;
import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.times;

import io.headrace.lab.experiment.CompressionGrid.Cell;
import io.headrace.lab.report.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Paper A, first experiment: the five strategies of zlib.
final class ZlibStrategies extends Experiment {
  private static final List<String> QUICK = List.of("zlib:strategy=huffman", "zlib:strategy=rle");
  private static final List<String> MATCHING =
      STRATEGIES.stream().filter(strategy -> !QUICK.contains(strategy)).toList();

  private final CompressionGrid grid =
      new CompressionGrid(Stream.concat(Stream.of(NONE), STRATEGIES.stream()).toList());

  ZlibStrategies() {
    super(
        "zlib-strategies",
        "What do zlib's five strategies cost and save, at each cut of a pipeline?");
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    return grid.measure(bench);
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "A29",
            "{none, 5 strategies} × 4 pipelines × all cuts",
            "72",
            data -> grid.all(data, "five strategies")),
        new Claim("A31", "storage against throughput, time offline, by pipeline", "", this::drawn),
        new Claim("A34", "RLE and HUFFMAN_ONLY are alike; so are the other three", "", this::alike),
        new Claim("A35", "RLE, HUFFMAN_ONLY: up to 1.4× of none on PNG", "1.4×", this::faster),
        new Claim("A36", "RLE, HUFFMAN_ONLY: far less time offline", "", this::offline),
        new Claim(
            "A37",
            "sound: strategies alike; RLE, HUFFMAN_ONLY take 80 % of none",
            "0.80×",
            this::sound),
        new Claim("A38", "storage saved does not predict throughput", "", this::unpredictable));
  }

  private Verdict drawn(Data data) {
    int figures = show(data).size();
    return Verdict.of(figures >= 4, figures + " figures", "both columns, a row a pipeline");
  }

  /// {@return how far the values of some strategies lie apart, the mean over cells}
  private static double apart(
      List<Cell> cells, List<String> strategies, ToDoubleFunction<Cell> value) {
    return Statistics.mean(
        plain(cells).stream()
            .map(
                cell ->
                    Statistics.apart(
                        strategies.stream()
                            .map(s -> value.applyAsDouble(under(cells, cell, s)))
                            .toList()))
            .toList());
  }

  private Verdict alike(Data data) {
    List<Cell> cells = grid.images(data);
    double quick = apart(cells, QUICK, Cell::offline);
    double matching = apart(cells, MATCHING, Cell::offline);
    double all = apart(cells, STRATEGIES, Cell::offline);
    return Verdict.of(
        Math.max(quick, matching) < all / 2,
        "",
        format(
            "time offline differs by %.0f %% between those two, %.0f %% between those three,"
                + " %.0f %% between all",
            100 * quick, 100 * matching, 100 * all));
  }

  private Verdict faster(Data data) {
    List<Cell> cells = grid.cells(data);
    double best = 0;
    boolean below = false;
    String where = "";
    for (Cell cell : plain(cells)) {
      for (String strategy : QUICK) {
        double gain = under(cells, cell, strategy).rate() / cell.rate();
        if (cell.pipeline().equals("PNG") && gain > best) {
          best = gain;
          where = cell.cut();
          below =
              MATCHING.stream()
                  .anyMatch(other -> under(cells, cell, other).rate() > gain * cell.rate());
        }
      }
    }
    return Verdict.of(
        best >= 1.1,
        times(best),
        format(
            "most at %s, where %s of the other strategies is faster still",
            where, below ? "one" : "none"));
  }

  private Verdict offline(Data data) {
    List<Cell> cells = grid.images(data);
    List<Double> ratios = new ArrayList<>();
    for (Cell cell : plain(cells)) {
      ratios.add(
          Statistics.mean(MATCHING.stream().map(s -> under(cells, cell, s).offline()).toList())
              / Statistics.mean(QUICK.stream().map(s -> under(cells, cell, s).offline()).toList()));
    }
    return Verdict.of(
        Collections.max(ratios) >= 1.5,
        times(Collections.max(ratios)),
        format(
            "the others take up to %.1f times the CPU time, %.1f on average",
            Collections.max(ratios), Statistics.mean(ratios)));
  }

  private Verdict sound(Data data) {
    List<Cell> cells = Data.some(grid.sounds(data), "no sounds were given");
    double apart = apart(cells, STRATEGIES, Cell::rate);
    double least =
        QUICK.stream()
            .mapToDouble(s -> Collections.min(ratios(cells, Cell::rate, NONE, s)))
            .min()
            .orElseThrow();
    return Verdict.of(
        apart < 0.25 && least <= 0.95,
        times(least),
        format(
            "time online of the quick two is at least %.2f of none's; strategies differ by %.0f %%",
            least, 100 * apart));
  }

  private Verdict unpredictable(Data data) {
    double rank = correlation(grid.cells(data), STRATEGIES);
    return Verdict.of(
        Math.abs(rank) < 0.5,
        format("ρ = %.2f", rank),
        "rank correlation of space saved and throughput gained, over all pipelines and cuts"
            + (rank <= -0.5 ? ": where more is saved, decompression costs more than reading" : ""));
  }

  @Override
  public List<Report.Section> show(Data data) {
    return CompressionGrid.figures("Fig. 2", grid.cells(data));
  }
}
