package io.headrace.format.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Strategy;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.FlushMode;
import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.format.example.Example;
import io.headrace.format.example.Feature;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Files that TensorFlow's own writer made: we read them all, and write the same bytes.
class TensorFlowFixturesTest {
  private static final JsonNode PAYLOADS = json("payloads.json");

  static Stream<JsonNode> files() {
    return PAYLOADS.get("files").valueStream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void readsEveryFile(JsonNode file) throws IOException {
    String name = file.get("file").asString();
    StreamKind kind = StreamKind.of(file.get("compression").asString());
    byte[] bytes = bytes(name);
    assertThat(sha256(bytes)).isEqualTo(file.get("sha256").asString());
    var outcome = Records.read(bytes, kind);
    assertThat(outcome.faults()).isEmpty();
    assertThat(outcome.payloads()).hasSize(file.get("records").asInt());
    for (int i = 0; i < outcome.payloads().size(); i++) {
      JsonNode record = PAYLOADS.get("records").get(i);
      assertThat(outcome.payloads().get(i)).hasSize(record.get("length").asInt());
      assertThat(sha256(outcome.payloads().get(i))).isEqualTo(record.get("sha256").asString());
    }
  }

  @Test
  void writesPlainFilesByteForByte() throws IOException {
    byte[] plain = bytes("plain.tfrecord");
    assertThat(Records.write(Records.read(plain).payloads(), new Compression.None()))
        .isEqualTo(plain);
  }

  @ParameterizedTest
  @MethodSource("files")
  void writesTheSameRecordsCompressed(JsonNode file) throws IOException {
    var payloads = Records.read(bytes(file.get("file").asString()), kind(file)).payloads();
    var outcome = Records.read(ours(file, payloads), kind(file));
    assertThat(outcome.faults()).isEmpty();
    assertThat(outcome.payloads())
        .usingElementComparator(java.util.Arrays::compare)
        .isEqualTo(payloads);
  }

  /// Deflate's output is not specified, so bytes are compared where the libraries agree: the one
  /// that the fixtures were made with, and releases that were found to choose alike.
  @ParameterizedTest
  @MethodSource("files")
  void writesCompressedFilesByteForByte(JsonNode file) throws IOException {
    String versions = new String(bytes("VERSIONS.txt"), StandardCharsets.UTF_8);
    String ours = Streams.zlibVersion();
    assumeTrue(ours.equals("1.2.13") || versions.contains("zlib inside tensorflow " + ours + "\n"));
    byte[] theirs = bytes(file.get("file").asString());
    var payloads = Records.read(theirs, kind(file)).payloads();
    assertThat(ours(file, payloads)).isEqualTo(theirs);
  }

  private static byte[] ours(JsonNode file, List<byte[]> payloads) {
    boolean flush = file.path("flush_every_record").asBoolean(false);
    return Records.write(payloads, compression(file), flush ? FlushMode.PARTIAL : FlushMode.NONE);
  }

  private static StreamKind kind(JsonNode file) {
    return StreamKind.of(file.get("compression").asString());
  }

  private static Compression compression(JsonNode file) {
    if (kind(file) == StreamKind.NONE) {
      return new Compression.None();
    }
    int level = file.get("level").asInt();
    int window = file.get("window_bits").asInt();
    int mem = file.get("mem_level").asInt();
    Strategy strategy = Strategy.DEFAULT;
    for (Strategy s : Strategy.values()) {
      strategy = s.number() == file.get("strategy").asInt() ? s : strategy;
    }
    return kind(file) == StreamKind.GZIP
        ? new Gzip(level, window, mem, strategy)
        : new Zlib(level, window, mem, strategy);
  }

  static Stream<JsonNode> examples() {
    return json("example-all-types.json").get("records").valueStream();
  }

  @Test
  void readsEveryShapeOfAnExample() throws Exception {
    var payloads = Records.read(bytes("example-all-types.tfrecord")).payloads();
    List<JsonNode> records = examples().toList();
    assertThat(payloads).hasSameSizeAs(records);
    for (int i = 0; i < records.size(); i++) {
      Example example = Example.parse(MemorySegment.ofArray(payloads.get(i)));
      assertThat(example.features())
          .as(records.get(i).get("name").asString())
          .isEqualTo(expected(records.get(i).get("features")));
    }
  }

  /// Protobuf's own deterministic bytes come back. One record is left out: its Python core sorts a
  /// name after those that begin with it (the empty name last), its other cores before them.
  @Test
  void writesExamplesByteForByte() throws Exception {
    int compared = 0;
    var all = Records.read(bytes("example-all-types.tfrecord")).payloads();
    List<JsonNode> records = examples().toList();
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      JsonNode record = records.get(i);
      if (record.get("encoding").asString().equals("library")
          && !record.get("name").asString().equals("utf-8-keys")) {
        payloads.add(all.get(i));
      }
    }
    payloads.addAll(Records.read(bytes("plain.tfrecord")).payloads().subList(27, 38));
    try (var block = new Block(MemoryBudget.unbounded())) {
      for (byte[] payload : payloads) {
        MemorySegment wire = MemorySegment.ofArray(payload);
        MemorySegment ours = Example.parse(wire).write(block);
        assertThat(ours.mismatch(wire)).isEqualTo(-1);
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(15);
  }

  private static Map<String, Feature> expected(JsonNode features) {
    Map<String, Feature> map = new LinkedHashMap<>();
    for (var entry : features.properties()) {
      JsonNode kind = entry.getValue().get("kind");
      JsonNode values = entry.getValue().path("values");
      Feature feature =
          switch (kind.isNull() ? "" : kind.asString()) {
            case "bytes" ->
                new Feature.BytesList(
                    values
                        .valueStream()
                        .map(v -> MemorySegment.ofArray(HexFormat.of().parseHex(v.asString())))
                        .toList());
            case "int64" ->
                new Feature.Int64List(
                    values.valueStream().map(v -> Long.parseLong(v.asString())).toList());
            case "float" ->
                new Feature.FloatList(
                    entry
                        .getValue()
                        .get("bits")
                        .valueStream()
                        .map(v -> Float.intBitsToFloat(Integer.parseUnsignedInt(v.asString(), 16)))
                        .toList());
            default -> new Feature.NotSet();
          };
      map.put(entry.getKey(), feature);
    }
    return map;
  }

  static JsonNode json(String name) {
    return JsonMapper.builder().build().readTree(bytes(name));
  }

  static byte[] bytes(String name) {
    try (InputStream in = TensorFlowFixturesTest.class.getResourceAsStream("/tfrecord/" + name)) {
      if (in == null) {
        throw new IllegalStateException("no fixture " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
