package io.headrace.codec.stream.deflate;

import static io.headrace.natives.NativeLibrary.Z;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.natives.Downcalls;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Bindings to libz: names, numbers and the stream structure of `zlib.h` 1.2, for 64-bit Unix.
///
/// The library is sought when first needed, so that a machine without it can do everything else.
@SuppressWarnings("restricted") // the door to C
public final class Libz {
  static final int Z_NO_FLUSH = 0;
  static final int Z_PARTIAL_FLUSH = 1;
  static final int Z_SYNC_FLUSH = 2;
  static final int Z_FULL_FLUSH = 3;
  static final int Z_FINISH = 4;
  static final int Z_OK = 0;
  static final int Z_STREAM_END = 1;
  static final int Z_MEM_ERROR = -4;
  static final int Z_BUF_ERROR = -5;
  static final int Z_DEFLATED = 8;

  /// `z_stream`: 112 bytes where pointers and `unsigned long` have 8.
  static final MemoryLayout STREAM = MemoryLayout.sequenceLayout(14, JAVA_LONG);

  private static final long NEXT_IN = 0;
  private static final long AVAIL_IN = 8;
  private static final long NEXT_OUT = 24;
  private static final long AVAIL_OUT = 32;
  private static final long MSG = 48;

  private static final MethodHandle VERSION = Z.link("void* zlibVersion()");
  private static final MethodHandle DEFLATE_INIT =
      Z.link("int deflateInit2_(void*, int, int, int, int, int, void*, int)");
  private static final MethodHandle DEFLATE = Z.link("int deflate(void*, int)");
  private static final MethodHandle DEFLATE_END = Z.link("int deflateEnd(void*)");

  private Libz() {}

  /// {@return the version of the library found, such as `1.3.1`}
  public static String zlibVersion() {
    return version().getString(0);
  }

  private static MemorySegment version() {
    try {
      return ((MemorySegment) VERSION.invokeExact()).reinterpret(64);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int deflateInit2(
      MemorySegment stream, int level, int method, int windowBits, int memLevel, int strategy) {
    try {
      return (int)
          DEFLATE_INIT.invokeExact(
              stream,
              level,
              method,
              windowBits,
              memLevel,
              strategy,
              version(),
              (int) STREAM.byteSize());
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int deflate(MemorySegment stream, int flush) {
    try {
      return (int) DEFLATE.invokeExact(stream, flush);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int deflateEnd(MemorySegment stream) {
    try {
      return (int) DEFLATE_END.invokeExact(stream);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Sets what is read next; `bytes` must outlive the call that reads it.
  static void input(MemorySegment stream, MemorySegment bytes) {
    stream.set(ADDRESS, NEXT_IN, bytes);
    stream.set(JAVA_INT, AVAIL_IN, Math.toIntExact(bytes.byteSize()));
  }

  /// Sets where output goes next; `bytes` must outlive the call that writes it.
  static void output(MemorySegment stream, MemorySegment bytes) {
    stream.set(ADDRESS, NEXT_OUT, bytes);
    stream.set(JAVA_INT, AVAIL_OUT, Math.toIntExact(bytes.byteSize()));
  }

  static int availIn(MemorySegment stream) {
    return stream.get(JAVA_INT, AVAIL_IN);
  }

  static int availOut(MemorySegment stream) {
    return stream.get(JAVA_INT, AVAIL_OUT);
  }

  /// {@return the library's own words about its last error, or the code if it has none}
  static String message(MemorySegment stream, int code) {
    MemorySegment text = stream.get(ADDRESS, MSG);
    return text.equals(MemorySegment.NULL)
        ? "zlib error " + code
        : text.reinterpret(256).getString(0);
  }
}
