package io.headrace.codec.stream.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Bytes;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.testkit.Corrupter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Our inflate against zlib's own, which the JDK has.
final class InflateDecoderTest {
  /// `abc` by CPython 3.11: gzip.compress(mtime=0), after ten bytes of header.
  private static final String ABC = "4b4c4a0600c241243503000000";

  /// Law: what zlib writes, with any level, strategy and flushing, comes back, whatever the pieces.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void zlibsStreamsComeBackInAnyPieces(long seed) throws DecodeException {
    var random = new Random(seed);
    byte[] plain = bytes(random, random.nextInt(150_000));
    byte[] stream = deflate(plain, random);
    int piece = 1 << random.nextInt(18);
    int room = 1 << random.nextInt(19);
    assertThat(inflate(stream, false, 1 + random.nextInt(piece), 1 + room)).isEqualTo(plain);
  }

  /// Law: of a damaged stream zlib and ours say the same.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void faultsAreZlibs(long seed) {
    var random = new Random(seed);
    byte[] stream = deflate(bytes(random, 1 + random.nextInt(3000)), random);
    for (int i = 0; i < 10; i++) {
      byte[] bad = Corrupter.flipBit(stream, random.nextInt(8 * Math.min(400, stream.length)));
      assertThat(words(bad, 1 + random.nextInt(500))).isEqualTo(zlibsWords(bad));
    }
  }

  @Test
  void theFarthestAndTheLongestMatchesAreCopied() throws DecodeException {
    byte[] period = new byte[32_768 - 262]; // as far as zlib looks
    new Random(1).nextBytes(period);
    byte[] plain = new byte[20 * period.length];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = i < 17 * period.length ? period[i % period.length] : (byte) (i % 3);
    }
    byte[] stream = deflate(plain, Deflater.BEST_COMPRESSION, Deflater.DEFAULT_STRATEGY, 1 << 20);
    assertThat(stream.length).isLessThan(50_000);
    assertThat(inflate(stream, false, 1 << 20, 1 << 20)).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource({
    "07, invalid block type",
    "01010000ff, invalid stored block lengths",
    "fdff, too many length or distance symbols",
    "050002, invalid code lengths set",
    "05000000, invalid code -- missing end-of-block",
    "1b03, invalid literal/length code", // fixed codes: symbol 286
    "033e, invalid distance code", // a length of 3, symbol 30
    "0302, invalid distance too far back" // a length of 3, symbol 0
  })
  void brokenBlocksAreTold(String block, String words) {
    byte[] stream = HexFormat.of().parseHex("789c" + block + "00".repeat(50));
    assertThat(zlibsWords(stream)).isEqualTo(words);
    assertThat(words(stream, 1)).isEqualTo(words);
    assertThat(words(stream, 100)).isEqualTo(words);
  }

  @Test
  void aPresetDictionaryIsUnsupported() {
    assertThatThrownBy(() -> inflate(HexFormat.of().parseHex("78bb00000001"), false, 9, 9))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNSUPPORTED));
  }

  /// All fields that RFC 1952 has, the name longer than any buffer.
  @Test
  void gzipHeadersArePassedOver() throws DecodeException {
    var header = new ByteArrayOutputStream();
    header.writeBytes(HexFormat.of().parseHex("1f8b081f000000000203"));
    header.writeBytes(HexFormat.of().parseHex("0500aabb0100cc"));
    byte[] name = new byte[100_000];
    Arrays.fill(name, (byte) 'n');
    header.writeBytes(name);
    header.write(0);
    header.writeBytes("comment\0".getBytes(StandardCharsets.US_ASCII));
    var crc = new CRC32();
    crc.update(header.toByteArray());
    for (int wrong = 0; wrong < 2; wrong++) {
      var whole = new ByteArrayOutputStream();
      whole.writeBytes(header.toByteArray());
      whole.write((int) crc.getValue() ^ wrong);
      whole.write((int) crc.getValue() >> 8);
      whole.writeBytes(HexFormat.of().parseHex(ABC));
      byte[] stream = whole.toByteArray();
      if (wrong == 0) {
        for (int piece : new int[] {1, 7, stream.length}) {
          assertThat(inflate(stream, true, piece, 2)).asString().isEqualTo("abc");
        }
      } else {
        assertThatThrownBy(() -> inflate(stream, true, 1000, 100))
            .hasMessageContaining("gzip: header crc mismatch");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1f8c0800000000000003, incorrect header check",
    "1f8b0700000000000003, unknown compression method",
    "1f8b08e0000000000003, unknown header flags set"
  })
  void brokenGzipHeadersAreTold(String header, String words) {
    byte[] stream = HexFormat.of().parseHex(header + ABC);
    for (int piece : new int[] {1, 100}) {
      assertThatThrownBy(() -> inflate(stream, true, piece, 100))
          .hasMessageContaining("gzip: " + words);
    }
  }

  /// Law: whatever became of a stream (damaged, cut short, left in the middle), the next one is
  /// read as by a new decoder.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void aResetForgetsTheStreamBefore(long seed) throws DecodeException {
    var random = new Random(seed);
    try (var decoder = new InflateDecoder(false)) {
      for (int i = 0; i < 5; i++) {
        byte[] plain = bytes(random, 1 + random.nextInt(20_000));
        byte[] stream = deflate(plain, random);
        byte[] before =
            random.nextBoolean()
                ? Corrupter.flipBit(stream, random.nextInt(8 * stream.length))
                : Arrays.copyOf(stream, random.nextInt(stream.length));
        try {
          int most = 1 + random.nextInt(plain.length);
          byte[] _ = inflate(decoder, before, 1 + random.nextInt(5000), 700, most);
        } catch (DecodeException e) {
          assertThat(e.getMessage()).isNotEmpty(); // as was to be expected
        }
        decoder.reset();
        int piece = 1 + random.nextInt(5000);
        assertThat(inflate(decoder, stream, piece, 900, Integer.MAX_VALUE)).isEqualTo(plain);
        decoder.reset();
      }
    }
  }

  /// What follows a stream is left in the buffer.
  @Test
  void takesNoByteBehindTheEnd() throws DecodeException {
    byte[] stream = deflate(new byte[1000], 6, Deflater.DEFAULT_STRATEGY, 1000);
    ByteBuffer in = ByteBuffer.allocateDirect(stream.length + 100);
    in.put(3, stream).position(3);
    ByteBuffer out = ByteBuffer.allocateDirect(2000);
    try (var decoder = new InflateDecoder(false)) {
      assertThat(decoder.decode(in, out)).isTrue();
    }
    assertThat(in.position()).isEqualTo(3 + stream.length);
    assertThat(out.position()).isEqualTo(1000);
  }

  private static byte[] bytes(Random random, int length) {
    byte[] mixed = Bytes.mixed(random.nextLong(), length);
    int few = 1 << random.nextInt(9);
    for (int i = 0; i < length && few < 256; i++) {
      mixed[i] = (byte) (random.nextInt(few) * random.nextInt(few) / few);
    }
    return mixed;
  }

  private static byte[] deflate(byte[] plain, Random random) {
    int strategy = random.nextInt(3);
    return deflate(plain, random.nextInt(10), strategy, 1 + random.nextInt(100_000));
  }

  private static byte[] deflate(byte[] plain, int level, int strategy, int flushEach) {
    var sink = new ByteArrayOutputStream();
    byte[] part = new byte[1 << 16];
    try (var deflater = new Deflater(level)) {
      deflater.setStrategy(strategy);
      for (int at = 0; at < plain.length; at += flushEach) {
        deflater.setInput(plain, at, Math.min(flushEach, plain.length - at));
        int n;
        do {
          n = deflater.deflate(part, 0, part.length, Deflater.SYNC_FLUSH);
          sink.write(part, 0, n);
        } while (n == part.length || !deflater.needsInput());
      }
      deflater.finish();
      while (!deflater.finished()) {
        sink.write(part, 0, deflater.deflate(part));
      }
    }
    return sink.toByteArray();
  }

  private static byte[] inflate(byte[] stream, boolean gzip, int piece, int room)
      throws DecodeException {
    try (var decoder = new InflateDecoder(gzip)) {
      return inflate(decoder, stream, piece, room, Integer.MAX_VALUE);
    }
  }

  /// @param most bytes to take, but for the last room full
  private static byte[] inflate(
      InflateDecoder decoder, byte[] stream, int piece, int room, int most) throws DecodeException {
    var sink = new ByteArrayOutputStream();
    ByteBuffer in = ByteBuffer.allocateDirect(stream.length).put(stream).flip().limit(0);
    ByteBuffer out = ByteBuffer.allocateDirect(room);
    byte[] part = new byte[room];
    boolean ended = false;
    while (!ended && sink.size() < most) {
      if (!in.hasRemaining() && out.position() == 0) {
        if (in.limit() == stream.length) {
          throw new DecodeException(Fault.TRUNCATED, "ends early");
        }
        in.limit(Math.min(stream.length, in.limit() + piece));
      }
      ended = decoder.decode(in, out.clear());
      int n = out.position();
      out.get(0, part, 0, n);
      sink.write(part, 0, n);
    }
    return sink.toByteArray();
  }

  /// {@return what ours says of a stream; empty if nothing}
  private static String words(byte[] stream, int piece) {
    try {
      byte[] _ = inflate(stream, false, piece, 1000);
      return "";
    } catch (DecodeException e) {
      String words = String.valueOf(e.getMessage());
      return words.substring(words.indexOf(": ") < 0 ? 0 : words.indexOf(": ") + 2);
    }
  }

  private static String zlibsWords(byte[] stream) {
    byte[] out = new byte[1 << 20];
    try (var inflater = new Inflater()) {
      inflater.setInput(stream);
      while (!inflater.finished()) {
        if (inflater.inflate(out) == 0 && !inflater.finished()) {
          return inflater.needsDictionary() ? "zlib stream with a preset dictionary" : "ends early";
        }
      }
      return "";
    } catch (DataFormatException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
