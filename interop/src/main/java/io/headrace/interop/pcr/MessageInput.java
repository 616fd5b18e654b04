package io.headrace.interop.pcr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One protobuf message in a file or in memory, read from front to back. It never leaves the
/// message, even if the lengths in it say so, and reads no byte of the file twice. Source:
/// protobuf.dev, "Encoding".
final class MessageInput {
  private static final int MAX_DEPTH = 100;

  private final @Nullable ByteFile file;
  private MemorySegment window;
  private long windowAt;
  private long windowBytes;
  private long position;
  private long end;
  private long bytesRead;

  /// A message in a file.
  ///
  /// @param window memory that the file is read through, used as long as this is
  MessageInput(ByteFile file, MemorySegment window) {
    this.file = file;
    this.window = window;
  }

  /// A message in memory.
  MessageInput() {
    file = null;
    window = MemorySegment.NULL;
  }

  /// Begins the message that lies from `from` to `to` (not included) of the file.
  void reset(long from, long to) {
    windowAt = from;
    windowBytes = 0;
    position = from;
    end = to;
  }

  /// Begins the message that lies in `bytes` from `from` to `to` (not included).
  void reset(MemorySegment bytes, long from, long to) {
    window = bytes;
    windowAt = 0;
    windowBytes = to;
    position = from;
    end = to;
  }

  boolean more() {
    return position < end;
  }

  /// {@return bytes that are left of the message}
  long remaining() {
    return end - position;
  }

  /// {@return where the next byte lies, from the start of the file or memory}
  long position() {
    return position;
  }

  /// {@return bytes read of the file so far, for all its messages}
  long bytesRead() {
    return bytesRead;
  }

  /// {@return number and type of the field that follows}
  int tag() throws DecodeException, IOException {
    long tag = varint();
    if (tag >>> 3 == 0 || tag >>> 32 != 0) {
      throw bad("field number %d".formatted(tag >>> 3));
    }
    return (int) tag;
  }

  long varint() throws DecodeException, IOException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte b = next();
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw bad("a number of more than ten bytes");
  }

  /// {@return the length of what follows, which lies in the message}
  long length() throws DecodeException, IOException {
    long length = varint();
    if (length < 0 || length > end - position) {
      throw bad(
          "a field of %s bytes, %d are left"
              .formatted(Long.toUnsignedString(length), end - position));
    }
    return length;
  }

  long fixed64() throws DecodeException, IOException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 8) {
      value |= (next() & 0xffL) << shift;
    }
    return value;
  }

  private byte next() throws DecodeException, IOException {
    if (position >= end) {
      throw bad("it ends within a field");
    }
    if (position >= windowAt + windowBytes) {
      fill();
    }
    return window.get(JAVA_BYTE, position++ - windowAt);
  }

  private void fill() throws IOException {
    ByteFile from = file;
    if (from == null) {
      throw new IllegalStateException("a message in memory lies there whole");
    }
    long bytes = Math.min(window.byteSize(), end - position);
    windowBytes = 0;
    windowAt = position;
    from.read(position, window.asSlice(0, bytes));
    windowBytes = bytes;
    bytesRead += bytes;
  }

  /// Fills `into` with the bytes that follow.
  void read(MemorySegment into) throws DecodeException, IOException {
    long length = into.byteSize();
    if (length > end - position) {
      throw bad("a field of %d bytes, %d are left".formatted(length, end - position));
    }
    long here = Math.clamp(windowAt + windowBytes - position, 0, length);
    MemorySegment.copy(window, position - windowAt, into, 0, here);
    position += here;
    ByteFile from = file;
    if (here == length || from == null) {
      return;
    }
    if (length - here < window.byteSize()) {
      fill();
      MemorySegment.copy(window, 0, into, here, length - here);
    } else {
      from.read(position, into.asSlice(here));
      bytesRead += length - here;
    }
    position += length - here;
  }

  /// {@return the UTF-8 text that follows, length first}
  ///
  /// @param most bytes it may have
  String text(int most) throws DecodeException, IOException {
    long length = length();
    if (length > most) {
      throw bad("a name of %d bytes".formatted(length));
    }
    byte[] utf8 = new byte[(int) length];
    for (int i = 0; i < length; i++) {
      utf8[i] = next();
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /// Skips bytes, which are not read unless they were prefetched.
  void pass(long length) throws DecodeException {
    if (length > end - position) {
      throw bad("a field of %d bytes, %d are left".formatted(length, end - position));
    }
    position += length;
  }

  /// Skips the value of the field whose tag was just read.
  void skip(int tag) throws DecodeException, IOException {
    int depth = 0;
    int t = tag;
    while (true) {
      switch (t & 7) {
        case Tags.VARINT -> {
          long _ = varint();
        }
        case Tags.FIXED64 -> pass(Long.BYTES);
        case Tags.LENGTH -> pass(length());
        case Tags.START_GROUP -> {
          if (++depth > MAX_DEPTH) {
            throw bad("groups in groups");
          }
        }
        case Tags.END_GROUP -> {
          if (--depth < 0) {
            throw bad("the end of a group that did not start");
          }
        }
        case Tags.FIXED32 -> pass(Integer.BYTES);
        default -> throw bad("wire type %d".formatted(t & 7));
      }
      if (depth == 0) {
        return;
      }
      t = tag();
    }
  }

  private DecodeException bad(String what) {
    return new DecodeException(Fault.CORRUPT, "not a protobuf message: " + what);
  }
}
