package io.headrace.lab.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.headrace.lab.report.Report.Axis;
import io.headrace.lab.report.Report.Column;
import io.headrace.lab.report.Report.Point;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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

  /// A report in which every text is a word.
  private static Report saying(String word) {
    var axis = Axis.of(word);
    var points =
        List.of(
            new Point(word, word, 1.25, 123.456789, 120, 130.5, false),
            new Point(word, "b", 2, 4).asReference(),
            new Point("other", "c", 3, Double.NaN));
    List<Report.Section> sections = new ArrayList<>();
    for (Report.Kind kind : Report.Kind.values()) {
      sections.add(
          new Report.Section(
              word + " " + kind, word, new Report.Figure(kind, axis, axis, points), null));
    }
    sections.add(
        new Report.Section(
            "table",
            "",
            null,
            new Report.Table(
                List.of(new Column(word, "", false), new Column(word, "bytes", true)),
                List.of(List.of(word, 2048.0), List.of("second", Double.NaN)),
                List.of(0))));
    return new Report(
        word, word, word, List.of(new Report.Card(word, word, word)), sections, Map.of(word, word));
  }

  @Test
  void nothingIsFetched() throws IOException {
    String page = written(saying("photos"));
    assertThat(FETCH.matcher(page).results().map(MatchResult::group)).isEmpty();
    assertThat(page)
        .doesNotContain("sourceMappingURL")
        .doesNotContain("$schema\":")
        .doesNotContain("{{data}}", "{{vega}}", "{{style}}")
        .contains("Content-Security-Policy\" content=\"default-src 'none'; img-src data:;");
    for (String part : List.of("report.css", "report.js", "vega.min.js", "vega-lite.min.js")) {
      try (InputStream in = HtmlReport.class.getResourceAsStream(part)) {
        assertThat(in).as(part).isNotNull();
        if (in != null) {
          assertThat(page).as(part).contains(new String(in.readAllBytes(), UTF_8));
        }
      }
    }
  }

  @Test
  void everyNumberIsThereUnrounded() throws IOException {
    JsonNode shown = shown(written(saying("photos")));
    assertThat(shown.get("sections")).hasSize(Report.Kind.values().length + 1);
    JsonNode point = shown.get("sections").get(0).get("figure").get("points").get(0);
    assertThat(point.get("y").asDouble()).isEqualTo(123.456789);
    assertThat(point.get("low").asDouble()).isEqualTo(120);
    assertThat(point.get("high").asDouble()).isEqualTo(130.5);
    assertThat(shown.get("sections").get(4).get("table").get("rows").get(0).get(1).asDouble())
        .isEqualTo(2048);
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
    String page = written(saying(word));
    String plain = written(saying("photos"));
    assertThat(count(page, "(?i)</script")).isEqualTo(count(plain, "(?i)</script"));
    assertThat(count(page, "<!--")).isEqualTo(count(plain, "<!--"));
    JsonNode shown = shown(page);
    assertThat(shown.get("title").asString()).isEqualTo(word);
    assertThat(shown.get("cards").get(0).get("value").asString()).isEqualTo(word);
    JsonNode point = shown.get("sections").get(0).get("figure").get("points").get(0);
    assertThat(point.get("series").asString()).isEqualTo(word);
    assertThat(shown.get("machine").get(word).asString()).isEqualTo(word);
  }

  /// In a browser: every figure is drawn, every table filled, nothing is wider than a telephone.
  @Test
  void aBrowserDrawsIt() throws IOException, InterruptedException {
    String browser = Browsers.found();
    assumeThat(browser).as("a Chromium on the path").isNotEmpty();
    String page = written(saying("<b>photos</b>"));
    Path file = dir.resolve("looked-at.html");
    Files.writeString(
        file,
        page.replace(
            "</body>",
            """
            <script>
            document.body.style.width = '400px';
            setTimeout(() => document.body.setAttribute('data-width', document.querySelector('main').scrollWidth), 400);
            </script></body>
            """));
    String shown = Browsers.domOf(browser, file);
    assertThat(count(shown, "<svg[^>]*class=\"marks\"")).isEqualTo(Report.Kind.values().length);
    assertThat(count(shown, "<table>")).isEqualTo(Report.Kind.values().length + 1);
    assertThat(count(shown, "<b>photos</b>")).as("texts are no markup").isZero();
    assertThat(shown).contains("123.457").contains("2.00&nbsp;KiB").contains("data-width=\"");
    assertThat(Integer.parseInt(shown.replaceAll("(?s).*data-width=\"(\\d+)\".*", "$1")))
        .isLessThanOrEqualTo(400);
  }

  @Test
  void anOldReportIsReplaced() throws IOException {
    Path file = dir.resolve("report.html");
    Files.writeString(file, "old");
    HtmlReport.write(saying("photos"), file);
    assertThat(file).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    assertThat(dir).isDirectoryContaining(path -> path.equals(file));
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path file = dir.resolve("missing").resolve("report.html");
    assertThatThrownBy(() -> HtmlReport.write(saying("photos"), file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("no directory");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aDirectoryIsNotReplaced() throws IOException {
    Path file = Files.createDirectory(dir.resolve("report.html"));
    assertThatThrownBy(() -> HtmlReport.write(saying("photos"), file))
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
    assertThatThrownBy(() -> HtmlReport.write(saying("photos"), file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rrr");
    assertThat(dir).isEmptyDirectory();
  }

  private String written(Report data) throws IOException {
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
