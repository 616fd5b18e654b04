package io.headrace.tensor.payload;

import static io.headrace.natives.NativeLibrary.ZFP;

import io.headrace.natives.Downcalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// What is used of libzfp; names and types as in `zfp.h`, 1.0. Handles are opaque pointers.
final class Libzfp {
  /// `zfp_type_float`.
  static final int FLOAT = 3;

  /// `zfp_type_double`.
  static final int DOUBLE = 4;

  private static final MethodHandle STREAM_OPEN = ZFP.link("void* stream_open(void*, long)");
  private static final MethodHandle STREAM_CLOSE = ZFP.link("void stream_close(void*)");
  private static final MethodHandle OPEN = ZFP.link("void* zfp_stream_open(void*)");
  private static final MethodHandle CLOSE = ZFP.link("void zfp_stream_close(void*)");
  private static final MethodHandle SET_ACCURACY =
      ZFP.link("double zfp_stream_set_accuracy(void*, double)");
  private static final MethodHandle SET_RATE =
      ZFP.link("double zfp_stream_set_rate(void*, double, int, int, int)");
  private static final MethodHandle SET_REVERSIBLE =
      ZFP.link("void zfp_stream_set_reversible(void*)");
  private static final MethodHandle MAXIMUM_SIZE =
      ZFP.link("long zfp_stream_maximum_size(void*, void*)");
  private static final MethodHandle SET_BIT_STREAM =
      ZFP.link("void zfp_stream_set_bit_stream(void*, void*)");
  private static final MethodHandle REWIND = ZFP.link("void zfp_stream_rewind(void*)");
  private static final MethodHandle COMPRESS = ZFP.link("long zfp_compress(void*, void*)");
  private static final MethodHandle DECOMPRESS = ZFP.link("long zfp_decompress(void*, void*)");
  private static final MethodHandle FIELD_FREE = ZFP.link("void zfp_field_free(void*)");
  private static final MethodHandle FIELD_1D = field(1);
  private static final MethodHandle FIELD_2D = field(2);
  private static final MethodHandle FIELD_3D = field(3);
  private static final MethodHandle FIELD_4D = field(4);

  private Libzfp() {}

  private static MethodHandle field(int dimensions) {
    String sizes = ", long".repeat(dimensions);
    return ZFP.link("void* zfp_field_%dd(void*, int%s)".formatted(dimensions, sizes));
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
