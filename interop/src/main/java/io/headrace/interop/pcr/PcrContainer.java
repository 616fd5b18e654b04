package io.headrace.interop.pcr;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Container;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Packs JPEGs as Progressive Compressed Records: a shard is one record file.
///
/// Each scan of a progressive JPEG is a part, up to [PcrPacker#MAX_PARTS]; a sequential one is one
/// part. The images' own bytes are never changed: what stands after the last scan, keys and fields
/// go into protobuf fields that other readers ignore.
public final class PcrContainer implements Container {
  static final String NAME = "pcr";
  static final String EXTENSION = ".pcr";

  /// For the service loader.
  public PcrContainer() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String extension() {
    return EXTENSION;
  }

  @Override
  public SamplePacker newPacker() {
    return new PcrPacker();
  }

  @Override
  public ShardWriter newShard(ShardTarget target) {
    return new PcrShardWriter(target.bytes(), target.scratch());
  }

  /// Writes both indexes, from what the records say about themselves. Empty records are left out:
  /// other readers cannot read them.
  @Override
  public void complete(Path folder, List<String> shards) throws IOException {
    List<PcrIndex.Entry> entries = new ArrayList<>();
    long images = 0;
    long most = 0;
    var labels = new TreeSet<Long>();
    for (String shard : shards) {
      Path path = folder.resolve(shard);
      try (ByteFile file = Store.LOCAL.open(path);
          Arena arena = Arena.ofConfined()) {
        var in = new MessageInput(file, arena.allocate(64 << 10));
        in.reset(0, file.size());
        try {
          var entry = new PcrIndex.Entry(shard, ownLengths(in));
          in.reset(0, entry.prefix(0));
          RecordHead head = RecordHead.read(in, entry.groups());
          for (int image = 0; image < head.images(); image++) {
            labels.add((long) head.label(image));
          }
          images += head.images();
          most = Math.max(most, head.images());
          if (head.images() > 0) {
            entries.add(entry);
          }
        } catch (DecodeException e) {
          throw CorruptDataException.at(new Location(path.toString(), -1, null, in.position()), e);
        }
      }
    }
    Map<String, byte[]> about = new LinkedHashMap<>();
    about.put("m_dataset_size", Pickle.number(images));
    about.put("m_classes", Pickle.list(List.copyOf(labels)));
    about.put("m_batch_size", Pickle.number(most));
    replace(folder.resolve(PcrIndex.DATABASE), new PcrIndexWriter(entries, about)::database);
    replace(folder.resolve(PcrIndex.PROTOBUF), new PcrIndexWriter(entries, about)::protobuf);
  }

  /// {@return lengths of the metadata and the scan groups, as a record of ours says them first}
  private static List<Long> ownLengths(MessageInput in) throws DecodeException, IOException {
    long size = in.remaining();
    if (!in.more() || in.tag() != Tags.OWN_INDEX) {
      throw new DecodeException(Fault.MISMATCH, "a record that Headrace did not write");
    }
    long numbers = in.length() / Long.BYTES;
    long _ = in.fixed64(); // images
    List<Long> lengths = new ArrayList<>();
    long sum = 0;
    for (int i = 1; i < numbers; i++) {
      long length = in.fixed64();
      if (length < 0 || length > size - sum) {
        throw new DecodeException(
            Fault.MISMATCH, "a message of %d bytes in a file of %d".formatted(length, size));
      }
      sum += length;
      lengths.add(length);
    }
    if (sum != size || lengths.isEmpty()) {
      throw new DecodeException(
          Fault.TRUNCATED, "messages of %d bytes in a file of %d".formatted(sum, size));
    }
    return lengths;
  }

  /// Writes a file under a temporary name and renames it, so that there is never a half-written
  /// one.
  private static void replace(Path target, FileWriter writer) throws IOException {
    Path temporary =
        target.resolveSibling(
            ".%s.%d.tmp".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.deleteIfExists(temporary);
      writer.write(temporary);
      try (var file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        file.force(true);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      boolean _ = Files.deleteIfExists(temporary);
    }
  }

  @FunctionalInterface
  private interface FileWriter {
    void write(Path path) throws IOException;
  }

  /// The two indexes of one dataset.
  private record PcrIndexWriter(List<PcrIndex.Entry> entries, Map<String, byte[]> about) {
    void database(Path path) throws IOException {
      IndexDatabase.write(path, entries, about);
    }

    void protobuf(Path path) throws IOException {
      try (var out =
          FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        for (PcrIndex.Entry entry : entries) {
          byte[] name = entry.name().getBytes(java.nio.charset.StandardCharsets.UTF_8);
          long lengths = entry.lengths().stream().mapToLong(MessageOutput::varintBytes).sum();
          long size =
              MessageOutput.fieldBytes(Tags.RECORD_NAME, name.length)
                  + MessageOutput.fieldBytes(Tags.RECORD_LENGTHS, lengths);
          byte[] bytes = new byte[(int) MessageOutput.fieldBytes(Tags.RECORD, size)];
          var message = new MessageOutput(MemorySegment.ofArray(bytes), 0);
          message.begin(Tags.RECORD, size);
          message.bytes(Tags.RECORD_NAME, MemorySegment.ofArray(name));
          message.begin(Tags.RECORD_LENGTHS, lengths);
          entry.lengths().forEach(message::varint);
          ByteBuffer buffer = ByteBuffer.wrap(bytes);
          while (buffer.hasRemaining()) {
            int _ = out.write(buffer);
          }
        }
      }
    }
  }
}
