package io.headrace.interop.mds;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What `index.json` says about each shard.
final class MdsIndex {
  static final String FILE = "index.json";
  private static final long MAX_BYTES = 256 << 20;

  private MdsIndex() {}

  /// A file of a shard.
  ///
  /// @param name of it, with slashes, from the index's folder on
  /// @param bytes its size
  /// @param hashes in hexadecimal digits, by the algorithm's name
  record Data(String name, long bytes, Map<String, String> hashes) {
    Data {
      hashes = Map.copyOf(hashes);
    }
  }

  /// A column.
  ///
  /// @param name of it
  /// @param encoding of its values, such as `jpeg` or `ndarray:uint16`
  /// @param bytes of each value, 0 where they differ
  record Column(String name, String encoding, int bytes) {}

  /// A shard.
  ///
  /// @param columns in stored order
  /// @param samples it has
  /// @param raw the file as it is read
  /// @param compression of `zip`, such as `zstd:7`; empty if there is none
  /// @param zip the compressed file, or null
  record Shard(
      List<Column> columns, int samples, Data raw, String compression, @Nullable Data zip) {
    Shard {
      columns = List.copyOf(columns);
    }
  }

  /// {@return the shards in stored order}
  ///
  /// @throws CorruptDataException if it is not JSON, or says too little or what cannot be
  static List<Shard> read(Path path, Store store) throws IOException {
    byte[] text;
    try (ByteFile file = store.open(path)) {
      if (file.size() > MAX_BYTES) {
        throw new CorruptDataException(
            Fault.LIMIT,
            "%d bytes, an index may have %d".formatted(file.size(), MAX_BYTES),
            Location.of(path.toString()),
            null);
      }
      text = new byte[(int) file.size()];
      read(file, text);
    }
    try {
      return shards(JsonMapper.shared().readTree(text));
    } catch (JacksonException e) {
      throw new CorruptDataException(
          Fault.CORRUPT,
          "not an index: " + e.getOriginalMessage(),
          Location.of(path.toString()),
          e);
    } catch (DecodeException e) {
      throw CorruptDataException.at(Location.of(path.toString()), e);
    }
  }

  private static void read(ByteFile file, byte[] into) throws IOException {
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(Math.max(1, into.length)).asSlice(0, into.length);
      file.read(0, bytes);
      MemorySegment.copy(bytes, 0, MemorySegment.ofArray(into), 0, into.length);
    }
  }

  private static List<Shard> shards(JsonNode root) throws DecodeException {
    long version = number(root, "version", "the index");
    if (version != 2) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "index of version %d: expected 2".formatted(version));
    }
    List<Shard> shards = new ArrayList<>();
    for (JsonNode node : array(root, "shards", "the index")) {
      shards.add(shard(node, "shard " + shards.size()));
    }
    return shards;
  }

  private static Shard shard(JsonNode node, String where) throws DecodeException {
    String format = text(node, "format", where);
    if (!format.equals("mds") || number(node, "version", where) != 2) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "%s has format %s: expected mds of version 2".formatted(where, format));
    }
    JsonNode names = array(node, "column_names", where);
    JsonNode encodings = array(node, "column_encodings", where);
    JsonNode sizes = array(node, "column_sizes", where);
    if (names.size() != encodings.size() || names.size() != sizes.size()) {
      throw new DecodeException(
          Fault.CORRUPT,
          "%s has %d column names, %d encodings and %d sizes"
              .formatted(where, names.size(), encodings.size(), sizes.size()));
    }
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      JsonNode size = sizes.get(i);
      if (!names.get(i).isString()
          || !encodings.get(i).isString()
          || !(size.isNull() || (size.isInt() && size.intValue() >= 0))) {
        throw bad(where, "column " + i);
      }
      columns.add(
          new Column(
              names.get(i).stringValue(),
              encodings.get(i).stringValue(),
              size.isNull() ? 0 : size.intValue()));
    }
    long samples = number(node, "samples", where);
    if (samples > Integer.MAX_VALUE) {
      throw bad(where, "samples");
    }
    JsonNode compression = node.path("compression");
    JsonNode zip = node.path("zip_data");
    return new Shard(
        columns,
        (int) samples,
        data(node.path("raw_data"), where + ", raw_data"),
        compression.isString() ? compression.stringValue() : "",
        zip.isObject() ? data(zip, where + ", zip_data") : null);
  }

  private static Data data(JsonNode node, String where) throws DecodeException {
    String name = text(node, "basename", where);
    if (!isInside(name)) {
      throw new DecodeException(
          Fault.CORRUPT,
          "%s: basename '%s' is not a file in the index's folder or below".formatted(where, name));
    }
    Map<String, String> hashes = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> hash : node.path("hashes").properties()) {
      if (!hash.getValue().isString()) {
        throw bad(where, "hashes");
      }
      hashes.put(hash.getKey(), hash.getValue().stringValue());
    }
    return new Data(name, number(node, "bytes", where), hashes);
  }

  /// {@return whether a name leads to a file in the index's folder or below: an index merged of
  /// several has the parts' folders in it}
  private static boolean isInside(String name) {
    try {
      Path path = Path.of(name);
      return !name.isBlank()
          && !path.isAbsolute()
          && name.indexOf('\\') < 0
          && !name.endsWith("/")
          && List.of(name.split("/", -1)).stream().noneMatch(p -> p.equals("..") || p.equals("."));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static JsonNode array(JsonNode node, String name, String where) throws DecodeException {
    JsonNode value = node.path(name);
    if (!value.isArray()) {
      throw bad(where, name);
    }
    return value;
  }

  private static String text(JsonNode node, String name, String where) throws DecodeException {
    JsonNode value = node.path(name);
    if (!value.isString()) {
      throw bad(where, name);
    }
    return value.stringValue();
  }

  private static long number(JsonNode node, String name, String where) throws DecodeException {
    JsonNode value = node.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw bad(where, name);
    }
    return value.longValue();
  }

  private static DecodeException bad(String where, String what) {
    return new DecodeException(
        Fault.CORRUPT, "not an index: %s has no %s that makes sense".formatted(where, what));
  }
}
