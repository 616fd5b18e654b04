package io.headrace.cli;

import io.headrace.cli.options.MemoryAllowed;
import io.headrace.cli.options.Source;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Units;
import io.headrace.cli.watch.Bar;
import io.headrace.cli.watch.StopNotice;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.stream.Compression;
import io.headrace.convert.Cluster;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.Estimate;
import io.headrace.convert.SpreadPlan;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.Printable;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Identity;
import io.headrace.format.OpenOptions;
import io.headrace.lab.tune.PlanFile;
import io.headrace.load.plan.Picks;
import io.headrace.load.plan.SubsetSpec;
import io.headrace.pipeline.Pipeline;
import io.headrace.spec.Bytes;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    description = {
      "Rewrites a dataset in another representation.",
      "The same command resumes an interrupted conversion."
    },
    footer = {
      "",
      "Example:  headrace convert photos/train out/train --compression zstd --shards 8",
      "          headrace convert photos/train out/small --jpeg-quality 75",
      "          headrace convert photos out/race --format race --encoding tiled",
      "          headrace convert photos out/256 --steps decode,resize_shorter=256",
      "          headrace convert photos out/race --format race --encoding packed",
      "",
      "Formats:  tfrecord | tar | pcr | beton | folder | race[:OPTIONS]",
      "  race: groups=1/2/5/10  last scan of each fidelity group",
      "        blobs=none|lz4[:LEVEL]|zstd[:LEVEL]",
      "        block=BYTES       compressed together; each blob alone if not given",
      "        dictionary=BYTES  of a zstd dictionary to learn from the samples",
      "",
      "Encodings:  keep | jpeg:QUALITY[:tables=data] | webp:QUALITY | webp-lossless",
      "            | avif:QUALITY | png | qoi | lossless[:LEVEL] | bmp | ppm | raw",
      "            | learned[:MODEL[:QUALITY]] | ptci:MODEL[:QUALITY]",
      "  JPEGs without loss:  progressive | baseline | tiled[:MCUS]",
      "        :colour after it drops metadata except the colour's, :drop all",
      "  packed[:MCUS]         fewer bytes, decoded faster (race only)",
      "  pyramid[:QUALITY]     tiled, and smaller copies (race only)",
      "  mix[@SEED]:WEIGHT*ENCODING+WEIGHT*ENCODING",
      "  Sounds:  wav | flac[:LEVEL] | mp3:KILOBITS | mp3:vQUALITY | vorbis[:QUALITY]",
      "  of --steps also:  store | zvc | rle | csr | lz4 | shuffle | fpc | adaptive",
      "                    | zfp[:accuracy=A] | cheapest; raw if nothing is said",
      "",
      "Compression:  none | zlib[:OPTIONS] | gzip[:OPTIONS] | zstd[:OPTIONS]",
      "              | lz4[:OPTIONS] | snappy | xz[:OPTIONS] | bzip2[:OPTIONS]",
      "              | lzma[:OPTIONS] | lzop",
      "  zlib, gzip: level=-1..9, window=9..15, mem=1..9,",
      "              strategy=default|filtered|huffman_only|rle|fixed",
      "  zstd:       level, strategy=0..9, windowlog=10..31, workers,",
      "              checksum=true|false",
      "  lz4:        level=0..12, blocksize=4..7, blockchecksum=true|false,",
      "              checksum=true|false",
      "  xz, lzma:   level=0..9",
      "  bzip2:      level=1..9",
      "  for instance  zlib:level=6,strategy=rle   zstd:level=3,workers=2"
    })
final class Convert implements Callable<Integer> {
  private static final long USUAL_MEMORY = 1L << 30;

  private static final int SKIPPED_SHOWN = 20;

  @Mixin private Source source = new Source();

