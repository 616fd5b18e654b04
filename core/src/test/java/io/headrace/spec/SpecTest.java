package io.headrace.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every part of a spelling is either understood or named as what is wrong.
final class SpecTest {
  @Test
  void partsAreTakenInOrderAndOptionsByName() {
    Spec spec = Spec.commas("codec", " Tiled : 32 , drop , level=3 ");

    assertThat(spec.name()).isEqualTo("tiled");
    assertThat(spec.nextNumber(7)).isEqualTo(32);
    assertThat(spec.nextNumber(7)).isEqualTo(7);
    assertThat(spec.takes("keep")).isFalse();
    assertThat(spec.takes("drop")).isTrue();
    assertThat(spec.optionNumber("level", 1)).isEqualTo(3);
    assertThat(spec.optionNumber("level", 1)).isEqualTo(1);
    assertThat(spec.isEmpty()).isTrue();
    assertThat(spec.end("understood")).isEqualTo("understood");
  }

  @Test
  void stepsAndColonsKeepCase() {
    Spec step = Spec.step("step", "crop=4x5:area=0.1-1");
    Spec cache = Spec.colons("cache", "lru:4GiB:decoded");

    assertThat(step.name()).isEqualTo("crop");
    assertThat(step.next()).isEqualTo("4x5");
    assertThat(step.option("area")).isEqualTo("0.1-1");
    assertThat(cache.next()).isEqualTo("4GiB");
    assertThat(cache.takes("decoded")).isTrue();
    assertThat(cache.next()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "zip:9, codec 'zip:9': '9' is not understood",
    "zip:level=9, codec 'zip:level=9': zip has no option 'level'",
    "'zip:', codec 'zip:': '' is not understood",
    "'zip:a=1,a=2', 'codec ''zip:a=1,a=2'': option ''a'' is given twice'"
  })
  void whatIsLeftIsNamed(String text, String message) {
    assertThatThrownBy(() -> Spec.commas("codec", text).end(0))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zip:level=x", "zip:level=", "zip:level=99999999999", "zip:level=1.5"})
  void whatIsNotAWholeNumberIsNamed(String text) {
    assertThatThrownBy(() -> Spec.commas("codec", text).optionNumber("level", 1))
        .hasMessageStartingWith("codec '" + text + "': level '")
        .hasMessageEndingWith("is not a whole number");
  }

  @ParameterizedTest
  @CsvSource({"on, true", "1, true", "yes, true", "true, true", "off, false", "0, false"})
  void flags(String word, boolean value) {
    assertThat(Spec.commas("codec", "zip:crc=" + word).flag("crc", !value)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "512, 512",
    "2GiB, 2147483648",
    "2G, 2147483648",
    "1.5 kB, 1500",
    "64MiB, 67108864",
    "1TB, 1000000000000"
  })
  void sizes(String text, long bytes) {
    assertThat(Bytes.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "two", "5XB", "1e3", "9999999999TiB"})
  void whatIsNotASizeIsNamed(String text) {
    assertThatThrownBy(() -> Bytes.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("size '" + text + "'");
  }
}
