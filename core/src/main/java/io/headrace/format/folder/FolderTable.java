package io.headrace.format.folder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.ClassNames;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What lies beside pictures and says something of each: a table, `metadata.csv` or
/// `metadata.jsonl`, as Hugging Face's `imagefolder` has it: `file_name` names a picture below the
/// folder, `label` is its class, and every other column is a field of the sample. Source: the
/// chapter "Create an image dataset" of the manual of `datasets`.
///
/// Labels are numbers if all of them are whole numbers, else names of classes, which are numbered
/// in the order of their names. Immutable once read.
final class FolderTable {
  private static final String CSV = "metadata.csv";
  private static final String JSONL = "metadata.jsonl";
  private static final String FILE_NAME = "file_name";

  /// What annotations of COCO's form are called beside pictures: by hand, and as Roboflow has them.
  private static final List<String> COCO = List.of("annotations.json", "_annotations.coco.json");

  private static final Pattern WHOLE = Pattern.compile("[-+]?\\d{1,9}(\\.0*)?");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\d*\\.?\\d+|\\d+\\.)([eE][-+]?\\d+)?");

  /// A row.
  ///
  /// @param line of the file where it begins, from 1
  /// @param label as it is spelt; null for none
  /// @param fields values by name
  private record Row(long line, @Nullable String label, Map<String, String> fields) {}

  private final Path file;
  private final String labelColumn;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private @Nullable ClassNames classes;
  private boolean labelled;

  private FolderTable(Path file, String labelColumn) {
    this.file = file;
    this.labelColumn = labelColumn;
  }

  /// {@return the table in a folder, or null if there is none}
  ///
  /// @param warnings told of a table that is none of pictures
  /// @throws CorruptDataException if it makes no sense, with the line
  static @Nullable FolderTable readIfPresent(Path root, OpenOptions options, List<String> warnings)
      throws IOException {
    Path csv = root.resolve(CSV);
    Path jsonl = root.resolve(JSONL);
    boolean isCsv = Files.isRegularFile(csv);
    if (isCsv && Files.isRegularFile(jsonl)) {
      throw new ConfigException("%s holds both %s and %s: keep one".formatted(root, CSV, JSONL));
    }
    if (!isCsv && !Files.isRegularFile(jsonl)) {
      for (String name : COCO) {
        if (Files.isRegularFile(root.resolve(name)) && options.features().isEmpty()) {
          return ofCoco(List.of(root.resolve(name)));
        }
      }
      if (!options.features().isEmpty()) {
        options.requireNoFeatures("a folder of pictures without a table");
      }
      return null;
    }
    if (options.feature(OpenOptions.IMAGE) != null) {
      throw new ConfigException("features: the pictures of a folder are its files");
    }
    String key = options.feature(OpenOptions.KEY);
    String label = options.feature(OpenOptions.LABEL);
    var table = new FolderTable(isCsv ? csv : jsonl, label == null ? "label" : label);
    boolean read = isCsv ? table.readCsv(key) : table.readJson(key == null ? FILE_NAME : key);
    if (!read) {
      warnings.add(
          "%s has no column %s: not read".formatted(table.file, key == null ? FILE_NAME : key));
      return null;
    }
    table.settleLabels();
    if (label != null && !label.isEmpty() && !table.labelled) {
      throw new ConfigException("%s has no column %s".formatted(table.file, label));
    }
    return table;
  }

  /// {@return a table of what files of annotations say: see [CocoAnnotations]. It has no labels}
  static FolderTable ofCoco(List<Path> files) throws IOException {
    var table = new FolderTable(files.getFirst(), "");
    Map<String, Map<String, String>> rows = new LinkedHashMap<>();
    for (Path each : files) {
      CocoAnnotations.read(each, rows);
    }
    rows.forEach((key, fields) -> table.rows.put(key, new Row(0, null, fields)));
    return table;
  }

  private String text() throws IOException {
    try {
      String text = Files.readString(file);
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new CorruptDataException(
          Fault.CORRUPT, "the table is not UTF-8", Location.of(file.toString()), e);
    }
  }

  private boolean readCsv(@Nullable String key) throws IOException {
    var csv = new Csv(text());
    List<String> names = csv.row();
    String wanted = key == null ? FILE_NAME : key;
    int at = names.indexOf(wanted);
    if (at < 0) {
      return false;
    }
    for (List<String> cells = csv.row(); !cells.isEmpty(); cells = csv.row()) {
      if (cells.size() == 1 && cells.getFirst().isEmpty()) {
        continue; // an empty line
      }
      if (cells.size() != names.size()) {
        throw bad(
            csv.line(), "%d cells, the first line has %d".formatted(cells.size(), names.size()));
      }
      String label = null;
      Map<String, String> fields = new LinkedHashMap<>();
      for (int i = 0; i < cells.size(); i++) {
        String value = cells.get(i);
        if (names.get(i).equals(labelColumn)) {
          labelled = true;
          label = value.isEmpty() ? null : value;
        } else if (i != at && !value.isEmpty()) {
          fields.put(names.get(i), value);
        }
      }
      add(csv.line(), cells.get(at), label, fields);
    }
    return true;
  }

  private boolean readJson(String key) throws IOException {
    JsonMapper json = JsonMapper.shared();
    long line = 0;
    for (String each : text().split("\n", -1)) {
      line++;
      if (each.isBlank()) {
        continue;
      }
      JsonNode node;
      try {
        node = json.readTree(each);
      } catch (JacksonException e) {
        throw bad(line, "not JSON: " + e.getOriginalMessage());
      }
      if (!node.path(key).isString()) {
        if (rows.isEmpty()) {
          return false;
        }
        throw bad(line, "no " + key);
      }
      String label = null;
      Map<String, String> fields = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        JsonNode value = entry.getValue();
        String text = value.isValueNode() ? value.asString("") : value.toString();
        if (entry.getKey().equals(labelColumn)) {
          labelled = true;
          label = value.isNull() || text.isEmpty() ? null : text;
        } else if (!entry.getKey().equals(key) && !value.isNull()) {
          fields.put(entry.getKey(), text);
        }
      }
      add(line, node.path(key).asString(), label, fields);
    }
    return !rows.isEmpty();
  }

  private void add(long line, String name, @Nullable String label, Map<String, String> fields)
      throws CorruptDataException {
    String key = Path.of(name.replace('\\', '/')).normalize().toString();
    Row before = rows.put(key, new Row(line, label, fields));
    if (before != null) {
      throw new CorruptDataException(
          Fault.DUPLICATE,
          "%s is named in lines %d and %d".formatted(name, before.line(), line),
          Location.of(file.toString()),
          null);
    }
  }

  /// Decides what labels are. Lists are no classes: they become fields.
  private void settleLabels() throws CorruptDataException {
    Set<String> texts = new LinkedHashSet<>();
    boolean names = false;
    for (Map.Entry<String, Row> entry : rows.entrySet()) {
      Row row = entry.getValue();
      String label = row.label();
      if (label == null) {
        continue;
      }
      if (isList(label)) {
        row.fields().put(labelColumn, label);
        continue;
      }
      if (!WHOLE.matcher(label).matches()) {
        if (DECIMAL.matcher(label).matches()) {
          throw bad(
              row.line(),
              "label %s is no class: --features label= keeps it as a field".formatted(label));
        }
        names = true;
      }
      texts.add(label);
    }
    classes = names ? ClassNames.sorted(texts, file.toString()) : null;
  }

  private static boolean isList(String label) {
    return label.startsWith("[") && label.endsWith("]");
  }

  private CorruptDataException bad(long line, String what) {
    return new CorruptDataException(
        Fault.MISMATCH, "line %d: %s".formatted(line, what), Location.of(file.toString()), null);
  }

  Path file() {
    return file;
  }

  /// {@return whether it has a column of labels}
  boolean hasLabels() {
    return labelled;
  }

  /// {@return names of classes by number; empty if labels are numbers}
  List<String> classes() {
    ClassNames names = classes;
    return names == null ? List.of() : names.names();
  }

  /// {@return the class of a picture, or -1}
  ///
  /// @param key its path below the folder, with slashes
  int label(String key) {
    Row row = rows.get(key);
    String label = row == null ? null : row.label();
    if (label == null || isList(label)) {
      return (int) Sample.NO_LABEL;
    }
    ClassNames names = classes;
    int dot = label.indexOf('.');
    return names != null
        ? (int) names.number(label)
        : Integer.parseInt(dot < 0 ? label : label.substring(0, dot));
  }

  /// Adds the fields of a picture.
  ///
  /// @param free where the sample's memory is free
  /// @return where it is free then
  /// @throws DecodeException if the memory budget does not allow it
  long fill(String key, Sample into, long free) throws DecodeException {
    Row row = rows.get(key);
    if (row == null) {
      return free;
    }
    long at = free;
    for (Map.Entry<String, String> field : row.fields().entrySet()) {
      byte[] name = field.getKey().getBytes(UTF_8);
      byte[] value = field.getValue().getBytes(UTF_8);
      MemorySegment memory = into.ensureKeeping(at + name.length + value.length);
      MemorySegment.copy(name, 0, memory, JAVA_BYTE, at, name.length);
      MemorySegment.copy(value, 0, memory, JAVA_BYTE, at + name.length, value.length);
      into.addField(at, name.length, at + name.length, value.length, false);
      if (field.getKey().equals(labelColumn)) {
        into.labelInField();
      }
      at += name.length + value.length;
    }
    return at;
  }

  /// {@return what does not fit the pictures that are there, in words}
  ///
  /// @param keys of these
  List<String> misfits(List<String> keys) {
    Set<String> there = new LinkedHashSet<>(keys);
    Set<String> gone = new TreeSet<>(rows.keySet());
    gone.removeAll(there);
    there.removeAll(rows.keySet());
    List<String> lines = new ArrayList<>();
    if (!gone.isEmpty()) {
      lines.add(
          "%s names %d pictures that are not there, such as %s"
              .formatted(file, gone.size(), gone.iterator().next()));
    }
    if (!there.isEmpty()) {
      lines.add(
          "%d pictures are not in %s, such as %s: they have no label and no fields of it"
              .formatted(there.size(), file, there.iterator().next()));
    }
    return lines;
  }

  /// Rows of comma-separated values; RFC 4180.
  private final class Csv {
    private final String text;
    private int at;
    private long line = 1;
    private long begun = 1;

    Csv(String text) {
      this.text = text;
    }

    /// {@return the line where the row read last begins}
    long line() {
      return begun;
    }

    /// {@return the cells of the next row; none at the end}
    List<String> row() throws CorruptDataException {
      List<String> cells = new ArrayList<>();
      begun = line;
      if (at == text.length()) {
        return cells;
      }
      var cell = new StringBuilder();
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c == '"' && cell.isEmpty()) {
          quoted(cell);
        } else if (c == ',') {
          cells.add(cell.toString());
          cell.setLength(0);
        } else if (c == '\n') {
          line++;
          break;
        } else if (c != '\r' || (at < text.length() && text.charAt(at) != '\n')) {
          cell.append(c);
        }
      }
      cells.add(cell.toString());
      return cells;
    }

    private void quoted(StringBuilder cell) throws CorruptDataException {
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c == '"') {
          if (at == text.length() || text.charAt(at) != '"') {
            return;
          }
          at++;
        }
        line += c == '\n' ? 1 : 0;
        cell.append(c);
      }
      throw bad(begun, "a quotation mark that nothing closes");
    }
  }
}
