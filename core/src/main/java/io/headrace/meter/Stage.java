package io.headrace.meter;

/// What a loader spends time on.
public enum Stage {
  /// Getting encoded bytes from storage, decompressing streams included.
  READ,
  /// Encoded bytes to pixels.
  DECODE,
  /// Crop, resize, flip, normalise, write into the batch.
  TRANSFORM,
  /// Decode workers waiting for encoded bytes.
  STARVE,
  /// The consumer waiting for a batch: a data stall.
  STALL,
  /// Readers waiting for room: decoding or the consumer is behind.
  BLOCK
}
