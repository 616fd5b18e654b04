package io.headrace.format.tar.archive;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/// Names in archives: read as UTF-8, or else as Latin-1, so that no two become one.
public final class TarText {
  private TarText() {}

  /// {@return whether these bytes are UTF-8}
  public static boolean isUtf8(MemorySegment bytes, long start, long length) {
    for (long i = start; i < start + length; i++) {
      if (bytes.get(JAVA_BYTE, i) < 0) {
        return decode(bytes, start, length) != null;
      }
    }
    return true;
  }

  /// {@return the text}
  public static String of(MemorySegment bytes, long start, long length) {
    String text = decode(bytes, start, length);
    return text != null
        ? text
        : new String(bytes.asSlice(start, length).toArray(JAVA_BYTE), ISO_8859_1);
  }

  private static @Nullable String decode(MemorySegment bytes, long start, long length) {
    try {
      return UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.asSlice(start, length).toArray(JAVA_BYTE)))
          .toString();
    } catch (CharacterCodingException e) {
      return null; // not UTF-8
    }
  }
}
