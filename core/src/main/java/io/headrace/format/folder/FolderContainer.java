package io.headrace.format.folder;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Content;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.memory.Block;
import io.headrace.store.FileChecksum;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/// A folder with a file for each image or sound, to be written: `class/name.ext`, as [ImageFolder]
/// reads it.
///
/// The path of a file is the sample's key, as far as that can be one. A key outside the folder of
/// its class is put into that, one with a label but no class name into a folder of five digits; one
/// whose extension does not fit the content gets the right one. The manifest and [FolderList] say
/// what keys, labels and classes were. Other fields of a sample are files beside it,
/// `name.ext.FIELD`, with [#FIELD] at the end if they could look like pictures. While a part of
/// the folder is being made, its files lie in a tree beside their list, which is the shard's file.
public final class FolderContainer implements Container {
  /// The end of a name that says that a picture is no sample but a field of one.
  static final String FIELD = ".field";

  private static final String TREE = ".tree";

  /// File systems take names of 255 bytes.
  private static final int MAX_NAME_BYTES = 240;

  /// A container.
  public FolderContainer() {}

  @Override
  public String name() {
    return Datasets.FOLDER;
  }

  @Override
  public String extension() {
    return ".files";
  }

  @Override
  public SamplePacker newPacker() {
    return new Packer();
  }

  @Override
  public ShardWriter newShard(ShardTarget target) throws IOException {
    Path tree = tree(target.scratch());
    clear(tree); // what a killed run left
    return new Writer(target.bytes(), tree);
  }

