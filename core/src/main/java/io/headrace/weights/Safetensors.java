package io.headrace.weights;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Named tensors in a file of the format safetensors, held in memory.
///
/// Layout: uint64 length of the header, little-endian; the header, a JSON object with `dtype`,
/// `shape` and `data_offsets` for each name; the tensors, packed. Source: the format's description
/// in huggingface/safetensors. float32 and int32 are read and written; int64 is kept for the names
/// alone.
public final class Safetensors {
  private static final int MAX_HEADER = 100_000_000; // the format's own limit
  private static final String F32 = "F32";
  private static final String I32 = "I32";
  private static final String METADATA = "__metadata__";

  private record Entry(String dtype, List<Long> shape, int start, int end) {}

  private final String name;
  private final Map<String, Entry> entries;
  private final Map<String, String> metadata;
  private final ByteBuffer data;

  private Safetensors(
      String name, Map<String, Entry> entries, Map<String, String> metadata, ByteBuffer data) {
    this.name = name;
    this.entries = entries;
    this.metadata = metadata;
    this.data = data;
  }

  /// {@return the tensors of a file}
  ///
  /// @throws CorruptDataException if it is not whole, or not of this format
  public static Safetensors read(Path file) throws IOException {
    return of(file.toString(), Files.readAllBytes(file));
  }

