package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What comes out of a dataset, a line a sample: `key label image NAME=field …`, or `FAULT:
/// reason`.
final class Outcomes {
  private Outcomes() {}

  /// {@return every sample by number}
  static List<String> read(Dataset data) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var reader = data.openReader()) {
      for (long i = 0; i < data.size(); i++) {
        try {
          reader.read(i, sample);
          lines.add(line(sample));
        } catch (CorruptDataException e) {
          lines.add(line(e));
        }
      }
    }
    return lines;
  }

  /// {@return every sample of every shard in stored order}
  static List<String> stream(Dataset data) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < data.shards().size(); shard++) {
        try (var cursor = data.openCursor(shard)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              if (more) {
                lines.add(line(sample));
              }
            } catch (CorruptDataException e) {
              lines.add(line(e));
              more = cursor.resumable();
            }
          }
        }
      }
    }
    return lines;
  }

  /// {@return what both ways of reading give, which must be the same}
  static List<String> both(Dataset data) throws IOException {
    List<String> streamed = stream(data);
    if (data.indexed()) {
      List<String> read = read(data);
      if (!read.equals(streamed)) {
        throw new AssertionError("by number %s, streamed %s".formatted(read, streamed));
      }
    }
    return streamed;
  }

  static String line(Sample sample) {
    var line = new StringBuilder(sample.key());
    line.append(' ').append(sample.label() == Sample.NO_LABEL ? "-" : sample.label() + "");
    line.append(' ').append(new String(sample.encoded().toArray(JAVA_BYTE), ISO_8859_1));
    for (int f = 0; f < sample.fields(); f++) {
      line.append(' ').append(sample.fieldName(f)).append('=');
      line.append(new String(sample.field(f).toArray(JAVA_BYTE), ISO_8859_1));
    }
    return line.toString();
  }

  static String line(CorruptDataException e) {
    return e.fault() + ": " + e.reason();
  }
}
