package io.headrace.format.example;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A whole `tf.train.Example` as a value, for tools and tests. Where every sample counts, use
/// [ExampleReader].
///
/// @param features by name
public record Example(Map<String, Feature> features) {
  /// Copies the map and keeps its order.
  public Example {
    features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
  }

  /// {@return the message that `bytes` hold, independent of them}
  ///
  /// @throws DecodeException if they hold no `tf.train.Example`
  public static Example parse(MemorySegment bytes) throws DecodeException {
    MemorySegment copy = MemorySegment.ofArray(bytes.toArray(JAVA_BYTE)).asReadOnly();
    var reader = new ExampleReader();
    reader.read(copy);
    Map<String, Feature> features = new LinkedHashMap<>();
    for (int i = 0; i < reader.count(); i++) {
      features.put(reader.name(i), feature(reader, i, copy));
    }
    return new Example(features);
  }

  private static Feature feature(ExampleReader reader, int i, MemorySegment message)
      throws DecodeException {
    return switch (reader.kind(i)) {
      case NOT_SET -> new Feature.NotSet();
      case BYTES -> {
        List<MemorySegment> values = new ArrayList<>();
        while (reader.bytes(i, values.size())) {
          values.add(message.asSlice(reader.sliceStart(), reader.sliceLength()));
        }
        yield new Feature.BytesList(values);
      }
      case FLOATS -> {
        List<Float> values = new ArrayList<>();
        for (float value : reader.floats(i)) {
          values.add(value);
        }
        yield new Feature.FloatList(values);
      }
      case INT64S -> Feature.of(reader.int64s(i));
    };
  }

  /// Serialises it: features in order of their names' UTF-8 bytes, numbers packed, which is what
  /// protobuf calls deterministic.
  ///
  /// @return the message at the start of `into`, a view
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment write(Block into) throws DecodeException {
    return ExampleWriter.write(features, into);
  }
}
