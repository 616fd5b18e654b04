package io.headrace.interop.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What `datasets` says of a table's columns, in JSON: which are images or sounds, and which are
/// labels, with the names of their classes.
///
/// @param images names of columns
/// @param labels names of classes by column; empty lists where there are none
public record Features(List<String> images, Map<String, List<String>> labels) {
  private static final String KEY = "huggingface";
  private static final Features NONE = new Features(List.of(), Map.of());

  /// {@return what the metadata of a schema say under the key `huggingface`. Nothing if that is not
  ///     there or cannot be read, since it only helps}
  public static Features of(Map<String, String> metadata) {
    String json = metadata.get(KEY);
    if (json == null) {
      return NONE;
    }
    try {
      List<String> images = new ArrayList<>();
      Map<String, List<String>> labels = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> each :
          JsonMapper.shared().readTree(json).path("info").path("features").properties()) {
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
