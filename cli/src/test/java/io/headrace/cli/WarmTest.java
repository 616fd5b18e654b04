package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The command while the JIT is at work, with the flags that the launcher gives it.
@DisabledOnOs(OS.WINDOWS)
final class WarmTest {
  private static final Pattern DIGEST = Pattern.compile("\"digest\" : \"([0-9a-f]+)\"");

  @TempDir private Path dir = Path.of(".");

  private String run(List<String> command) throws IOException, InterruptedException {
    Path log = dir.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
    String said = Files.readString(log);
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  /// {@return the words of a command line that runs ours}
  private static List<String> java(List<String> flags, Object... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.headrace.cli.Main");
    for (Object arg : args) {
      command.add(String.valueOf(arg));
    }
    return command;
  }

  private List<String> vectorFlags() throws IOException, InterruptedException {
    String script =
        "root=$1 JAVA_HOME=$2; . \"$root/scripts/setup.sh\"; if has_vectors; then"
            + " printf '%s\\n' $vector_flags \"-XX:CompileCommandFile=$vector_jit\"; fi";
    String root = Path.of(System.getProperty("headrace.root", "..")).toRealPath().toString();
    return run(List.of("sh", "-c", script, "sh", root, System.getProperty("java.home")))
        .lines()
        .toList();
  }

  private static List<String> digests(String json) {
    return DIGEST.matcher(json).results().map((MatchResult found) -> found.group(1)).toList();
  }

  /// Law: pixels are those of plain code from the first epoch to the last, whatever is compiled by
  /// then; and what the JIT is told is not heard.
  @Test
  void pixelsAreThoseOfPlainCodeWhateverIsWarm() throws IOException, InterruptedException {
    Path photos = Photos.few(dir.resolve("photos"), 3, 8);
    String warming = run(java(vectorFlags(), "load", photos, "--seconds", 3, "--json"));
    List<String> found = digests(warming);
    String plain = run(java(List.of(), "load", photos, "--epochs", 30, "--json"));
    List<String> expected = digests(plain);
    int both = Math.min(found.size(), expected.size());
    assertThat(both).isPositive();
    assertThat(found.subList(0, both)).isEqualTo(expected.subList(0, both));
    assertThat(warming.substring(0, warming.indexOf('[')).lines())
        .allMatch(line -> line.equals("WARNING: Using incubator modules: jdk.incubator.vector"));
  }
}
