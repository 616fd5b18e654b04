package io.headrace.lab.codecs;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Streams;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Bytes of many files, one after the other as in a shard, in streams of about 4 MiB.
final class StreamSubject implements Subject<Compression> {
  private static final long STREAM_BYTES = 4 << 20;
  private static final List<String> USUAL =
      List.of(
          "none",
          "zlib:level=1",
          "zlib",
          "zlib:level=9",
          "zlib:strategy=filtered",
          "zlib:strategy=huffman",
          "zlib:strategy=rle",
          "zlib:strategy=fixed",
          "gzip",
          "zstd:level=-5",
          "zstd:level=1",
          "zstd",
          "zstd:level=9",
          "zstd:level=19",
          "lz4",
          "lz4:level=9",
          "snappy",
          "xz",
          "bzip2",
          "lzma",
          "lzop");

  private final List<MemorySegment> streams;
  private final String content;
  private final Block decoded = new Block(MemoryBudget.unbounded());

  private StreamSubject(List<MemorySegment> streams, String content) {
    this.streams = streams;
    this.content = content;
  }

  /// {@return streams of `parts`}
  ///
  /// @param parts at least one, off heap
  /// @param what they are, such as `64 files`
  /// @param arena owns the streams
  static StreamSubject of(List<MemorySegment> parts, String what, Arena arena) {
    MemorySegment all = arena.allocate(parts.stream().mapToLong(MemorySegment::byteSize).sum(), 64);
    List<MemorySegment> streams = new ArrayList<>();
    long start = 0;
    long end = 0;
    for (MemorySegment part : parts) {
      MemorySegment.copy(part, 0, all, end, part.byteSize());
      end += part.byteSize();
      if (end - start >= STREAM_BYTES) {
        streams.add(all.asSlice(start, end - start));
        start = end;
      }
    }
    if (end > start) {
      streams.add(all.asSlice(start, end - start));
    }
    String count = streams.size() == 1 ? "one stream" : streams.size() + " streams";
    return new StreamSubject(List.copyOf(streams), what + " in " + count);
  }

  @Override
  public List<Setting<Compression>> settings(List<String> words) {
    List<Setting<Compression>> usual =
        USUAL.stream().map(spec -> Setting.of(spec, Compression::parse)).toList();
    return Setting.pick(usual, words, Compression::parse);
  }

  @Override
  public int items() {
    return streams.size();
  }

  @Override
  public String content() {
    return content;
  }

  @Override
  public String base() {
    return "the plain bytes";
  }

  @Override
  public long baseBytes() {
    return plainBytes();
  }

  @Override
  public long plainBytes() {
    return streams.stream().mapToLong(MemorySegment::byteSize).sum();
  }

  @Override
  public MemorySegment stored(int item) {
    return streams.get(item);
  }

  @Override
  public long encode(int item, Compression encoding, Block out) throws IOException {
    var sink = new ByteChannels.Sink(out);
    try (var channel = Streams.compress(sink, encoding)) {
      ByteBuffer plain = streams.get(item).asByteBuffer();
      while (plain.hasRemaining()) {
        int _ = channel.write(plain);
      }
    }
    return sink.bytes();
  }

  @Override
  public void decode(int item, MemorySegment encoded, Setting<Compression> setting)
      throws IOException, DecodeException {
    long bytes = streams.get(item).byteSize();
    ByteBuffer to = decoded.ensure(bytes + 1).asSlice(0, bytes + 1).asByteBuffer();
    Compression compression = setting.encoding();
    if (compression == null) {
      throw new IllegalStateException("streams have no form as found");
    }
    try (var channel =
        Streams.decompress(new ByteChannels.Source(encoded), compression.kind(), setting.name())) {
      int read = 0;
      while (read >= 0 && to.hasRemaining()) {
        read = channel.read(to);
      }
    }
    if (to.position() != bytes) {
      throw new IOException("%s gives another number of bytes".formatted(setting.name()));
    }
  }

  @Override
  public Quality compare(List<MemorySegment> encoded, Setting<Compression> setting)
      throws IOException, DecodeException {
    for (int i = 0; i < encoded.size(); i++) {
      decode(i, encoded.get(i), setting);
      MemorySegment plain = streams.get(i);
      if (decoded.memory().asSlice(0, plain.byteSize()).mismatch(plain) >= 0) {
        throw new IOException("%s gives other bytes".formatted(setting.name()));
      }
    }
    return new Quality.Exact();
  }

  @Override
  public void close() {
    decoded.close();
  }
}