  private static void clear(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (var files = Files.walk(tree)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static Path tree(Path listing) {
    return listing.resolveSibling(listing.getFileName() + TREE);
  }

  @Override
  public List<Manifest.Shard> listed(Path folder, List<Manifest.Shard> shards, List<Path> staged)
      throws IOException {
    long samples = shards.stream().mapToLong(Manifest.Shard::samples).sum();
    return List.of(FolderList.join(staged, folder, samples));
  }

  @Override
  public boolean intact(Path staged, Path scratch, Path published) throws IOException {
    Path target = parent(published);
    for (FolderList.Stored file : files(FolderList.read(staged))) {
      Path there = tree(scratch).resolve(file.path());
      if (!Files.exists(there)) {
        there = target.resolve(file.path());
      }
      if (!Files.exists(there)
          || Files.size(there) != file.bytes()
          || FileChecksum.crc32c(there) != file.crc()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void publish(Path staged, Path scratch, Path published) throws IOException {
    Path target = parent(published);
    for (FolderList.Stored file : files(FolderList.read(staged))) {
      Path from = tree(scratch).resolve(file.path());
      Path to = target.resolve(file.path());
      if (Files.exists(from)) {
        Files.createDirectories(parent(to));
        if (Files.exists(to)) {
          throw new FileAlreadyExistsException(to.toString(), null, "two samples have that name");
        }
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  /// {@return what is wrong with the files of a folder that was written, each with its path}
  public static List<String> faults(Path folder, Manifest manifest) throws IOException {
    List<String> faults = new ArrayList<>();
    for (FolderList.Stored line : files(FolderList.read(folder, manifest))) {
      Path file = folder.resolve(line.path());
      if (!Files.exists(file)) {
        faults.add(file + ": in the list of files, but not there");
      } else if (Files.size(file) != line.bytes()) {
        faults.add(
            "%s: %d bytes, the list says %d".formatted(file, Files.size(file), line.bytes()));
      } else if (FileChecksum.crc32c(file) != line.crc()) {
        faults.add(
            "%s: CRC-32C is %08x, the list says %08x"
                .formatted(file, FileChecksum.crc32c(file), line.crc()));
      }
    }
    return faults;
  }

  private static List<FolderList.Stored> files(List<FolderList.Line> lines) {
    return lines.stream().flatMap(line -> line.files().stream()).toList();
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /// {@return the path of a sample's file, relative to the folder}
  ///
  /// @param format its label
  public static String pathOf(String key, long label, String className, String format) {
    return withExtension(inClass(key, label, className), format);
  }

  /// {@return the path without the extension of an image: all that a sample's format has no say in}
  public static String stemOf(String key, long label, String className) {
    return stem(inClass(key, label, className));
  }

  /// {@return the end of a path cut off, if it is the extension of an image that is written}
  public static String stem(String path) {
    int slash = path.lastIndexOf('/');
    int dot = path.lastIndexOf('.');
    return dot > slash + 1 && knownImage(extension(path)) ? path.substring(0, dot) : path;
  }

  private static String inClass(String key, long label, String className) {
    String path =
        Arrays.stream(key.split("/", -1))
            .filter(part -> !part.isEmpty())
            .map(FolderContainer::nameOf)
            .collect(Collectors.joining("/"));
    String folder =
        !className.isEmpty()
            ? nameOf(className.replace('/', '_'))
            : label < 0 ? "" : "%05d".formatted(label); // ordered as text as the numbers are
    if (path.isEmpty()) {
      path = "_";
    }
    return folder.isEmpty() || path.startsWith(folder + "/") ? path : folder + "/" + path;
  }

  /// {@return a text as the name of a file that is neither hidden nor too long}
  private static String nameOf(String text) {
    var name = new StringBuilder();
    if (text.startsWith(".")) {
      name.append('_');
    }
    text.codePoints()
        .forEach(
            c -> {
              boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
              name.appendCodePoint(Character.isISOControl(c) || half ? '_' : c);
            });
    if (name.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES) {
      return name.toString();
    }
    String whole = name.toString();
    String end = "-%016x".formatted(SampleIds.of(text));
    String extension = extension(whole);
    if (knownImage(extension)) {
      end += '.' + extension;
    }
    int kept = whole.length();
    while (whole.substring(0, kept).getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES - 40
        || Character.isHighSurrogate(whole.charAt(kept - 1))) {
      kept--;
    }
    return whole.substring(0, kept) + end;
  }

  /// {@return the path, with an extension that fits the format}
  private static String withExtension(String path, String label) {
    List<String> extensions = Content.extensionsOf(label);
    return extensions.isEmpty() || extensions.contains(extension(path))
        ? path
        : stem(path) + '.' + extensions.getFirst();
  }

  private static String extension(String path) {
    int slash = path.lastIndexOf('/');
    int dot = path.lastIndexOf('.');
    return dot > slash ? path.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
  }

  private static boolean knownImage(String extension) {
    for (ImageFormat format : ImageFormat.values()) {
      if (format.extensions().contains(extension)) {
        return true;
      }
    }
    return Content.SOUND.extensions().contains(extension);
  }

  /// The image's or the sound's bytes, and the fields.
  ///
  ///     int64 bytes of the image, int64 number of fields, the image
  ///     each field: int64 bytes of its name, int64 whether it is a feature, int64 bytes, name,
  ///     bytes
  private static final class Packer implements SamplePacker {
    private static final long HEAD = 2 * Long.BYTES;
    private static final long FIELD_HEAD = 3 * Long.BYTES;

    @Override
    public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
        throws DecodeException {
      if (meta.parts().levels()) {
        throw new DecodeException(Fault.UNSUPPORTED, "a folder holds one image of a sample");
      }
      long total = HEAD + encoded.byteSize();
      for (int field = 0; field < source.fields(); field++) {
        total += FIELD_HEAD + source.fieldNameBytes(field).byteSize();
        total += source.field(field).byteSize();
      }
      MemorySegment to = into.ensure(total);
      to.set(JAVA_LONG_UNALIGNED, 0, encoded.byteSize());
      to.set(JAVA_LONG_UNALIGNED, Long.BYTES, source.fields());
      long at = put(encoded, to, HEAD);
      for (int field = 0; field < source.fields(); field++) {
        MemorySegment name = source.fieldNameBytes(field);
        MemorySegment value = source.field(field);
        to.set(JAVA_LONG_UNALIGNED, at, name.byteSize());
        to.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, source.isFeature(field) ? 1 : 0);
        to.set(JAVA_LONG_UNALIGNED, at + 2 * Long.BYTES, value.byteSize());
        at = put(value, to, put(name, to, at + FIELD_HEAD));
      }
      return at;
    }

    private static long put(MemorySegment bytes, MemorySegment to, long at) {
      MemorySegment.copy(bytes, 0, to, at, bytes.byteSize());
      return at + bytes.byteSize();
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  /// {@return the path of a field's file}
  ///
  /// @param path of the sample's
  /// @param value of the field
  private static String fieldPath(String path, String name, MemorySegment value) {
    int base = path.lastIndexOf('/') + 1;
    String beside = nameOf(path.substring(base) + '.' + name.replace('/', '_'));
    boolean picture = Content.of(value) != null || knownImage(extension(beside));
    return path.substring(0, base) + beside + (picture ? FIELD : "");
  }

  /// Writes files and lists them.
  private record Writer(WritableByteChannel listing, Path tree) implements ShardWriter {
    @Override
    public void write(SampleMeta meta, MemorySegment packed) throws IOException {
      String path = pathOf(meta.key(), meta.label(), meta.className(), meta.format());
      long at = Packer.HEAD;
      long length = packed.get(JAVA_LONG_UNALIGNED, 0);
      FolderList.Stored picture = store(path, packed.asSlice(at, length));
      at += length;
      List<FolderList.Field> fields = new ArrayList<>();
      Set<String> taken = new HashSet<>();
      for (long left = packed.get(JAVA_LONG_UNALIGNED, Long.BYTES); left > 0; left--) {
        long nameBytes = packed.get(JAVA_LONG_UNALIGNED, at);
        boolean feature = packed.get(JAVA_LONG_UNALIGNED, at + Long.BYTES) != 0;
        long bytes = packed.get(JAVA_LONG_UNALIGNED, at + 2 * Long.BYTES);
        at += Packer.FIELD_HEAD;
        String name = SampleIds.utf8(packed.asSlice(at, nameBytes));
        MemorySegment value = packed.asSlice(at + nameBytes, bytes);
        at += nameBytes + bytes;
        String free = fieldPath(path, name, value);
        for (int n = 2; !taken.add(free); n++) {
          free = fieldPath(path, name + "-" + n, value);
        }
        fields.add(new FolderList.Field(name, feature, store(free, value)));
      }
      byte[] line =
          new FolderList.Line(meta.key(), meta.label(), picture, fields)
              .json()
              .getBytes(StandardCharsets.UTF_8);
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        listing.write(bytes);
      }
    }

    private FolderList.Stored store(String path, MemorySegment content) throws IOException {
      Path file = tree.resolve(path);
      Files.createDirectories(parent(file));
      var crc = new CRC32C();
      crc.update(content.asByteBuffer());
      try (FileChannel out =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = content.asByteBuffer();
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      } catch (FileAlreadyExistsException e) {
        throw new FileAlreadyExistsException(path, null, "two samples would be in that file");
      } catch (IOException e) {
        throw new IOException(
            "cannot write %s: %s; %d bytes are needed, %d are free"
                .formatted(
                    file,
                    e.getMessage(),
                    content.byteSize(),
                    Files.getFileStore(parent(file)).getUsableSpace()),
            e);
      }
      return new FolderList.Stored(path, content.byteSize(), crc.getValue());
    }

    @Override
    public void finish() {
      // each file stands as it was written
    }

    @Override
    public void close() {
      // holds nothing open
    }
  }
}
