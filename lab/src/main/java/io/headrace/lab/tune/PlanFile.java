package io.headrace.lab.tune;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Identity;
import io.headrace.format.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The plan a tuning makes, as JSON: what was tried, what was picked, and why.
public final class PlanFile {
  /// Written into every plan.
  public static final String VERSION = "1";

  private PlanFile() {}

  /// {@return the plan as a tree of maps and lists, ready for JSON}
  ///
  /// @param pipeline the trainer's, as text
  /// @param opening how the dataset was opened
  public static Map<String, Object> toMap(Tuning tuning, String pipeline, OpenOptions opening) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("headrace_plan", VERSION);
    map.put("samples", tuning.samples());
    map.put("sampled", tuning.sampled());
    map.put("pipeline", pipeline);
    if (!opening.toMap().isEmpty()) {
      map.put("open", opening.toMap());
    }
    Map<String, Object> limits = new LinkedHashMap<>();
    limits.put("storage_bytes", tuning.limits().storageBytes());
    limits.put("memory_bytes", tuning.limits().memoryBytes());
    limits.put("consumer_samples_per_second", tuning.limits().consumer());
    limits.put("min_quality", tuning.limits().minQuality());
    limits.put("min_ms_ssim", tuning.limits().minMsSsim());
    limits.put("lossless", tuning.limits().lossless());
    if (tuning.limits().offlineSeconds() < Double.POSITIVE_INFINITY) {
      limits.put("offline_seconds", tuning.limits().offlineSeconds());
    }
    map.put("limits", limits);
    map.put("disk_bytes_per_second", tuning.diskBytesPerSecond());
    List<Object> candidates = new ArrayList<>();
    for (Result result : tuning.results()) {
      candidates.add(candidate(result, tuning.limits()));
    }
    map.put("candidates", candidates);
    map.put("untried", tuning.untried());
    Map<String, Object> pick = new LinkedHashMap<>();
    Result result = tuning.pick().result();
    pick.put("name", result.candidate().name());
    Representation representation = result.candidate().representation();
    if (representation != null) {
      pick.put("representation", representation.toMap());
    }
    pick.put("load", result.trial().toMap());
    pick.put("command", result.trial().command());
    pick.put(
        "passed_over",
        tuning.pick().passedOver().stream()
            .map(passed -> Map.of("name", passed.result().candidate().name(), "why", passed.why()))
            .toList());
    map.put("pick", pick);
    map.put("advice", tuning.pick().advice());
    map.put("spread", tuning.spread());
    Map<String, Object> others = new LinkedHashMap<>();
    if (!Double.isNaN(tuning.othersMost())) {
      others.put("mean", tuning.othersMean());
      others.put("most", tuning.othersMost());
    }
    map.put("processors_taken_by_others", others);
    map.put("conditions", tuning.conditions());
    return map;
  }

  private static Map<String, Object> candidate(Result result, Limits limits) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", result.candidate().name());
    Representation representation = result.candidate().representation();
    if (representation != null) {
      map.put("representation", representation.toMap());
    }
    map.put("predicted", result.predicted());
    map.put("measured", result.measured());
    map.put("rates", result.rates());
    map.put("spread", result.spread());
    if (result.storeRate() < Double.POSITIVE_INFINITY) {
      map.put("store_bound", result.storeRate());
    }
    map.put("bytes", result.costs().bytes());
    map.put("total_bytes", result.totalBytes());
    map.put("quality", result.quality());
    map.put("ms_ssim", result.conversion().msSsim());
    map.put("convert_seconds", result.convertSeconds());
    map.put("read_seconds", result.costs().miss().read());
    map.put("decode_seconds", result.costs().miss().decode());
    map.put("transform_seconds", result.costs().miss().transform());
    map.put("bottleneck", result.bottleneck().label());
    map.put("objection", Pick.objection(result, limits));
    return map;
  }

  /// Writes a plan atomically.
  ///
  /// @param data what it was made for
  public static void write(
      Path file, Tuning tuning, String pipeline, OpenOptions opening, Dataset data)
      throws IOException {
    Map<String, Object> plan = toMap(tuning, pipeline, opening);
    plan.put("dataset", Identity.of(data).toMap());
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, json(plan) + "\n");
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /// {@return a tree of maps and lists as indented JSON}
  public static String json(Object tree) {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(tree);
  }

  /// What a plan asks for.
  ///
  /// @param representation to convert to, or null to leave the dataset as it is
  /// @param pipeline the trainer's, as text
  /// @param opening how the plan's dataset is opened
  /// @param data what it was made for, as far as it says
  /// @param loading how what was picked is best loaded, by the words of settings; may be empty
  public record Plan(
      @Nullable Representation representation,
      String pipeline,
      OpenOptions opening,
      Identity data,
      Map<String, String> loading) {}

  /// {@return what a file of JSON holds}
  ///
  /// @param none what is missing if there is no file
  /// @param broken what is wrong with one that is none
  static JsonNode tree(Path file, String none, String broken) throws IOException {
    try {
      return JsonMapper.shared().readTree(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new ConfigException(none + " at " + file);
    } catch (JacksonException e) {
      throw new ConfigException("%s %s: %s".formatted(file, broken, e.getOriginalMessage()));
    }
  }

  /// {@return the plan in a file}
  ///
  /// @throws ConfigException if there is none, naming the file
  public static Plan read(Path file) throws IOException {
    JsonNode root = tree(file, "no plan", "is not a plan");
    if (!root.path("headrace_plan").asString("").equals(VERSION)) {
      throw new ConfigException(
          file + " is not a plan of version " + VERSION + ": no headrace_plan in it");
    }
    JsonNode node = root.path("pick").path("representation");
    return new Plan(
        node.isMissingNode()
            ? null
            : Representation.of(
                node.path("container").asString("tfrecord"),
                node.path("compression").asString(""),
                node.path("encoding").asString(""),
                node.path("resize").asString(""),
                node.path("steps").asString("")),
        root.path("pipeline").asString(""),
        OpenOptions.of(root.path("open"), file.toString()),
        Identity.of(root.path("dataset")),
        root.path("pick").path("load").properties().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().asString())));
  }
}
