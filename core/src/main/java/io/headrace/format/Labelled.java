package io.headrace.format;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.files.Splits;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Fanout;
import io.headrace.store.Gather;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A view of a dataset in which every label is the number of a class: texts are looked up among
/// the classes, and numbers are made those of a list that was given. Closing it closes the dataset.
final class Labelled implements Dataset {
  /// Samples that are looked at to see what labels are like.
  private static final int LOOKED_AT = 64;

  /// Bytes of a sample that is looked at; larger ones are passed over.
  private static final long MAX_LOOKED_AT = 1L << 30;

  /// How many different texts are still classes.
  private static final int MAX_CLASSES = 100_000;

  /// Characters that the name of a class may have.
  private static final int MAX_NAME = 1000;

  /// What the JDK puts where bytes are not UTF-8.
  private static final char UNREADABLE = '\ufffd';

  /// What labels are called in JSON.
  private static final List<String> JSON_NAMES =
      List.of("label", "cls", "class", "class_id", "target", "category");

  private final Dataset whole;

  /// Classes by name, or null if labels are numbers.
  private final @Nullable ClassNames names;

  /// Whether these were given, and so hold for numbers too.
  private final boolean given;

  /// New numbers by the dataset's own; null where it names no classes.
  private final long @Nullable [] numbers;

  private final List<String> notes;

  private Labelled(
      Dataset whole,
      @Nullable ClassNames names,
      boolean given,
      long @Nullable [] numbers,
      List<String> notes) {
    this.whole = whole;
    this.names = names;
    this.given = given;
    this.numbers = numbers;
    this.notes = List.copyOf(notes);
  }

  /// {@return a dataset whose labels are numbers; the same if they are already}
  ///
  /// @param classes that were given, or null
  /// @throws ConfigException if a class is not among those given
  static Dataset of(Dataset dataset, @Nullable ClassNames classes) throws IOException {
    if (classes == null && !dataset.mayHaveLabelTexts()) {
      return dataset;
    }
    List<String> notes = new ArrayList<>();
    boolean texts = dataset.mayHaveLabelTexts() && look(dataset, notes);
    if (classes != null) {
      return new Labelled(dataset, classes, true, numbers(dataset, classes), notes);
    }
    ClassNames found = null;
    if (texts) {
      found =
          dataset.classes().isEmpty()
              ? search(dataset, notes)
              : new ClassNames(dataset.classes(), dataset.root().toString());
    }
    return new Labelled(dataset, found, false, null, notes);
  }

  private static long @Nullable [] numbers(Dataset dataset, ClassNames classes) {
    List<String> own = dataset.classes();
    if (own.isEmpty()) {
      return null;
    }
    List<String> missing = own.stream().filter(name -> classes.number(name) < 0).toList();
    if (!missing.isEmpty()) {
      throw new ConfigException(
          "%s has the classes %s, which are not among the %d of %s"
              .formatted(
                  dataset.root(), Splits.some(missing), classes.names().size(), classes.from()));
    }
    return own.stream().mapToLong(classes::number).toArray();
  }

