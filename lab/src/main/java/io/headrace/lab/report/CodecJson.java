package io.headrace.lab.report;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The data of a report on encodings as the JSON that `codecs.js` reads; names are those of
/// [CodecData].
final class CodecJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private CodecJson() {}

  /// {@return JSON that cannot end the script element that holds it}
  static String inline(CodecData data) {
    var report = NODES.objectNode();
    report.put("title", data.title());
    report.put("subtitle", data.subtitle());
    report.put("base", data.base());
    report.put("unit", data.unit());
    var qualities = report.putArray("qualities");
    data.qualities().forEach(qualities::add);
    var rows = report.putArray("rows");
    data.rows().forEach(row -> rows.add(tree(row)));
    var notes = report.putArray("notes");
    data.notes().forEach(notes::add);
    report.set("machine", ReportJson.pairs(data.machine()));
    return ReportJson.inline(report);
  }

  private static ObjectNode tree(CodecData.Row row) {
    var node = NODES.objectNode();
    node.put("name", row.name());
    node.put("family", row.family());
    ReportJson.put(node, "bytes", row.bytes());
    ReportJson.put(node, "ratio", row.ratio());
    ReportJson.put(node, "encode", row.encode());
    ReportJson.put(node, "decode", row.decode());
    node.put("lossless", row.lossless());
    var quality = node.putArray("quality");
    for (double value : row.quality()) {
      if (Double.isFinite(value)) {
        quality.add(value);
      } else {
        quality.addNull();
      }
    }
    node.put("pareto", row.pareto());
    return node;
  }
}
