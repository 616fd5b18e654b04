package io.headrace.codec.png;

import static io.headrace.natives.NativeLibrary.SPNG;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.natives.Downcalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `spng.h`, libspng 0.7. C's `size_t` is 64 bits wide on every system Headrace runs
/// on.
final class Spng {
  /// `SPNG_CTX_ENCODER`.
  static final int CTX_ENCODER = 2;

  /// `SPNG_FMT_RGB8`: from any colour type and depth.
  static final int FMT_RGB8 = 4;

  /// `SPNG_FMT_PNG`: pixels as the header says.
  static final int FMT_PNG = 256;

  /// `SPNG_ENCODE_FINALIZE`.
  static final int ENCODE_FINALIZE = 2;

  /// `SPNG_IMG_COMPRESSION_LEVEL` of `enum spng_option`.
  static final int IMG_COMPRESSION_LEVEL = 2;

  /// `SPNG_ENCODE_TO_BUFFER` of `enum spng_option`.
  static final int ENCODE_TO_BUFFER = 12;

  /// `SPNG_IO_EOF`.
  static final int IO_EOF = -1;

  /// `SPNG_EMEM`.
  static final int EMEM = 2;

  /// `SPNG_ECHUNK_CRC`.
  static final int ECHUNK_CRC = 18;

  /// `SPNG_ECHUNK_LIMITS`.
  static final int ECHUNK_LIMITS = 77;

  /// Bytes of `struct spng_ihdr`: width, height, then five bytes; 13 rounded up to 16.
  static final long IHDR_BYTES = 16;

  private static final MethodHandle CTX_NEW = SPNG.link("void* spng_ctx_new(int)");
  private static final MethodHandle CTX_FREE = SPNG.link("void spng_ctx_free(void*)");
  private static final MethodHandle SET_PNG_BUFFER =
      SPNG.link("int spng_set_png_buffer(void*, void*, long)");
  private static final MethodHandle SET_IMAGE_LIMITS =
      SPNG.link("int spng_set_image_limits(void*, int, int)");
  private static final MethodHandle SET_CHUNK_LIMITS =
      SPNG.link("int spng_set_chunk_limits(void*, long, long)");
  private static final MethodHandle DECODE_IMAGE =
      SPNG.link("int spng_decode_image(void*, void*, long, int, int)");
  private static final MethodHandle DECODE_CHUNKS = SPNG.link("int spng_decode_chunks(void*)");
  private static final MethodHandle STRERROR = SPNG.link("void* spng_strerror(int)");
  private static final MethodHandle SET_OPTION = SPNG.link("int spng_set_option(void*, int, int)");
  private static final MethodHandle SET_IHDR = SPNG.link("int spng_set_ihdr(void*, void*)");
  private static final MethodHandle ENCODE_IMAGE =
      SPNG.link("int spng_encode_image(void*, void*, long, int, int)");
  private static final MethodHandle GET_PNG_BUFFER =
      SPNG.link("void* spng_get_png_buffer(void*, void*, void*)");
  private static final MethodHandle FREE = linkFree();

  private Spng() {}

  @SuppressWarnings("restricted") // a door to C
  private static MethodHandle linkFree() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ADDRESS));
  }

  /// {@return a context, to be given to [#ctxFree]}
  static MemorySegment ctxNew(int flags) {
    try {
      var context = (MemorySegment) CTX_NEW.invokeExact(flags);
      if (context.equals(MemorySegment.NULL)) {
        throw new OutOfMemoryError("spng_ctx_new: NULL");
      }
      return context;
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void ctxFree(MemorySegment context) {
    try {
      CTX_FREE.invokeExact(context);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int setPngBuffer(MemorySegment context, MemorySegment png) {
    try {
      return (int) SET_PNG_BUFFER.invokeExact(context, png, png.byteSize());
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int setImageLimits(MemorySegment context, int width, int height) {
    try {
      return (int) SET_IMAGE_LIMITS.invokeExact(context, width, height);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int setChunkLimits(MemorySegment context, long chunkBytes, long cacheBytes) {
    try {
      return (int) SET_CHUNK_LIMITS.invokeExact(context, chunkBytes, cacheBytes);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int decodeImage(MemorySegment context, MemorySegment pixels, long bytes, int format) {
    try {
      return (int) DECODE_IMAGE.invokeExact(context, pixels, bytes, format, 0);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Reads on after the pixels, up to the end chunk.
  static int decodeChunks(MemorySegment context) {
    try {
      return (int) DECODE_CHUNKS.invokeExact(context);
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

  static int setOption(MemorySegment context, int option, int value) {
    try {
      return (int) SET_OPTION.invokeExact(context, option, value);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int setIhdr(MemorySegment context, MemorySegment ihdr) {
    try {
      return (int) SET_IHDR.invokeExact(context, ihdr);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int encodeImage(
      MemorySegment context, MemorySegment pixels, long bytes, int format, int flags) {
    try {
      return (int) ENCODE_IMAGE.invokeExact(context, pixels, bytes, format, flags);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the stream, which is the caller's to [#free]; `NULL` for an error}
  ///
  /// @param size where the bytes are counted, `size_t`
  /// @param error where the error is put, `int`
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment getPngBuffer(
      MemorySegment context, MemorySegment size, MemorySegment error) {
    try {
      var png = (MemorySegment) GET_PNG_BUFFER.invokeExact(context, size, error);
      return png.reinterpret(png.equals(MemorySegment.NULL) ? 0 : size.get(JAVA_LONG, 0));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void free(MemorySegment memory) {
    try {
      FREE.invokeExact(memory);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
