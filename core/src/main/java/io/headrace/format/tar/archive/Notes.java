package io.headrace.format.tar.archive;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is odd about archives but does no harm: counts, each with one example. Confined to one
/// thread until published.
@SuppressWarnings("EnumOrdinal") // an index into tables of one object
public final class Notes {
  /// The kinds of oddity.
  public enum Kind {
    /// A sample without `.cls`.
    UNLABELLED("%d samples have no label: no .cls member, such as %s"),
    /// A link, device, pipe or what else is no file.
    SPECIAL("%d members that are no regular files left out, such as %s"),
    /// A file whose name gives no key.
    KEYLESS("%d members left out whose names give no key, such as %s"),
    /// An archive without any sample, such as one of zeros only.
    EMPTY("%d archives hold no sample, such as %s"),
    /// An archive that just ends.
    NO_END("%d archives have no end-of-archive mark and may have been cut, such as %s"),
    /// Archives put after each other.
    GOES_ON("%d times members follow an end-of-archive mark, and are read, such as %s"),
    /// What follows the end and is no archive.
    TAIL("%d archives are followed by bytes that are no archive, such as %s"),
    /// So many keys that they could not all be told apart.
    KEYS("%d archives have too many keys to see whether all differ, such as %s");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private final long[] counts = new long[Kind.values().length];
  private final @Nullable String[] examples = new @Nullable String[counts.length];

  /// {@return whether an example is still wanted}
  public boolean first(Kind kind) {
    return counts[kind.ordinal()] == 0;
  }

  /// Counts one.
  ///
  /// @param example shown if it is the first
  public void add(Kind kind, String example) {
    add(kind, 1, example);
  }

  /// Counts some.
  public void add(Kind kind, long count, String example) {
    int k = kind.ordinal();
    if (counts[k] == 0) {
      examples[k] = example;
    }
    counts[k] += count;
  }

  /// Counts all that `other` has.
  public void addAll(Notes other) {
    for (int k = 0; k < counts.length; k++) {
      if (counts[k] == 0) {
        examples[k] = other.examples[k];
      }
      counts[k] += other.counts[k];
    }
  }

  /// {@return how many of a kind}
  public long count(Kind kind) {
    return counts[kind.ordinal()];
  }

  /// {@return whether nothing but labels and samples is missing}
  public boolean sound() {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.UNLABELLED && kind != Kind.EMPTY && count(kind) > 0) {
        return false;
      }
    }
    return true;
  }

  /// {@return a line for each kind that there is}
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      String example = examples[kind.ordinal()];
      if (example != null) {
        lines.add(kind.text.formatted(count(kind), example));
      }
    }
    return lines;
  }
}
