package io.headrace.lab.trial;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.load.ConsumerRate;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.BadLimit;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.spec.Bytes;
import io.headrace.spec.Spec;
import io.headrace.store.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One way to feed a trainer, as data: how the dataset is represented, what is done to each sample,
/// how files are read, kept and ordered, by how many threads, and for which consumer.
///
/// Equal trials have equal settings, since each value is kept in its canonical spelling.
///
/// @param settings a value for every key
public record Trial(Map<Key, String> settings) {
  /// The format of a dataset that is not converted.
  public static final String FOUND = "found";

  /// Fills in what is usual, and checks every value and that they go together.
  ///
  /// @throws ConfigException naming the setting that makes no sense
  public Trial {
    Map<Key, String> all = new EnumMap<>(Key.class);
    for (Key key : Key.values()) {
      String given = settings.get(key);
      try {
        all.put(key, given == null ? key.usual() : key.canonical(given));
      } catch (ConfigException e) {
        throw new ConfigException("%s: %s".formatted(key.word(), e.getMessage()));
      }
    }
    settings = Collections.unmodifiableMap(all);
    check(settings);
  }

  private static void check(Map<Key, String> settings) {
    if (FOUND.equals(settings.get(Key.FORMAT))) {
      for (Key key : new Key[] {Key.ENCODING, Key.RESIZE, Key.COMPRESSION, Key.STEPS}) {
        if (!key.usual().equals(settings.get(key))) {
          throw new ConfigException(
              "%s %s of a dataset that is not converted: expected a format to convert to"
                  .formatted(key.word(), settings.get(key)));
        }
      }
    }
    if (CacheLevel.APPLICATION_CACHE.word().equals(settings.get(Key.LEVEL))
        && "none".equals(settings.get(Key.CACHE))) {
      throw new ConfigException("level application-cache: expected a cache");
    }
  }

  /// {@return the usual way to load a dataset}
  public static Trial of(Path dataset) {
    return new Trial(Map.of(Key.DATASET, dataset.toString()));
  }

  /// {@return the trial of a map from words to values, such as [#toMap] makes}
  ///
  /// @throws ConfigException naming the word or value that makes no sense
  public static Trial of(Map<String, String> words) {
    Map<Key, String> settings = new EnumMap<>(Key.class);
    words.forEach((word, value) -> settings.put(Key.of(word), value));
    return new Trial(settings);
  }

  /// {@return all settings by the words that users type}
  public Map<String, String> toMap() {
    Map<String, String> words = new LinkedHashMap<>();
    settings.forEach((key, value) -> words.put(key.word(), value));
    return words;
  }

  /// {@return the same with another value}
  public Trial with(Key key, String value) {
    Map<Key, String> changed = new EnumMap<>(settings);
    changed.put(key, value);
    return new Trial(changed);
  }

  /// {@return the same with a number as value}
  public Trial with(Key key, long value) {
    return with(key, String.valueOf(value));
  }

  /// {@return the same of another representation, or of the dataset as it was found}
  public Trial with(@Nullable Representation to) {
    Map<Key, String> changed = new EnumMap<>(settings);
    changed.put(Key.FORMAT, to == null ? FOUND : to.packing().spec());
    changed.put(Key.ENCODING, to == null ? Key.ENCODING.usual() : to.encoding().spec());
    changed.put(Key.RESIZE, to == null ? Key.RESIZE.usual() : to.resize().spec());
    changed.put(Key.COMPRESSION, to == null ? Key.COMPRESSION.usual() : to.compression().spec());
    changed.put(Key.STEPS, to == null ? Key.STEPS.usual() : to.steps().spec());
    return new Trial(changed);
  }

  /// {@return a value, in its canonical spelling}
  public String get(Key key) {
    String value = settings.get(key);
    if (value == null) {
      throw new IllegalStateException("no " + key);
    }
    return value;
  }

  /// {@return a value that is a whole number}
  public int number(Key key) {
    return Integer.parseInt(get(key));
  }

  /// {@return where the dataset lies}
  public Path dataset() {
    return Places.path(get(Key.DATASET));
  }

  /// {@return how the dataset is opened}
  ///
  /// @throws IOException if the list of classes cannot be read
  public OpenOptions opening() throws IOException {
    OpenOptions options = OpenOptions.DEFAULT.withSplit(get(Key.SPLIT));
    if (!get(Key.FEATURES).isEmpty()) {
      options = options.withFeatures(get(Key.FEATURES));
    }
    if (!get(Key.CLASSES).isEmpty()) {
      options = options.withClasses(OpenOptions.classesOf(Places.path(get(Key.CLASSES))));
    }
    return options.withFoldersAsClasses(Boolean.parseBoolean(get(Key.FOLDERS_ARE_CLASSES)));
  }

