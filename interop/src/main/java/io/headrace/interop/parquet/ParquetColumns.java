package io.headrace.interop.parquet;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.schema.ColumnSchema;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import dev.hardwood.schema.SchemaNode.GroupNode;
import dev.hardwood.schema.SchemaNode.PrimitiveNode;
import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the columns of a file are used for: one for the image, one for the label, the others for
/// fields.
///
/// @param image the leaf that holds encoded bytes
/// @param path the leaf that names the image's file, or null
/// @param label the leaf of classes, numbers or names, or null
/// @param labelList the leaf among the fields that has several classes a row, or null
/// @param fields leaves kept as fields of the sample
/// @param leftOut names of columns that are not read
record ParquetColumns(
    Leaf image,
    @Nullable Leaf path,
    @Nullable Leaf label,
    @Nullable Leaf labelList,
    List<Leaf> fields,
    List<String> leftOut) {
  private static final List<String> IMAGES =
      List.of(
          "image", "img", "jpg", "jpeg", "png", "picture", "photo", "audio", "sound", "speech",
          "wav", "flac", "mp3", "ogg");
  private static final List<String> LABELS =
      List.of("label", "labels", "class", "cls", "target", "fine_label", "y");

  ParquetColumns {
    fields = List.copyOf(fields);
    leftOut = List.copyOf(leftOut);
  }

  /// A column of values.
  ///
  /// @param name with dots between the levels
  /// @param field what the sample's field is called
  /// @param column its number in the file
  /// @param type of its values
  /// @param text whether its values are texts
  /// @param list whether a row has a list of them, or lists of lists
  record Leaf(
      String name, String field, int column, PhysicalType type, boolean text, boolean list) {}

  /// Chooses columns.
  ///
  /// @param features what the Hugging Face metadata say about them
  /// @param said what the user says about them
  /// @throws ConfigException if no column can be the image; it lists what there is
  static ParquetColumns of(FileSchema schema, Features features, OpenOptions said, String file) {
    List<SchemaNode> nodes = schema.getRootNode().children();
    SchemaNode image = image(nodes, features, said.feature(OpenOptions.IMAGE));
    if (image == null) {
      throw new ConfigException(
          ("no image column in %s, nor one of sounds: expected a struct of bytes and path, or"
               + " binary values named %s; found %s; --features image=NAME,label=NAME says which is"
               + " which")
              .formatted(file, String.join(", ", IMAGES), described(nodes)));
    }
    Leaf bytes = bytesOf(schema, image);
    SchemaNode label = label(nodes, features, image, said.feature(OpenOptions.LABEL));
    List<Leaf> fields = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    Leaf labelList = null;
    for (SchemaNode node : nodes) {
      if (node.equals(image) || (node.equals(label) && node instanceof PrimitiveNode)) {
        continue;
      }
      if (node instanceof GroupNode group && holdsBytes(group)) { // another image
        fields.add(bytesOf(schema, group));
        Leaf path = pathOf(schema, group);
        if (path != null) {
          fields.add(path);
        }
        continue;
      }
      int before = fields.size();
      collect(schema, node, node.name(), fields, leftOut);
      if (node.equals(label) && fields.size() == before + 1 && fields.getLast().list()) {
        labelList = fields.getLast();
      }
    }
    return new ParquetColumns(
        bytes,
        pathOf(schema, image),
        label instanceof PrimitiveNode leaf ? leaf(schema, leaf, leaf.name()) : null,
        labelList,
        fields,
        leftOut);
  }

  /// Adds the leaves of a column: one for numbers, texts and lists of these, or lists of lists; one
  /// for each member of a struct, or of the structs in a list, called by its path.
  ///
  /// @param leftOut takes the paths of what cannot be kept
  private static void collect(
      FileSchema schema, SchemaNode node, String field, List<Leaf> fields, List<String> leftOut) {
    SchemaNode element = node;
    while (element instanceof GroupNode group && group.isList() && plainName(group)) {
      element = group.getListElement();
    }
    if (element instanceof PrimitiveNode leaf && plainName(node) && isField(leaf)) {
      ColumnSchema column = schema.getColumn(leaf.columnIndex());
      fields.add(
          new Leaf(
              column.fieldPath().toString(),
              field,
              leaf.columnIndex(),
              leaf.type(),
              isText(leaf),
              leaf.maxRepetitionLevel() > 0));
    } else if (element instanceof GroupNode group && group.isStruct() && plainName(group)) {
      for (SchemaNode child : group.children()) {
        collect(schema, child, field + "." + child.name(), fields, leftOut);
      }
    } else {
      leftOut.add(field);
    }
  }

  private static boolean isText(PrimitiveNode leaf) {
    return leaf.type() == PhysicalType.BYTE_ARRAY
        && (leaf.logicalType() instanceof LogicalType.StringType
            || leaf.logicalType() instanceof LogicalType.EnumType);
  }

  private static @Nullable SchemaNode image(
      List<SchemaNode> nodes, Features features, @Nullable String said) {
    if (said != null) {
      return nodes.stream()
          .filter(node -> node.name().equals(said) && holdsBytes(node))
          .findFirst()
          .orElse(null);
    }
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
    return leaf(schema, java.util.Objects.requireNonNull(leaf), image.name());
  }

  private static @Nullable Leaf pathOf(FileSchema schema, SchemaNode image) {
    PrimitiveNode leaf = image instanceof GroupNode group ? child(group, "path") : null;
    return leaf == null ? null : leaf(schema, leaf, image.name() + ".path");
  }

  private static @Nullable SchemaNode label(
      List<SchemaNode> nodes, Features features, SchemaNode image, @Nullable String said) {
    Set<String> names = new LinkedHashSet<>();
    if (said != null) {
      names.add(said);
    } else {
      // among several ClassLabel columns, the one with a usual name, else the first
      LABELS.stream().filter(features.labels()::containsKey).forEach(names::add);
      names.addAll(features.labels().keySet());
      names.addAll(LABELS);
    }
    // whole numbers of any of the names first, then any type that a label may have
    for (boolean any : new boolean[] {false, true}) {
      for (String name : names) {
        for (SchemaNode node : nodes) {
          if (!node.equals(image)
              && node.name().equalsIgnoreCase(name)
              && (any ? mayBeLabel(node) : node instanceof PrimitiveNode leaf && whole(leaf))) {
            return node;
          }
        }
      }
    }
    if (said != null && !said.isEmpty()) {
      throw new ConfigException(
          "no column %s that may be a label: found %s".formatted(said, described(nodes)));
    }
    return null;
  }

  /// {@return whether a column may tell a class, or several}
  private static boolean mayBeLabel(SchemaNode node) {
    return switch (node) {
      case PrimitiveNode leaf ->
          leaf.maxRepetitionLevel() == 0
              && plainName(leaf)
              && (isText(leaf)
                  || leaf.type() == PhysicalType.BOOLEAN
                  || leaf.type() == PhysicalType.FLOAT
                  || leaf.type() == PhysicalType.DOUBLE);
      case GroupNode group -> group.isList();
      default -> false;
    };
  }

  private static boolean whole(PrimitiveNode leaf) {
    return leaf.maxRepetitionLevel() == 0 && isWhole(leaf) && plainName(leaf);
  }

  private static boolean isWhole(PrimitiveNode leaf) {
    return (leaf.type() == PhysicalType.INT32 || leaf.type() == PhysicalType.INT64)
        && (leaf.logicalType() == null || leaf.logicalType() instanceof LogicalType.IntType);
  }

  private static boolean isField(PrimitiveNode leaf) {
    if (!plainName(leaf)) {
      return false;
    }
    return switch (leaf.type()) {
      case INT32, INT64 -> isWhole(leaf);
      case FLOAT, DOUBLE, BOOLEAN -> true;
      case BYTE_ARRAY ->
          leaf.maxRepetitionLevel() > 0
              ? isText(leaf)
              : !(leaf.logicalType() instanceof LogicalType.DecimalType);
      case INT96, FIXED_LEN_BYTE_ARRAY -> false;
    };
  }

  /// A dot in a name cannot be told from one between levels.
  private static boolean plainName(SchemaNode node) {
    return node.name().indexOf('.') < 0;
  }

  private static Leaf leaf(FileSchema schema, PrimitiveNode node, String field) {
    ColumnSchema column = schema.getColumn(node.columnIndex());
    return new Leaf(
        column.fieldPath().toString(), field, node.columnIndex(), node.type(), isText(node), false);
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

  /// {@return whether labels are names of classes}
  boolean hasTextLabels() {
    return label != null && label.text();
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
