package io.headrace.spark;

import io.headrace.convert.SpreadPlan;
import io.headrace.error.ConfigException;
import io.headrace.format.ClassNames;
import io.headrace.format.OpenOptions;
import io.headrace.store.Places;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Options of a data frame's reader or writer. Each has to be asked for; those that nobody asked
/// for are refused, since an option that does nothing is a mistake.
final class SourceOptions {
  private final Map<String, String> given;
  private final Set<String> known = new LinkedHashSet<>();

  /// @param given by name, in any case of letters
  SourceOptions(Map<String, String> given) {
    Map<String, String> lower = new HashMap<>();
    given.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    this.given = lower;
  }

  /// {@return the value of an option, or null}
  @Nullable String get(String name) {
    known.add(name);
    return given.get(name.toLowerCase(Locale.ROOT));
  }

  String get(String name, String usual) {
    String value = get(name);
    return value == null ? usual : value;
  }

  boolean flag(String name) {
    String value = get(name, "false").toLowerCase(Locale.ROOT);
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new ConfigException(
              "option %s '%s': expected true or false".formatted(name, value));
    };
  }

  /// {@return a whole number of at least 1}
  int count(String name, int usual) {
    String value = get(name);
    if (value == null) {
      return usual;
    }
    try {
      int number = Integer.parseInt(value.strip());
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new ConfigException("option %s '%s': expected 1 or more".formatted(name, value));
  }

  /// {@return one of a few words}
  String word(String name, String... words) {
    String value = get(name, words[0]);
    if (!List.of(words).contains(value)) {
      throw new ConfigException(
          "option %s '%s': expected %s".formatted(name, value, String.join(" or ", words)));
    }
    return value;
  }

  /// {@return where the dataset is}
  String path() {
    String path = get("path");
    if (path == null || path.isEmpty()) {
      throw new ConfigException("no path: expected load(path) or save(path)");
    }
    if (given.containsKey("paths")) {
      throw new ConfigException(
          "several paths: expected one folder, one shard or a pattern; union() joins frames");
    }
    // as Spark says that a path is local
    return path.startsWith("file:") ? path.replaceFirst("^file:/{0,2}(?=/)", "") : path;
  }

  /// {@return names of classes by number, or null if none are given}
  @Nullable ClassNames classes() throws IOException {
    String classes = get("classes");
    return classes == null ? null : OpenOptions.classesOf(Places.path(classes));
  }

  /// {@return how the dataset is opened}
  OpenOptions opening() throws IOException {
    OpenOptions opening =
        new OpenOptions(
            get("split", ""), classes(), Map.of(), get("pairs", ""), flag("foldersAreClasses"));
    String features = get("features");
    return features == null ? opening : opening.withFeatures(features);
  }

  /// {@return the same options with paths that a process in another folder understands}
  Map<String, String> anywhere() {
    var map = new HashMap<>(given);
    map.put("path", absolute(path()));
    map.computeIfPresent("classes", (_, file) -> absolute(file));
    return Map.copyOf(map); // which can be serialised
  }

  private static String absolute(String path) {
    return SpreadPlan.text(Places.path(path));
  }

  /// Refuses options that nobody asked for.
  void requireKnown() {
    List<String> unknown = new ArrayList<>(given.keySet());
    known.forEach(name -> unknown.remove(name.toLowerCase(Locale.ROOT)));
    if (!unknown.isEmpty()) {
      throw new ConfigException(
          "unknown option %s: expected %s"
              .formatted(String.join(", ", unknown), String.join(", ", known)));
    }
  }
}
