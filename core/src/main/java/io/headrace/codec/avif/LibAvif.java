package io.headrace.codec.avif;

import static io.headrace.natives.NativeLibrary.AVIF;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headrace.error.ConfigException;
import io.headrace.natives.Downcalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions and structures of `avif/avif.h`, libavif 0.11 and 1.0 to 1.4, between which some
/// fields moved; [#require] refuses others.
final class LibAvif {
  /// `AVIF_PIXEL_FORMAT_YUV420` and `AVIF_PIXEL_FORMAT_YUV400`.
  static final int YUV420 = 3;

  static final int YUV400 = 4;

  /// `AVIF_RESULT_REFORMAT_FAILED` and `AVIF_RESULT_UNSUPPORTED_DEPTH` of `avifResult`.
  static final int REFORMAT_FAILED = 5;

  static final int UNSUPPORTED_DEPTH = 6;

  /// `AVIF_RESULT_NO_CODEC_AVAILABLE`, `AVIF_RESULT_TRUNCATED_DATA`,
  /// `AVIF_RESULT_NOT_IMPLEMENTED` and `AVIF_RESULT_OUT_OF_MEMORY` of `avifResult`.
  static final int NO_CODEC_AVAILABLE = 15;

  static final int TRUNCATED_DATA = 20;
  static final int NOT_IMPLEMENTED = 25;
  static final int OUT_OF_MEMORY = 26;

  /// Bytes of `avifRGBImage`, at least, and of `avifRWData`: a pointer and a size.
  static final long RGB_BYTES = 64;

  static final long RW_DATA_BYTES = 16;

  /// Fields of `avifDecoder`, the same in all these versions.
  private static final long IGNORE_EXIF = 20;

  private static final long IGNORE_XMP = 24;
  private static final long IMAGE_SIZE_LIMIT = 28;
  private static final long IMAGE_DIMENSION_LIMIT = 32;
  private static final long STRICT_FLAGS = 40;
  private static final long IMAGE = 48;
  private static final long DECODER_BYTES = 56;

  /// `AVIF_DEFAULT_IMAGE_SIZE_LIMIT` and `AVIF_DEFAULT_IMAGE_DIMENSION_LIMIT`, by which a new
  /// decoder shows that its fields lie where they should.
  private static final int DEFAULT_SIZE_LIMIT = 16_384 * 16_384;

  private static final int DEFAULT_DIMENSION_LIMIT = 32_768;

  /// Fields of `avifImage`: width, height, `yuvFormat`, address and bytes a row of the first plane,
  /// alpha, `matrixCoefficients` (16 bits).
  private static final long YUV_FORMAT = 12;

  private static final long PLANE = 24;

  private static final long ROW_BYTES = 48;
  private static final long ALPHA_PLANE = 64;
  private static final long MATRIX = 108;
  private static final long IMAGE_BYTES = 112;

  /// Fields of `avifRGBImage`.
  private static final long RGB_DEPTH = 8;

  private static final long RGB_FORMAT = 12;
  private static final long RGB_AVOID_LIBYUV = 24;
  private static final long RGB_PIXELS_0 = 40;
  private static final long RGB_PIXELS_1 = 48;

  /// Fields of `avifEncoder`: in 0.11 the quantizers' bounds, in 1.x the qualities.
  private static final long SPEED = 8;

  private static final long MIN_QUANTIZER_0 = 24;
  private static final long QUALITY_1 = 32;
  private static final long ENCODER_BYTES = 48;

