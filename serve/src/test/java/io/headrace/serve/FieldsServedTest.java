package io.headrace.serve;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.field.FieldRequest;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A consumer finds fields where the engine's hello says that they lie.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FieldsServedTest {
  private static final int COUNT = 10;

  @TempDir private Path dir = Path.of(".");

  /// Pictures whose first byte is their number, with a table of captions and boxes beside them.
  private Path pictures() throws IOException {
    Path root = Files.createDirectories(dir.resolve("data"));
    List<String> lines = new ArrayList<>();
    for (int k = 0; k < COUNT; k++) {
      String name = "%02d.ppm".formatted(k);
      byte[] head = "P6\n4 4\n255\n".getBytes(StandardCharsets.US_ASCII);
      byte[] all = new byte[head.length + 48];
      System.arraycopy(head, 0, all, 0, head.length);
      Arrays.fill(all, head.length, all.length, (byte) k);
      Files.write(root.resolve(name), all);
      List<List<Integer>> boxes = new ArrayList<>();
      for (int row = 0; row < k % 3; row++) {
        boxes.add(List.of(k, row));
      }
      lines.add(
          "{\"file_name\": \"%s\", \"text\": \"%s\", \"boxes\": %s, \"size\": %d}"
              .formatted(name, "é".repeat(k), boxes, 100 + k));
    }
    Files.write(root.resolve("metadata.jsonl"), lines);
    return root;
  }

  @Test
  void liesWhereTheHelloSays() throws IOException, InterruptedException {
    Path socket = dir.resolve("s");
    var options =
        Pictures.options()
            .batchSize(4)
            .fields(FieldRequest.parse("key,text,boxes:int16,size:float32"))
            .build();
    try (Dataset dataset = Datasets.open(pictures());
        var _ =
            new Engine(
                socket,
                new ServedDataset(dataset, Pipeline.parse("resize=4x4,uint8,hwc"), options, dir));
        var peer = new Peer(socket);
        Arena arena = Arena.ofShared()) {
      peer.say("{'type':'hello','protocol':1}");
      JsonNode hello = peer.hear("hello");
      MemorySegment memory;
      try (FileChannel file =
          FileChannel.open(
              Path.of(hello.path("memory").asString()),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        memory = file.map(FileChannel.MapMode.READ_ONLY, 0, hello.path("bytes").asLong(), arena);
      }
      peer.say("{'type':'mapped'}");
      peer.say("{'type':'epoch','run':1,'number':0}");
      JsonNode _ = peer.hear("started");
      List<Integer> seen = new ArrayList<>();
      for (JsonNode batch = peer.hear(); !isEnd(batch); batch = peer.hear()) {
        int slot = batch.path("slot").asInt();
        long start = hello.path("first_slot").asLong() + slot * hello.path("slot_bytes").asLong();
        check(hello, memory, start, batch.path("size").asInt(), seen);
        peer.say("{'type':'release','run':1,'slot':%d}".formatted(slot));
      }
      assertThat(seen).hasSize(COUNT).doesNotHaveDuplicates();
    }
  }

  private static boolean isEnd(JsonNode message) {
    return message.path("type").asString().equals("end");
  }

  private static void check(
      JsonNode hello, MemorySegment memory, long start, int size, List<Integer> seen) {
    for (int i = 0; i < size; i++) {
      int k = memory.get(JAVA_BYTE, start + 48L * i);
      seen.add(k);
      JsonNode fields = hello.path("fields");
      assertThat(text(fields.get(0), memory, start, i)).isEqualTo("%02d.ppm".formatted(k));
      assertThat(text(fields.get(1), memory, start, i)).isEqualTo("é".repeat(k));
      JsonNode boxes = fields.get(2);
      assertThat(boxes.path("kind").asString()).isEqualTo("ragged");
      assertThat(boxes.path("shape").get(0).asInt()).isEqualTo(2);
      long first = offset(boxes, memory, start, i);
      assertThat(offset(boxes, memory, start, i + 1) - first).isEqualTo(k % 3);
      for (int row = 0; row < k % 3; row++) {
        long at = start + boxes.path("values").asLong() + 4 * (first + row);
        assertThat(memory.get(JAVA_BYTE, at)).isEqualTo((byte) k);
        assertThat(memory.get(JAVA_BYTE, at + 2)).isEqualTo((byte) row);
      }
      long at = start + fields.get(3).path("values").asLong() + 4L * i;
      assertThat(memory.get(JAVA_FLOAT_UNALIGNED, at)).isEqualTo(100f + k);
    }
  }

  private static long offset(JsonNode field, MemorySegment memory, long start, int sample) {
    return memory.get(JAVA_LONG_UNALIGNED, start + field.path("offsets").asLong() + 8L * sample);
  }

  private static String text(JsonNode field, MemorySegment memory, long start, int sample) {
    assertThat(field.path("kind").asString()).isEqualTo("text");
    long from = offset(field, memory, start, sample);
    long bytes = offset(field, memory, start, sample + 1) - from;
    byte[] text =
        memory.asSlice(start + field.path("values").asLong() + from, bytes).toArray(JAVA_BYTE);
    return new String(text, StandardCharsets.UTF_8);
  }
}
