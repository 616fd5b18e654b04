package io.headrace.format.example;

import static io.headrace.memory.LittleEndian.F32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.format.example.Feature.BytesList;
import io.headrace.format.example.Feature.FloatList;
import io.headrace.format.example.Feature.Int64List;
import io.headrace.format.example.Feature.NotSet;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Serialises a `tf.train.Example` as protobuf does deterministically: sizes first, then bytes.
public final class ExampleWriter {
  private final MemorySegment out;
  private long at;

  private ExampleWriter(MemorySegment out) {
    this.out = out;
  }

  /// {@return the message, which lies in `into`}
  public static MemorySegment write(Map<String, Feature> features, Block into)
      throws DecodeException {
    return write(features, Map.of(), into);
  }

  /// {@return the message, which lies in `into`}
  ///
  /// @param ready further features, serialised already
  public static MemorySegment write(
      Map<String, Feature> features, Map<String, MemorySegment> ready, Block into)
      throws DecodeException {
    List<Entry> entries = new ArrayList<>();
    features.forEach((name, value) -> entries.add(Entry.of(name, value, MemorySegment.NULL)));
    ready.forEach((name, value) -> entries.add(Entry.of(name, new NotSet(), value)));
    entries.sort((a, b) -> Arrays.compareUnsigned(a.nameBytes(), b.nameBytes()));
    long size = 0;
    for (Entry entry : entries) {
      size += field(entry.size());
    }
    long total = field(size);
    var writer = new ExampleWriter(into.ensure(total));
    writer.key(1, size);
    for (Entry entry : entries) {
      writer.key(1, entry.size());
      writer.bytes(1, entry.name());
      writer.key(2, entry.valueSize());
      writer.value(entry.value());
      writer.copy(entry.ready());
    }
    return writer.out.asSlice(0, total);
  }

  /// @param ready the feature in serialised form, if it has no value
  private record Entry(MemorySegment name, Feature value, MemorySegment ready) {
    static Entry of(String name, Feature value, MemorySegment ready) {
      return new Entry(MemorySegment.ofArray(name.getBytes(UTF_8)), value, ready);
    }

    long valueSize() {
      return ExampleWriter.size(value) + ready.byteSize();
    }

    byte[] nameBytes() {
      return (byte[]) name.heapBase().orElseThrow();
    }

    long size() {
      return field(name.byteSize()) + field(valueSize());
    }
  }

  /// {@return bytes of the one field that a Feature message has}
  private static long size(Feature feature) {
    return feature instanceof NotSet ? 0 : field(listSize(feature));
  }

  private static long listSize(Feature feature) {
    long size = 0;
    switch (feature) {
      case BytesList(var values) -> {
        for (MemorySegment value : values) {
          size += field(value.byteSize());
        }
      }
      case FloatList(var values) -> {
        size = values.isEmpty() ? 0 : field((long) Float.BYTES * values.size());
      }
      case Int64List(var values) -> {
        size = values.isEmpty() ? 0 : field(packed(values));
      }
      case NotSet() -> {}
    }
    return size;
  }

  private static long packed(List<Long> values) {
    long size = 0;
    for (long value : values) {
      size += varintSize(value);
    }
    return size;
  }

  private void value(Feature feature) {
    switch (feature) {
      case BytesList(var values) -> {
        key(1, listSize(feature));
        for (MemorySegment value : values) {
          bytes(1, value);
        }
      }
      case FloatList(var values) -> {
        key(2, listSize(feature));
        if (!values.isEmpty()) {
          key(1, (long) Float.BYTES * values.size());
        }
        for (float value : values) {
          out.set(F32, at, value);
          at += Float.BYTES;
        }
      }
      case Int64List(var values) -> {
        key(3, listSize(feature));
        if (!values.isEmpty()) {
          key(1, packed(values));
        }
        for (long value : values) {
          varint(value);
        }
      }
      case NotSet() -> {}
    }
  }

  /// {@return bytes of a length-delimited field with a number below 16}
  public static long field(long length) {
    return 1 + varintSize(length) + length;
  }

  /// {@return bytes of a number, 1 to 10}
  public static int varintSize(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  private void key(int number, long length) {
    varint(Wire.tag(number, Wire.LENGTH));
    varint(length);
  }

  private void bytes(int number, MemorySegment value) {
    key(number, value.byteSize());
    copy(value);
  }

  private void copy(MemorySegment value) {
    MemorySegment.copy(value, 0, out, at, value.byteSize());
    at += value.byteSize();
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.set(JAVA_BYTE, at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.set(JAVA_BYTE, at++, (byte) rest);
  }
}
