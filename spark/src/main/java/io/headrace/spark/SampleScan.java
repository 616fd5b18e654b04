package io.headrace.spark;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// One reading of a dataset: which columns, and how it falls into partitions.
///
/// An indexed dataset falls into ranges of samples that differ by one sample at most, as the shards
/// of a conversion do; one that only streams into its shards.
final class SampleScan
    implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsReportStatistics, Batch {
  /// Stored bytes of a partition, where nobody says how many there are: Spark's own for files.
  private static final long PARTITION_BYTES = 128L << 20;

  private final SourceOptions options;
  private StructType columns;
  private @Nullable Facts facts;

  SampleScan(StructType columns, SourceOptions options) {
    this.columns = columns;
    this.options = options;
  }

  /// What is known of the dataset.
  private record Facts(boolean indexed, long samples, long bytes, int shards) {}

  @Override
  public void pruneColumns(StructType wanted) {
    columns =
        new StructType(
            Arrays.stream(columns.fields())
                .filter(field -> Arrays.asList(wanted.fieldNames()).contains(field.name()))
                .toArray(StructField[]::new));
  }

  @Override
  public Scan build() {
    return this;
  }

  @Override
  public StructType readSchema() {
    return columns;
  }

  @Override
  public String description() {
    return "headrace %s [%s]".formatted(options.path(), Columns.names(columns));
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  private Facts facts() {
    Facts known = facts;
    if (known == null) {
      try (Dataset dataset = SampleTable.open(options)) {
        StructType _ = Columns.chosen(Columns.of(dataset), columns);
        known =
            new Facts(
                dataset.indexed(), dataset.size(), dataset.storedBytes(), dataset.shards().size());
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
      facts = known;
    }
    return known;
  }

  @Override
  public Statistics estimateStatistics() {
    Facts known = facts();
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(known.bytes());
      }

      @Override
      public OptionalLong numRows() {
        return known.samples() < 0 ? OptionalLong.empty() : OptionalLong.of(known.samples());
      }
    };
  }

  @Override
  public InputPartition[] planInputPartitions() {
    Facts known = facts();
    String partitions = options.get("partitions");
    int wanted = options.count("partitions", usual(known));
    String set = UUID.randomUUID().toString();
    boolean skip = options.word("onError", "fail", "skip").equals("skip");
    int fidelity = options.count("fidelity", Integer.MAX_VALUE);
    options.requireKnown();
    Map<String, String> anywhere = options.anywhere();
    if (!known.indexed() && partitions != null) {
      throw new ConfigException(
          "option partitions: %s only streams, so that each of its %d shards is a partition:"
                  .formatted(options.path(), known.shards())
              + " repartition() makes others of them");
    }
    if (!known.indexed()) {
      return IntStream.range(0, known.shards())
          .mapToObj(shard -> new SamplePart(set, anywhere, shard, 0, -1, skip, fidelity))
          .toArray(InputPartition[]::new);
    }
    long samples = known.samples();
    int count = Math.clamp(samples, 1, wanted);
    return IntStream.range(0, count)
        .mapToObj(
            part ->
                new SamplePart(
                    set,
                    anywhere,
                    -1,
                    start(samples, count, part),
                    start(samples, count, part + 1),
                    skip,
                    fidelity))
        .toArray(InputPartition[]::new);
  }

  private static int usual(Facts known) {
    int cores = SparkSession.active().sparkContext().defaultParallelism();
    return Math.clamp(known.bytes() / PARTITION_BYTES + 1, cores, 99_999);
  }

  private static long start(long samples, int parts, int part) {
    return samples / parts * part + Math.min(part, samples % parts);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new Readers(columns);
  }

  private record Readers(StructType columns) implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition part) {
      try {
        return new SampleRows((SamplePart) part, columns);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return new CustomMetric[] {new BytesRead(), new Skipped()};
  }

  /// Bytes read of storage.
  public static final class BytesRead extends CustomSumMetric {
    static final String NAME = "headraceBytesRead";

    /// Made by Spark.
    public BytesRead() {}

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes read of samples";
    }
  }

  /// Samples that could not be read.
  public static final class Skipped extends CustomSumMetric {
    static final String NAME = "headraceSkipped";

    /// Made by Spark.
    public Skipped() {}

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "damaged samples skipped";
    }
  }
}
