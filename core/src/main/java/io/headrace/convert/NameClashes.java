package io.headrace.convert;

import io.headrace.convert.encode.Transformer;
import io.headrace.convert.target.Packing;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.format.folder.FolderContainer;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds samples that would share a file of a folder, before anything is encoded.
///
/// Key and label decide a file's name except its extension. If all these names differ, which is
/// usual, nothing more is read. Else the formats of those that do not differ decide.
final class NameClashes {
  private final Dataset source;
  private final ConvertOptions options;
  private final long count;
  private final List<String> classes;
  private long[] stems = new long[1024];
  private int known;
  private final Set<Long> doubtful = new HashSet<>();
  private final Map<String, String> files = new HashMap<>();
  private final Map<String, String> folders = new HashMap<>();
  private final Map<Long, String> clashes = new HashMap<>();

  private NameClashes(Dataset source, ConvertOptions options, long count) {
    this.source = source;
    this.options = options;
    this.count = count;
    classes = source.classes();
  }

  /// {@return why a sample cannot be written, by its number in the source}
  ///
  /// @throws CorruptDataException at the first of them, unless bad samples are skipped
  static Map<Long, String> find(Dataset source, ConvertOptions options, long count)
      throws IOException {
    if (!(options.representation().packing() instanceof Packing.Folder)) {
      return Map.of();
    }
    var names = new NameClashes(source, options, count);
    names.each((_, _, sample, _) -> names.note(sample));
    names.findDoubtful();
    if (!names.doubtful.isEmpty()) {
      try (var transformer =
          options.transformer(
              count, new MemoryBudget(options.memory()), Manifest.stepsOf(source))) {
        names.each(
            (index, position, sample, whole) ->
                names.look(index, position, sample, whole, transformer));
      }
    }
    return Map.copyOf(names.clashes);
  }

  /// Takes a sample of which key and label are known.
  @FunctionalInterface
  private interface Taker {
    /// @param whole reads its bytes too
    void take(long index, long position, Sample sample, Whole whole) throws IOException;
  }

  /// Reads what is missing of a sample.
  @FunctionalInterface
  private interface Whole {
    void read() throws IOException;
  }

  /// Goes through all samples in the order in which they are written. A sample that cannot be read
  /// has no name; the conversion says why.
  private void each(Taker taker) throws IOException {
    try (var sample = new Sample(new Block(new MemoryBudget(options.memory())))) {
      if (!source.indexed()) {
        stream(sample, taker);
        return;
      }
      var order = new EpochOrder(count, options.shuffle(), options.seed(), 0, 0, 1);
      try (Dataset.SampleReader reader = source.openReader()) {
        for (long position = 0; position < count; position++) {
          long index = order.sampleAt(position);
          try {
            reader.describe(index, sample);
          } catch (CorruptDataException e) {
            continue;
          }
          taker.take(index, position, sample, () -> reader.read(index, sample));
        }
      }
    }
  }

  private void stream(Sample sample, Taker taker) throws IOException {
    long index = 0;
    for (int shard = 0; shard < source.shards().size(); shard++) {
      try (Dataset.SampleCursor cursor = source.openCursor(shard)) {
        boolean more = true;
        while (more) {
          boolean sound = true;
          try {
            more = cursor.next(sample);
          } catch (CorruptDataException e) {
            sound = false;
            more = cursor.resumable();
          }
          if (sound && more) {
            taker.take(index, index, sample, () -> {});
          }
          index += more || !sound ? 1 : 0;
        }
      }
    }
  }

  private String className(Sample sample) {
    long label = sample.label();
    return label >= 0 && label < classes.size() ? classes.get((int) label) : "";
  }

  private String stemOf(Sample sample) {
    return FolderContainer.stemOf(sample.key(), sample.label(), className(sample));
  }

  private void note(Sample sample) {
    String stem = stemOf(sample);
    add(stem);
    for (int slash = stem.indexOf('/'); slash >= 0; slash = stem.indexOf('/', slash + 1)) {
      String folder = stem.substring(0, slash);
      if (namedAsFile(folder)) {
        add(FolderContainer.stem(folder));
      }
    }
  }

  private static boolean namedAsFile(String folder) {
    return !FolderContainer.stem(folder).equals(folder);
  }

  private void add(String stem) {
    if (known == stems.length) {
      stems = Arrays.copyOf(stems, Math.multiplyExact(2, known));
    }
    stems[known++] = SampleIds.of(stem);
  }

  private void findDoubtful() {
    Arrays.sort(stems, 0, known);
    for (int i = 1; i < known; i++) {
      if (stems[i] == stems[i - 1]) {
        doubtful.add(stems[i]);
      }
    }
    stems = new long[0];
  }

  private void look(long index, long position, Sample sample, Whole whole, Transformer transformer)
      throws IOException {
    String stem = stemOf(sample);
    for (int slash = stem.indexOf('/'); slash >= 0; slash = stem.indexOf('/', slash + 1)) {
      String folder = stem.substring(0, slash);
      if (namedAsFile(folder)) {
        String other = files.get(folder);
        if (other != null) {
          clash(index, sample, folder, other);
          return;
        }
        folders.putIfAbsent(folder, sample.key());
      }
    }
    if (!doubtful.contains(SampleIds.of(stem))) {
      return;
    }
    try {
      whole.read();
    } catch (CorruptDataException e) {
      return;
    }
    String format = transformer.formatOf(sample, position);
    String path = FolderContainer.pathOf(sample.key(), sample.label(), className(sample), format);
    String other = folders.containsKey(path) ? folders.get(path) : files.get(path);
    if (other != null) {
      clash(index, sample, path, other);
    } else {
      files.put(path, sample.key());
    }
  }

  private void clash(long index, Sample sample, String path, String other)
      throws CorruptDataException {
    String reason =
        other.equals(sample.key())
            ? "the key is there twice: both would be in the file %s".formatted(path)
            : "it would be in the file %s, where sample %s is: give one of them another key"
                .formatted(path, other);
    if (!options.skipBad()) {
      throw new CorruptDataException(Fault.DUPLICATE, reason, sample.location(), null);
    }
    clashes.put(index, reason);
  }
}
