package io.headrace.serve;

import io.headrace.error.ConfigException;
import io.headrace.natives.Downcalls;
import io.headrace.natives.Libc;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Files that have descriptors but no names, and whose room is reserved in advance. Linux only.
final class SharedFiles {
  // O_TMPFILE holds O_DIRECTORY, which is another bit on ARM.
  private static final int UNNAMED =
      0x400000 | (System.getProperty("os.arch").equals("aarch64") ? 0x4000 : 0x10000);
  private static final int EINTR = 4;
  private static final int EISDIR = 21;
  private static final int EOPNOTSUPP = 95;

  private static final @Nullable MethodHandle RESERVE =
      Libc.find("int posix_fallocate(int, long, long)");

  private SharedFiles() {}

  private static MethodHandle reserve() {
    if (RESERVE == null) {
      throw new ConfigException("handing batches to other processes needs Linux");
    }
    return RESERVE;
  }

  /// Opens a file that never has a name.
  ///
  /// @return its descriptor, or -1 if that kind of file system has no such files
  /// @throws ConfigException if the folder is not there or must not be written to
  static int openUnnamed(Path folder) {
    MethodHandle _ = reserve();
    int descriptor = Libc.open(folder, UNNAMED | Libc.READ_WRITE);
    if (descriptor == -EISDIR || descriptor == -EOPNOTSUPP) {
      return -1;
    }
    return opened(folder, descriptor);
  }

  /// {@return the descriptor of an existing file, for reading and writing}
  ///
  /// @throws ConfigException if it cannot be opened
  static int open(Path file) {
    MethodHandle _ = reserve();
    return opened(file, Libc.open(file, Libc.READ_WRITE));
  }

  private static int opened(Path path, int descriptor) {
    if (descriptor < 0) {
      throw new ConfigException(path + ": " + Libc.words(-descriptor));
    }
    return descriptor;
  }

  /// Sets a file's length and reserves room for all of it.
  ///
  /// @return empty if there was room, else why not, in the system's words
  static String reserve(int descriptor, long bytes) {
    MethodHandle reserve = reserve();
    try {
      int error;
      do {
        error = (int) reserve.invokeExact(descriptor, 0L, bytes);
      } while (error == EINTR);
      return error == 0 ? "" : Libc.words(error);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
