package io.headrace.lab.experiment;

import static io.headrace.lab.experiment.CompressionGrid.DEFAULT;
import static io.headrace.lab.experiment.CompressionGrid.NONE;
import static io.headrace.lab.experiment.CompressionGrid.plain;
import static io.headrace.lab.experiment.CompressionGrid.under;
import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.times;

import io.headrace.error.ConfigException;
import io.headrace.lab.codecs.BenchKind;
import io.headrace.lab.codecs.BenchOptions;
import io.headrace.lab.codecs.CodecBench;
import io.headrace.lab.codecs.Measured;
import io.headrace.lab.experiment.CompressionGrid.Cell;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Paper A, second experiment: Zstandard beside zlib and gzip.
final class Zstandard extends Experiment {
  private static final String ZSTD = "zstd";
  private static final String GZIP = "gzip";
  private static final List<String> PACKED = List.of(DEFAULT, GZIP, ZSTD);

  /// Samples and GB of the paper's datasets.
  private static final Map<String, String> TABLE_1 =
      Map.of(
          "PNG", "Cube++ PNG: 4890 samples, 85.17 GB",
          "JPG", "Cube++ JPG: 4890 samples, 2.54 GB",
          "FLAC", "Librispeech: 28K samples, 6.61 GB",
          "MP3", "Commonvoice: 12K samples, 0.25 GB");

  private final CompressionGrid grid = new CompressionGrid(List.of(NONE, DEFAULT, GZIP, ZSTD));

  Zstandard() {
    super(
        "zstandard",
        "What does Zstandard cost and save beside zlib and gzip, at each cut of a pipeline?");
  }

