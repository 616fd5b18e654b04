package io.headrace.cli.print;

import io.headrace.format.Dataset;
import io.headrace.format.LeftOut;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Results for machines: names in snake case, one document.
public final class Json {
  private Json() {}

  private static final JsonMapper MAPPER =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  public static void print(PrintWriter out, Object value) {
    out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value));
  }

  /// Prints what was found in datasets, what they leave out, and what else was odd about them.
  public static void print(PrintWriter out, Object found, Dataset... datasets) {
    ObjectNode node = MAPPER.valueToTree(found);
    List<Object> all = new ArrayList<>();
    for (Dataset dataset : datasets) {
      all.addAll(leftOut(dataset));
    }
    node.set("left_out", MAPPER.valueToTree(all));
    List<String> warnings = new ArrayList<>();
    for (Dataset dataset : datasets) {
      warnings.addAll(dataset.warnings());
    }
    node.set("warnings", MAPPER.valueToTree(warnings));
    print(out, node);
  }

  /// {@return files and folders that a dataset leaves out, each with what it is and the reason}
  public static List<Object> leftOut(Dataset dataset) {
    List<Object> list = new ArrayList<>();
    for (LeftOut file : dataset.leftOut()) {
      list.add(
          Map.of(
              "path", file.path().toString(),
              "kind", file.kind().name().toLowerCase(Locale.ROOT),
              "reason", file.reason()));
    }
    return list;
  }
}
