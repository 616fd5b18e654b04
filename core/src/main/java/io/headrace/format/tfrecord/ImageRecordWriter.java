package io.headrace.format.tfrecord;

import static io.headrace.format.example.ExampleWriter.field;
import static io.headrace.format.example.ExampleWriter.varintSize;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.format.example.Wire;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Serialises [ImageRecord]s without other fields, byte for byte as [ImageRecord#write] does: a
/// conversion makes one for each image, so nothing is built that has to be walked, sorted and
/// thrown away again. Reusable; for one thread at a time.
///
/// What comes before the image and what comes after it is put together on the heap. Features are
/// written in the order of their names, which is known.
final class ImageRecordWriter {
  /// Room for the tag and length of the one field that an Example has.
  private static final int HEAD = 1 + 10;

  private static final byte[] CHANNELS = name("image/channels");
  private static final byte[] LABEL = name(ImageRecord.LABEL);
  private static final byte[] CLASS_TEXT = name("image/class/text");
  private static final byte[] COLORSPACE = name("image/colorspace");
  private static final byte[] ENCODED = name(ImageRecord.ENCODED);
  private static final byte[] FILENAME = name(ImageRecord.FILENAME);
  private static final byte[] FORMAT = name("image/format");
  private static final byte[] HEIGHT = name("image/height");
  private static final byte[] WIDTH = name("image/width");

  private static final int FIELD_1 = Wire.tag(1, Wire.LENGTH);
  private static final int FIELD_2 = Wire.tag(2, Wire.LENGTH);
  private static final int FIELD_3 = Wire.tag(3, Wire.LENGTH);

  private byte[] around = new byte[512];
  private int at;

  private static byte[] name(String name) {
    return name.getBytes(US_ASCII);
  }

  /// Serialises a `tf.train.Example` of a record and its image.
  ///
  /// @param encoded the image as it is stored
  /// @param into gets the message at its start
  /// @return bytes of the message
  /// @throws DecodeException if the memory budget does not allow it
  long write(ImageRecord record, MemorySegment encoded, Block into) throws DecodeException {
    at = HEAD;
    size(CHANNELS, record.channels());
    if (record.label() != Sample.NO_LABEL) {
      number(LABEL, record.label());
    }
    text(CLASS_TEXT, record.classText());
    text(COLORSPACE, record.colorspace());
    bytesField(ENCODED, encoded.byteSize());
    int image = at;
    text(FILENAME, record.key());
    text(FORMAT, record.format());
    size(HEIGHT, record.height());
    size(WIDTH, record.width());
    int end = at;

    long features = end - HEAD + encoded.byteSize();
    int start = HEAD - 1 - varintSize(features);
    at = start;
    length(FIELD_1, features);
    MemorySegment out = into.ensure(1 + varintSize(features) + features);
    MemorySegment.copy(around, start, out, JAVA_BYTE, 0, image - start);
    MemorySegment.copy(encoded, 0, out, image - start, encoded.byteSize());
    MemorySegment.copy(
        around, image, out, JAVA_BYTE, image - start + encoded.byteSize(), end - image);
    return end - start + encoded.byteSize();
  }

  private void text(byte[] name, String value) {
    if (!value.isEmpty()) {
      byte[] bytes = value.getBytes(UTF_8);
      bytesField(name, bytes.length);
      put(bytes);
    }
  }

  private void size(byte[] name, int value) {
    if (value > 0) {
      number(name, value);
    }
  }

  /// A feature of one whole number: `Feature { int64_list { value: [packed] } }`.
  private void number(byte[] name, long value) {
    int packed = varintSize(value);
    entry(name, field(field(packed)));
    length(FIELD_3, field(packed));
    length(FIELD_1, packed);
    varint(value);
  }

  /// A feature of one byte string, `Feature { bytes_list { value } }`, but for those bytes.
  private void bytesField(byte[] name, long bytes) {
    entry(name, field(field(bytes)));
    length(FIELD_1, field(bytes));
    length(FIELD_1, bytes);
  }

  /// An entry of the map, but for its value: `Features { feature { key, value } }`.
  private void entry(byte[] name, long valueBytes) {
    around =
        at + name.length + 64 > around.length ? Arrays.copyOf(around, 2 * around.length) : around;
    length(FIELD_1, field(name.length) + field(valueBytes));
    length(FIELD_1, name.length);
    put(name);
    length(FIELD_2, valueBytes);
  }

  private void put(byte[] bytes) {
    if (at + bytes.length > around.length) {
      around = Arrays.copyOf(around, Math.max(2 * around.length, at + bytes.length));
    }
    System.arraycopy(bytes, 0, around, at, bytes.length);
    at += bytes.length;
  }

  private void length(int tag, long bytes) {
    around[at++] = (byte) tag;
    varint(bytes);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      around[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    around[at++] = (byte) rest;
  }
}
