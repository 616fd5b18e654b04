package io.headrace.format;

import io.headrace.error.ConfigException;
import io.headrace.format.files.ShardFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a user says of a dataset when it is opened: the same for the command line, plans, Python
/// and Java.
///
/// @param split the name of the split to take, or a pattern of names such as `train*`, where a
///     folder holds several; empty if none was said
/// @param classes the list that labels are numbered by, or null for the dataset's own
/// @param features which field is the [#IMAGE], the [#LABEL], the [#KEY]; an empty name says that
///     there is none. What is not in it is found by the usual names
/// @param pairs which folders hold files that belong to pictures, as `images=masks`; empty for none
/// @param foldersAreClasses whether folders called `train` or `images` are classes all the same
public record OpenOptions(
    String split,
    @Nullable ClassNames classes,
    Map<String, String> features,
    String pairs,
    boolean foldersAreClasses) {
  /// The role of the field that holds the encoded image or sound; `sound` means it too.
  public static final String IMAGE = "image";

  /// The role of the field that holds the class.
  public static final String LABEL = "label";

  /// The role of the field that holds the sample's key.
  public static final String KEY = "key";

  private static final List<String> ROLES = List.of(IMAGE, LABEL, KEY);

  /// Nothing said.
  public static final OpenOptions DEFAULT = new OpenOptions("", null, Map.of(), "", false);

  /// Copies the map.
  ///
  /// @throws ConfigException if a role is unknown, or there is to be no image
  public OpenOptions {
    for (String role : features.keySet()) {
      if (!ROLES.contains(role)) {
        throw new ConfigException(
            "features: unknown role '%s': expected %s".formatted(role, String.join(", ", ROLES)));
      }
    }
    if ("".equals(features.get(IMAGE))) {
      throw new ConfigException("features: image has no name");
    }
    features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
  }

  /// {@return the same with a split}
  public OpenOptions withSplit(String name) {
    return new OpenOptions(name, classes, features, pairs, foldersAreClasses);
  }

  /// {@return the same with a list of classes}
  public OpenOptions withClasses(@Nullable ClassNames names) {
    return new OpenOptions(split, names, features, pairs, foldersAreClasses);
  }

  /// {@return the same with names of features, written `image=NAME,label=NAME,key=NAME`}
  ///
  /// @throws ConfigException if the text is not of that form
  public OpenOptions withFeatures(String text) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0
          || map.put(role(part.substring(0, equals)), part.substring(equals + 1)) != null) {
        throw new ConfigException(
            "features '%s': expected image=NAME,label=NAME,key=NAME, each once".formatted(text));
      }
    }
    return new OpenOptions(split, classes, map, pairs, foldersAreClasses);
  }

  /// {@return the same with files that belong to pictures, written `PICTURES=FOLDER[:FIELD],…`}
  public OpenOptions withPairs(String rules) {
    return new OpenOptions(split, classes, features, rules, foldersAreClasses);
  }

  private static String role(String text) {
    String role = text.strip();
    return role.equals("sound") ? IMAGE : role;
  }

  /// {@return the same, but folders are classes whatever their names}
  public OpenOptions withFoldersAsClasses(boolean all) {
    return new OpenOptions(split, classes, features, pairs, all);
  }

  /// {@return the name of the field that has a role; empty if there is none; null if not said}
  public @Nullable String feature(String role) {
    return features.get(role);
  }

  /// {@return names to look for: the one that was said, or else the usual ones}
  public List<String> names(String role, List<String> usual) {
    String said = features.get(role);
    return said == null ? usual : said.isEmpty() ? List.of() : List.of(said);
  }

  /// Refuses names of features where a dataset has none to choose from.
  ///
  /// @param kind of dataset, in words
  /// @throws ConfigException if there are any
  public void requireNoFeatures(String kind) {
    if (!features.isEmpty()) {
      throw new ConfigException(
          "features are for TFRecord, tar, Parquet, MDS and tables beside pictures: %s has an image"
                  .formatted(kind)
              + " and a label by itself");
    }
  }

  /// Refuses pairs where pictures are no files of a folder.
  ///
  /// @throws ConfigException if there are any
  public void requireNoPairs(Path root) {
    if (!pairs.isEmpty()) {
      throw new ConfigException(
          "pair '%s' is for folders of pictures, which %s is not".formatted(pairs, root));
    }
  }

  /// Refuses a split of a dataset that has an index of all its files.
  ///
  /// @throws ConfigException if one is asked for
  public void requireNoSplit(Path root) {
    if (!split.isEmpty()) {
      throw new ConfigException(
          "%s is one dataset by its index: it has no split '%s'".formatted(root, split));
    }
  }

  /// {@return what was said, as it stands in a plan; empty if nothing was}
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (!split.isEmpty()) {
      map.put("split", split);
    }
    if (classes != null) {
      map.put("classes", classes.names());
    }
    if (!features.isEmpty()) {
      map.put("features", features);
    }
    if (!pairs.isEmpty()) {
      map.put("pairs", pairs);
    }
    if (foldersAreClasses) {
      map.put("folders_are_classes", true);
    }
    return map;
  }

  /// {@return what [#toMap] wrote}
  ///
  /// @param from where it stands, for messages
  public static OpenOptions of(JsonNode node, String from) {
    Map<String, String> features = new LinkedHashMap<>();
    node.path("features")
        .properties()
        .forEach(e -> features.put(e.getKey(), e.getValue().asString("")));
    return new OpenOptions(
        node.path("split").asString(""),
        node.has("classes") ? new ClassNames(texts(node.path("classes")), from) : null,
        features,
        node.path("pairs").asString(""),
        node.path("folders_are_classes").asBoolean(false));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  /// {@return the classes that a file lists, one a line or as a JSON array or manifest, or that a
  ///     dataset has}
  ///
  /// @throws ConfigException if it has none
  public static ClassNames classesOf(Path path) throws IOException {
    String from = path.toString();
    if (Files.isDirectory(path)) {
      return datasetClasses(path);
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(from, null, "no such file or folder of classes");
    }
    String name = ShardFiles.baseName(path);
    if (name.endsWith(".json")) {
      return new ClassNames(jsonClasses(path), from);
    }
    if (Files.size(path) > MAX_LIST || ShardFiles.isShardName(name)) {
      return datasetClasses(path);
    }
    String text = Files.readString(path); // MalformedInputException is an IOException
    List<String> names = text.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (names.isEmpty()) {
      throw new ConfigException(path + " lists no classes: expected one a line");
    }
    return new ClassNames(names, from);
  }

  /// Bytes that a list of classes may have.
  private static final long MAX_LIST = 16 << 20;

  private static ClassNames datasetClasses(Path path) throws IOException {
    try (Dataset dataset = Datasets.open(path)) {
      if (dataset.classes().isEmpty()) {
        throw new ConfigException(path + " has no names of classes to number labels by");
      }
      return new ClassNames(dataset.classes(), path.toString());
    }
  }

  private static List<String> jsonClasses(Path path) throws IOException {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(Files.readString(path));
    } catch (JacksonException e) {
      throw new ConfigException(path + " is not JSON: " + e.getOriginalMessage());
    }
    JsonNode list = root.isArray() ? root : root.path("classes");
    if (!list.isArray() || list.isEmpty()) {
      throw new ConfigException(path + " is neither an array of classes nor has it one `classes`");
    }
    return texts(list);
  }
}
