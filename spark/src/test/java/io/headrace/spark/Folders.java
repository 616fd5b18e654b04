package io.headrace.spark;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

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

  /// Writes a TFRecord file of pictures of one pixel, whose colours and labels are made of their
  /// numbers.
  static Path pixels(Path file, int count) throws IOException {
    try (var out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (int i = 0; i < count; i++) {
        byte[] picture = "P6\n1 1\n255\nRGB".getBytes(StandardCharsets.ISO_8859_1);
        picture[11] = (byte) i;
        picture[12] = (byte) (i >> 8);
        picture[13] = (byte) (i >> 16);
        byte[] image = feature("image/encoded", field(1, field(1, picture)));
        byte[] label = feature("image/class/label", field(3, field(1, (byte) (i % 100))));
        byte[] example = field(1, join(image, label));
        byte[] length = littleEndian(Long.BYTES).putLong(example.length).array();
        out.write(length);
        out.write(checksum(length));
        out.write(example);
        out.write(checksum(example));
      }
    }
    return file;
  }

  private static byte[] feature(String name, byte[] value) {
    return field(1, join(field(1, name.getBytes(StandardCharsets.UTF_8)), field(2, value)));
  }

  /// A field of a protobuf message, of fewer than 128 bytes.
  private static byte[] field(int number, byte... value) {
    return join(new byte[] {(byte) (number << 3 | 2), (byte) value.length}, value);
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /// TFRecord's masked CRC-32C.
  private static byte[] checksum(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    int value = (int) crc.getValue();
    return littleEndian(Integer.BYTES).putInt(Integer.rotateRight(value, 15) + 0xa282ead8).array();
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
