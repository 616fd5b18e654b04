package io.headrace.codec;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Bounds that headers are held to before anything is allocated for them.
public final class ImageLimits {
  /// Columns times rows that are taken where nothing else is said.
  public static final long MAX_PIXELS = 250_000_000;

  private ImageLimits() {}

  /// Checks the number of pixels.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the image has more than `maxPixels`
  public static void requirePixels(String format, long width, long height, long maxPixels)
      throws DecodeException {
    if (height > 0 && width > maxPixels / height) { // the product may be over 63 bits
      throw new DecodeException(
          Fault.LIMIT,
          "%s: %d x %d is %s pixels, over the limit of %d"
              .formatted(format, width, height, Long.toUnsignedString(width * height), maxPixels));
    }
  }

  /// Checks that the bytes can hold the image.
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] if `bytes` cannot hold an image whose coded
  ///     data has at least `least` of them
  public static void requirePlausible(String format, int width, int height, long least, long bytes)
      throws DecodeException {
    if (least > bytes) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "%s: %d x %d pixels take at least %d bytes, the data ends after %d"
              .formatted(format, width, height, least, bytes));
    }
  }

  /// Checks that the image is the announced one.
  ///
  /// @throws DecodeException with [Fault#MISMATCH] if the header read now is not that of `info`
  public static void requireSize(String format, int width, int height, ImageInfo info)
      throws DecodeException {
    if (width != info.width() || height != info.height()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "%s: is %d x %d pixels, %d x %d were announced"
              .formatted(format, width, height, info.width(), info.height()));
    }
  }

  /// Checks arguments that C would trust.
  public static void requireNative(MemorySegment encoded, MemorySegment pixels, long pixelBytes) {
    if (!encoded.isNative() || !pixels.isNative()) {
      throw new IllegalArgumentException("images and pixels must lie off heap");
    }
    requireBytes(pixels, pixelBytes);
  }

  public static void requireBytes(MemorySegment pixels, long pixelBytes) {
    if (pixels.byteSize() < pixelBytes) {
      throw new IllegalArgumentException(
          "pixels take %d bytes, the segment has %d".formatted(pixelBytes, pixels.byteSize()));
    }
  }

  /// Checks what every encoder asks of its arguments.
  public static void requireEncodable(MemorySegment pixels, int width, int height, int channels) {
    if (width < 1 || height < 1 || (channels != 1 && channels != 3)) {
      throw new IllegalArgumentException(
          "%d x %d pixels of %d channels: expected 1 or 3".formatted(width, height, channels));
    }
    requireBytes(pixels, (long) channels * width * height);
  }

  /// Checks the length of both sides.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if a side is longer than the format, or its
  ///     library, takes
  public static void requireEdge(String format, int width, int height, int maxEdge)
      throws DecodeException {
    if (Math.max(width, height) > maxEdge) {
      throw new DecodeException(
          Fault.LIMIT,
          "%s: %d x %d pixels, but at most %d a side are taken"
              .formatted(format, width, height, maxEdge));
    }
  }

  /// {@return a fault of a picture that a library would not encode, although its arguments were
  ///     sound: it is too large for the library, or for the memory there is}
  public static DecodeException notEncoded(String format, int width, int height, String words) {
    return new DecodeException(
        Fault.LIMIT,
        "%s: %d x %d pixels cannot be encoded: %s".formatted(format, width, height, words));
  }

  /// Counts memory that a C library takes while it decodes; to be released afterwards.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it
  public static void reserve(String format, MemoryBudget budget, long bytes, ImageInfo info)
      throws DecodeException {
    if (!budget.tryReserve(bytes)) {
      throw new DecodeException(
          Fault.LIMIT,
          "%s: %d x %d pixels take %d more bytes while decoding, but %d of %d are taken"
              .formatted(
                  format, info.width(), info.height(), bytes, budget.reserved(), budget.limit()));
    }
  }
}
