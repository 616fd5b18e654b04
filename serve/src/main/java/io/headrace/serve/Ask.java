package io.headrace.serve;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// An epoch that a consumer wants.
///
/// @param run the consumer's number for this request
/// @param number of the epoch, if there is no state
/// @param state to resume from, or null
/// @param next number of the epoch that will be asked for next, or -1
/// @param kept slots of earlier epochs that the consumer still holds, a bit each
/// @param joining what else will do, where others take part
record Ask(long run, long number, @Nullable String state, long next, BitSet kept, Joining joining) {
  /// What a consumer takes that comes to others.
  enum Joining {
    /// That very epoch, from its start.
    EXACT,
    /// What is left of the epoch under way, or the next one.
    NOW,
    /// The next epoch, whole.
    WHOLE
  }

  /// {@return whether an epoch that begins as `other` asked is what this one wants}
  boolean fits(Ask other) {
    if (joining != Joining.EXACT) {
      return true;
    }
    String own = state;
    return own == null ? other.state == null && number == other.number : own.equals(other.state);
  }
}
