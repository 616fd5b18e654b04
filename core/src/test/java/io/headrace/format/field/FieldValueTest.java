package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.memory.FieldType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A value is what its bytes are, and numbers come out as they went in.
final class FieldValueTest {
  private final FieldValue value = new FieldValue();

  private FieldValue text(String text) throws DecodeException {
    value.read(MemorySegment.ofArray(text.getBytes(UTF_8)));
    return value;
  }

  private FieldValue npy(String name) throws IOException, DecodeException {
    try (InputStream in = FieldValueTest.class.getResourceAsStream("/fields/" + name + ".npy")) {
      value.read(MemorySegment.ofArray(in.readAllBytes()));
    }
    return value;
  }

  private double[] doubles() throws DecodeException {
    MemorySegment all = MemorySegment.ofArray(new byte[(int) (8 * value.count())]);
    value.copyTo(FieldType.FLOAT64, all);
    return all.toArray(JAVA_DOUBLE_UNALIGNED);
  }

  private long[] longs() throws DecodeException {
    MemorySegment all = MemorySegment.ofArray(new byte[(int) (8 * value.count())]);
    value.copyTo(FieldType.INT64, all);
    return all.toArray(JAVA_LONG_UNALIGNED);
  }

  /// Law: an array that NumPy saved has the elements that NumPy saved, in rows, whatever its order.
  @ParameterizedTest
  @CsvSource({
    "plain,INT32,0,1",
    "second,INT64,0,1",
    "columns,INT16,0,1",
    "swapped,FLOAT64,-12,1",
    "half,FLOAT16,0,0.125",
    "bytes,UINT8,0,10"
  })
  void arraysOfNumPy(String name, FieldType type, double first, double step)
      throws IOException, DecodeException {
    npy(name);
    assertThat(value.kind()).isEqualTo(FieldValue.Kind.NUMBERS);
    assertThat(value.type()).isEqualTo(type);
    assertThat(value.shape()).containsExactly(2, 3, 4);
    double[] expected = new double[24];
    Arrays.setAll(expected, i -> first + step * i);
    assertThat(doubles()).containsExactly(expected);
    byte[] own = new byte[24 * type.bytes()];
    value.copyTo(type, MemorySegment.ofArray(own)); // and in its own type
    var again = new FieldValue();
    byte[] head = Npy.head(type, List.of(2, 3, 4));
    byte[] all = Arrays.copyOf(head, head.length + own.length);
    System.arraycopy(own, 0, all, head.length, own.length);
    again.read(MemorySegment.ofArray(all));
    MemorySegment copied = MemorySegment.ofArray(new byte[8 * 24]);
    again.copyTo(FieldType.FLOAT64, copied);
    assertThat(copied.toArray(JAVA_DOUBLE_UNALIGNED)).containsExactly(expected);
  }

