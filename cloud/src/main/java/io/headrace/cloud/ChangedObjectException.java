package io.headrace.cloud;

import java.io.IOException;

/// An object is not the one that was listed.
final class ChangedObjectException extends IOException {
  private static final long serialVersionUID = 1L;

  /// @param then its ETag when it was listed
  /// @param now its ETag, or what became of it
  ChangedObjectException(String address, String then, String now) {
    super("%s has changed while it was read: ETag %s then, %s now".formatted(address, then, now));
  }
}
