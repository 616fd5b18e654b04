package io.headrace.train.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.LastBatch;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Store;
import io.headrace.train.fit.Recipe.Schedule;
import io.headrace.train.net.Net;
import io.headrace.train.net.Net.Kind;
import io.headrace.weights.Safetensors;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Training on little pictures that a small network can tell apart.
final class TrainerTest {
  private static final int EDGE = 32;

  @TempDir static Path data;

  @BeforeAll
  static void pictures() throws IOException {
    draw(data, "png");
  }

  private static void draw(Path root, String format) throws IOException {
    var random = new Random(1);
    for (int label = 0; label < 2; label++) {
      Path folder = Files.createDirectories(root.resolve(label == 0 ? "across" : "down"));
      for (int i = 0; i < 24; i++) {
        var image = new BufferedImage(40, 40, BufferedImage.TYPE_INT_RGB);
        int phase = random.nextInt(8);
        for (int y = 0; y < 40; y++) {
          for (int x = 0; x < 40; x++) {
            int grey = ((label == 0 ? y : x) + phase) / 4 % 2 == 0 ? 40 : 200;
            grey = Math.clamp(grey + random.nextInt(-30, 30), 0, 255);
            image.setRGB(x, y, new Color(grey, grey, grey).getRGB());
          }
        }
        ImageIO.write(image, format, folder.resolve("%02d.%s".formatted(i, format)).toFile());
      }
    }
  }

  /// Stops a run after so many steps.
  private static final class Recorder implements Trainer.Watch {
    final List<EpochRecord> records = new ArrayList<>();
    final List<String> lines = new ArrayList<>();
    private long left;

    Recorder(long steps) {
      left = steps;
    }

    @Override
    public void step(long epoch, long images, double loss, double data, double computing) {
      left--;
    }

    @Override
    public void epoch(EpochRecord record, long epochs) {
      records.add(record);
    }

    @Override
    public void say(String line) {
      lines.add(line);
    }

    @Override
    public boolean stops() {
      return left <= 0;
    }
  }

  private static TrainOptions options(Path out, long epochs, double budget, double rate) {
    return options(out, epochs, budget, rate, null);
  }

  private static TrainOptions options(
      Path out, long epochs, double budget, double rate, @Nullable FidelityTuner tuner) {
    return new TrainOptions(
        data,
        OpenOptions.DEFAULT,
        data,
        OpenOptions.DEFAULT,
        Kind.MOBILENET_V3_SMALL,
        0.25,
        true,
        new Recipe(rate, 0.875, 1e-4, 0.1, 0, Schedule.COSINE),
        false,
        List.of(new Stage(epochs, null, null, 1)),
        budget,
        tuner,
        Pipeline.parse("random_crop=%d,flip,normalize=imagenet,float32,chw".formatted(EDGE)),
        Pipeline.parse("center_crop=%d,normalize=imagenet,float32,chw".formatted(EDGE)),
        LoadOptions.builder()
            .batchSize(12)
            .threads(1)
            .seed(3)
            .lastBatch(LastBatch.DROP)
            .digest(false)
            .build(),
        1,
        3,
        out,
        0);
  }

  private static void convert(Path from, Path to, String encoding) throws Exception {
    try (Dataset dataset = Datasets.open(from)) {
      new Converter(
              dataset,
              ConvertOptions.of(to, Representation.of("race", "none", encoding, "keep"), 1))
          .run();
    }
  }

  private static TrainOptions withData(TrainOptions o, Path path) {
    return with(o, path, o.stages());
  }

  private static TrainOptions withStages(TrainOptions o, List<Stage> stages) {
    return with(o, o.data(), stages);
  }

  private static TrainOptions with(TrainOptions o, Pipeline pipeline, Path validation) {
    return with(o, o.data(), o.stages(), pipeline, validation);
  }

  private static TrainOptions halved(TrainOptions o) {
    return with(o, o.data(), o.stages(), o.pipeline(), o.validation(), true);
  }

  private static TrainOptions with(TrainOptions o, Path path, List<Stage> stages) {
    return with(o, path, stages, o.pipeline(), o.validation());
  }

  private static TrainOptions with(
      TrainOptions o, Path path, List<Stage> stages, Pipeline pipeline, @Nullable Path validation) {
    return with(o, path, stages, pipeline, validation, o.half());
  }

