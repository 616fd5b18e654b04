package io.headrace.lab.codecs;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Streams;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Bytes of many files, one after the other as in a shard, in streams of about 4 MiB.
final class StreamSubject extends Subject<Compression, StreamSubject.Plain> {
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

  /// Bytes of a stream.
  record Plain(MemorySegment plain) implements Item {}

  private StreamSubject(List<Plain> streams, String content) {
    super(streams, content, "the plain bytes");
  }

  /// {@return streams of `parts`}
  ///
  /// @param parts at least one, off heap
  /// @param what they are, such as `64 files`
  /// @param arena owns the streams
  static StreamSubject of(List<MemorySegment> parts, String what, Arena arena) {
    MemorySegment all = arena.allocate(parts.stream().mapToLong(MemorySegment::byteSize).sum(), 64);
    List<Plain> streams = new ArrayList<>();
    long start = 0;
    long end = 0;
    for (MemorySegment part : parts) {
      MemorySegment.copy(part, 0, all, end, part.byteSize());
      end += part.byteSize();
      if (end - start >= STREAM_BYTES) {
        streams.add(new Plain(all.asSlice(start, end - start)));
        start = end;
      }
    }
    if (end > start) {
      streams.add(new Plain(all.asSlice(start, end - start)));
    }
    String count = streams.size() == 1 ? "one stream" : streams.size() + " streams";
    return new StreamSubject(List.copyOf(streams), what + " in " + count);
  }

  @Override
  List<Setting<Compression>> settings(List<String> words) {
    return Setting.pick(USUAL, words, Compression::parse);
  }

  @Override
  long encode(Plain stream, Compression encoding, Block out) throws IOException {
    var sink = new ByteChannels.Sink(out);
    try (var channel = Streams.compress(sink, encoding)) {
      ByteBuffer plain = stream.plain().asByteBuffer();
      while (plain.hasRemaining()) {
        int _ = channel.write(plain);
      }
    }
    return sink.bytes();
  }

  @Override
  void decode(Plain stream, MemorySegment encoded, Setting<Compression> setting)
      throws IOException, DecodeException {
    long bytes = stream.plain().byteSize();
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
  Quality compare(List<MemorySegment> encoded, Setting<Compression> setting)
      throws IOException, DecodeException {
    for (int i = 0; i < encoded.size(); i++) {
      decode(items.get(i), encoded.get(i), setting);
      MemorySegment plain = items.get(i).plain();
      if (decoded.memory().asSlice(0, plain.byteSize()).mismatch(plain) >= 0) {
        throw new IOException("%s gives other bytes".formatted(setting.name()));
      }
    }
    return new Quality.Exact();
  }
}