  @Parameters(index = "1", paramLabel = "TARGET", description = "New folder for the result.")
  private Path target = Path.of(".");

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "What files to write: tfrecord (the default; race for what no other holds), tar, race,"
              + " pcr, beton or folder; see below.")
  private @Nullable String format;

  @Option(
      names = "--compression",
      paramLabel = "SPEC",
      description = "Compresses each shard as a whole; none if not given.")
  private @Nullable String compression;

  @Option(
      names = "--encoding",
      paramLabel = "ENC",
      description = {"How images or sounds are encoded: keep (the default) or one of those below."})
  private @Nullable String encoding;

  @Option(
      names = "--jpeg-quality",
      paramLabel = "Q",
      description = "Short for --encoding jpeg:Q. A JPEG that is not above Q already is kept.")
  private @Nullable Integer jpegQuality;

  @Option(
      names = "--resize",
      paramLabel = "SIZE",
      description = "keep (the default), longest=PIXELS or shortest=PIXELS; never enlarges.")
  private @Nullable String resize;

  @Option(
      names = "--steps",
      paramLabel = "STEPS",
      description =
          "Do these first steps of a pipeline ahead, such as decode,resize_shorter=256, and store"
              + " what they give; headrace steps lists them. load --pipeline does the rest.")
  private @Nullable String steps;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "Take format, compression, encoding and size from a plan that tune made.")
  private @Nullable Path plan;

  @Option(
      names = "--subset",
      paramLabel = "SUBSET",
      description =
          "Take only the first of each class by name: a percentage such as 30%%, rounded down, or a"
              + " number such as 100 (also first:30%%). Or random:30%% of all, random:100;"
              + " numbers:FILE or keys:FILE, a line each.")
  private @Nullable String subset;

  @Option(names = "--shards", paramLabel = "N", description = "Files to write (${DEFAULT-VALUE}).")
  private int shards = 8;

  @Option(
      names = "--shard-size",
      paramLabel = "SIZE",
      description = "Write files of about this size, such as 256MiB.")
  private @Nullable String shardSize;

  @Option(
      names = "--dry-run",
      description = "Estimate from a few samples what it will take, and write nothing.")
  private boolean dryRun;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "First part of the files' names (${DEFAULT-VALUE}).")
  private String name = "data";

  @Option(
      names = "--shuffle",
      paramLabel = "SEED",
      description = "Write samples in an order drawn from SEED, not as they are stored.")
  private @Nullable Long shuffle;

  @Option(
      names = "--on-error",
      paramLabel = "POLICY",
      description = {
        "fail (the default) at a bad sample, skip it and list it, or quarantine it: skip it,"
            + " and keep its bytes in the folder TARGET.quarantine."
      })
  private String onError = "fail";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Workers; as many as cores, or one for each task of Spark.")
  private @Nullable Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Bound on memory for samples in work; 1GiB if not given, less where the machine or the"
              + " control group has less.")
  private @Nullable String memory;

  @Option(
      names = "--apply-orientation",
      description = "Turn images upright, as their EXIF tag says; off by default.")
  private boolean applyOrientation;

  @Option(
      names = "--measure",
      paramLabel = "N",
      description = "Measure PSNR, SSIM and MS-SSIM of about N images that are encoded again.")
  private int measure;

  @Option(
      names = "--spark",
      paramLabel = "URL",
      description =
          "Write the shards on the executors of Spark's master at URL, such as"
              + " spark://HOST:7077 or local[4]; submit means the one that spark-submit has set."
              + " The result is the same.")
  private @Nullable String spark;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!List.of("fail", "skip", "quarantine").contains(onError)) {
      throw new ConfigException(
          "unknown error policy '" + onError + "': expected fail, skip or quarantine");
    }
    var options =
        new ConvertOptions(
            target,
            name,
            representation(),
            shards,
            shuffle != null,
            shuffle == null ? 0 : shuffle,
            threads(),
            onError.equals("skip"),
            MemoryAllowed.of("--memory", memory, USUAL_MEMORY),
            applyOrientation,
            null,
            measure);
    if (onError.equals("quarantine")) {
      Path folder = target.toAbsolutePath().normalize();
      options = options.withQuarantine(folder.resolveSibling(folder.getFileName() + ".quarantine"));
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Dataset whole = source.open(Store.LOCAL, planned());
        var _ = new Warnings(err, whole)) {
      Dataset dataset = subset == null ? whole : taken(whole, subset, err);
      if (plan != null) {
        String change = Identity.of(whole).since(PlanFile.read(plan).data());
        if (!change.isEmpty()) {
          err.printf(
              "warning: %s was made for another dataset than %s, which has %s%n",
              plan, source.path(), change);
          err.flush();
        }
      }
      if (shardSize != null) {
        options = options.withShards(Converter.shardsOf(dataset, options, Bytes.parse(shardSize)));
      }
      var converter = new Converter(dataset, options);
      if (dryRun) {
        return estimate(out, converter, options, dataset);
      }
      ConvertReport report;
      var from = new SpreadPlan.Source(source.path(), source.options(planned()));
      try (Cluster cluster = cluster(spark, err);
          var _ = new Bar(converter.progress(), err);
          var _ = new StopNotice(err, "interrupted: the same command takes it up again", 0)) {
        report = converter.run(from, cluster);
      }
      Warnings.ofLabels(err, report.written(), report.unlabelled());
      if (json) {
        Json.print(out, report, dataset);
      } else {
        print(out, report, Content.ofFirst(dataset).word());
      }
      return report.skipped().isEmpty() && report.contradiction().isEmpty()
          ? Exit.DONE
          : Exit.BAD_DATA;
    }
  }

  private int threads() {
    Integer given = threads;
    return given != null ? given : spark != null ? 1 : Runtime.getRuntime().availableProcessors();
  }

  private static @Nullable Cluster cluster(@Nullable String url, PrintWriter err) {
    if (url == null) {
      return null;
    }
    Cluster.Provider provider = Cluster.provider("spark");
    if (provider == null) {
      throw new ConfigException(
          "--spark needs headrace-spark-VERSION.jar and Spark on the class path, where ./headrace"
              + " puts them");
    }
    if (!url.equals("submit") && !url.startsWith("local")) {
      err.println("waiting for executors of " + url); // which takes a minute where there is none
      err.flush();
    }
    return provider.connect(url.equals("submit") ? "" : url);
  }

  private static Dataset taken(Dataset whole, String subset, PrintWriter err) throws IOException {
    SubsetSpec wanted = SubsetSpec.parse(subset, SubsetSpec.First::new);
    Picks taken = Picks.of(wanted, whole);
    err.printf(
        Locale.ROOT,
        "subset: %,d of %,d samples, %s%n",
        taken.numbers().length,
        taken.all(),
        switch (wanted) {
          case SubsetSpec.First(var amount) ->
              "the first %s of each of %d %s by name"
                  .formatted(amount, taken.classes(), taken.classes() == 1 ? "class" : "classes");
          case SubsetSpec.Random _ -> "drawn at random";
          case SubsetSpec.Numbers _ -> "by their numbers";
          case SubsetSpec.Keys _ -> "by their keys";
        });
    if (!taken.without().isEmpty()) {
      List<String> names = whole.classes();
      err.printf(
          "warning: none is taken of %s, which are too few%n",
          taken.without().stream()
              .map(
                  label ->
                      label < 0
                          ? "the samples without a label"
                          : label < names.size()
                              ? "class " + Printable.of(names.get(label.intValue()))
                              : "class " + label)
              .collect(Collectors.joining(", ")));
    }
    err.flush();
    return taken.subset(whole, wanted);
  }

  private OpenOptions planned() throws IOException {
    return plan == null ? OpenOptions.DEFAULT : PlanFile.read(plan).opening();
  }

  private Representation representation() throws IOException {
    if (plan != null) {
      if (format != null
          || compression != null
          || encoding != null
          || jpegQuality != null
          || resize != null
          || steps != null) {
        throw new ConfigException(
            "--plan says format, compression, encoding and size: leave those options out");
      }
      Representation planned = PlanFile.read(plan).representation();
      if (planned == null) {
        throw new ConfigException(plan + " advises to leave the dataset as it is");
      }
      return planned;
    }
    if (encoding != null && jpegQuality != null) {
      throw new ConfigException("--encoding and --jpeg-quality: give one of them");
    }
    TargetEncoding target =
        jpegQuality != null
            ? new TargetEncoding.Encode(new JpegEncoding(jpegQuality))
            : TargetEncoding.parse(encoding == null ? "keep" : encoding);
    return new Representation(
        format == null ? Packing.usual(target) : Packing.parse(format),
        target,
        resize == null ? Resize.KEEP : Resize.parse(resize),
        Compression.parse(compression == null ? "none" : compression),
        Pipeline.parse(steps == null ? "" : steps));
  }

  private int estimate(
      PrintWriter out, Converter converter, ConvertOptions options, Dataset dataset)
      throws IOException {
    Estimate estimate = converter.estimate();
    long count = converter.progress().total();
    double bytes = estimate.fileBytesPerSample() * count;
    double seconds = estimate.secondsPerSample() * count / options.threads();
    if (json) {
      Json.print(out, estimate, dataset);
    } else {
      out.printf(
          Locale.ROOT,
          "%s would hold %,d samples in %d files, about %s in all, made in about %.0f s;"
              + " told from %d samples%n",
          target,
          count,
          options.representation().packing() instanceof Packing.Folder
              ? count
              : options.forSamples(count).shards(),
          Units.size(bytes),
          seconds,
          estimate.samples());
    }
    out.flush();
    return Exit.DONE;
  }

  /// @param content what is converted, in the singular
  private void print(PrintWriter out, ConvertReport report, String content) {
    out.printf(
        Locale.ROOT,
        "%s: %,d samples in, %,d written, %,d skipped; %s, %s, %.1f s%n",
        target,
        report.in(),
        report.written(),
        report.skipped().size(),
        report.shards() == 0
            ? "a file each"
            : report.shards() + (report.shards() == 1 ? " shard" : " shards"),
        Units.size(report.fileBytes()),
        report.seconds());
    out.printf(
        Locale.ROOT,
        "  %ss: %,d kept as they were (%,d because they are not above the quality asked for),"
            + " %,d rewritten without loss, %,d encoded again (%,d made smaller)%n",
        content,
        report.kept(),
        report.keptBelowTarget(),
        report.transcoded(),
        report.reencoded(),
        report.resized());
    out.printf(
        Locale.ROOT,
        "  bytes of %ss: %s in, %s out (%.1f %%)%n",
        content,
        Units.size(report.bytesIn()),
        Units.size(report.bytesOut()),
        100.0 * report.bytesOut() / Math.max(1, report.bytesIn()));
    if (report.listLabels() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d labels are lists, which are not classes: each is kept as a field%n",
          report.listLabels());
    }
    if (report.fieldsOfOldSize() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d images made smaller have other fields, which stay as they are: masks and boxes"
              + " among them are of the old size%n",
          report.fieldsOfOldSize());
    }
    if (report.orientationsDropped() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d images encoded again had an EXIF orientation, which is gone; their pixels are as"
              + " stored%n",
          report.orientationsDropped());
    }
    if (report.alphasDropped() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d images encoded again had transparency, which is gone%n",
          report.alphasDropped());
    }
    if (report.depthsReduced() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d images encoded again had more than 8 bits a channel and have 8 now%n",
          report.depthsReduced());
    }
    if (report.packed() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d of %,d packed JPEGs come back byte for byte, the others with the same pixels%n",
          report.exact(),
          report.packed());
    }
    if (report.trailersDropped() > 0) {
      out.printf(
          Locale.ROOT,
          "  %,d images rewritten had bytes after their end, which are gone: %s in all%n",
          report.trailersDropped(),
          Units.size(report.trailingBytesDropped()));
    }
    ConvertReport.Likeness likeness = report.likeness();
    if (likeness != null) {
      out.printf(
          Locale.ROOT,
          "  likeness of %,d images encoded again: PSNR %.2f dB, SSIM %.4f, MS-SSIM %.4f%n",
          likeness.images(),
          likeness.psnr(),
          likeness.ssim(),
          likeness.msSsim());
    }
    report
        .tables()
        .forEach(
            (encoding, tables) ->
                out.printf(
                    "  %s: quantisation tables made of up to 64 images, luminance %s to %s,"
                        + " chrominance %s to %s; dataset.json has them%n",
                    encoding,
                    Collections.min(tables.luminance()),
                    Collections.max(tables.luminance()),
                    Collections.min(tables.chrominance()),
                    Collections.max(tables.chrominance())));
    list(out, "not rewritten", report.passed());
    if (report.resumed() > 0) {
      out.printf("  %d shards were finished by an earlier run%n", report.resumed());
    }
    list(out, "skipped", report.skipped());
    out.println("  set digest " + report.setDigest());
    if (!report.contradiction().isEmpty()) {
      out.println("  other data " + Printable.of(report.contradiction()));
    }
    out.flush();
  }

  private static void list(PrintWriter out, String what, List<String> samples) {
    samples.stream().limit(SKIPPED_SHOWN).forEach(s -> out.println("  " + what + " " + s));
    if (samples.size() > SKIPPED_SHOWN) {
      out.printf("  … and %d more (--json lists all)%n", samples.size() - SKIPPED_SHOWN);
    }
  }
}
