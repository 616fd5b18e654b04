package io.headrace.codec.jpeg.entropy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.jpeg.StandardTables;
import io.headrace.codec.jpeg.coefficients.Jpegs;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class HuffmanCodeTest {
  private final HuffmanCode code = new HuffmanCode();

  /// Counts symbols, and gives the bits that the best code takes.
  private long optimal(int[] counts) throws DecodeException {
    try (var tokens = new Tokens(MemoryBudget.unbounded())) {
      tokens.clear();
      for (int symbol = 0; symbol < counts.length; symbol++) {
        for (int i = 0; i < counts[symbol]; i++) {
          tokens.room(1);
          tokens.symbol(0, symbol, 0, 0);
        }
      }
      code.optimal(tokens, 0);
    }
    long bits = 0;
    double kraft = 0;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      int length = code.code(symbol) & 31;
      assertThat(length > 0).isEqualTo(counts[symbol] > 0);
      assertThat(length).isLessThanOrEqualTo(16);
      if (length > 0) {
        kraft += 1.0 / (1 << length);
        assertThat(code.code(symbol) >>> 5).as("all ones").isNotEqualTo((1 << length) - 1);
      }
      bits += (long) length * counts[symbol];
    }
    assertThat(kraft).isLessThan(1);
    return bits;
  }

  /// Law: what is written reads back, symbol by symbol.
  private void readsBack(int[] counts) throws DecodeException {
    try (var block = new Block(MemoryBudget.unbounded())) {
      var out = new JpegOutput(block);
      code.write(out, 0);
      var table = new HuffmanTable();
      assertThat(table.read(block.memory(), 5, out.size())).isEqualTo(out.size());
      for (int symbol = 0; symbol < counts.length; symbol++) {
        int length = code.code(symbol) & 31;
        if (length > 0) {
          int entry = table.find((code.code(symbol) >>> 5) << (16 - length));
          assertThat(entry).isEqualTo(length | (symbol << 8));
        }
      }
    }
  }

  @Test
  void oneSymbolTakesOneBit() throws DecodeException {
    int[] counts = new int[256];
    counts[0xf0] = 7;
    assertThat(optimal(counts)).isEqualTo(7);
    readsBack(counts);
  }

  @Test
  void lopsidedCountsStayWithin16Bits() throws DecodeException {
    int[] counts = new int[256];
    int a = 1;
    int b = 1;
    for (int symbol = 0; symbol < 24; symbol++) { // Fibonacci: as lopsided as can be
      counts[symbol] = a;
      int next = a + b;
      a = b;
      b = next;
    }
    optimal(counts);
    readsBack(counts);
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void bitsAreWithinOneASymbolOfTheEntropy(long seed) throws DecodeException {
    Random random = new Random(seed);
    int[] counts = new int[256];
    double total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) Math.max(0, Math.exp(random.nextDouble(6)) * random.nextInt(3) - 1);
      total += counts[i];
    }
    double entropy = 0;
    for (int count : counts) {
      entropy += count == 0 ? 0 : count * Math.log(total / count) / Math.log(2);
    }
    assertThat((double) optimal(counts)).isBetween(entropy, entropy + total * 1.02 + 20);
    readsBack(counts);
  }

  @Test
  void standardTablesAreThoseOfOtherEncoders() {
    byte[] jpeg = Jpegs.named("jpeg/baseline.jpg"); // by cjpeg
    String text = new String(jpeg, StandardCharsets.ISO_8859_1);
    for (int slot = 0; slot < 4; slot++) {
      MemorySegment table = StandardTables.table(slot >> 1, slot & 1);
      byte[] bytes = table.toArray(JAVA_BYTE);
      assertThat(text).contains(new String(bytes, StandardCharsets.ISO_8859_1));
    }
  }
}
