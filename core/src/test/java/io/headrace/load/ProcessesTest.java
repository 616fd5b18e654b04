package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.load.plan.LoadOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What only shows in processes of their own.
final class ProcessesTest {
  /// The optimising compiler's own memory grows for minutes, whatever is loaded.
  private static final String FIRST_TIER = "-XX:TieredStopAtLevel=1";

  @TempDir private Path dir = Path.of(".");

  private static List<String> java(List<String> flags, String main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(args);
    return command;
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    File log = Files.createTempFile(dir, "log", ".txt").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    boolean ended = process.waitFor(100, TimeUnit.SECONDS);
    process.destroyForcibly();
    List<String> lines = Files.readAllLines(log.toPath());
    assertThat(ended).as("ends in time: %s", lines).isTrue();
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    return lines;
  }

  /// Odd input 147: the same order in any process, for any number of threads, whatever hash codes,
  /// language and time zone.
  @Test
  void sameSeedSameOrderEverywhere() throws IOException, InterruptedException {
    Path folder = Tiny.folder(dir.resolve("folder"), 60);
    List<String> paths =
        List.of(
            folder.toString(),
            Tiny.convert(folder, dir.resolve("race"), "race", "none", 3).toString(),
            Tiny.convert(folder, dir.resolve("streamed"), "tfrecord", "gzip", 3).toString());
    List<List<String>> variants =
        List.of(
            List.of("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=1", "-Duser.language=tr"),
            List.of(
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-Duser.language=ar",
                "-Duser.timezone=Pacific/Kiritimati"));
    Map<String, Set<String>> digests = new HashMap<>();
    for (List<String> flags : variants) {
      for (String line : run(java(flags, OrderDigests.class.getName(), paths))) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("digest")) {
          digests.computeIfAbsent(words[1] + words[2], _ -> new HashSet<>()).add(words[3]);
        }
      }
    }
    assertThat(digests).hasSize(6);
    digests.forEach((what, found) -> assertThat(found).as(what).hasSize(1));
    LoadOptions here = LoadOptions.builder().batchSize(5).window(16).seed(7).threads(2).build();
    for (String path : paths) {
      assertThat(digests.get(path + true))
          .containsExactly(Tiny.load(Path.of(path), here, 3).digest());
    }
  }

  /// Odd inputs 156 and 162: 50 epochs over 1,000 small samples, with few descriptors: memory,
  /// descriptors and threads stay, and no temporary file is left.
  @Test
  @EnabledOnOs(OS.LINUX)
  void manyEpochsTakeNoMoreThanAFew() throws IOException, InterruptedException {
    Path folder = Tiny.folder(dir.resolve("thousand"), 1000);
    Path temporary = Files.createDirectories(dir.resolve("tmp"));
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh"));
    command.addAll(
        java(
            List.of("-Xmx256m", "-Xmn8m", FIRST_TIER, "-Djava.io.tmpdir=" + temporary),
            ManyEpochs.class.getName(),
            List.of(folder.toString(), "50", "tiny")));
    List<long[]> epochs = new ArrayList<>();
    for (String line : run(command)) {
      if (line.startsWith("epoch ")) {
        epochs.add(
            Stream.of(line.substring(6).split(" ", -1)).mapToLong(Long::parseLong).toArray());
      }
    }
    assertThat(epochs).hasSize(50).allSatisfy(e -> assertThat(e[1]).isEqualTo(1000));
    long[] fifth = epochs.get(4);
    long[] last = epochs.getLast();
    assertThat(last[2]).as("resident KiB").isLessThanOrEqualTo(fifth[2] * 105 / 100);
    assertThat(last[3]).as("descriptors").isLessThanOrEqualTo(fifth[3]);
    assertThat(last[4]).as("threads").isLessThanOrEqualTo(fifth[4]);
    assertThat(last[5]).as("memory budget").isLessThanOrEqualTo(64L << 20);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).isEmpty();
    }
  }
}