  @Test
  void oddArrays() throws IOException, DecodeException {
    npy("truth");
    assertThat(value.type()).isEqualTo(FieldType.BOOL);
    assertThat(longs()).startsWith(1, 0, 0, 1);
    npy("wide");
    assertThat(value.type()).isEqualTo(FieldType.UINT64);
    assertThatThrownBy(this::longs)
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("18446744073709551592 is no int64");
    byte[] wide = new byte[8 * 24];
    value.copyTo(FieldType.UINT64, MemorySegment.ofArray(wide));
    assertThat(MemorySegment.ofArray(wide).get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(-24);
    npy("single");
    assertThat(value.shape()).isEmpty();
    assertThat(doubles()).containsExactly(2.5);
    npy("none");
    assertThat(value.shape()).containsExactly(0, 4);
    assertThat(value.count()).isZero();
    assertThatThrownBy(() -> npy("words"))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("none of plain numbers");
  }

  @Test
  void damagedArraysAreReported() throws IOException {
    byte[] whole;
    try (InputStream in = FieldValueTest.class.getResourceAsStream("/fields/plain.npy")) {
      whole = in.readAllBytes();
    }
    for (int length : new int[] {12, 40, whole.length - 1}) {
      assertThatThrownBy(() -> value.read(MemorySegment.ofArray(Arrays.copyOf(whole, length))))
          .as("%d bytes", length)
          .isInstanceOf(DecodeException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "17|INT64|[]",
        "-3|INT64|[]",
        "2.50|FLOAT64|[]",
        "1e3|FLOAT64|[]",
        "true|BOOL|[]",
        "[1, 2]|INT64|[2]",
        "[]|INT64|[0]",
        "[[], []]|INT64|[2, 0]",
        "[[1,2.5],[3,4]]|FLOAT64|[2, 2]",
        "' [ 1 ] '|INT64|[1]",
        "[\"NaN\",1.0]|FLOAT64|[2]",
        "[true,false]|BOOL|[2]",
        "-Infinity|FLOAT64|[]",
        "+7|INT64|[]",
        "123456789012345678901|FLOAT64|[]"
      })
  void numbersAsText(String written, FieldType type, String shape) throws DecodeException {
    text(written);
    assertThat(value.kind()).isEqualTo(FieldValue.Kind.NUMBERS);
    assertThat(value.type()).isEqualTo(type);
    assertThat(Arrays.toString(value.shape())).isEqualTo(shape);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2 dogs",
        "[1,2",
        "[1,2],",
        "[[1],2]",
        "[[1],[2,3]]",
        "[1,\"a\"]",
        "{\"a\": 1}",
        "1,2",
        "-",
        "[[]",
        "true1",
        "[1 2]",
        "é",
        "BMW",
        "1.2.3",
        "[null]",
        "e5",
        "[,]",
        "\"NaN\"x"
      })
  void otherTextIsText(String written) throws DecodeException {
    assertThat(text(written).kind()).isEqualTo(FieldValue.Kind.TEXT);
  }

  @Test
  void whatElseThereIs() throws DecodeException {
    value.read(MemorySegment.ofArray(new byte[] {(byte) 0xff, 1, 2}));
    assertThat(value.kind()).isEqualTo(FieldValue.Kind.BYTES);
    value.read(MemorySegment.ofArray(new byte[0]));
    assertThat(value.kind()).isEqualTo(FieldValue.Kind.EMPTY);
    value.read(MemorySegment.ofArray(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}));
    assertThat(value.kind()).isEqualTo(FieldValue.Kind.BYTES); // a surrogate is no UTF-8
    text("300");
    assertThatThrownBy(() -> value.copyTo(FieldType.UINT8, MemorySegment.ofArray(new byte[1])))
        .hasMessageContaining("300 is no uint8");
    text("0.5");
    assertThatThrownBy(this::longs).hasMessageContaining("0.5 is no int64");
  }

  /// Law: numbers written as Java writes them are read as the same bits.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void decimalsKeepTheirBits(long seed) throws DecodeException {
    var random = new Random(seed);
    double[] numbers = new double[50];
    Arrays.setAll(
        numbers,
        i ->
            switch (i % 4) {
              case 0 -> random.nextInt(100_000) / 1000.0;
              case 1 -> (float) random.nextGaussian();
              case 2 -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
              default -> random.nextLong() / 7.0;
            });
    text(Arrays.toString(numbers));
    assertThat(value.kind()).isEqualTo(FieldValue.Kind.NUMBERS);
    assertThat(doubles()).containsExactly(numbers);
    long[] whole = random.longs(20).toArray();
    text(Arrays.toString(whole));
    assertThat(longs()).containsExactly(whole);
  }

  /// Law: text of any letters is told as text, and cut within one it is not.
  @Test
  void lettersOfEveryLength() {
    for (String letter : List.of("a", "é", "€", "😀")) {
      byte[] bytes = ("x" + letter).getBytes(UTF_8);
      assertThat(Utf8.is(MemorySegment.ofArray(bytes))).isTrue();
      if (bytes.length > 2) {
        assertThat(Utf8.is(MemorySegment.ofArray(Arrays.copyOf(bytes, bytes.length - 1))))
            .isFalse();
      }
    }
    assertThat(Utf8.is(MemorySegment.ofArray(new byte[] {'a', 0}))).isFalse();
    assertThat(MemorySegment.ofArray(new byte[1]).get(JAVA_BYTE, 0)).isZero();
  }
}