  @Override
  public Data measure(Bench bench) throws IOException, InterruptedException {
    Data data = grid.measure(bench);
    if (!data.facts().has("decompress " + ZSTD)) {
      var options =
          new BenchOptions(bench.setup().photos(), BenchKind.STREAMS, PACKED, 24, 3, true);
      for (Measured measured : CodecBench.run(options, line -> {}).measured()) {
        data.facts().keep("compress " + measured.name(), measured::encodeMegabytesPerSecond);
        data.facts().keep("decompress " + measured.name(), measured::decodeMegabytesPerSecond);
      }
    }
    return data;
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "A30",
            "{none, zlib, gzip, zstd} × 4 pipelines × all cuts",
            "48",
            data -> grid.all(data, "three codecs")),
        new Claim(
            "A32",
            "ratio against throughput gained: linear for pictures, none for sound",
            "",
            this::linear),
        new Claim("A33", "datasets, samples, sizes, steps", "4 datasets", this::table),
        new Claim(
            "A39",
            "time offline of pictures: zlib and gzip up to 9× of none, zstd 1.5×",
            "9×, 1.5×",
            this::offline),
        new Claim("A40", "sound: zstd slower than none, zlib and gzip", "", this::sound),
        new Claim("A41", "ratio of zstd is near that of zlib and gzip", "", this::ratio),
        new Claim("A42", "the ratio does not predict throughput", "", this::unpredictable),
        new Claim("A43", "throughput of zstd is about that of gzip and zlib", "", this::throughput),
        new Claim(
            "A44",
            "zstd saves up to 81 % of the overhead (0.81 % in the text)",
            "81 %",
            this::overhead),
        new Claim(
            "A45",
            "zstd instead of zlib or gzip where throughput is comparable",
            "",
            this::replace),
        new Claim("A46", "the codec is to be chosen by pipeline and step", "", this::choose),
        new Claim(
            "A47",
            "PNG saves more space than JPG once decoded (gzip)",
            "83 %, 41 %",
            this::pngOrJpg),
        new Claim("A48", "compression and decompression measured apart", "no data", this::apart));
  }

  /// {@return rank correlation of the ratio and the throughput gained}
  private static double correlation(List<Cell> cells) {
    List<Double> ratios = new ArrayList<>();
    List<Double> gains = new ArrayList<>();
    for (Cell cell : plain(cells)) {
      for (String codec : PACKED) {
        Cell packed = under(cells, cell, codec);
        ratios.add(cell.bytes() / packed.bytes());
        gains.add(packed.rate() / cell.rate());
      }
    }
    return Statistics.rankCorrelation(ratios, gains);
  }

  private Verdict linear(Data data) {
    List<Cell> cells = grid.cells(data);
    double pictures = correlation(cells.stream().filter(Cell::image).toList());
    List<Cell> sounds = grid.sounds(data);
    String sound =
        sounds.isEmpty()
            ? "no sounds were given"
            : format("ρ = %.2f for sound", correlation(sounds));
    return Verdict.of(
        pictures > 0.5 && (sounds.isEmpty() || Math.abs(correlation(sounds)) < 0.5),
        format("ρ = %.2f", pictures),
        format(
            "ρ = %.2f for pictures, %s%s",
            pictures,
            sound,
            pictures < 0 ? "; decompression costs more than reading the bytes it saves" : ""));
  }

  private Verdict table(Data data) {
    long pipelines = grid.cells(data).stream().map(Cell::pipeline).distinct().count();
    return Verdict.of(
        pipelines == 4,
        pipelines + " datasets",
        "sizes stand in the report's table beside the paper's");
  }

  /// {@return the most CPU seconds offline under a codec, as a multiple of none's}
  private static double most(List<Cell> cells, String codec) {
    return plain(cells).stream()
        .mapToDouble(cell -> under(cells, cell, codec).offline() / cell.offline())
        .max()
        .orElse(0);
  }

  private Verdict offline(Data data) {
    List<Cell> cells = grid.cells(data).stream().filter(Cell::image).toList();
    double slow = Math.max(most(cells, DEFAULT), most(cells, GZIP));
    double zstd = most(cells, ZSTD);
    return Verdict.of(
        slow > 2 * zstd,
        times(slow) + ", " + times(zstd),
        format(
            "most CPU time of zlib and gzip is %.1f times none's, of zstd %.1f times", slow, zstd));
  }

  private Verdict sound(Data data) {
    List<Cell> cells = grid.sounds(data);
    if (cells.isEmpty()) {
      throw new ConfigException("no sounds were given");
    }
    long slower =
        plain(cells).stream()
            .filter(
                cell ->
                    List.of(NONE, DEFAULT, GZIP).stream()
                        .allMatch(
                            other ->
                                under(cells, cell, ZSTD).rate() < under(cells, cell, other).rate()))
            .count();
    long of = plain(cells).size();
    return Verdict.of(
        slower == of,
        format("%d of %d cuts", slower, of),
        format("zstd is the slowest at %d of %d cuts", slower, of));
  }

  private Verdict ratio(Data data) {
    List<Cell> cells = grid.cells(data);
    double mean =
        Statistics.mean(
            plain(cells).stream()
                .map(c -> under(cells, c, ZSTD).bytes() / under(cells, c, DEFAULT).bytes())
                .toList());
    return Verdict.of(
        Math.abs(mean - 1) < 0.15, times(mean), "bytes under zstd to bytes under zlib, mean");
  }

  private Verdict unpredictable(Data data) {
    double rank = correlation(grid.cells(data));
    return Verdict.of(
        Math.abs(rank) < 0.5,
        format("ρ = %.2f", rank),
        "all pipelines and cuts together; by kind of data it stands at A32");
  }

  private Verdict throughput(Data data) {
    List<Cell> cells = grid.cells(data);
    double mean =
        Statistics.mean(
            plain(cells).stream()
                .map(c -> under(cells, c, ZSTD).rate() / under(cells, c, DEFAULT).rate())
                .toList());
    return Verdict.of(
        mean > 0.8 && mean < 1.25,
        times(mean),
        mean >= 1.25
            ? "zstd is faster: its decompression takes a fraction of zlib's time here"
            : "throughput under zstd to throughput under zlib, mean");
  }

  private Verdict overhead(Data data) {
    List<Cell> cells = grid.cells(data);
    double saved =
        plain(cells).stream()
            .mapToDouble(
                c -> 1 - under(cells, c, ZSTD).offline() / under(cells, c, DEFAULT).offline())
            .max()
            .orElse(0);
    return Verdict.of(
        saved > 0.6,
        percent(saved),
        "CPU time offline; 1 − 1.5/9 of A39 makes 83 %, so the text's 0.81 % is read as 81 %");
  }

  private Verdict replace(Data data) {
    List<Cell> cells = grid.cells(data);
    long all = plain(cells).size();
    long cheaper =
        plain(cells).stream()
            .filter(
                c ->
                    under(cells, c, ZSTD).rate() >= 0.9 * under(cells, c, DEFAULT).rate()
                        && under(cells, c, ZSTD).offline() < under(cells, c, DEFAULT).offline())
            .count();
    return Verdict.of(
        cheaper > all / 2,
        format("%d of %d cuts", cheaper, all),
        "where zstd loses at most a tenth of zlib's throughput and takes less time offline");
  }

  private Verdict choose(Data data) {
    List<Cell> cells = grid.cells(data);
    Map<String, Integer> winners = new LinkedHashMap<>();
    for (Cell cell : plain(cells)) {
      cells.stream()
          .filter(cell::sits)
          .max(Comparator.comparingDouble(Cell::rate))
          .ifPresent(best -> winners.merge(best.compression(), 1, Integer::sum));
    }
    return Verdict.of(
        winners.size() > 1, winners.size() + " winners", "fastest, by number of cuts: " + winners);
  }

  private Verdict pngOrJpg(Data data) {
    List<Cell> cells = grid.cells(data);
    double[] saved = new double[2];
    for (int i = 0; i < 2; i++) {
      String pipeline = CompressionGrid.IMAGES.get(i);
      Cell decoded =
          plain(cells).stream()
              .filter(c -> c.pipeline().equals(pipeline) && c.cut().startsWith("3"))
              .findFirst()
              .orElseThrow();
      saved[i] = 1 - under(cells, decoded, GZIP).bytes() / decoded.bytes();
    }
    return Verdict.of(
        saved[0] > saved[1] + 0.1,
        percent(saved[0]) + ", " + percent(saved[1]),
        Math.abs(saved[0] - saved[1]) < 0.02
            ? "the PNG were made of the JPG, so that both decode to the same pixels"
            : "space saved by gzip on decoded pixels");
  }

  private Verdict apart(Data data) {
    Facts facts = data.facts();
    List<String> each = new ArrayList<>();
    for (String codec : PACKED) {
      each.add(
          format(
              "%s %,.0f and %,.0f",
              codec, facts.get("compress " + codec), facts.get("decompress " + codec)));
    }
    return Verdict.of(
        true,
        String.join("; ", each),
        "MB/s of one core to compress and to decompress decoded photos");
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Cell> cells = grid.cells(data);
    List<Report.Section> sections = new ArrayList<>(CompressionGrid.figures("Fig. 3", cells));
    List<Point> gains = new ArrayList<>();
    for (Cell cell : plain(cells)) {
      for (String codec : PACKED) {
        Cell packed = under(cells, cell, codec);
        gains.add(
            new Point(
                cell.pipeline(),
                cell.cut() + ", " + codec,
                cell.bytes() / packed.bytes(),
                packed.rate() / cell.rate()));
      }
    }
    sections.add(
        Report.Section.of(
            "Fig. 4: compression ratio against throughput gained",
            "",
            Report.Kind.POINTS,
            "log compression ratio",
            "log throughput, multiple of none's",
            gains));
    sections.add(
        new Report.Section(
            "Table 1: datasets",
            "",
            null,
            Report.Table.of(
                "pipeline; the paper's dataset; cut; stored here|bytes; throughput|samples/s",
                plain(cells).stream()
                    .map(
                        c ->
                            List.<Object>of(
                                c.pipeline(),
                                TABLE_1.getOrDefault(c.pipeline(), ""),
                                c.cut(),
                                c.bytes(),
                                c.rate()))
                    .toList())));
    return sections;
  }
}
