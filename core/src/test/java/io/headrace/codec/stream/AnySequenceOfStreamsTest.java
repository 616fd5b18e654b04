package io.headrace.codec.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.headrace.codec.stream.blocks.Lz4FrameDecoder;
import io.headrace.codec.stream.blocks.LzopDecoder;
import io.headrace.codec.stream.coder.Decoder;
import io.headrace.codec.stream.deflate.InflateDecoder;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.BufferPool;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Seeds;
import io.headrace.testkit.Sequences;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Law: any sequence of compressed streams and blobs gives what fresh decoders give of each.
final class AnySequenceOfStreamsTest {
  private static final int PIECE = 700;
  private static final int PLAIN = 20_000;

  /// A running decoder, which [Decoder#reset] gets ready for the next stream, wherever the one
  /// before was left.
  private record Running(Decoder decoder, int most) implements Sequences.Context {
    @Override
    public String outcome(byte[] input) {
      var crc = new CRC32();
      long plain = 0;
      try (Arena arena = Arena.ofConfined()) {
        ByteBuffer in = arena.allocateFrom(JAVA_BYTE, input).asByteBuffer();
        ByteBuffer out = arena.allocate(PIECE).asByteBuffer();
        int rounds = 0;
        boolean ended = false;
        while (!ended && rounds < most) {
          int left = in.remaining();
          ended = decoder.decode(in, out.clear());
          plain += out.flip().remaining();
          crc.update(out.duplicate());
          rounds = in.remaining() == left && !out.hasRemaining() ? most : rounds + 1;
        }
        return "%d bytes, %08x, %s".formatted(plain, crc.getValue(), ended ? "whole" : "not whole");
      } catch (DecodeException e) {
        return "fault %s: %s".formatted(e.fault(), e.getMessage());
      } finally {
        decoder.reset();
      }
    }

    @Override
    public void close() {
      decoder.close();
    }
  }

  /// Channels one after the other, which lend their memory from one pool.
  private record Opened(StreamKind kind, BufferPool pool) implements Sequences.Context {
    @Override
    public String outcome(byte[] input) {
      try {
        byte[] plain =
            Bytes.readAll(
                Streams.decompress(
                    Channels.newChannel(new ByteArrayInputStream(input)), kind, "s", 23, pool));
        var crc = new CRC32();
        crc.update(plain);
        return "%d bytes, %08x".formatted(plain.length, crc.getValue());
      } catch (CorruptDataException e) {
        return "fault " + e.getMessage();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /// A decompressor of blobs.
  private record Blobs(BlobDecompressor decompressor) implements Sequences.Context {
    @Override
    public String outcome(byte[] input) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment plain = arena.allocate(PLAIN);
        decompressor.decompress(arena.allocateFrom(JAVA_BYTE, input), plain);
        var crc = new CRC32();
        crc.update(plain.asByteBuffer());
        return "%08x".formatted(crc.getValue());
      } catch (DecodeException e) {
        return "fault %s: %s".formatted(e.fault(), e.getMessage());
      }
    }

    @Override
    public void close() {
      decompressor.close();
    }
  }

  private static List<byte[]> streams(Compression... compressions) {
    List<byte[]> streams = new ArrayList<>();
    try {
      for (Compression compression : compressions) {
        for (int i = 0; i < 4; i++) {
          streams.add(Bytes.compress(Bytes.mixed(i, i == 0 ? 10 : PLAIN), compression));
        }
        byte[] apart = Bytes.mixed(9, 3000);
        streams.add(Bytes.compress(apart, compression, Buffering.DEFAULT, 500, true));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return streams;
  }

  private static List<byte[]> blobs(BlobCompression compression) {
    List<byte[]> blobs = new ArrayList<>();
    try (Arena arena = Arena.ofConfined();
        var compressor = new BlobCompressor(compression);
        var out = new Block(MemoryBudget.unbounded())) {
      for (int i = 0; i < 5; i++) {
        MemorySegment plain = arena.allocateFrom(JAVA_BYTE, Bytes.mixed(i, PLAIN));
        long bytes = compressor.compress(plain, out);
        blobs.add(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
      }
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
    return blobs;
  }

  private static Supplier<Sequences.Context> running(Supplier<Decoder> make) {
    return () -> new Running(make.get(), 1000);
  }

  /// As above, but most streams are left before they end.
  private static Supplier<Sequences.Context> left(Supplier<Decoder> make) {
    return () -> new Running(make.get(), 3);
  }

  static Stream<Arguments> contexts() {
    List<byte[]> zlib = streams(Compression.Zlib.DEFAULT);
    List<byte[]> gzip = streams(Compression.Gzip.DEFAULT);
    List<byte[]> zstd = streams(Compression.Zstd.DEFAULT);
    List<byte[]> lz4 = streams(Compression.Lz4.DEFAULT);
    List<byte[]> lzop = streams(new Compression.Lzop());
    Supplier<Decoder> inflate = () -> new InflateDecoder(false);
    Supplier<Decoder> members = () -> new InflateDecoder(true);
    Supplier<Decoder> frames = () -> new ZstdDecoder(23);
    Supplier<Decoder> blocks = () -> new LzopDecoder(27);
    Stream<Arguments> decoders =
        Stream.of(
            arguments("zlib", zlib, running(inflate)),
            arguments("zlib, left early", zlib, left(inflate)),
            arguments("gzip", gzip, running(members)),
            arguments("gzip, left early", gzip, left(members)),
            arguments("zstd", zstd, running(frames)),
            arguments("zstd, left early", zstd, left(frames)),
            arguments("lz4", lz4, running(Lz4FrameDecoder::new)),
            arguments("lz4, left early", lz4, left(Lz4FrameDecoder::new)),
            arguments("lzop", lzop, running(blocks)),
            arguments("lzop, left early", lzop, left(blocks)));
    Stream<Arguments> channels =
        Stream.of(
                Compression.Gzip.DEFAULT,
                Compression.Zstd.DEFAULT,
                Compression.Lz4.DEFAULT,
                new Compression.Snappy(),
                Compression.Xz.DEFAULT,
                Compression.Bzip2.DEFAULT)
            .map(
                compression -> {
                  StreamKind kind = compression.kind();
                  Supplier<Sequences.Context> make =
                      () -> new Opened(kind, new BufferPool(DecodingChannel.BUFFER));
                  return arguments(kind + " through one pool", streams(compression), make);
                });
    Stream<Arguments> blobs =
        Stream.of(new BlobCompression.Lz4(0), new BlobCompression.Zstd(3))
            .map(
                compression -> {
                  Supplier<Sequences.Context> make =
                      () -> new Blobs(new BlobDecompressor(compression));
                  return arguments(compression.label() + " blobs", blobs(compression), make);
                });
    return Stream.of(decoders, channels, blobs).flatMap(all -> all);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contexts")
  void anySequenceGivesWhatFreshOnesGive(
      String name, List<byte[]> corpus, Supplier<Sequences.Context> make) {
    long seed = Seeds.random().findFirst().orElseThrow();
    int sound = Sequences.check(make, corpus, seed, 100, 1000);
    assertThat(sound).as("%s, -Dheadrace.seed=%d", name, seed).isGreaterThan(10);
  }
}
