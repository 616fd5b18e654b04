package io.headrace.spark;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// The columns of a data frame of samples.
final class Columns {
  /// The sample's key, a text.
  static final String KEY = "key";

  /// The number of its class, null if it has none. The column's metadata have the names of the
  /// classes, [#CLASSES].
  static final String LABEL = "label";

  /// Its other fields by name, [#FIELD].
  static final String FIELDS = "fields";

  /// The encoded image or sound, a file that any viewer reads. The column's metadata have the steps
  /// that were done to it before, [#STEPS].
  static final String BYTES = "bytes";

  /// Bytes of [#BYTES].
  static final String SIZE = "size";

  /// The format of [#BYTES], such as `jpeg`; null if it is none that is known here.
  static final String ENCODING = "encoding";

  /// Metadata of a column: names of classes, by number.
  static final String CLASSES = "classes";

  /// Metadata of a column: steps of a pipeline.
  static final String STEPS = "steps";

  /// The value of a field as text: texts as they are, numbers as JSON; null if it is neither.
  static final String VALUE = "value";

  /// Whether the bytes of a field are a serialised `tf.train.Feature`.
  static final String FEATURE = "feature";

  /// A field of a sample: its value as text, and its bytes as they are stored.
  static final StructType FIELD =
      new StructType()
          .add(VALUE, DataTypes.StringType, true)
          .add(BYTES, DataTypes.BinaryType, false)
          .add(FEATURE, DataTypes.BooleanType, false);

  /// Names that mean something.
  static final Set<String> ALL = Set.of(KEY, LABEL, FIELDS, BYTES, SIZE, ENCODING);

  private static final Set<String> PICTURE = Set.of(FIELDS, BYTES, SIZE, ENCODING);

  private Columns() {}

  /// {@return the columns of a dataset}
  static StructType of(Dataset dataset) throws IOException {
    String steps = Manifest.stepsOf(dataset);
    var metadata = new MetadataBuilder();
    if (!dataset.classes().isEmpty()) {
      metadata.putStringArray(CLASSES, dataset.classes().toArray(String[]::new));
    }
    DataType fields = DataTypes.createMapType(DataTypes.StringType, FIELD, false);
    return new StructType()
        .add(KEY, DataTypes.StringType, false)
        .add(new StructField(LABEL, DataTypes.LongType, true, metadata.build()))
        .add(FIELDS, fields, false)
        .add(new StructField(BYTES, DataTypes.BinaryType, false, metadataOf(steps)))
        .add(SIZE, DataTypes.LongType, false)
        .add(ENCODING, DataTypes.StringType, true);
  }

  private static Metadata metadataOf(String steps) {
    return steps.isEmpty()
        ? Metadata.empty()
        : new MetadataBuilder().putString(STEPS, steps).build();
  }

  /// {@return those of all columns that a user's schema names, in its order}
  ///
  /// @throws ConfigException if it names others, or gives one another type
  static StructType chosen(StructType all, StructType wanted) {
    var chosen = new StructType();
    for (StructField field : wanted.fields()) {
      if (!Arrays.asList(all.fieldNames()).contains(field.name())) {
        throw new ConfigException(
            "schema: there is no column '%s': expected some of %s"
                .formatted(field.name(), String.join(", ", all.fieldNames())));
      }
      StructField own = all.apply(field.name());
      if (!DataType.equalsIgnoreNullability(own.dataType(), field.dataType())) {
        throw new ConfigException(
            "schema: column '%s' is %s, not %s"
                .formatted(
                    field.name(), own.dataType().simpleString(), field.dataType().simpleString()));
      }
      chosen = chosen.add(own);
    }
    return chosen;
  }

  /// {@return whether columns need more of a sample than its key and label}
  static boolean needPictures(StructType columns) {
    return Arrays.stream(columns.fieldNames()).anyMatch(PICTURE::contains);
  }

  /// {@return the classes that a column's metadata name}
  static List<String> classesOf(StructField label) {
    return label.metadata().contains(CLASSES)
        ? List.of(label.metadata().getStringArray(CLASSES))
        : List.of();
  }

  /// {@return the steps that a column's metadata name; empty for none}
  static String stepsOf(StructField bytes) {
    return bytes.metadata().contains(STEPS) ? bytes.metadata().getString(STEPS) : "";
  }

  /// {@return names of columns, for messages}
  static String names(StructType columns) {
    return Arrays.stream(columns.fieldNames()).collect(Collectors.joining(", "));
  }
}
