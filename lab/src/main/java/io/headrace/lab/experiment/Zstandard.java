package io.headrace.lab.experiment;

import static io.headrace.lab.experiment.CompressionGrid.DEFAULT;
import static io.headrace.lab.experiment.CompressionGrid.NONE;
import static io.headrace.lab.experiment.CompressionGrid.correlation;
import static io.headrace.lab.experiment.CompressionGrid.plain;
import static io.headrace.lab.experiment.CompressionGrid.ratios;
import static io.headrace.lab.experiment.CompressionGrid.under;
import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.times;

import io.headrace.lab.codecs.BenchKind;
import io.headrace.lab.codecs.BenchOptions;
import io.headrace.lab.codecs.CodecBench;
import io.headrace.lab.codecs.Measured;
import io.headrace.lab.experiment.CompressionGrid.Cell;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    Data data = grid.measure(bench);
    if (!data.facts().has("decompress " + ZSTD)) {
      var options = new BenchOptions(setup.photos(), BenchKind.STREAMS, PACKED, 24, 3, true);
      for (Measured measured : CodecBench.run(options, line -> {}).measured()) {
        data.facts().keep("compress " + measured.name(), measured.encodeMegabytesPerSecond());
        data.facts().keep("decompress " + measured.name(), measured.decodeMegabytesPerSecond());
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

  private Verdict linear(Data data) {
    double pictures = correlation(grid.images(data), PACKED);
    List<Cell> sounds = grid.sounds(data);
    double sound = sounds.isEmpty() ? 0 : correlation(sounds, PACKED);
    return Verdict.of(
        pictures > 0.5 && Math.abs(sound) < 0.5,
        format("ρ = %.2f", pictures),
        format(
            "ρ = %.2f for pictures, %s%s",
            pictures,
            sounds.isEmpty() ? "no sounds were given" : format("ρ = %.2f for sound", sound),
            pictures < 0 ? "; decompression costs more than reading the bytes it saves" : ""));
  }

  private Verdict table(Data data) {
    long pipelines = grid.cells(data).stream().map(Cell::pipeline).distinct().count();
    return Verdict.of(
        pipelines == 4,
        pipelines + " datasets",
        "sizes stand in the report's table beside the paper's");
  }

  private Verdict offline(Data data) {
    List<Cell> cells = grid.images(data);
    double[] most =
        PACKED.stream()
            .mapToDouble(codec -> Collections.max(ratios(cells, Cell::offline, codec, NONE)))
            .toArray();
    double slow = Math.max(most[0], most[1]);
    double zstd = most[2];
    return Verdict.of(
        slow > 2 * zstd,
        times(slow) + ", " + times(zstd),
        format(
            "most CPU time of zlib and gzip is %.1f times none's, of zstd %.1f times", slow, zstd));
  }

  private Verdict sound(Data data) {
    List<Cell> cells = Data.some(grid.sounds(data), "no sounds were given");
    List<List<Double>> rates =
        Stream.of(NONE, DEFAULT, GZIP)
            .map(other -> ratios(cells, Cell::rate, ZSTD, other))
            .toList();
    int of = plain(cells).size();
    long slower =
        IntStream.range(0, of).filter(i -> rates.stream().allMatch(own -> own.get(i) < 1)).count();
    return Verdict.of(
        slower == of,
        format("%d of %d cuts", slower, of),
        format("zstd is the slowest at %d of %d cuts", slower, of));
  }

  private Verdict ratio(Data data) {
    double mean = Statistics.mean(ratios(grid.cells(data), Cell::bytes, ZSTD, DEFAULT));
    return Verdict.of(
        Math.abs(mean - 1) < 0.15, times(mean), "bytes under zstd to bytes under zlib, mean");
  }

  private Verdict unpredictable(Data data) {
    double rank = correlation(grid.cells(data), PACKED);
    return Verdict.of(
        Math.abs(rank) < 0.5,
        format("ρ = %.2f", rank),
        "all pipelines and cuts together; by kind of data it stands at A32");
  }

  private Verdict throughput(Data data) {
    double mean = Statistics.mean(ratios(grid.cells(data), Cell::rate, ZSTD, DEFAULT));
    return Verdict.of(
        mean > 0.8 && mean < 1.25,
        times(mean),
        mean >= 1.25
            ? "zstd is faster: its decompression takes a fraction of zlib's time here"
            : "throughput under zstd to throughput under zlib, mean");
  }

  private Verdict overhead(Data data) {
    double saved = 1 - Collections.min(ratios(grid.cells(data), Cell::offline, ZSTD, DEFAULT));
    return Verdict.of(
        saved > 0.6,
        percent(saved),
        "CPU time offline; 1 − 1.5/9 of A39 makes 83 %, so the text's 0.81 % is read as 81 %");
  }

  private Verdict replace(Data data) {
    List<Double> rates = ratios(grid.cells(data), Cell::rate, ZSTD, DEFAULT);
    List<Double> offline = ratios(grid.cells(data), Cell::offline, ZSTD, DEFAULT);
    int all = rates.size();
    long cheaper =
        IntStream.range(0, all).filter(i -> rates.get(i) >= 0.9 && offline.get(i) < 1).count();
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
    List<Cell> cells = grid.cells(data).stream().filter(c -> c.cut().startsWith("3")).toList();
    List<Double> saved = new ArrayList<>();
    for (String pipeline : CompressionGrid.IMAGES) {
      List<Cell> own = cells.stream().filter(c -> c.pipeline().equals(pipeline)).toList();
      saved.add(1 - ratios(own, Cell::bytes, GZIP, NONE).getFirst());
    }
    double apart = saved.getFirst() - saved.getLast();
    return Verdict.of(
        apart > 0.1,
        percent(saved.getFirst()) + ", " + percent(saved.getLast()),
        Math.abs(apart) < 0.02
            ? "the PNG were made of the JPG, so that both decode to the same pixels"
            : "space saved by gzip on decoded pixels");
  }

  private Verdict apart(Data data) {
    List<String> each =
        PACKED.stream()
            .map(
                codec ->
                    format(
                        "%s %,.0f and %,.0f",
                        codec, data.fact("compress " + codec), data.fact("decompress " + codec)))
            .toList();
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
        Report.points(
            "Fig. 4: compression ratio against throughput gained",
            "",
            "log compression ratio; log throughput, multiple of none's",
            gains));
    sections.add(
        Report.table(
            "Table 1: datasets",
            "",
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
                .toList()));
    return sections;
  }
}
