package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;

import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.lab.codecs.SoundCuts;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Pipelines of "Analysis of compression algorithms in preprocessing pipelines", each cut after
/// every step that is done offline, what is stored compressed in some ways.
///
/// Pictures are loaded by trials, in TFRecord. Sound is measured as one thread's CPU time for each
/// step, with the bandwidth of the store on top; its figures are [Facts].
final class CompressionGrid {
  /// Bytes a second that the paper's storage gave each of eight threads: 910 MB/s of fio.
  static final double STORE_PER_THREAD = 910e6 / 8;

  static final String NONE = "none";
  static final String DEFAULT = "zlib";

  /// The five strategies of zlib, [#DEFAULT] being the first.
  static final List<String> STRATEGIES =
      List.of(
          DEFAULT,
          "zlib:strategy=filtered",
          "zlib:strategy=huffman",
          "zlib:strategy=rle",
          "zlib:strategy=fixed");

  static final List<String> IMAGES = List.of("PNG", "JPG");
  static final List<String> SOUNDS = List.of("FLAC", "MP3");

  private final List<String> compressions;

  /// @param compressions to compare, as users spell them
  CompressionGrid(List<String> compressions) {
    this.compressions = compressions;
  }

  /// A step after which a pipeline is cut.
  ///
  /// @param name as PRESTO has it
  /// @param encoding of what is stored then
  /// @param resize of what is stored then
  /// @param sound what it is for sound
  record Cut(String name, String encoding, String resize, SoundCuts.Cut sound) {}

  /// Cuts of pictures; those of sound are the first two and one after the spectrogram.
  static final List<Cut> CUTS =
      List.of(
          new Cut("2-read-image", "keep", "keep", SoundCuts.Cut.READ),
          new Cut("3-decode-image", "raw", "keep", SoundCuts.Cut.DECODED),
          new Cut("4-resize-image", "raw", "shortest=256", SoundCuts.Cut.SPECTROGRAM));

  /// What was measured of one pipeline, cut and compression.
  ///
  /// @param pipeline such as `PNG`
  /// @param cut name of it
  /// @param compression as users spell it
  /// @param bytes of a sample, stored
  /// @param offline CPU seconds for a sample, ahead
  /// @param rate samples a second
  /// @param low end of its interval; NaN if it has none
  /// @param high end of its interval; NaN if it has none
  record Cell(
      String pipeline,
      String cut,
      String compression,
      double bytes,
      double offline,
      double rate,
      double low,
      double high) {
    boolean image() {
      return IMAGES.contains(pipeline);
    }

    /// {@return whether two differ in nothing but compression}
    boolean sits(Cell other) {
      return pipeline.equals(other.pipeline) && cut.equals(other.cut);
    }
  }

  private static Trial trial(Setup setup, String pipeline, Cut cut, String compression) {
    Path dataset = pipeline.equals("PNG") ? setup.png() : setup.photos();
    return setup
        .trial(dataset)
        .with(Key.FORMAT, "tfrecord")
        .with(Key.ENCODING, cut.encoding())
        .with(Key.RESIZE, cut.resize())
        .with(Key.COMPRESSION, compression)
        .with(Key.STORE, Setup.device(STORE_PER_THREAD * setup.threads()))
        .with(Key.PIPELINE, "resize_shorter=256,random_crop=224,center,float32")
        .with(Key.DECODING, "exact");
  }

  /// Measures what is missing.
  Data measure(Bench bench) throws IOException, InterruptedException {
    Setup setup = bench.setup();
    List<Trial> trials = new ArrayList<>();
    for (String pipeline : IMAGES) {
      for (Cut cut : CUTS) {
        for (String compression : compressions) {
          trials.add(trial(setup, pipeline, cut, compression));
        }
      }
    }
    var runs = bench.run("compression", trials);
    Facts facts = bench.facts("compression");
    if (setup.sounds() != null) {
      for (String pipeline : SOUNDS) {
        measureSounds(setup, pipeline, facts);
      }
    }
    return new Data(setup, runs, facts);
  }

  private void measureSounds(Setup setup, String pipeline, Facts facts)
      throws IOException, InterruptedException {
    List<String> missing =
        compressions.stream().filter(c -> !facts.has(fact(pipeline, CUTS.getLast(), c))).toList();
    if (missing.isEmpty()) {
      return;
    }
    String encoding = pipeline.equals("FLAC") ? "flac:5" : "mp3:v4";
    try (var cuts = new SoundCuts(setup.soundsOrNone(), encoding, setup.size().sounds())) {
      for (String compression : missing) {
        for (Cut cut : CUTS) {
          SoundCuts.Cost cost = cuts.cost(cut.sound(), Compression.parse(compression));
          String name = fact(pipeline, cut, compression);
          facts.keep(name + " plain bytes", cost.plain() / cuts.count());
          facts.keep(name + " bytes", cost.bytes() / cuts.count());
          facts.keep(name + " offline", cost.offline() / cuts.count());
          facts.keep(name, cost.online() / cuts.count());
        }
      }
    } catch (DecodeException e) {
      throw new IOException(setup.sounds() + ": " + e.getMessage(), e);
    }
  }

