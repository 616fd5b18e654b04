package io.headrace.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.natives.Downcalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The C library's functions for files that have descriptors and no names. Linux only.
@SuppressWarnings("restricted") // the door to C
final class Libc {
  private static final int READ_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  // O_TMPFILE holds O_DIRECTORY, which is another bit on ARM.
  private static final int UNNAMED =
      0x400000 | (System.getProperty("os.arch").equals("aarch64") ? 0x4000 : 0x10000);
  private static final int OWNER_ALONE = 0600;
  private static final int EINTR = 4;
  private static final int EISDIR = 21;
  private static final int EOPNOTSUPP = 95;

  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final @Nullable MethodHandle OPEN =
      find(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));
  private static final @Nullable MethodHandle CLOSE =
      find("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final @Nullable MethodHandle RESERVE =
      find("posix_fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final @Nullable MethodHandle WORDS =
      find("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private Libc() {}

  private static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(symbol -> linker.downcallHandle(symbol, type, options))
        .orElse(null);
  }

  private static MethodHandle needed(@Nullable MethodHandle function) {
    if (function == null) {
      throw new ConfigException("handing batches to other processes needs Linux");
    }
    return function;
  }

  /// Opens a file that never has a name.
  ///
  /// @return its descriptor, or -1 if that kind of file system has no such files
  /// @throws ConfigException if the folder is not there or must not be written to
  static int openUnnamed(Path folder) {
    return open(folder, UNNAMED | READ_WRITE | CLOSE_ON_EXEC);
  }

  /// {@return the descriptor of an existing file, for reading and writing}
  ///
  /// @throws ConfigException if it cannot be opened
  static int open(Path file) {
    int descriptor = open(file, READ_WRITE | CLOSE_ON_EXEC);
    if (descriptor < 0) {
      throw new ConfigException(file + ": " + words(EISDIR));
    }
    return descriptor;
  }

  private static int open(Path path, int flags) {
    MethodHandle open = needed(OPEN);
    int error;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      MemorySegment state = arena.allocate(STATE);
      int descriptor = (int) open.invokeExact(state, name, flags, OWNER_ALONE);
      if (descriptor >= 0) {
        return descriptor;
      }
      error = (int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    if (error == EISDIR || error == EOPNOTSUPP) {
      return -1;
    }
    throw new ConfigException(path + ": " + words(error));
  }

  static void close(int descriptor) {
    MethodHandle close = needed(CLOSE);
    try {
      int _ = (int) close.invokeExact(descriptor);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Makes a file so long and takes the room for all of it.
  ///
  /// @return empty if there was room, else why not, in the system's words
  static String reserve(int descriptor, long bytes) {
    MethodHandle reserve = needed(RESERVE);
    try {
      int error;
      do {
        error = (int) reserve.invokeExact(descriptor, 0L, bytes);
      } while (error == EINTR);
      return error == 0 ? "" : words(error);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  private static String words(int error) {
    MethodHandle words = needed(WORDS);
    try {
      return Downcalls.string((MemorySegment) words.invokeExact(error));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
