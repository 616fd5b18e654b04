package io.headrace.codec.learned;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.weights.Safetensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The models of this process, each read once and shared by all workers.
///
/// A model is a file `NAME.safetensors` or `NAME-QUALITY.safetensors`. The small ones come with the
/// engine; others lie in the folder that HEADRACE_MODELS names, or else in
/// `~/.cache/headrace/models`. A sample names its model by digest.
final class Models {
  /// The models that come with the engine.
  private static final String OWN = "small";

  private static final int OWN_QUALITIES = 3;
  private static final String SUFFIX = ".safetensors";

  /// Those that were needed, by file. Guarded by the class.
  private static final Map<String, Model> READ = new HashMap<>();

  /// Digests of files that were looked at, by name; 0 of one that is not there.
  private static final Map<String, Long> DIGESTS = new HashMap<>();

  private Models() {}

  /// {@return where users' models are looked for}
  static Path folder() {
    String named = System.getProperty("headrace.models", System.getenv("HEADRACE_MODELS"));
    return named == null
        ? Path.of(System.getProperty("user.home"), ".cache", "headrace", "models")
        : Path.of(named);
  }

  /// {@return the model of that name}
  ///
  /// @param quality of it, or 0 if it has but one
  /// @throws ConfigException if there is none, or its file is no model
  static synchronized Model of(String name, int quality) {
    String file = file(name, quality);
    Model model = find(file);
    if (model == null) {
      throw none(name, quality);
    }
    return model;
  }

  /// {@return a model's file, without its suffix}
  private static String file(String name, int quality) {
    return quality == 0 ? name : name + "-" + quality;
  }

  /// Checks that there is a model, without reading it.
  ///
  /// @throws ConfigException if there is none of that name and quality, or two
  static void require(String name, int quality) {
    String file = file(name, quality);
    Path theirs = folder().resolve(file + SUFFIX);
    boolean own = Models.class.getResource(file + SUFFIX) != null;
    if (own && Files.exists(theirs)) {
      throw new ConfigException(
          theirs + " has the name of a model that comes with the engine: rename it");
    }
    if (!own && !Files.isRegularFile(theirs)) {
      throw none(name, quality);
    }
  }

  private static ConfigException none(String name, int quality) {
    return new ConfigException(
        "no learned model '%s': there is no file %s; models: %s"
            .formatted(
                quality == 0 ? name : name + ":" + quality,
                folder().resolve(file(name, quality) + SUFFIX),
                names().isEmpty() ? "none" : String.join(", ", names())));
  }

  /// {@return the file that a `.ptci` header names, without its suffix}
  static String ptci(int architecture, int code) {
    return Architecture.numbered(architecture).label()
        + (code < 16 ? "-ms-ssim-" : "-")
        + ((code & 15) + 1);
  }

  /// {@return the model of a `.ptci` file: `ARCHITECTURE-QUALITY`, or
  ///     `ARCHITECTURE-ms-ssim-QUALITY`}
  ///
  /// @param code metric and quality, as the file has them
  /// @throws DecodeException with [Fault#UNSUPPORTED] if there is none
  static Model named(int architecture, int code) throws DecodeException {
    String name = ptci(architecture, code);
    name = name.substring(0, name.lastIndexOf('-'));
    try {
      return of(name, (code & 15) + 1);
    } catch (ConfigException e) {
      throw new DecodeException(Fault.UNSUPPORTED, "ptci: " + e.getMessage());
    }
  }

  /// {@return the model whose file has that digest}
  ///
  /// @throws DecodeException with [Fault#UNSUPPORTED] if there is none
  static synchronized Model of(long digest) throws DecodeException {
    for (Model model : READ.values()) {
      if (model.digest() == digest) {
        return model;
      }
    }
    for (String file : names()) {
      if (DIGESTS.computeIfAbsent(file, Models::digest) == digest) {
        Model found = find(file);
        if (found != null && found.digest() == digest) {
          return found;
        }
      }
    }
    throw new DecodeException(
        Fault.UNSUPPORTED,
        "learned: made with the model %016x, which is not in %s: put its file there, or name its"
                .formatted(digest, folder())
            + " folder in HEADRACE_MODELS");
  }

  private static @Nullable Model find(String file) {
    Model known = READ.get(file);
    if (known != null) {
      return known;
    }
    try {
      byte[] bytes = bytes(file);
      if (bytes == null) {
        return null;
      }
      Safetensors weights = Safetensors.of(file + SUFFIX, bytes);
      Model model = new Model(file, digest(bytes), weights);
      READ.put(file, model);
      return model;
    } catch (IOException e) {
      throw new ConfigException("learned model '%s': %s".formatted(file, e.getMessage()));
    }
  }

  private static long digest(String file) {
    try {
      byte[] bytes = bytes(file);
      return bytes == null ? 0 : digest(bytes);
    } catch (IOException e) {
      throw new ConfigException("learned model '%s': %s".formatted(file, e.getMessage()));
    }
  }

  private static byte @Nullable [] bytes(String file) throws IOException {
    try (InputStream in = Models.class.getResourceAsStream(file + SUFFIX)) {
      if (in != null) {
        return in.readAllBytes();
      }
    }
    Path path = folder().resolve(file + SUFFIX);
    return Files.isRegularFile(path) ? Files.readAllBytes(path) : null;
  }

  /// {@return a file that comes with the engine}
  static Safetensors resource(String file) {
    try (InputStream in = Models.class.getResourceAsStream(file + SUFFIX)) {
      return Safetensors.of(file + SUFFIX, Objects.requireNonNull(in, file).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return files of models, without their suffix}
  static List<String> names() {
    var names = new TreeSet<String>();
    for (int quality = 1; quality <= OWN_QUALITIES; quality++) {
      String own = OWN + "-" + quality;
      if (Models.class.getResource(own + SUFFIX) != null) {
        names.add(own);
      }
    }
    if (Files.isDirectory(folder())) {
      try (Stream<Path> files = Files.list(folder())) {
        files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.endsWith(SUFFIX))
            .forEach(file -> names.add(file.substring(0, file.length() - SUFFIX.length())));
      } catch (IOException e) {
        throw new ConfigException("%s: %s".formatted(folder(), e.getMessage()));
      }
    }
    return new ArrayList<>(names);
  }

  private static long digest(byte[] bytes) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }
}
