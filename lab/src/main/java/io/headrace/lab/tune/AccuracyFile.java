package io.headrace.lab.tune;

import static io.headrace.lab.report.Words.format;

import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What networks reached when they were trained on variants of a dataset, as a file says it:
///
///     {"headrace_accuracy": "1", "metric": "top-1", "max_loss": 0.5, "variants": [
///       {"encoding": "keep", "accuracy": 76.73},
///       {"encoding": "jpeg:75", "accuracy": 76.07},
///       {"encoding": "jpeg:75", "resize": "shortest=256", "accuracy": 75.9}]}
///
/// Accuracies and the loss allowed are in percent. The variant `keep` is what the others are
/// compared with.
///
/// @param metric what was reached, for people
/// @param maxLoss that is allowed, in percentage points
/// @param variants accuracies by encoding and resize
public record AccuracyFile(String metric, double maxLoss, Map<String, Double> variants) {
  public AccuracyFile {
    variants = Map.copyOf(variants);
  }

  /// {@return accuracies of encodings of pictures whose size stays}
  public static AccuracyFile of(String metric, double maxLoss, Map<String, Double> encodings) {
    Map<String, Double> variants = new LinkedHashMap<>();
    encodings.forEach((encoding, reached) -> variants.put(key(encoding, "keep"), reached));
    return new AccuracyFile(metric, maxLoss, variants);
  }

  /// {@return the same with one more variant, or another accuracy of it; in percent}
  ///
  /// @throws ConfigException if there is no variant `keep` then
  public AccuracyFile with(String encoding, String resize, double reached) {
    Map<String, Double> all = new LinkedHashMap<>(variants);
    all.put(key(encoding, resize), reached);
    if (!all.containsKey(key("keep", "keep"))) {
      throw new ConfigException("no variant keep to compare the others with: train it first");
    }
    return new AccuracyFile(metric, maxLoss, all);
  }

  /// Writes a file that [#read] understands.
  public void write(Path file) throws IOException {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("headrace_accuracy", "1");
    root.put("metric", metric);
    root.put("max_loss", maxLoss);
    root.put(
        "variants",
        new TreeMap<>(variants)
            .entrySet().stream()
                .map(
                    entry -> {
                      String[] parts = entry.getKey().split(" ", 2);
                      return new TreeMap<String, Object>(
                          Map.of(
                              "encoding",
                              parts[0],
                              "resize",
                              parts[1],
                              "accuracy",
                              entry.getValue()));
                    })
                .toList());
    Files.writeString(
        file, JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(root));
  }

  private static String key(String encoding, String resize) {
    return encoding + " " + resize;
  }

  /// {@return what a file says}
  ///
  /// @throws ConfigException if there is none, or it is not of that form
  public static AccuracyFile read(Path file) throws IOException {
    JsonNode root = PlanFile.tree(file, "no accuracies", "has no accuracies");
    JsonNode loss = root.path("max_loss");
    if (!root.path("headrace_accuracy").asString("").equals("1") || !loss.isNumber()) {
      throw new ConfigException(
          file + " has no accuracies: expected headrace_accuracy \"1\", max_loss and variants");
    }
    Map<String, Double> variants = new LinkedHashMap<>();
    for (JsonNode variant : root.path("variants")) {
      JsonNode accuracy = variant.path("accuracy");
      if (!accuracy.isNumber()) {
        throw new ConfigException(file + ": a variant has no accuracy: " + variant);
      }
      String encoding = TargetEncoding.parse(variant.path("encoding").asString("")).spec();
      String resize = Resize.parse(variant.path("resize").asString("keep")).spec();
      variants.put(key(encoding, resize), accuracy.asDouble());
    }
    if (!variants.containsKey(key("keep", "keep"))) {
      throw new ConfigException(file + ": no variant keep to compare the others with");
    }
    return new AccuracyFile(root.path("metric").asString("accuracy"), loss.asDouble(), variants);
  }

  /// {@return why an encoding is not allowed, or nothing if it is}
  String objection(String encoding, String resize) {
    Double reached = variants.get(key(encoding, resize));
    if (reached == null) {
      return "its accuracy is not known";
    }
    double lost = variants.getOrDefault(key("keep", "keep"), reached) - reached;
    return lost > maxLoss
        ? format("it loses %.2f points of %s, and %.2f are allowed", lost, metric, maxLoss)
        : "";
  }
}
