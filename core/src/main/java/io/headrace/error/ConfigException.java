package io.headrace.error;

/// A request that cannot work, found before any data is read.
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /// @param message what was asked, what is possible
  public ConfigException(String message) {
    super(Printable.of(message));
  }
}
