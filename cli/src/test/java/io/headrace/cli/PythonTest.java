package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The Python client with `headrace serve` as its child, by the client's own tests.
@EnabledOnOs(OS.LINUX)
final class PythonTest {
  private static final int SECONDS = 480;

  /// Suites that need no package.
  private static final List<String> BARE =
      List.of("test_keeping", "test_diagnose", "test_options", "test_consumer", "test_sharing");

  /// Suites that need NumPy. `./test` names a Python that has it.
  private static final List<String> FAMILIAR =
      List.of("test_familiar.Numpy", "test_frameworks.Dlpack", "test_documented");

  private static final String ARRAYS = "test_arrays.Numpy";
  private static final String ENGINE = "test_engine";
  private static final String COMMANDS = "test_familiar.Commands";

  /// Two suites run at one time, since each waits for one engine after another to start.
  private static final ExecutorService LANES = Executors.newFixedThreadPool(2);

  private static final Map<String, Future<Ran>> SUITES = new HashMap<>();

  /// What a suite said, and its exit status; that is not 0 if it did not end in time.
  private record Ran(int status, String said) {}

  /// Shared by all tests, which start the launcher that is made once.
  @TempDir private static Path dir = Path.of(".");

  private static Path command = Path.of(".");
  private static String python = "python3";
  private static boolean hasNumpy;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    command = Launcher.in(dir);
    python = Objects.requireNonNullElse(System.getenv("HEADRACE_PYTHON"), "python3");
    hasNumpy = runs(python, "-c", "import numpy");
    if (hasNumpy) {
      FAMILIAR.forEach(suite -> start(python, suite));
      start(python, ARRAYS);
    }
    start("python3", ENGINE);
    BARE.forEach(suite -> start("python3", suite));
    start("python3", COMMANDS);
  }

  private static void start(String with, String suite) {
    SUITES.put(suite, LANES.submit(() -> run(with, suite)));
  }

  @AfterAll
  static void stop() {
    LANES.shutdownNow();
  }

  static List<String> bare() {
    return BARE;
  }

  static List<String> familiar() {
    return FAMILIAR;
  }

  /// Odd inputs 152 and 154, and that what arrives is what `load` delivers.
  @Test
  void theEngineIsThereAsLongAsItIsWanted() throws Exception {
    assertPasses(ENGINE);
  }

  /// What is kept stays, and every argument is looked at.
  @ParameterizedTest
  @MethodSource("bare")
  void nothingIsWrongByDefault(String tests) throws Exception {
    assertPasses(tests);
  }

  /// The same as NumPy sees it.
  @Test
  void arraysStayAsTheyAre() throws Exception {
    assumeTrue(hasNumpy, python + " has no NumPy");
    assertPasses(ARRAYS);
  }

  /// Commands are functions that return what they found.
  @Test
  void commandsAreFunctions() throws Exception {
    assertPasses(COMMANDS);
  }

  /// What users of other loaders expect: callables in processes, states as dicts, classes; and that
  /// what the documentation shows is so.
  @ParameterizedTest
  @MethodSource("familiar")
  void itIsWhatUsersKnow(String tests) throws Exception {
    assumeTrue(hasNumpy, python + " has no NumPy");
    assertPasses(tests);
  }

  private static boolean runs(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static void assertPasses(String suite) throws Exception {
    Ran ran = Objects.requireNonNull(SUITES.get(suite)).get();
    assertThat(ran.status).as(ran.said).isZero();
    assertThat(ran.said.strip()).as("none skipped").endsWith("\nOK");
  }

  private static Ran run(String with, String suite) throws IOException, InterruptedException {
    Path tests = Path.of(System.getProperty("headrace.root"), "python", "tests");
    Path log = dir.resolve(suite + ".log");
    var builder =
        new ProcessBuilder(List.of(with, "-B", "-m", "unittest", "-v", suite))
            .directory(tests.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("HEADRACE", command.toString());
    builder.environment().put("JAVA_HOME", Launcher.home(dir).toString());
    builder.environment().put("TMPDIR", dir.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new AssertionError("this test needs python3 (3.10 or newer) on PATH", e);
    }
    try {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(log);
      return ended ? new Ran(process.exitValue(), said) : new Ran(-1, "takes too long: " + said);
    } finally {
      process.destroyForcibly();
    }
  }
}
