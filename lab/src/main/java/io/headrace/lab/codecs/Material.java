package io.headrace.lab.codecs;

import io.headrace.codec.ImageFormat;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.Subset;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioFormat;
import io.headrace.store.LocalFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/// Files to measure on, read whole, and what was left out. Their content says what they are.
final class Material {
  /// The most files of a folder that are looked at.
  private static final int MAX_LOOKS = 10_000;

  private static final int HEAD_BYTES = 16 << 10;

  /// The most bytes of all files together, and of what they decode to.
  static final long MAX_BYTES = 256L << 20;

  /// What a file is.
  enum Content {
    IMAGE,
    SOUND,
    OTHER
  }

  private final int limit;
  private final Arena arena;
  private final Map<Content, List<MemorySegment>> found = new EnumMap<>(Content.class);
  private final List<String> notes = new ArrayList<>();
  private long bytes;

  private Material(int limit, Arena arena) {
    this.limit = limit;
    this.arena = arena;
    for (Content content : Content.values()) {
      found.put(content, new ArrayList<>());
    }
  }

  /// Takes files, spread over a folder and the folders in it; hidden ones are passed over.
  ///
  /// @param path a folder, a file, or a dataset of images
  /// @param wanted what to look for; with [Content#OTHER] any file is taken
  /// @param limit the most files of a content
  /// @param arena owns their bytes
  /// @throws NoSuchFileException if there is nothing at `path`
  /// @throws ConfigException if there is no such file in the folder, or none at all
  static Material take(Path path, EnumSet<Content> wanted, int limit, Arena arena)
      throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    var material = new Material(limit, arena);
    List<Path> files = files(path);
    if (files.isEmpty()) {
      throw new ConfigException(path + " is an empty folder");
    }
    int looks = material.look(spread(files, limit), wanted);
    if (wanted.stream().allMatch(content -> material.of(content).isEmpty())) {
      material.open(path, looks, wanted.contains(Content.IMAGE));
    }
    return material;
  }

  /// {@return bytes of the files of a content, off heap}
  List<MemorySegment> of(Content content) {
    return found.getOrDefault(content, List.of());
  }

  /// {@return bytes of all files, off heap}
  List<MemorySegment> all() {
    return found.values().stream().flatMap(List::stream).toList();
  }

  /// {@return what was left out, and why}
  List<String> notes() {
    return notes;
  }

  private static List<Path> files(Path path) throws IOException {
    List<Path> files = new ArrayList<>();
    var visitor =
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return hidden(dir) && !dir.equals(path)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && (!hidden(file) || file.equals(path))) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(path)) {
              throw e;
            }
            return FileVisitResult.CONTINUE; // a folder that may not be read, a link to nowhere
          }
        };
    Files.walkFileTree(path, EnumSet.of(FileVisitOption.FOLLOW_LINKS), 64, visitor);
    Collections.sort(files);
    return files;
  }

  private static boolean hidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  /// {@return the same, but `limit` evenly spread ones come first}
  private static List<Path> spread(List<Path> files, int limit) {
    List<Path> first = new ArrayList<>();
    List<Path> rest = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < files.size(); i++) {
      boolean taken = i == next * files.size() / limit;
      (taken ? first : rest).add(files.get(i));
      next += taken ? 1 : 0;
    }
    first.addAll(rest);
    return first;
  }

  /// {@return how many files were looked at}
  private int look(List<Path> files, EnumSet<Content> wanted) throws IOException {
    int looks = 0;
    int left = 0;
    for (Path file : files) {
      if (looks == MAX_LOOKS || wanted.stream().anyMatch(c -> of(c).size() >= limit)) {
        break;
      }
      if (bytes >= MAX_BYTES) {
        notes.add("files of %d MiB are enough, no more were taken".formatted(MAX_BYTES >> 20));
        break;
      }
      looks++;
      left += read(file, wanted) ? 0 : 1;
    }
    if (left > 0) {
      notes.add("%d of %d files looked at are of another kind".formatted(left, looks));
    }
    return looks;
  }

  private boolean read(Path path, EnumSet<Content> wanted) throws IOException {
    try (LocalFile file = LocalFile.open(path);
        Arena scratch = Arena.ofConfined()) {
      MemorySegment head = scratch.allocate(Math.min(HEAD_BYTES, file.size()));
      file.read(0, head);
      Content content = content(head);
      boolean any = wanted.contains(Content.OTHER);
      if (file.size() == 0 || (!any && !wanted.contains(content))) {
        return false;
      }
      if (file.size() > MAX_BYTES - bytes && !any) {
        notes.add("%s was left out: %d bytes".formatted(path, file.size()));
        return true;
      }
      MemorySegment whole = arena.allocate(Math.min(file.size(), MAX_BYTES - bytes), 64);
      file.read(0, whole);
      add(any ? Content.OTHER : content, whole);
      return true;
    }
  }

  private void add(Content content, MemorySegment whole) {
    of(content).add(whole);
    bytes += whole.byteSize();
  }

  private static Content content(MemorySegment head) {
    if (ImageFormat.detect(head) != null) {
      return Content.IMAGE;
    }
    return AudioFormat.detect(head) != null ? Content.SOUND : Content.OTHER;
  }

  /// Takes samples of a dataset whose files are not images themselves, such as TFRecords.
  private void open(Path path, int looks, boolean images) throws IOException {
    String nothing =
        path
            + ": none of the %d files looked at is of the kind to measure".formatted(looks)
            + "; --kind streams takes any files";
    if (!images) {
      throw new ConfigException(nothing);
    }
    try (Dataset dataset = Datasets.open(path);
        Dataset.SampleCursor cursor = new Subset(dataset, limit).openCursor(0);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      boolean more = true;
      while (more && bytes < MAX_BYTES) {
        try {
          more = cursor.next(sample);
          if (more) {
            MemorySegment copy = arena.allocate(Math.max(1, sample.encoded().byteSize()), 64);
            add(content(sample.encoded()), copy.copyFrom(sample.encoded()));
          }
        } catch (CorruptDataException e) {
          notes.add("a sample was left out: " + e.getMessage());
          more = cursor.resumable();
        }
      }
    } catch (ConfigException e) {
      throw new ConfigException(nothing);
    }
    notes.removeIf(note -> note.contains("of another kind"));
    if (of(Content.IMAGE).isEmpty()) {
      throw new ConfigException(nothing);
    }
  }
}
