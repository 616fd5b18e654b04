package io.headrace.format.files;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The parts that datasets are split into, `train`, `validation` and so on, told from names of
/// files and folders: so that they are not read as one dataset, or as classes.
public final class Splits {
  /// What splits are called, in public datasets.
  private static final Set<String> WORDS =
      Set.of(
          "train",
          "training",
          "trainval",
          "test",
          "testing",
          "val",
          "valid",
          "validation",
          "validate",
          "dev",
          "eval",
          "evaluation",
          "holdout",
          "minival");

  /// What folders of pictures are called that have others beside them.
  private static final Set<String> PICTURES =
      Set.of("images", "image", "imgs", "img", "jpegimages", "jpgimages", "pictures", "photos");

  /// What folders are called that say something of the pictures beside them.
  private static final Set<String> BESIDE =
      Set.of(
          "labels",
          "label",
          "masks",
          "mask",
          "annotations",
          "annotation",
          "labeltxt",
          "segmentation",
          "segmentations",
          "segmentationclass",
          "segmentationobject",
          "groundtruth",
          "ground_truth",
          "gt",
          "imagesets");

  private static final Pattern LETTERS = Pattern.compile("[a-z]+");

  /// A file's name without what numbers it and what kind it is.
  private static final Pattern NUMBERED =
      Pattern.compile("(.*?)[-_.]?\\d*(\\.[A-Za-z][A-Za-z0-9]*)+");

  private Splits() {}

  /// Takes the files of one split.
  ///
  /// @param root what the user named, for messages
  /// @param files of shards, in any order
  /// @param split that is asked for: a name or a pattern of names; empty for none
  /// @return the same files, or those of the split asked for
  /// @throws ConfigException if there are several splits and none was asked for, or not that one
  public static List<Path> choose(Path root, List<Path> files, String split) {
    return choose(root, files, split, false);
  }

  /// As [#choose(Path, List, String)].
  ///
  /// @param strict whether files of different names are different splits, whatever these say
  public static List<Path> choose(Path root, List<Path> files, String split, boolean strict) {
    Map<String, List<Path>> splits = new TreeMap<>();
    for (Path file : files) {
      splits.computeIfAbsent(nameOf(ShardFiles.baseName(file)), _ -> new ArrayList<>()).add(file);
    }
    if (!split.isEmpty()) {
      List<Path> chosen = new ArrayList<>();
      for (Path file : files) {
        if (matches(split, nameOf(ShardFiles.baseName(file)))) {
          chosen.add(file);
        }
      }
      if (chosen.isEmpty()) {
        throw new ConfigException(
            "%s has no split '%s': its files are those of %s"
                .formatted(root, split, some(splits.keySet())));
      }
      return chosen;
    }
    Set<String> words = new TreeSet<>();
    splits.keySet().forEach(name -> words.add(wordIn(name)));
    if (splits.size() > 1 && (strict || (words.size() > 1))) {
      throw new ConfigException(
          ("%s holds the splits %s: name one with --split, such as --split %s, or take all of them"
                  + " as one dataset with --split '*'")
              .formatted(root, some(splits.keySet()), splits.keySet().iterator().next()));
    }
    return files;
  }

  /// {@return the split that a shard's name says it is a part of, such as `train` of
  /// `train-00000-of-00002.parquet`; empty if only a number does}
  static String nameOf(String fileName) {
    ShardName shard = ShardName.parse(fileName);
    if (shard != null) {
      String prefix = shard.prefix();
      int dot = prefix.indexOf('.'); // mnist-train.tfrecord-00000-of-00001
      return dot < 0 ? prefix : prefix.substring(0, dot);
    }
    Matcher numbered = NUMBERED.matcher(fileName);
    return numbered.matches() ? numbered.group(1) : fileName;
  }

  /// {@return the word for a split in a name, or an empty text}
  private static String wordIn(String name) {
    Matcher letters = LETTERS.matcher(name.toLowerCase(Locale.ROOT));
    while (letters.find()) {
      if (WORDS.contains(letters.group())) {
        return letters.group();
      }
    }
    return "";
  }

