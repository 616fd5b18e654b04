package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The Python client with `headrace serve` as its child, by the client's own tests.
@EnabledOnOs(OS.LINUX)
final class PythonTest {
  private static final int SECONDS = 480;

  /// Shared by all tests, which start the launcher that is made once.
  @TempDir private static Path dir = Path.of(".");

  private static Path command = Path.of(".");

  @BeforeAll
  static void makeLauncher() throws IOException {
    command = Launcher.in(dir);
  }

  /// Odd inputs 152 and 154, and that what arrives is what `load` delivers.
  @Test
  void theEngineIsThereAsLongAsItIsWanted() throws IOException, InterruptedException {
    assertPasses("python3", "test_engine");
  }

  /// What is kept stays, and every argument is looked at.
  @ParameterizedTest
  @ValueSource(
      strings = {"test_keeping", "test_options", "test_diagnose", "test_consumer", "test_sharing"})
  void nothingIsWrongByDefault(String tests) throws IOException, InterruptedException {
    assertPasses("python3", tests);
  }

  /// The same as NumPy sees it. `./test` names a Python that has it.
  @Test
  void arraysStayAsTheyAre() throws IOException, InterruptedException {
    String python = Objects.requireNonNullElse(System.getenv("HEADRACE_PYTHON"), "python3");
    assumeTrue(runs(python, "-c", "import numpy"), python + " has no NumPy");
    assertPasses(python, "test_arrays.Numpy");
  }

  /// Commands are functions that return what they found.
  @Test
  void commandsAreFunctions() throws IOException, InterruptedException {
    assertPasses("python3", "test_familiar.Commands");
  }

  /// What users of other loaders expect: callables in processes, states as dicts, classes; and that
  /// what the documentation shows is so.
  @ParameterizedTest
  @ValueSource(strings = {"test_familiar.Numpy", "test_frameworks.Dlpack", "test_documented"})
  void itIsWhatUsersKnow(String tests) throws IOException, InterruptedException {
    String python = Objects.requireNonNullElse(System.getenv("HEADRACE_PYTHON"), "python3");
    assumeTrue(runs(python, "-c", "import numpy"), python + " has no NumPy");
    assertPasses(python, tests);
  }

  private static boolean runs(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static void assertPasses(String python, String suite)
      throws IOException, InterruptedException {
    Path tests = Path.of(System.getProperty("headrace.root"), "python", "tests");
    File log = dir.resolve("log").toFile();
    var builder =
        new ProcessBuilder(List.of(python, "-B", "-m", "unittest", "-v", suite))
            .directory(tests.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log);
    builder.environment().put("HEADRACE", command.toString());
    builder.environment().put("JAVA_HOME", Launcher.home(dir).toString());
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