  private static final MethodHandle VERSION = AVIF.link("void* avifVersion()");
  private static final MethodHandle RESULT_TO_STRING = AVIF.link("void* avifResultToString(int)");
  private static final MethodHandle DECODER_CREATE = AVIF.link("void* avifDecoderCreate()");
  private static final MethodHandle DECODER_DESTROY = AVIF.link("void avifDecoderDestroy(void*)");
  private static final MethodHandle SET_IO_MEMORY =
      AVIF.link("int avifDecoderSetIOMemory(void*, void*, long)");
  private static final MethodHandle PARSE = AVIF.link("int avifDecoderParse(void*)");
  private static final MethodHandle NEXT_IMAGE = AVIF.link("int avifDecoderNextImage(void*)");
  private static final MethodHandle RGB_SET_DEFAULTS =
      AVIF.link("void avifRGBImageSetDefaults(void*, void*)");
  private static final MethodHandle YUV_TO_RGB = AVIF.link("int avifImageYUVToRGB(void*, void*)");
  private static final MethodHandle RGB_TO_YUV = AVIF.link("int avifImageRGBToYUV(void*, void*)");
  private static final MethodHandle IMAGE_CREATE =
      AVIF.link("void* avifImageCreate(int, int, int, int)");
  private static final MethodHandle ALLOCATE_PLANES =
      AVIF.link("int avifImageAllocatePlanes(void*, int)");
  private static final MethodHandle IMAGE_DESTROY = AVIF.link("void avifImageDestroy(void*)");
  private static final MethodHandle ENCODER_CREATE = AVIF.link("void* avifEncoderCreate()");
  private static final MethodHandle ENCODER_DESTROY = AVIF.link("void avifEncoderDestroy(void*)");
  private static final MethodHandle WRITE = AVIF.link("int avifEncoderWrite(void*, void*, void*)");
  private static final MethodHandle RW_DATA_FREE = AVIF.link("void avifRWDataFree(void*)");

  private LibAvif() {}

