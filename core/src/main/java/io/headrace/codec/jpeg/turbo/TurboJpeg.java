package io.headrace.codec.jpeg.turbo;

import static io.headrace.natives.NativeLibrary.TURBOJPEG;

import io.headrace.natives.Downcalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `turbojpeg.h`, the TurboJPEG 2.1 interface, which 3.x still has. C's `unsigned
/// long` is 64 bits wide on every system Headrace runs on.
final class TurboJpeg {
  /// `TJPF_RGB`, 3 bytes a pixel.
  static final int TJPF_RGB = 0;

  /// `TJPF_GRAY`, 1 byte a pixel.
  static final int TJPF_GRAY = 6;

  /// `TJPF_CMYK`, 4 bytes a pixel.
  static final int TJPF_CMYK = 11;

  /// Compression never allocates: the buffer is `tjBufSize` long.
  static final int TJFLAG_NOREALLOC = 1024;

  /// The slow integer DCT; decompression uses it anyway.
  static final int TJFLAG_ACCURATEDCT = 4096;

  /// At most 500 scans in a progressive file: a bound on decoding time. Since 2.1.
  static final int TJFLAG_LIMITSCANS = 32768;

  /// `TJERR_WARNING`: the picture is there, but something about the data was wrong.
  static final int TJERR_WARNING = 0;

  private static final MethodHandle INIT_DECOMPRESS = TURBOJPEG.link("void* tjInitDecompress()");
  private static final MethodHandle DESTROY = TURBOJPEG.link("int tjDestroy(void*)");
  private static final MethodHandle DECOMPRESS_HEADER3 =
      TURBOJPEG.link("int tjDecompressHeader3(void*, void*, long, void*, void*, void*, void*)");
  private static final MethodHandle DECOMPRESS2 =
      TURBOJPEG.link("int tjDecompress2(void*, void*, long, void*, int, int, int, int, int)");
  private static final MethodHandle ERROR_STR2 = TURBOJPEG.link("void* tjGetErrorStr2(void*)");
  private static final MethodHandle ERROR_CODE = TURBOJPEG.link("int tjGetErrorCode(void*)");

  private TurboJpeg() {}

  /// What encoders and rewriters need; linked with the first of them.
  private static final class Writing {
    static final MethodHandle INIT_COMPRESS = TURBOJPEG.link("void* tjInitCompress()");
    static final MethodHandle COMPRESS2 =
        TURBOJPEG.link(
            "int tjCompress2(void*, void*, int, int, int, int, void*, void*, int, int, int)");
    static final MethodHandle INIT_TRANSFORM = TURBOJPEG.link("void* tjInitTransform()");
    static final MethodHandle TRANSFORM =
        TURBOJPEG.link("int tjTransform(void*, void*, long, int, void*, void*, void*, int)");
    static final MethodHandle BUF_SIZE = TURBOJPEG.link("long tjBufSize(int, int, int)");
  }

  /// What decoding to planes needs.
  private static final class InPlanes {
    static final MethodHandle DECOMPRESS_TO_YUV_PLANES =
        TURBOJPEG.link(
            "int tjDecompressToYUVPlanes(void*, void*, long, void*, int, void*, int, int)");
  }

  /// {@return a decompressor, destroyed when `arena` closes}
  static MemorySegment initDecompress(Arena arena) {
    return init(INIT_DECOMPRESS, "tjInitDecompress", arena);
  }

  /// {@return a compressor, destroyed when `arena` closes}
  static MemorySegment initCompress(Arena arena) {
    return init(Writing.INIT_COMPRESS, "tjInitCompress", arena);
  }

  /// {@return what rewrites JPEGs, destroyed when `arena` closes}
  static MemorySegment initTransform(Arena arena) {
    return init(Writing.INIT_TRANSFORM, "tjInitTransform", arena);
  }

