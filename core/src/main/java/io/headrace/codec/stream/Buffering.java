package io.headrace.codec.stream;

import io.headrace.error.ConfigException;

/// Sizes of a compressing channel's buffers. With [FlushMode#NONE] they hardly ever change a byte
/// of the result; TensorFlow has the same options and defaults.
///
/// @param inputBytes bytes collected before the library is called, at least 1
/// @param outputBytes bytes collected before the file is written, at least 8
/// @param whenFull how far to flush each time the input buffer is full
public record Buffering(int inputBytes, int outputBytes, FlushMode whenFull) {
  /// TensorFlow's defaults: 256 KiB each, no flushing.
  public static final Buffering DEFAULT = new Buffering(256 << 10, 256 << 10, FlushMode.NONE);

  /// Checks the sizes.
  ///
  /// @throws ConfigException if one is too small
  public Buffering {
    if (inputBytes < 1) {
      throw new ConfigException("input buffer of %d bytes: at least 1".formatted(inputBytes));
    }
    if (outputBytes < 8) { // zlib repeats flush markers where six bytes do not fit
      throw new ConfigException("output buffer of %d bytes: at least 8".formatted(outputBytes));
    }
  }
}
