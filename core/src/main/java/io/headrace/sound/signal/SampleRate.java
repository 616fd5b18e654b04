package io.headrace.sound.signal;

import static io.headrace.natives.NativeLibrary.SAMPLERATE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headrace.natives.Downcalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `samplerate.h`, libsamplerate 0.2. C's `long` is 64 bits wide on every system
/// Headrace runs on.
final class SampleRate {
  /// Bytes of `SRC_DATA`: pointers to input and output; frames of input, frames of output, frames
  /// used, frames made, all 64 bits; 32 bits whether the input ends; at 56 the ratio, a `double`.
  static final long DATA_BYTES = 64;

  private static final MethodHandle NEW = SAMPLERATE.link("void* src_new(int, int, void*)");
  private static final MethodHandle DELETE = SAMPLERATE.link("void* src_delete(void*)");
  private static final MethodHandle RESET = SAMPLERATE.link("int src_reset(void*)");
  private static final MethodHandle PROCESS = SAMPLERATE.link("int src_process(void*, void*)");
  private static final MethodHandle STRERROR = SAMPLERATE.link("void* src_strerror(int)");

  private SampleRate() {}

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
