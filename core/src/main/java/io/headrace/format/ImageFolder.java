package io.headrace.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.store.ByteFile;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A folder of images, `root/class/…/name.ext`: one file a sample.
///
/// Classes are the folders in the root, ordered by their names' UTF-8 bytes (as Python sorts);
/// folders inside belong to their class. Samples are ordered by key, which is the path below the
/// root with slashes. What is hidden (a leading dot) is left out; symbolic links are followed, but
/// not into a folder above them. A file is a sample if its extension promises an image or its
/// content is one; a promise not kept is a fault when the sample is read. Every other file is in
/// [#skipped]. If there are no folders in the root, its files are samples without labels, unless a
/// `metadata.csv` or `metadata.jsonl` lies beside them, which has labels and fields of theirs.
public final class ImageFolder implements Dataset {
  /// A file or folder that was left out.
  ///
  /// @param path where it is
  /// @param reason why
  public record Skipped(Path path, String reason) {}

  private final Path root;
  private final Store store;
  private final List<String> classes;
  private final List<Skipped> skipped;
  private final List<String> warnings;

  /// Keys of all samples one behind the other, and where each ends.
  private final byte[] keys;

  private final int[] keyEnds;
  private final int[] labels;

  /// The table beside the pictures, or null.
  private final @Nullable FolderTable table;

  private ImageFolder(
      Path root,
      FolderListing listing,
      @Nullable FolderTable table,
      List<String> notes,
      Store store) {
    this.table = table;
    this.root = root;
    this.store = store;
    classes = List.copyOf(listing.classes);
    skipped = List.copyOf(listing.skipped);
    List<String> all = new ArrayList<>(listing.warnings);
    all.addAll(notes);
    labels = listing.labels;
    keyEnds = new int[labels.length];
    int bytes = 0;
    for (int i = 0; i < keyEnds.length; i++) {
      bytes = Math.addExact(bytes, listing.keys[i].length);
      keyEnds[i] = bytes;
    }
    keys = new byte[bytes];
    for (int i = 0; i < keyEnds.length; i++) {
      System.arraycopy(listing.keys[i], 0, keys, keyStart(i), listing.keys[i].length);
    }
    if (table != null) {
      all.addAll(table.misfits(IntStream.range(0, labels.length).mapToObj(this::key).toList()));
    }
    warnings = List.copyOf(all);
  }

  /// Lists a folder. Looks into those files only whose extension promises no image.
  ///
  /// @throws ConfigException if there is no image in it
  /// @throws NoSuchFileException if it does not exist
  public static ImageFolder open(Path root) throws IOException {
    return open(root, Store.LOCAL);
  }

  /// As [#open(Path)], with images read through a store. Listing is not: it looks at names.
  public static ImageFolder open(Path root, Store store) throws IOException {
    return open(root, OpenOptions.DEFAULT, store);
  }

