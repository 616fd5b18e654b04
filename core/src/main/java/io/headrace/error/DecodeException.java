package io.headrace.error;

/// Bytes that a codec rejects. It has no place: whoever holds the [Location] wraps it in a
/// [CorruptDataException].
public final class DecodeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Fault fault;

  /// @param fault what kind of fault
  /// @param message what was found and what was expected, in the library's own words where it has
  ///     any
  public DecodeException(Fault fault, String message) {
    super(Printable.of(message));
    this.fault = fault;
  }

  /// {@return the kind of fault}
  public Fault fault() {
    return fault;
  }
}
