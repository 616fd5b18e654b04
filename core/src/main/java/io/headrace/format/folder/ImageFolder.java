package io.headrace.format.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.LeftOut;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.format.SetDigest;
import io.headrace.format.files.KeptFile;
import io.headrace.memory.Block;
import io.headrace.store.ByteFile;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A folder of images or sounds, `root/class/…/name.ext`: one file a sample.
///
/// Classes are the folders in the root, ordered by their names' UTF-8 bytes (as Python sorts);
/// folders inside belong to their class. Samples are ordered by key, which is the path below the
/// root with slashes. What is hidden (a leading dot) is left out; symbolic links are followed, but
/// not into a folder above them. A file is a sample if its extension promises an image or its
/// content is one; a promise not kept is a fault when the sample is read. Every other file is in
/// [#leftOut]. If more extensions promise sound than images, sounds are its samples in the same
/// way, and images are left out. If there are no folders in the root, its files are samples
/// without labels, unless a `metadata.csv` or `metadata.jsonl` lies beside them, which has labels
/// and fields of theirs.
public final class ImageFolder implements Dataset {
  private final Path root;
  private final Store store;
  private final Content content;
  private final List<String> classes;
  private final List<LeftOut> leftOut;
  private final List<Path> linkedFolders;
  private final List<String> warnings;

  private final Names keys;

  /// Paths below the root; the keys themselves unless a list says otherwise.
  private final Names paths;

  private final long[] labels;
  private volatile boolean closed;

  /// By sample what lies in files of its own; none if nothing does.
  private final List<List<FolderList.Field>> fields;

  /// The table beside the pictures, or null.
  private final @Nullable FolderTable table;

  /// Files in other folders that belong to pictures, or null.
  private final @Nullable FolderPairs pairs;

  private ImageFolder(
      Path root,
      FolderListing listing,
      @Nullable FolderTable table,
      @Nullable FolderPairs pairs,
      List<String> notes,
      Store store) {
    this.table = table;
    this.pairs = pairs;
    this.root = root;
    this.store = store;
    content = listing.content;
    fields = listing.fields;
    classes = List.copyOf(listing.classes);
    leftOut = List.copyOf(listing.leftOut);
    linkedFolders = List.copyOf(listing.linked);
    List<String> odd = new ArrayList<>(listing.warnings);
    odd.addAll(notes);
    String summary = LeftOut.summary(leftOut);
    if (!summary.isEmpty()) {
      odd.add(summary);
    }
    labels = listing.labels;
    keys = new Names(listing.keys);
    paths = Arrays.equals(listing.paths, listing.keys) ? keys : new Names(listing.paths);
    if (table != null) {
      odd.addAll(table.misfits(IntStream.range(0, labels.length).mapToObj(keys::get).toList()));
    }
    if (pairs != null) {
      odd.addAll(pairs.misfits(IntStream.range(0, labels.length).mapToObj(keys::get).toList()));
    }
    warnings = List.copyOf(odd);
  }

  /// Texts one after the other, and where each ends.
  private static final class Names {
    private final byte[] all;
    private final int[] ends;

    Names(byte[][] texts) {
      ends = new int[texts.length];
      long bytes = 0;
      for (int i = 0; i < ends.length; i++) {
        bytes += texts[i].length;
        if (bytes > Block.MAX_BYTES) {
          throw new ConfigException(
              "the names of the files take more than %d bytes".formatted(Block.MAX_BYTES));
        }
        ends[i] = (int) bytes;
      }
      all = new byte[(int) bytes];
      for (int i = 0; i < ends.length; i++) {
        System.arraycopy(texts[i], 0, all, start(i), texts[i].length);
      }
    }

    private int start(int i) {
      return i == 0 ? 0 : ends[i - 1];
    }

    String get(int i) {
      return new String(all, start(i), ends[i] - start(i), UTF_8);
    }

    MemorySegment bytes(int i) {
      return MemorySegment.ofArray(all).asSlice(start(i), ends[i] - start(i));
    }
  }

  /// Lists a folder. Looks into those files only whose extension promises no image.
  ///
  /// @throws ConfigException if there is no image in it
  /// @throws NoSuchFileException if it does not exist
  public static ImageFolder open(Path root) throws IOException {
    return open(root, OpenOptions.DEFAULT, Store.LOCAL);
  }

  /// As [#open(Path)], with images read through a store, and names of columns in case there is a
  /// table beside the pictures. Listing is not read through it: it looks at names.
  public static ImageFolder open(Path root, OpenOptions options, Store store) throws IOException {
    List<String> notes = new ArrayList<>();
    boolean folder = Files.isDirectory(root);
    FolderPairs pairs =
        options.pairs().isEmpty() || !folder ? null : FolderPairs.of(root, options.pairs());
    Path pictures = pairs == null ? root : root.resolve(pairs.pictures()).normalize();
    FolderTable table =
        !folder
            ? null
            : pairs == null || pairs.annotations().isEmpty()
                ? FolderTable.readIfPresent(pictures, options, notes)
                : FolderTable.ofCoco(pairs.annotations());
    return open(pictures, store, null, table, pairs, notes);
  }

