package io.headrace.sound;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;

/// Bounds on sound, and checks of arguments that C would trust.
///
/// @param maxFrames frames that sound may have
record AudioLimits(long maxFrames) {
  /// @throws DecodeException with [Fault#LIMIT] if there are more frames
  void require(String format, long frames) throws DecodeException {
    if (frames > maxFrames) {
      throw new DecodeException(
          Fault.LIMIT, "%s: %d frames, over the limit of %d".formatted(format, frames, maxFrames));
    }
  }
}
