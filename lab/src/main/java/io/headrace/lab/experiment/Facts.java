package io.headrace.lab.experiment;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Numbers that are measured once and kept in a file, for what no trial measures.
public final class Facts {
  private final Path file;
  private final Map<String, Double> known = new TreeMap<>();

  /// Measures a number.
  @FunctionalInterface
  interface Measure {
    /// {@return the number}
    double get() throws IOException, InterruptedException;
  }

  /// Reads what is there of a file.
  ///
  /// @throws ConfigException if it holds something else
  Facts(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      try {
        JsonMapper.shared()
            .readTree(Files.readString(file))
            .properties()
            .forEach(entry -> known.put(entry.getKey(), entry.getValue().asDouble()));
      } catch (JacksonException e) {
        throw new ConfigException(file + " is not a file of facts: " + e.getOriginalMessage());
      }
    }
  }

  /// Some facts by name.
  private Facts(Map<String, Double> all) {
    file = Path.of("");
    known.putAll(all);
  }

  /// {@return those whose names begin with a text, by what follows it; they are no longer kept in a
  /// file}
  Facts below(String prefix) {
    Map<String, Double> below = new TreeMap<>();
    known.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            below.put(name.substring(prefix.length()), value);
          }
        });
    return new Facts(below);
  }

  /// {@return the number of that name; measured, and written to the file, if it is not known}
  double of(String name, Measure measure) throws IOException, InterruptedException {
    Double there = known.get(name);
    if (there == null) {
      there = measure.get();
      known.put(name, there);
      Bench.write(
          file, JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(known));
    }
    return there;
  }

  /// Keeps a number that was measured, if it is not known.
  void keep(String name, double measured) throws IOException, InterruptedException {
    keep(name, () -> measured);
  }

  /// Measures the number of that name, and writes it to the file, if it is not known.
  void keep(String name, Measure measure) throws IOException, InterruptedException {
    double _ = of(name, measure);
  }

  /// {@return the number of that name}
  ///
  /// @throws ConfigException if it was not measured
  double get(String name) {
    Double there = known.get(name);
    if (there == null) {
      throw new ConfigException("not measured: " + name);
    }
    return there;
  }

  /// {@return whether it was measured}
  boolean has(String name) {
    return known.containsKey(name);
  }

  /// {@return all of them, by name}
  public Map<String, Double> all() {
    return Map.copyOf(known);
  }
}
