package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U16;
import static io.headrace.memory.LittleEndian.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// What one sample has in one group.
///
/// ```
/// ┌──────────────────────────────┬──────────────────────────────┬────────────────────────┐
/// │ tiles, if the sample has any │ fields, if the sample has    │ the image's bytes that │
/// │ u32 bytes of the table       │ any and this is group 1      │ belong to this group   │
/// │ the table                    │ u32 bytes of all fields · …  │                        │
/// └──────────────────────────────┴──────────────────────────────┴────────────────────────┘
///  field := u8 1 if a tf.train.Feature, else 0 · u16 bytes of the name · u32 bytes of the value ·
///           name in UTF-8 · value
/// ```
///
/// Tiles stand in group 1, or, where each group is a level of its own, in each. Sample flags say
/// which of all this is there.
final class Blob {
  /// Each group is an image of its own; else groups are the parts of one image, in order.
  static final int LEVELS = 1;

  /// Blobs begin with a tile table.
  static final int TILED = 2;

  /// The blob of group 1 has fields.
  static final int FIELDS = 4;

  static final int KNOWN_FLAGS = LEVELS | TILED | FIELDS;

  private static final int FIELD_HEADER = 7;

  private Blob() {}

  /// {@return bytes of the fields of a sample, with the count before them; 0 if it has none}
  static long fieldBytes(Sample sample) {
    long bytes = 0;
    for (int i = 0; i < sample.fields(); i++) {
      bytes +=
          FIELD_HEADER
              + sample.fieldName(i).getBytes(StandardCharsets.UTF_8).length
              + sample.field(i).byteSize();
    }
    return bytes == 0 ? 0 : bytes + 4;
  }

  /// Writes the count and the fields.
  ///
  /// @return where they end
  /// @throws DecodeException with [Fault#UNSUPPORTED] if one is too large
  static long writeFields(Sample sample, MemorySegment to, long start) throws DecodeException {
    long at = start + 4;
    for (int i = 0; i < sample.fields(); i++) {
      byte[] name = sample.fieldName(i).getBytes(StandardCharsets.UTF_8);
      MemorySegment value = sample.field(i);
      if (name.length > 0xffff || value.byteSize() > Integer.MAX_VALUE) {
        throw new DecodeException(
            Fault.UNSUPPORTED,
            "field '%.40s' of %d bytes, with a name of %d: race takes 2 GiB and 64 KiB"
                .formatted(sample.fieldName(i), value.byteSize(), name.length));
      }
      to.set(JAVA_BYTE, at, (byte) (sample.isFeature(i) ? 1 : 0));
      to.set(U16, at + 1, (short) name.length);
      to.set(U32, at + 3, (int) value.byteSize());
      MemorySegment.copy(name, 0, to, JAVA_BYTE, at + FIELD_HEADER, name.length);
      MemorySegment.copy(value, 0, to, at + FIELD_HEADER + name.length, value.byteSize());
      at += FIELD_HEADER + name.length + value.byteSize();
    }
    to.set(U32, start, (int) (at - start - 4));
    return at;
  }

  /// Tells a sample where its fields lie.
  ///
  /// @param start of the fields in the sample's memory
  /// @param end of the blob
  /// @return where the image's bytes begin
  static long readFields(Sample into, long start, long end) throws DecodeException {
    MemorySegment memory = into.block().memory();
    long bytes = end - start < 4 ? -1 : memory.get(U32, start) & 0xffff_ffffL;
    if (bytes < 0 || bytes > end - start - 4) {
      throw corrupt("fields", bytes);
    }
    long at = start + 4;
    long last = at + bytes;
    while (at < last) {
      if (at + FIELD_HEADER > last) {
        throw corrupt("a field", last - at);
      }
      boolean feature = memory.get(JAVA_BYTE, at) != 0;
      int name = memory.get(U16, at + 1) & 0xffff;
      long value = memory.get(U32, at + 3) & 0xffff_ffffL;
      long from = at + FIELD_HEADER;
      if (from + name + value > last) {
        throw corrupt("a field", name + value);
      }
      into.addField(from, name, from + name, value, feature);
      at = from + name + value;
    }
    return last;
  }

  /// Tells a sample where its tile table lies.
  ///
  /// @return where the image's bytes begin
  static long readTiles(Sample into, long start, long end) throws DecodeException {
    MemorySegment memory = into.block().memory();
    long bytes = end - start < 4 ? -1 : memory.get(U32, start) & 0xffff_ffffL;
    if (bytes < 0 || bytes > end - start - 4) {
      throw corrupt("a tile table", bytes);
    }
    into.tiles(start + 4, bytes);
    return start + 4 + bytes;
  }

  private static DecodeException corrupt(String what, long bytes) {
    return new DecodeException(
        Fault.CORRUPT, "%s of %d bytes: more than its blob holds".formatted(what, bytes));
  }
}
