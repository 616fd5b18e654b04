package io.headrace.format.race;

import io.headrace.error.DecodeException;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.Dataset;
import io.headrace.format.Parts;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Shards written from lists of samples, and read back into such lists.
final class RaceFixture {
  private RaceFixture() {}

  /// A sample in heap memory.
  ///
  /// @param levels images of the sample; one unless each is a level
  /// @param tiles a table for each level; empty for none
  record Pictured(
      String key,
      long label,
      String format,
      List<byte[]> levels,
      List<byte[]> tiles,
      Map<String, byte[]> fields) {
    static Pictured of(String key, long label, String format, byte[] image) {
      return new Pictured(key, label, format, List.of(image), List.of(), Map.of());
    }

    byte[] image() {
      return levels.getLast();
    }
  }

  static Path write(Path file, RaceOptions options, List<Pictured> samples)
      throws IOException, DecodeException {
    return write(file, options, 0, 1, samples);
  }

  static Path write(Path file, RaceOptions options, int shard, int of, List<Pictured> samples)
      throws IOException, DecodeException {
    var container = new RaceContainer(options);
    var scratch = Path.of(file + ".part");
    try (var bytes =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        ShardWriter writer = container.newShard(new ShardTarget(bytes, scratch, shard, of));
        SamplePacker packer = container.newPacker();
        var packed = new Block(MemoryBudget.unbounded())) {
      for (Pictured sample : samples) {
        try (Arena arena = Arena.ofConfined();
            Sample source = source(sample)) {
          MemorySegment encoded = concatenated(sample.levels, arena);
          var meta =
              new SampleMeta(
                  sample.key, sample.label, "", sample.format, 3, 2, 1, parts(sample, arena));
          long size = packer.pack(meta, encoded, source, packed);
          writer.write(meta, packed.memory().asSlice(0, size));
        }
      }
      writer.finish();
    }
    return file;
  }

  private static Parts parts(Pictured sample, Arena arena) {
    if (sample.levels.size() == 1 && sample.tiles.isEmpty()) {
      return Parts.WHOLE;
    }
    List<Long> lengths = new ArrayList<>();
    List<MemorySegment> tables = new ArrayList<>();
    for (int i = 0; i < sample.levels.size(); i++) {
      lengths.add((long) sample.levels.get(i).length);
      tables.add(
          sample.tiles.isEmpty()
              ? MemorySegment.NULL
              : concatenated(List.of(sample.tiles.get(i)), arena));
    }
    return new Parts(lengths, tables);
  }

  private static MemorySegment concatenated(List<byte[]> parts, Arena arena) {
    MemorySegment all = arena.allocate(parts.stream().mapToLong(p -> p.length).sum());
    long at = 0;
    for (byte[] part : parts) {
      MemorySegment.copy(part, 0, all, ValueLayout.JAVA_BYTE, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static Sample source(Pictured sample) throws DecodeException {
    var source = new Sample(new Block(MemoryBudget.unbounded()));
    source.place("source", 0, 0);
    long at = 0;
    for (var field : sample.fields.entrySet()) {
      byte[] name = field.getKey().getBytes(StandardCharsets.UTF_8);
      byte[] value = field.getValue();
      MemorySegment memory = source.block().ensureKeeping(at + name.length + value.length);
      MemorySegment.copy(name, 0, memory, ValueLayout.JAVA_BYTE, at, name.length);
      MemorySegment.copy(value, 0, memory, ValueLayout.JAVA_BYTE, at + name.length, value.length);
      boolean feature = field.getKey().startsWith("image/");
      source.addField(at, name.length, at + name.length, value.length, feature);
      at += name.length + value.length;
    }
    return source;
  }

  /// {@return a sample as it was read, with the one level there is}
  static Pictured read(Sample sample) {
    Map<String, byte[]> fields = new TreeMap<>();
    for (int i = 0; i < sample.fields(); i++) {
      fields.put(sample.fieldName(i), sample.field(i).toArray(ValueLayout.JAVA_BYTE));
    }
    byte[] tiles = sample.tiles().toArray(ValueLayout.JAVA_BYTE);
    return new Pictured(
        sample.key(),
        sample.label(),
        "",
        List.of(sample.encoded().toArray(ValueLayout.JAVA_BYTE)),
        tiles.length == 0 ? List.of() : List.of(tiles),
        fields);
  }

  /// {@return all samples at a fidelity, in stored order, and the bytes that took}
  static long readAll(Dataset dataset, int fidelity, List<Pictured> into) throws IOException {
    long bytes = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard, fidelity)) {
          while (cursor.next(sample)) {
            into.add(read(sample));
          }
          bytes += cursor.bytesRead();
        }
      }
    }
    return bytes;
  }
}
