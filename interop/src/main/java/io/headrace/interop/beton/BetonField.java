package io.headrace.interop.beton;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.field.Npy;
import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One column: its descriptor, and where its part of a row lies.
///
///      0 type  uint8
///      1 name  uint8[16]    ASCII, zeros after it
///     17 arguments  uint8[1024]
///
/// Arguments of arrays are uint64[32] of extents, uint64 bytes of a description, which is JSON as
/// `numpy.dtype.descr` has it. FFCV looks at no arguments of bytes: there our own files have `HR1`,
/// a uint8 that is 1 for a serialised `tf.train.Feature`, uint16 bytes of the whole name, the name.
///
/// @param type of its values
/// @param name in full
/// @param place of its part in a row, in bytes
/// @param ours whether Headrace wrote it
/// @param feature whether its values are serialised features
/// @param head of an `.npy` file of its values; empty if they are no arrays
/// @param arrayBytes of each array, without the head
record BetonField(
    Type type,
    String name,
    int place,
    boolean ours,
    boolean feature,
    MemorySegment head,
    long arrayBytes) {
  /// Bytes of a descriptor.
  static final int BYTES = 1041;

  static final int NAME = 16;
  private static final int ARGUMENTS = 17;
  private static final int AXES = 32;
  private static final byte[] OURS = {'H', 'R', '1'};
  private static final MemorySegment NO_HEAD = MemorySegment.NULL;

  /// `[["", "<f4"]]`.
  private static final Pattern DESCRIPTION = Pattern.compile("\\[\\[\"[^\"]*\", \"[<|](.*)\"]]");

  /// What values are, by the numbers of `TYPE_ID_HANDLER`.
  enum Type {
    /// float64.
    FLOAT(0, 8, 8),
    /// int64.
    INT(1, 8, 8),
    /// uint8 0 for JPEG or 1 for pixels, uint16 width, uint16 height, uint64 place, packed.
    IMAGE(2, 13, 1),
    /// uint64 place, uint64 bytes, packed.
    BYTES(3, 16, 1),
    /// uint64 place.
    ARRAY(4, 8, 8),
    /// As [#BYTES]; a zero ends the text.
    JSON(5, 16, 1),
    /// As [#ARRAY].
    TENSOR(6, 8, 8);

    private final int number;
    private final int rowBytes;
    private final int alignment;

    Type(int number, int rowBytes, int alignment) {
      this.number = number;
      this.rowBytes = rowBytes;
      this.alignment = alignment;
    }

    /// {@return the type with a number, or null}
    static @Nullable Type of(int number) {
      for (Type type : values()) {
        if (type.number == number) {
          return type;
        }
      }
      return null;
    }

    int end(int place) {
      return place + rowBytes;
    }

    /// {@return where its part of a row begins, behind others}
    int place(int end) {
      return Math.ceilDiv(end, alignment) * alignment;
    }
  }

  /// {@return the bytes of a row}
  static int rowBytes(List<BetonField> fields) {
    int end = 0;
    int alignment = 1;
    for (BetonField field : fields) {
      end = field.type().end(field.place());
      alignment = Math.max(alignment, field.type().alignment);
    }
    return Math.ceilDiv(end, alignment) * alignment;
  }

  /// {@return the columns that descriptors describe}
  ///
  /// @param descriptors little-endian, from its position to its limit
  static List<BetonField> read(ByteBuffer descriptors) throws DecodeException {
    List<BetonField> fields = new ArrayList<>();
    int end = 0;
    while (descriptors.remaining() >= BYTES) {
      ByteBuffer one = descriptors.slice(descriptors.position(), BYTES).order(descriptors.order());
      descriptors.position(descriptors.position() + BYTES);
      int code = one.get(0) & 0xff;
      String shortName = text(one, 1, NAME);
      Type type = Type.of(code);
      if (type == null) {
        throw new DecodeException(
            Fault.UNSUPPORTED, "field '%s' of a type of its own: %d".formatted(shortName, code));
      }
      int place = type.place(end);
      end = type.end(place);
      fields.add(field(type, shortName, place, one));
    }
    return fields;
  }

  private static BetonField field(Type type, String name, int place, ByteBuffer one)
      throws DecodeException {
    if (type == Type.ARRAY || type == Type.TENSOR) {
      return array(type, name, place, one);
    }
    boolean ours = type == Type.BYTES;
    for (int i = 0; i < OURS.length; i++) {
      ours &= one.get(ARGUMENTS + i) == OURS[i];
    }
    if (!ours) {
      return new BetonField(type, name, place, false, false, NO_HEAD, 0);
    }
    int length = one.getShort(ARGUMENTS + 4) & 0xffff;
    if (length > BYTES - ARGUMENTS - 6) {
      throw new DecodeException(Fault.CORRUPT, "field '%s' of a long name".formatted(name));
    }
    byte[] whole = new byte[length];
    one.get(ARGUMENTS + 6, whole);
    boolean feature = one.get(ARGUMENTS + 3) == 1;
    return new BetonField(type, new String(whole, UTF_8), place, true, feature, NO_HEAD, 0);
  }

  private static BetonField array(Type type, String name, int place, ByteBuffer one)
      throws DecodeException {
    List<Integer> shape = new ArrayList<>();
    int descriptionAt = ARGUMENTS + Long.BYTES * AXES;
    long length = one.getLong(descriptionAt);
    String description =
        length < 0 || length > 256 ? "" : text(one, descriptionAt + Long.BYTES, (int) length);
    Matcher matcher = DESCRIPTION.matcher(description);
    FieldType element = matcher.matches() ? Npy.type(matcher.group(1)) : null;
    if (element == null) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "field '%s' of elements %s".formatted(name, description));
    }
    long bytes = element.bytes();
    for (int axis = 0; axis < AXES; axis++) {
      long extent = one.getLong(ARGUMENTS + Long.BYTES * axis);
      if (extent == 0) {
        break;
      }
      if (extent < 0 || extent > Integer.MAX_VALUE || bytes * extent > Integer.MAX_VALUE) {
        throw new DecodeException(
            Fault.LIMIT, "field '%s' with an extent of %d".formatted(name, extent));
      }
      bytes *= extent;
      shape.add((int) extent);
    }
    return new BetonField(
        type, name, place, false, false, MemorySegment.ofArray(Npy.head(element, shape)), bytes);
  }

  private static String text(ByteBuffer from, int at, int length) {
    byte[] bytes = new byte[length];
    from.get(at, bytes);
    String text = new String(bytes, US_ASCII);
    int end = text.indexOf('\0');
    return end < 0 ? text : text.substring(0, end);
  }

  /// {@return a descriptor}
  ///
  /// @param shown the name that FFCV shows, of at most 16 ASCII characters
  /// @param whole the name in full, of a field of bytes; null for other fields
  static byte[] write(Type type, String shown, @Nullable String whole, boolean feature) {
    byte[] bytes = new byte[BYTES];
    bytes[0] = (byte) type.number;
    byte[] name = shown.getBytes(US_ASCII);
    System.arraycopy(name, 0, bytes, 1, Math.min(NAME, name.length));
    if (whole != null) {
      byte[] full = whole.getBytes(UTF_8);
      System.arraycopy(OURS, 0, bytes, ARGUMENTS, OURS.length);
      bytes[ARGUMENTS + 3] = (byte) (feature ? 1 : 0);
      bytes[ARGUMENTS + 4] = (byte) full.length;
      bytes[ARGUMENTS + 5] = (byte) (full.length >> 8);
      System.arraycopy(full, 0, bytes, ARGUMENTS + 6, full.length);
    }
    return bytes;
  }
}
