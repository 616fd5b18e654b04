package io.headrace.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PrintableTest {
  @Test
  void whatPrintsStaysTheSameObject() {
    for (String text :
        new String[] {"", "cat/1.jpg", "C:\\new", "\u0416\u00e9 \ud835\udd38", "\u200b"}) {
      assertThat(Printable.of(text)).isSameAs(text);
    }
  }

  @Test
  void whatDoesNotIsSpeltOut() {
    assertThat(Printable.of("a\nb\r\tc\0")).isEqualTo("a\\nb\\r\\tc\\u0000");
    assertThat(Printable.of("\u001b[31m\u007f\u0085")).isEqualTo("\\u001b[31m\\u007f\\u0085");
    assertThat(Printable.of("x\u2028y\u2029")).isEqualTo("x\\u2028y\\u2029");
    assertThat(Printable.of("gpj.\u202eexe\u2066")).isEqualTo("gpj.\\u202eexe\\u2066");
    assertThat(Printable.of("\ud835 \udd38")).isEqualTo("\\ud835 \\udd38");
  }

  /// Law: no line break and no control character is left, and nothing else is lost.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyTextBecomesOneLine(long seed) {
    var random = new java.util.Random(seed);
    var text = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      text.append((char) random.nextInt(random.nextBoolean() ? 256 : 65536));
    }
    String spelt = Printable.of(text.toString());
    assertThat(spelt.chars().noneMatch(Character::isISOControl)).isTrue();
    assertThat(spelt.lines()).hasSize(1);
    assertThat(Printable.of(spelt)).isSameAs(spelt);
  }

  @Test
  void exceptionsAndPlacesAreOneLine() {
    var where = new Location("a\nb", 1, "c\nd", 2);
    assertThat(where.toString()).isEqualTo("[file=a\\nb, record=1, key=c\\nd, offset=2]");
    assertThat(where.key()).isEqualTo("c\nd");
    var corrupt = new CorruptDataException(Fault.CORRUPT, "no 'e\nf'", where, null);
    assertThat(String.valueOf(corrupt.getMessage()).lines()).hasSize(1);
    assertThat(corrupt.reason()).isEqualTo("no 'e\\nf'");
    assertThat(new ConfigException("g\nh")).hasMessage("g\\nh");
    assertThat(new DecodeException(Fault.LIMIT, "i\nj")).hasMessage("i\\nj");
  }
}