  private static boolean matches(String asked, String name) {
    if (ShardFiles.isPattern(asked)) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + asked);
      return matcher.matches(Path.of(name)) || (name.isEmpty() && asked.equals("*"));
    }
    return name.equals(asked) || wordIn(name).equals(asked);
  }

  /// {@return the folder in `root` that is the split asked for; `root` if there is none such}
  ///
  /// @throws ConfigException if several are
  public static Path folderOf(Path root, String split) throws IOException {
    List<Path> found = new ArrayList<>();
    if (!split.isEmpty() && Files.isDirectory(root)) {
      if (!ShardFiles.isPattern(split) && Files.isDirectory(root.resolve(split))) {
        return root.resolve(split);
      }
      for (Path folder : folders(root)) {
        if (isSplit(folder) && matches(split, ShardFiles.baseName(folder))) {
          found.add(folder);
        }
      }
    }
    if (found.size() > 1) {
      throw new ConfigException(
          "--split %s fits the folders %s of %s: folders are not put together, name one"
              .formatted(split, names(found), root));
    }
    return found.isEmpty() ? root : found.getFirst();
  }

  /// Refuses a folder of pictures whose folders are no classes.
  ///
  /// @throws ConfigException if they are splits, or pictures and what is said of them
  public static void requireClasses(Path root, String split, Kind kind) throws IOException {
    List<Path> splits = new ArrayList<>();
    List<Path> pictures = new ArrayList<>();
    List<Path> beside = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (Path folder : folders(root)) {
      String name = ShardFiles.baseName(folder).toLowerCase(Locale.ROOT);
      if (PICTURES.contains(name)) {
        pictures.add(folder);
      } else if (BESIDE.contains(name)) {
        beside.add(folder);
      } else {
        (isSplit(folder) ? splits : others).add(folder);
      }
    }
    boolean alone = others.isEmpty() && pictures.isEmpty();
    if (splits.size() > 1 || (splits.size() == 1 && alone)) {
      requireNoDatasets(root, kind);
      throw new ConfigException(
          ("%s holds the splits %s, which are no classes: name one with --split, such as"
                  + " --split %s, or say --folders-are-classes")
              .formatted(root, names(splits), ShardFiles.baseName(splits.getFirst())));
    }
    if (!split.isEmpty()) {
      String there = names(folders(root));
      throw new ConfigException(
          "%s has no split '%s': %s"
              .formatted(
                  root, split, there.isEmpty() ? "it has no folders" : "its folders are " + there));
    }
    if (!pictures.isEmpty() && !beside.isEmpty() && others.isEmpty()) {
      throw new ConfigException(
          ("%s holds %s beside %s, which are no classes: open %s for the pictures alone, without"
                  + " labels, pair files of one stem with --pair %s=%s, or say"
                  + " --folders-are-classes")
              .formatted(
                  root,
                  names(pictures),
                  names(beside),
                  pictures.getFirst(),
                  ShardFiles.baseName(pictures.getFirst()),
                  ShardFiles.baseName(beside.getFirst())));
    }
  }

  /// Refuses a folder whose folders are datasets of shards, and says of which kinds.
  ///
  /// @throws ConfigException if there are such
  public static void requireNoDatasets(Path root, Kind kind) throws IOException {
    List<String> found = new ArrayList<>();
    String first = "";
    for (Path folder : folders(root)) {
      String name = kind.of(folder);
      if (!name.isEmpty()) {
        found.add("%s (%s)".formatted(ShardFiles.baseName(folder), name));
        first = first.isEmpty() ? ShardFiles.baseName(folder) : first;
      }
    }
    if (!found.isEmpty()) {
      throw new ConfigException(
          ("%s is no dataset itself, but its folders %s are: name one with --split, such as"
                  + " --split %s")
              .formatted(root, some(found), first));
    }
  }

  /// Says what kind of dataset a folder is.
  @FunctionalInterface
  public interface Kind {
    /// {@return its name, or an empty text}
    String of(Path folder) throws IOException;
  }

  /// {@return whether a folder's whole name is a split's, but for numbers: `train`, `val2017`}
  private static boolean isSplit(Path folder) {
    String name = ShardFiles.baseName(folder).toLowerCase(Locale.ROOT);
    return WORDS.contains(name.replaceAll("[-_.]?(\\d+|set|data|images|imgs)$", ""));
  }

  /// {@return a few of many names, for messages}
  public static String some(Collection<String> names) {
    String shown = String.join(", ", names.stream().limit(8).toList());
    return names.size() > 8 ? "%s and %d more".formatted(shown, names.size() - 8) : shown;
  }

  private static String names(List<Path> folders) {
    return some(folders.stream().map(ShardFiles::baseName).toList());
  }

  private static List<Path> folders(Path root) throws IOException {
    List<Path> folders = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        if (!ShardFiles.baseName(entry).startsWith(".") && Files.isDirectory(entry)) {
          folders.add(entry);
        }
      }
    }
    folders.sort((a, b) -> ShardFiles.baseName(a).compareTo(ShardFiles.baseName(b)));
    return folders;
  }
}
