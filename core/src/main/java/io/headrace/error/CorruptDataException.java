package io.headrace.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Data that cannot be delivered as it is, with its place. Thrown for every [Fault] kind.
public final class CorruptDataException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Fault fault;
  private final Location where;
  private final String reason;

  /// @param fault what kind of fault
  /// @param reason what was found and what was expected
  /// @param where the place
  /// @param cause what a codec or the system said, or null
  public CorruptDataException(
      Fault fault, String reason, Location where, @Nullable Throwable cause) {
    super(fault + ": " + Printable.of(reason) + " " + where, cause);
    this.fault = fault;
    this.where = where;
    this.reason = Printable.of(reason);
  }

  /// {@return `cause` at its place}
  public static CorruptDataException at(Location where, DecodeException cause) {
    return new CorruptDataException(
        cause.fault(), String.valueOf(cause.getMessage()), where, cause);
  }

  /// {@return the kind of fault}
  public Fault fault() {
    return fault;
  }

  /// {@return the place}
  public Location where() {
    return where;
  }

  /// {@return what was found and expected, without the place}
  public String reason() {
    return reason;
  }
}
