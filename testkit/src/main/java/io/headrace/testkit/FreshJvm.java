package io.headrace.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A JVM in which nothing has run yet, started as the launcher starts it: what the JIT makes of
/// vectors depends on all that ran before.
public final class FreshJvm {
  private FreshJvm() {}

  /// {@return what a class printed to standard output}
  ///
  /// @param main a class with a `main` method, on the class path of this JVM
  public static String run(Class<?> main, String... args) throws IOException {
    Path jit = Path.of(System.getProperty("headrace.root", ".."), "scripts", "vectors.jit");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                "-XX:+UseSerialGC",
                "-XX:Tier3DelayOn=1000",
                "-XX:CompileCommandFile=" + jit,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }
}