  /// As [#open(Path, Store)], with names of columns in case there is a table beside the pictures.
  public static ImageFolder open(Path root, OpenOptions options, Store store) throws IOException {
    if (!Files.exists(root)) {
      throw new NoSuchFileException(root.toString(), null, "no such folder");
    }
    if (!Files.isDirectory(root)) {
      throw new ConfigException(root + " is a file, not a folder of images");
    }
    List<String> notes = new ArrayList<>();
    FolderTable table = FolderTable.readIfPresent(root, options, notes);
    var folder = new ImageFolder(root, FolderListing.of(root, table), table, notes, store);
    if (folder.size() == 0) {
      throw new ConfigException(
          "no images in %s: %s"
              .formatted(
                  root,
                  folder.skipped.isEmpty()
                      ? "no files in %d class folders".formatted(folder.classes.size())
                      : "%d files and folders left out, such as %s (%s)"
                          .formatted(
                              folder.skipped.size(),
                              folder.skipped.getFirst().path(),
                              folder.skipped.getFirst().reason())));
    }
    return folder;
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public List<String> classes() {
    return classes;
  }

  /// {@return files and folders that are not samples, with reasons, by path}
  public List<Skipped> skipped() {
    return skipped;
  }

  /// {@return what is odd but does no harm, such as a class without images, and how many files
  /// were left out}
  @Override
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public long size() {
    return labels.length;
  }

  @Override
  public boolean indexed() {
    return true;
  }

  @Override
  public List<Path> shards() {
    return List.of(root);
  }

  /// {@return a number for the file's extension, which says how it is stored unless it lies}
  @Override
  public int kindOf(long index) {
    String key = key((int) Objects.checkIndex(index, size()));
    String extension = key.substring(key.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return extension.equals("jpeg") ? "jpg".hashCode() : extension.hashCode();
  }

  @Override
  public long storedBytes() throws IOException {
    List<Integer> chunks = new ArrayList<>();
    for (int i = 0; i < labels.length; i += 1000) {
      chunks.add(i);
    }
    var sum = new AtomicLong();
    Fanout.each(
        chunks,
        start -> {
          for (int i = start; i < Math.min(labels.length, start + 1000); i++) {
            sum.addAndGet(Files.size(path(i)));
          }
        });
    return sum.get();
  }

  @Override
  public String setDigest() {
    var digest = new SetDigest();
    MemorySegment all = MemorySegment.ofArray(keys);
    for (int i = 0; i < labels.length; i++) {
      digest.add(SampleIds.of(all.asSlice(keyStart(i), keyEnds[i] - keyStart(i))));
    }
    return digest.hex();
  }

  private int keyStart(int sample) {
    return sample == 0 ? 0 : keyEnds[sample - 1];
  }

  private String key(int sample) {
    int start = keyStart(sample);
    return new String(keys, start, keyEnds[sample] - start, UTF_8);
  }

  private Path path(int sample) {
    return root.resolve(key(sample));
  }

  @Override
  public SampleReader openReader() {
    return new Reader();
  }

  @Override
  public SampleCursor openCursor(int shard) {
    if (shard != 0) {
      throw new IndexOutOfBoundsException("shard %d of 1".formatted(shard));
    }
    return new Cursor();
  }

  private void read(int sample, Sample into) throws IOException {
    String key = key(sample);
    Path path = root.resolve(key);
    into.place(path.toString(), -1, -1);
    into.key(key);
    if (!classes.isEmpty() || (table != null && table.hasLabels())) {
      into.label(labels[sample]);
    }
    try (ByteFile file = store.open(path)) {
      MemorySegment memory = into.ensure(file.size()).asSlice(0, file.size());
      file.read(0, into.block(), 0, file.size());
      DecodeException fault = ImageContent.fault(memory);
      if (fault != null) {
        throw fault;
      }
      into.encoded(0, file.size());
      into.storedBytes(file.size());
      if (table != null) {
        table.fill(key, into, file.size());
      }
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(e.fault(), e.reason(), into.location(), e);
    } catch (IOException e) {
      throw new CorruptDataException(Fault.IO, "cannot be read: " + e, into.location(), e);
    }
  }

  private final class Reader implements SampleReader {
    @Override
    public void read(long index, Sample into) throws IOException {
      ImageFolder.this.read(Math.toIntExact(Objects.checkIndex(index, size())), into);
    }

    @Override
    public void close() {
      // files are opened and closed one by one
    }
  }

  private final class Cursor implements SampleCursor {
    private int next;
    private long bytes;

    @Override
    public boolean next(Sample into) throws IOException {
      if (next == labels.length) {
        return false;
      }
      ImageFolder.this.read(next++, into);
      bytes += into.storedBytes();
      return true;
    }

    @Override
    public long bytesRead() {
      return bytes;
    }

    @Override
    public boolean resumable() {
      return true;
    }

    @Override
    public void close() {
      // files are opened and closed one by one
    }
  }

  @Override
  public void close() {
    // holds no file open
  }
}
