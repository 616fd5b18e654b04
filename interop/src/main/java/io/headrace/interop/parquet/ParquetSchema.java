package io.headrace.interop.parquet;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.RepetitionType;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import dev.hardwood.schema.SchemaNode.GroupNode;
import dev.hardwood.schema.SchemaNode.PrimitiveNode;
import io.headrace.interop.table.Node;
import io.headrace.interop.table.Node.Kind;
import java.util.List;

/// The columns of a file, as the library says them.
final class ParquetSchema {
  private static final String NESTED = "nested";

  private ParquetSchema() {}

  /// {@return the columns}
  static List<Node> nodes(FileSchema schema) {
    return schema.getRootNode().children().stream().map(node -> node(node, 0)).toList();
  }

  /// @param above repetitions of the levels above
  private static Node node(SchemaNode node, int above) {
    Node one =
        switch (node) {
          case PrimitiveNode leaf ->
              new Node(leaf.name(), kind(leaf), List.of(), leaf.columnIndex(), described(leaf));
          case GroupNode group when group.isList() -> {
            SchemaNode element = group.getListElement();
            Node values = node(element, element.maxRepetitionLevel());
            yield new Node(group.name(), Kind.LIST, List.of(values), -1, NESTED);
          }
          case GroupNode group when group.isStruct() ->
              new Node(
                  group.name(),
                  Kind.STRUCT,
                  group.children().stream().map(n -> node(n, group.maxRepetitionLevel())).toList(),
                  -1,
                  NESTED);
          default -> new Node(node.name(), Kind.OTHER, List.of(), -1, NESTED);
        };
    return node.repetitionType() == RepetitionType.REPEATED && node.maxRepetitionLevel() > above
        ? new Node(
            node.name(), Kind.LIST, List.of(one), -1, one.described()) // as older tools write
        : one;
  }

  private static String described(PrimitiveNode leaf) {
    return leaf.type() + (leaf.logicalType() == null ? "" : " (" + leaf.logicalType() + ")");
  }

  private static Kind kind(PrimitiveNode leaf) {
    LogicalType logical = leaf.logicalType();
    return switch (leaf.type()) {
      case INT32, INT64 ->
          logical == null || logical instanceof LogicalType.IntType ? Kind.WHOLE : Kind.OTHER;
      case FLOAT, DOUBLE -> Kind.REAL;
      case BOOLEAN -> Kind.BOOLEAN;
      case BYTE_ARRAY ->
          switch (logical) {
            case null -> Kind.BYTES;
            case LogicalType.StringType _, LogicalType.EnumType _ -> Kind.TEXT;
            case LogicalType.DecimalType _ -> Kind.OTHER;
            default -> Kind.DATA;
          };
      case INT96, FIXED_LEN_BYTE_ARRAY -> Kind.OTHER;
    };
  }
}
