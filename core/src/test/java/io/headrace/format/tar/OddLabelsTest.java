package io.headrace.format.tar;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Labels of WebDataset samples that are no single whole number.
final class OddLabelsTest {
  /// A grey picture of one pixel.
  private static final String PNM = "P5\n1 1\n255\n?";

  @TempDir private Path dir = Path.of(".");

  private Path tar(Tarball tar) throws IOException {
    return Files.write(dir.resolve("t.tar"), tar.end());
  }

  /// Law: texts become classes; lists stay a field of their name; what can be neither is a fault.
  @Test
  void textsBecomeClassesAndListsStayFields() throws IOException, InterruptedException {
    Path file =
        tar(
            new Tarball()
                .file("0.pgm", PNM)
                .file("0.cls", "cat\n")
                .file("1.pgm", PNM)
                .file("1.cls", "ant bear")
                .file("2.pgm", PNM)
                .file("2.cls", "[0, 1, 0]")
                .file("3.pgm", PNM)
                .file("3.cls", "0 1 0\n")
                .file("4.pgm", PNM)
                .file("4.cls", "0.25")
                .file("5.pgm", PNM)
                .file("5.cls", "3.0")
                .file("6.pgm", PNM)
                .file("6.cls", ""));
    try (Dataset data = Datasets.open(file)) {
      assertThat(data.classes()).containsExactly("3", "ant bear", "cat");
      assertThat(Outcomes.both(data))
          .containsExactly(
              "0.pgm 2 " + PNM,
              "1.pgm 1 " + PNM,
              "2.pgm - " + PNM + " cls=[0, 1, 0]",
              "3.pgm - " + PNM + " cls=0 1 0\n",
              "MISMATCH: the label of '4' is neither a whole number nor the name of a class:"
                  + " '0.25'",
              "5.pgm 0 " + PNM,
              "MISMATCH: the label of '6' is neither a whole number nor the name of a class: ''");
      var representation = Representation.of("tar", "none", "keep", "keep");
      var options =
          new ConvertOptions(
              dir.resolve("out"), "data", representation, 1, false, 0, 1, true, 1L << 28);
      ConvertReport report = new Converter(data, options).run();
      assertThat(report.listLabels()).isEqualTo(2);
      assertThat(report.skipped()).hasSize(2);
    }
    try (Dataset data = Datasets.open(dir.resolve("out"))) {
      assertThat(data.classes()).containsExactly("3", "ant bear", "cat");
      assertThat(Outcomes.both(data))
          .containsExactly(
              "0.pgm 2 " + PNM,
              "1.pgm 1 " + PNM,
              "2.pgm - " + PNM + " cls=[0, 1, 0]",
              "3.pgm - " + PNM + " cls=0 1 0\n",
              "5.pgm 0 " + PNM);
    }
  }

  /// Law: a label may be told to lie in the JSON beside a picture, which stays a field.
  @Test
  void aLabelMayLieInJson() throws IOException {
    Path file =
        tar(
            new Tarball()
                .file("0.pgm", PNM)
                .file("0.json", "{\"meta\":{\"label\":\"dog\"}}")
                .file("1.pgm", PNM)
                .file("1.json", "{\"meta\":{\"label\":[1,2]}}")
                .file("2.pgm", PNM)
                .file("2.json", "{\"meta\":{}}")
                .file("3.pgm", PNM)
                .file("3.json", "{\"meta\":{\"label\":\"ant\"}}")
                .file("4.pgm", PNM)
                .file("4.json", "nonsense"));
    try (Dataset data =
        Datasets.open(file, OpenOptions.DEFAULT.withFeatures("label=json:meta.label"))) {
      assertThat(data.classes()).containsExactly("ant", "dog");
      assertThat(Outcomes.both(data).stream().map(line -> line.replaceAll(" P5.*", "")).toList())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("0.pgm 1"),
              line -> assertThat(line).startsWith("1.pgm -"),
              line -> assertThat(line).startsWith("2.pgm -"),
              line -> assertThat(line).startsWith("3.pgm 0"),
              line -> assertThat(line).startsWith("MISMATCH").contains("is no JSON"));
    }
    try (Dataset data = Datasets.open(file)) {
      assertThat(data.warnings())
          .anyMatch(warning -> warning.contains("--features label=json:meta.label"))
          .isNotEmpty();
    }
  }

  /// Law: which member is the image may be said; the other images stay fields.
  @Test
  void theImageMayBeNamed() throws IOException {
    Path file =
        tar(new Tarball().file("0.left.pgm", "A").file("0.right.pgm", "B").file("0.txt", "2"));
    var said = OpenOptions.DEFAULT.withFeatures("image=right.pgm,label=txt");
    try (Dataset data = Datasets.open(file, said)) {
      assertThat(Outcomes.both(data)).containsExactly("0.right.pgm 2 B left.pgm=A");
    }
  }
}
