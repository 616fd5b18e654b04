package io.headrace.interop.arrow;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.interop.table.Columns;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Images or sounds in Arrow files, one row a sample. Any row can be read by itself.
public final class ArrowDataset implements Dataset {
  /// What `save_to_disk` writes beside the files, and names them in.
  static final String STATE = "state.json";

  /// What it writes beside the folders of several splits.
  static final String SPLITS = "dataset_dict.json";

  static final String SUFFIX = ".arrow";

  private final Path root;
  private final Store store;
  private final List<ArrowFile> files;
  private final long[] starts;

  private ArrowDataset(Path root, Store store, List<ArrowFile> files) {
    this.root = root;
    this.store = store;
    this.files = List.copyOf(files);
    starts = new long[files.size() + 1];
    for (int i = 0; i < files.size(); i++) {
      starts[i + 1] = starts[i] + files.get(i).rows();
    }
  }

  /// Opens a folder that `save_to_disk` wrote, one file, or a pattern of files.
  ///
  /// @throws ConfigException if no column holds images, or several splits are there
  /// @throws CorruptDataException if a file makes no sense, or classes differ
  public static ArrowDataset open(Path path, OpenOptions said, Store store) throws IOException {
    if (said.feature(OpenOptions.KEY) != null) {
      throw new ConfigException("features: the key of an Arrow row is its file's name and number");
    }
    List<ArrowFile> files = new ArrayList<>();
    try {
      for (Path file : expand(path, said)) {
        files.add(new ArrowFile(file, said, store));
        if (!files.getLast().classes().equals(files.getFirst().classes())) {
          throw new CorruptDataException(
              Fault.MISMATCH,
              "classes %s, but %s has %s"
                  .formatted(
                      files.getLast().classes(),
                      files.getFirst().name(),
                      files.getFirst().classes()),
              Location.of(file.toString()),
              null);
        }
      }
      return new ArrowDataset(path, store, files);
    } catch (IOException | RuntimeException e) {
      for (ArrowFile file : files) {
        file.close();
      }
      throw e;
    }
  }

  private static List<Path> expand(Path path, OpenOptions said) throws IOException {
    if (!Files.isDirectory(path)) {
      said.requireNoSplit(path);
      return ShardFiles.expand(path);
    }
    if (Files.isRegularFile(path.resolve(SPLITS))) {
      List<String> splits = texts(path.resolve(SPLITS), "splits", "");
      if (splits.size() != 1 || !said.split().isEmpty()) {
        throw new ConfigException(
            "%s holds the splits %s: name one with --split, such as --split %s"
                .formatted(path, String.join(", ", splits), splits.isEmpty() ? "" : splits.get(0)));
      }
      return expand(path.resolve(splits.getFirst()), said);
    }
    said.requireNoSplit(path);
    Path state = path.resolve(STATE);
    if (!texts(state, "_indices_data_files", "filename").isEmpty()) {
      throw new ConfigException(
          path + " holds a selection of rows: save it anew after flatten_indices()");
    }
    List<Path> files = new ArrayList<>();
    for (String name : texts(state, "_data_files", "filename")) {
      files.add(path.resolve(name));
    }
    if (files.isEmpty()) {
      throw new ConfigException(state + " names no files");
    }
    return files;
  }

  /// {@return the texts of a list in a JSON file; none if it is not there}
  ///
  /// @param member of each element that is the text; empty if that is the element itself
  private static List<String> texts(Path file, String list, String member) throws IOException {
    List<String> texts = new ArrayList<>();
    try {
      for (JsonNode each : JsonMapper.shared().readTree(Files.readAllBytes(file)).path(list)) {
        texts.add((member.isEmpty() ? each : each.path(member)).asString(""));
      }
    } catch (JacksonException e) {
      throw new CorruptDataException(
          Fault.CORRUPT, "no JSON: " + e.getOriginalMessage(), Location.of(file.toString()), e);
    }
    return texts;
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public List<String> classes() {
    return files.isEmpty() ? List.of() : files.getFirst().classes();
  }

  @Override
  public boolean mayHaveLabelTexts() {
    return files.stream()
        .anyMatch(f -> f.columns().hasTextLabels() || f.columns().labelList() != null);
  }

  @Override
  public long size() {
    return starts[files.size()];
  }

  @Override
  public boolean indexed() {
    return true;
  }

  @Override
  public SampleReader openReader() {
    return new ArrowRows(files, starts, store);
  }

  @Override
  public List<Path> shards() {
    return files.stream().map(file -> file.file().path()).toList();
  }

  @Override
  public SampleCursor openCursor(int shard) {
    ArrowFile file = files.get(shard);
    return new ArrowRows(List.of(file), new long[] {0, file.rows()}, store);
  }

  @Override
  public long storedBytes() {
    return files.stream().mapToLong(file -> file.file().size()).sum();
  }

  /// {@return an empty text: only a full read would tell}
  @Override
  public String setDigest() {
    return "";
  }

  @Override
  public List<String> warnings() {
    Set<String> leftOut = new LinkedHashSet<>();
    files.forEach(file -> leftOut.addAll(file.columns().leftOut()));
    return Columns.leftOutWarning(leftOut);
  }

  @Override
  public void close() throws IOException {
    for (ArrowFile file : files) {
      file.close();
    }
  }
}
