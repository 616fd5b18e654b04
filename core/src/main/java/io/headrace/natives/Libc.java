package io.headrace.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// File descriptors, for functions of the C library that Java does not offer. Linux only.
@SuppressWarnings("restricted") // the door to C
public final class Libc {
  /// Flags of `open(2)`.
  public static final int READ_ONLY = 0;

  /// Flags of `open(2)`.
  public static final int READ_WRITE = 2;

  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int OWNER_ALONE = 0600;
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final @Nullable MethodHandle OPEN =
      find(
          "int open(void*, int, int)",
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));
  private static final @Nullable MethodHandle CLOSE = find("int close(int)");
  private static final @Nullable MethodHandle WORDS = find("void* strerror(int)");

  private Libc() {}

  /// {@return a function of the C library, or null where there is none, as on other systems}
  ///
  /// @param declaration as [NativeLibrary#link] takes it
  public static @Nullable MethodHandle find(String declaration, Linker.Option... options) {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    Prototype function = Prototype.of(declaration);
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(function.name())
        .map(symbol -> linker.downcallHandle(symbol, function.type(), options))
        .orElse(null);
  }

  private static MethodHandle needed(@Nullable MethodHandle function) {
    if (function == null) {
      throw new UnsupportedOperationException("descriptors of files need Linux");
    }
    return function;
  }

  /// {@return a descriptor, to be closed with [#close], which child processes do not inherit; or
  ///     minus the system's error number}
  ///
  /// @param flags of `open(2)`; a file that is made is its owner's alone
  /// @throws UnsupportedOperationException unless this is Linux
  public static int open(Path path, int flags) {
    MethodHandle open = needed(OPEN);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      MemorySegment state = arena.allocate(STATE);
      int descriptor = (int) open.invokeExact(state, name, flags | CLOSE_ON_EXEC, OWNER_ALONE);
      return descriptor >= 0 ? descriptor : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Closes a descriptor.
  public static void close(int descriptor) {
    MethodHandle close = needed(CLOSE);
    try {
      int _ = (int) close.invokeExact(descriptor);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return what an error number means, in the system's words}
  public static String words(int error) {
    MethodHandle words = needed(WORDS);
    try {
      return Downcalls.string((MemorySegment) words.invokeExact(error));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
