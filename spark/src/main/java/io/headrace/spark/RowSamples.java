package io.headrace.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.convert.ShardPart;
import io.headrace.convert.SpreadPlan;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// The rows of one partition of a data frame, as a dataset that is read once.
///
/// `key` and `bytes` must be there; `label` may be a number or the name of a class; `fields` is a
/// map as [Columns] describes it, or one to texts or bytes; `size` and `encoding` are told anew
/// from the bytes. Every other column is a field of its name: texts and bytes as they are, numbers
/// and truth values as JSON, nothing where it is null.
final class RowSamples implements Dataset {
  private final Plan plan;
  private final int partition;
  private final Iterator<Row> rows;

  private RowSamples(Plan plan, int partition, Iterator<Row> rows) {
    this.plan = plan;
    this.partition = partition;
    this.rows = rows;
  }

  /// How rows are samples: the same for all partitions.
  ///
  /// @param columns of the frame
  /// @param classes names by number
  record Plan(StructType columns, List<String> classes) implements Serializable {
    /// Checks the columns.
    Plan {
      require(required(columns, Columns.KEY), StringType.class, "a text");
      require(required(columns, Columns.BYTES), BinaryType.class, "binary");
      for (StructField column : columns.fields()) {
        requireExactName(column);
        DataType type = column.dataType();
        boolean known =
            switch (column.name()) {
              case Columns.LABEL -> type instanceof StringType || isWhole(type);
              case Columns.FIELDS ->
                  type instanceof MapType map
                      && map.keyType() instanceof StringType
                      && (map.valueType() instanceof StringType
                          || map.valueType() instanceof BinaryType
                          || DataType.equalsIgnoreNullability(map.valueType(), Columns.FIELD));
              default ->
                  type instanceof StringType
                      || type instanceof BinaryType
                      || type instanceof BooleanType
                      || type instanceof NumericType;
            };
        if (!known) {
          throw new ConfigException(
              "column %s is %s, which no sample holds: to_json() makes a text of it, drop() leaves it out"
                  .formatted(column.name(), type.simpleString()));
        }
      }
    }

    /// Checks that a column which means something has its name in lower case: by another one it
    /// would become a field.
    private static void requireExactName(StructField column) {
      String lower = column.name().toLowerCase(Locale.ROOT);
      if (!lower.equals(column.name()) && Columns.ALL.contains(lower)) {
        throw new ConfigException(
            "column %s: expected %s: withColumnRenamed(\"%s\", \"%s\") names it so"
                .formatted(column.name(), lower, column.name(), lower));
      }
    }

    private static boolean isWhole(DataType type) {
      return type.equals(DataTypes.LongType)
          || type.equals(DataTypes.IntegerType)
          || type.equals(DataTypes.ShortType)
          || type.equals(DataTypes.ByteType);
    }

    private static void require(StructField column, Class<?> type, String words) {
      if (!type.isInstance(column.dataType())) {
        throw new ConfigException(
            "column %s is %s: expected %s"
                .formatted(column.name(), column.dataType().simpleString(), words));
      }
    }

    /// Writes the rows of a partition as a shard.
    ///
    /// @param plan of the conversion, as text
    Written write(String plan, int partition, Iterator<Row> rows)
        throws IOException, InterruptedException {
      String attempt = UUID.randomUUID().toString().replace("-", "");
      try (var samples = new RowSamples(this, partition, rows);
          var part = ShardPart.of(SpreadPlan.parse(plan), samples)) {
        return new Written(partition, attempt, part.write(partition, attempt));
      }
    }
  }

  /// {@return the column of a name}
  ///
  /// @throws ConfigException if there is none
  static StructField required(StructType columns, String name) {
    StructField column = find(columns, name);
    if (column == null) {
      throw new ConfigException(
          "there is no column %s among %s: a sample has a key (text) and bytes (binary), and may have"
                  .formatted(name, Columns.names(columns))
              + " a label and fields");
    }
    return column;
  }

  /// {@return the column of a name, or null}
  static @Nullable StructField find(StructType columns, String name) {
    for (StructField column : columns.fields()) {
      if (column.name().equals(name)) {
        return column;
      }
    }
    return null;
  }

  @Override
  public SampleCursor openCursor(int shard) {
    return new Cursor();
  }

  private final class Cursor implements SampleCursor {
    private final int key = plan.columns().fieldIndex(Columns.KEY);
    private final int image = plan.columns().fieldIndex(Columns.BYTES);
    private final StructField[] columns = plan.columns().fields();
    private long record;
    private long filled;
    private long bytes;