  /// {@return whether it is libavif 1.x, else it is 0.11}
  ///
  /// @throws ConfigException if it is missing, or another version
  static boolean require() {
    AVIF.require();
    String version;
    try {
      version = Downcalls.string((MemorySegment) VERSION.invokeExact());
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    return isOne(version);
  }

  static boolean isOne(String version) {
    boolean one = version.startsWith("1.");
    if (!one && !version.startsWith("0.11.")) {
      throw new ConfigException(
          "libavif %s has structures not known here: 0.11 or 1.x is needed; %s"
              .formatted(version, AVIF.remedy()));
    }
    return one;
  }

  static String resultToString(int result) {
    try {
      return Downcalls.string((MemorySegment) RESULT_TO_STRING.invokeExact(result));
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return a decoder, to be given to [#decoderDestroy], that skips metadata, takes files that
  ///     are loose in what decoding does not need, and refuses pictures of more than `maxPixels`}
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment decoderCreate(long maxPixels) {
    try {
      var decoder = (MemorySegment) DECODER_CREATE.invokeExact();
      requireThere(decoder);
      decoder = decoder.reinterpret(DECODER_BYTES);
      if (decoder.get(JAVA_INT, IMAGE_SIZE_LIMIT) != DEFAULT_SIZE_LIMIT
          || decoder.get(JAVA_INT, IMAGE_DIMENSION_LIMIT) != DEFAULT_DIMENSION_LIMIT) {
        DECODER_DESTROY.invokeExact(decoder);
        throw new ConfigException("libavif: avifDecoder has other fields than 0.11 and 1.x have");
      }
      decoder.set(JAVA_INT, IGNORE_EXIF, 1);
      decoder.set(JAVA_INT, IGNORE_XMP, 1);
      decoder.set(JAVA_INT, IMAGE_SIZE_LIMIT, (int) Math.min(maxPixels, DEFAULT_SIZE_LIMIT));
      decoder.set(JAVA_INT, STRICT_FLAGS, 0);
      return decoder;
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  private static void requireThere(MemorySegment memory) {
    if (memory.equals(MemorySegment.NULL)) {
      throw new OutOfMemoryError("libavif: NULL");
    }
  }

  static void decoderDestroy(MemorySegment decoder) {
    try {
      DECODER_DESTROY.invokeExact(decoder);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Decodes the primary picture into planes; see [#image].
  ///
  /// @return an `avifResult`, 0 being success
  static int decode(MemorySegment decoder, MemorySegment avif) {
    try {
      int result = (int) SET_IO_MEMORY.invokeExact(decoder, avif, avif.byteSize());
      if (result == 0) {
        result = (int) PARSE.invokeExact(decoder);
      }
      return result == 0 ? (int) NEXT_IMAGE.invokeExact(decoder) : result;
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the picture that a decoder holds, and owns}
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment image(MemorySegment decoder) {
    return decoder.get(ADDRESS, IMAGE).reinterpret(IMAGE_BYTES);
  }

  static int width(MemorySegment image) {
    return image.get(JAVA_INT, 0);
  }

  static int height(MemorySegment image) {
    return image.get(JAVA_INT, 4);
  }

  /// {@return `avifPixelFormat`: 1 for 4:4:4, 2 for 4:2:2, 3 for 4:2:0, 4 for grey}
  static int yuvFormat(MemorySegment image) {
    return image.get(JAVA_INT, YUV_FORMAT);
  }

  /// {@return the number of the colour matrix in ITU-T H.273}
  static int matrixCoefficients(MemorySegment image) {
    return image.get(JAVA_SHORT, MATRIX) & 0xffff;
  }

  /// Fills an `avifRGBImage` for packed RGB of 8 or 16 bits. libavif's own conversion is used,
  /// never libyuv's, which only some builds have and which gives other pixels.
  static void rgb(
      MemorySegment rgb,
      boolean one,
      MemorySegment image,
      MemorySegment pixels,
      int width,
      int depth) {
    try {
      RGB_SET_DEFAULTS.invokeExact(rgb, image);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    rgb.set(JAVA_INT, RGB_DEPTH, depth);
    rgb.set(JAVA_INT, RGB_FORMAT, 0);
    rgb.set(JAVA_INT, RGB_AVOID_LIBYUV, 1);
    long at = one ? RGB_PIXELS_1 : RGB_PIXELS_0;
    rgb.set(ADDRESS, at, pixels);
    rgb.set(JAVA_INT, at + ADDRESS.byteSize(), 3 * width * (depth / 8));
  }

  /// Converts without looking at alpha, which libavif would blend with black.
  static int yuvToRgb(MemorySegment image, MemorySegment rgb) {
    MemorySegment alpha = image.get(ADDRESS, ALPHA_PLANE);
    image.set(ADDRESS, ALPHA_PLANE, MemorySegment.NULL);
    try {
      return (int) YUV_TO_RGB.invokeExact(image, rgb);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    } finally {
      image.set(ADDRESS, ALPHA_PLANE, alpha);
    }
  }

  static int rgbToYuv(MemorySegment image, MemorySegment rgb) {
    try {
      return (int) RGB_TO_YUV.invokeExact(image, rgb);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return a picture of 8 bits without planes, to be given to [#imageDestroy]}
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment imageCreate(int width, int height, int yuvFormat) {
    try {
      var image = (MemorySegment) IMAGE_CREATE.invokeExact(width, height, 8, yuvFormat);
      requireThere(image);
      return image.reinterpret(IMAGE_BYTES);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Gives a picture its planes and copies grey into the first.
  static int setGrey(MemorySegment image, MemorySegment grey) {
    int result;
    try {
      result = (int) ALLOCATE_PLANES.invokeExact(image, 1);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
    if (result == 0) {
      int width = width(image);
      int height = height(image);
      long pitch = image.get(JAVA_INT, ROW_BYTES);
      MemorySegment plane = sized(image.get(ADDRESS, PLANE), pitch * height);
      for (int y = 0; y < height; y++) {
        MemorySegment.copy(grey, (long) width * y, plane, pitch * y, width);
      }
    }
    return result;
  }

  /// {@return what libavif wrote}
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment sized(MemorySegment memory, long bytes) {
    return memory.reinterpret(bytes);
  }

  static void imageDestroy(MemorySegment image) {
    try {
      IMAGE_DESTROY.invokeExact(image);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return an encoder of one thread, to be given to [#encoderDestroy]}
  ///
  /// @param quality 0 to 100 on the scale of libavif 1.x; 0.11 is told what 1.0 makes of it
  @SuppressWarnings("restricted") // a door to C
  static MemorySegment encoderCreate(boolean one, int quality, int speed) {
    try {
      var encoder = (MemorySegment) ENCODER_CREATE.invokeExact();
      requireThere(encoder);
      encoder = encoder.reinterpret(ENCODER_BYTES);
      encoder.set(JAVA_INT, SPEED, speed);
      if (one) {
        encoder.set(JAVA_INT, QUALITY_1, quality);
      } else {
        int quantizer = ((100 - quality) * 63 + 50) / 100;
        encoder.set(JAVA_INT, MIN_QUANTIZER_0, quantizer);
        encoder.set(JAVA_INT, MIN_QUANTIZER_0 + 4, quantizer);
      }
      return encoder;
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void encoderDestroy(MemorySegment encoder) {
    try {
      ENCODER_DESTROY.invokeExact(encoder);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Encodes one picture.
  ///
  /// @param output an `avifRWData`, to be given to [#rwDataFree]
  static int write(MemorySegment encoder, MemorySegment image, MemorySegment output) {
    try {
      return (int) WRITE.invokeExact(encoder, image, output);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static void rwDataFree(MemorySegment data) {
    try {
      RW_DATA_FREE.invokeExact(data);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
