package io.headrace.error;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Where in a dataset something lies.
///
/// @param file path or shard name, as the user gave it
/// @param record number of the record in its file, from 0; -1 where there are no records
/// @param key the sample's key, or null where it has none or it is not yet known
/// @param offset bytes from the start of the uncompressed file; -1 where unknown
public record Location(String file, long record, @Nullable String key, long offset)
    implements Serializable {
  /// {@return a whole file, without record, key or offset}
  public static Location of(String file) {
    return new Location(file, -1, null, -1);
  }

  @Override
  public String toString() {
    var text = new StringBuilder("[file=").append(Printable.of(file));
    if (record >= 0) {
      text.append(", record=").append(record);
    }
    if (key != null) {
      text.append(", key=").append(Printable.of(key));
    }
    if (offset >= 0) {
      text.append(", offset=").append(offset);
    }
    return text.append(']').toString();
  }
}
