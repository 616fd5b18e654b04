package io.headrace.format.folder;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Annotations as COCO has them: an object with `images` (`id`, `file_name`, …), `annotations`
/// (`image_id`, `bbox`, `category_id`, …) and `categories`. Source: "Data format" of
/// cocodataset.org.
///
/// Each member of annotations becomes a field of the picture, a JSON list with a value an
/// annotation, in the order of the file, and `null` where one lacks it; `category` is beside them:
/// the number of each `category_id` in the order of these, from 0. What is said of the picture
/// itself are fields too, its `id` as `image_id`.
final class CocoAnnotations {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  private static final String IMAGE = "image_id";
  private static final String CATEGORY = "category_id";

  /// One member of all of a picture's annotations.
  private static final class Member {
    private final StringBuilder list = new StringBuilder("[");
    private int count;

    private void append(String value) {
      list.append(count++ == 0 ? "" : ",").append(value);
    }

    /// Puts nulls where annotations lacked it.
    private Member filled(int upTo) {
      while (count < upTo) {
        append("null");
      }
      return this;
    }

    private String text() {
      return list + "]";
    }
  }

  /// What a picture's annotations say, member by member.
  private static final class Lists {
    private final Map<String, Member> members = new LinkedHashMap<>();
    private int count;

    private void add(JsonNode annotation) {
      for (Map.Entry<String, JsonNode> each : annotation.properties()) {
        if (!each.getKey().equals(IMAGE)) {
          members
              .computeIfAbsent(each.getKey(), _ -> new Member())
              .filled(count)
              .append(each.getValue().toString());
        }
      }
      count++;
    }

    private String text(String member) {
      return members.getOrDefault(member, new Member()).filled(count).text();
    }
  }

  private final Path file;
  private final Map<Long, JsonNode> images = new LinkedHashMap<>();
  private final Map<Long, Lists> annotations = new HashMap<>();
  private final TreeMap<Long, Integer> categories = new TreeMap<>();
  private final Set<String> members = new LinkedHashSet<>();

  private CocoAnnotations(Path file) {
    this.file = file;
  }

  /// Adds the fields of all pictures.
  ///
  /// @param rows fields by picture: its path below the folder
  /// @throws CorruptDataException if the file is no JSON of that form
  static void read(Path file, Map<String, Map<String, String>> rows) throws IOException {
    var coco = new CocoAnnotations(file);
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = JSON.createParser(in)) {
      coco.read(parser);
    } catch (JacksonException e) {
      throw coco.bad("not JSON: " + e.getOriginalMessage());
    }
    if (coco.images.isEmpty()) {
      throw new ConfigException(file + " lists no images: expected annotations as COCO has them");
    }
    coco.addTo(rows);
  }

  private void read(JsonParser parser) throws CorruptDataException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw bad("no object of images and annotations");
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      boolean known =
          name.equals("images") || name.equals("annotations") || name.equals("categories");
      if (!known || value != JsonToken.START_ARRAY) {
        parser.skipChildren();
        continue;
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        JsonNode node = JSON.readTree(parser);
        switch (name) {
          case "images" -> images.put(number(node, "id"), node);
          case "categories" -> categories.put(number(node, "id"), 0);
          default -> {
            annotations.computeIfAbsent(number(node, IMAGE), _ -> new Lists()).add(node);
            members.addAll(node.propertyNames());
          }
        }
      }
    }
    int next = 0;
    for (Map.Entry<Long, Integer> category : categories.entrySet()) {
      category.setValue(next++);
    }
  }

  private long number(JsonNode node, String member) throws CorruptDataException {
    JsonNode value = node.path(member);
    if (!value.isIntegralNumber()) {
      throw bad("no whole number %s in %.200s".formatted(member, node));
    }
    return value.asLong();
  }

  private void addTo(Map<String, Map<String, String>> rows) throws CorruptDataException {
    members.remove(IMAGE);
    for (Map.Entry<Long, JsonNode> entry : images.entrySet()) {
      JsonNode image = entry.getValue();
      if (!image.path("file_name").isString()) {
        throw bad("image %d has no file_name".formatted(entry.getKey()));
      }
      String key = Path.of(image.path("file_name").asString()).normalize().toString();
      Map<String, String> fields = rows.computeIfAbsent(key, _ -> new LinkedHashMap<>());
      image
          .properties()
          .forEach(
              member -> {
                String name = member.getKey().equals("id") ? IMAGE : member.getKey();
                JsonNode value = member.getValue();
                if (!name.equals("file_name") && !value.isNull()) {
                  fields.put(name, value.isString() ? value.asString() : value.toString());
                }
              });
      Lists lists = annotations.getOrDefault(entry.getKey(), new Lists());
      for (String member : members) {
        String text = lists.text(member);
        fields.put(member, text);
        if (member.equals(CATEGORY)) {
          fields.put("category", numbers(text));
        }
      }
    }
  }

  /// {@return numbers of classes in place of ids}
  private String numbers(String ids) throws CorruptDataException {
    var text = new StringBuilder("[");
    for (JsonNode id : JSON.readTree(ids)) {
      Integer number = categories.get(id.asLong(-1));
      if (number == null) {
        throw bad("category_id %s is none of its categories".formatted(id));
      }
      text.append(text.length() > 1 ? "," : "").append(number);
    }
    return text.append(']').toString();
  }

  private CorruptDataException bad(String what) {
    return new CorruptDataException(Fault.MISMATCH, what, Location.of(file.toString()), null);
  }
}
