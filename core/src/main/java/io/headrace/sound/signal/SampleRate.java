package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headrace.natives.Downcalls;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `samplerate.h`, libsamplerate 0.2. C's `long` is 64 bits wide on every system
/// Headrace runs on.
final class SampleRate {
  /// Bytes of `SRC_DATA`: pointers to input and output; frames of input, frames of output, frames
  /// used, frames made, all 64 bits; 32 bits whether the input ends; at 56 the ratio, a `double`.
  static final long DATA_BYTES = 64;

  private static final MethodHandle NEW =
      link("src_new", FunctionDescriptor.of(ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle DELETE =
      link("src_delete", FunctionDescriptor.of(ADDRESS, ADDRESS));
  private static final MethodHandle RESET =
      link("src_reset", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle PROCESS =
      link("src_process", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle STRERROR =
      link("src_strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private SampleRate() {}

  private static MethodHandle link(String function, FunctionDescriptor type) {
    return NativeLibrary.SAMPLERATE.link(function, type);
  }

  /// {@return a converter, to be given to [#delete]}
  ///
  /// @param error where the error is put, `int`
  static MemorySegment create(int type, int channels, MemorySegment error) {
    try {
      var state = (MemorySegment) NEW.invokeExact(type, channels, error);
      if (state.equals(MemorySegment.NULL)) {
        throw new IllegalStateException("src_new: " + strerror(error.get(JAVA_INT, 0)));
      }
      return state;
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void delete(MemorySegment state) {
    try {
      var nothing = (MemorySegment) DELETE.invokeExact(state);
      assert nothing.equals(MemorySegment.NULL);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int reset(MemorySegment state) {
    try {
      return (int) RESET.invokeExact(state);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int process(MemorySegment state, MemorySegment data) {
    try {
      return (int) PROCESS.invokeExact(state, data);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static String strerror(int error) {
    try {
      return Downcalls.string((MemorySegment) STRERROR.invokeExact(error));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