  /// As [#open(Path)], of a folder that a conversion wrote.
  static ImageFolder open(Path root, Store store, Manifest manifest) throws IOException {
    return open(root, store, manifest, null, null, List.of());
  }

  private static ImageFolder open(
      Path root,
      Store store,
      @Nullable Manifest manifest,
      @Nullable FolderTable table,
      @Nullable FolderPairs pairs,
      List<String> notes)
      throws IOException {
    if (!Files.exists(root)) {
      throw new NoSuchFileException(root.toString(), null, "no such folder");
    }
    if (!Files.isDirectory(root)) {
      throw new ConfigException(root + " is a file, not a folder of images");
    }
    var folder =
        new ImageFolder(root, FolderListing.of(root, manifest, table), table, pairs, notes, store);
    if (folder.size() == 0) {
      throw new ConfigException(
          "no images in %s: %s"
              .formatted(
                  root,
                  folder.leftOut.isEmpty()
                      ? "no files in %d class folders".formatted(folder.classes.size())
                      : "%d files and folders left out, such as %s (%s)"
                          .formatted(
                              folder.leftOut.size(),
                              folder.leftOut.getFirst().path(),
                              folder.leftOut.getFirst().reason())));
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

  @Override
  public List<LeftOut> leftOut() {
    return leftOut;
  }

  @Override
  public List<Path> linkedFolders() {
    return linkedFolders;
  }

  /// {@return what is odd but does no harm, such as a class without images, and how many files
  /// were left out}
  @Override
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public boolean filePerSample() {
    return true;
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
    String path = paths.get((int) Objects.checkIndex(index, size()));
    String extension = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
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
    return digest().hex();
  }

  @Override
  public String labelDigest() {
    return digest().labelHex();
  }

  private SetDigest digest() {
    var digest = new SetDigest();
    for (int i = 0; i < labels.length; i++) {
      digest.add(SampleIds.of(keys.bytes(i)), labels[i]);
    }
    return digest;
  }

  private Path path(int sample) {
    return root.resolve(paths.get(sample));
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

  private Path describe(int sample, Sample into) {
    String key = keys.get(sample);
    Path path = keys == paths ? root.resolve(key) : path(sample);
    into.place(path.toString(), -1, -1);
    into.key(key);
    into.label(labels[sample]);
    return path;
  }

  private void read(int sample, Sample into) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    Path path = describe(sample, into);
    try (ByteFile file = store.open(path)) {
      MemorySegment memory = into.ensure(file.size()).asSlice(0, file.size());
      file.read(0, into.block(), 0, file.size());
      DecodeException fault = Candidates.fault(content, memory);
      if (fault != null) {
        throw fault;
      }
      into.encoded(0, file.size());
      into.storedBytes(file.size());
      long free = file.size();
      if (sample < fields.size()) {
        into.storedBytes(file.size() + fill(fields.get(sample), into, free));
      }
      if (table != null) {
        free = table.fill(into.key(), into, free);
      }
      if (pairs != null) {
        into.storedBytes(file.size() + pairs.fill(into.key(), into, free, store));
      }
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(e.fault(), e.reason(), into.location(), e);
    } catch (IOException e) {
      if (KeptFile.stopped(e)) {
        throw e;
      }
      throw new CorruptDataException(Fault.IO, "cannot be read: " + e, into.location(), e);
    }
  }

  /// Adds fields that lie in files of their own.
  ///
  /// @param free where the sample's memory is free
  /// @return bytes read
  private long fill(List<FolderList.Field> own, Sample into, long free)
      throws IOException, DecodeException {
    long at = free;
    long read = 0;
    for (FolderList.Field field : own) {
      byte[] name = field.name().getBytes(UTF_8);
      try (ByteFile file = store.open(root.resolve(field.file().path()))) {
        long start = at + name.length;
        MemorySegment memory = into.ensureKeeping(start + file.size());
        MemorySegment.copy(MemorySegment.ofArray(name), 0, memory, at, name.length);
        file.read(0, into.block(), start, file.size());
        into.addField(at, name.length, start, file.size(), field.feature());
        at = start + file.size();
        read += file.size();
      }
    }
    return read;
  }

  private final class Reader implements SampleReader {
    @Override
    public void describe(long index, Sample into) {
      Path _ = ImageFolder.this.describe(Math.toIntExact(Objects.checkIndex(index, size())), into);
    }

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
    closed = true; // holds no file open
  }
}