  /// {@return what the dataset is converted to, or null if it is loaded as it was found}
  public @Nullable Representation representation() {
    return get(Key.FORMAT).equals(FOUND)
        ? null
        : Representation.of(
            get(Key.FORMAT),
            get(Key.COMPRESSION),
            get(Key.ENCODING),
            get(Key.RESIZE),
            get(Key.STEPS));
  }

  /// {@return steps on each sample}
  public Pipeline pipeline() {
    return Pipeline.parse(get(Key.PIPELINE));
  }

  /// {@return where data may come from}
  public CacheLevel level() {
    return CacheLevel.of(get(Key.LEVEL));
  }

  /// {@return what the loader keeps in memory}
  public CacheSpec cache() {
    return CacheSpec.parse(get(Key.CACHE));
  }

  /// {@return the trainer's own rate}
  public ConsumerRate consumer() {
    return ConsumerRate.parse(get(Key.CONSUMER));
  }

  /// {@return how the loader runs; pixels are not hashed}
  public LoadOptions loading() {
    return loader().build();
  }

  /// {@return the same, to be added to}
  public LoadOptions.Builder loader() {
    return LoadOptions.builder()
        .batchSize(number(Key.BATCH))
        .threads(number(Key.THREADS))
        .readers(number(Key.READERS))
        .prefetch(number(Key.PREFETCH))
        .window(number(Key.WINDOW))
        .order(OrderSpec.parse(get(Key.ORDER)))
        .mix(Mix.of(get(Key.MIX)))
        .cache(cache())
        .seed(Long.parseLong(get(Key.SEED)))
        .fidelity(FidelityMix.parse(get(Key.FIDELITY)))
        .memory(Bytes.parse(get(Key.MEMORY)))
        .decoding(Spec.choice("decoding", Decoding.values(), get(Key.DECODING)))
        .policy(ErrorPolicy.of(get(Key.ON_ERROR)))
        .maxBad(BadLimit.parse(get(Key.MAX_BAD)))
        .applyOrientation(Boolean.parseBoolean(get(Key.APPLY_ORIENTATION)))
        .digest(false);
  }

  /// {@return what distinguishes the stored data: trials that agree in it share a conversion}
  String stored() {
    var all = new StringBuilder(dataset().toAbsolutePath().normalize().toString());
    for (Key key : Key.values()) {
      if (key != Key.DATASET && key.compareTo(Key.PIPELINE) < 0) {
        all.append('|').append(get(key));
      }
    }
    return all.toString();
  }

  /// {@return the representation's name and the given settings, for people, such as `tfrecord zstd,
  /// threads 2`}
  public String label(Collection<Key> keys) {
    Representation to = representation();
    String name = to == null ? "as found" : to.label();
    return keys.isEmpty()
        ? name
        : name
            + keys.stream()
                .map(key -> ", " + key.word() + " " + get(key))
                .collect(Collectors.joining());
  }

  /// {@return the commands that do the same by hand}
  public String command() {
    var command = new StringBuilder();
    Representation to = representation();
    String source =
        quoted(get(Key.DATASET))
            + option(Key.SPLIT)
            + option(Key.FEATURES)
            + option(Key.CLASSES)
            + (get(Key.FOLDERS_ARE_CLASSES).equals("true") ? " --folders-are-classes" : "");
    if (to != null) {
      command.append("headrace convert ").append(source).append(" out/converted");
      for (Key key :
          new Key[] {
            Key.FORMAT, Key.ENCODING, Key.RESIZE, Key.COMPRESSION, Key.SHARDS, Key.STEPS
          }) {
        command.append(option(key));
      }
      command.append(" && ");
      source = "out/converted";
    }
    command.append("headrace load ").append(source);
    for (Key key : Key.values()) {
      if (key.compareTo(Key.PIPELINE) >= 0
          && key != Key.LEVEL
          && key != Key.DECODING
          && key != Key.APPLY_ORIENTATION) {
        command.append(option(key));
      }
    }
    return command
        .append(get(Key.DECODING).equals("exact") ? " --exact" : "")
        .append(get(Key.APPLY_ORIENTATION).equals("true") ? " --apply-orientation" : "")
        .append(level() == CacheLevel.COLD ? " --cold" : " --epochs 2")
        .toString()
        .replace("--memory ", "--memory-budget ");
  }

  private String option(Key key) {
    return get(key).equals(key.usual()) ? "" : " --" + key.word() + " " + quoted(get(key));
  }

  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9_./:=,+%@-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
