package io.headrace.tensor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.natives.Downcalls;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/// What is used of libzfp; names and types as in `zfp.h`, 1.0. Handles are opaque pointers.
final class Libzfp {
  /// `zfp_type_float`.
  static final int FLOAT = 3;

  /// `zfp_type_double`.
  static final int DOUBLE = 4;

  private static final MethodHandle STREAM_OPEN =
      link("stream_open", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG));
  private static final MethodHandle STREAM_CLOSE =
      link("stream_close", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle OPEN =
      link("zfp_stream_open", FunctionDescriptor.of(ADDRESS, ADDRESS));
  private static final MethodHandle CLOSE =
      link("zfp_stream_close", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle SET_ACCURACY =
      link("zfp_stream_set_accuracy", FunctionDescriptor.of(JAVA_DOUBLE, ADDRESS, JAVA_DOUBLE));
  private static final MethodHandle SET_RATE =
      link(
          "zfp_stream_set_rate",
          FunctionDescriptor.of(JAVA_DOUBLE, ADDRESS, JAVA_DOUBLE, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle SET_REVERSIBLE =
      link("zfp_stream_set_reversible", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle MAXIMUM_SIZE =
      link("zfp_stream_maximum_size", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS));
  private static final MethodHandle SET_BIT_STREAM =
      link("zfp_stream_set_bit_stream", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
  private static final MethodHandle REWIND =
      link("zfp_stream_rewind", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle COMPRESS =
      link("zfp_compress", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS));
  private static final MethodHandle DECOMPRESS =
      link("zfp_decompress", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS));
  private static final MethodHandle FIELD_FREE =
      link("zfp_field_free", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle FIELD_1D = field(1);
  private static final MethodHandle FIELD_2D = field(2);
  private static final MethodHandle FIELD_3D = field(3);
  private static final MethodHandle FIELD_4D = field(4);

  private Libzfp() {}

  private static MethodHandle link(String function, FunctionDescriptor type) {
    return NativeLibrary.ZFP.link(function, type);
  }

  private static MethodHandle field(int dimensions) {
    MemoryLayout[] sizes = new MemoryLayout[dimensions];
    Arrays.fill(sizes, JAVA_LONG);
    return link(
        "zfp_field_%dd".formatted(dimensions),
        FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT).appendArgumentLayouts(sizes));
  }

  /// {@return `zfp_field_1d` to `zfp_field_4d`, by the number of dimensions}
  ///
  /// @param sizes fastest first
  static MemorySegment field(MemorySegment values, int type, int dimensions, long[] sizes) {
    try {
      return switch (dimensions) {
        case 1 -> (MemorySegment) FIELD_1D.invokeExact(values, type, sizes[0]);
        case 2 -> (MemorySegment) FIELD_2D.invokeExact(values, type, sizes[0], sizes[1]);
        case 3 -> (MemorySegment) FIELD_3D.invokeExact(values, type, sizes[0], sizes[1], sizes[2]);
        default ->
            (MemorySegment)
                FIELD_4D.invokeExact(values, type, sizes[0], sizes[1], sizes[2], sizes[3]);
      };
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void fieldFree(MemorySegment field) {
    try {
      FIELD_FREE.invokeExact(field);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return `zfp_stream_open(NULL)`}
  static MemorySegment open() {
    try {
      return (MemorySegment) OPEN.invokeExact(MemorySegment.NULL);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void close(MemorySegment stream) {
    try {
      CLOSE.invokeExact(stream);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void setAccuracy(MemorySegment stream, double tolerance) {
    try {
      double _ = (double) SET_ACCURACY.invokeExact(stream, tolerance);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void setRate(MemorySegment stream, double rate, int type, int dimensions) {
    try {
      double _ = (double) SET_RATE.invokeExact(stream, rate, type, dimensions, 0);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void setReversible(MemorySegment stream) {
    try {
      SET_REVERSIBLE.invokeExact(stream);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static long maximumSize(MemorySegment stream, MemorySegment field) {
    try {
      return (long) MAXIMUM_SIZE.invokeExact(stream, field);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// `zfp_compress` or `zfp_decompress` with a bit stream over `buffer`.
  ///
  /// @return bytes written or read, 0 if the library failed
  static long run(
      MemorySegment stream, MemorySegment field, MemorySegment buffer, boolean decompress) {
    try {
      var bits = (MemorySegment) STREAM_OPEN.invokeExact(buffer, buffer.byteSize());
      try {
        SET_BIT_STREAM.invokeExact(stream, bits);
        REWIND.invokeExact(stream);
        return decompress
            ? (long) DECOMPRESS.invokeExact(stream, field)
            : (long) COMPRESS.invokeExact(stream, field);
      } finally {
        STREAM_CLOSE.invokeExact(bits);
      }
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
