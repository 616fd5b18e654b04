package io.headrace.codec.stream;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bindings to libz: names, numbers and the stream structure of `zlib.h` 1.2, for 64-bit Unix.
///
/// The library is sought when first needed, so that a machine without it can do everything else.
@SuppressWarnings("restricted") // the door to C
final class Libz {
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

  private static final List<String> NAMES = List.of("libz.so.1", "libz.1.dylib", "libz.so");
  private static final @Nullable SymbolLookup LIBRARY = find();

  private Libz() {}

  private static @Nullable SymbolLookup find() {
    for (String name : NAMES) {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        // not under this name: try the next
      }
    }
    return null;
  }

  private static final class Calls {
    static final MethodHandle VERSION = link("zlibVersion", FunctionDescriptor.of(ADDRESS));
    static final MethodHandle DEFLATE_INIT =
        link(
            "deflateInit2_",
            FunctionDescriptor.of(
                JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS,
                JAVA_INT));
    static final MethodHandle DEFLATE = link("deflate", pointerAndInt());
    static final MethodHandle DEFLATE_END = link("deflateEnd", pointer());
    static final MethodHandle DEFLATE_RESET = link("deflateReset", pointer());
    static final MethodHandle DEFLATE_BOUND =
        link("deflateBound", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));

    private static FunctionDescriptor pointer() {
      return FunctionDescriptor.of(JAVA_INT, ADDRESS);
    }

    private static FunctionDescriptor pointerAndInt() {
      return FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
    }

    private static MethodHandle link(String name, FunctionDescriptor type) {
      SymbolLookup library = LIBRARY;
      if (library == null) {
        throw new IllegalStateException("libz is not loaded");
      }
      return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }
  }

  /// Says early and clearly that the library is missing.
  ///
  /// @throws ConfigException if it is
  static void require() {
    if (LIBRARY == null) {
      throw new ConfigException(
          "zlib and gzip need libz (%s), which was not found: install zlib1g (Debian, Ubuntu) or "
                  .formatted(String.join(", ", NAMES))
              + "zlib (Fedora, Homebrew)");
    }
  }

  /// {@return the version of the library found, such as `1.3.1`}
  static String zlibVersion() {
    require();
    return version().getString(0);
  }

  private static MemorySegment version() {
    try {
      return ((MemorySegment) Calls.VERSION.invokeExact()).reinterpret(64);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static int deflateInit2(
      MemorySegment stream, int level, int method, int windowBits, int memLevel, int strategy) {
    require();
    try {
      return (int)
          Calls.DEFLATE_INIT.invokeExact(
              stream,
              level,
              method,
              windowBits,
              memLevel,
              strategy,
              version(),
              (int) STREAM.byteSize());
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static int deflate(MemorySegment stream, int flush) {
    try {
      return (int) Calls.DEFLATE.invokeExact(stream, flush);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static int deflateEnd(MemorySegment stream) {
    return call(Calls.DEFLATE_END, stream);
  }

  static int deflateReset(MemorySegment stream) {
    return call(Calls.DEFLATE_RESET, stream);
  }

  static long deflateBound(MemorySegment stream, long bytes) {
    try {
      return (long) Calls.DEFLATE_BOUND.invokeExact(stream, bytes);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static int call(MethodHandle function, MemorySegment stream) {
    try {
      return (int) function.invokeExact(stream);
    } catch (Throwable t) {
      throw unexpected(t);
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

  private static RuntimeException unexpected(Throwable t) {
    if (t instanceof RuntimeException e) {
      return e;
    }
    if (t instanceof Error e) {
      throw e;
    }
    return new IllegalStateException(t); // a downcall throws no checked exception
  }
}
