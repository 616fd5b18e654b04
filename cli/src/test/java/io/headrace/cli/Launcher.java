package io.headrace.cli;

import io.headrace.testkit.Photos;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The launcher `./headrace`, with the classes of this test in place of a build: in jars, and with
/// a cache of loaded classes, as a build has it, so that processes start in half the time.
final class Launcher {
  private static final String MAIN = "io.headrace.cli.Main";
  private static final String FLAGS =
      "--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:-UsePerfData"
          + " -XX:TieredStopAtLevel=1";

  private Launcher() {}

  /// Copies it into a folder, beside a JDK that starts the `java` of this test.
  ///
  /// @return the command; the environment variable `JAVA_HOME` has to be [#home]
  static Path in(Path dir) throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("headrace.root", "..")).toRealPath();
    Path scripts = Files.createDirectories(dir.resolve("launcher/scripts"));
    Path target = Files.createDirectories(dir.resolve("launcher/cli/target"));
    Path command = Files.copy(root.resolve("headrace"), dir.resolve("launcher/headrace"));
    for (String name : new String[] {"setup.sh", "locale.sh", "vectors.jit"}) {
      Path _ = Files.copy(root.resolve("scripts").resolve(name), scripts.resolve(name));
    }
    Path _ = Files.createFile(target.resolve("headrace-cli-0.1.0-SNAPSHOT.jar"));
    Path bin = Files.createDirectories(home(dir).resolve("bin"));
    Path _ = Files.writeString(home(dir).resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    executable(bin.resolve("javac"), "");
    String classPath = jars(Files.createDirectories(dir.resolve("launcher/jars")));
    Path cache = dir.resolve("launcher/classes.aot");
    List<String> java = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    java.addAll(List.of(FLAGS.split(" ", -1)));
    java.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-cp", classPath, MAIN, "convert"));
    java.add(Photos.few(dir.resolve("launcher/photos"), 1, 2).toString());
    java.add(dir.resolve("launcher/converted").toString());
    int _ =
        new ProcessBuilder(java)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor(); // without the cache everything works, only later
    executable(
        bin.resolve("java"),
        """
        while [ "$1" != -jar ]; do shift; done
        shift 2
        exec "%s/bin/java" %s -XX:AOTCache="%s" '-Xlog:aot*=off' '-Xlog:cds*=off' -cp "%s" %s "$@"
        """
            .formatted(System.getProperty("java.home"), FLAGS, cache, classPath, MAIN));
    return command;
  }

  /// {@return the class path, with a jar in place of each folder of classes}
  private static String jars(Path to) throws IOException {
    List<String> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path classes = Path.of(entry);
      if (!Files.isDirectory(classes)) {
        path.add(entry);
        continue;
      }
      Path jar = to.resolve(path.size() + ".jar");
      try (var out = new ZipOutputStream(Files.newOutputStream(jar));
          Stream<Path> files = Files.walk(classes)) {
        out.setLevel(Deflater.NO_COMPRESSION);
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
          long _ = Files.copy(file, out);
        }
      }
      path.add(jar.toString());
    }
    return String.join(File.pathSeparator, path);
  }

  /// {@return the JDK that [#in] made}
  static Path home(Path dir) {
    return dir.resolve("jdk");
  }

  private static void executable(Path file, String script) throws IOException {
    Path _ = Files.writeString(file, "#!/bin/sh\n" + script);
    Path _ = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
