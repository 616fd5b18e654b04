package io.headrace.format.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.FirstBytes;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.ClassNames;
import io.headrace.format.Content;
import io.headrace.format.LeftOut;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.store.Fanout;
import io.headrace.store.LocalFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Walks a folder of images or sounds: which classes, which files are samples, which are not and
/// why.
final class FolderListing {
  /// What the JDK puts where a name is not in the encoding of file names.
  private static final char UNREADABLE = '\ufffd';

  /// What a conversion writes beside the pictures.
  private static final List<String> OURS = List.of(Manifest.FILE, FolderList.FILE);

  private final Path root;
  private final Path realRoot;
  final List<String> classes = new ArrayList<>();

  /// What its samples are.
  Content content = Content.IMAGE;

  /// Keys of the samples in UTF-8, in stored order, and the class of each.
  byte[][] keys = new byte[0][];

  /// Their paths below the root, where these are not the keys.
  byte[][] paths = keys;

  long[] labels = new long[0];

  /// Fields of the samples that lie in files of their own; none where no list says so.
  List<List<FolderList.Field>> fields = List.of();

  final List<LeftOut> leftOut = Collections.synchronizedList(new ArrayList<>());
  final List<String> warnings = new ArrayList<>();

  /// Folders that links lead to, without links.
  final List<Path> linked = new ArrayList<>();

  private FolderListing(Path root) throws IOException {
    this.root = root;
    realRoot = root.toRealPath();
  }

  /// {@return what is in a folder, by the list in it if `manifest` says that there is one}
  ///
  /// @param table beside the pictures, or null
  static FolderListing of(Path root, @Nullable Manifest manifest, @Nullable FolderTable table)
      throws IOException {
    FolderListing listing = of(root, table);
    if (manifest == null) {
      listing.warnIfNumbered();
    } else {
      listing.apply(manifest, FolderList.read(root, manifest));
    }
    return listing;
  }

  /// Takes order, keys, labels and classes from a list. A picture that came later has the label of
  /// the class whose folder it is in.
  private void apply(Manifest manifest, List<FolderList.Line> lines) {
    Map<String, byte[]> found = new LinkedHashMap<>();
    for (byte[] path : keys) {
      found.put(new String(path, UTF_8), path);
    }
    List<byte[]> listedPaths = new ArrayList<>();
    List<byte[]> listedKeys = new ArrayList<>();
    List<Long> listedLabels = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Set<Path> loose = new HashSet<>();
    List<List<FolderList.Field>> listedFields = new ArrayList<>();
    for (FolderList.Line line : lines) {
      for (FolderList.Field field : line.fields()) {
        found.remove(field.file().path());
        loose.add(root.resolve(field.file().path()));
      }
      byte[] path = found.remove(line.path());
      if (path == null && Files.isRegularFile(root.resolve(line.path()))) {
        loose.add(root.resolve(line.path())); // without a label, beside folders of others
        path = line.path().getBytes(UTF_8);
      }
      if (path == null) {
        missing.add(line.path());
      } else {
        listedPaths.add(path);
        listedKeys.add(line.key().equals(line.path()) ? path : line.key().getBytes(UTF_8));
        listedLabels.add(line.label());
        listedFields.add(line.fields());
      }
    }
    boolean any = listedFields.stream().anyMatch(own -> !own.isEmpty());
    fields = any ? listedFields : List.of();
    if (!missing.isEmpty()) {
      warnings.add(
          "%s lists %d that %s not there, such as %s"
              .formatted(
                  FolderList.FILE,
                  missing.size(),
                  missing.size() == 1 ? "is" : "are",
                  missing.getFirst()));
    }
    classes.clear();
    classes.addAll(manifest.classes());
    found.forEach(
        (name, path) -> {
          int label = classes.indexOf(name.substring(0, Math.max(0, name.indexOf('/'))));
          if (label < 0) {
            leaveOut(root.resolve(name), LeftOut.Kind.NOT_LISTED, "not in " + FolderList.FILE);
          } else {
            listedPaths.add(path);
            listedKeys.add(path);
            listedLabels.add((long) label);
          }
        });
    paths = listedPaths.toArray(byte[][]::new);
    keys = listedKeys.toArray(byte[][]::new);
    labels = listedLabels.stream().mapToLong(Long::longValue).toArray();
    OURS.forEach(name -> loose.add(root.resolve(name)));
    leftOut.removeIf(file -> loose.contains(file.path()));
  }

