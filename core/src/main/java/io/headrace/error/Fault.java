package io.headrace.error;

/// The kinds of fault found in data, the same for every format and codec.
public enum Fault {
  /// The data ends early.
  TRUNCATED,
  /// A checksum or the structure is wrong.
  CORRUPT,
  /// Valid data, but of another type than declared.
  MISMATCH,
  /// Recognised, but not handled.
  UNSUPPORTED,
  /// Valid, but over a configured bound.
  LIMIT,
  /// The same key or name twice.
  DUPLICATE,
  /// Disk, permission or a vanished file.
  IO
}
