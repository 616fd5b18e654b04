package io.headrace.spark;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.PartsConverter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.ClassNames;
import io.headrace.format.Datasets;
import io.headrace.spec.Bytes;
import io.headrace.store.Places;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// Writes a data frame as a dataset: each of its partitions is a shard, in its order.
final class FrameWriter {
  private static final Logger LOG = System.getLogger("io.headrace.spark");

  /// Off-heap bytes for the samples in work of one task.
  private static final long USUAL_MEMORY = 256L << 20;

  private FrameWriter() {}

  static void write(Dataset<Row> frame, SaveMode mode, Map<String, String> given)
      throws IOException {
    var options = new SourceOptions(given);
    Path target = Places.path(options.path());
    boolean there = isThere(target);
    if (there && mode == SaveMode.Ignore) {
      return;
    }
    if (there && mode == SaveMode.ErrorIfExists) {
      throw new ConfigException(
          target + " is not empty: expected a new folder, or mode(\"overwrite\")");
    }
    if (there && mode == SaveMode.Append) {
      throw new ConfigException(
          target
              + " is a whole dataset, whose shards say how many they are: union() the frames and"
              + " write a new one");
    }
    StructType columns = frame.schema();
    ConvertOptions to = options(options, target);
    ClassNames names = options.classes();
    options.requireKnown();
    List<String> classes = names != null ? names.names() : classes(frame);
    String steps = Columns.stepsOf(RowSamples.required(columns, Columns.BYTES));
    var rows = new RowSamples.Plan(columns, classes);
    JavaRDD<Row> parts = frame.javaRDD();
    if (parts.getNumPartitions() == 0) {
      throw new ConfigException("there is no row in the frame for " + target);
    }
    ConvertReport report;
    try (var converter =
        new PartsConverter(
            to.withShards(parts.getNumPartitions()),
            classes,
            steps,
            there && mode == SaveMode.Overwrite)) {
      String plan = converter.plan().toJson();
      Jobs.run(
          parts,
          (task, samples) -> rows.write(plan, task.partitionId(), samples),
          (_, written) -> converter.finished(written.shard(), written.attempt(), written.tally()));
      report = converter.commit();
    }
    LOG.log(
        report.skipped().isEmpty() ? Logger.Level.INFO : Logger.Level.WARNING,
        "%s: %d samples written, %d skipped %s"
            .formatted(target, report.written(), report.skipped().size(), report.skipped()));
  }

  private static boolean isThere(Path target) throws IOException {
    if (!Files.isDirectory(target)) {
      return Files.exists(target);
    }
    try (var files = Files.newDirectoryStream(target)) {
      for (Path file : files) {
        if (!Datasets.UNFINISHED.equals(String.valueOf(file.getFileName()))) {
          return true;
        }
      }
    }
    return false;
  }

  private static ConvertOptions options(SourceOptions options, Path target) {
    String memory = options.get("memory");
    var converted =
        new ConvertOptions(
            target,
            options.get("name", "data"),
            Representation.of(
                options.get("container", "race"),
                options.get("compression", "none"),
                options.get("encoding", "keep"),
                options.get("resize", "keep"),
                options.get("steps", "")),
            1,
            false,
            0,
            options.count("threads", 1),
            options.word("onError", "fail", "skip", "quarantine").equals("skip"),
            memory == null ? USUAL_MEMORY : Bytes.parse(memory),
            options.flag("applyOrientation"),
            null,
            0);
    if (!options.get("onError", "fail").equals("quarantine")) {
      return converted;
    }
    Path folder = target.toAbsolutePath().normalize();
    return converted.withQuarantine(folder.resolveSibling(folder.getFileName() + ".quarantine"));
  }

  /// {@return names of classes by number, where none are given: those that the column knows, else
  ///     the labels themselves where they are texts}
  private static List<String> classes(Dataset<Row> frame) {
    StructField label = RowSamples.find(frame.schema(), Columns.LABEL);
    if (label == null || !label.dataType().equals(DataTypes.StringType)) {
      return label == null ? List.of() : Columns.classesOf(label);
    }
    List<String> names =
        frame.select(functions.col(Columns.LABEL)).distinct().as(Encoders.STRING()).collectAsList();
    return ClassNames.sorted(
            names.stream().filter(name -> name != null && !name.isEmpty()).toList(), "the labels")
        .names();
  }
}
