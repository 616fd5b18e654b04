package io.headrace.format.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Files in another folder that belong to pictures, such as masks: each becomes a field of the
/// sample whose picture has the same place and stem. Immutable.
///
///     images=masks                    images/a/1.jpg and masks/a/1.png: field mask
///     images=depth:depth              the same, as field depth
///     left/*_left.png=gt/*_ids.png    what stands for the star is the same, folders included
///     images=annotations.json         annotations of COCO's form: see [CocoAnnotations]
final class FolderPairs {
  private static final String USUAL_NAME = "mask";

  /// A rule, and the files that it finds.
  ///
  /// @param name of the field
  /// @param pictures folder below the root
  /// @param before what a picture's path below that has before the star
  /// @param after what it has after it; null for any extension
  /// @param files by what stands for the star
  private record Pair(
      String name,
      String pictures,
      String before,
      @Nullable String after,
      String folder,
      Map<String, Path> files) {}

  private final String pictures;
  private final List<Pair> pairs;
  private final List<Path> annotations;

  private FolderPairs(String pictures, List<Pair> pairs, List<Path> annotations) {
    this.pictures = pictures;
    this.pairs = List.copyOf(pairs);
    this.annotations = List.copyOf(annotations);
  }

  /// {@return the pairs that rules find below a root}
  ///
  /// @param rules with commas between
  /// @throws ConfigException if a rule makes no sense, finds nothing, or is of other pictures than
  ///     the first
  static FolderPairs of(Path root, String rules) throws IOException {
    String pictures = "";
    List<Pair> pairs = new ArrayList<>();
    List<Path> annotations = new ArrayList<>();
    for (String each : rules.split(",", -1)) {
      String rule = each.strip();
      int equals = rule.indexOf('=');
      String folder;
      if (equals > 0 && rule.endsWith(".json") && rule.indexOf('*') < 0) {
        folder = requireFolder(root, rule, folder(rule.substring(0, equals)));
        Path file = root.resolve(rule.substring(equals + 1));
        if (!Files.isRegularFile(file)) {
          throw bad(rule, "there is no file " + file);
        }
        annotations.add(file);
      } else {
        Pair pair = pair(root, rule);
        for (Pair other : pairs) {
          if (other.name().equals(pair.name())) {
            throw bad(rule, "field %s is paired twice: say %s:NAME".formatted(pair.name(), rule));
          }
        }
        pairs.add(pair);
        folder = pair.pictures();
      }
      if (!pictures.isEmpty() && !pictures.equals(folder)) {
        throw bad(rule, "pictures in %s and in %s".formatted(pictures, folder));
      }
      pictures = folder;
    }
    return new FolderPairs(pictures, pairs, annotations);
  }

  private static String requireFolder(Path root, String rule, String folder) {
    if (!Files.isDirectory(root.resolve(folder))) {
      throw bad(rule, "%s holds no folder %s".formatted(root, folder));
    }
    return folder;
  }

  private static Pair pair(Path root, String rule) throws IOException {
    int equals = rule.indexOf('=');
    int colon = rule.lastIndexOf(':');
    String name = colon > equals ? rule.substring(colon + 1) : USUAL_NAME;
    String left = equals < 0 ? "" : rule.substring(0, equals);
    String right =
        equals < 0
            ? ""
            : colon > equals ? rule.substring(equals + 1, colon) : rule.substring(equals + 1);
    if (left.isEmpty() || right.isEmpty() || name.isEmpty()) {
      throw bad(
          rule, "expected PICTURES=FOLDER[:FIELD], such as images=masks, or PICTURES=FILE.json");
    }
    boolean stars = left.contains("*");
    if (stars != right.contains("*")
        || left.indexOf('*') != left.lastIndexOf('*')
        || right.indexOf('*') != right.lastIndexOf('*')) {
      throw bad(rule, "expected one * on either side, or none");
    }
    String pictures = requireFolder(root, rule, folder(left));
    String folder = requireFolder(root, rule, folder(right));
    String before = stars ? left.substring(pictures.length() + 1, left.indexOf('*')) : "";
    String after = stars ? left.substring(left.indexOf('*') + 1) : null;
    Map<String, Path> files =
        stars
            ? files(
                root.resolve(folder),
                right.substring(folder.length() + 1, right.indexOf('*')),
                right.substring(right.indexOf('*') + 1))
            : files(root.resolve(folder), "", null);
    if (files.isEmpty()) {
      throw bad(rule, "no file in %s fits".formatted(root.resolve(folder)));
    }
    return new Pair(name, pictures, before, after, folder, files);
  }

