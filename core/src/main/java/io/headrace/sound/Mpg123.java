package io.headrace.sound;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.natives.Downcalls;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `mpg123.h`, libmpg123 1.26. C's `long` is 64 bits wide on every system Headrace
/// runs on.
final class Mpg123 {
  /// `MPG123_ADD_FLAGS` of `enum mpg123_parms`.
  static final int ADD_FLAGS = 2;

  /// `MPG123_REMOVE_FLAGS` of `enum mpg123_parms`.
  static final int REMOVE_FLAGS = 13;

  /// `MPG123_FREEFORMAT_SIZE` of `enum mpg123_parms`: bytes of a frame of free bit rate without its
  /// header and padding; -1 to look for the next.
  static final int FREEFORMAT_SIZE = 19;

  /// `MPG123_QUIET`: nothing to standard error.
  static final int QUIET = 0x20;

  /// `MPG123_GAPLESS`.
  static final int GAPLESS = 0x40;

  /// `MPG123_IGNORE_INFOFRAME`.
  static final int IGNORE_INFOFRAME = 0x4000;

  /// `MPG123_AUTO_RESAMPLE`.
  static final int AUTO_RESAMPLE = 0x8000;

  /// `MPG123_NO_READAHEAD`: the first frame needs no second.
  static final int NO_READAHEAD = 0x400000;

  /// `MPG123_ENC_FLOAT_32`.
  static final int ENC_FLOAT_32 = 0x200;

  /// `MPG123_OK`.
  static final int OK = 0;

  /// `MPG123_NEED_MORE`.
  static final int NEED_MORE = -10;

  /// `MPG123_NEW_FORMAT`.
  static final int NEW_FORMAT = -11;

  private static final MethodHandle INIT = link("mpg123_init", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle NEW =
      link("mpg123_new", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle DELETE =
      link("mpg123_delete", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle PARAM =
      link(
          "mpg123_param",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_DOUBLE));
  private static final MethodHandle FORMAT_NONE =
      link("mpg123_format_none", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle FORMAT =
      link(
          "mpg123_format", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT));
  private static final MethodHandle OPEN_FEED =
      link("mpg123_open_feed", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle DECODE =
      link(
          "mpg123_decode",
          FunctionDescriptor.of(
              JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
  private static final MethodHandle STRERROR =
      link("mpg123_strerror", FunctionDescriptor.of(ADDRESS, ADDRESS));

  private Mpg123() {}

  private static MethodHandle link(String function, FunctionDescriptor type) {
    return NativeLibrary.MPG123.link(function, type);
  }

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
