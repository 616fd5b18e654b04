package io.headrace.format.race;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.error.ConfigException;
import io.headrace.format.SampleMeta;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Gathers what a shard's index will say while its samples are written. See [RaceIndex].
final class IndexBuilder {
  private final Ints keyEnds = new Ints();
  private final Ints labelLows = new Ints();
  private final Ints labelHighs = new Ints();
  private final Ints widths = new Ints();
  private final Ints heights = new Ints();
  private final Ints kinds = new Ints();
  private final List<Ints> lengths = new ArrayList<>();
  private final List<Ints> crcs = new ArrayList<>();
  private final ByteArrayOutputStream keys = new ByteArrayOutputStream();

  IndexBuilder(int groups) {
    for (int group = 0; group < groups; group++) {
      lengths.add(new Ints());
      crcs.add(new Ints());
    }
  }

  /// Adds a sample.
  ///
  /// @param kind encoding, groups, flags and channels, a byte each, the lowest first
  void add(SampleMeta meta, int kind) {
    byte[] key = meta.key().getBytes(StandardCharsets.UTF_8);
    if (keys.size() > Integer.MAX_VALUE - 64 - key.length || keyEnds.size() == Integer.MAX_VALUE) {
      throw new ConfigException("too many samples for one race shard: write more shards");
    }
    keys.writeBytes(key);
    keyEnds.add(keys.size());
    labelLows.add((int) meta.label());
    labelHighs.add((int) (meta.label() >> 32));
    widths.add(meta.width());
    heights.add(meta.height());
    kinds.add(kind);
  }

  /// Adds the blob of the sample added last.
  ///
  /// @param group from 0
  void blob(int group, int bytes, int crc) {
    lengths.get(group).add(bytes);
    crcs.get(group).add(crc);
  }

  int samples() {
    return keyEnds.size();
  }

  /// {@return the index}
  ///
  /// @param sections one for each group, as they stand in the file
  MemorySegment build(List<StoredSection> sections, BlobCompression compression, Arena arena) {
    byte[] dictionary =
        compression instanceof BlobCompression.Zstd(_, ZstdDictionary known) && known != null
            ? known.bytes()
            : new byte[0];
    int n = samples();
    long blocks = sections.stream().mapToLong(s -> s.blocks().size()).sum();
    long bytes =
        RaceIndex.HEADER
            + (long) RaceIndex.SECTION * sections.size()
            + (RaceIndex.SAMPLE + (long) RaceIndex.BLOB * sections.size()) * n
            + RaceIndex.BLOCK * blocks / StoredSection.BLOCK_INTS
            + dictionary.length
            + keys.size();
    var out = new LittleEndianWriter(arena.allocate(bytes));
    out.u64(n);
    out.u32(sections.size());
    out.u32(RaceIndex.code(compression));
    out.u32(dictionary.length);
    out.u32(keys.size());
    for (StoredSection section : sections) {
      out.u64(section.start());
      out.u64(section.bytes());
      out.u32(section.blocks().size() / StoredSection.BLOCK_INTS);
      out.u32(0);
    }
    out.ints(keyEnds);
    for (int i = 0; i < n; i++) {
      out.u32(labelLows.get(i));
      out.u32(labelHighs.get(i));
    }
    out.ints(widths);
    out.ints(heights);
    out.ints(kinds);
    for (int group = 0; group < sections.size(); group++) {
      out.ints(lengths.get(group));
      out.ints(crcs.get(group));
    }
    sections.forEach(s -> out.ints(s.blocks()));
    out.bytes(dictionary);
    out.bytes(keys.toByteArray());
    return out.written();
  }

  /// A section as it stands in the file.
  ///
  /// @param blocks samples, stored bytes and CRC-32C of each block; empty if blobs lie as they are
  record StoredSection(long start, long bytes, Ints blocks) {
    static final int BLOCK_INTS = 3;
  }
}
