package io.headrace.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Walks an image folder: which classes, which files are samples, which are not and why.
final class FolderListing {
  /// What the JDK puts where a name is not in the encoding of file names.
  private static final char UNREADABLE = '\ufffd';

  private static final String LOOP = "symbolic link to a folder that holds it";

  private final Path root;
  final List<String> classes = new ArrayList<>();

  /// Keys of the samples in UTF-8, in stored order, and the class of each.
  byte[][] keys = new byte[0][];

  int[] labels = new int[0];

  final List<ImageFolder.Skipped> skipped = Collections.synchronizedList(new ArrayList<>());
  final List<String> warnings = new ArrayList<>();

  private FolderListing(Path root) {
    this.root = root;
  }

  /// @param table beside the pictures, or null
  static FolderListing of(Path root, @Nullable FolderTable table) throws IOException {
    var listing = new FolderListing(root);
    List<Path> loose = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        String name = name(entry);
        if (table != null && entry.equals(table.file())) {
          continue;
        }
        if (name.startsWith(".")) {
          listing.skip(entry, "hidden");
        } else if (Files.isSymbolicLink(entry) && listing.leadsBack(entry)) {
          listing.skip(entry, LOOP);
        } else if (Files.isDirectory(entry)) {
          listing.classes.add(name);
        } else {
          loose.add(entry);
        }
      }
    }
    listing.classes.sort((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
    if (table != null && table.hasLabels()) {
      listing.listByTable(loose, table);
      return listing;
    }
    List<byte[]> all = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    if (listing.classes.isEmpty()) {
      all.addAll(listing.samples(loose));
    }
    for (Path file : listing.classes.isEmpty() ? List.<Path>of() : loose) {
      listing.skip(file, "not in a class folder");
    }
    for (String name : listing.classes) {
      int before = all.size();
      all.addAll(listing.samples(listing.filesIn(root.resolve(name))));
      ends.add(all.size());
      if (all.size() == before) {
        listing.warnings.add("class %s has no images".formatted(name));
      }
    }
    listing.keys = all.toArray(byte[][]::new);
    listing.labels = new int[all.size()];
    int label = 0;
    for (int i = 0; i < all.size(); i++) {
      while (label < ends.size() && ends.get(label) <= i) {
        label++;
      }
      listing.labels[i] = label;
    }
    listing.skipped.sort((a, b) -> a.path().compareTo(b.path()));
    listing.warnIfNumbered();
    return listing;
  }

  /// Takes labels from a table, wherever the pictures lie.
  private void listByTable(List<Path> loose, FolderTable table) throws IOException {
    List<Path> files = new ArrayList<>(loose);
    for (String name : classes) {
      files.addAll(filesIn(root.resolve(name)));
    }
    keys = samples(files).toArray(byte[][]::new);
    labels = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      labels[i] = table.label(new String(keys[i], UTF_8));
    }
    classes.clear();
    classes.addAll(table.classes());
    skipped.sort((a, b) -> a.path().compareTo(b.path()));
  }

  /// {@return whether a link in the root leads to the root or above it}
  private boolean leadsBack(Path link) throws IOException {
    return Files.exists(link) && root.toRealPath().startsWith(link.toRealPath());
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
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            if (name(dir).startsWith(".")) {
              skip(dir, "hidden");
              return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (name(file).startsWith(".")) {
              skip(file, "hidden");
            } else if (attributes.isSymbolicLink()) {
              skip(file, "symbolic link to nothing");
            } else if (!attributes.isRegularFile()) {
              skip(file, "not a regular file");
            } else {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof FileSystemLoopException) {
              skip(file, LOOP);
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
      if (ImageContent.promised(name(file))) {
        samples.add(key(file));
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
            skip(file, String.valueOf(fault.getMessage()));
          }
        });
    samples.addAll(more);
    samples.sort(Arrays::compareUnsigned);
    return samples;
  }

  private static @Nullable DecodeException look(Path path) throws IOException {
    try (LocalFile file = LocalFile.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(ImageContent.FIRST_BYTES, file.size()));
      file.read(0, first);
      return ImageContent.fault(first);
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

  private void skip(Path path, String reason) {
    skipped.add(new ImageFolder.Skipped(path, reason));
  }

  private static String name(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
