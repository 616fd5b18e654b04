package io.headrace.cli;

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

/// The launcher `./headrace`, with the classes of this test in place of a build: in jars, for which
/// the JVM keeps what it has loaded, so that the next process starts in half the time.
final class Launcher {
  private Launcher() {}

  /// Copies it into a folder, beside a JDK that starts the `java` of this test.
  ///
  /// @return the command; the environment variable `JAVA_HOME` has to be [#home]
  static Path in(Path dir) throws IOException {
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
    executable(
        bin.resolve("java"),
        """
        while [ "$1" != -jar ]; do shift; done
        shift 2
        exec "%s/bin/java" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:-UsePerfData \\
          -XX:TieredStopAtLevel=1 -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="%s" \\
          -Xlog:cds=off -Xlog:cds+dynamic=off -cp "%s" io.headrace.cli.Main "$@"
        """
            .formatted(
                System.getProperty("java.home"),
                dir.resolve("launcher/classes.jsa"),
                jars(Files.createDirectories(dir.resolve("launcher/jars")))));
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
