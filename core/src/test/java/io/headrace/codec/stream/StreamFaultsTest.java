package io.headrace.codec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.testkit.Corrupter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Damaged, cut and concatenated streams.
class StreamFaultsTest {
  /// Bytes of the chunk that every snappy stream begins with.
  private static final int SNAPPY_IDENTIFIER = 10;

  /// `abc` by CPython 3.11: gzip.compress(mtime=0), zlib.compress.
  private static final String GZIP_ABC = "1f8b08000000000002034b4c4a0600c241243503000000";

  private static final String ZLIB_ABC = "789c4b4c4a0600024d0127";

  /// `abc` by zstd 1.5.4, with a checksum.
  private static final String ZSTD_ABC = "28b52ffd2403190000616263990977ad";

  @Test
  void readsOtherToolsStreams() throws IOException {
    byte[] abc = {'a', 'b', 'c'};
    assertThat(Bytes.decompress(hex(GZIP_ABC), StreamKind.GZIP)).isEqualTo(abc);
    assertThat(Bytes.decompress(hex(ZLIB_ABC), StreamKind.ZLIB)).isEqualTo(abc);
    assertThat(Bytes.decompress(hex(ZSTD_ABC), StreamKind.ZSTD)).isEqualTo(abc);
  }

  @ParameterizedTest
  @EnumSource(StreamKind.class)
  void noBytesAreAnEmptyStream(StreamKind kind) throws IOException {
    assertThat(Bytes.decompress(new byte[0], kind)).isEmpty();
  }

  @Test
  void gzipMembersAndZstdFramesFollowOneAnother() throws IOException {
    byte[] members = hex(GZIP_ABC + GZIP_ABC + "00000000");
    assertThat(Bytes.decompress(members, StreamKind.GZIP)).asString().isEqualTo("abcabc");
    // a skippable frame of 4 bytes in front, between and after
    String skip = "502a4d1804000000deadbeef";
    byte[] frames = hex(skip + ZSTD_ABC + skip + ZSTD_ABC + skip);
    assertThat(Bytes.decompress(frames, StreamKind.ZSTD)).asString().isEqualTo("abcabc");
    assertThat(trickle(members, StreamKind.GZIP)).asString().isEqualTo("abcabc");
    assertThat(trickle(frames, StreamKind.ZSTD)).asString().isEqualTo("abcabc");
  }

  /// Feeds one byte a read, from a stream that never says what is available.
  private static byte[] trickle(byte[] all, StreamKind kind) throws IOException {
    var slow =
        new InputStream() {
          private int at;

          @Override
          public int read() {
            return at < all.length ? all[at++] & 0xff : -1;
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            if (at == all.length) {
              return -1;
            }
            into[offset] = all[at++];
            return 1;
          }
        };
    return Bytes.readAll(Streams.decompress(Channels.newChannel(slow), kind, "slow"));
  }

  @Test
  void zlibStreamStandsAlone() {
    assertFault(
        hex(ZLIB_ABC + ZLIB_ABC),
        StreamKind.ZLIB,
        3,
        Fault.CORRUPT,
        "bytes follow the end of the zlib stream");
  }

  @Test
  void gzipTrailerCutOrWrong() {
    byte[] whole = hex(GZIP_ABC + GZIP_ABC);
    assertFault(
        Corrupter.cut(whole, whole.length - 4),
        StreamKind.GZIP,
        6,
        Fault.TRUNCATED,
        "gzip stream ends early");
    assertFault(
        Corrupter.flipBit(whole, 8L * (whole.length - 8)),
        StreamKind.GZIP,
        6,
        Fault.CORRUPT,
        "gzip CRC: incorrect data check");
    assertFault(
        Corrupter.flipBit(whole, 8L * (whole.length - 4)),
        StreamKind.GZIP,
        6,
        Fault.CORRUPT,
        "gzip CRC: incorrect length check");
  }

  @Test
  void zstdChecksumWrong() {
    byte[] whole = hex(ZSTD_ABC);
    byte[] bad = Corrupter.flipBit(whole, 8L * whole.length - 1);
    assertThatThrownBy(() -> Bytes.decompress(bad, StreamKind.ZSTD))
        .hasMessageContaining("CORRUPT: zstd checksum is wrong");
  }

