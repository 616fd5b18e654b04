package io.headrace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ManifestTest {
  @TempDir private Path folder;

  private static Manifest some() {
    return new Manifest(
        "flowers",
        "0.1.0",
        "tfrecord",
        "zlib:level=6,strategy=rle",
        "jpeg:85",
        List.of("daisy", "rose"),
        5,
        List.of(
            new Manifest.Shard("f-00000-of-00002.tfrecord", 1000, 3, "e3069283"),
            new Manifest.Shard("f-00001-of-00002.tfrecord", 900, 2, "")),
        SetDigest.hex(0x0123456789abcdefL),
        SetDigest.hex(0xfedcba9876543210L),
        new Manifest.Parent("photos", ""),
        Map.of("quality", 85, "steps", List.of("resize")));
  }

  @Test
  void comesBackFromItsFile() throws IOException {
    some().write(folder);
    assertThat(Manifest.readIfPresent(folder)).isEqualTo(some());
    some().write(folder); // over the old one
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("dataset.json"));
    }
    String text = Files.readString(folder.resolve("dataset.json"));
    assertThat(text).contains("\"set_digest\" : \"0123456789abcdef\"", "\"tool_version\"");
  }

  @Test
  void absentIsNull() throws IOException {
    assertThat(Manifest.readIfPresent(folder)).isNull();
  }

  @Test
  void fieldsOfLaterVersionsAreTolerated() throws IOException {
    Path file = folder.resolve("dataset.json");
    Path _ =
        Files.writeString(
            file,
            """
            {"container": "tfrecord", "samples": 1, "colour": {"space": ["sRGB"]},
             "shards": [{"file": "a", "bytes": 17, "samples": 1, "mood": "fine"}]}
            """);
    Manifest manifest = Manifest.read(file);
    assertThat(manifest.compression()).isEqualTo("none");
    assertThat(manifest.shards()).containsExactly(new Manifest.Shard("a", 17, 1, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {"container": | line 1, column
          {"samples": "many"} | line 1, column 13
          [] | line 1, column 1
          {"samples": 0, "shards": []} | container is missing
          {"container": "tfrecord", "samples": 0} | shards is missing
          {"container": "x", "samples": 2, "shards": [{"file":"a","bytes":1,"samples":1}]} | add up to 1
          {"container": "x", "samples": 1, "shards": [{"file":"../a","bytes":1,"samples":1}]} | not inside
          {"container": "x", "samples": 1, "shards": [{"file":"a","samples":1}]} | bytes of shard a is missing
          {"container": "x", "samples": -1, "shards": [{"file":"a","bytes":1,"samples":-1}]} | samples of shard a is -1
          {"container": "x", "samples": 0, "shards": [], "compression": "brotli"} | unknown compression 'brotli'
          {"container": "x", "samples": 0, "shards": [], "set_digest": "12"} | not 16 hexadecimal
          """)
  void whatMakesNoSenseIsRefusedWithFileAndPlace(String json, String words) throws IOException {
    Path file = folder.resolve("dataset.json");
    Path _ = Files.writeString(file, json);
    assertThatThrownBy(() -> Manifest.read(file))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("not a manifest")
        .hasMessageContaining(words)
        .hasMessageContaining("[file=" + file);
  }

  /// Law: the digest is that of the set, whatever the order and the parts.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void digestKnowsTheSetAndNotItsOrder(long seed) {
    long[] ids = new Random(seed).longs(100).toArray();
    var whole = new SetDigest();
    LongStream.of(ids).forEach(id -> whole.add(id, id % 7));
    var front = new SetDigest();
    var back = new SetDigest();
    for (int i = 99; i >= 0; i--) {
      (i % 3 == 0 ? front : back).add(ids[i], ids[i] % 7);
    }
    front.addAll(back);
    assertThat(front.hex()).isEqualTo(whole.hex());
    assertThat(front.count()).isEqualTo(100);
    assertThat(SetDigest.parse(whole.hex())).isEqualTo(whole.value());
    assertThat(front.labelHex()).isEqualTo(whole.labelHex());
    whole.add(ids[0], ids[0] % 7);
    assertThat(whole.value()).isNotEqualTo(front.value());
  }

  @Test
  void aDigestIsSixteenDigits() {
    assertThatThrownBy(() -> SetDigest.parse("0123456789abcdeg"))
        .isInstanceOf(ConfigException.class);
    assertThat(new SetDigest().hex()).isEqualTo("0000000000000000");
  }
}
