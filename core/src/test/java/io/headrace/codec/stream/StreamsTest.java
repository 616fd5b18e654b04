package io.headrace.codec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression.Bzip2;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Lz4;
import io.headrace.codec.stream.Compression.Lzop;
import io.headrace.codec.stream.Compression.Snappy;
import io.headrace.codec.stream.Compression.Strategy;
import io.headrace.codec.stream.Compression.Xz;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws of compression: what goes in comes out, for every option, buffer and piece size.
class StreamsTest {
  /// One of every kind but none; xz with little memory, bzip2 with small blocks.
  static final List<Compression> DEFAULTS =
      List.of(
          Zlib.DEFAULT,
          Gzip.DEFAULT,
          Zstd.DEFAULT,
          Lz4.DEFAULT,
          new Snappy(),
          new Xz(1),
          new Bzip2(1),
          new Lzop());

  static Stream<Compression> everyStrategyAndLevel() {
    List<Compression> all = new ArrayList<>();
    for (Strategy strategy : Strategy.values()) {
      for (int level = -1; level <= 9; level++) {
        all.add(new Zlib(level, 15, 9, strategy));
        all.add(new Gzip(level, 9 + (level + 7) % 7, 1 + (level + 9) % 9, strategy));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everyStrategyAndLevel")
  void theJdkReadsWhatLibzWrites(Compression compression) throws IOException {
    byte[] plain = Bytes.mixed(7, 100_000);
    byte[] compressed = Bytes.compress(plain, compression);
    var source = new ByteArrayInputStream(compressed);
    try (var in =
        compression.kind() == StreamKind.GZIP
            ? new GZIPInputStream(source)
            : new InflaterInputStream(source)) {
      assertThat(in.readAllBytes()).isEqualTo(plain);
    }
    assertThat(Bytes.decompress(compressed, compression.kind())).isEqualTo(plain);
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void strategiesWriteDifferentBytes(Strategy strategy) throws IOException {
    byte[] plain = Bytes.mixed(3, 300_000);
    byte[] mine = Bytes.compress(plain, new Zlib(6, 15, 9, strategy));
    for (Strategy other : Strategy.values()) {
      byte[] theirs = Bytes.compress(plain, new Zlib(6, 15, 9, other));
      assertThat(theirs.length == mine.length).isEqualTo(other == strategy);
    }
  }

  @Test
  void weReadWhatTheJdkWrites() throws IOException {
    byte[] plain = Bytes.mixed(8, 500_000);
    var gzip = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(gzip)) {
      out.write(plain);
    }
    assertThat(Bytes.decompress(gzip.toByteArray(), StreamKind.GZIP)).isEqualTo(plain);
    try (var deflater = new Deflater(9)) {
      deflater.setInput(plain);
      deflater.finish();
      byte[] zlib = new byte[plain.length + 1000];
      int length = deflater.deflate(zlib);
      byte[] exact = java.util.Arrays.copyOf(zlib, length);
      assertThat(Bytes.decompress(exact, StreamKind.ZLIB)).isEqualTo(plain);
    }
  }

  /// The acceptance matrix of the paper's own tests: buffers, copies, strategies, threads.
  @Test
  void zstdMatrix() throws IOException {
    byte[] text = "The quick brown fox jumps over the lazy dog; ".getBytes(StandardCharsets.UTF_8);
    for (int in : new int[] {10, 100, 200, 500, 1000, 10_000, 256 << 10}) {
      for (int out : new int[] {100, 200, 500, 1000, 256 << 10}) {
        for (int copies : new int[] {1, 50, 500, 5000}) {
          byte[] plain = repeat(text, copies);
          var buffering = new Buffering(in, out, FlushMode.NONE);
          byte[] zstd = Bytes.compress(plain, Zstd.DEFAULT, buffering, text.length, false);
          assertThat(Bytes.decompress(zstd, StreamKind.ZSTD)).isEqualTo(plain);
        }
      }
    }
    byte[] plain = repeat(text, 5000);
    for (int strategy = 0; strategy <= 9; strategy++) {
      for (int workers : new int[] {0, 1, 2, 4, 8}) {
        byte[] zstd = Bytes.compress(plain, new Zstd(3, strategy, 0, workers, true));
        assertThat(Bytes.decompress(zstd, StreamKind.ZSTD)).isEqualTo(plain);
        assertThat(zstd.length).isLessThan(plain.length / 20);
      }
    }
  }

  /// Threads work on jobs of 1 MiB here, which one thread has none of: any number of them gives the
  /// same bytes, none gives others.
  @Test
  void workersAreUsed() throws IOException {
    byte[] plain = Bytes.mixed(7, 3 << 20);
    byte[] alone = Bytes.compress(plain, new Zstd(3, 0, 17, 0, true));
    byte[] two = Bytes.compress(plain, new Zstd(3, 0, 17, 2, true));
    assertThat(Bytes.decompress(two, StreamKind.ZSTD)).isEqualTo(plain);
    assertThat(Arrays.equals(two, alone)).isFalse();
    assertThat(Arrays.equals(Bytes.compress(plain, new Zstd(3, 0, 17, 3, true)), two)).isTrue();
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyPiecesAndBuffersComeBack(long seed) throws IOException {
    var random = new Random(seed);
    Compression compression = anyCompression(random);
    var buffering =
        new Buffering(
            1 + random.nextInt(5000), 8 + random.nextInt(5000), any(random, FlushMode.values()));
    byte[] plain = Bytes.mixed(seed, random.nextInt(60_000));
    byte[] compressed =
        Bytes.compress(
            plain, compression, buffering, 1 + random.nextInt(9000), random.nextInt(4) == 0);
    assertThat(Bytes.decompress(compressed, compression.kind()))
        .as("%s %s", compression.spec(), buffering)
        .isEqualTo(plain);
    if (compression instanceof Zlib) {
      assertThat(inflate(compressed, plain.length)).isEqualTo(plain);
    }
  }

  private static <T> T any(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  static Compression anyCompression(Random random) {
    Strategy strategy = any(random, Strategy.values());
    int level = random.nextInt(11) - 1;
    int window = 9 + random.nextInt(7);
    int mem = 1 + random.nextInt(9);
    return switch (random.nextInt(8)) {
      case 0 -> new Compression.None();
      case 1 -> new Zlib(level, window, mem, strategy);
      case 2 -> new Gzip(level, window, mem, strategy);
      case 3 ->
          new Lz4(
              random.nextInt(13),
              4 + random.nextInt(4),
              random.nextBoolean(),
              random.nextBoolean());
      case 4 -> new Snappy();
      case 5 -> new Xz(random.nextInt(4));
      case 6 -> new Bzip2(1 + random.nextInt(9));
      default ->
          new Zstd(
              random.nextInt(25) - 10,
              random.nextInt(10),
              random.nextBoolean() ? 0 : 10 + random.nextInt(10),
              random.nextInt(3),
              random.nextBoolean());
    };
  }

  @Test
  void bufferSizesChangeNoByteWithoutFlushing() throws IOException {
    byte[] plain = Bytes.mixed(5, 300_000);
    for (Compression compression : DEFAULTS) {
      byte[] once = Bytes.compress(plain, compression);
      var small = new Buffering(1000, 100, FlushMode.NONE);
      assertThat(Bytes.compress(plain, compression, small, 333, false)).isEqualTo(once);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FlushMode.class,
      names = {"PARTIAL", "SYNC", "FULL"})
  void flushedBytesCanBeReadAtOnce(FlushMode mode) throws IOException {
    byte[] plain = Bytes.mixed(1, 5_000);
    for (Compression compression : DEFAULTS) {
      var sink = new ByteArrayOutputStream();
      try (var out = Streams.compress(Channels.newChannel(sink), compression)) {
        int _ = out.write(ByteBuffer.wrap(plain));
        out.flush(mode);
        var soFar = new ByteArrayInputStream(sink.toByteArray());
        var in = Streams.decompress(Channels.newChannel(soFar), compression.kind(), "x");
        ByteBuffer got = ByteBuffer.allocate(plain.length);
        while (got.hasRemaining() && in.read(got) >= 0) {}
        assertThat(got.array()).isEqualTo(plain);
        in.close();
      }
    }
  }

  @Test
  void aStreamWithAHoleIsNeverFinished() throws IOException {
    List<Compression> all = new ArrayList<>(DEFAULTS);
    all.add(new Compression.None());
    for (Compression compression : all) {
      var disk = new FullDisk();
      var out = Streams.compress(disk, compression, new Buffering(10, 10, FlushMode.NONE));
      ByteBuffer plain = ByteBuffer.wrap(Bytes.mixed(2, 400_000));
      assertThatThrownBy(() -> out.write(plain)).hasMessage("disk full");
      int before = disk.written;
      disk.full = false;
      out.close();
      assertThat(disk.written).isEqualTo(before);
      assertThat(disk.isOpen()).isFalse();
    }
  }

  private static final class FullDisk implements WritableByteChannel {
    private boolean full = true;
    private boolean open = true;
    private int written;

    @Override
    public int write(ByteBuffer src) throws IOException {
      if (full && written > 100) {
        throw new IOException("disk full");
      }
      int n = Math.min(50, src.remaining());
      src.position(src.position() + n);
      written += n;
      return n;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }
  }

  private static byte[] repeat(byte[] text, int copies) {
    byte[] all = new byte[text.length * copies];
    for (int i = 0; i < copies; i++) {
      System.arraycopy(text, 0, all, i * text.length, text.length);
    }
    return all;
  }

  private static byte[] inflate(byte[] zlib, int length) throws IOException {
    try (var inflater = new Inflater()) {
      inflater.setInput(zlib);
      byte[] plain = new byte[length];
      int done = 0;
      while (done < length) {
        done += inflater.inflate(plain, done, length - done);
      }
      return plain;
    } catch (DataFormatException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