  /// {@return the tensors of a file's bytes}
  ///
  /// @param name of the file, for messages
  /// @throws CorruptDataException if it is not whole, or not of this format
  public static Safetensors of(String name, byte[] bytes) throws CorruptDataException {
    var all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < Long.BYTES) {
      throw corrupt(name, 0, "%d bytes: expected a header".formatted(bytes.length));
    }
    long header = all.getLong(0);
    if (header < 2 || header > Math.min(MAX_HEADER, bytes.length - Long.BYTES)) {
      throw corrupt(name, 0, "header of %d bytes in a file of %d".formatted(header, bytes.length));
    }
    int begin = Long.BYTES + (int) header;
    JsonNode json;
    try {
      json = JsonMapper.shared().readTree(bytes, Long.BYTES, (int) header);
    } catch (JacksonException e) {
      throw corrupt(name, Long.BYTES, "the header is not JSON: " + e.getOriginalMessage());
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    Map<String, String> metadata = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      if (field.getKey().equals(METADATA)) {
        field
            .getValue()
            .properties()
            .forEach(p -> metadata.put(p.getKey(), p.getValue().asString()));
      } else {
        entries.put(
            field.getKey(), entry(name, field.getKey(), field.getValue(), bytes.length - begin));
      }
    }
    return new Safetensors(name, entries, metadata, all.slice(begin, bytes.length - begin));
  }

  private static Entry entry(String file, String name, JsonNode node, int bytes)
      throws CorruptDataException {
    String dtype = node.path("dtype").asString("");
    JsonNode offsets = node.path("data_offsets");
    long start = offsets.path(0).asLong(-1);
    long end = offsets.path(1).asLong(-1);
    List<Long> shape = new ArrayList<>();
    long count = 1;
    for (JsonNode value : node.path("shape").values()) {
      long extent = value.asLong(-1);
      if (extent < 0 || extent > bytes) {
        throw corrupt(file, Long.BYTES, "tensor '%s' has an extent of %d".formatted(name, extent));
      }
      shape.add(extent);
      count = Math.min(count * extent, Integer.MAX_VALUE);
    }
    long size =
        switch (dtype) {
          case F32, I32 -> 4;
          case "I64" -> 8;
          default ->
              throw corrupt(
                  file,
                  Long.BYTES,
                  "tensor '%s' is of type '%s': expected F32, I32 or I64".formatted(name, dtype));
        };
    if (start < 0 || end < start || end > bytes || end - start != size * count) {
      throw corrupt(
          file,
          Long.BYTES,
          "tensor '%s' lies at %d to %d of %d bytes: expected %d"
              .formatted(name, start, end, bytes, size * count));
    }
    return new Entry(dtype, List.copyOf(shape), (int) start, (int) end);
  }

  private static CorruptDataException corrupt(String file, long offset, String what) {
    return new CorruptDataException(
        Fault.CORRUPT, what, new Location(file, -1, null, offset), null);
  }

  /// {@return where it was read from}
  public String name() {
    return name;
  }

  /// {@return names of the tensors}
  public Set<String> names() {
    return entries.keySet();
  }

  /// {@return texts that stand beside the tensors}
  public Map<String, String> metadata() {
    return metadata;
  }

  /// {@return the same file without the tensors whose names start with `prefix`}
  public Safetensors without(String prefix) {
    Map<String, Entry> others = new LinkedHashMap<>(entries);
    others.keySet().removeIf(tensor -> tensor.startsWith(prefix));
    return new Safetensors(name, others, metadata, data);
  }

  /// {@return extents of a tensor, or null if there is none of that name}
  public long @Nullable [] shape(String tensor) {
    Entry entry = entries.get(tensor);
    return entry == null ? null : entry.shape.stream().mapToLong(Long::longValue).toArray();
  }

  /// {@return a float32 tensor's elements}
  public float[] floats(String tensor) {
    ByteBuffer bytes = bytes(tensor, F32);
    var floats = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(floats);
    return floats;
  }

  /// {@return an int32 tensor's elements}
  public int[] ints(String tensor) {
    ByteBuffer bytes = bytes(tensor, I32);
    var ints = new int[bytes.remaining() / Integer.BYTES];
    bytes.asIntBuffer().get(ints);
    return ints;
  }

  private ByteBuffer bytes(String tensor, String dtype) {
    Entry entry = entries.get(tensor);
    if (entry == null || !entry.dtype.equals(dtype)) {
      throw new IllegalArgumentException("%s: no tensor '%s' of %s".formatted(name, tensor, dtype));
    }
    return data.slice(entry.start, entry.end - entry.start).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// A tensor to be written.
  ///
  /// @param bytes gives its elements, little-endian, from position to limit, when it is its turn
  public record Tensor(String dtype, List<Long> shape, Supplier<ByteBuffer> bytes) {
    /// {@return a tensor of float32}
    public static Tensor floats(Supplier<ByteBuffer> bytes, long... shape) {
      return new Tensor(F32, Arrays.stream(shape).boxed().toList(), bytes);
    }

    /// {@return a tensor of int32}
    public static Tensor ints(int[] ints, long... shape) {
      var bytes = ByteBuffer.allocate(Integer.BYTES * ints.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asIntBuffer().put(ints);
      return new Tensor(I32, Arrays.stream(shape).boxed().toList(), () -> bytes);
    }

    private long size() {
      return shape.stream().reduce(4L, Math::multiplyExact); // both types have 4 bytes
    }
  }

  /// Writes tensors to a file, which appears whole or not at all.
  ///
  /// @param tensors by name
  /// @param metadata texts to stand beside them
  public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata)
      throws IOException {
    ObjectNode header = JsonMapper.shared().createObjectNode();
    if (!metadata.isEmpty()) {
      ObjectNode texts = header.putObject(METADATA);
      metadata.forEach(texts::put);
    }
    long at = 0;
    for (Map.Entry<String, Tensor> tensor : tensors.entrySet()) {
      ObjectNode node = header.putObject(tensor.getKey());
      node.put("dtype", tensor.getValue().dtype);
      var shape = node.putArray("shape");
      for (long extent : tensor.getValue().shape) {
        shape.add(extent);
      }
      long end = at + tensor.getValue().size();
      node.putArray("data_offsets").add(at).add(end);
      at = end;
    }
    byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
    int padded = (text.length + 7) / 8 * 8;
    var head = ByteBuffer.allocate(Long.BYTES + padded).order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(padded).put(text);
    while (head.hasRemaining()) {
      head.put((byte) ' ');
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try (FileChannel out =
        FileChannel.open(
            partial,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      writeAll(out, head.flip());
      for (Tensor tensor : tensors.values()) {
        writeAll(out, tensor.bytes.get().slice());
      }
      out.force(true);
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void writeAll(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }
}
