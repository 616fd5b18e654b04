package io.headrace.format;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.stream.Compression;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.store.WholeFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// What a converted dataset says about itself, in `dataset.json` beside its shards. Written last,
/// so that its being there means that everything else is.
///
/// @param name of the dataset, for people
/// @param toolVersion of the Headrace that wrote it
/// @param container how samples are packed: `tfrecord`
/// @param compression of each shard as a whole, as [Compression#parse] takes it
/// @param encoding of the images, and how they were resized, for people; such as `jpeg:85`
/// @param classes names by label; empty if there are none
/// @param samples in all shards together
/// @param shards in stored order
/// @param setDigest which samples there are, as [SetDigest#hex] spells it
/// @param labelDigest which label each has, as [SetDigest#labelHex] spells it; empty if not known
/// @param parent the dataset it was made from, or null
/// @param plan the options it was made with, free in form
public record Manifest(
    String name,
    String toolVersion,
    String container,
    String compression,
    String encoding,
    List<String> classes,
    long samples,
    List<Shard> shards,
    String setDigest,
    String labelDigest,
    @Nullable Parent parent,
    Map<String, Object> plan) {
  /// The name of the file.
  public static final String FILE = "dataset.json";

  private static final long MAX_BYTES = 1 << 30;

  /// One shard.
  ///
  /// @param file its name, relative to the manifest's folder
  /// @param bytes its size
  /// @param samples in it
  /// @param crc32c CRC-32C of the file, in 8 hexadecimal digits; empty if not known
  public record Shard(String file, long bytes, long samples, String crc32c) {}

  /// The dataset that this one was made from.
  ///
  /// @param name its path or name
  /// @param setDigest which samples it held, as [SetDigest#hex] spells it; empty if not known
  public record Parent(String name, String setDigest) {}

  /// Made when a manifest is first read or written.
  private static final class Form {
    static final JsonMapper JSON =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();
  }

  /// Copies the lists.
  public Manifest {
    classes = List.copyOf(classes);
    shards = List.copyOf(shards);
    plan = Collections.unmodifiableMap(new LinkedHashMap<>(plan));
  }

  /// {@return the steps of a pipeline that were done to the samples; empty for none}
  public String steps() {
    return plan.get("steps") instanceof String steps ? steps : "";
  }

  /// {@return the steps that were done to the samples of a dataset, as its manifest says}
  public static String stepsOf(Dataset dataset) throws IOException {
    Path root = dataset.root();
    Manifest manifest = Files.isDirectory(root) ? readIfPresent(root) : null;
    return manifest == null ? "" : manifest.steps();
  }

  /// {@return the same with other files}
  public Manifest withShards(List<Shard> files) {
    return new Manifest(
        name,
        toolVersion,
        container,
        compression,
        encoding,
        classes,
        samples,
        files,
        setDigest,
        labelDigest,
        parent,
        plan);
  }

  /// {@return the manifest in `folder`, or null if there is none}
  ///
  /// @throws CorruptDataException if it is not JSON, or says too little or what cannot be; the
  ///     message gives file, line and column
  public static @Nullable Manifest readIfPresent(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return Files.isRegularFile(file) ? read(file) : null;
  }

  /// {@return the manifest in a file}
  ///
  /// @throws CorruptDataException as [#readIfPresent]
  public static Manifest read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new CorruptDataException(
          Fault.LIMIT,
          "a manifest of %d bytes, at most %d are read".formatted(Files.size(file), MAX_BYTES),
          Location.of(file.toString()),
          null);
    }
    byte[] bytes = Files.readAllBytes(file);
    Json json;
    try {
      json = Form.JSON.readValue(bytes, Json.class);
    } catch (JacksonException e) {
      DecodeException other = FirstBytes.foreign(MemorySegment.ofArray(bytes), "a manifest");
      if (other != null && bytes[0] != '{') {
        throw CorruptDataException.at(Location.of(file.toString()), other);
      }
      throw corrupt(file, at(e.getLocation()) + e.getOriginalMessage(), e);
    }
    try {
      return json.check();
    } catch (ConfigException e) {
      throw corrupt(file, String.valueOf(e.getMessage()), e);
    }
  }

  /// {@return paths of the shards, in stored order}
  ///
  /// @param folder that the manifest lies in
  /// @throws NoSuchFileException if one is missing
  public List<Path> files(Path folder) throws NoSuchFileException {
    List<Path> files = new ArrayList<>();
    for (Shard shard : shards) {
      Path file = folder.resolve(shard.file());
      if (!Files.exists(file)) {
        throw new NoSuchFileException(
            file.toString(), null, "the manifest names it, but it is missing");
      }
      files.add(file);
    }
    return files;
  }

  /// {@return a manifest's JSON text}
  public String toJson() {
    return Form.JSON.writeValueAsString(this) + "\n";
  }

  /// Writes the manifest into `folder`.
  public void write(Path folder) throws IOException {
    WholeFile.write(folder.resolve(FILE), StandardCharsets.UTF_8.encode(toJson()));
  }

  private static String at(@Nullable TokenStreamLocation location) {
    return location == null
        ? ""
        : "line %d, column %d: ".formatted(location.getLineNr(), location.getColumnNr());
  }

  private static CorruptDataException corrupt(Path file, String what, Exception cause) {
    return new CorruptDataException(
        Fault.CORRUPT, "not a manifest: " + what, Location.of(file.toString()), cause);
  }

  /// The manifest as Jackson fills it, where anything may be missing.
  private record Json(
      @Nullable String name,
      @Nullable String toolVersion,
      @Nullable String container,
      @Nullable String compression,
      @Nullable String encoding,
      @Nullable List<@Nullable String> classes,
      @Nullable Long samples,
      @Nullable List<@Nullable JsonShard> shards,
      @Nullable String setDigest,
      @Nullable String labelDigest,
      @Nullable Parent parent,
      @Nullable Map<String, Object> plan) {
    private List<String> names() {
      List<String> names = new ArrayList<>();
      if (classes != null) {
        for (String name : classes) {
          names.add(require("a class's name", name));
        }
      }
      return names;
    }

    Manifest check() {
      List<Shard> all = new ArrayList<>();
      long sum = 0;
      for (JsonShard shard : require("shards", shards)) {
        all.add(require("a shard", shard).check());
        sum += all.getLast().samples();
      }
      long stated = require("samples", samples);
      if (sum != stated) {
        throw new ConfigException(
            "samples is %d, but the shards' samples add up to %d".formatted(stated, sum));
      }
      String spec = compression == null ? "none" : compression;
      String digest = setDigest == null ? "" : setDigest;
      String labels = labelDigest == null ? "" : labelDigest;
      for (String hex : List.of(digest, labels)) {
        long _ = hex.isEmpty() ? 0 : SetDigest.parse(hex);
      }
      return new Manifest(
          name == null ? "" : name,
          toolVersion == null ? "" : toolVersion,
          require("container", container),
          Compression.parse(spec).spec(),
          encoding == null ? "" : encoding,
          names(),
          stated,
          all,
          digest,
          labels,
          parent,
          plan == null ? Map.of() : plan);
    }
  }

  private record JsonShard(
      @Nullable String file,
      @Nullable Long bytes,
      @Nullable Long samples,
      @Nullable String crc32c) {
    Shard check() {
      String name = require("a shard's file", file);
      if (name.isEmpty() || !isInside(name)) {
        throw new ConfigException("shard file '%s' is not inside the folder".formatted(name));
      }
      return new Shard(
          name,
          requireCount("bytes of shard " + name, bytes),
          requireCount("samples of shard " + name, samples),
          crc32c == null ? "" : crc32c);
    }
  }

  private static boolean isInside(String name) {
    try {
      return !Path.of(name).isAbsolute() && !Path.of(name).normalize().startsWith("..");
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static long requireCount(String what, @Nullable Long value) {
    long count = require(what, value);
    if (count < 0) {
      throw new ConfigException("%s is %d".formatted(what, count));
    }
    return count;
  }

  private static <T> T require(String what, @Nullable T value) {
    if (value == null) {
      throw new ConfigException(what + " is missing");
    }
    return value;
  }
}