  @Test
  void garbageBehindGzipIsReported() {
    assertFault(hex(GZIP_ABC + "41424344"), StreamKind.GZIP, 3, Fault.CORRUPT, "gzip");
  }

  @Test
  void zstdWindowIsBounded() throws IOException {
    byte[] plain = new byte[100_000];
    // magic; no checksum, window of 2^31 bytes; one RLE block, last, of 100000 zeros
    byte[] frame = hex("28b52ffd00a8" + "03350c" + "00");
    assertFault(frame, StreamKind.ZSTD, 0, Fault.LIMIT, "window above the limit of 2^27 bytes");
    var in = Channels.newChannel(new ByteArrayInputStream(frame));
    assertThat(Bytes.readAll(Streams.decompress(in, StreamKind.ZSTD, "long", 31))).isEqualTo(plain);
  }

  /// Law: a stream cut anywhere gives a prefix of its bytes, then a fault; never a clean end.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void cutAnywhere(long seed) throws IOException {
    var random = new Random(seed);
    byte[] plain = Bytes.mixed(seed, 1 + random.nextInt(20_000));
    for (Compression c : StreamsTest.DEFAULTS) {
      byte[] whole = Bytes.compress(plain, c);
      if (c instanceof Compression.Snappy) {
        whole = Arrays.copyOf(whole, whole.length - 1 - random.nextInt(8)); // marks no end
      }
      byte[] cut = Corrupter.cut(whole, 1 + random.nextInt(whole.length - 1));
      if (c instanceof Compression.Snappy && cut.length == SNAPPY_IDENTIFIER) {
        cut = Corrupter.cut(cut, SNAPPY_IDENTIFIER - 1); // by itself it is a stream of nothing
      }
      var got = new ByteArrayOutputStream();
      CorruptDataException fault = readToFault(cut, c.kind(), got);
      assertThat(fault.fault()).isEqualTo(Fault.TRUNCATED);
      assertThat(fault.where().offset()).isEqualTo(got.size());
      assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(plain, got.size()));
    }
  }

  /// Law: a flipped bit never gives other bytes with a clean end. (A few header bits carry nothing:
  /// gzip's time, system and flags of the writer.)
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void flippedBit(long seed) throws IOException {
    var random = new Random(seed);
    byte[] plain = Bytes.mixed(seed, 1 + random.nextInt(20_000));
    for (Compression c : StreamsTest.DEFAULTS) {
      byte[] whole = Bytes.compress(plain, c);
      int bit = random.nextInt(8 * whole.length);
      if (c instanceof Compression.Snappy && bit == 87) {
        bit--; // makes the data chunk one to skip
      }
      byte[] bad = Corrupter.flipBit(whole, bit);
      try {
        assertThat(Bytes.decompress(bad, c.kind())).isEqualTo(plain);
      } catch (CorruptDataException e) {
        assertThat(e.where().file()).isEqualTo("bytes");
      }
    }
  }

  private static void assertFault(
      byte[] compressed, StreamKind kind, int before, Fault fault, String words) {
    var got = new ByteArrayOutputStream();
    CorruptDataException found = readToFault(compressed, kind, got);
    assertThat(got.size()).isEqualTo(before);
    assertThat(found.fault()).isEqualTo(fault);
    assertThat(found).hasMessageContaining(words).hasMessageContaining("[file=bytes");
  }

  private static CorruptDataException readToFault(
      byte[] compressed, StreamKind kind, ByteArrayOutputStream got) {
    ByteBuffer buffer = ByteBuffer.allocate(777);
    try (var in =
        Streams.decompress(
            Channels.newChannel(new ByteArrayInputStream(compressed)), kind, "bytes")) {
      while (in.read(buffer.clear()) >= 0) {
        got.write(buffer.array(), 0, buffer.position());
      }
    } catch (CorruptDataException e) {
      return e;
    } catch (IOException e) {
      throw new AssertionError("not a fault in the data", e);
    }
    throw new AssertionError("a clean end after %d bytes".formatted(got.size()));
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
