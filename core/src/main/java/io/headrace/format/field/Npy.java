package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An array as `numpy.save` writes it: a head that says type and shape, then the elements. Source:
/// `numpy/lib/format.py`, versions 1 to 3.
///
/// @param type of its elements
/// @param swapped whether elements are big-endian
/// @param columnsFirst whether the first index varies fastest
/// @param shape extents, outermost first
/// @param start where the elements begin
public record Npy(
    FieldType type, boolean swapped, boolean columnsFirst, List<Integer> shape, long start) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int MAX_HEAD = 64 << 10;
  private static final int ALIGNMENT = 64;
  private static final Pattern DESCR = Pattern.compile("'descr': *'([<>|=])([biufV?])(\\d*)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order': *(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape': *\\(([0-9L, ]*)\\)");

  /// {@return whether bytes begin as such an array}
  public static boolean is(MemorySegment bytes) {
    return bytes.byteSize() > 10
        && bytes.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
  }

  /// {@return what its head says}
  ///
  /// @throws DecodeException if it is damaged, or of elements that are no plain numbers
  static Npy read(MemorySegment bytes) throws DecodeException {
    boolean wide = bytes.get(JAVA_BYTE, 6) >= 2;
    long length = 0;
    for (int i = wide ? 3 : 1; i >= 0; i--) {
      length = length << 8 | (bytes.get(JAVA_BYTE, 8 + i) & 0xff);
    }
    long head = wide ? 12 : 10;
    if (length > MAX_HEAD || head + length > bytes.byteSize()) {
      throw new DecodeException(
          Fault.CORRUPT,
          "an .npy array whose head has %d bytes, of %d in all"
              .formatted(length, bytes.byteSize()));
    }
    String text = new String(bytes.asSlice(head, length).toArray(JAVA_BYTE), ISO_8859_1);
    Matcher descr = DESCR.matcher(text);
    Matcher order = ORDER.matcher(text);
    Matcher extents = SHAPE.matcher(text);
    FieldType type = descr.find() ? type(descr.group(2) + descr.group(3)) : null;
    if (type == null || !order.find() || !extents.find()) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "an .npy array that is none of plain numbers: " + text.strip());
    }
    List<Integer> shape = shape(extents.group(1));
    long needed = type.bytes();
    for (int extent : shape) {
      needed = Math.multiplyHigh(needed, extent) != 0 ? Long.MAX_VALUE : needed * extent;
    }
    long start = head + length;
    if (needed != bytes.byteSize() - start) {
      throw new DecodeException(
          Fault.CORRUPT,
          "an .npy array %s %s of %d bytes: expected %d"
              .formatted(type.label(), shape, bytes.byteSize() - start, needed));
    }
    boolean swapped = descr.group(1).equals(">") && type.bytes() > 1;
    return new Npy(type, swapped, order.group(1).equals("True"), shape, start);
  }

  private static List<Integer> shape(String text) throws DecodeException {
    try {
      return List.of(text.replace("L", "").split(",")).stream()
          .map(String::strip)
          .filter(part -> !part.isEmpty())
          .map(Integer::valueOf)
          .toList();
    } catch (NumberFormatException e) {
      throw new DecodeException(Fault.LIMIT, "an .npy array of shape (%s)".formatted(text));
    }
  }

  /// {@return the type that NumPy calls `f4` and the like, or null}
  public static @Nullable FieldType type(String name) {
    return switch (name) {
      case "b1" -> FieldType.BOOL;
      case "i1" -> FieldType.INT8;
      case "i2" -> FieldType.INT16;
      case "i4" -> FieldType.INT32;
      case "i8" -> FieldType.INT64;
      case "u1" -> FieldType.UINT8;
      case "u2" -> FieldType.UINT16;
      case "u4" -> FieldType.UINT32;
      case "u8" -> FieldType.UINT64;
      case "f2" -> FieldType.FLOAT16;
      case "f4" -> FieldType.FLOAT32;
      case "f8" -> FieldType.FLOAT64;
      default -> null;
    };
  }

  /// {@return the head of an array whose elements are to follow it, little-endian, row-major}
  public static byte[] head(FieldType type, List<Integer> shape) {
    char kind =
        type == FieldType.BOOL
            ? 'b'
            : type.floating() ? 'f' : type.label().startsWith("u") ? 'u' : 'i';
    String text =
        "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%s), }"
            .formatted(
                type.bytes() == 1 ? '|' : '<',
                kind,
                type.bytes(),
                shape.stream().map(String::valueOf).collect(Collectors.joining(", "))
                    + (shape.size() == 1 ? "," : ""));
    int bytes = Math.ceilDiv(10 + text.length() + 1, ALIGNMENT) * ALIGNMENT;
    byte[] head = new byte[bytes];
    System.arraycopy(MAGIC, 0, head, 0, MAGIC.length);
    head[6] = 1;
    head[8] = (byte) (bytes - 10);
    head[9] = (byte) ((bytes - 10) >> 8);
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(ascii, 0, head, 10, ascii.length);
    Arrays.fill(head, 10 + ascii.length, bytes - 1, (byte) ' ');
    head[bytes - 1] = '\n';
    return head;
  }
}