  private static TrainOptions with(
      TrainOptions o,
      Path path,
      List<Stage> stages,
      Pipeline pipeline,
      @Nullable Path validation,
      boolean half) {
    return new TrainOptions(
        path,
        o.opening(),
        validation,
        o.validationOpening(),
        o.kind(),
        o.width(),
        o.small(),
        o.recipe(),
        half,
        stages,
        o.budget(),
        o.tuner(),
        pipeline,
        o.validationPipeline(),
        o.load(),
        o.threads(),
        o.seed(),
        o.out(),
        o.checkpointSeconds());
  }

  private static boolean run(TrainOptions options, Recorder recorder)
      throws IOException, DivergedException {
    try (var trainer = new Trainer(options, Store.LOCAL, recorder)) {
      return trainer.train();
    }
  }

  @Test
  void itLearns(@TempDir Path out) throws Exception {
    var recorder = new Recorder(Long.MAX_VALUE);
    assertThat(run(options(out, 8, 0, 0.1), recorder)).isTrue();
    EpochRecord first = recorder.records.getFirst();
    EpochRecord last = recorder.records.getLast();
    assertThat(recorder.records).hasSize(8);
    assertThat(last.loss()).isLessThan(first.loss());
    assertThat(last.top1()).isGreaterThan(0.9);
    assertThat(last.images()).isEqualTo(48);
    assertThat(last.validation().images()).isEqualTo(48);
    assertThat(last.validation().top5()).isEqualTo(1);
    assertThat(last.seconds()).isGreaterThanOrEqualTo(last.computeSeconds());
    assertThat(last.goodput()).isBetween(0.0, 1.0);
    assertThat(Files.readAllLines(out.resolve("runs.jsonl"))).hasSize(8);
    try (var files = Files.list(out.resolve("events"))) {
      assertThat(files.toList()).hasSize(1);
    }
  }

  @Test
  void aRunThatWasStoppedAnywhereEndsInTheSameWeights(@TempDir Path dir) throws Exception {
    Path whole = dir.resolve("whole");
    assertThat(run(options(whole, 2, 0, 0.1), new Recorder(Long.MAX_VALUE))).isTrue();
    for (int steps = 1; steps < 8; steps += 3) {
      Path parts = dir.resolve("parts-" + steps);
      TrainOptions options = options(parts, 2, 0, 0.1);
      int starts = 1;
      while (!run(options, new Recorder(steps))) {
        starts++;
      }
      assertThat(starts).isGreaterThan(1);
      same(whole, parts);
      assertThat(Files.readAllLines(parts.resolve("runs.jsonl"))).hasSize(2);
    }
  }

  @Test
  void aKilledRunGoesOnFromItsLastCheckpoint(@TempDir Path dir) throws Exception {
    Path whole = dir.resolve("whole");
    assertThat(run(options(whole, 3, 0, 0.1), new Recorder(Long.MAX_VALUE))).isTrue();
    Path killed = dir.resolve("killed");
    var dies =
        new Trainer.Watch() {
          private int steps;

          @Override
          public void step(long epoch, long images, double loss, double d, double c) {
            if (++steps == 6) {
              throw new IllegalStateException("killed");
            }
          }
        };
    assertThatThrownBy(
            () -> {
              try (var trainer = new Trainer(options(killed, 3, 0, 0.1), Store.LOCAL, dies)) {
                trainer.train();
              }
            })
        .hasMessage("killed");
    Files.writeString(
        killed.resolve("runs.jsonl"), "{}\n", java.nio.file.StandardOpenOption.APPEND);
    assertThat(run(options(killed, 3, 0, 0.1), new Recorder(Long.MAX_VALUE))).isTrue();
    same(whole, killed);
    assertThat(Files.readAllLines(killed.resolve("runs.jsonl"))).hasSize(3).doesNotContain("{}");
  }

