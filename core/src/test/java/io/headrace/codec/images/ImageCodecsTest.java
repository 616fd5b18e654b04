package io.headrace.codec.images;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageFormat;
import io.headrace.error.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A format is one object: a room, a constant of [ImageFormat] and a line of [ImageCodecs].
final class ImageCodecsTest {
  @ParameterizedTest
  @EnumSource
  void everyFormatHasACodec(ImageFormat format) {
    assertThat(ImageCodecs.of(format).format()).isEqualTo(format);
  }

  /// Shards that were written keep their meaning.
  @Test
  void storedNumbersNeverChange() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    Arrays.stream(ImageFormat.values()).forEach(f -> numbers.put(f.label(), f.number()));
    assertThat(numbers)
        .isEqualTo(
            Map.ofEntries(
                entry("jpeg", 1),
                entry("png", 2),
                entry("webp", 3),
                entry("avif", 4),
                entry("qoi", 5),
                entry("bmp", 6),
                entry("pnm", 7),
                entry("raw", 8),
                entry("lossless", 9),
                entry("packed", 10),
                entry("learned", 11),
                entry("ptci", 12)));
  }

  @Test
  void extensionsBelongToOneFormat() {
    assertThat(ImageFormat.promising())
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrder(
            "jpg", "jpeg", "jpe", "jfif", "png", "tensor", "webp", "bmp", "gif", "tif", "tiff",
            "ppm", "pgm", "pbm", "pnm", "pam", "dib", "heic", "heif", "avif", "qoi", "hrls", "hrpj",
            "hrlc", "ptci");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg:75",
        "jpeg:75:tables=data",
        "webp:75",
        "webp-lossless",
        "avif:50",
        "png",
        "png:1",
        "qoi",
        "lossless:fast",
        "learned:small:2",
        "bmp",
        "ppm",
        "raw"
      })
  void whatIsSpeltIsReadBack(String text) {
    assertThat(ImageCodecs.parse(text).spec()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "jpeg, expected one quality after the colon",
    "'jpeg:80,81', is not understood",
    "jpeg:80:tables=mine, tables 'mine': expected data",
    "jpeg:tables=data, expected one quality after the colon",
    "webp:80:tables=data, webp has no option 'tables'",
    "webp:x, is not a whole number",
    "qoi:1, takes no options",
    "png:10, expected 0 to 9",
    "avif:101, expected 0 to 100",
  })
  void whatIsNotUnderstoodIsSaid(String text, String words) {
    assertThatThrownBy(() -> ImageCodecs.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  @Test
  void anUnknownNameIsToldWhatThereIs() {
    assertThatThrownBy(() -> ImageCodecs.parse("gif"))
        .hasMessageEndingWith(
            "expected jpeg:QUALITY[:tables=data], webp:QUALITY, webp-lossless, avif:QUALITY,"
                + " png[:LEVEL], qoi, lossless[:LEVEL], learned[:MODEL[:QUALITY]],"
                + " ptci:MODEL[:QUALITY], bmp, ppm or raw");
  }

  /// Who in core knows a format's room. Those beside the list use what only that format can do.
  @ParameterizedTest
  @CsvSource({
    "avif, ImageCodecs",
    "webp, ImageCodecs Representation",
    "png, FieldSeen ImageCodecs PairedGeometry",
    "lossless, ImageCodecs",
    "learned, ImageCodecs",
  })
  void onlyTheListKnowsARoom(String room, String known) throws IOException {
    assertThat(sources("^import (static )?io\\.headrace\\.codec\\." + room + "\\.", room))
        .containsExactly(known.split(" "));
  }

  /// Who in core names a format's constant outside its room.
  @ParameterizedTest
  @CsvSource({
    "AVIF, avif",
    "WEBP, webp",
    "QOI, plain",
    "PNG, png",
    "LOSSLESS, lossless",
    "LEARNED, learned"
  })
  void noOtherPlaceNamesAFormat(String format, String room) throws IOException {
    assertThat(sources("ImageFormat\\." + format + "\\b|case [A-Z, ]*\\b" + format + "\\b", room))
        .isEmpty();
  }

  /// {@return the names of classes outside a room in whose sources a pattern is found}
  private static List<String> sources(String pattern, String room) throws IOException {
    Path main =
        Path.of(System.getProperty("headrace.root", ".."), "core/src/main/java/io/headrace");
    Pattern wanted = Pattern.compile(pattern, Pattern.MULTILINE);
    try (Stream<Path> files = Files.walk(main)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.startsWith(main.resolve("codec").resolve(room)))
          .filter(file -> wanted.matcher(read(file)).find())
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .sorted()
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