  private static ConfigException bad(String rule, String what) {
    return new ConfigException("pair '%s': %s".formatted(rule, what));
  }

  /// {@return the folders that stand before a star, or all there is without one}
  private static String folder(String side) {
    int star = side.indexOf('*');
    int slash = star < 0 ? -1 : side.lastIndexOf('/', star);
    String folder = star < 0 ? side : slash < 0 ? "." : side.substring(0, slash);
    return folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
  }

  private static Map<String, Path> files(Path folder, String before, @Nullable String after)
      throws IOException {
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      List<Path> all = walk.filter(Files::isRegularFile).sorted().toList();
      for (Path file : all) {
        String path = folder.relativize(file).toString();
        String star = star(path, before, after);
        boolean hidden = path.startsWith(".") || path.contains("/.");
        if (star != null && !hidden) {
          Path other = files.putIfAbsent(star, file);
          if (other != null && path.endsWith(".png")) {
            files.put(star, file); // of several with one stem the picture that keeps numbers
          }
        }
      }
    }
    return files;
  }

  /// {@return what stands for the star in a path, or null if it does not fit}
  private static @Nullable String star(String path, String before, @Nullable String after) {
    if (after == null) {
      int dot = path.lastIndexOf('.');
      return dot > path.lastIndexOf('/') + 1 ? path.substring(0, dot) : path;
    }
    return path.length() >= before.length() + after.length()
            && path.startsWith(before)
            && path.endsWith(after)
        ? path.substring(before.length(), path.length() - after.length())
        : null;
  }

  /// {@return the folder of the pictures, below the root}
  String pictures() {
    return pictures;
  }

  /// {@return files of annotations}
  List<Path> annotations() {
    return annotations;
  }

  private static @Nullable Path fileOf(Pair pair, String key) {
    String star = star(key, pair.before(), pair.after());
    return star == null ? null : pair.files().get(star);
  }

  /// Reads the files of a picture as fields.
  ///
  /// @param key the picture's path below its folder
  /// @param free where the sample's memory is free
  /// @return bytes read
  /// @throws DecodeException if the memory budget does not allow it
  long fill(String key, Sample into, long free, Store store) throws IOException, DecodeException {
    long at = free;
    long read = 0;
    for (Pair pair : pairs) {
      Path path = fileOf(pair, key);
      if (path == null) {
        continue;
      }
      try (ByteFile file = store.open(path)) {
        byte[] name = pair.name().getBytes(UTF_8);
        long start = at + name.length;
        long size = file.size();
        MemorySegment memory = into.ensureKeeping(start + size);
        MemorySegment.copy(MemorySegment.ofArray(name), 0, memory, at, name.length);
        file.read(0, into.block(), start, size);
        into.addField(at, name.length, start, size, false);
        at = start + size;
        read += size;
      } catch (CorruptDataException e) {
        throw new CorruptDataException(
            e.fault(), "%s: %s".formatted(path, e.reason()), into.location(), e);
      }
    }
    return read;
  }

  /// {@return which pictures and files have no counterpart, in words}
  ///
  /// @param keys of all pictures
  List<String> misfits(List<String> keys) {
    List<String> lines = new ArrayList<>();
    for (Pair pair : pairs) {
      Map<String, Path> loose = new TreeMap<>(pair.files());
      long lacking = 0;
      String first = "";
      for (String key : keys) {
        String star = star(key, pair.before(), pair.after());
        if (star == null || loose.remove(star) == null) {
          lacking++;
          first = first.isEmpty() ? key : first;
        }
      }
      if (lacking > 0) {
        lines.add(
            "%d pictures have no file in %s, such as %s: they have no field %s"
                .formatted(lacking, pair.folder(), first, pair.name()));
      }
      if (!loose.isEmpty()) {
        lines.add(
            "%d files in %s belong to no picture, such as %s"
                .formatted(loose.size(), pair.folder(), loose.values().iterator().next()));
      }
    }
    return lines;
  }
}
