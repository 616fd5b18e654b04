package io.headrace.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.experiment.Verdict.Outcome;
import io.headrace.lab.tune.AccuracyFile;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Experiments that train, with a trainer that invents what came of it.
final class TrainedTest {
  @TempDir static Path dir;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void some() throws IOException, InterruptedException {
    photos = dir.resolve("photos");
    try (Dataset few = Datasets.open(Photos.few(dir.resolve("few"), 2, 10))) {
      var small = Representation.of("folder", "none", "jpeg:96", "shortest=60");
      var _ = new Converter(few, ConvertOptions.of(photos, small, 1)).run();
    }
  }

  /// A trainer that counts, and whose accuracy is some percent of the bytes that a stage stores.
  private static final class Inventor implements Training {
    final List<Lesson> lessons = new ArrayList<>();

    @Override
    public List<Curve.Epoch> train(Lesson lesson) throws IOException {
      lessons.add(lesson);
      List<Curve.Epoch> epochs = new ArrayList<>();
      for (Part stage : lesson.parts()) {
        try (Dataset data = Datasets.open(stage.data())) {
          long bytes = data.storedBytes();
          for (int i = 0; i < stage.epochs(); i++) {
            double top = 0.2 + 1e-7 * bytes + 1e-6 * lesson.load().seed();
            epochs.add(new Curve.Epoch(top, data.size(), 1, 0.5, bytes, stage.fidelity()));
          }
        }
      }
      return epochs;
    }
  }

  private static Finding run(Experiment experiment, Inventor trainer, String out)
      throws IOException, InterruptedException {
    try (var bench = new Bench(dir.resolve(out), photos, null, Size.TINY, trainer, line -> {})) {
      return Finding.of(experiment, bench);
    }
  }

  @Test
  void trainingsAreSharedAndKept() throws IOException, InterruptedException {
    var trainer = new Inventor();
    Finding accuracy = run(new Accuracy(), trainer, "shared");
    assertThat(accuracy.failure()).isEmpty();
    assertThat(accuracy.verdicts()).noneMatch(v -> v.outcome() == Outcome.OPEN);
    assertThat(trainer.lessons).as("2 models, 3 variants, 2 seeds").hasSize(12);
    assertThat(trainer.lessons.getFirst().validation()).isDirectory();
    try (Dataset train = Datasets.open(trainer.lessons.getFirst().parts().getFirst().data());
        Dataset asked = Datasets.open(trainer.lessons.getFirst().validation())) {
      assertThat(train.size()).isEqualTo(16);
      assertThat(asked.size()).isEqualTo(4);
    }
    AccuracyFile file = AccuracyFile.read(dir.resolve("shared/accuracy.json"));
    assertThat(file.variants()).hasSize(3).containsKey("jpeg:10 keep");
    Finding regimens = run(new Regimens(), trainer, "shared");
    assertThat(regimens.failure()).isEmpty();
    assertThat(trainer.lessons).as("only SR and TLR are new").hasSize(16);
    assertThat(regimens.verdicts()).extracting(Verdict::outcome).doesNotContain(Outcome.OPEN);
    Path kept = dir.resolve("shared/runs/training.jsonl");
    List<String> lines = Files.readAllLines(kept);
    assertThat(lines).hasSize(16);
    Files.write(kept, lines.subList(0, 15));
    assertThat(run(new Regimens(), trainer, "shared").verdicts()).isEqualTo(regimens.verdicts());
    assertThat(trainer.lessons).as("the one that was lost").hasSize(17);
  }

  @Test
  void compressedAgainstFewerImages() throws IOException, InterruptedException {
    var trainer = new Inventor();
    Finding finding = run(new StorageBudget(), trainer, "storage");
    assertThat(finding.failure()).isEmpty();
    assertThat(finding.verdicts()).noneMatch(v -> v.outcome() == Outcome.OPEN);
    assertThat(trainer.lessons)
        .extracting(lesson -> lesson.parts().getFirst().data())
        .anySatisfy(
            data -> {
              try (Dataset part = Datasets.open(data)) {
                assertThat(part.size()).as("half of 8 of each class").isEqualTo(8);
              }
            });
  }

  @Test
  void progressiveRecordsFromASlowDevice() throws IOException, InterruptedException {
    var trainer = new Inventor();
    Finding finding = run(new ProgressiveTraining(), trainer, "shared");
    assertThat(finding.failure()).isEmpty();
    assertThat(finding.verdicts()).noneMatch(v -> v.outcome() == Outcome.OPEN);
    assertThat(finding.sections()).hasSize(2);
    assertThat(trainer.lessons)
        .filteredOn(lesson -> lesson.store().endsWith("kb/s"))
        .extracting(lesson -> lesson.parts().getFirst().fidelity())
        .contains("full", Training.TUNED);
  }

  @Test
  void withoutATrainerClaimsStayOpen() throws IOException, InterruptedException {
    try (var bench = new Bench(dir.resolve("none"), photos, null, Size.TINY, line -> {})) {
      Finding finding = Finding.of(new Regimens(), bench);
      assertThat(finding.failure()).isEmpty();
      assertThat(finding.verdicts())
          .allMatch(v -> v.outcome() == Outcome.OPEN && v.reason().startsWith("not trained: "));
    }
  }

  @Test
  void aDifferenceBelowBothDeviationsIsInsideTheSpread() {
    Score high = Score.of(List.of(60.0, 62.0, 64.0));
    assertThat(high).hasToString("62.0 ± 2.0 %");
    Score near = Score.of(List.of(59.0, 60.0, 61.0));
    assertThat(near.against(high)).isEqualTo("-2.0 points, which is inside the seeds' spread");
    assertThat(Score.of(List.of(58.0, 58.5)).against(high)).isEqualTo("-3.8 points");
  }

  /// H3 rests on a row that speaks against it.
  @Test
  void hypothesesAreDecidedByTheirRows() {
    var finding =
        new Finding(
            new Regimens(),
            new Regimens()
                .claims().stream().map(claim -> Verdict.of(true, "", "so it is")).toList(),
            List.of(),
            "",
            0);
    List<Map<String, String>> rows = Hypotheses.rows(List.of(finding));
    assertThat(rows).extracting(row -> row.get("id")).containsExactly("H1", "H2", "H3", "H4", "H5");
    assertThat(rows)
        .extracting(row -> row.get("verdict"))
        .containsExactly("open", "open", "declined", "open", "open");
  }
}
