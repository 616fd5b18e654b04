package io.headrace.spark;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Datasets that the tests make without Spark, and what is in their folders.
final class Folders {
  private Folders() {}

  static ConvertOptions options(Path target, Representation to, int shards) {
    return new ConvertOptions(target, "data", to, shards, false, 0, 1, false, 1L << 28);
  }

  /// Converts in this process.
  ///
  /// @param to as [Representation#of(String, String, String, String)] takes it: container,
  ///     compression, encoding
  static Path convert(Path from, Path target, int shards, String... to) throws Exception {
    try (Dataset dataset = Datasets.open(from)) {
      var representation = Representation.of(to[0], to[1], to[2], "keep");
      var _ = new Converter(dataset, options(target, representation, shards)).run();
    }
    return target;
  }

  /// {@return digests of all files in a folder, hidden ones too, by name}
  static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), digest(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  /// {@return those of [#files] that are no manifest, which also tells where samples come from}
  static Map<String, String> shards(Path folder) throws IOException {
    Map<String, String> files = files(folder);
    files.remove("dataset.json");
    return files;
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of()
          .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
