package io.headrace.interop.table;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.OpenOptions;
import io.headrace.interop.table.Node.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the columns of a table are used for: one for the image, one for the label, the others for
/// fields.
///
/// @param image the leaf that holds encoded bytes
/// @param path the leaf that names the image's file, or null
/// @param label the leaf of classes, numbers or names, or null
/// @param labelList the leaf among the fields that has several classes a row, or null
/// @param fields leaves kept as fields of the sample
/// @param leftOut names of columns that are not read
public record Columns(
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

  public Columns {
    fields = List.copyOf(fields);
    leftOut = List.copyOf(leftOut);
  }

  /// A column of values.
  ///
  /// @param field what the sample's field is called
  /// @param column its number in the table
  /// @param kind of its values
  /// @param list whether a row has a list of them, or lists of lists
  public record Leaf(String field, int column, Kind kind, boolean list) {}

  /// Chooses columns.
  ///
  /// @param nodes all columns
  /// @param features what `datasets` says about them
  /// @param said what the user says about them
  /// @param file for messages
  /// @throws ConfigException if no column can be the image; it lists what there is
  public static Columns of(List<Node> nodes, Features features, OpenOptions said, String file) {
    Node image = image(nodes, features, said.feature(OpenOptions.IMAGE));
    if (image == null) {
      throw new ConfigException(
          ("no image column in %s, nor one of sounds: expected a struct of bytes and path, or"
                  + " binary values named %s; found %s; --features image=NAME,label=NAME says which is"
                  + " which")
              .formatted(file, String.join(", ", IMAGES), described(nodes)));
    }
    Node label = label(nodes, features, image, said.feature(OpenOptions.LABEL));
    List<Leaf> fields = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    Leaf labelList = null;
    for (Node node : nodes) {
      if (node.equals(image) || (node.equals(label) && isLeaf(node))) {
        continue;
      }
      if (node.kind() == Kind.STRUCT && holdsBytes(node)) { // another image
        fields.add(bytesOf(node));
        Leaf path = pathOf(node);
        if (path != null) {
          fields.add(path);
        }
        continue;
      }
      int before = fields.size();
      collect(node, node.name(), fields, leftOut);
      if (node.equals(label) && fields.size() == before + 1 && fields.getLast().list()) {
        labelList = fields.getLast();
      }
    }
    Leaf classes = label != null && isLeaf(label) ? leaf(label, label.name()) : null;
    return new Columns(bytesOf(image), pathOf(image), classes, labelList, fields, leftOut);
  }

  private static boolean isLeaf(Node node) {
    return node.kind() != Kind.STRUCT && node.kind() != Kind.LIST;
  }

  /// Adds the leaves of a column: one for numbers, texts and lists of these, or lists of lists; one
  /// for each member of a struct, or of the structs in a list, called by its path.
  ///
  /// @param leftOut takes the paths of what cannot be kept
  private static void collect(Node node, String field, List<Leaf> fields, List<String> leftOut) {
    collect(node, field, false, fields, leftOut);
  }

  private static void collect(
      Node node, String field, boolean listed, List<Leaf> fields, List<String> leftOut) {
    Node element = node;
    boolean list = listed;
    while (element.kind() == Kind.LIST && element.plainName()) {
      element = element.children().getFirst();
      list = true;
    }
    if (isLeaf(element) && node.plainName() && isField(element, list)) {
      fields.add(new Leaf(field, element.column(), element.kind(), list));
    } else if (element.kind() == Kind.STRUCT && element.plainName()) {
      for (Node child : element.children()) {
        collect(child, field + "." + child.name(), list, fields, leftOut);
      }
    } else {
      leftOut.add(field);
    }
  }

  private static boolean isField(Node leaf, boolean list) {
    return leaf.plainName()
        && switch (leaf.kind()) {
          case WHOLE, REAL, BOOLEAN, TEXT -> true;
          case BYTES, DATA -> !list;
          case STRUCT, LIST, OTHER -> false;
        };
  }

  private static @Nullable Node image(List<Node> nodes, Features features, @Nullable String said) {
    if (said != null) {
      return nodes.stream()
          .filter(node -> node.name().equals(said) && holdsBytes(node))
          .findFirst()
          .orElse(null);
    }
    Set<String> names = new LinkedHashSet<>(features.images());
    names.addAll(IMAGES);
    for (String name : names) {
      for (Node node : nodes) {
        if (node.name().equalsIgnoreCase(name) && holdsBytes(node)) {
          return node;
        }
      }
    }
    for (Node node : nodes) {
      if (node.kind() == Kind.STRUCT && holdsBytes(node)) {
        return node;
      }
    }
    return null;
  }

  /// {@return whether a column may hold images: text does not, even if its name promises it}
  private static boolean holdsBytes(Node node) {
    return node.kind() == Kind.STRUCT
        ? child(node, "bytes") != null
        : node.kind() == Kind.BYTES && node.plainName();
  }

  private static @Nullable Node child(Node struct, String name) {
    for (Node node : struct.children()) {
      boolean bytes =
          node.kind() == Kind.BYTES || node.kind() == Kind.TEXT || node.kind() == Kind.DATA;
      if (node.name().equals(name) && struct.plainName() && bytes) {
        return node;
      }
    }
    return null;
  }

  private static Leaf bytesOf(Node image) {
    Node leaf = image.kind() == Kind.STRUCT ? child(image, "bytes") : image;
    return leaf(Objects.requireNonNull(leaf), image.name());
  }

  private static @Nullable Leaf pathOf(Node image) {
    Node leaf = image.kind() == Kind.STRUCT ? child(image, "path") : null;
    return leaf == null ? null : leaf(leaf, image.name() + ".path");
  }

  private static @Nullable Node label(
      List<Node> nodes, Features features, Node image, @Nullable String said) {
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
        for (Node node : nodes) {
          if (!node.equals(image)
              && node.name().equalsIgnoreCase(name)
              && (any ? mayBeLabel(node) : node.kind() == Kind.WHOLE && node.plainName())) {
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
  private static boolean mayBeLabel(Node node) {
    return switch (node.kind()) {
      case TEXT, BOOLEAN, REAL -> node.plainName();
      case LIST -> true;
      case STRUCT, BYTES, DATA, WHOLE, OTHER -> false;
    };
  }

  private static Leaf leaf(Node node, String field) {
    return new Leaf(field, node.column(), node.kind(), false);
  }

  private static List<String> described(List<Node> nodes) {
    return nodes.stream().map(node -> node.name() + ": " + node.described()).toList();
  }

  /// {@return whether labels are names of classes}
  public boolean hasTextLabels() {
    return label != null && label.kind() == Kind.TEXT;
  }

  /// {@return names of the classes by label, as `datasets` says them; empty if it does not}
  public List<String> classes(Features features) {
    return label == null ? List.of() : features.labels().getOrDefault(label.field(), List.of());
  }

  /// {@return the class number that a fraction is}
  ///
  /// @param text of it, for the message
  /// @throws DecodeException if it is not a whole number
  public static long classOf(double value, String text) throws DecodeException {
    if (value != Math.rint(value) || Math.abs(value) > 1L << 53) {
      throw new DecodeException(
          Fault.MISMATCH,
          "label %s is no class: --features label= keeps it as a field".formatted(text));
    }
    return (long) value;
  }

  /// {@return what to say about columns that are left out; nothing if there are none}
  public static List<String> leftOutWarning(Set<String> names) {
    return names.isEmpty()
        ? List.of()
        : List.of(
            "columns left out, since they are maps or of a type that is not kept: "
                + String.join(", ", names));
  }

  /// {@return all leaves that are read: image, path and label first}
  public List<Leaf> leaves() {
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
