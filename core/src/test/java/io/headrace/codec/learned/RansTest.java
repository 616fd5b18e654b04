package io.headrace.codec.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The entropy coder against CompressAI's: rans.txt, made by generate.py beside it.
final class RansTest {
  private static final int TABLES = 4;

  /// What CompressAI made of some values.
  private record Case(
      List<float[]> pmfs, List<int[]> cdfs, int[] offsets, int[] rows, int[] values, byte[] string) {
    CdfTables tables() {
      int[] lengths = cdfs.stream().mapToInt(cdf -> cdf.length).toArray();
      return new CdfTables(
          cdfs.stream().flatMapToInt(Arrays::stream).toArray(), lengths, offsets);
    }
  }

  private static List<Case> cases() throws IOException {
    try (InputStream in = RansTest.class.getResourceAsStream("/learned/rans.txt")) {
      String text =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
      List<Case> cases = new ArrayList<>();
      for (String block : text.split("\n\n")) {
        List<String> lines = block.lines().filter(line -> !line.isEmpty()).toList();
        cases.add(
            new Case(
                lines.subList(0, TABLES).stream().map(RansTest::floats).toList(),
                lines.subList(TABLES, 2 * TABLES).stream().map(RansTest::ints).toList(),
                ints(lines.get(2 * TABLES)),
                ints(lines.get(2 * TABLES + 1)),
                ints(lines.get(2 * TABLES + 2)),
                HexFormat.of().parseHex(lines.get(2 * TABLES + 3))));
      }
      return cases;
    }
  }

  private static float[] floats(String line) {
    String[] words = line.split(" ");
    var floats = new float[words.length];
    for (int i = 0; i < words.length; i++) {
      floats[i] = Float.parseFloat(words[i]);
    }
    return floats;
  }

  private static int[] ints(String line) {
    return Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  @Test
  void tablesAreCompressAis() throws IOException {
    assertThat(cases()).hasSize(2);
    for (Case made : cases()) {
      for (int i = 0; i < TABLES; i++) {
        assertThat(CdfTables.quantize(made.pmfs.get(i))).isEqualTo(made.cdfs.get(i));
      }
    }
  }

  @Test
  void stringsAreCompressAis() throws IOException, DecodeException {
    for (Case made : cases()) {
      assertThat(encode(made.values, made.rows, made.tables())).isEqualTo(made.string);
      assertThat(decode(made.string, made.rows, made.tables())).isEqualTo(made.values);
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

  private static int[] decode(byte[] string, int[] rows, CdfTables tables)
      throws DecodeException {
    var decoder = new RansDecoder();
    decoder.open(MemorySegment.ofArray(string));
    int[] values = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      values[i] = decoder.next(tables, rows[i]);
    }
    return values;
  }
}
