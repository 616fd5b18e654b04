package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.testkit.Photos;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command as a process of its own: killed, out of disk, interrupted.
@DisabledOnOs(OS.WINDOWS)
final class ProcessTest {
  private static final int KILLS = 4;
  private static final int SHARDS = 20;

  /// Where the launcher is, which is made once.
  @TempDir static Path shared = Path.of(".");

  private static Path launcher = Path.of(".");

  @TempDir private Path dir = Path.of(".");

  @BeforeAll
  static void makeLauncher() throws IOException, InterruptedException {
    launcher = Launcher.in(shared);
  }

  private static List<String> command(Object... args) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    for (Object arg : args) {
      command.add(String.valueOf(arg));
    }
    return command;
  }

  private Process start(List<String> command) throws IOException {
    return start(new ProcessBuilder(command));
  }

  private Process start(ProcessBuilder builder) throws IOException {
    builder.environment().put("JAVA_HOME", Launcher.home(shared).toString());
    File log = dir.resolve("log").toFile();
    return builder.redirectErrorStream(true).redirectOutput(log).start();
  }

  private String log() throws IOException {
    return Files.readString(dir.resolve("log"));
  }

  private static int finish(Process process) throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
    return process.exitValue();
  }

  private static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private Path photos() {
    Path photos = dir.resolve("photos");
    return Files.exists(photos) ? photos : Photos.few(photos, 3, 7);
  }

  private Object[] conversion(Path target) {
    return new Object[] {
      "convert",
      photos(),
      target,
      "--encoding",
      "png",
      "--compression",
      "zstd",
      "--shards",
      SHARDS,
      "--threads",
      "1"
    };
  }

  /// Waits until a conversion has finished so many shards, or has ended.
  private static void awaitShards(Process process, Path target, int shards)
      throws IOException, InterruptedException {
    Path staging = target.resolve(".headrace-convert");
    for (long there = 0; there < shards && process.isAlive(); Thread.sleep(5)) {
      try (Stream<Path> files = Files.list(staging)) {
        there = files.filter(file -> file.toString().endsWith(".json")).count() - 1; // the plan
      } catch (NoSuchFileException e) {
        there = -1;
      }
    }
  }

  /// Law: however often a conversion is killed, the bytes are those of an undisturbed run.
  @Test
  void aKilledConversionGoesOnToTheSameBytes() throws IOException, InterruptedException {
    Path whole = dir.resolve("whole");
    assertThat(finish(start(command(conversion(whole))))).isZero();
    Map<String, byte[]> expected = files(whole);
    Path target = dir.resolve("killed");
    for (int kill = 1; kill <= KILLS; kill++) {
      Process process = start(command(conversion(target)));
      awaitShards(process, target, SHARDS * kill / KILLS);
      process.waitFor(29L * (KILLS - kill), TimeUnit.MILLISECONDS); // the last while it publishes
      process.destroyForcibly().waitFor();
      assertFinalFilesAreWhole(target, expected);
    }
    if (!Files.exists(target.resolve("dataset.json"))) {
      assertThat(finish(start(command(conversion(target))))).as(log()).isZero();
    }
    Map<String, byte[]> found = files(target);
    assertThat(found.keySet()).isEqualTo(expected.keySet()).hasSize(SHARDS + 1);
    expected.forEach((name, bytes) -> assertThat(found.get(name)).as(name).isEqualTo(bytes));
  }

  private static void assertFinalFilesAreWhole(Path target, Map<String, byte[]> expected)
      throws IOException {
    if (Files.exists(target)) {
      files(target)
          .forEach(
              (name, bytes) -> {
                if (!name.startsWith(".headrace-convert")) {
                  assertThat(bytes).as(name).isEqualTo(expected.get(name));
                }
              });
    }
  }

  /// The limit on a file's size stands in for a full disk: both end a write with an error.
  @Test
  void aWriteThatFailsNamesPathAndBytesAndLeavesNoFinalFile()
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    List<String> limited =
        new ArrayList<>(List.of("sh", "-c", "ulimit -f 1000; exec \"$@\"", "sh"));
    limited.addAll(command("convert", Photos.folder(), target, "--shards", "2"));
    assertThat(finish(start(limited))).isEqualTo(Exit.FAILED);
    assertThat(log())
        .contains("cannot write " + target)
        .contains("bytes are written")
        .contains("more are needed")
        .contains("are free")
        .doesNotContain("\tat ");
    assertThat(files(target).keySet()).noneMatch(name -> name.endsWith(".tfrecord"));
    assertThat(files(target).keySet()).noneMatch(name -> name.endsWith(".part"));
    assertThat(target.resolve("dataset.json")).doesNotExist();
  }

  /// Names beyond ASCII in arguments, output and files, in a locale that has no such letters, in
  /// none and in one that is not installed.
  @ParameterizedTest
  @ValueSource(strings = {"LC_ALL=C", "", "LC_ALL=xx_XX.UTF-8"})
  void namesBeyondAsciiAreReadAndWrittenInEveryLocale(String locale)
      throws IOException, InterruptedException {
    assumeTrue(
        System.getProperty("sun.jnu.encoding", "").equals("UTF-8"), "./test sees to the locale");
    Path photos = Photos.few(dir.resolve("plain"), 2, 3);
    Path named = dir.resolve("фото");
    try (Stream<Path> classes = Files.list(photos)) {
      Path folder = Files.createDirectories(named).resolve("кошки 犬");
      Files.move(classes.sorted().findFirst().orElseThrow(), folder);
      Files.writeString(folder.resolve("é.jpg"), "no picture");
    }
    Path target = dir.resolve("новый");
    String convert =
        said(
            locale,
            "convert",
            named,
            target,
            "--name",
            "имя",
            "--shards",
            "1",
            "--on-error",
            "skip");
    assertThat(convert).contains("кошки 犬/é.jpg").doesNotContain("?").doesNotContain("\uFFFD");
    assertThat(target.resolve("имя-00000-of-00001.tfrecord")).exists();
    assertThat(said(locale, "inspect", target)).contains("кошки 犬");
    assertThat(said(locale, "verify", target)).contains("новый: 3 samples sound");
  }

  private String said(String locale, Object... words) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command(words));
    Map<String, String> environment = builder.environment();
    for (String name : List.of("LANG", "LC_ALL", "LC_CTYPE")) {
      environment.remove(name);
    }
    if (!locale.isEmpty()) {
      environment.put(locale.split("=", 2)[0], locale.split("=", 2)[1]);
    }
    Process process = start(builder);
    int status = finish(process);
    assertThat(status).as(log()).isIn(Exit.DONE, Exit.BAD_DATA);
    return log();
  }

  @Test
  void anInterruptedConversionSaysNothingWrongAndCanBeFinished()
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    Process process = start(command(conversion(target)));
    awaitShards(process, target, 5);
    process.destroy(); // what Ctrl-C does to it
    finish(process);
    assertThat(log()).doesNotContain("Exception");
    if (!Files.exists(target.resolve("dataset.json"))) {
      if (Files.exists(target.resolve(".headrace-convert").resolve("plan.json"))) {
        assertThat(log()).contains("the same command takes it up again");
      }
      assertThat(finish(start(command(conversion(target))))).as(log()).isZero();
    }
    assertThat(target.resolve("dataset.json")).exists();
  }
}
