package io.headrace.natives;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// C libraries that come with Headrace, where it was installed with all that it needs.
///
/// The system property `headrace.natives` names the folder. Its file `needs.tsv` has a line for
/// each library: its file name, then a tab and the file name of each library that it needs, those
/// first that need nothing. The linker finds a needed library by its name once it is loaded, from
/// wherever.
final class NativeFolder {
  private static final String NEEDS = "needs.tsv";

  private NativeFolder() {}

  private static @Nullable Path folder() {
    String given = System.getProperty("headrace.natives");
    return given == null ? null : Path.of(given).toAbsolutePath();
  }

  /// {@return the files that may be the library of that name, those that exist}
  static List<String> files(String name, List<Integer> majors) {
    Path folder = folder();
    if (folder == null) {
      return List.of();
    }
    return majors.stream()
        .map(major -> folder.resolve("lib" + name + ".so." + major))
        .filter(Files::isRegularFile)
        .map(Path::toString)
        .toList();
  }

  /// Loads what a file of the folder needs. Does nothing for any other file.
  ///
  /// @throws IllegalArgumentException if one of them cannot be loaded
  static void loadNeeded(String file) {
    Path folder = folder();
    if (folder == null || !file.startsWith(folder + "/")) {
      return;
    }
    try {
      String name = file.substring(folder.toString().length() + 1);
      for (String line : Files.readAllLines(folder.resolve(NEEDS))) {
        List<String> words = List.of(line.split("\t"));
        if (words.getFirst().equals(name)) {
          words.subList(1, words.size()).forEach(needed -> open(folder.resolve(needed)));
        }
      }
    } catch (IOException e) {
      throw new ConfigException("%s of %s: %s".formatted(NEEDS, folder, e.getMessage()));
    }
  }

  @SuppressWarnings({"restricted", "MustBeClosedChecker"}) // never unloaded: the global arena
  private static void open(Path file) {
    SymbolLookup.libraryLookup(file, Arena.global());
  }
}
