package io.headrace.codec.webp;

import static io.headrace.natives.NativeLibrary.WEBP;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.natives.Downcalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `webp/decode.h` and `webp/encode.h`, libwebp 1.x. C's `size_t` is 64 bits wide on
/// every system Headrace runs on.
final class LibWebp {
  /// `VP8_STATUS_OUT_OF_MEMORY` of `enum VP8StatusCode`.
  static final int OUT_OF_MEMORY = 1;

  /// `VP8_STATUS_UNSUPPORTED_FEATURE`.
  static final int UNSUPPORTED_FEATURE = 4;

  /// `VP8_STATUS_SUSPENDED`.
  static final int SUSPENDED = 5;

  /// `VP8_STATUS_NOT_ENOUGH_DATA`.
  static final int NOT_ENOUGH_DATA = 7;

  /// Bytes of `WebPDecoderConfig`: features 40, output 120, options 80. [#initConfig] checks that
  /// the library has the same ABI.
  static final long CONFIG_BYTES = 240;

  /// `WEBP_DECODER_ABI_VERSION`; the library compares the high byte.
  private static final int DECODER_ABI = 0x0209;

  /// Offsets in `WebPDecoderConfig`: `output.colorspace`, where 0 is `MODE_RGB`.
  private static final long COLORSPACE = 40;

  private static final long IS_EXTERNAL_MEMORY = 52;
  private static final long RGBA = 56;
  private static final long STRIDE = 64;
  private static final long SIZE = 72;

  private static final MethodHandle INIT_CONFIG =
      WEBP.link("int WebPInitDecoderConfigInternal(void*, int)");
  private static final MethodHandle DECODE = WEBP.link("int WebPDecode(void*, long, void*)");
  private static final MethodHandle ENCODE_RGB =
      WEBP.link("long WebPEncodeRGB(void*, int, int, int, float, void*)");
  private static final MethodHandle ENCODE_LOSSLESS_RGB =
      WEBP.link("long WebPEncodeLosslessRGB(void*, int, int, int, void*)");
  private static final MethodHandle FREE = WEBP.link("void WebPFree(void*)");

  private LibWebp() {}

  /// Fills a `WebPDecoderConfig` so that it decodes to packed RGB in `pixels`.
  ///
  /// @throws ConfigException if the library's structures are others than these
  static void initConfig(MemorySegment config, MemorySegment pixels, int width) {
    int sound;
    try {
      sound = (int) INIT_CONFIG.invokeExact(config, DECODER_ABI);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    if (sound == 0) {
      throw new ConfigException(
          "libwebp has another ABI than the 0x%04x expected: libwebp 1.x is needed"
              .formatted(DECODER_ABI));
    }
    config.set(JAVA_INT, COLORSPACE, 0);
    config.set(JAVA_INT, IS_EXTERNAL_MEMORY, 1);
    config.set(ADDRESS, RGBA, pixels);
    config.set(JAVA_INT, STRIDE, 3 * width);
    config.set(JAVA_LONG, SIZE, pixels.byteSize());
  }

  /// {@return a `VP8StatusCode`, 0 being success}
  static int decode(MemorySegment webp, MemorySegment config) {
    try {
      return (int) DECODE.invokeExact(webp, webp.byteSize(), config);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return bytes of the file, 0 for an error}
  ///
  /// @param output holds, afterwards, the address of the file, which is the caller's to [#free]
  static long encodeRgb(
      MemorySegment rgb, int width, int height, float quality, MemorySegment output) {
    try {
      return (long) ENCODE_RGB.invokeExact(rgb, width, height, 3 * width, quality, output);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return bytes of the file, 0 for an error}
  ///
  /// @param output holds, afterwards, the address of the file, which is the caller's to [#free]
  static long encodeLosslessRgb(MemorySegment rgb, int width, int height, MemorySegment output) {
    try {
      return (long) ENCODE_LOSSLESS_RGB.invokeExact(rgb, width, height, 3 * width, output);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return what libwebp wrote}
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment sized(MemorySegment memory, long bytes) {
    return memory.reinterpret(bytes);
  }

  static void free(MemorySegment memory) {
    try {
      FREE.invokeExact(memory);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
