package io.headrace.interop.parquet;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.schema.ColumnSchema;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import dev.hardwood.schema.SchemaNode.GroupNode;
import dev.hardwood.schema.SchemaNode.PrimitiveNode;
import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the columns of a file are taken for: one for the image, one for the label, the others for
/// fields.
///
/// @param image the leaf that holds encoded bytes
/// @param path the leaf that names the image's file, or null
/// @param label the leaf of class numbers, or null
/// @param fields leaves kept as fields of the sample
/// @param leftOut names of columns that are not read
record ParquetColumns(
    Leaf image,
    @Nullable Leaf path,
    @Nullable Leaf label,
    List<Leaf> fields,
    List<String> leftOut) {
  private static final List<String> IMAGES =
      List.of("image", "img", "jpg", "jpeg", "png", "picture", "photo");
  private static final List<String> LABELS =
      List.of("label", "labels", "class", "cls", "target", "fine_label", "y");

  ParquetColumns {
    fields = List.copyOf(fields);
    leftOut = List.copyOf(leftOut);
  }

  /// A column of values.
  ///
  /// @param name with dots between the levels
  /// @param column its number in the file
  /// @param type of its values
  record Leaf(String name, int column, PhysicalType type) {}

  /// Chooses columns.
  ///
  /// @param features what the Hugging Face metadata say of them
  /// @throws ConfigException if no column can be the image; it lists what there is
  static ParquetColumns of(FileSchema schema, Features features, String file) {
    List<SchemaNode> nodes = schema.getRootNode().children();
    SchemaNode image = image(nodes, features);
    if (image == null) {
      throw new ConfigException(
          ("no image column in %s: expected a struct of bytes and path, or binary values named %s;"
                  + " found %s")
              .formatted(file, String.join(", ", IMAGES), described(nodes)));
    }
    Leaf bytes = bytesOf(schema, image);
    SchemaNode label = label(nodes, features, image);
    List<Leaf> fields = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (SchemaNode node : nodes) {
      if (node.equals(image) || node.equals(label)) {
        continue;
      }
      if (node instanceof PrimitiveNode leaf && isField(leaf)) {
        fields.add(leaf(schema, leaf));
      } else {
        leftOut.add(node.name());
      }
    }
    return new ParquetColumns(
        bytes,
        pathOf(schema, image),
        label instanceof PrimitiveNode leaf ? leaf(schema, leaf) : null,
        fields,
        leftOut);
  }

  private static @Nullable SchemaNode image(List<SchemaNode> nodes, Features features) {
    Set<String> names = new LinkedHashSet<>(features.images());
    names.addAll(IMAGES);
    for (String name : names) {
      for (SchemaNode node : nodes) {
        if (node.name().equalsIgnoreCase(name) && holdsBytes(node)) {
          return node;
        }
      }
    }
    for (SchemaNode node : nodes) {
      if (node instanceof GroupNode && holdsBytes(node)) {
        return node;
      }
    }
    return null;
  }

  /// {@return whether a column may hold images: text does not, even if its name promises it}
  private static boolean holdsBytes(SchemaNode node) {
    return switch (node) {
      case GroupNode group -> group.isStruct() && child(group, "bytes") != null;
      case PrimitiveNode leaf -> binary(leaf);
      default -> false;
    };
  }

  private static boolean binary(PrimitiveNode leaf) {
    return leaf.type() == PhysicalType.BYTE_ARRAY
        && leaf.maxRepetitionLevel() == 0
        && leaf.logicalType() == null
        && plainName(leaf);
  }

  private static @Nullable PrimitiveNode child(GroupNode group, String name) {
    for (SchemaNode node : group.children()) {
      if (node.name().equals(name)
          && plainName(group)
          && node instanceof PrimitiveNode leaf
          && leaf.type() == PhysicalType.BYTE_ARRAY
          && leaf.maxRepetitionLevel() == 0) {
        return leaf;
      }
    }
    return null;
  }

  private static Leaf bytesOf(FileSchema schema, SchemaNode image) {
    PrimitiveNode leaf =
        image instanceof GroupNode group ? child(group, "bytes") : (PrimitiveNode) image;
    return leaf(schema, java.util.Objects.requireNonNull(leaf));
  }

  private static @Nullable Leaf pathOf(FileSchema schema, SchemaNode image) {
    PrimitiveNode leaf = image instanceof GroupNode group ? child(group, "path") : null;
    return leaf == null ? null : leaf(schema, leaf);
  }

  private static @Nullable SchemaNode label(
      List<SchemaNode> nodes, Features features, SchemaNode image) {
    Set<String> names = new LinkedHashSet<>();
    // of several ClassLabel columns the one with a usual name, else the first
    LABELS.stream().filter(features.labels()::containsKey).forEach(names::add);
    names.addAll(features.labels().keySet());
    names.addAll(LABELS);
    for (String name : names) {
      for (SchemaNode node : nodes) {
        if (!node.equals(image)
            && node.name().equalsIgnoreCase(name)
            && node instanceof PrimitiveNode leaf
            && whole(leaf)) {
          return node;
        }
      }
    }
    return null;
  }

  private static boolean whole(PrimitiveNode leaf) {
    return (leaf.type() == PhysicalType.INT32 || leaf.type() == PhysicalType.INT64)
        && leaf.maxRepetitionLevel() == 0
        && (leaf.logicalType() == null || leaf.logicalType() instanceof LogicalType.IntType)
        && plainName(leaf);
  }

  private static boolean isField(PrimitiveNode leaf) {
    if (leaf.maxRepetitionLevel() != 0 || !plainName(leaf)) {
      return false;
    }
    return switch (leaf.type()) {
      case INT32, INT64 -> whole(leaf);
      case FLOAT, DOUBLE, BOOLEAN -> true;
      case BYTE_ARRAY -> !(leaf.logicalType() instanceof LogicalType.DecimalType);
      case INT96, FIXED_LEN_BYTE_ARRAY -> false;
    };
  }

  /// A dot in a name cannot be told from one between levels.
  private static boolean plainName(SchemaNode node) {
    return node.name().indexOf('.') < 0;
  }

  private static Leaf leaf(FileSchema schema, PrimitiveNode node) {
    ColumnSchema column = schema.getColumn(node.columnIndex());
    return new Leaf(column.fieldPath().toString(), node.columnIndex(), node.type());
  }

  private static List<String> described(List<SchemaNode> nodes) {
    return nodes.stream()
        .map(
            node ->
                switch (node) {
                  case PrimitiveNode leaf ->
                      leaf.name()
                          + ": "
                          + leaf.type()
                          + (leaf.logicalType() == null ? "" : " (" + leaf.logicalType() + ")");
                  case GroupNode group -> group.name() + ": nested";
                  default -> node.name();
                })
        .toList();
  }

  /// {@return all leaves that are read}
  List<Leaf> leaves() {
    List<Leaf> leaves = new ArrayList<>(List.of(image));
    if (path != null) {
      leaves.add(path);
    }
    if (label != null) {
      leaves.add(label);
    }
    leaves.addAll(fields);
    return leaves;
  }
}