  @Test
  void inHalfPrecisionItLearnsAndGoesOnToTheSameWeights(@TempDir Path dir) throws Exception {
    var recorder = new Recorder(Long.MAX_VALUE);
    assertThat(run(halved(options(dir.resolve("whole"), 4, 0, 0.1)), recorder)).isTrue();
    assertThat(recorder.records.getLast().loss()).isLessThan(recorder.records.getFirst().loss());
    TrainOptions parts = halved(options(dir.resolve("parts"), 4, 0, 0.1));
    assertThat(run(parts, new Recorder(5))).isFalse();
    assertThatThrownBy(
            () -> run(options(dir.resolve("parts"), 4, 0, 0.1), new Recorder(Long.MAX_VALUE)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("float16");
    assertThat(run(parts, new Recorder(Long.MAX_VALUE))).isTrue();
    same(dir.resolve("whole"), dir.resolve("parts"));
  }

  @Test
  void gradientsThatOverflowAreNotTaken() throws Exception {
    TrainOptions o = options(data, 1, 0, 0.1);
    var spec = new Net.Spec(o.kind(), 2, o.width(), o.small());
    Learner.begin(1);
    try (Dataset dataset = Datasets.open(data);
        var loader = new Loader(dataset, o.pipeline(), o.load());
        Epoch epoch = loader.epoch(0);
        Batch batch = Objects.requireNonNull(epoch.next());
        var learner = new Learner(spec, 1, o.recipe(), true)) {
      learner.scale(new LossScale(0x1p40, 7));
      float[] before = learner.net().weights().get("classifier.3.weight").toFloatArray();
      learner.learn(batch, 0.1, 1, 0);
      assertThat(learner.scale()).isEqualTo(new LossScale(0x1p39, 0));
      assertThat(learner.net().weights().get("classifier.3.weight").toFloatArray())
          .isEqualTo(before);
      learner.scale(LossScale.START);
      learner.learn(batch, 0.1, 1, 1);
      assertThat(learner.scale()).isEqualTo(new LossScale(LossScale.START.factor(), 1));
      assertThat(learner.net().weights().get("classifier.3.weight").toFloatArray())
          .isNotEqualTo(before)
          .doesNotContain(Float.NaN);
    }
    var patient = new LossScale(64, LossScale.PATIENCE - 1);
    assertThat(patient.next(true)).isEqualTo(new LossScale(128, 0));
  }

  private static void same(Path one, Path other) throws IOException {
    Safetensors a = Safetensors.read(one.resolve(Checkpoint.FILE));
    Safetensors b = Safetensors.read(other.resolve(Checkpoint.FILE));
    assertThat(b.names()).isEqualTo(a.names());
    for (String name : a.names()) {
      assertThat(b.floats(name)).as(name).isEqualTo(a.floats(name));
    }
  }

  @Test
  void anotherRunDoesNotGoOnFromIt(@TempDir Path out) throws Exception {
    run(options(out, 1, 0, 0.1), new Recorder(1));
    assertThatThrownBy(() -> run(options(out, 2, 0, 0.1), new Recorder(1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another run")
        .hasMessageContaining("--out");
  }

  @Test
  void aLossThatIsNoNumberEndsTheRun(@TempDir Path out) {
    assertThatThrownBy(() -> run(options(out, 20, 0, 1e5), new Recorder(Long.MAX_VALUE)))
        .isInstanceOf(DivergedException.class)
        .hasMessageContaining("--lr");
  }

  @Test
  void stagesChangeTheDataset(@TempDir Path dir) throws Exception {
    Path other = dir.resolve("other");
    convert(data, other, "keep");
    TrainOptions usual = options(dir.resolve("out"), 3, 0, 0.1);
    var recorder = new Recorder(Long.MAX_VALUE);
    assertThat(
            run(
                withStages(
                    usual, List.of(new Stage(1, other, null, 1), new Stage(2, null, null, 0.5))),
                recorder))
        .isTrue();
    assertThat(recorder.records).extracting(EpochRecord::stage).containsExactly(0, 1, 1);
    assertThat(recorder.records.get(0).data()).isEqualTo(other.toString());
    assertThat(recorder.records.get(1).data()).isEqualTo(data.toString());
    assertThat(recorder.records.get(1).rate())
        .isEqualTo(0.5 * usual.recipe().rateOf(1, 3)); // one schedule spans all stages
  }

  @Test
  void theTunerChangesTheFidelity(@TempDir Path dir) throws Exception {
    Path photos = dir.resolve("photos");
    draw(photos, "jpg");
    Path race = dir.resolve("race");
    convert(photos, race, "progressive");
    TrainOptions usual =
        options(dir.resolve("out"), 3, 0, 0.01, CosineTuner.parse("auto:0.01:first=1:batches=1"));
    var recorder = new Recorder(Long.MAX_VALUE);
    assertThat(run(withData(usual, race), recorder)).isTrue();
    assertThat(recorder.lines).anyMatch(line -> line.startsWith("epoch 1: gradients' cosines"));
    assertThat(recorder.records)
        .extracting(EpochRecord::fidelity)
        .containsExactly("full", "1", "1");
    assertThat(recorder.records.get(1).bytesRead()).isLessThan(recorder.records.get(0).bytesRead());
  }

  @Test
  void thePicturesDecideTheFidelity(@TempDir Path dir) throws Exception {
    Path photos = dir.resolve("photos");
    draw(photos, "jpg");
    Path race = dir.resolve("race");
    convert(photos, race, "progressive");
    List<String> fidelities = new ArrayList<>();
    for (String least : List.of("0.999999", "0.000001")) {
      Path out = dir.resolve("out" + least);
      TrainOptions usual =
          options(out, 2, 0, 0.01, FidelityTuner.parse("msssim:" + least + ":pictures=4"));
      var recorder = new Recorder(Long.MAX_VALUE);
      assertThat(run(withData(usual, race), recorder)).isTrue();
      assertThat(recorder.lines).anyMatch(line -> line.startsWith("epoch 0: MS-SSIM by fidelity"));
      assertThat(recorder.records.get(0).tuningSeconds()).isPositive();
      recorder.records.forEach(record -> fidelities.add(record.fidelity()));
    }
    assertThat(fidelities).containsExactly("full", "full", "1", "1");
  }

  /// A folder that lacks a class would number the others anew.
  @Test
  void labelsOfTheValidationAreThoseOfTheTraining(@TempDir Path dir) throws Exception {
    double whole = validated(dir.resolve("whole"), data);
    double across = validated(dir.resolve("out-across"), only("across", dir));
    double down = validated(dir.resolve("out-down"), only("down", dir));
    assertThat((across + down) / 2).isEqualTo(whole);
    assertThat(across).as("else the classes could be exchanged").isNotEqualTo(0.5);
  }

  private static Path only(String name, Path dir) throws IOException {
    Path root = dir.resolve("only-" + name);
    Path folder = Files.createDirectories(root.resolve(name));
    for (int i = 0; i < 24; i++) {
      String file = "%02d.png".formatted(i);
      Files.copy(data.resolve(name).resolve(file), folder.resolve(file));
    }
    return root;
  }

  /// {@return the share of a dataset that the same training tells right}
  private static double validated(Path out, Path validation) throws Exception {
    var recorder = new Recorder(Long.MAX_VALUE);
    TrainOptions usual = options(out, 1, 0, 0.1);
    assertThat(run(with(usual, usual.pipeline(), validation), recorder)).isTrue();
    return recorder.records.getLast().validation().top1();
  }

  @Test
  void whatIsLeftOutIsSaid(@TempDir Path dir) throws Exception {
    Path set = dir.resolve("set");
    draw(set, "png");
    Files.delete(set.resolve("down/23.png"));
    var recorder = new Recorder(Long.MAX_VALUE);
    assertThat(run(withData(options(dir.resolve("out"), 2, 0, 0.1), set), recorder)).isTrue();
    assertThat(recorder.records.getFirst().images()).isEqualTo(36); // 47 in batches of 12
    assertThat(recorder.lines).filteredOn(line -> line.startsWith("11 samples")).hasSize(1);
  }

  @Test
  void whatCannotBeTrainedIsRefused(@TempDir Path out) {
    TrainOptions usual = options(out, 1, 0, 0.1);
    for (String steps :
        List.of(
            "random_crop=32,normalize=imagenet,mixup=0.2",
            "random_crop=32,normalize=imagenet,bfloat16,chw",
            "speech")) {
      Pipeline pipeline = Pipeline.parse(steps);
      assertThatThrownBy(() -> run(with(usual, pipeline, data), new Recorder(1)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(pipeline.spec());
    }
  }

  @Test
  void aBudgetDecidesTheEpochs(@TempDir Path out) throws Exception {
    var recorder = new Recorder(Long.MAX_VALUE);
    assertThat(run(options(out, -1, 4, 0.1), recorder)).isTrue();
    double spent = recorder.records.stream().mapToDouble(EpochRecord::seconds).sum();
    double longest = recorder.records.stream().mapToDouble(EpochRecord::seconds).max().orElse(0);
    assertThat(spent).isLessThan(4 + 2 * longest);
    assertThat(recorder.lines).anyMatch(line -> line.contains("fit into the budget"));
  }
}
