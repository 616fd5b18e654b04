package io.headrace.lab.sweep;

import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A file of runs, `runs.jsonl`: a line of JSON each. The first line says what file this is, and
/// the machine; a line without its end, which a killed process left, does not count.
///
/// @param machine facts of the machine, by name
/// @param runs in the order they were made, warm-ups included
public record Runs(Map<String, String> machine, List<Run> runs) {
  private static final String VERSION = "1";
  private static final String MARK = "headrace_runs";

  public Runs {
    runs = List.copyOf(runs);
  }

  /// {@return the runs in a file}
  ///
  /// @throws ConfigException if there is none, or it is not a file of runs, naming the line
  public static Runs read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException("no runs at " + file);
    }
    List<String> lines = text.lines().toList();
    if (lines.isEmpty()) {
      throw new ConfigException(file + " is not a file of runs: it is empty");
    }
    Map<String, String> machine = new LinkedHashMap<>();
    JsonNode first = parse(file, 1, lines.getFirst());
    if (!first.path(MARK).asString("").equals(VERSION)) {
      throw new ConfigException(
          "%s is not a file of runs of version %s: no %s in its first line"
              .formatted(file, VERSION, MARK));
    }
    first
        .path("machine")
        .properties()
        .forEach(e -> machine.put(e.getKey(), e.getValue().asString()));
    List<Run> runs = new ArrayList<>();
    int whole = text.endsWith("\n") ? lines.size() : lines.size() - 1;
    for (int i = 1; i < whole; i++) {
      JsonNode node = parse(file, i + 1, lines.get(i));
      try {
        runs.add(JsonMapper.shared().treeToValue(node, Run.class));
      } catch (JacksonException e) {
        throw new ConfigException(
            "%s, line %d is not a run: %s".formatted(file, i + 1, e.getOriginalMessage()));
      }
    }
    return new Runs(machine, runs);
  }

  private static JsonNode parse(Path file, int line, String text) {
    try {
      return JsonMapper.shared().readTree(text);
    } catch (JacksonException e) {
      throw new ConfigException(
          "%s, line %d is not a run: %s".formatted(file, line, e.getOriginalMessage()));
    }
  }

  /// Begins a file where there is none, and cuts a line without its end off one that is there.
  public static void begin(Path file, String sweep, Map<String, String> machine)
      throws IOException {
    if (Files.exists(file)) {
      String text = Files.readString(file);
      Files.writeString(file, text.substring(0, text.lastIndexOf('\n') + 1));
    }
    if (!Files.exists(file) || Files.size(file) == 0) {
      Map<String, Object> first = new LinkedHashMap<>();
      first.put(MARK, VERSION);
      first.put("sweep", sweep);
      first.put("machine", machine);
      Files.writeString(file, JsonMapper.shared().writeValueAsString(first) + "\n");
    }
  }

  /// Adds a run to a file.
  static void add(Path file, Run run) throws IOException {
    Files.writeString(
        file, JsonMapper.shared().writeValueAsString(run) + "\n", StandardOpenOption.APPEND);
  }

  /// {@return those that count, by trial, in the order trials came first}
  public List<Summary> summaries() {
    return summaries(run -> true);
  }

  /// {@return those of the wanted runs that count, by trial, in the order trials came first}
  public List<Summary> summaries(Predicate<Run> wanted) {
    Map<Map<String, String>, List<Run>> byTrial = new LinkedHashMap<>();
    for (Run run : runs) {
      if (!run.warmUp() && wanted.test(run)) {
        byTrial.computeIfAbsent(run.settings(), settings -> new ArrayList<>()).add(run);
      }
    }
    return byTrial.values().stream()
        .map(same -> new Summary(same.getFirst().trial(), same))
        .toList();
  }

  /// {@return what was measured of a trial}
  ///
  /// @throws ConfigException if it was not
  public Summary of(Trial trial) {
    Map<String, String> settings = trial.toMap();
    List<Run> same =
        runs.stream().filter(run -> !run.warmUp() && run.settings().equals(settings)).toList();
    if (same.isEmpty()) {
      throw new ConfigException("no runs of " + settings);
    }
    return new Summary(trial, same);
  }

  /// {@return whether that repeat of a trial is there}
  boolean has(Trial trial, int repeat) {
    Map<String, String> settings = trial.toMap();
    return runs.stream().anyMatch(r -> r.repeat() == repeat && r.settings().equals(settings));
  }
}
