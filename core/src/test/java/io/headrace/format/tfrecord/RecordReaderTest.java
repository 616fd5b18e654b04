package io.headrace.format.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
  private static final byte[] ABC = {'a', 'b', 'c'};
  private static final byte[] DEF = {'d', 'e', 'f'};
  private static final List<Compression> KINDS =
      List.of(
          new Compression.None(),
          Zlib.DEFAULT,
          Gzip.DEFAULT,
          Zstd.DEFAULT,
          Compression.Lz4.DEFAULT,
          new Compression.Snappy(),
          new Compression.Xz(0),
          new Compression.Bzip2(1),
          new Compression.Lzma(0),
          new Compression.Lzop());

  @Test
  void framingIsTensorFlows() {
    byte[] check = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(new MaskedCrc().of(MemorySegment.ofArray(check)))
        .isEqualTo(MaskedCrc.mask(0xe3069283));
    assertThat(HexFormat.of().formatHex(Records.plain(ABC)))
        .isEqualTo("0300000000000000b099490e6162636e57f121");
    assertThat(HexFormat.of().formatHex(Records.plain(new byte[0])))
        .isEqualTo("000000000000000029039807d8ea82a2");
  }

  /// Odd input 3: a length that is not backed by data takes no memory.
  @ParameterizedTest
  @CsvSource({
    "00000000000000407f85f00000000000, 4611686018427387904",
    "03000000010000002bff39e16162636e57f121, 4294967299",
    "ffffffffffffffffa67b113a, 18446744073709551615"
  })
  void absurdLengthIsTruncatedAndTakesNoMemory(String hex, String declared) throws IOException {
    byte[] file = HexFormat.of().parseHex(hex);
    for (Compression compression : KINDS) {
      var sink = new ByteArrayOutputStream();
      try (var out = Streams.compress(Channels.newChannel(sink), compression)) {
        int _ = out.write(java.nio.ByteBuffer.wrap(file));
      }
      boolean known = compression.kind() == StreamKind.NONE;
      var in = Channels.newChannel(new ByteArrayInputStream(sink.toByteArray()));
      var budget = new MemoryBudget(1L << 40);
      try (var block = new Block(budget);
          var reader =
              new RecordReader(
                  Streams.decompress(in, compression.kind(), "f"), "f", known ? file.length : -1)) {
        assertThatThrownBy(() -> reader.next(block))
            .isInstanceOfSatisfying(
                CorruptDataException.class,
                e -> {
                  assertThat(e.fault()).isEqualTo(Fault.TRUNCATED);
                  assertThat(e.where().record()).isZero();
                  assertThat(e.where().offset()).isZero();
                  assertThat(e.reason())
                      .contains("the last %d bytes are dropped".formatted(file.length));
                });
        assertThat(reader.resumable()).isFalse();
        assertThat(reader.next(block)).isEqualTo(-1);
        assertThat(budget.peak()).isLessThan(4L << 20);
      }
      if (known) {
        assertThat(Records.read(file).faults().getFirst().reason()).contains(declared);
      }
    }
  }

  /// Odd input 5.
  @Test
  void brokenLengthCrcDropsTheRestOfTheFile() throws IOException {
    byte[] bad = Corrupter.flipBit(Records.plain(5, 100), 8 * (232 + 3));
    var outcome = Records.read(bad);
    assertThat(outcome.lengths()).containsExactly(100, 100);
    CorruptDataException fault = outcome.faults().getFirst();
    assertThat(fault.fault()).isEqualTo(Fault.CORRUPT);
    assertThat(fault)
        .hasMessageContaining("length CRC-32C")
        .hasMessageContaining("the last 348 bytes are dropped")
        .hasMessageContaining("[file=f, record=2, offset=232]");
    // the same through a stream whose size nobody knows
    var unknown = Records.read(bad, StreamKind.NONE);
    assertThat(unknown.faults().getFirst()).hasMessage(fault.getMessage());
  }

  /// Odd input 7.
  @ParameterizedTest
  @ValueSource(ints = {232 + 5, 232 + 12, 232 + 12 + 50, 232 + 12 + 100, 232 + 12 + 100 + 2})
  void partialFinalRecordIsTruncated(int length) throws IOException {
    byte[] cut = Corrupter.cut(Records.plain(3, 100), length);
    for (var outcome : List.of(Records.read(cut), Records.read(cut, StreamKind.NONE))) {
      assertThat(outcome.lengths()).containsExactly(100, 100);
      CorruptDataException fault = outcome.faults().getFirst();
      assertThat(fault.fault()).isEqualTo(Fault.TRUNCATED);
      assertThat(fault.where().record()).isEqualTo(2);
      assertThat(fault.where().offset()).isEqualTo(232);
      assertThat(fault).hasMessageContaining("last %d bytes".formatted(length - 232));
    }
  }

  @Test
  void cutBetweenRecordsIsACleanEnd() throws IOException {
    var outcome = Records.read(Corrupter.cut(Records.plain(3, 100), 232));
    assertThat(outcome.lengths()).containsExactly(100, 100);
    assertThat(outcome.faults()).isEmpty();
  }

  @Test
  void brokenPayloadIsReportedAndReadingGoesOn() throws IOException {
    byte[] bad = Corrupter.flipBit(Records.plain(5, 100), 8 * (116 + 12 + 7));
    var outcome = Records.read(bad);
    assertThat(outcome.payloads()).hasSize(4);
    assertThat(outcome.faults())
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageContaining("payload CRC-32C"))
        .satisfies(e -> assertThat(e).hasMessageContaining("[file=f, record=1, offset=116]"));
  }

  /// Odd input 11: one record a member; and a record over two members.
  @Test
  void concatenatedGzipMembersAreAllRead() throws IOException {
    byte[] two = join(gzip(Records.plain(ABC)), gzip(Records.plain(DEF)));
    byte[] whole = Records.plain(ABC, DEF);
    assertThat(whole).hasSize(38);
    byte[] split = join(gzip(Arrays.copyOf(whole, 12)), gzip(Arrays.copyOfRange(whole, 12, 38)));
    for (byte[] file : List.of(two, split)) {
      for (var outcome :
          List.of(
              Records.read(file, StreamKind.GZIP),
              Records.read(new Trickle(file, 1), StreamKind.GZIP, -1))) {
        assertThat(outcome.faults()).isEmpty();
        assertThat(outcome.payloads()).containsExactly(ABC, DEF);
      }
    }
  }

  /// Odd input 13.
  @Test
  void gzipTrailerCutOrWrongIsReportedAfterTheRecords() throws IOException {
    byte[] two = join(gzip(Records.plain(ABC)), gzip(Records.plain(DEF)));
    var cut = Records.read(Corrupter.cut(two, two.length - 4), StreamKind.GZIP);
    assertThat(cut.payloads()).containsExactly(ABC, DEF);
    assertThat(cut.faults()).singleElement().extracting("fault").isEqualTo(Fault.TRUNCATED);
    var bad = Records.read(Corrupter.flipBit(two, 8L * (two.length - 8)), StreamKind.GZIP);
    assertThat(bad.payloads()).containsExactly(ABC, DEF);
    assertThat(bad.faults())
        .singleElement()
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.CORRUPT))
        .satisfies(e -> assertThat(e).hasMessageContaining("gzip CRC"))
        .satisfies(e -> assertThat(e).hasMessageContaining("record=2, offset=38"));
  }

  /// Odd input 17.
  @Test
  void largeRecordThroughTinyReads() throws IOException {
    int length = 70 << 20;
    byte[] file = Records.write(List.of(new byte[length]), Gzip.DEFAULT);
    assertThat(file.length).isLessThan(80_000);
    var outcome = Records.read(new Trickle(file, 7), StreamKind.GZIP, -1);
    assertThat(outcome.faults()).isEmpty();
    assertThat(outcome.lengths()).containsExactly(73_400_320);
    assertThat(Arrays.mismatch(outcome.payloads().getFirst(), new byte[length])).isEqualTo(-1);
  }

  @Test
  void recordBeyondTheBudgetIsPassedOver() throws IOException {
    byte[] file = Records.plain(ABC, new byte[100_000], DEF);
    for (long size : new long[] {file.length, -1}) {
      var in = Channels.newChannel(new ByteArrayInputStream(file));
      try (var reader = new RecordReader(in, "f", size);
          var block = new Block(new MemoryBudget(50_000))) {
        assertThat(reader.next(block)).isEqualTo(3);
        assertThatThrownBy(() -> reader.next(block))
            .hasMessageContaining("LIMIT: record of 100000 bytes needs");
        assertThat(reader.resumable()).isTrue();
        assertThat(reader.next(block)).isEqualTo(3);
        assertThat(reader.record()).isEqualTo(2);
        assertThat(reader.next(block)).isEqualTo(-1);
      }
    }
  }

  /// Law: a flipped bit is reported, never returned.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void flippedBit(long seed) throws IOException {
    var random = new Random(seed);
    List<byte[]> payloads = Records.payloads(1 + random.nextInt(5), random.nextInt(300));
    byte[] file = Records.write(payloads, new Compression.None());
    var outcome = Records.read(Corrupter.flipBit(file, random.nextInt(8 * file.length)));
    assertThat(outcome.faults()).hasSize(1);
    assertThat(payloads).usingElementComparator(Arrays::compare).containsAll(outcome.payloads());
  }

  /// Law: a file cut anywhere gives its first records, then a fault unless cut between two.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void cutAnywhere(long seed) throws IOException {
    var random = new Random(seed);
    int length = random.nextInt(300);
    List<byte[]> payloads = Records.payloads(1 + random.nextInt(5), length);
    for (Compression compression : KINDS) {
      byte[] file = Records.write(payloads, compression);
      int cut = 1 + random.nextInt(file.length - 1);
      var outcome = Records.read(Corrupter.cut(file, cut), compression.kind());
      boolean between = compression.kind() == StreamKind.NONE && cut % (length + 16) == 0;
      // Snappy's framing has no end mark: after its 10-byte identifier an empty stream ends.
      boolean clean = between || (compression instanceof Compression.Snappy && cut == 10);
      assertThat(outcome.faults()).hasSize(clean ? 0 : 1);
      int n = outcome.payloads().size();
      assertThat(outcome.payloads())
          .usingElementComparator(Arrays::compare)
          .isEqualTo(payloads.subList(0, n));
    }
  }

  /// Law: large records, which pass the buffer by with the next header, among small ones come back;
  /// of a file cut anywhere the first ones, then a fault at the place where the next begins.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void largeAndSmallRecordsInTurn(long seed) throws IOException {
    var random = new Random(seed);
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] payload = new byte[random.nextInt(random.nextBoolean() ? 100 : 60_000)];
      random.nextBytes(payload);
      payloads.add(payload);
    }
    byte[] file = Records.write(payloads, new Compression.None());
    byte[] cut = Corrupter.cut(file, 1 + random.nextInt(file.length - 1));
    for (boolean sized : new boolean[] {true, false}) {
      var all = sized ? Records.read(file) : Records.read(file, StreamKind.NONE);
      assertThat(all.faults()).isEmpty();
      assertThat(all.payloads()).usingElementComparator(Arrays::compare).isEqualTo(payloads);
      var outcome = sized ? Records.read(cut) : Records.read(cut, StreamKind.NONE);
      int n = outcome.payloads().size();
      List<byte[]> first = payloads.subList(0, n);
      assertThat(outcome.payloads()).usingElementComparator(Arrays::compare).isEqualTo(first);
      long end = first.stream().mapToLong(p -> p.length + 16L).sum();
      assertThat(outcome.faults()).hasSize(end == cut.length ? 0 : 1);
      for (CorruptDataException fault : outcome.faults()) {
        assertThat(fault.where().record()).isEqualTo(n);
        assertThat(fault.where().offset()).isEqualTo(end);
      }
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    var sink = new ByteArrayOutputStream();
    try (var out = new java.util.zip.GZIPOutputStream(sink)) {
      out.write(plain);
    }
    return sink.toByteArray();
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }

  /// Hands out a few bytes a read, and says that nothing is available.
  private static final class Trickle extends InputStream {
    private final byte[] bytes;
    private final int most;
    private int at;

    Trickle(byte[] bytes, int most) {
      this.bytes = bytes;
      this.most = most;
    }

    @Override
    public int read() {
      return at < bytes.length ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int n = Math.min(Math.min(most, length), bytes.length - at);
      System.arraycopy(bytes, at, into, offset, n);
      at += n;
      return n == 0 && length > 0 ? -1 : n;
    }
  }
}
