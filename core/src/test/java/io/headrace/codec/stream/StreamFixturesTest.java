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
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.HexFormat;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams that other implementations wrote, and what LZ4, Snappy, xz and bzip2 may and may not
/// hold.
class StreamFixturesTest {
  private static final byte[] ABC = {'a', 'b', 'c'};

  /// `abc` stored in one block, no checksums, by the frame format's own description.
  private static final String LZ4_ABC = "04224d18604082" + "03000080616263" + "00000000";

  /// As `plain` in generate.py.
  private static byte[] plain() {
    byte[] out = new byte[150_000];
    int length = 0;
    int state = 1;
    while (length < out.length) {
      state = state * 1664525 + 1013904223;
      int word = state >>> 16 & 0xff;
      int back = (word + 1) * 7;
      if (word % 5 == 0) {
        int end = Math.min(out.length, length + 1 + (word >> 6));
        Arrays.fill(out, length, end, (byte) (word & 0x3f));
        length = end;
      } else {
        int from = Math.max(0, length - back);
        int bytes = Math.min(Math.min(word % 41, length - from), out.length - length);
        System.arraycopy(out, from, out, length, bytes);
        length += bytes;
      }
    }
    return out;
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = StreamFixturesTest.class.getResourceAsStream("/stream/" + name)) {
      if (in == null) {
        throw new IOException("no fixture " + name);
      }
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "linked.lz4, LZ4",
    "independent.lz4, LZ4",
    "frames.lz4, LZ4",
    "framed.sz, SNAPPY",
    "streams.xz, XZ",
    "streams.bz2, BZIP2",
    "streams.lzo, LZOP",
    "plain.lzo, LZOP"
  })
  void otherImplementationsStreamsAreRead(String file, StreamKind kind) throws IOException {
    byte[] stream = resource(file);
    assertThat(StreamKind.sniff(MemorySegment.ofArray(stream))).isEqualTo(kind);
    assertThat(Bytes.decompress(stream, kind)).isEqualTo(plain());
    byte[] twice = Arrays.copyOf(stream, 2 * stream.length);
    System.arraycopy(stream, 0, twice, stream.length, stream.length);
    assertThat(Bytes.decompress(twice, kind)).hasSize(300_000).endsWith(plain());
  }

  @Test
  void lzmaStandsAlone() throws IOException {
    byte[] stream = resource("alone.lzma");
    assertThat(StreamKind.sniff(MemorySegment.ofArray(stream))).isEqualTo(StreamKind.LZMA);
    assertThat(Bytes.decompress(stream, StreamKind.LZMA)).isEqualTo(plain());
    byte[] more = Arrays.copyOf(stream, stream.length + 1);
    assertThatThrownBy(() -> Bytes.decompress(more, StreamKind.LZMA))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("lzma: bytes follow the end of the stream");
  }

  @Test
  void whatIsWrittenIsDeterministicAndStartsWithItsMagic() throws IOException {
    for (Compression compression : StreamsTest.DEFAULTS) {
      byte[] once = Bytes.compress(plain(), compression);
      assertThat(Bytes.compress(plain(), compression)).isEqualTo(once);
      assertThat(StreamKind.sniff(MemorySegment.ofArray(once))).isEqualTo(compression.kind());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lz4:level=12,blocksize=7",
        "lz4:blocksize=4,blockchecksum=true,checksum=false",
        "xz:level=0",
        "xz:level=6",
        "bzip2:level=1",
        "lzma:level=0",
        "lzma",
        "lzop",
        "snappy"
      })
  void everyOptionComesBack(String spec) throws IOException {
    Compression compression = Compression.parse(spec);
    byte[] compressed = Bytes.compress(plain(), compression);
    assertThat(compressed.length).isLessThan(100_000);
    assertThat(Bytes.decompress(compressed, compression.kind())).isEqualTo(plain());
    byte[] nothing = Bytes.compress(new byte[0], compression, Buffering.DEFAULT, 1, false);
    assertThat(nothing).isNotEmpty();
    assertThat(Bytes.decompress(nothing, compression.kind())).isEmpty();
  }

  @Test
  void lz4ByHand() throws IOException {
    assertThat(Bytes.decompress(hex(LZ4_ABC), StreamKind.LZ4)).isEqualTo(ABC);
    assertThat(Bytes.decompress(hex("5f2a4d1800000000" + LZ4_ABC), StreamKind.LZ4)).isEqualTo(ABC);
  }

  @ParameterizedTest
  @CsvSource({
    "04224d18604083, CORRUPT, header checksum",
    "04224d1860408203000080616263, TRUNCATED, ends early",
    "04224d18604082ffffff7f, CORRUPT, block of 2147483647 bytes",
    "04224d1860408201000000ff, CORRUPT, lz4",
    "02214c1800000000, UNSUPPORTED, legacy frame",
    "deadbeef, CORRUPT, frame begins with"
  })
  void badLz4(String bytes, Fault fault, String words) {
    assertFault(hex(bytes), StreamKind.LZ4, fault, words);
  }

  @ParameterizedTest
  @CsvSource({
    "00050000a1b2c3d4ff, CORRUPT, begins with a chunk of type 00",
    "ff060000734e61507058, CORRUPT, not sNaPpY",
    "ff060000734e6150705902000000, UNSUPPORTED, reserved type 02",
    "ff060000734e6150705901030000, CORRUPT, data chunk of 3 bytes",
    "ff060000734e6150705900ffffff, CORRUPT, data chunk of 16777215 bytes",
    "ff060000734e61507059010500000000000061, CORRUPT, checksum",
    "ff060000734e6150705900090000000000ffffffff0f00, CORRUPT, chunk",
    "ff060000734e61507059fe050000aa, TRUNCATED, ends early"
  })
  void badSnappy(String bytes, Fault fault, String words) {
    assertFault(hex(bytes), StreamKind.SNAPPY, fault, words);
  }

  @Test
  void xzDictionaryIsBounded() throws IOException {
    byte[] xz = Bytes.compress(plain(), new Compression.Xz(6)); // 8 MiB
    var in = Channels.newChannel(new ByteArrayInputStream(xz));
    Assertions.assertThatThrownBy(
            () -> Bytes.readAll(Streams.decompress(in, StreamKind.XZ, "bytes", 20)))
        .hasMessageContaining("LIMIT: xz dictionary above the limit of 2^20 bytes");
    assertFault(hex("fd377a585a000004e6d6b447"), StreamKind.XZ, Fault.CORRUPT, "xz");
    assertFault(hex("fd377a585a"), StreamKind.XZ, Fault.TRUNCATED, "xz stream ends early");
  }

  @Test
  void garbageBehindBzip2IsReportedAfterItsBytes() throws IOException {
    byte[] good = Bytes.compress(ABC, new Compression.Bzip2(1));
    byte[] bad = Arrays.copyOf(good, good.length + 4);
    assertFault(bad, StreamKind.BZIP2, Fault.CORRUPT, "bzip2");
    assertFault(Corrupter.cut(good, 9), StreamKind.BZIP2, Fault.TRUNCATED, "bzip2");
  }

  private static void assertFault(byte[] stream, StreamKind kind, Fault fault, String words) {
    var got = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1000);
    Assertions.assertThatThrownBy(
            () -> {
              try (var in =
                  Streams.decompress(
                      Channels.newChannel(new ByteArrayInputStream(stream)), kind, "bytes")) {
                while (in.read(buffer.clear()) >= 0) {
                  got.write(buffer.array(), 0, buffer.position());
                }
              }
            })
        .isInstanceOf(CorruptDataException.class)
        .hasMessageStartingWith(fault.name())
        .hasMessageContaining(words);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
