package io.headrace.codec.learned.entropy;

import io.headrace.error.DecodeException;

/// Either side of the entropy coder, so that what says which distribution a value has is there
/// once.
public interface SymbolCoder {
  /// Codes the next value.
  ///
  /// @param tables the distributions; one string has one set of them
  /// @param row its distribution
  /// @param exact the value before it is rounded, which the encoder writes
  /// @return the value as a whole number, which the decoder reads
  int code(CdfTables tables, int row, float exact) throws DecodeException;
}
