package io.headrace.cli;

import java.io.PrintWriter;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// Results for machines: names in snake case, one document.
final class Json {
  private Json() {}

  static void print(PrintWriter out, Object value) {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(value));
  }
}