  private static FolderListing of(Path root, @Nullable FolderTable table) throws IOException {
    var listing = new FolderListing(root);
    List<Path> loose = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        String name = name(entry);
        if (table != null && entry.equals(table.file())) {
          continue;
        }
        if (name.startsWith(".")) {
          listing.leaveOut(entry, LeftOut.Kind.HIDDEN, "hidden");
        } else if (!Files.exists(entry)) {
          listing.leaveOutBroken(entry);
        } else if (Files.isDirectory(entry)) {
          if (!Files.isSymbolicLink(entry) || listing.follows(entry, root)) {
            listing.classes.add(name);
          }
        } else if (!Files.isRegularFile(entry)) {
          listing.leaveOut(entry, LeftOut.Kind.SPECIAL, "not a regular file");
        } else {
          loose.add(entry);
        }
      }
    }
    listing.classes.sort(ClassNames.ORDER);
    Map<String, List<Path>> inside = new LinkedHashMap<>();
    for (String name : listing.classes) {
      inside.put(name, listing.filesIn(root.resolve(name)));
    }
    listing.content =
        Candidates.ofMost(
            Stream.concat(loose.stream(), inside.values().stream().flatMap(List::stream))
                .map(FolderListing::name));
    if (table != null && table.hasLabels()) {
      inside.values().forEach(loose::addAll);
      listing.listByTable(loose, table);
      return listing;
    }
    List<byte[]> all = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    if (listing.classes.isEmpty()) {
      all.addAll(listing.samples(loose));
    }
    for (Path file : listing.classes.isEmpty() ? List.<Path>of() : loose) {
      listing.leaveOut(file, listing.looseKind(name(file)), "not in a class folder");
    }
    for (String name : listing.classes) {
      int before = all.size();
      all.addAll(listing.samples(inside.getOrDefault(name, List.of())));
      ends.add(all.size());
      if (all.size() == before) {
        listing.warnings.add("class %s has no %ss".formatted(name, listing.content.word()));
      }
    }
    listing.keys = all.toArray(byte[][]::new);
    listing.paths = listing.keys;
    listing.labels = new long[all.size()];
    int label = 0;
    for (int i = 0; i < all.size(); i++) {
      while (label < ends.size() && ends.get(label) <= i) {
        label++;
      }
      listing.labels[i] = ends.isEmpty() ? Sample.NO_LABEL : label;
    }
    listing.leftOut.sort((a, b) -> a.path().compareTo(b.path()));
    return listing;
  }

  private LeftOut.Kind looseKind(String name) {
    if (!content.promised(name) && !Candidates.isOther(content, name)) {
      return LeftOut.Kind.LOOSE_FILE;
    }
    return content == Content.SOUND ? LeftOut.Kind.LOOSE_SOUND : LeftOut.Kind.LOOSE_PICTURE;
  }

  /// Takes labels from a table, wherever the files lie.
  private void listByTable(List<Path> loose, FolderTable table) throws IOException {
    keys = samples(loose).toArray(byte[][]::new);
    paths = keys;
    labels = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      labels[i] = table.label(new String(keys[i], UTF_8));
    }
    classes.clear();
    classes.addAll(table.classes());
    leftOut.sort((a, b) -> a.path().compareTo(b.path()));
  }

  /// Decides about a link to a folder. One that leads to a folder which holds it, or its class, or
  /// the root, is left out: all that is in there would come again, with another label.
  ///
  /// @param top the class folder that is being walked, or the root
  private boolean follows(Path link, Path top) throws IOException {
    Path to = link.toRealPath();
    Path parent = link.getParent();
    if (realRoot.startsWith(to)
        || top.toRealPath().startsWith(to)
        || (parent != null && parent.toRealPath().startsWith(to))) {
      leaveOut(link, LeftOut.Kind.LOOP, "symbolic link to a folder that holds it");
      return false;
    }
    linked.add(to);
    if (to.startsWith(realRoot)) {
      warnings.add(
          "link %s leads to %s in the same dataset: what is in there comes twice"
              .formatted(root.relativize(link), realRoot.relativize(to)));
    }
    return true;
  }

  /// Class folders named 0, 1, 10, 2 get the labels 0, 1, 2, 3, which surprises.
  private void warnIfNumbered() {
    for (int i = 0; i < classes.size(); i++) {
      if (!classes.get(i).matches("\\d{1,9}")) {
        return;
      }
    }
    for (int i = 0; i < classes.size(); i++) {
      if (Integer.parseInt(classes.get(i)) != i) {
        warnings.add(
            "class folders have numbers for names, but folder %s gets label %d: names are ordered as text"
                .formatted(classes.get(i), i));
        return;
      }
    }
  }

  private List<Path> filesIn(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        folder,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            if (dir.equals(folder)) {
              return FileVisitResult.CONTINUE;
            }
            if (name(dir).startsWith(".")) {
              leaveOut(dir, LeftOut.Kind.HIDDEN, "hidden");
              return FileVisitResult.SKIP_SUBTREE;
            }
            return Files.isSymbolicLink(dir) && !follows(dir, folder)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (name(file).startsWith(".")) {
              leaveOut(file, LeftOut.Kind.HIDDEN, "hidden");
            } else if (attributes.isSymbolicLink()) {
              leaveOutBroken(file);
            } else if (!attributes.isRegularFile()) {
              leaveOut(file, LeftOut.Kind.SPECIAL, "not a regular file");
            } else {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof FileSystemLoopException) {
              leaveOut(file, LeftOut.Kind.LOOP, "symbolic link to a folder that holds it");
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return files;
  }

  /// {@return keys of the files that are samples, sorted}
  private List<byte[]> samples(List<Path> files) throws IOException {
    List<byte[]> samples = new ArrayList<>();
    List<Path> doubtful = new ArrayList<>();
    for (Path file : files) {
      if (content.promised(name(file))) {
        samples.add(key(file));
      } else if (name(file).endsWith(FolderContainer.FIELD)) {
        leaveOut(
            file,
            content == Content.SOUND ? LeftOut.Kind.NO_SOUND : LeftOut.Kind.NO_PICTURE,
            "a field of a sample");
      } else {
        doubtful.add(file);
      }
    }
    List<byte[]> more = Collections.synchronizedList(new ArrayList<>());
    Fanout.each(
        doubtful,
        file -> {
          DecodeException fault = look(file);
          if (fault == null) {
            more.add(key(file));
          } else {
            leaveOut(file, kind(fault, name(file)), String.valueOf(fault.getMessage()));
          }
        });
    samples.addAll(more);
    samples.sort(Arrays::compareUnsigned);
    return samples;
  }

  private LeftOut.Kind kind(DecodeException fault, String name) {
    boolean other = fault.fault() == Fault.UNSUPPORTED || Candidates.isOther(content, name);
    if (content == Content.IMAGE) {
      return Content.SOUND.promised(name)
          ? LeftOut.Kind.SOUND_AMONG_PICTURES
          : other ? LeftOut.Kind.OTHER_PICTURE : LeftOut.Kind.NO_PICTURE;
    }
    return Content.IMAGE.promised(name)
        ? LeftOut.Kind.PICTURE_AMONG_SOUNDS
        : other ? LeftOut.Kind.OTHER_SOUND : LeftOut.Kind.NO_SOUND;
  }

  private @Nullable DecodeException look(Path path) throws IOException {
    try (LocalFile file = LocalFile.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(FirstBytes.ENOUGH, file.size()));
      file.read(0, first);
      return Candidates.fault(content, first);
    }
  }

  private byte[] key(Path file) {
    String key = root.relativize(file).toString();
    if (key.indexOf(UNREADABLE) >= 0) {
      throw new ConfigException(
          "file name '%s' is not text in this locale (%s): run with LC_ALL=C.UTF-8"
              .formatted(key, System.getProperty("sun.jnu.encoding")));
    }
    return key.getBytes(UTF_8);
  }

  private void leaveOutBroken(Path link) {
    leaveOut(link, LeftOut.Kind.BROKEN_LINK, "symbolic link to nothing");
  }

  private void leaveOut(Path path, LeftOut.Kind kind, String reason) {
    leftOut.add(new LeftOut(path, kind, reason));
  }

  private static String name(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
