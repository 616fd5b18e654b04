package io.headrace.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class HtmlReportTest {
  private static final Pattern DATA =
      Pattern.compile(
          "<script type=\"application/json\" id=\"data\">(.*?)</script", Pattern.DOTALL);

  /// Attributes and CSS that make a browser fetch; an address elsewhere is only text.
  private static final Pattern FETCH =
      Pattern.compile(
          "(?:\\b(?:src|href|action|poster|data)\\s*=\\s*[\"']?|url\\(\\s*[\"']?|@import\\s+[\"']?)"
              + "(?:[a-z]+:)?//",
          Pattern.CASE_INSENSITIVE);

  @TempDir Path dir;

  static Stream<ReportData> reports() {
    return Stream.of(Samples.photos(), Samples.unmeasured(), Samples.many(1), Samples.many(40));
  }

  /// Law: a report on encodings fetches nothing, holds every number, and lets no word out of its
  /// string.
  @ParameterizedTest
  @ValueSource(strings = {"photos", "</script><script>alert(1)</script>", "<!--", "{{vega}}"})
  void encodingsAreShownWhole(String word) throws IOException {
    var row = new CodecData.Row(word, word, 10, 0.5, 0, 123.456, false, List.of(Double.NaN), true);
    var data =
        new CodecData(
            word, word, word, word, List.of(word), List.of(row), List.of(word), Map.of(word, word));
    Path file = dir.resolve("report.html");
    HtmlReport.write(data, file);
    String page = Files.readString(file);
    assertThat(FETCH.matcher(page).results().map(MatchResult::group)).isEmpty();
    assertThat(page).contains("Content-Security-Policy\" content=\"default-src 'none'");
    assertThat(count(page, "(?i)</script"))
        .isEqualTo(count(written(Samples.photos()), "(?i)</script"));
    JsonNode shown = shown(page);
    assertThat(shown.get("title").asString()).isEqualTo(word);
    assertThat(shown.get("notes").get(0).asString()).isEqualTo(word);
    JsonNode first = shown.get("rows").get(0);
    assertThat(first.get("name").asString()).isEqualTo(word);
    assertThat(first.get("decode").asDouble()).isEqualTo(123.456);
    assertThat(first.get("quality").get(0).isNull()).isTrue();
  }

  /// Also leaves the made-up report in target/, to be looked at.
  @Test
  void photosForTheEye() throws IOException {
    Path file = Files.createDirectories(Path.of("target").toAbsolutePath()).resolve("report.html");
    HtmlReport.write(Samples.photos(), file);
    assertThat(file).hasContent(written(Samples.photos()));
    String page = Files.readString(file);
    for (String part : List.of("page.css", "page.js", "report.js", "vega.min.js")) {
      try (InputStream in = HtmlReport.class.getResourceAsStream(part)) {
        assertThat(in).as(part).isNotNull();
        assertThat(page).as(part).contains(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(page).doesNotContain("{{data}}", "{{page}}", "{{style}}");
  }

  @ParameterizedTest
  @MethodSource("reports")
  void nothingIsFetched(ReportData data) throws IOException {
    String page = written(data);
    assertThat(FETCH.matcher(page).results().map(MatchResult::group)).isEmpty();
    assertThat(page)
        .doesNotContain("sourceMappingURL")
        .doesNotContain("$schema\":")
        .contains("Content-Security-Policy\" content=\"default-src 'none'; img-src data:;");
  }

  @ParameterizedTest
  @MethodSource("reports")
  void everyRowAndEpochIsThere(ReportData data) throws IOException {
    JsonNode shown = shown(written(data));
    assertThat(shown.get("rows").valueStream().map(row -> row.get("name").asString()))
        .containsExactlyElementsOf(data.rows().stream().map(ReportData.Row::name).toList());
    assertThat(shown.get("epochs").valueStream().map(epoch -> epoch.get("name").asString()))
        .containsExactlyElementsOf(data.epochs().stream().map(ReportData.EpochRow::name).toList());
  }

  @Test
  void numbersAreNotRounded() throws IOException {
    JsonNode shown = shown(written(Samples.photos()));
    ReportData.Row pick =
        Samples.photos().rows().stream().filter(ReportData.Row::picked).findFirst().orElseThrow();
    JsonNode row = shown.get("rows").get(6);
    assertThat(row.get("picked").asBoolean()).isTrue();
    assertThat(row.get("bytesPerSample").asDouble()).isEqualTo(pick.bytesPerSample());
    assertThat(row.get("measured").asDouble()).isEqualTo(pick.measured());
    assertThat(row.get("quality").asDouble()).isEqualTo(pick.quality());
    assertThat(shown.get("consumer").asDouble()).isEqualTo(2500);
    assertThat(shown.get("limits").propertyNames()).containsExactly("Storage", "Quality", "Memory");
  }

  @Test
  void whatIsNotANumberBecomesNull() throws IOException {
    JsonNode shown = shown(written(Samples.unmeasured()));
    JsonNode row = shown.get("rows").get(0);
    assertThat(row.get("predicted").isNull()).isTrue();
    assertThat(row.get("measured").isNull()).isTrue();
    assertThat(row.get("bytesPerSample").asDouble()).isZero();
    assertThat(shown.get("consumer").isNull()).isTrue();
    assertThat(shown.get("epochs").get(0).get("stallShare").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "</script><script>alert(1)</script>",
        "</SCRIPT >",
        "<!-- <script>",
        "\"quoted\" 'twice' \\ \n\t\0",
        "{{data}} {{vega}} $1 \\1",
        "Zürich 東京 مرحبا \u2028 \u202e",
        "\uD83D\uDE80 rocket",
        "__proto__"
      })
  void anyWordComesThrough(String word) throws IOException {
    String page = written(Samples.saying(word));
    assertThat(count(page, "(?i)</script"))
        .isEqualTo(count(written(Samples.photos()), "(?i)</script"));
    assertThat(count(page, "<!--")).isEqualTo(count(written(Samples.photos()), "<!--"));
    JsonNode shown = shown(page);
    assertThat(shown.get("title").asString()).isEqualTo(word);
    assertThat(shown.get("rows").get(0).get("name").asString()).isEqualTo(word);
    assertThat(shown.get("rows").get(0).get("note").asString()).isEqualTo(word);
    assertThat(shown.get("machine").get(word).asString()).isEqualTo(word);
  }

  @Test
  void halfACharacterIsReplacedNotRefused() throws IOException {
    JsonNode shown = shown(written(Samples.saying("half \uD83D")));
    assertThat(shown.get("title").asString()).startsWith("half ");
  }

  @Test
  void anOldReportIsReplaced() throws IOException {
    Path file = dir.resolve("report.html");
    Files.writeString(file, "old");
    HtmlReport.write(Samples.photos(), file);
    assertThat(file).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    assertThat(dir).isDirectoryContaining(path -> path.equals(file));
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path file = dir.resolve("missing").resolve("report.html");
    assertThatThrownBy(() -> HtmlReport.write(Samples.photos(), file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("no directory");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aDirectoryIsNotReplaced() throws IOException {
    Path file = Files.createDirectory(dir.resolve("report.html"));
    assertThatThrownBy(() -> HtmlReport.write(Samples.photos(), file))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(file.toString());
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(file);
    }
  }

  /// The name fits, the temporary name beside it does not: the write fails half-way through.
  @Test
  void aFailedWriteLeavesNothing() {
    Path file = dir.resolve("r".repeat(250) + ".html");
    assertThatThrownBy(() -> HtmlReport.write(Samples.photos(), file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rrr");
    assertThat(dir).isEmptyDirectory();
  }

  private String written(ReportData data) throws IOException {
    Path file = dir.resolve("report.html");
    HtmlReport.write(data, file);
    return Files.readString(file);
  }

  private static JsonNode shown(String page) {
    var found = DATA.matcher(page);
    assertThat(found.find()).isTrue();
    return JsonMapper.shared().readTree(found.group(1));
  }

  private static long count(String page, String pattern) {
    return Pattern.compile(pattern).matcher(page).results().count();
  }
}
