package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.format.Sample;
import io.headrace.format.shard.ShardOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Archives that Python's tarfile wrote hold what tarfile reads from them.
class PythonTarsTest {
  private static Path resource(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(PythonTarsTest.class.getResource("/tar/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode expected() throws IOException {
    return JsonMapper.builder().build().readTree(Files.readString(resource("expected.json")));
  }

  static Stream<String> files() throws IOException {
    return expected().propertyNames().stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everySampleIsTheOneThatTarfileReads(String file) throws IOException {
    JsonNode samples = expected().get(file);
    try (Tars data = Tars.open(resource(file), ShardOptions.DEFAULT);
        var cursor = data.openCursor(0);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThat(Outcomes.both(data)).hasSize(samples.size());
      for (JsonNode wanted : samples) {
        assertThat(cursor.next(sample)).isTrue();
        Map<String, String> members = new TreeMap<>();
        String image =
            wanted.get("members").has("jpg") ? "jpg" : "png"; // seg.png is not an image's whole
        members.put(image, text(sample.encoded().toArray(JAVA_BYTE)));
        assertThat(sample.key()).isEqualTo(wanted.get("names").get(image).asString());
        if (sample.label() != Sample.NO_LABEL) {
          members.put("cls", sample.label() + "");
        }
        for (int f = 0; f < sample.fields(); f++) {
          members.put(sample.fieldName(f), text(sample.field(f).toArray(JAVA_BYTE)));
        }
        Map<String, String> theirs = new TreeMap<>();
        for (var member : wanted.get("members").properties()) {
          theirs.put(member.getKey(), member.getValue().asString());
        }
        theirs.computeIfPresent("cls", (_, digits) -> digits.strip());
        assertThat(members).isEqualTo(theirs);
      }
      assertThat(cursor.next(sample)).isFalse();
    }
  }

  @Test
  void linksAreLeftOut() throws IOException {
    try (Tars data = Tars.open(resource("links.tar"), ShardOptions.DEFAULT)) {
      assertThat(data.size()).isEqualTo(4);
      assertThat(data.warnings())
          .anyMatch(w -> w.startsWith("2 members that are no regular files"));
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
