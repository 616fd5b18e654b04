package io.headrace.format;

import io.headrace.codec.ImageFormat;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/// A folder with a file for each image, to be written: `class/name.ext`, as [ImageFolder] reads it.
///
/// The path of a file is the sample's key. A key outside the folder of its class is put into that;
/// one whose extension does not fit the content gets the right one. Other fields of a sample are
/// not kept. While a part of the folder is being made, its files lie in a tree beside the list of
/// them, which is the shard's file: a line `CRC-32C bytes path` for each.
public final class FolderContainer implements Container {
  /// The name on the command line.
  public static final String NAME = "folder";

  private static final String TREE = ".tree";

  /// A container.
  public FolderContainer() {}

  @Override
  public String name() {
    return NAME;
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
  public boolean holdsFields() {
    return false;
  }

  @Override
  public boolean hasManifest() {
    return false;
  }

  @Override
  public boolean intact(Path staged, Path scratch, Path published) throws IOException {
    Path target = parent(published);
    for (String line : Files.readAllLines(staged)) {
      Listed file = Listed.parse(line);
      Path there = tree(scratch).resolve(file.path);
      if (!Files.exists(there)) {
        there = target.resolve(file.path);
      }
      if (!Files.exists(there)
          || Files.size(there) != file.bytes
          || FileChecksum.crc32c(there) != file.crc) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void publish(Path staged, Path scratch, Path published) throws IOException {
    Path target = parent(published);
    for (String line : Files.readAllLines(staged)) {
      Listed file = Listed.parse(line);
      Path from = tree(scratch).resolve(file.path);
      Path to = target.resolve(file.path);
      if (Files.exists(from)) {
        Files.createDirectories(parent(to));
        if (Files.exists(to)) {
          throw new FileAlreadyExistsException(to.toString(), null, "two samples have that name");
        }
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /// A line of the list.
  private record Listed(long crc, long bytes, String path) {
    static Listed parse(String line) throws CorruptDataException {
      String[] words = line.split(" ", 3);
      try {
        return new Listed(Long.parseLong(words[0], 16), Long.parseLong(words[1]), words[2]);
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new CorruptDataException(
            Fault.CORRUPT, "not a line of a list of files: " + line, Location.of(""), e);
      }
    }

    String line() {
      return "%08x %d %s\n".formatted(crc, bytes, path);
    }
  }

  /// {@return the path of a sample's file, relative to the folder}
  ///
  /// @throws DecodeException if the key cannot be one
  static String pathOf(SampleMeta meta) throws DecodeException {
    String key = meta.key();
    for (String part : key.split("/", -1)) {
      if (part.isEmpty() || part.startsWith(".") || part.indexOf('\0') >= 0) {
        throw new DecodeException(
            Fault.UNSUPPORTED, "key '%s' cannot be the path of a file in a folder".formatted(key));
      }
    }
    if (key.indexOf('\n') >= 0) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "a key with a line break cannot be the path of a file in a folder");
    }
    String path = withExtension(key, meta.format());
    String folder = meta.className().replace('/', '_');
    return folder.isEmpty() || path.startsWith(folder + "/") ? path : folder + "/" + path;
  }

  /// {@return the key, with an extension that fits the format}
  private static String withExtension(String key, String label) {
    for (ImageFormat format : ImageFormat.values()) {
      if (format.label().equals(label)) {
        int slash = key.lastIndexOf('/');
        int dot = key.lastIndexOf('.');
        String extension = dot > slash ? key.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
        if (fits(format, extension)) {
          return key;
        }
        String stem = dot > slash && knownImage(extension) ? key.substring(0, dot) : key;
        return stem + '.' + format.extension();
      }
    }
    return key;
  }

  private static boolean knownImage(String extension) {
    for (ImageFormat format : ImageFormat.values()) {
      if (fits(format, extension)) {
        return true;
      }
    }
    return false;
  }

  private static boolean fits(ImageFormat format, String extension) {
    return extension.equals(format.extension())
        || switch (format) {
          case JPEG -> List.of("jpeg", "jpe", "jfif").contains(extension);
          case PNM -> List.of("pgm", "pnm", "pam").contains(extension);
          case BMP -> extension.equals("dib");
          case PNG, RAW, WEBP, AVIF, QOI, LOSSLESS -> false;
        };
  }

  /// The image's bytes.
  private static final class Packer implements SamplePacker {
    @Override
    public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
        throws DecodeException {
      String _ = pathOf(meta); // refuses here, where a bad sample can still be left out
      if (meta.parts().levels()) {
        throw new DecodeException(Fault.UNSUPPORTED, "a folder holds one image of a sample");
      }
      MemorySegment.copy(encoded, 0, into.ensure(encoded.byteSize()), 0, encoded.byteSize());
      return encoded.byteSize();
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  /// Writes files and lists them.
  private record Writer(WritableByteChannel listing, Path tree) implements ShardWriter {
    @Override
    public void write(SampleMeta meta, MemorySegment packed) throws IOException {
      String path;
      try {
        path = pathOf(meta);
      } catch (DecodeException e) {
        throw new IllegalArgumentException("not packed by this container", e);
      }
      Path file = tree.resolve(path);
      Files.createDirectories(parent(file));
      var crc = new CRC32C();
      crc.update(packed.asByteBuffer());
      try (FileChannel out =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = packed.asByteBuffer();
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
                    packed.byteSize(),
                    Files.getFileStore(parent(file)).getUsableSpace()),
            e);
      }
      byte[] line =
          new Listed(crc.getValue(), packed.byteSize(), path)
              .line()
              .getBytes(StandardCharsets.UTF_8);
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        listing.write(bytes);
      }
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
