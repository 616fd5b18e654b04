package io.headrace.store.disk;

import io.headrace.natives.Downcalls;
import io.headrace.natives.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Asks what the system's page cache holds of single files, and drops it. So cold starts can be
/// measured without the right to drop all pages of the system. Linux only.
///
/// Through `posix_fadvise(2)`, `sync_file_range(2)` and `mincore(2)`. Pages that a process has
/// mapped and touched stay, and so do all pages of file systems in memory.
@SuppressWarnings("restricted") // the door to C
public final class PageCache {
  private static final int PAGE = 4096;
  private static final int DONT_NEED = 4; // POSIX_FADV_DONTNEED
  private static final int WRITE_AND_WAIT = 7; // SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE, _WAIT_AFTER
  private static final long MAP_STEP = 1L << 30;

  private static final @Nullable MethodHandle ADVISE =
      Libc.find("int posix_fadvise(int, long, long, int)");
  private static final @Nullable MethodHandle SYNC =
      Libc.find("int sync_file_range(int, long, long, int)");
  private static final @Nullable MethodHandle RESIDENT =
      Libc.find("int mincore(void*, long, void*)");

  private PageCache() {}

  /// {@return whether this system can do it}
  public static boolean supported() {
    return ADVISE != null && SYNC != null && RESIDENT != null;
  }

  private static <T> T needed(@Nullable T function) {
    if (function == null) {
      throw new UnsupportedOperationException("dropping pages from the cache needs Linux");
    }
    return function;
  }

  /// {@return a descriptor of the file, to be closed with [#closeDescriptor]}
  public static int descriptor(Path path) throws IOException {
    MethodHandle _ = needed(ADVISE);
    int fd = Libc.open(path, Libc.READ_ONLY);
    if (fd < 0) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      throw new IOException(path + ": " + Libc.words(-fd));
    }
    return fd;
  }

  public static void closeDescriptor(int descriptor) {
    Libc.close(descriptor);
  }

  /// Writes what is not yet written, for only clean pages can go, and drops all pages.
  public static void drop(int descriptor) {
    try {
      int _ = (int) needed(SYNC).invokeExact(descriptor, 0L, 0L, WRITE_AND_WAIT);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    advise(descriptor, 0, 0);
  }

  /// Drops the clean pages that hold any of these bytes.
  public static void drop(int descriptor, long position, long length) {
    long start = position / PAGE * PAGE;
    long end = (position + length + PAGE - 1) / PAGE * PAGE;
    advise(descriptor, start, end - start);
  }

  private static void advise(int descriptor, long start, long length) {
    try {
      int _ = (int) needed(ADVISE).invokeExact(descriptor, start, length, DONT_NEED);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Drops the pages of one file.
  ///
  /// @throws UnsupportedOperationException unless [#supported]
  public static void drop(Path file) throws IOException {
    int descriptor = descriptor(file);
    try {
      drop(descriptor);
    } finally {
      closeDescriptor(descriptor);
    }
  }

  /// {@return bytes of the file that the page cache holds, in whole pages}
  ///
  /// @throws UnsupportedOperationException unless [#supported]
  public static long residentBytes(Path file) throws IOException {
    long pages = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      for (long at = 0; at < size; at += MAP_STEP) {
        try (Arena arena = Arena.ofConfined()) {
          long length = Math.min(MAP_STEP, size - at);
          MemorySegment mapped =
              channel.map(FileChannel.MapMode.READ_ONLY, at, length, arena); // not touched
          MemorySegment flags = arena.allocate((length + PAGE - 1) / PAGE);
          lookUp(file, mapped, flags);
          for (long i = 0; i < flags.byteSize(); i++) {
            pages += flags.get(ValueLayout.JAVA_BYTE, i) & 1;
          }
        }
      }
    }
    return pages * PAGE;
  }

  private static void lookUp(Path file, MemorySegment mapped, MemorySegment flags)
      throws IOException {
    int failed;
    try {
      failed = (int) needed(RESIDENT).invokeExact(mapped, mapped.byteSize(), flags);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    if (failed != 0) {
      throw new IOException(file + ": mincore fails");
    }
  }
}