    @Override
    public boolean next(Sample into) throws IOException {
      if (!rows.hasNext()) {
        return false;
      }
      Row row = rows.next();
      into.place("partition %d of the frame".formatted(partition), record++, -1);
      filled = 0;
      try {
        fill(row, into);
      } catch (DecodeException e) {
        throw CorruptDataException.at(into.location(), e);
      }
      bytes += filled;
      return true;
    }

    private void fill(Row row, Sample into) throws DecodeException {
      String name = row.isNullAt(key) ? "" : row.getString(key);
      if (name.isEmpty()) {
        throw new DecodeException(Fault.MISMATCH, "the column key has nothing here");
      }
      into.key(name);
      if (row.isNullAt(image)) {
        throw new DecodeException(Fault.MISMATCH, "the column bytes has nothing here");
      }
      byte[] file = row.getAs(image);
      into.encoded(put(into, file), file.length);
      for (int i = 0; i < columns.length; i++) {
        if (!row.isNullAt(i)) {
          column(row, i, into);
        }
      }
      into.storedBytes(filled);
    }

    private void column(Row row, int i, Sample into) throws DecodeException {
      switch (columns[i].name()) {
        case Columns.KEY, Columns.BYTES, Columns.SIZE, Columns.ENCODING -> {}
        case Columns.LABEL -> into.label(label(row.get(i)));
        case Columns.FIELDS -> {
          for (Map.Entry<String, ?> field : row.<String, Object>getJavaMap(i).entrySet()) {
            field(into, field.getKey(), field.getValue());
          }
        }
        default -> field(into, columns[i].name(), row.get(i));
      }
    }

    private long label(Object value) throws DecodeException {
      if (value instanceof Number number) {
        return number.longValue();
      }
      if (value instanceof String name && !name.isEmpty()) {
        int number = plan.classes().indexOf(name);
        if (number < 0) {
          throw new DecodeException(
              Fault.MISMATCH,
              "label '%s' is none of the %d classes".formatted(name, plan.classes().size()));
        }
        return number;
      }
      return Sample.NO_LABEL;
    }

    private void field(Sample into, String name, @Nullable Object value) throws DecodeException {
      if (value == null) {
        return;
      }
      if (value instanceof Row row
          && (isNull(row, Columns.BYTES) || isNull(row, Columns.FEATURE))) {
        throw new DecodeException(
            Fault.MISMATCH, "field '%s' has no bytes or no feature".formatted(name));
      }
      for (int i = 0; i < into.fields(); i++) {
        if (into.fieldName(i).equals(name)) {
          throw new DecodeException(
              Fault.MISMATCH,
              "field '%s' is in the column fields and a column too".formatted(name));
        }
      }
      byte[] title = name.getBytes(UTF_8);
      boolean feature = value instanceof Row row && row.<Boolean>getAs(Columns.FEATURE);
      byte[] content =
          switch (value) {
            case Row row -> row.getAs(Columns.BYTES);
            case byte[] plain -> plain;
            case Float number when !Float.isFinite(number) -> quoted(number);
            case Double number when !Double.isFinite(number) -> quoted(number);
            default -> value.toString().getBytes(UTF_8);
          };
      long at = put(into, title);
      into.addField(at, title.length, put(into, content), content.length, feature);
    }

    private static boolean isNull(Row row, String column) {
      return row.isNullAt(row.fieldIndex(column));
    }

    private static byte[] quoted(Number number) {
      return ('"' + number.toString() + '"').getBytes(UTF_8);
    }

    /// {@return where bytes now lie in the sample's memory}
    private long put(Sample into, byte[] what) throws DecodeException {
      long at = filled;
      MemorySegment memory = into.ensureKeeping(at + what.length);
      MemorySegment.copy(MemorySegment.ofArray(what), 0, memory, at, what.length);
      filled += what.length;
      return at;
    }

    @Override
    public boolean resumable() {
      return true;
    }

    @Override
    public long bytesRead() {
      return bytes;
    }

    @Override
    public void close() {
      // the task ends the rows
    }
  }

  @Override
  public Path root() {
    return Path.of("frame");
  }

  @Override
  public List<String> classes() {
    return plan.classes();
  }

  @Override
  public long size() {
    return -1;
  }

  @Override
  public boolean indexed() {
    return false;
  }

  @Override
  public SampleReader openReader() {
    throw new UnsupportedOperationException("rows are read once, in order");
  }

  @Override
  public List<Path> shards() {
    return List.of(root());
  }

  @Override
  public long storedBytes() {
    return 0;
  }

  @Override
  public String setDigest() {
    return "";
  }

  @Override
  public List<String> warnings() {
    return List.of();
  }

  @Override
  public void close() {
    // the rows are the task's
  }
}
