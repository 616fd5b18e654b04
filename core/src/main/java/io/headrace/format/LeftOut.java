package io.headrace.format;

import io.headrace.format.files.ShardFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A file or folder in a dataset that is no sample of it.
///
/// @param path where it is
/// @param kind of what it is
/// @param reason what was found
public record LeftOut(Path path, Kind kind, String reason) {
  /// Extensions that a line names.
  private static final int NAMED = 5;

  /// What is left out, and why.
  public enum Kind {
    /// A picture beside class folders: it would have no class.
    LOOSE_PICTURE("picture beside the class folders", "pictures beside the class folders", false),
    /// A sound beside class folders: it would have no class.
    LOOSE_SOUND("sound beside the class folders", "sounds beside the class folders", false),
    /// Any other file beside class folders.
    LOOSE_FILE("other file beside the class folders", "other files beside the class folders", true),
    /// A symbolic link whose target is not there.
    BROKEN_LINK("broken link", "broken links", false),
    /// A symbolic link to a folder that holds it: what is in there would come again and again.
    LOOP("link to a folder above", "links to folders above", false),
    /// A picture that nothing here decodes.
    OTHER_PICTURE(
        "picture of a type that is not read", "pictures of types that are not read", true),
    /// A file in a class folder that is no picture.
    NO_PICTURE("file that is no picture", "files that are no pictures", true),
    /// A sound in a folder that holds more pictures.
    SOUND_AMONG_PICTURES("sound in a folder of pictures", "sounds in a folder of pictures", true),
    /// A picture in a folder that holds more sounds.
    PICTURE_AMONG_SOUNDS("picture in a folder of sounds", "pictures in a folder of sounds", true),
    /// A sound that nothing here decodes.
    OTHER_SOUND("sound of a type that is not read", "sounds of types that are not read", true),
    /// A file in a class folder that is no sound.
    NO_SOUND("file that is no sound", "files that are no sounds", true),
    /// Neither file nor folder: a device, a pipe.
    SPECIAL("special file", "special files", false),
    /// What the list of a folder that was written does not hold.
    NOT_LISTED(
        "picture that dataset.json does not list",
        "pictures that dataset.json does not list",
        false),
    /// A name that begins with a dot: left out on purpose, and counted only beside others.
    HIDDEN("hidden", "hidden", false);

    private final String one;
    private final String many;
    private final boolean extensions;

    Kind(String one, String many, boolean extensions) {
      this.one = one;
      this.many = many;
      this.extensions = extensions;
    }
  }

  /// {@return how many of what, in one line; empty if nothing is left out that is not hidden}
  public static String summary(List<LeftOut> all) {
    Map<Kind, List<LeftOut>> kinds =
        all.stream()
            .collect(Collectors.groupingBy(LeftOut::kind, TreeMap::new, Collectors.toList()));
    if (kinds.keySet().stream().allMatch(k -> k == Kind.HIDDEN)) {
      return "";
    }
    return kinds.entrySet().stream()
        .map(e -> summary(e.getKey(), e.getValue()))
        .collect(Collectors.joining(", ", "left out: ", ""));
  }

  private static String summary(Kind kind, List<LeftOut> some) {
    var text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%,d ", some.size()));
    text.append(some.size() == 1 ? kind.one : kind.many);
    if (kind.extensions) {
      var extensions = new TreeSet<String>();
      some.forEach(file -> extensions.add(extension(file.path)));
      text.append(
          extensions.stream()
              .limit(NAMED)
              .collect(Collectors.joining(", ", " (", extensions.size() > NAMED ? ", …)" : ")")));
    } else if (some.size() == 1) {
      text.append(" (").append(ShardFiles.baseName(some.getFirst().path)).append(')');
    }
    return text.toString();
  }

  /// {@return what a file's name ends with, or the whole name where it has no extension}
  private static String extension(Path path) {
    String name = ShardFiles.baseName(path);
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(dot).toLowerCase(Locale.ROOT);
  }
}
