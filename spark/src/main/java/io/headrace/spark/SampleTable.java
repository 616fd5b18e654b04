package io.headrace.spark;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.store.Places;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/// A dataset as a table that is read.
///
/// @param schema its columns, as [#columnsOf] gave them, or those that a user wants
/// @param properties the options it is read with
@SuppressWarnings("deprecation") // Table.schema, which its other methods are made of
record SampleTable(StructType schema, Map<String, String> properties) implements SupportsRead {
  /// {@return all columns of the dataset that options name}
  static StructType columnsOf(Map<String, String> properties) {
    try (Dataset dataset = open(new SourceOptions(properties))) {
      return Columns.of(dataset);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// {@return the open dataset that options name}
  static Dataset open(SourceOptions options) throws IOException {
    return Datasets.open(Places.path(options.path()), options.opening());
  }

  @Override
  public String name() {
    return "headrace " + new SourceOptions(properties).path();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new SampleScan(schema, new SourceOptions(options.asCaseSensitiveMap()));
  }
}
