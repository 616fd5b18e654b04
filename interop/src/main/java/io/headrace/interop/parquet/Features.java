package io.headrace.interop.parquet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the file's metadata say under the key `huggingface`: which columns are images or sounds,
/// and which
/// are labels, with the names of their classes.
///
/// @param images names of columns
/// @param labels names of classes by column; empty lists where there are none
record Features(List<String> images, Map<String, List<String>> labels) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Features NONE = new Features(List.of(), Map.of());

  /// {@return what the JSON text says. Nothing if there is none or it cannot be read, since it only
  ///     helps}
  static Features of(@Nullable String json) {
    if (json == null) {
      return NONE;
    }
    try {
      List<String> images = new ArrayList<>();
      Map<String, List<String>> labels = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> each :
          JSON.readTree(json).path("info").path("features").properties()) {
        String type = each.getValue().path("_type").asString("");
        if (type.equals("Image") || type.equals("Audio")) {
          images.add(each.getKey());
        } else if (type.equals("ClassLabel")) {
          List<String> names = new ArrayList<>();
          for (JsonNode name : each.getValue().path("names")) {
            names.add(name.asString(""));
          }
          labels.put(each.getKey(), List.copyOf(names));
        }
      }
      return new Features(images, labels);
    } catch (JacksonException e) {
      return NONE;
    }
  }
}
