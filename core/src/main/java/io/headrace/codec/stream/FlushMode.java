package io.headrace.codec.stream;

/// How far a flush reaches. More flushing makes a stream readable earlier and larger.
public enum FlushMode {
  /// `Z_NO_FLUSH`, `ZSTD_e_continue`: the library keeps what it likes.
  NONE,
  /// `Z_PARTIAL_FLUSH`; in zstd the same as [#SYNC].
  PARTIAL,
  /// `Z_SYNC_FLUSH`, `ZSTD_e_flush`: everything written so far can be read.
  SYNC,
  /// `Z_FULL_FLUSH`, and in zstd the end of a frame: reading can start here.
  FULL
}