  @SuppressWarnings("restricted") // a door to C
  private static MemorySegment init(MethodHandle init, String name, Arena arena) {
    try {
      var handle = (MemorySegment) init.invokeExact();
      if (handle.equals(MemorySegment.NULL)) {
        throw new IllegalStateException(name + ": " + errorString(handle));
      }
      return handle.reinterpret(arena, TurboJpeg::destroy); // carries the arena's lifetime
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  private static void destroy(MemorySegment handle) {
    try {
      var _ = (int) DESTROY.invokeExact(handle);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Loads tables for the pictures that follow: what they do not define themselves, they take from
  /// here (`tjDecompressHeader3` of a stream without a picture).
  ///
  /// @param ints four, which it may write to
  static void loadTables(MemorySegment handle, MemorySegment tables, MemorySegment ints) {
    try {
      var _ =
          (int)
              DECOMPRESS_HEADER3.invokeExact(
                  handle,
                  tables,
                  tables.byteSize(),
                  ints,
                  ints.asSlice(4),
                  ints.asSlice(8),
                  ints.asSlice(12));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return 0, or -1 for an error or warning}
  static int decompress(
      MemorySegment handle,
      MemorySegment jpeg,
      MemorySegment pixels,
      int width,
      int pitch,
      int height,
      int format,
      int flags) {
    try {
      return (int)
          DECOMPRESS2.invokeExact(
              handle, jpeg, jpeg.byteSize(), pixels, width, pitch, height, format, flags);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return 0, or -1 for an error or warning}
  ///
  /// @param planes three pointers
  /// @param strides three ints, in bytes
  static int decompressToYuvPlanes(
      MemorySegment handle,
      MemorySegment jpeg,
      MemorySegment planes,
      int width,
      MemorySegment strides,
      int height,
      int flags) {
    try {
      return (int)
          InPlanes.DECOMPRESS_TO_YUV_PLANES.invokeExact(
              handle, jpeg, jpeg.byteSize(), planes, width, strides, height, flags);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return 0, or -1 for an error}
  ///
  /// @param buffer holds a pointer to the output buffer
  /// @param size holds the buffer's size in bytes, then that of the JPEG
  static int compress(
      MemorySegment handle,
      MemorySegment pixels,
      int width,
      int height,
      int format,
      MemorySegment buffer,
      MemorySegment size,
      int subsampling,
      int quality,
      int flags) {
    try {
      return (int)
          Writing.COMPRESS2.invokeExact(
              handle, pixels, width, 0, height, format, buffer, size, subsampling, quality, flags);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return 0, or -1 for an error or warning}
  ///
  /// @param buffer holds a pointer to the output buffer, of `tjBufSize` bytes
  /// @param size holds the buffer's size in bytes, then that of the JPEG
  /// @param transform a `tjtransform`
  static int transform(
      MemorySegment handle,
      MemorySegment jpeg,
      MemorySegment buffer,
      MemorySegment size,
      MemorySegment transform) {
    try {
      return (int)
          Writing.TRANSFORM.invokeExact(
              handle,
              jpeg,
              jpeg.byteSize(),
              1,
              buffer,
              size,
              transform,
              TJFLAG_NOREALLOC | TJFLAG_LIMITSCANS);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the most bytes a JPEG of that size can take, or -1 for arguments out of bounds}
  static long bufSize(int width, int height, int subsampling) {
    try {
      return (long) Writing.BUF_SIZE.invokeExact(width, height, subsampling);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the last error or warning, in the library's words}
  static String errorString(MemorySegment handle) {
    try {
      return Downcalls.string((MemorySegment) ERROR_STR2.invokeExact(handle));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return whether the last error or warning contains `words`}
  ///
  /// Makes no string of it, since some warnings come with every image.
  ///
  /// @param words in ASCII
  static boolean errorContains(MemorySegment handle, byte[] words) {
    try {
      return Downcalls.contains((MemorySegment) ERROR_STR2.invokeExact(handle), words);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return [#TJERR_WARNING], or 1 for a fatal error}
  static int errorCode(MemorySegment handle) {
    try {
      return (int) ERROR_CODE.invokeExact(handle);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
