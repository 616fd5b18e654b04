package io.headrace.lab.experiment;

import io.headrace.codec.png.PngEncoding;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.Subset;
import io.headrace.lab.experiment.Course.Leg;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.load.plan.Picks;
import io.headrace.load.plan.SubsetSpec;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.LastBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Trains courses, each once: makes the pictures, and keeps what came of each training in a file.
///
/// Every fifth sample of each class is for validation, the others are for training. Photos are
/// brought to the size that ImageNet's have beside the paper's networks, as JPEG of quality 96,
/// which is the median of ImageNet's: these are the original here.
final class Classroom {
  private static final int FIFTH = 5;

  private final Path work;
  private final Path file;
  private final Setup setup;
  private final Runner runner;
  private final @Nullable Training training;
  private final Consumer<String> progress;
  private final Map<String, Curve> known = new LinkedHashMap<>();

  /// @param training null if there is none here
  Classroom(
      Path out,
      Setup setup,
      Runner runner,
      @Nullable Training training,
      Consumer<String> progress) {
    work = out.resolve("work/training");
    file = out.resolve("runs/training.jsonl");
    this.setup = setup;
    this.runner = runner;
    this.training = training;
    this.progress = progress;
  }

  /// Trains what is missing of some courses, every seed of all before the next one.
  ///
  /// @return what is there of them then, a curve for each seed, by the course's name
  Map<String, List<Curve>> train(List<Course> courses) throws IOException, InterruptedException {
    read();
    Map<String, List<Curve>> curves = new TreeMap<>();
    int seeds = setup.study().seeds();
    for (int seed = 1; seed <= seeds; seed++) {
      for (int i = 0; i < courses.size(); i++) {
        Course course = courses.get(i);
        String key = key(course, seed);
        Curve curve = known.get(key);
        if (curve == null && training != null) {
          progress.accept(
              "seed %d of %d, %d of %d: %s"
                  .formatted(seed, seeds, i + 1, courses.size(), course.name()));
          curve = new Curve(training.train(lesson(course, seed)));
          known.put(key, curve);
          write();
        }
        if (curve != null) {
          curves.computeIfAbsent(course.name(), name -> new ArrayList<>()).add(curve);
        }
      }
    }
    curves.values().removeIf(list -> list.size() < seeds);
    return curves;
  }

  private String key(Course course, int seed) {
    Path data = course.set().equals(Course.SOUNDS) ? setup.soundsOrNone() : setup.photos();
    return "%s, %s of %s, seed %d".formatted(course.name(), setup.size(), data, seed);
  }

  private Training.Lesson lesson(Course course, int seed) throws IOException, InterruptedException {
    Size.Study study = setup.study();
    List<Training.Part> parts = new ArrayList<>();
    for (Leg leg : course.legs()) {
      parts.add(
          new Training.Part(leg.epochs(), runner.path(trial(course.set(), leg)), leg.fidelity()));
    }
    Trial loading = trial(course.set(), course.legs().getFirst());
    for (Map.Entry<Key, String> setting : course.loading().entrySet()) {
      loading = loading.with(setting.getKey(), setting.getValue());
    }
    loading = loading.with(Key.BATCH, study.batch()).with(Key.SEED, seed);
    Path out = work.resolve("run");
    Runner.remove(out);
    boolean photos = !course.set().equals(Course.SOUNDS);
    int edge = photos ? study.edge() : Spectrograms.EDGE;
    int larger = Math.round(edge * 8 / 7f);
    String values = ",normalize=imagenet,float32,chw";
    return new Training.Lesson(
        course.model(),
        study.width(),
        study.rate(),
        edge < 112,
        parts,
        set(photos ? Course.PHOTOS : Course.SOUNDS, true),
        (photos
                ? "random_resized_crop=%d,flip".formatted(edge)
                : "resize=%dx%d,random_crop=%d".formatted(larger, larger, edge))
            + values,
        (photos
                ? "resize_shorter=%d,center_crop=%d".formatted(larger, edge)
                : "resize=%dx%d,center_crop=%d".formatted(larger, larger, edge))
            + values,
        loading.loader().lastBatch(LastBatch.DROP).build(),
        loading.get(Key.STORE),
        setup.threads(),
        out);
  }

  /// {@return the pictures that a leg trains on, as they are stored}
  Conversion stored(String set, Leg leg) throws IOException, InterruptedException {
    return runner.prepare(trial(set, leg));
  }

  /// Keeps the bytes of the photos in an encoding, by the name `bytes ENCODING`.
  void keepBytes(Facts facts, String encoding) throws IOException, InterruptedException {
    facts.keep("bytes " + encoding, () -> stored(Course.PHOTOS, Leg.of(1, encoding)).bytes());
  }