  /// Looks at the first samples, up to one that has a label.
  ///
  /// @return whether that is a text
  private static boolean look(Dataset dataset, List<String> notes) throws IOException {
    int seen = 0;
    try (var sample = new Sample(new Block(new MemoryBudget(MAX_LOOKED_AT)))) {
      for (int shard = 0; shard < dataset.shards().size() && seen < LOOKED_AT; shard++) {
        try (SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more && seen++ < LOOKED_AT) {
            try {
              more = cursor.next(sample);
              if (more && sample.hasLabelText()) {
                return true;
              }
              if (more && sample.labelField() >= 0 && notes.isEmpty()) {
                notes.add(
                    ("labels are lists, kept as the field %s; in batches there is no label (-1):"
                            + " the first is that of %s")
                        .formatted(sample.fieldName(sample.labelField()), sample.key()));
              }
              if (more && sample.label() != Sample.NO_LABEL) {
                return false;
              }
              if (more && seen == 1 && sample.labelField() < 0) {
                hint(sample, notes);
              }
            } catch (CorruptDataException e) {
              more = cursor.resumable(); // whoever reads it next says what is wrong
            }
          }
        }
      }
    }
    return false;
  }

  /// Says how to reach a label that lies in the JSON beside an image.
  private static void hint(Sample sample, List<String> notes) {
    for (int field = 0; field < sample.fields(); field++) {
      if (sample.fieldName(field).equals("json")) {
        String path = labelPath(sample.field(field).toArray(JAVA_BYTE));
        if (!path.isEmpty()) {
          notes.add(
              ("the first sample has no label, but its JSON has %s: --features label=json:%s"
                      + " reads it")
                  .formatted(path, path));
        }
      }
    }
  }

  /// {@return the path of what may be a label in a JSON text, or an empty one}
  private static String labelPath(byte[] json) {
    try {
      JsonNode root = JsonMapper.shared().readTree(json);
      for (String name : JSON_NAMES) {
        if (root.path(name).isValueNode() && !root.path(name).isNull()) {
          return name;
        }
        for (Map.Entry<String, JsonNode> part : root.properties()) {
          if (part.getValue().path(name).isValueNode()) {
            return part.getKey() + "." + name;
          }
        }
      }
      return "";
    } catch (JacksonException e) {
      return ""; // a field like any other
    }
  }

  /// {@return the classes that the labels' texts are, found by reading all samples; null if all
  /// texts are whole numbers}
  private static @Nullable ClassNames search(Dataset dataset, List<String> notes)
      throws IOException {
    Set<String> found = new ConcurrentSkipListSet<>(ClassNames.ORDER);
    Fanout.each(
        IntStream.range(0, dataset.shards().size()).boxed().toList(),
        shard -> search(dataset, shard, found));
    if (found.stream().allMatch(text -> number(text) != null)) {
      return null;
    }
    notes.add(
        ("labels are texts; all samples were read to find their %d classes, numbered by name: a"
                + " list of them as --classes FILE saves that")
            .formatted(found.size()));
    return ClassNames.sorted(found, "the labels of " + dataset.root());
  }

  private static void search(Dataset dataset, int shard, Set<String> found) throws IOException {
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        SampleCursor cursor = dataset.openCursor(shard)) {
      String last = "";
      boolean more = true;
      while (more) {
        try {
          more = cursor.next(sample);
          if (more && sample.hasLabelText()) {
            String text = sample.labelText();
            if (!text.equals(last)
                && isName(text)
                && found.add(text)
                && found.size() > MAX_CLASSES) {
              throw new ConfigException(
                  "%s has more than %,d different labels, such as '%s': texts, not classes;"
                          .formatted(dataset.root(), MAX_CLASSES, text)
                      + " --features label= keeps them as a field");
            }
            last = text;
          } else if (more && sample.label() != Sample.NO_LABEL) {
            found.add(Long.toString(sample.label())); // a number among texts is a name too
          }
        } catch (CorruptDataException e) {
          more = cursor.resumable();
        }
      }
    } catch (CorruptDataException e) {
      // a shard that cannot be opened: whoever reads it next says so
    }
  }

  /// {@return whether a text may be the name of a class: other bytes are a fault when they are
  /// read}
  private static boolean isName(String text) {
    return text.length() <= MAX_NAME
        && text.chars().noneMatch(c -> c == UNREADABLE || Character.isISOControl(c));
  }

  private static @Nullable Long number(String text) {
    try {
      return text.length() > 18 ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /// Makes a number of a sample's label.
  private void settle(Sample sample) throws CorruptDataException {
    ClassNames classes = names;
    if (sample.hasLabelText()) {
      long number = classes == null ? -1 : sample.labelIn(classes);
      if (number < 0) {
        number = without(sample, sample.labelText());
      }
      sample.label(number);
      return;
    }
    long label = sample.label();
    if (label == Sample.NO_LABEL || classes == null) {
      return;
    }
    long[] renumbered = numbers;
    if (renumbered != null && label >= 0 && label < renumbered.length) {
      sample.label(renumbered[(int) label]);
    } else if (renumbered != null || (given && (label < 0 || label >= classes.names().size()))) {
      throw mismatch(
          sample, "label %d is none of the %d classes of %s".formatted(label, count(), where()));
    } else if (!given) {
      long number = classes.number(Long.toString(label));
      if (number < 0) {
        throw mismatch(sample, "label %d came after the texts were read".formatted(label));
      }
      sample.label(number);
    }
  }

  /// {@return the number that a label's text spells, where it names no class}
  private long without(Sample sample, String text) throws CorruptDataException {
    Long number = number(text);
    if (number != null && names == null) {
      return number;
    }
    throw mismatch(
        sample,
        names == null
            ? "the label is a text, '%s', where others are numbers".formatted(text)
            : "label '%s' is none of the %d classes of %s".formatted(text, count(), where()));
  }

  private int count() {
    return classes().size();
  }

  private String where() {
    ClassNames classes = names;
    return classes == null || !given ? root().toString() : classes.from();
  }

  private static CorruptDataException mismatch(Sample sample, String what) {
    return new CorruptDataException(Fault.MISMATCH, what, sample.location(), null);
  }

  @Override
  public Path root() {
    return whole.root();
  }

  @Override
  public List<String> classes() {
    ClassNames classes = names;
    return classes == null ? whole.classes() : classes.names();
  }

  @Override
  public List<String> warnings() {
    List<String> all = new ArrayList<>(whole.warnings());
    all.addAll(notes);
    return List.copyOf(all);
  }

  @Override
  public SampleReader openReader() throws IOException {
    SampleReader reader = whole.openReader();
    return new SampleReader() {
      @Override
      public void read(long index, Sample into) throws IOException {
        reader.read(index, into);
        settle(into);
      }

      @Override
      public void describe(long index, Sample into) throws IOException {
        reader.describe(index, into);
        settle(into);
      }

      @Override
      public void read(long index, int fidelity, Sample into) throws IOException {
        reader.read(index, fidelity, into);
        settle(into);
      }

      @Override
      public void read(long index, int fidelity, LevelChoice choice, Sample into)
          throws IOException {
        reader.read(index, fidelity, choice, into);
        settle(into);
      }

      @Override
      public boolean extend(long index, int fidelity, Sample into) throws IOException {
        return reader.extend(index, fidelity, into); // whose label was settled
      }

      @Override
      public boolean expect(
          long[] samples,
          int[] fidelities,
          int count,
          @Nullable LevelChoice choice,
          Gather gather) {
        return reader.expect(samples, fidelities, count, choice, gather);
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return settling(whole.openCursor(shard));
  }

  @Override
  public SampleCursor openCursor(int shard, int fidelity) throws IOException {
    return settling(whole.openCursor(shard, fidelity));
  }

  private SampleCursor settling(SampleCursor cursor) {
    return new SampleCursor() {
      private boolean unsettled;

      @Override
      public boolean next(Sample into) throws IOException {
        unsettled = false;
        if (!cursor.next(into)) {
          return false;
        }
        unsettled = true;
        settle(into);
        return true;
      }

      @Override
      public boolean resumable() {
        return unsettled || cursor.resumable();
      }

      @Override
      public long bytesRead() {
        return cursor.bytesRead();
      }

      @Override
      public void close() throws IOException {
        cursor.close();
      }
    };
  }

  @Override
  public long size() {
    return whole.size();
  }

  @Override
  public boolean indexed() {
    return whole.indexed();
  }

  @Override
  public List<Path> shards() {
    return whole.shards();
  }

  @Override
  public int groups() {
    return whole.groups();
  }

  @Override
  public int kindOf(long index) {
    return whole.kindOf(index);
  }

  @Override
  public long storedBytes() throws IOException {
    return whole.storedBytes();
  }

  @Override
  public String setDigest() {
    return whole.setDigest();
  }

  /// {@return an empty text where labels are made others than the dataset's own: only a full read
  /// would tell}
  @Override
  public String labelDigest() {
    return names == null ? whole.labelDigest() : "";
  }

  @Override
  public List<Path> linkedFolders() {
    return whole.linkedFolders();
  }

  @Override
  public List<LeftOut> leftOut() {
    return whole.leftOut();
  }

  @Override
  public Map<String, String> details() throws IOException {
    return whole.details();
  }

  @Override
  public long find(String key) throws IOException {
    return whole.find(key);
  }

  @Override
  public void close() throws IOException {
    whole.close();
  }
}
