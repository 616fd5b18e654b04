package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.BlobCompressor;
import io.headrace.error.DecodeException;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.SampleMeta;
import io.headrace.format.ShardWriter;
import io.headrace.format.race.IndexBuilder.StoredSection;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one race shard: group 1 as it comes, the other groups to temporary files that are copied
/// after it at the end.
final class RaceShardWriter implements ShardWriter {
  private final RaceOptions options;
  private final WritableByteChannel out;
  private final IndexBuilder index;
  private final List<GroupOutput> groups = new ArrayList<>();
  private final @Nullable BlobCompressor compressor;

  RaceShardWriter(RaceOptions options, ShardTarget target) throws IOException {
    this.options = options;
    out = target.bytes();
    int count = options.groups();
    index = new IndexBuilder(count);
    compressor = options.blockBytes() > 0 ? new BlobCompressor(options.compression()) : null;
    try {
      for (int group = 0; group < count; group++) {
        groups.add(output(group, target.scratch()));
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment header = arena.allocate(RaceLayout.HEADER);
        RaceLayout.writeHeader(header, count, target.shard(), target.shards());
        writeAll(header);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private GroupOutput output(int group, Path scratch) throws IOException {
    WritableByteChannel to = out;
    if (group > 0) {
      to = new Spill(scratch.resolveSibling(scratch.getFileName() + ".group" + (group + 1)));
    }
    return new GroupOutput(to, options.blockBytes(), compressor);
  }

  @Override
  public void write(SampleMeta meta, MemorySegment packed) throws IOException {
    int used = packed.get(JAVA_BYTE, 0) & 0xff;
    int kind =
        (packed.get(JAVA_BYTE, 1) & 0xff)
            | (used << 8)
            | ((packed.get(JAVA_BYTE, 2) & 0xff) << 16)
            | (packed.get(JAVA_BYTE, 3) << 24);
    index.add(meta, kind);
    long at = RacePacker.head(used);
    for (int group = 0; group < groups.size(); group++) {
      if (group >= used) {
        index.blob(group, 0, 0);
        add(group, 0, MemorySegment.NULL, 0);
        continue;
      }
      long entry = 4 + (long) RacePacker.ENTRY * group;
      int plain = packed.get(U32, entry);
      int stored = packed.get(U32, entry + 8);
      index.blob(group, plain, packed.get(U32, entry + 4));
      add(group, plain, packed.asSlice(at, stored), packed.get(U32, entry + 12));
      at += stored;
    }
  }

  private void add(int group, int plain, MemorySegment stored, int crc) throws IOException {
    boolean each = !(options.compression() instanceof BlobCompression.None);
    try {
      if (options.blockBytes() > 0) {
        groups.get(group).gather(stored);
      } else if (each) {
        groups.get(group).block(1, stored, crc);
      } else {
        groups.get(group).plain(stored);
      }
    } catch (DecodeException e) {
      throw new IOException("a block of %d bytes: %s".formatted(plain, e.getMessage()), e);
    }
  }

  @Override
  public void finish() throws IOException {
    long at = RaceLayout.HEADER;
    List<StoredSection> sections = new ArrayList<>();
    for (GroupOutput group : groups) {
      try {
        group.flush();
      } catch (DecodeException e) {
        throw new IOException("the last block: " + e.getMessage(), e);
      }
      sections.add(new StoredSection(at, group.bytes(), group.blocks()));
      at += group.bytes();
    }
    for (GroupOutput group : groups) {
      if (group.channel() instanceof Spill spill) {
        spill.copyTo(out);
      }
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = index.build(sections, options.compression(), arena);
      writeAll(bytes);
      MemorySegment trailer = arena.allocate(RaceLayout.TRAILER);
      RaceLayout.writeTrailer(
          trailer,
          new RaceLayout.Trailer(
              at, bytes.byteSize(), index.samples(), RaceLayout.crc(bytes), groups.size()));
      writeAll(trailer);
    }
  }

  private void writeAll(MemorySegment bytes) throws IOException {
    for (long at = 0; at < bytes.byteSize(); at += 1 << 30) {
      ByteBuffer part = bytes.asSlice(at, Math.min(1 << 30, bytes.byteSize() - at)).asByteBuffer();
      while (part.hasRemaining()) {
        out.write(part);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (GroupOutput group : groups) {
      group.close();
      if (group.channel() instanceof Spill spill) {
        spill.close();
      }
    }
    if (compressor != null) {
      compressor.close();
    }
  }
}
