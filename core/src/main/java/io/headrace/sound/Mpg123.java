package io.headrace.sound;

import static io.headrace.natives.NativeLibrary.MPG123;

import io.headrace.natives.Downcalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `mpg123.h`, libmpg123 1.26. C's `long` is 64 bits wide on every system Headrace
/// runs on.
final class Mpg123 {
  // MPG123_… of enum mpg123_parms
  static final int ADD_FLAGS = 2;
  static final int REMOVE_FLAGS = 13;

  /// Bytes of a frame of free bit rate without its header and padding; -1 to look for the next.
  static final int FREEFORMAT_SIZE = 19;

  // MPG123_… of enum mpg123_param_flags
  static final int QUIET = 0x20; // nothing to standard error
  static final int GAPLESS = 0x40;
  static final int IGNORE_INFOFRAME = 0x4000;
  static final int AUTO_RESAMPLE = 0x8000;
  static final int NO_READAHEAD = 0x400000; // the first frame needs no second

  static final int ENC_FLOAT_32 = 0x200; // MPG123_ENC_FLOAT_32

  // MPG123_… of enum mpg123_errors
  static final int OK = 0;
  static final int NEED_MORE = -10;
  static final int NEW_FORMAT = -11;

  private static final MethodHandle INIT = MPG123.link("int mpg123_init()");
  private static final MethodHandle NEW = MPG123.link("void* mpg123_new(void*, void*)");
  private static final MethodHandle DELETE = MPG123.link("void mpg123_delete(void*)");
  private static final MethodHandle PARAM =
      MPG123.link("int mpg123_param(void*, int, long, double)");
  private static final MethodHandle FORMAT_NONE = MPG123.link("int mpg123_format_none(void*)");
  private static final MethodHandle FORMAT =
      MPG123.link("int mpg123_format(void*, long, int, int)");
  private static final MethodHandle OPEN_FEED = MPG123.link("int mpg123_open_feed(void*)");
  private static final MethodHandle DECODE =
      MPG123.link("int mpg123_decode(void*, void*, long, void*, long, void*)");
  private static final MethodHandle STRERROR = MPG123.link("void* mpg123_strerror(void*)");

  private Mpg123() {}

  /// {@return a decoder, deleted when `arena` closes}
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment create(Arena arena) {
    try {
      int started = (int) INIT.invokeExact();
      var handle = (MemorySegment) NEW.invokeExact(MemorySegment.NULL, MemorySegment.NULL);
      if (started != OK || handle.equals(MemorySegment.NULL)) {
        throw new IllegalStateException("mpg123_new: NULL");
      }
      return handle.reinterpret(arena, Mpg123::delete);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  private static void delete(MemorySegment handle) {
    try {
      DELETE.invokeExact(handle);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int param(MemorySegment handle, int type, long value) {
    try {
      return (int) PARAM.invokeExact(handle, type, value, 0.0);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Allows one output format only.
  static int format(MemorySegment handle, int rate, int channels, int encoding) {
    try {
      int cleared = (int) FORMAT_NONE.invokeExact(handle);
      return cleared != OK
          ? cleared
          : (int) FORMAT.invokeExact(handle, (long) rate, channels, encoding);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Starts a new stream.
  static int openFeed(MemorySegment handle) {
    try {
      return (int) OPEN_FEED.invokeExact(handle);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Takes `inBytes` more of the stream and decodes into `out`.
  ///
  /// @param done where the bytes put into `out` are counted, `size_t`
  static int decode(
      MemorySegment handle, MemorySegment in, long inBytes, MemorySegment out, MemorySegment done) {
    try {
      return (int) DECODE.invokeExact(handle, in, inBytes, out, out.byteSize(), done);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static String strerror(MemorySegment handle) {
    try {
      return Downcalls.string((MemorySegment) STRERROR.invokeExact(handle));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
