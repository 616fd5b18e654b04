package io.headrace.convert.target;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;

/// What size images get. Nothing is ever enlarged; the aspect ratio stays.
///
/// @param side which side is bound
/// @param edge its bound in pixels; 0 for [Side#NONE]
public record Resize(Side side, int edge) {
  /// The size as it is.
  public static final Resize KEEP = new Resize(Side.NONE, 0);

  /// Which side of an image is bound.
  public enum Side {
    /// Neither.
    NONE,
    /// The longer one.
    LONGEST,
    /// The shorter one.
    SHORTEST
  }

  /// Checks the bound.
  public Resize {
    if (side != Side.NONE && edge < 1) {
      throw new ConfigException("resize to " + edge + " pixels: expected at least 1");
    }
  }

  /// {@return the text [#parse] takes}
  public String spec() {
    return switch (side) {
      case NONE -> "keep";
      case LONGEST -> "longest=" + edge;
      case SHORTEST -> "shortest=" + edge;
    };
  }

  /// {@return the policy written as `keep`, `longest=PIXELS` or `shortest=PIXELS`}
  ///
  /// @throws ConfigException if it is none of these
  public static Resize parse(String text) {
    Spec spec = Spec.step("resize", text);
    return switch (spec.name()) {
      case "keep" -> spec.bare(() -> KEEP);
      case "longest" -> spec.end(new Resize(Side.LONGEST, spec.number("size", 0)));
      case "shortest" -> spec.end(new Resize(Side.SHORTEST, spec.number("size", 0)));
      default -> throw spec.unknown("keep, longest=PIXELS or shortest=PIXELS");
    };
  }

  /// {@return the size an image of that size gets; the free side is truncated, at least 1}
  public ImageSize target(int height, int width) {
    int bound =
        switch (side) {
          case NONE -> Integer.MAX_VALUE;
          case LONGEST -> Math.max(height, width);
          case SHORTEST -> Math.min(height, width);
        };
    if (side == Side.NONE || bound <= edge) {
      return new ImageSize(height, width);
    }
    return new ImageSize(
        (int) Math.max(1, (long) height * edge / bound),
        (int) Math.max(1, (long) width * edge / bound));
  }
}
