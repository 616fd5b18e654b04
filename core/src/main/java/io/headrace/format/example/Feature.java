package io.headrace.format.example;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;

/// One named list of values in an [Example]. Source: `tensorflow/core/example/feature.proto`.
public sealed interface Feature {
  /// {@return a feature of one value, the UTF-8 bytes of `text`}
  static Feature of(String text) {
    return new BytesList(
        List.of(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)).asReadOnly()));
  }

  /// {@return a feature of one value}
  static Feature of(MemorySegment bytes) {
    return new BytesList(List.of(bytes));
  }

  /// {@return a feature of whole numbers}
  static Feature of(long... values) {
    return new Int64List(LongStream.of(values).boxed().toList());
  }

  /// Byte strings. Equal if their bytes are.
  ///
  /// @param values views, valid as long as the memory they lie in
  record BytesList(List<MemorySegment> values) implements Feature {
    /// Copies the list, not the bytes.
    public BytesList {
      values = List.copyOf(values);
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof BytesList(var others)) || others.size() != values.size()) {
        return false;
      }
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i).mismatch(others.get(i)) >= 0) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int hashCode() {
      int hash = 1;
      for (MemorySegment value : values) {
        hash = 31 * hash + value.asByteBuffer().hashCode();
      }
      return hash;
    }
  }

  /// Single-precision numbers. Equal if their bits are.
  ///
  /// @param values the list
  record FloatList(List<Float> values) implements Feature {
    /// Copies the list.
    public FloatList {
      values = List.copyOf(values);
    }
  }

  /// 64-bit whole numbers.
  ///
  /// @param values the list
  record Int64List(List<Long> values) implements Feature {
    /// Copies the list.
    public Int64List {
      values = List.copyOf(values);
    }
  }

  /// A name without any list.
  record NotSet() implements Feature {}
}
