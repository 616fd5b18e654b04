package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a user types to see fields, to load them and to keep them.
final class FieldsCommandTest {
  private static final List<Object> STEPS = List.of("--pipeline", "resize=8x8,flip,uint8,hwc");

  @TempDir private Path dir = Path.of(".");

  private record Ran(int code, String out, String err) {}

  private static Ran run(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    var command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(Arrays.stream(args).map(String::valueOf).toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  private static Ran load(Path data, Object... args) {
    List<Object> all = new ArrayList<>(List.of("load", data));
    all.addAll(STEPS);
    all.addAll(List.of(args));
    return run(all.toArray());
  }

  /// Four pictures of 37 x 29 with masks, and a table; the last one has neither mask nor caption.
  @BeforeEach
  void make() throws IOException {
    Path images = Files.createDirectories(dir.resolve("data/images"));
    Path masks = Files.createDirectories(dir.resolve("data/masks"));
    byte[] head = "P6\n37 29\n255\n".getBytes(StandardCharsets.US_ASCII);
    byte[] mask =
        Files.readAllBytes(
            Path.of(System.getProperty("headrace.root", ".."))
                .resolve("core/src/test/resources/pairs/mask.png"));
    List<String> lines = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      byte[] picture = Arrays.copyOf(head, head.length + 3 * 37 * 29);
      Arrays.fill(picture, head.length, picture.length, (byte) k);
      Files.write(images.resolve(k + ".ppm"), picture);
      if (k < 3) {
        Files.write(masks.resolve(k + ".png"), mask);
      }
      lines.add(
          "{\"file_name\": \"%d.ppm\", \"boxes\": [[0, 0, %d, 8]]%s}"
              .formatted(k, k + 1, k < 3 ? ", \"caption\": \"no %d\"".formatted(k) : ""));
    }
    Files.write(images.resolve("metadata.jsonl"), lines);
  }

  private Path data() {
    return dir.resolve("data");
  }

  @Test
  void inspectListsThem() throws IOException {
    Ran seen = run("inspect", data(), "--pair", "images=masks");
    assertThat(seen.code()).isZero();
    assertThat(seen.out())
        .contains("other fields  boxes 4, caption 3, mask 3")
        .containsPattern("boxes +int64 \\[1, 4] +in all\n")
        .containsPattern("caption +text +in 75.0%\n")
        .containsPattern("mask +mask +in 75.0%\n");
    assertThat(seen.err()).contains("1 pictures have no file in masks, such as 3.ppm");
    JsonNode json =
        JsonMapper.builder()
            .build()
            .readTree(run("inspect", data(), "--pair", "images=masks", "--json").out());
    assertThat(json.path("types").path("boxes").path("type").asString()).isEqualTo("int64 [1, 4]");
    assertThat(json.path("types").path("mask").path("samples").asInt()).isEqualTo(3);
  }

  @Test
  void loadSaysWhatBatchesHold() {
    Ran seen =
        load(
            data(),
            "--pair",
            "images=masks",
            "--fields",
            "image,label,key,caption,mask:fill=255,boxes:boxes");
    assertThat(seen.err()).doesNotContain("headrace load:");
    assertThat(seen.code()).isZero();
    assertThat(seen.out())
        .contains("field key text", "field caption text", "field mask uint8 [8, 8]")
        .contains("field boxes float32 [*, 4]")
        .contains("fields     caption: 1 samples have none")
        .contains("fields     mask: 1 samples have none");
  }

  @Test
  void whatCannotBeIsSaid() {
    Ran unknown = load(data().resolve("images"), "--fields", "captions");
    assertThat(unknown.code()).isEqualTo(Exit.USAGE);
    assertThat(unknown.err())
        .contains("no field 'captions' in the 4 samples looked at: found boxes, caption");
    Ran missing = load(data(), "--pair", "images=masks", "--fields", "mask");
    assertThat(missing.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(missing.err()).contains("field 'mask'", "mask:fill=VALUE", "3.ppm");
    Ran twice = load(data(), "--fields", "a,a", "--pair", "images=masks");
    assertThat(twice.code()).isEqualTo(Exit.USAGE);
    assertThat(twice.err()).contains("a is asked for twice");
    Ran shards = load(data().resolve("images/0.ppm"), "--pair", "images=masks");
    assertThat(shards.code()).isEqualTo(Exit.USAGE);
    assertThat(shards.err()).contains("is for folders of pictures");
  }

  /// Law: what convert cannot keep, or keeps at the old size, it counts.
  @Test
  void convertKeepsThemOrSaysSo() {
    Path race = dir.resolve("race");
    Ran kept = run("convert", data(), race, "--pair", "images=masks", "--format", "race");
    assertThat(kept.code()).isZero();
    assertThat(kept.out()).doesNotContain("fields");
    Ran seen = load(race, "--fields", "key,caption,mask:fill=0,boxes");
    assertThat(seen.code()).isZero();
    assertThat(seen.out()).contains("field mask uint8 [8, 8]", "mask: 1 samples have none");
    Ran smaller =
        run("convert", race, dir.resolve("small"), "--format", "race", "--resize", "shortest=16");
    assertThat(smaller.code()).isZero();
    assertThat(smaller.out())
        .contains("4 images made smaller have other fields, which stay as they are");
    Ran wrong = load(dir.resolve("small"), "--fields", "mask:fill=0");
    assertThat(wrong.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(wrong.err()).contains("a mask of 37 x 29 pixels beside an image of");
    Ran folder = run("convert", race, dir.resolve("folder"), "--format", "folder");
    assertThat(folder.out()).doesNotContain("fields");
    Ran again = load(dir.resolve("folder"), "--fields", "key,caption,mask:fill=0,boxes");
    assertThat(again.code()).isZero();
    assertThat(again.out()).contains("field mask uint8 [8, 8]", "mask: 1 samples have none");
  }
}
