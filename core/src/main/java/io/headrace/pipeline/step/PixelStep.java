package io.headrace.pipeline.step;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.random.CounterRandom;
import org.jspecify.annotations.Nullable;

/// A step on an image: on places or colours of its pixels, uint8 [height, width, 3], RGB.
public interface PixelStep extends Step {
  /// Plans the step for one image.
  ///
  /// @param plan of the steps before; takes what this one does
  /// @param random gives the numbers that the step draws; their count may depend on the image's
  ///     size, on nothing else that the steps before did
  /// @throws DecodeException if the image cannot be processed so
  void plan(Plan plan, CounterRandom random) throws DecodeException;

  /// {@return the size of the image after the step; null if that depends on the image}
  ///
  /// @param size before it; null if not known
  default @Nullable ImageSize size(@Nullable ImageSize size) {
    return size;
  }

  /// {@return after which steps it may stand at the latest: those on colours; those on types if it
  ///     gives the same after steps on values; those on layouts if it works on finished samples
  ///     too}
  default Applies latest() {
    return Applies.COLOURS;
  }

  /// {@return whether the step leaves every image of a size as it is}
  default boolean keeps(int height, int width) {
    return false;
  }
}
