package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What is wrong or left out is said by every command, in lines that nothing in the data can break.
final class NothingInSilenceTest {
  @TempDir private Path dir = Path.of(".");

  private record Ran(int code, String out, String err) {
    JsonNode json() {
      return JsonMapper.builder().build().readTree(out);
    }
  }

  private static Ran run(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(Stream.of(args).map(String::valueOf).toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  private Path photos(String name) {
    return Photos.few(dir.resolve(name), 2, 3);
  }

  private Path convert(Path from, String to, String format) {
    Path target = dir.resolve(to);
    Ran ran = run("convert", from, target, "--format", format, "--shards", 2, "--threads", 1);
    assertThat(ran.code()).as(ran.err()).isZero();
    return target;
  }

  private static Path shard(Path dataset) throws IOException {
    try (Stream<Path> files = Files.list(dataset)) {
      return files
          .filter(f -> f.toString().matches(".*-00001-of-00002\\.\\w+"))
          .findFirst()
          .orElseThrow();
    }
  }

  /// A shard of the same name from another conversion: other samples, or the same ones with other
  /// labels.
  @ParameterizedTest
  @CsvSource({
    "tfrecord, keys",
    "tar, keys",
    "race, keys",
    "tfrecord, labels",
    "race, labels",
    "tar, labels"
  })
  void anExchangedShardIsSaid(String format, String what) throws IOException {
    Path first = photos("first");
    Path second = photos("second");
    if (what.equals("keys")) {
      Path folder = Photos.sorted(second).getLast();
      Path moved = Photos.sorted(folder).getFirst();
      String name = String.valueOf(moved.getFileName());
      Files.move(moved, folder.resolve("z" + name.substring(1))); // a shard of the same size
    } else {
      Files.createDirectory(second.resolve("0-no-pictures"));
    }
    Path whole = convert(first, "a", format);
    Path other = convert(second, "b", format);
    Files.copy(shard(other), shard(whole), StandardCopyOption.REPLACE_EXISTING);
    String words = what.equals("keys") ? "the samples' digest is" : "the labels' digest is";

    Ran load = run("load", whole, "--pipeline", "eval", "--threads", 1);
    assertThat(load.code()).as(load.out() + load.err()).isEqualTo(Exit.BAD_DATA);
    assertThat(load.out()).contains(words).doesNotContain("each sample once");
    JsonNode epoch =
        run("load", whole, "--pipeline", "eval", "--threads", 1, "--json").json().get(0);
    assertThat(epoch.path("verified").asBoolean()).isFalse();
    assertThat(epoch.path("contradiction").asString()).contains(words);

    Ran verify = run("verify", whole);
    assertThat(verify.code()).isEqualTo(Exit.BAD_DATA);
    Ran convert = run("convert", whole, dir.resolve("c"), "--format", "folder", "--threads", 1);
    assertThat(convert.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(convert.out() + convert.err()).contains(words);
  }

  @Test
  void partsOfAnEpochContradictNothing() {
    Path whole = convert(photos("photos"), "a", "tfrecord");
    for (List<Object> options :
        List.<List<Object>>of(
            List.of("--stop-after", 1, "--batch", 2),
            List.of("--rank", "0/2"),
            List.of("--synthetic", "--batch", 2),
            List.of("--last-batch", "drop", "--batch", 4),
            List.of("--last-batch", "pad", "--batch", 4))) {
      Ran ran =
          run(
              Stream.concat(
                      Stream.of("load", whole, "--pipeline", "eval", "--threads", 1),
                      options.stream())
                  .toArray());
      assertThat(ran.code()).as(options + ran.out() + ran.err()).isZero();
      assertThat(ran.out()).doesNotContain("other data");
    }
  }

  @Test
  void aPlanOfAnotherDatasetIsSaid() throws IOException {
    Path photos = photos("photos");
    Path plan = dir.resolve("plan.json");
    String quick = "--candidate=tar none keep";
    Ran tune =
        run("tune", photos, quick, "--samples=2", "--repeats=1", "--seconds=0", "--out", plan);
    assertThat(tune.code()).as(tune.err()).isZero();
    JsonMapper json = JsonMapper.builder().build();
    var tree = (ObjectNode) json.readTree(Files.readString(plan));
    tree.putObject("pick")
        .putObject("representation")
        .put("container", "tar")
        .put("compression", "none")
        .put("encoding", "keep")
        .put("resize", "keep");
    Files.writeString(plan, json.writeValueAsString(tree));
    Ran same = run("convert", photos, dir.resolve("same"), "--plan", plan, "--threads", 1);
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(same.err()).doesNotContain("warning");
    Path folder = Photos.sorted(photos).getFirst();
    Files.move(folder, photos.resolve("zz-last"));
    Ran other = run("convert", photos, dir.resolve("other"), "--plan", plan, "--threads", 1);
    assertThat(other.err()).contains("was made for another dataset", "samples of other keys");
  }

  @Test
  void everyCommandSaysWhatIsLeftOut() throws IOException {
    Path photos = photos("photos");
    Files.copy(Photos.sorted(Photos.sorted(photos).getFirst()).getFirst(), photos.resolve("x.jpg"));
    String line = "warning: left out: 1 picture beside the class folders (x.jpg)";
    List<Object[]> commands =
        List.of(
            new Object[] {"inspect", photos, "--json"},
            new Object[] {"verify", photos, "--json"},
            new Object[] {"convert", photos, dir.resolve("out"), "--json"},
            new Object[] {"diff", photos, photos, "--json"},
            new Object[] {"load", photos, "--pipeline", "eval", "--threads", 1, "--json"});
    for (Object[] command : commands) {
      Ran ran = run(command);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.err()).contains(line);
      JsonNode json = ran.json().isArray() ? ran.json().get(0) : ran.json();
      JsonNode left = json.path("left_out").get(0);
      assertThat(left.path("path").asString()).isEqualTo(photos.resolve("x.jpg").toString());
      assertThat(left.path("kind").asString()).isEqualTo("loose_picture");
      assertThat(left.path("reason").asString()).isEqualTo("not in a class folder");
    }
    Ran extract = run("extract", photos, "--index", 0, "--output", dir.resolve("one.jpg"));
    assertThat(extract.err()).contains(line);
  }

  /// An order near the stored one finds one class after the other, unless they are stored mixed:
  /// that is said where it harms, in training.
  @Test
  void classesThatLieTogetherAreSaid() throws IOException {
    Path sorted = dir.resolve("sorted");
    for (String name : List.of("cat", "cow", "dog")) {
      Path folder = Files.createDirectories(sorted.resolve(name));
      for (int i = 0; i < 60; i++) {
        Files.writeString(folder.resolve("%02d.ppm".formatted(i)), "P3 1 1 255 1 2 " + i + "\n");
      }
    }
    Path mixed = dir.resolve("mixed");
    assertThat(run("convert", sorted, mixed, "--format", "race", "--shuffle", 1).code()).isZero();
    String warning = "warning: samples are stored class by class";
    String train = "random_crop=1,flip";
    assertThat(loaded(sorted, train, "sequential")).contains(warning);
    assertThat(loaded(sorted, train, "buffer:16")).contains(warning).contains("--shuffle");
    assertThat(loaded(sorted, train, "full")).doesNotContain(warning);
    assertThat(loaded(sorted, "center_crop=1", "sequential")).doesNotContain(warning);
    assertThat(loaded(mixed, train, "sequential")).doesNotContain(warning);
  }

  private static String loaded(Path data, String pipeline, String order) {
    Ran ran = run("load", data, "--pipeline", pipeline, "--order", order, "--threads", 1, "--json");
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.err();
  }

  @Test
  void noKeyBreaksALine() throws IOException {
    Path photos = photos("photos");
    Path folder = Files.createDirectory(photos.resolve("cl\nass"));
    Files.write(folder.resolve("b\u001b[31m.jpg"), new byte[] {1, 2, 3});
    Files.copy(
        Photos.sorted(Photos.sorted(photos).getLast()).getFirst(), folder.resolve("good\r\n.jpg"));
    Files.write(folder.resolve("note\n.txt"), new byte[] {1, 2, 3});
    Path one = dir.resolve("one.jpg");
    List<Object[]> commands =
        List.of(
            new Object[] {"inspect", photos},
            new Object[] {"verify", photos},
            new Object[] {"convert", photos, dir.resolve("fails")},
            new Object[] {"convert", photos, dir.resolve("out"), "--on-error", "skip"},
            new Object[] {"diff", photos, dir.resolve("out")},
            new Object[] {"load", photos, "--pipeline", "eval", "--threads", 1},
            new Object[] {
              "load", photos, "--pipeline", "eval", "--threads", 1, "--on-error", "skip"
            },
            new Object[] {"extract", photos, "--key", "cl\nass/none.jpg"},
            new Object[] {"extract", photos, "--key", "cl\nass/good\r\n.jpg", "--output", one},
            new Object[] {"inspect", photos.resolve("no\nthing")});
    for (Object[] command : commands) {
      Ran ran = run(command);
      String said = ran.out() + ran.err();
      assertThat(said).as(List.of(command).toString()).contains("\\n");
      assertThat(said.lines().filter(l -> l.matches("(ass|thing|\\.jpg|\\.txt).*"))).isEmpty();
      assertThat(said).doesNotContain("\u001b").doesNotContain("\r");
    }
  }
}
