package io.headrace.load;

import io.headrace.codec.plain.RawCodec;
import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.format.Container;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.format.race.RaceContainer;
import io.headrace.format.race.RaceOptions;
import io.headrace.format.tar.TarContainer;
import io.headrace.format.tfrecord.TfRecordContainer;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/// One shard of raw noise pictures.
public final class RawShards {
  private RawShards() {}

  /// {@return the shard's file}
  ///
  /// @param name of a container: `race`, `tar` or `tfrecord`
  /// @param edge height and width of the pictures
  public static Path write(Path dir, String name, int samples, int edge)
      throws IOException, DecodeException {
    Container container =
        switch (name) {
          case "race" -> new RaceContainer(RaceOptions.PLAIN);
          case "tar" -> new TarContainer(new Compression.None());
          default -> new TfRecordContainer(new Compression.None());
        };
    Path file = dir.resolve("raw" + container.extension());
    try (var bytes =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ShardWriter writer =
            container.newShard(new Container.ShardTarget(bytes, dir.resolve("scratch"), 0, 1));
        SamplePacker packer = container.newPacker();
        Arena arena = Arena.ofConfined();
        var source = new Sample(new Block(MemoryBudget.unbounded()));
        var encoded = new Block(MemoryBudget.unbounded());
        var packed = new Block(MemoryBudget.unbounded())) {
      var random = new Random(7);
      byte[] noise = new byte[3 * edge * edge];
      MemorySegment pixels = arena.allocate(noise.length);
      for (int i = 0; i < samples; i++) {
        random.nextBytes(noise);
        MemorySegment.copy(noise, 0, pixels, ValueLayout.JAVA_BYTE, 0, noise.length);
        long size = RawCodec.encode(pixels, edge, edge, 3, encoded);
        var meta = new SampleMeta("sample/%08d".formatted(i), i % 10, "", "raw", edge, edge, 3);
        long stored = packer.pack(meta, encoded.memory().asSlice(0, size), source, packed);
        writer.write(meta, packed.memory().asSlice(0, stored));
      }
      writer.finish();
    }
    return file;
  }
}
