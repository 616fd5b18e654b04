package io.headrace.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/// Spark's data source `headrace`.
///
/// It reads as a table of Data Source V2. It writes through [CreatableRelationProvider], to which
/// Spark hands the whole frame: V2 has no `save(path)` that fails where there is something already,
/// which is what `save` does unless it is told otherwise.
public final class HeadraceSource
    implements TableProvider, DataSourceRegister, CreatableRelationProvider {
  /// Made by Spark.
  public HeadraceSource() {}

  @Override
  public String shortName() {
    return "headrace";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SampleTable.columnsOf(options.asCaseSensitiveMap());
  }

  @Override
  public Table getTable(StructType columns, Transform[] parts, Map<String, String> properties) {
    return new SampleTable(columns, properties);
  }

  /// Spark asks for the table of a path that is to be written too, where there is nothing yet.
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public BaseRelation createRelation(
      SQLContext context,
      SaveMode mode,
      scala.collection.immutable.Map<String, String> parameters,
      org.apache.spark.sql.Dataset<Row> frame) {
    try {
      FrameWriter.write(frame, mode, CollectionConverters.asJava(parameters));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    StructType columns = frame.schema();
    return new BaseRelation() {
      @Override
      public SQLContext sqlContext() {
        return context;
      }

      @Override
      public StructType schema() {
        return columns;
      }
    };
  }
}
