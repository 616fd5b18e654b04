package io.headrace.lab.report;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A report's data as the JSON that `report.js` reads; names are those of [ReportData].
final class ReportJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ReportJson() {}

  /// {@return JSON that cannot end the script element that holds it}
  static String inline(ReportData data) {
    return inline(tree(data));
  }

  static String inline(ObjectNode tree) {
    // < occurs in strings only, where the escape says the same
    return JsonMapper.shared().writeValueAsString(tree).replace("<", "\\u003c");
  }

  private static ObjectNode tree(ReportData data) {
    var report = NODES.objectNode();
    report.put("title", data.title());
    report.put("dataset", data.dataset());
    report.put("samples", data.samples());
    report.put("advice", data.advice());
    put(report, "consumer", data.consumer());
    report.set("limits", pairs(data.limits()));
    report.set("machine", pairs(data.machine()));
    var rows = report.putArray("rows");
    data.rows().forEach(row -> rows.add(tree(row)));
    var epochs = report.putArray("epochs");
    data.epochs().forEach(epoch -> epochs.add(tree(epoch)));
    return report;
  }

  private static ObjectNode tree(ReportData.Row row) {
    var node = NODES.objectNode();
    node.put("name", row.name());
    put(node, "bytesPerSample", row.bytesPerSample());
    put(node, "totalBytes", row.totalBytes());
    put(node, "quality", row.quality());
    put(node, "predicted", row.predicted());
    put(node, "measured", row.measured());
    put(node, "readMillis", row.readMillis());
    put(node, "decodeMillis", row.decodeMillis());
    put(node, "transformMillis", row.transformMillis());
    node.put("bottleneck", row.bottleneck());
    node.put("feasible", row.feasible());
    node.put("note", row.note());
    node.put("original", row.original());
    node.put("picked", row.picked());
    return node;
  }

  private static ObjectNode tree(ReportData.EpochRow epoch) {
    var node = NODES.objectNode();
    node.put("name", epoch.name());
    put(node, "samplesPerSecond", epoch.samplesPerSecond());
    put(node, "stallShare", epoch.stallShare());
    node.put("bottleneck", epoch.bottleneck());
    return node;
  }

  static ObjectNode pairs(Map<String, String> facts) {
    var node = NODES.objectNode();
    facts.forEach(node::put);
    return node;
  }

  /// JSON has no NaN and no infinities; they become null.
  static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