  /// {@return the trial of the pictures that a leg trains on}
  Trial trial(String set, Leg leg) throws IOException, InterruptedException {
    Path whole = set(set, false);
    if (!leg.share().equals("100%")) {
      Path part = work.resolve(set + "-" + leg.share().replace('%', 'p'));
      if (Bench.missing(part)) {
        try (Dataset data = Datasets.open(whole)) {
          SubsetSpec share = SubsetSpec.parse(leg.share(), SubsetSpec.First::new);
          convert(Picks.of(share, data).subset(data, share), part, "keep", "keep", false);
        }
      }
      whole = part;
    }
    return Trial.of(whole)
        .with(Key.FORMAT, leg.format())
        .with(Key.ENCODING, leg.encoding())
        .with(Key.SHARDS, 1)
        .with(Key.THREADS, setup.threads());
  }

  /// {@return the pictures of a set, made if they are not yet there}
  private Path set(String name, boolean validation) throws IOException, InterruptedException {
    Path there = work.resolve(name.replace(' ', '-') + (validation ? "-validation" : "-train"));
    if (!Bench.missing(there)) {
      return there;
    }
    progress.accept(name + " to train on");
    if (name.equals(Course.SHUFFLED)) {
      try (Dataset data = Datasets.open(set(Course.PHOTOS, false))) {
        convert(data, there, "keep", "keep", true);
      }
      return there;
    }
    Size.Study study = setup.study();
    boolean photos = name.equals(Course.PHOTOS);
    Path source = photos ? setup.photos() : work.resolve("spectrograms");
    if (!photos && !Files.isDirectory(source)) {
      Path draft = work.resolve("spectrograms.part");
      Runner.remove(draft);
      Spectrograms.write(setup.soundsOrNone(), draft, new PngEncoding(1));
      Files.move(draft, source);
    }
    try (Dataset data = Datasets.open(source)) {
      int most = validation ? study.validation() : study.images();
      convert(
          new Subset(data, picks(data, validation, most), validation ? "validation" : "training"),
          there,
          "jpeg:96",
          photos ? study.resize() : "keep",
          false);
    }
    return there;
  }

  private static void convert(
      Dataset data, Path to, String encoding, String resize, boolean shuffle)
      throws IOException, InterruptedException {
    var as = Representation.of("race", "none", encoding, resize);
    int threads = Runtime.getRuntime().availableProcessors();
    var options = new ConvertOptions(to, "data", as, 1, shuffle, 0, threads, false, 1L << 30);
    var _ = new Converter(data, options).run();
  }

  /// {@return the numbers of the samples for validation, or of the others: `most` at most if that
  ///     is not 0, as many of each class as it has in proportion}
  private static long[] picks(Dataset data, boolean validation, int most) throws IOException {
    Map<Long, List<Long>> classes = new TreeMap<>();
    try (Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      Map<Long, Integer> seen = new TreeMap<>();
      for (long i = 0; i < data.size(); i++) {
        reader.describe(i, sample);
        int number = seen.merge(sample.label(), 1, Integer::sum);
        if (sample.label() >= 0 && (number % FIFTH == 0) == validation) {
          classes.computeIfAbsent(sample.label(), label -> new ArrayList<>()).add(i);
        }
      }
    }
    if (classes.size() < 2) {
      throw new ConfigException(
          "%s: training needs two classes of %d samples each at least"
              .formatted(data.root(), FIFTH));
    }
    long all = classes.values().stream().mapToLong(List::size).sum();
    List<Long> picks = new ArrayList<>();
    for (List<Long> own : classes.values()) {
      long take =
          most == 0 || all <= most ? own.size() : Math.max(1, (long) own.size() * most / all);
      for (long j = 0; j < take; j++) {
        picks.add(own.get((int) (j * own.size() / take)));
      }
    }
    return picks.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private void read() throws IOException {
    if (!known.isEmpty() || !Files.exists(file)) {
      return;
    }
    for (String line : Files.readAllLines(file)) {
      try {
        JsonNode node = JsonMapper.shared().readTree(line);
        List<Curve.Epoch> epochs = new ArrayList<>();
        for (JsonNode epoch : node.path("epochs")) {
          epochs.add(JsonMapper.shared().treeToValue(epoch, Curve.Epoch.class));
        }
        known.put(node.path("course").asString(), new Curve(epochs));
      } catch (JacksonException e) {
        throw new ConfigException(file + " is not a file of trainings: " + e.getOriginalMessage());
      }
    }
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    known.forEach(
        (course, curve) -> {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("course", course);
          line.put("epochs", curve.epochs());
          lines.add(JsonMapper.shared().writeValueAsString(line));
        });
    Bench.write(file, String.join("\n", lines) + "\n");
  }
}