  private static String fact(String pipeline, Cut cut, String compression) {
    return "%s %s %s online".formatted(pipeline, cut.sound(), compression);
  }

  /// {@return all that was measured}
  List<Cell> cells(Data data) {
    List<Cell> cells = new ArrayList<>();
    for (String pipeline : IMAGES) {
      for (Cut cut : CUTS) {
        for (String compression : compressions) {
          Summary summary = data.of(trial(data.setup(), pipeline, cut, compression));
          var conversion = summary.conversion();
          var rate = summary.median(Run::rate);
          cells.add(
              new Cell(
                  pipeline,
                  cut.name(),
                  compression,
                  conversion.bytesPerSample(),
                  conversion.cpuSeconds() / conversion.samples(),
                  rate.value(),
                  rate.low(),
                  rate.high()));
        }
      }
    }
    cells.addAll(sounds(data));
    return cells;
  }

  /// {@return whether all four pipelines were measured}
  ///
  /// @param compared such as `five strategies`
  Verdict all(Data data, String compared) {
    List<Cell> cells = cells(data);
    long pipelines = cells.stream().map(Cell::pipeline).distinct().count();
    return Verdict.of(
        pipelines == 4,
        String.valueOf(cells.size()),
        format(
            "%d pipelines, %d cuts, none and %s%s",
            pipelines,
            plain(cells).size(),
            compared,
            pipelines == 4 ? "" : "; no sounds were given"));
  }

  /// {@return what was measured of pictures}
  List<Cell> images(Data data) {
    return cells(data).stream().filter(Cell::image).toList();
  }

  /// {@return what was measured of sound; empty if there is none}
  List<Cell> sounds(Data data) {
    List<Cell> cells = new ArrayList<>();
    Facts facts = data.facts();
    for (String pipeline : SOUNDS) {
      for (Cut cut : CUTS) {
        for (String compression : compressions) {
          String name = fact(pipeline, cut, compression);
          if (facts.has(name)) {
            double bytes = facts.get(name + " bytes");
            double rate = Math.min(STORE_PER_THREAD / bytes, 1 / facts.get(name));
            String step =
                switch (cut.sound()) {
                  case READ -> "2-read-" + pipeline.toLowerCase(Locale.ROOT);
                  case DECODED -> "2-decode-" + pipeline.toLowerCase(Locale.ROOT);
                  case SPECTROGRAM -> "3-convert-to-spectrogram";
                };
            cells.add(
                new Cell(
                    pipeline,
                    step,
                    compression,
                    bytes,
                    facts.get(name + " offline"),
                    rate,
                    Double.NaN,
                    Double.NaN));
          }
        }
      }
    }
    return cells;
  }

  /// {@return the cell of the same pipeline and cut under another compression}
  static Cell under(List<Cell> cells, Cell like, String compression) {
    return cells.stream()
        .filter(cell -> cell.sits(like) && cell.compression().equals(compression))
        .findFirst()
        .orElseThrow();
  }

  /// {@return the cells that are not compressed: one a pipeline and cut}
  static List<Cell> plain(List<Cell> cells) {
    return cells.stream().filter(cell -> cell.compression().equals(NONE)).toList();
  }

  /// {@return a figure under one compression over that under another, for each pipeline and cut}
  static List<Double> ratios(
      List<Cell> cells, ToDoubleFunction<Cell> figure, String of, String to) {
    return plain(cells).stream()
        .map(
            cell ->
                figure.applyAsDouble(under(cells, cell, of))
                    / figure.applyAsDouble(under(cells, cell, to)))
        .toList();
  }

  /// {@return the rank correlation of space saved and throughput gained by some compressions}
  static double correlation(List<Cell> cells, List<String> compressions) {
    List<Double> saved = new ArrayList<>();
    List<Double> gained = new ArrayList<>();
    for (String compression : compressions) {
      saved.addAll(ratios(cells, Cell::bytes, NONE, compression));
      gained.addAll(ratios(cells, Cell::rate, compression, NONE));
    }
    return Statistics.rankCorrelation(saved, gained);
  }

  /// {@return the figures of the paper: storage against throughput, and the time offline}
  static List<Report.Section> figures(String figure, List<Cell> cells) {
    List<Report.Section> sections = new ArrayList<>();
    for (String pipeline : cells.stream().map(Cell::pipeline).distinct().toList()) {
      List<Cell> own = cells.stream().filter(c -> c.pipeline().equals(pipeline)).toList();
      sections.add(
          Report.points(
              figure + ", " + pipeline + ": storage against throughput",
              "Left and up is better.",
              "log stored, bytes a sample; log throughput, samples/s",
              own.stream()
                  .map(
                      c ->
                          new Point(
                              c.compression(),
                              c.cut(),
                              c.bytes(),
                              c.rate(),
                              c.low(),
                              c.high(),
                              false))
                  .toList()));
      sections.add(
          Report.bars(
              figure + ", " + pipeline + ": time offline",
              "CPU time to do the steps before the cut and to compress what they give.",
              "cut; offline, CPU ms a sample",
              own.stream()
                  .map(c -> new Point(c.compression(), c.cut(), 0, 1000 * c.offline()))
                  .toList()));
    }
    return sections;
  }
}
