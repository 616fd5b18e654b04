package io.headrace.sound;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/// A file for libsndfile that lies in memory: the five functions of `SF_VIRTUAL_IO`.
///
/// C calls back into these. Nothing is thrown through C, which would end the process: an exception
/// is kept, and the caller throws it with [#rethrow]. Addresses come as numbers, and bytes are
/// copied through one view of all memory, so a call allocates nothing.
final class SoundFileIo {
  private static final int SEEK_SET = 0;
  private static final int SEEK_CUR = 1;
  private static final int SEEK_END = 2;

  @SuppressWarnings("restricted") // a door to C
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final MemorySegment table;
  private MemorySegment bytes = MemorySegment.NULL;
  private @Nullable Block sink;
  private @Nullable DecodeException failure;
  private long length;
  private long position;

  /// @param arena the functions C calls live as long as it does
  SoundFileIo(Arena arena) {
    table = arena.allocate(5 * ADDRESS.byteSize(), ADDRESS.byteAlignment());
    var position = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
    var seek = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    var transfer = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    table.setAtIndex(ADDRESS, 0, stub("fileLength", position, arena));
    table.setAtIndex(ADDRESS, 1, stub("seek", seek, arena));
    table.setAtIndex(ADDRESS, 2, stub("read", transfer, arena));
    table.setAtIndex(ADDRESS, 3, stub("write", transfer, arena));
    table.setAtIndex(ADDRESS, 4, stub("tell", position, arena));
  }

  @SuppressWarnings("restricted") // a door to C
  private MemorySegment stub(String name, FunctionDescriptor type, Arena arena) {
    try {
      MethodHandle function = MethodHandles.lookup().bind(this, name, type.toMethodType());
      return Linker.nativeLinker().upcallStub(function, type, arena);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot link the upcall " + name, e);
    }
  }

  /// {@return the `SF_VIRTUAL_IO`}
  MemorySegment table() {
    return table;
  }

  /// Becomes a file of `bytes`, to be read.
  void open(MemorySegment bytes) {
    this.bytes = bytes;
    length = bytes.byteSize();
    position = 0;
    sink = null;
    failure = null;
  }

  /// Becomes an empty file, to be written to the start of `sink`.
  void create(Block sink) {
    bytes = MemorySegment.NULL;
    length = 0;
    position = 0;
    this.sink = sink;
    failure = null;
  }

  /// Forgets the file.
  void forget() {
    open(MemorySegment.NULL);
  }

  /// {@return bytes of the file}
  long length() {
    return length;
  }

  /// Throws what went wrong while C called.
  void rethrow() throws DecodeException {
    if (failure != null) {
      throw failure;
    }
  }

  /// `sf_vio_get_filelen`.
  long fileLength(long user) {
    return length;
  }

  /// `sf_vio_tell`.
  long tell(long user) {
    return position;
  }

  /// `sf_vio_seek`: the new position, or -1.
  long seek(long offset, int whence, long user) {
    long base =
        switch (whence) {
          case SEEK_SET -> 0;
          case SEEK_CUR -> position;
          case SEEK_END -> length;
          default -> -1;
        };
    long to = base + offset; // base is at most a memory size: only offset can overflow
    if (base < 0 || to < 0 || (offset > 0 && to < base)) {
      return -1;
    }
    position = to;
    return to;
  }

  /// `sf_vio_read`: bytes read.
  long read(long to, long count, long user) {
    long n = Math.min(count, length - position);
    if (n <= 0) {
      return 0;
    }
    MemorySegment from = sink == null ? bytes : sink.memory();
    MemorySegment.copy(from, position, MEMORY, to, n);
    position += n;
    return n;
  }

  /// `sf_vio_write`: bytes written, 0 if there is no room.
  long write(long from, long count, long user) {
    Block block = sink;
    if (block == null || count <= 0 || failure != null) {
      return 0;
    }
    try {
      MemorySegment memory = block.ensureKeeping(Math.addExact(position, count));
      if (position > length) {
        memory.asSlice(length, position - length).fill((byte) 0);
      }
      MemorySegment.copy(MEMORY, JAVA_BYTE, from, memory, JAVA_BYTE, position, count);
      position += count;
      length = Math.max(length, position);
      return count;
    } catch (DecodeException e) {
      failure = e;
      return 0;
    }
  }
}
