package io.headrace.interop.table;

import java.util.List;

/// A column of a table, or a part of one.
///
/// @param name without those of the levels above
/// @param kind of its values
/// @param children members of a struct; the element of a list; else none
/// @param column its number, of those that have values; -1 if it has children
/// @param described its type, for messages
public record Node(String name, Kind kind, List<Node> children, int column, String described) {
  /// What values may be.
  public enum Kind {
    STRUCT,
    LIST,
    /// Bytes that may be an image.
    BYTES,
    TEXT,
    /// Bytes that are neither, such as JSON, and kept.
    DATA,
    WHOLE,
    REAL,
    BOOLEAN,
    /// What is not read.
    OTHER
  }

  public Node {
    children = List.copyOf(children);
  }

  /// A dot in a name cannot be told from one between levels.
  boolean plainName() {
    return name.indexOf('.') < 0;
  }
}
