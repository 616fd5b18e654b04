package io.headrace.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A list of classes: names by number, and numbers by name. Immutable.
public final class ClassNames {
  /// Names by their UTF-8 bytes, as class folders are ordered.
  public static final Comparator<String> ORDER =
      (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

  private final List<String> names;
  private final String from;

  /// Names one after the other, and where each ends.
  private final MemorySegment text;

  private final long[] ends;

  /// Numbers by the hashes of names, one more than the number; 0 where there is none. A power of
  /// two, at most half full.
  private final int[] table;

  /// @param names by number
  /// @param from where they were found, in words, for messages
  /// @throws ConfigException if a name is there twice or is empty
  public ClassNames(List<String> names, String from) {
    this.names = List.copyOf(names);
    this.from = from;
    text = MemorySegment.ofArray(String.join("", names).getBytes(UTF_8));
    ends = new long[names.size()];
    table = new int[Integer.highestOneBit(Math.max(1, names.size())) * 4];
    long at = 0;
    for (int i = 0; i < ends.length; i++) {
      long length = names.get(i).getBytes(UTF_8).length;
      if (length == 0) {
        throw new ConfigException("the name of class %d in %s is empty".formatted(i, from));
      }
      int slot = slot(text, at, length);
      if (table[slot] != 0) {
        throw new ConfigException("class '%s' is twice in %s".formatted(names.get(i), from));
      }
      at += length;
      ends[i] = at;
      table[slot] = i + 1;
    }
  }

  /// {@return classes of these names, in their order, whatever the order they are given in}
  public static ClassNames sorted(Collection<String> names, String from) {
    Set<String> sorted = new TreeSet<>(ORDER);
    sorted.addAll(names);
    return new ClassNames(List.copyOf(sorted), from);
  }

  /// {@return names by number}
  public List<String> names() {
    return names;
  }

  /// {@return where they were found, in words}
  public String from() {
    return from;
  }

  /// {@return the number of a class, or -1}
  public long number(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    return number(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  /// {@return the number of the class whose name is these bytes, or -1}
  long number(MemorySegment memory, long start, long length) {
    return table[slot(memory, start, length)] - 1L;
  }

  /// {@return where a name stands in the table, or would}
  private int slot(MemorySegment memory, long start, long length) {
    int slot = (int) SampleIds.of(memory, start, length) & (table.length - 1);
    while (table[slot] != 0 && !isNamed(table[slot] - 1, memory, start, length)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private boolean isNamed(int number, MemorySegment memory, long start, long length) {
    long from = number == 0 ? 0 : ends[number - 1];
    return ends[number] - from == length
        && MemorySegment.mismatch(text, from, ends[number], memory, start, start + length) < 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClassNames classes && names.equals(classes.names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  @Override
  public String toString() {
    return names + " of " + from;
  }
}
