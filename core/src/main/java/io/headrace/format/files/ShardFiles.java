package io.headrace.format.files;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.sound.AudioFormat;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the files that a folder, a pattern or a list stands for.
public final class ShardFiles {
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i).*\\.(tfrecords?|tfrec)(\\.(gz|gzip|zz|zlib|zst|zstd|lz4|sz|snappy|xz|bz2|lzma|lzo))?");
  private static final Pattern SIDECAR =
      Pattern.compile("(?i).*\\.(json|index|idx|txt|tmp|partial|crc32c)");

  private ShardFiles() {}

  /// {@return whether a file with that name counts as a shard when a folder is opened}
  public static boolean isShardName(String fileName) {
    return !fileName.startsWith(".")
        && !SIDECAR.matcher(fileName).matches()
        && !promisesSample(fileName)
        && (NAMED.matcher(fileName).matches() || ShardName.parse(fileName) != null);
  }

  private static boolean promisesSample(String fileName) {
    String extension = extension(fileName);
    return ImageFormat.promising().contains(extension)
        || AudioFormat.promising().contains(extension);
  }

  /// {@return the shards in a folder, the files that match a pattern, or the one file; by name}
  ///
  /// Patterns are those of [java.nio.file.FileSystem#getPathMatcher], in the last part only.
  ///
  /// @throws ConfigException if nothing matches
  /// @throws NoSuchFileException if there is neither such a file nor a pattern
  public static List<Path> expand(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return list(path, file -> isShardName(baseName(file)), path.toString());
    }
    if (Files.exists(path)) {
      return List.of(path);
    }
    String pattern = baseName(path);
    if (!isPattern(pattern)) {
      throw new NoSuchFileException(path.toString(), null, "no such file or folder");
    }
    Path folder = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    if (!Files.isDirectory(folder)) {
      throw new ConfigException(
          "no input files match %s: there is no folder %s".formatted(path, folder));
    }
    var matcher = path.getFileSystem().getPathMatcher("glob:" + pattern);
    return list(
        folder,
        file -> {
          Path name = file.getFileName();
          return name != null && !name.toString().startsWith(".") && matcher.matches(name);
        },
        path.toString());
  }

  /// {@return whether a name is a pattern of files}
  public static boolean isPattern(String fileName) {
    return fileName.matches(".*[*?\\[{].*");
  }

  /// {@return whether a path is a pattern that files match, all of which have a suffix}
  public static boolean allEnd(Path path, String suffix) throws IOException {
    if (!isPattern(baseName(path)) || Files.exists(path)) {
      return false;
    }
    try {
      return expand(path).stream().allMatch(file -> baseName(file).endsWith(suffix));
    } catch (ConfigException e) {
      return false; // nothing matches: whoever opens it says so
    }
  }

  /// {@return the regular files of a folder that pass a filter, by name}
  ///
  /// @param asked what the user asked for, to be named if there is none
  /// @throws ConfigException if there is none
  public static List<Path> list(Path folder, DirectoryStream.Filter<Path> filter, String asked)
      throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, filter)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          found.add(file);
        }
      }
    }
    if (found.isEmpty()) {
      throw new ConfigException("no input files match " + asked);
    }
    found.sort((a, b) -> baseName(a).compareTo(baseName(b)));
    return found;
  }

  /// Checks that of sets named `x-00000-of-00016` no shard is missing or there twice.
  ///
  /// @throws ConfigException if one is; it names the first that is missing
  public static void checkComplete(List<Path> files) {
    Map<Path, BitSet> sets = new TreeMap<>();
    Set<Path> seen = new HashSet<>();
    for (Path file : files) {
      if (!seen.add(file.toAbsolutePath().normalize())) {
        throw new ConfigException("shard %s is given twice".formatted(file));
      }
      ShardName name = ShardName.parse(baseName(file));
      if (name != null) {
        Path set = file.resolveSibling(name.sibling(0).fileName());
        sets.computeIfAbsent(set, _ -> new BitSet()).set(name.index());
      }
    }
    sets.forEach(
        (file, indexes) -> {
          ShardName name = Objects.requireNonNull(ShardName.parse(baseName(file)));
          int missing = indexes.nextClearBit(0);
          if (missing < name.count()) {
            throw new ConfigException(
                "shard %s is missing: %d of %d are there"
                    .formatted(
                        file.resolveSibling(name.sibling(missing).fileName()),
                        indexes.cardinality(),
                        name.count()));
          }
        });
  }

  /// {@return the fault of a file that is something else than what it should be, told from its
  /// first bytes, or null if these are not known}
  ///
  /// @param wanted with its article, such as `a race shard`
  public static @Nullable DecodeException foreign(ByteFile file, String wanted) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(FirstBytes.ENOUGH, file.size()));
      file.read(0, first);
      return FirstBytes.foreign(first, wanted);
    }
  }

  /// {@return what stands after the last dot of a name, in lower case; empty if there is no dot}
  public static String extension(String fileName) {
    int dot = fileName.lastIndexOf('.');
    return dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  /// {@return the last part of a path}
  public static String baseName(Path file) {
    return Objects.requireNonNullElse(file.getFileName(), file).toString();
  }
}
