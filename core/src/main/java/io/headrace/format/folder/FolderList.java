package io.headrace.format.folder;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.store.FileChecksum;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The files of a folder that was written, in stored order: what names and folders cannot say of
/// them. A line of JSON each, of `path`, `key` where that is another text, `label` where there is
/// one, `bytes` and `crc32c`; and `fields` where there are some, each of `name`, `path`, `bytes`,
/// `crc32c`, and `feature` if it is a serialised `tf.train.Feature`.
final class FolderList {
  /// The name of the list, beside the manifest.
  static final String FILE = "dataset.files";

  private FolderList() {}

  /// One file.
  ///
  /// @param path below the folder, with slashes
  /// @param bytes its size
  /// @param crc CRC-32C of it
  record Stored(String path, long bytes, long crc) {
    private void put(Map<String, Object> map) {
      map.put("bytes", bytes);
      map.put("crc32c", "%08x".formatted(crc));
    }
  }

  /// A field of a sample.
  ///
  /// @param feature whether it is a serialised `tf.train.Feature`
  record Field(String name, boolean feature, Stored file) {}

  /// One sample.
  ///
  /// @param key of the sample
  /// @param label or -1
  /// @param file of its image or sound
  record Line(String key, long label, Stored file, List<Field> fields) {
    Line {
      fields = List.copyOf(fields);
    }

    String path() {
      return file.path();
    }

    /// {@return all its files}
    List<Stored> files() {
      return Stream.concat(Stream.of(file), fields.stream().map(Field::file)).toList();
    }

    String json() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("path", path());
      if (!key.equals(path())) {
        map.put("key", key);
      }
      if (label != Sample.NO_LABEL) {
        map.put("label", label);
      }
      file.put(map);
      if (!fields.isEmpty()) {
        map.put("fields", fields.stream().map(Line::map).toList());
      }
      return JsonMapper.shared().writeValueAsString(map) + "\n";
    }

    private static Map<String, Object> map(Field field) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", field.name());
      map.put("path", field.file().path());
      if (field.feature()) {
        map.put("feature", true);
      }
      field.file().put(map);
      return map;
    }
  }

  /// {@return the lines of the list that a manifest names}
  ///
  /// @throws CorruptDataException if it is not the list that was written
  static List<Line> read(Path folder, Manifest manifest) throws IOException {
    Path file = manifest.files(folder).getFirst();
    String stated = manifest.shards().getFirst().crc32c();
    String crc = "%08x".formatted(FileChecksum.crc32c(file));
    if (!crc.equals(stated)) {
      throw new CorruptDataException(
          Fault.CORRUPT,
          "CRC-32C of the list is %s, the manifest says %s".formatted(crc, stated),
          Location.of(file.toString()),
          null);
    }
    return read(file);
  }

  /// {@return the lines of a list}
  ///
  /// @throws CorruptDataException at the first that is none
  static List<Line> read(Path file) throws IOException {
    List<Line> lines = new ArrayList<>();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        lines.add(parse(text, file, lines.size()));
      }
    }
    return lines;
  }

  private static Line parse(String text, Path file, long number) throws CorruptDataException {
    try {
      JsonNode node = JsonMapper.shared().readTree(text);
      Stored picture = stored(node);
      List<Field> fields = new ArrayList<>();
      for (JsonNode field : node.path("fields")) {
        boolean feature = field.path("feature").asBoolean(false);
        fields.add(new Field(field.path("name").asString(), feature, stored(field)));
      }
      return new Line(
          node.has("key") ? node.path("key").asString() : picture.path(),
          node.has("label") ? node.path("label").asLong() : Sample.NO_LABEL,
          picture,
          fields);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new CorruptDataException(
          Fault.CORRUPT,
          "not a line of a list of files: " + e.getMessage(),
          new Location(file.toString(), number, null, -1),
          e);
    }
  }

  private static Stored stored(JsonNode node) {
    String path = node.path("path").asString();
    if (Path.of(path).isAbsolute() || path.isEmpty() || path.matches("(.*/)?\\.\\.(/.*)?")) {
      throw new IllegalArgumentException("path '%s' is not inside the folder".formatted(path));
    }
    return new Stored(
        path, node.path("bytes").asLong(), Long.parseLong(node.path("crc32c").asString(), 16));
  }

  /// Writes the list of a whole folder, all of it or nothing.
  ///
  /// @param parts lists of its parts, in stored order
  /// @return what the manifest says of it
  static Manifest.Shard join(List<Path> parts, Path folder, long samples) throws IOException {
    Path list = folder.resolve(FILE);
    Path temporary = folder.resolve(FILE + ".tmp");
    try (FileChannel out =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (Path part : parts) {
        try (FileChannel in = FileChannel.open(part)) {
          for (long at = 0; at < in.size(); ) {
            at += in.transferTo(at, in.size() - at, out);
          }
        }
      }
      out.force(true);
    }
    Files.move(temporary, list, StandardCopyOption.ATOMIC_MOVE);
    return new Manifest.Shard(
        FILE, Files.size(list), samples, "%08x".formatted(FileChecksum.crc32c(list)));
  }
}
