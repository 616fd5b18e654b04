package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The Python client with `headrace serve` as its child, by the client's own tests.
@EnabledOnOs(OS.LINUX)
final class PythonTest {
  private static final int SECONDS = 240;

  @TempDir private Path dir = Path.of(".");

  /// Odd inputs 152 and 154, and that what arrives is what `load` delivers.
  @Test
  void theClientsTestsPass() throws IOException, InterruptedException {
    Path command = dir.resolve("headrace");
    Files.writeString(
        command,
        """
        #!/bin/sh
        exec "%s/bin/java" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:-UsePerfData \\
          -XX:TieredStopAtLevel=1 -cp "%s" io.headrace.cli.Main "$@"
        """
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path tests = Path.of(System.getProperty("headrace.root"), "python", "tests");
    File log = dir.resolve("log").toFile();
    var builder =
        new ProcessBuilder(List.of("python3", "-B", "-m", "unittest", "-v", "test_engine"))
            .directory(tests.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log);
    builder.environment().put("HEADRACE", command.toString());
    builder.environment().put("TMPDIR", dir.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new AssertionError("this test needs python3 (3.10 or newer) on PATH", e);
    }
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String said = Files.readString(log.toPath());
    assertThat(ended).as("ends in time: %s", said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said.strip()).as("none skipped").endsWith("\nOK");
  }
}
