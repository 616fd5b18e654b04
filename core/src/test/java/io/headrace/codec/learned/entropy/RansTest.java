package io.headrace.codec.learned.entropy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The entropy coder against CompressAI's: rans.txt, made by generate.py beside it.
final class RansTest {
  private static final int TABLES = 4;
  private static final Pattern WORDS = Pattern.compile(" ");

  /// What CompressAI made of some values: four probabilities, four tables, offsets, rows, values
  /// and the string, a line each.
  private record Case(List<String> lines) {
    float[] pmf(int table) {
      List<String> words = List.of(WORDS.split(lines.get(table)));
      var floats = new float[words.size()];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = Float.parseFloat(words.get(i));
      }
      return floats;
    }

    int[] ints(int line) {
      return WORDS.splitAsStream(lines.get(line)).mapToInt(Integer::parseInt).toArray();
    }

    CdfTables tables() {
      int[] lengths = new int[TABLES];
      Arrays.setAll(lengths, i -> ints(TABLES + i).length);
      int[] all =
          IntStream.range(0, TABLES).flatMap(i -> Arrays.stream(ints(TABLES + i))).toArray();
      return new CdfTables(all, lengths, ints(2 * TABLES));
    }

    int[] rows() {
      return ints(2 * TABLES + 1);
    }

    int[] values() {
      return ints(2 * TABLES + 2);
    }

    byte[] string() {
      return HexFormat.of().parseHex(lines.get(2 * TABLES + 3));
    }
  }

  private static List<Case> cases() throws IOException {
    try (InputStream in = RansTest.class.getResourceAsStream("/learned/rans.txt")) {
      String text =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
      List<String> lines = text.lines().filter(line -> !line.isEmpty()).toList();
      int each = 2 * TABLES + 4;
      return List.of(new Case(lines.subList(0, each)), new Case(lines.subList(each, 2 * each)));
    }
  }

  @Test
  void tablesAreCompressAis() throws IOException {
    for (Case made : cases()) {
      for (int i = 0; i < TABLES; i++) {
        assertThat(CdfTables.quantize(made.pmf(i))).isEqualTo(made.ints(TABLES + i));
      }
    }
  }

  @Test
  void stringsAreCompressAis() throws IOException, DecodeException {
    for (Case made : cases()) {
      assertThat(encode(made.values(), made.rows(), made.tables())).isEqualTo(made.string());
      assertThat(decode(made.string(), made.rows(), made.tables())).isEqualTo(made.values());
    }
  }

  /// Law: what is coded comes back, however far it is from the table, and every cut is found.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyValueComesBack(long seed) throws DecodeException {
    var random = new Random(seed);
    var pmf = new float[random.nextInt(1, 50)];
    for (int i = 0; i < pmf.length; i++) {
      pmf[i] = random.nextFloat();
    }
    int[] cdf = CdfTables.quantize(pmf);
    var tables = new CdfTables(cdf, new int[] {cdf.length}, new int[] {-3});
    int[] values = new int[random.nextInt(1, 100)];
    Arrays.setAll(values, i -> random.nextInt() >> random.nextInt(2, 32));
    int[] rows = new int[values.length];
    byte[] string = encode(values, rows, tables);
    assertThat(decode(string, rows, tables)).isEqualTo(values);
    byte[] cut = Arrays.copyOf(string, string.length - 1);
    assertThatThrownBy(() -> decode(cut, rows, tables))
        .isInstanceOf(DecodeException.class)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.TRUNCATED);
  }

  private static byte[] encode(int[] values, int[] rows, CdfTables tables) {
    var encoder = new RansEncoder();
    for (int i = 0; i < values.length; i++) {
      encoder.put(values[i], rows[i]);
    }
    var string = new byte[encoder.finish(tables)];
    encoder.write(MemorySegment.ofArray(string), 0);
    return string;
  }

  private static int[] decode(byte[] string, int[] rows, CdfTables tables) throws DecodeException {
    var decoder = new RansDecoder();
    decoder.open(MemorySegment.ofArray(string), 0, string.length);
    int[] values = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      values[i] = decoder.next(tables, rows[i]);
    }
    return values;
  }
}
