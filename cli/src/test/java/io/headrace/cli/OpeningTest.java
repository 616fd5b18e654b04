package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// How datasets are opened, by every command.
final class OpeningTest {
  @TempDir private Path dir = Path.of(".");

  private record Ran(int code, String out, String err) {}

  private static Ran run(List<?> args) {
    var out = new StringWriter();
    var err = new StringWriter();
    var command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(args.stream().map(String::valueOf).toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  private static Ran run(Object... args) {
    return run(List.of(args));
  }

  /// {@return the arguments of a command on a dataset}
  private List<Object> command(String name, Path data) {
    return switch (name) {
      case "convert" -> List.of(name, data, dir.resolve("target"));
      case "extract" -> List.of(name, data, "--index", "0", "--output", dir.resolve("one"));
      case "diff" -> List.of(name, data, data);
      case "demo" -> List.of(name, "--data", data, "--out", dir.resolve("demo"));
      case "serve" -> List.of(name, data, "--socket", dir.resolve("socket"));
      case "load" -> List.of(name, data, "--batch", "4", "--pipeline", "resize=8x8,uint8,hwc");
      case "tune" ->
          List.of(
              name,
              data,
              "--samples",
              "2",
              "--repeats",
              "1",
              "--seconds",
              "0",
              "--out",
              dir.resolve("plan.json"),
              "--candidate",
              "race none jpeg:50",
              "--pipeline",
              "resize=8x8,uint8,hwc");
      default -> List.of(name, data);
    };
  }

  private static List<Object> with(List<Object> args, Object... more) {
    List<Object> all = new ArrayList<>(args);
    all.addAll(List.of(more));
    return all;
  }

  /// Two splits as shards of one folder: 6 samples and 4.
  private Path splits() throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 2, 3);
    Path fewer = Photos.few(dir.resolve("fewer"), 2, 2);
    Path set = Files.createDirectories(dir.resolve("set"));
    assertThat(run("convert", photos, dir.resolve("a"), "--name", "train").code()).isZero();
    assertThat(run("convert", fewer, dir.resolve("b"), "--name", "val").code()).isZero();
    for (String from : List.of("a", "b")) {
      try (Stream<Path> files = Files.list(dir.resolve(from))) {
        for (Path file : files.filter(f -> f.toString().contains("-of-")).toList()) {
          Files.copy(file, set.resolve(String.valueOf(file.getFileName())));
        }
      }
    }
    return set;
  }

  /// Law: every command refuses a folder of several splits and names them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "inspect", "verify", "load", "convert", "extract", "diff", "tune", "demo", "serve"
      })
  void severalSplitsAreRefused(String command) throws IOException {
    Ran ran = run(command(command, splits()));
    assertThat(ran.code()).isEqualTo(Exit.USAGE);
    assertThat(ran.err()).contains("the splits train, val", "--split train");
  }

  /// Law: every command takes one of them.
  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "load", "convert", "extract", "diff"})
  void aSplitIsTakenByItsName(String command) throws IOException {
    Ran ran = run(with(command(command, splits()), "--split", "val"));
    assertThat(ran.err()).doesNotContain("splits");
    assertThat(ran.code()).isZero();
    if (!command.equals("extract")) {
      assertThat(ran.out()).contains("4 ").doesNotContain("10 samples");
    }
  }

  /// Law: what tuning was told is in its plan, and converting by the plan opens the same; loading
  /// the result does too, though it has no splits.
  @Test
  void aPlanKeepsHowTheDatasetIsOpened() throws IOException {
    Path set = splits();
    Path plan = dir.resolve("plan.json");
    Ran tuned = run(with(command("tune", set), "--split", "val"));
    assertThat(tuned.code()).as(tuned.err()).isZero();
    var open = JsonMapper.builder().build().readTree(Files.readString(plan)).path("open");
    assertThat(open.path("split").asString("")).isEqualTo("val");
    Ran loaded = run("load", set, "--plan", plan, "--batch", "4");
    assertThat(loaded.err()).doesNotContain("splits");
    assertThat(loaded.out()).contains("4 delivered");
    Ran again = run("load", dir.resolve("b"), "--plan", plan, "--batch", "4");
    assertThat(again.out()).contains("4 delivered");
  }

  /// Law: a list of classes numbers labels in every command; a class that it lacks is named.
  @Test
  void classesMayBeGiven() throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 2, 3);
    List<String> names =
        Photos.sorted(photos).stream().map(p -> String.valueOf(p.getFileName())).toList();
    Path list = Files.write(dir.resolve("names"), List.of("aaa", names.get(0), names.get(1)));
    Ran converted = run("convert", photos, dir.resolve("out"), "--classes", list);
    assertThat(converted.code()).isZero();
    Ran seen = run("inspect", dir.resolve("out"), "--json");
    assertThat(JsonMapper.builder().build().readTree(seen.out()).path("classes").propertyNames())
        .containsExactlyElementsOf(names);
    assertThat(run("diff", photos, dir.resolve("out"), "--classes", list).code()).isZero();
    Files.write(list, List.of("aaa"));
    Ran refused = run("load", photos, "--classes", list);
    assertThat(refused.code()).isEqualTo(Exit.USAGE);
    assertThat(refused.err()).contains(names.get(0), names.get(1), "not among the 1 of " + list);
  }

  /// Law: that no sample has a label is said once.
  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "load", "convert", "tune"})
  void noLabelsAtAllAreSaidOnce(String command) {
    Path photos = Photos.few(dir.resolve("photos"), 1, 4);
    Path flat = Photos.sorted(photos).getFirst();
    List<Object> args = command(command, flat);
    Ran ran = run(command.equals("load") ? with(args, "--epochs", "2") : args);
    assertThat(ran.err().lines().filter(line -> line.contains("no sample has a label"))).hasSize(1);
    Ran labelled = run(command(command, photos));
    assertThat(labelled.err()).doesNotContain("no sample has a label");
  }

  /// Law: fields come back from a folder, in files of their own.
  @Test
  void fieldsComeBackFromAFolder() throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 1, 2);
    Path flat = Photos.sorted(photos).getFirst();
    List<String> lines = new ArrayList<>(List.of("file_name,label,caption"));
    for (Path photo : Photos.sorted(flat)) {
      lines.add(photo.getFileName() + ",cat,a picture");
    }
    Files.write(flat.resolve("metadata.csv"), lines);
    Ran seen = run("inspect", flat);
    assertThat(seen.out()).contains("1: cat 2", "other fields  caption 2");
    Ran kept = run("convert", flat, dir.resolve("tars"), "--format", "tar");
    assertThat(kept.code()).isZero();
    Path folder = dir.resolve("folder");
    assertThat(run("convert", dir.resolve("tars"), folder, "--format", "folder").code()).isZero();
    assertThat(run("inspect", folder).out()).contains("1: cat 2", "other fields  caption 2");
  }
}
