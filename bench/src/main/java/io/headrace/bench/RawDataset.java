package io.headrace.bench;

import io.headrace.codec.plain.RawCodec;
import io.headrace.error.DecodeException;
import io.headrace.format.Container;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/// Datasets of raw pixels, to measure everything but decoding.
final class RawDataset {
  private RawDataset() {}

  /// Writes one shard of noise, unless it is there.
  ///
  /// @param folder of the shard
  /// @param samples uint8 [edge, edge, 3] each, with keys of 20 characters
  /// @return the folder
  static Path make(Path folder, Container container, int samples, int edge)
      throws IOException, DecodeException {
    Path file = folder.resolve("%d-of-%d%s".formatted(samples, edge, container.extension()));
    if (Files.exists(file)) {
      return file;
    }
    Files.createDirectories(folder);
    Path part = folder.resolve(file.getFileName() + ".part");
    var random = new Random(1);
    byte[] noise = new byte[3 * edge * edge];
    try (var bytes =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        ShardWriter writer =
            container.newShard(new Container.ShardTarget(bytes, folder.resolve("scratch"), 0, 1));
        SamplePacker packer = container.newPacker();
        Arena arena = Arena.ofConfined();
        var source = new Sample(new Block(MemoryBudget.unbounded()));
        var encoded = new Block(MemoryBudget.unbounded());
        var packed = new Block(MemoryBudget.unbounded())) {
      MemorySegment pixels = arena.allocate(noise.length);
      random.nextBytes(noise);
      MemorySegment.copy(noise, 0, pixels, ValueLayout.JAVA_BYTE, 0, noise.length);
      for (int i = 0; i < samples; i++) {
        String key = "class-%03d/%010d".formatted(i % 1000, i);
        pixels.set(ValueLayout.JAVA_INT_UNALIGNED, 0, i);
        long bytesOfImage = RawCodec.encode(pixels, edge, edge, 3, encoded);
        var meta = new SampleMeta(key, i % 1000, "", "raw", edge, edge, 3);
        long size = packer.pack(meta, encoded.memory().asSlice(0, bytesOfImage), source, packed);
        writer.write(meta, packed.memory().asSlice(0, size));
      }
      writer.finish();
    }
    Files.move(part, file);
    return file;
  }
}
