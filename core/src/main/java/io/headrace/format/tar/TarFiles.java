package io.headrace.format.tar;

import io.headrace.error.ConfigException;
import io.headrace.format.files.ShardFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the archives that a folder, a pattern or a range stands for.
final class TarFiles {
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i).*\\.(tgz|tbz2?|txz|tzst|tlz4|tlz"
              + "|tar(\\.(gz|gzip|bz2|xz|lz4|zst|zstd|sz|snappy|zz|zlib|lzma|lzo))?)");

  /// What may lie beside archives.
  private static final Pattern SIDECAR =
      Pattern.compile("(?i).*\\.(json|index|idx|txt|tmp|partial|md5|crc32c)");

  /// A range of numbers, as WebDataset's users write it: `train-{000000..000146}.tar`.
  private static final Pattern RANGE =
      Pattern.compile("(.*)\\{(\\d{1,9})\\.\\.(\\d{1,9})}(.*)", Pattern.DOTALL);

  private static final int MAX_FILES = 1_000_000;

  private TarFiles() {}

  /// {@return whether a file with that name counts as an archive when a folder is opened}
  static boolean isTarName(String fileName) {
    return !fileName.startsWith(".") && NAMED.matcher(fileName).matches();
  }

  /// {@return the archives in a folder, the files that match a pattern or a range, or the one file;
  /// by name, but those of a range by number}
  ///
  /// Patterns are those of [java.nio.file.FileSystem#getPathMatcher], in the last part only.
  ///
  /// @throws ConfigException if nothing matches
  /// @throws NoSuchFileException if there is neither such a file nor a pattern, or one of a range
  ///     is missing
  static List<Path> expand(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return ShardFiles.list(path, file -> isTarName(ShardFiles.baseName(file)), path.toString());
    }
    if (Files.exists(path)) {
      return List.of(path);
    }
    String pattern = ShardFiles.baseName(path);
    Matcher range = RANGE.matcher(pattern);
    if (range.matches()) {
      return range(path, range);
    }
    if (!ShardFiles.isPattern(pattern)) {
      throw new NoSuchFileException(path.toString(), null, "no such file or folder");
    }
    Path folder = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    if (!Files.isDirectory(folder)) {
      throw new ConfigException(
          "no input files match %s: there is no folder %s".formatted(path, folder));
    }
    return ShardFiles.list(folder, matching(path), path.toString());
  }

  /// {@return what passes files that match a pattern: none that are hidden, and no indexes}
  static DirectoryStream.Filter<Path> matching(Path path) {
    var matcher = path.getFileSystem().getPathMatcher("glob:" + ShardFiles.baseName(path));
    return file -> {
      Path name = file.getFileName();
      return name != null
          && !name.toString().startsWith(".")
          && !SIDECAR.matcher(name.toString()).matches()
          && matcher.matches(name);
    };
  }

  private static List<Path> range(Path path, Matcher range) throws IOException {
    int first = Integer.parseInt(range.group(2));
    int last = Integer.parseInt(range.group(3));
    if (last < first || last - first >= MAX_FILES) {
      throw new ConfigException("range of files %s is empty or too long".formatted(path));
    }
    List<Path> files = new ArrayList<>();
    for (int i = first; i <= last; i++) {
      String number = Integer.toString(i);
      String zeros = "0".repeat(Math.max(0, range.group(2).length() - number.length()));
      Path file = path.resolveSibling(range.group(1) + zeros + number + range.group(4));
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString(), null, "it is part of " + path);
      }
      files.add(file);
    }
    return files;
  }
}
