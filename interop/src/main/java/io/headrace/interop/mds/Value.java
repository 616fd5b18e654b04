package io.headrace.interop.mds;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.interop.table.Columns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// How the values of a column are encoded. Source: `mds/encodings.py` of mosaicml-streaming.
enum Value {
  BYTES,
  TEXT,
  /// A number spelled out.
  TEXT_NUMBER,
  IMAGE,
  /// A PIL image: u32 width, u32 height, u32 length of the mode's name, the name, the pixels.
  PIL,
  UNSIGNED,
  SIGNED,
  FLOAT,
  OTHER;

  /// Bytes that a number's text may take.
  static final int MAX_TEXT = 32;

  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static Value of(String encoding) {
    return switch (encoding) {
      case "bytes" -> BYTES;
      case "str", "json", "str_float", "str_decimal" -> TEXT;
      case "str_int" -> TEXT_NUMBER;
      case "jpeg", "png" -> IMAGE;
      case "pil" -> PIL;
      case "uint8", "uint16", "uint32", "uint64" -> UNSIGNED;
      case "int", "int8", "int16", "int32", "int64" -> SIGNED;
      case "float16", "float32", "float64" -> FLOAT;
      default -> OTHER;
    };
  }

  boolean surelyImage() {
    return this == IMAGE || this == PIL;
  }

  boolean maybeImage() {
    return surelyImage() || this == BYTES;
  }

  /// {@return whether only MDS's own readers understand its bytes}
  boolean asStored() {
    return this == OTHER || this == PIL;
  }

  /// {@return whether it is one number, so that it may be a label}
  boolean scalar() {
    return whole() || this == FLOAT;
  }

  /// {@return a class number}
  long label(MemorySegment memory, long at, long size) throws DecodeException {
    if (this != FLOAT) {
      return number(memory, at, size);
    }
    String text = decimal(memory, at, size);
    return Columns.classOf(Double.parseDouble(text), text);
  }

  boolean whole() {
    return this == UNSIGNED || this == SIGNED || this == TEXT_NUMBER;
  }

  /// {@return a whole number}
  long number(MemorySegment memory, long at, long size) throws DecodeException {
    if (this == TEXT_NUMBER) {
      String text = new String(memory.asSlice(at, Math.min(size, 64)).toArray(JAVA_BYTE), UTF_8);
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new DecodeException(Fault.MISMATCH, "'%s' is not a whole number".formatted(text));
      }
    }
    if (size < 1 || size > Long.BYTES) {
      throw new DecodeException(Fault.MISMATCH, "a number of %d bytes".formatted(size));
    }
    long value = 0;
    for (int i = 0; i < size; i++) {
      value |= (memory.get(JAVA_BYTE, at + i) & 0xffL) << (8 * i);
    }
    int unused = 64 - 8 * (int) size;
    return this == SIGNED ? value << unused >> unused : value;
  }

  /// Writes a number as text.
  ///
  /// @param to where the text goes in `memory`, with room for [#MAX_TEXT] bytes
  /// @return its length, or -1 if the value's bytes are to be taken as they are
  long text(MemorySegment memory, long at, long size, long to) throws DecodeException {
    String text;
    switch (this) {
      case UNSIGNED -> text = Long.toUnsignedString(number(memory, at, size));
      case SIGNED -> text = Long.toString(number(memory, at, size));
      case FLOAT -> text = decimal(memory, at, size);
      default -> {
        return -1;
      }
    }
    byte[] bytes = text.getBytes(US_ASCII);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, to, bytes.length);
    return bytes.length;
  }

  private String decimal(MemorySegment memory, long at, long size) throws DecodeException {
    long bits = number(memory, at, size);
    return switch ((int) size) {
      case 2 -> Float.toString(Float.float16ToFloat((short) bits));
      case 4 -> Float.toString(Float.intBitsToFloat((int) bits));
      case 8 -> Double.toString(Double.longBitsToDouble(bits));
      default -> throw new DecodeException(Fault.MISMATCH, "a float of %d bytes".formatted(size));
    };
  }

  /// Makes the value the sample's image: as it is, or raw pixels as a binary PPM or PGM.
  ///
  /// @param free where the sample's memory is not used, from there on
  void image(Sample into, long at, long size, long free) throws DecodeException {
    if (this != PIL) {
      into.encoded(at, size);
      return;
    }
    MemorySegment memory = into.block().memory();
    if (size < 3 * Integer.BYTES) {
      throw new DecodeException(Fault.CORRUPT, "a PIL image of %d bytes".formatted(size));
    }
    long width = memory.get(U32, at) & 0xffff_ffffL;
    long height = memory.get(U32, at + 4) & 0xffff_ffffL;
    long modeBytes = memory.get(U32, at + 8) & 0xffff_ffffL;
    if (modeBytes > Math.min(16, size - 12)) {
      throw new DecodeException(Fault.CORRUPT, "a PIL mode of %d bytes".formatted(modeBytes));
    }
    String mode = new String(memory.asSlice(at + 12, modeBytes).toArray(JAVA_BYTE), US_ASCII);
    int channels =
        switch (mode) {
          case "L" -> 1;
          case "RGB" -> 3;
          default ->
              throw new DecodeException(
                  Fault.UNSUPPORTED,
                  "a raw PIL image of mode %s: only L and RGB are read".formatted(mode));
        };
    long pixels = size - 12 - modeBytes;
    if (width == 0
        || height == 0
        || Math.multiplyHigh(width, height) != 0
        || width * height != pixels / channels
        || pixels % channels != 0) {
      throw new DecodeException(
          Fault.CORRUPT,
          "a PIL image of %d x %d in %s with %d bytes of pixels"
              .formatted(width, height, mode, pixels));
    }
    byte[] head =
        "P%d\n%d %d\n255\n".formatted(channels == 1 ? 5 : 6, width, height).getBytes(US_ASCII);
    long from = at + 12 + modeBytes;
    MemorySegment larger = into.ensureKeeping(free + head.length + pixels);
    MemorySegment.copy(head, 0, larger, JAVA_BYTE, free, head.length);
    MemorySegment.copy(larger, from, larger, free + head.length, pixels);
    into.encoded(free, head.length + pixels);
  }
}
