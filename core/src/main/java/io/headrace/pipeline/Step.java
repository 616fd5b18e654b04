package io.headrace.pipeline;

import io.headrace.error.ConfigException;
import io.headrace.memory.DType;
import java.util.List;

/// One step of a pipeline, as data. An image starts as uint8 [height, width, 3], RGB.
///
/// Every step has a text form, which [Pipeline#parse] reads and [#spec] writes. Sizes are written
/// `HEIGHTxWIDTH`, or `EDGE` for squares.
public sealed interface Step {
  /// {@return the text form, from which [Pipeline#parse] makes an equal step}
  default String spec() {
    return StepText.print(this);
  }

  /// {@return whether the step draws random numbers, so that it cannot be done offline}
  default boolean random() {
    return switch (this) {
      case RandomCrop _, RandomResizedCrop _, RandomFlip _ -> true;
      case Resize _, ResizeShorter _, CenterCrop _, Normalize _, Center _, Cast _, ToLayout _ ->
          false;
    };
  }

  /// Resizes to a fixed size, whatever the aspect: `resize=224x160`. Filter: [Resampler].
  ///
  /// @param height rows of the result
  /// @param width columns of the result
  record Resize(int height, int width) implements Step {
    /// Checks the extents.
    public Resize {
      requireExtent("resize", height);
      requireExtent("resize", width);
    }
  }

  /// Resizes so that the shorter side is `edge`, keeping the aspect: `resize_shorter=256`.
  ///
  /// The other side is truncated, see [ImageSize#withShorterSide].
  ///
  /// @param edge pixels of the shorter side
  record ResizeShorter(int edge) implements Step {
    /// Checks the extent.
    public ResizeShorter {
      requireExtent("resize_shorter", edge);
    }
  }

  /// Cuts out the middle: `center_crop=224`. Where the image is smaller, zeros surround it.
  ///
  /// Offsets are `(height - h) / 2` and `(width - w) / 2`, halves rounded to even; a border of odd
  /// size is thinner on the top and left. Source: `center_crop` of torchvision's
  /// `transforms/functional.py`, 0.9 and later.
  ///
  /// @param height rows of the result
  /// @param width columns of the result
  record CenterCrop(int height, int width) implements Step {
    /// Checks the extents.
    public CenterCrop {
      requireExtent("center_crop", height);
      requireExtent("center_crop", width);
    }
  }

  /// Cuts out a window, uniform over all places it fits: `random_crop=224`.
  ///
  /// An image smaller than the window fails, as in torchvision without padding.
  ///
  /// @param height rows of the result
  /// @param width columns of the result
  record RandomCrop(int height, int width) implements Step {
    /// Checks the extents.
    public RandomCrop {
      requireExtent("random_crop", height);
      requireExtent("random_crop", width);
    }
  }

  /// Cuts out a window of random area and aspect and resizes it to a fixed size:
  /// `random_resized_crop=224`, or with options
  /// `random_resized_crop=224:area=0.1-1:aspect=0.75-1.25`.
  ///
  /// Area is uniform, aspect log-uniform, 10 tries, then the largest middle window within the
  /// aspects. Source: `RandomResizedCrop.get_params` of torchvision's `transforms/transforms.py`.
  ///
  /// @param height rows of the result
  /// @param width columns of the result
  /// @param minArea least share of the image's area, above 0
  /// @param maxArea greatest share of the image's area, at most 1
  /// @param minAspect least width / height of the window, above 0
  /// @param maxAspect greatest width / height of the window
  record RandomResizedCrop(
      int height, int width, double minArea, double maxArea, double minAspect, double maxAspect)
      implements Step {
    static final double MIN_AREA = 0.08;
    static final double MAX_AREA = 1;
    static final double MIN_ASPECT = 3.0 / 4;
    static final double MAX_ASPECT = 4.0 / 3;

    /// Checks extents and ranges.
    public RandomResizedCrop {
      requireExtent("random_resized_crop", height);
      requireExtent("random_resized_crop", width);
      if (!(0 < minArea && minArea <= maxArea && maxArea <= 1)) {
        throw new ConfigException(
            "random_resized_crop: area %s to %s, expected 0 < least <= greatest <= 1"
                .formatted(minArea, maxArea));
      }
      if (!(0 < minAspect && minAspect <= maxAspect && maxAspect < Double.POSITIVE_INFINITY)) {
        throw new ConfigException(
            "random_resized_crop: aspect %s to %s, expected 0 < least <= greatest"
                .formatted(minAspect, maxAspect));
      }
    }

    /// With torchvision's ranges: area 0.08 to 1, aspect 3/4 to 4/3.
    public RandomResizedCrop(int height, int width) {
      this(height, width, MIN_AREA, MAX_AREA, MIN_ASPECT, MAX_ASPECT);
    }
  }

  /// Mirrors left and right: `flip` for one image in two, `flip=0.1` for one in ten.
  ///
  /// @param probability from 0 to 1
  record RandomFlip(double probability) implements Step {
    static final double PROBABILITY = 0.5;

    /// Checks the probability.
    public RandomFlip {
      if (!(0 <= probability && probability <= 1)) {
        throw new ConfigException("flip: probability %s, expected 0 to 1".formatted(probability));
      }
    }
  }

  /// Subtracts a mean and divides by a deviation, by channel: `normalize=imagenet`, or
  /// `normalize=0.5/0.5/0.5:0.25/0.25/0.25`, or on the scale of bytes
  /// `normalize=122.7/116.5/104:59.4/58.4/58.7:range=255`.
  ///
  /// The result is float32 unless a [Cast] follows. With range 1 it is `(x / 255 - mean) / std`,
  /// as torchvision's `ToTensor` and `Normalize` compute it; with range 255 `(x - mean) / std`;
  /// each operation is rounded to float32.
  ///
  /// @param mean red, green and blue, on a scale from 0 to `range`
  /// @param std red, green and blue, on the same scale, above 0
  /// @param range the value of white: 1 or 255
  record Normalize(List<Double> mean, List<Double> std, int range) implements Step {
    /// The usual statistics of ImageNet, as torchvision's models take them.
    public static final Normalize IMAGENET =
        new Normalize(List.of(0.485, 0.456, 0.406), List.of(0.229, 0.224, 0.225), 1);

    /// Checks counts and scale.
    public Normalize {
      mean = List.copyOf(mean);
      std = List.copyOf(std);
      if (mean.size() != 3 || std.size() != 3) {
        throw new ConfigException(
            "normalize: %d means and %d deviations, expected 3 of each"
                .formatted(mean.size(), std.size()));
      }
      if (range != 1 && range != 255) {
        throw new ConfigException("normalize: range %d, expected 1 or 255".formatted(range));
      }
      for (int c = 0; c < 3; c++) {
        double m = mean.get(c);
        double s = std.get(c);
        if (!(0 <= m && m <= range)) {
          throw new ConfigException(
              "normalize: mean %s is not in 0 to %d%s"
                  .formatted(m, range, range == 1 && m <= 255 ? "; say range=255?" : ""));
        }
        if (!(0 < s && s <= range)) {
          throw new ConfigException(
              "normalize: deviation %s is not above 0 and at most %d".formatted(s, range));
        }
      }
    }
  }

  /// Maps 0..255 to -1..1, as `x / 127.5 - 1`: `center`. The centring of PRESTO.
  ///
  /// The result is float32 unless a [Cast] follows; each operation is rounded to float32.
  record Center() implements Step {}

  /// Stores elements as another type, rounded to nearest even: `float16`, `bfloat16`, `float32`,
  /// `uint8`.
  ///
  /// @param dtype type of the result; uint8 only if no step made fractions
  record Cast(DType dtype) implements Step {}

  /// Orders the axes: `chw` for [3, height, width], `hwc` for [height, width, 3].
  ///
  /// @param layout order of the result
  record ToLayout(Layout layout) implements Step {}

  private static void requireExtent(String step, int extent) {
    if (extent < 1 || extent > Pipeline.MAX_EXTENT) {
      throw new ConfigException(
          "%s: %d pixels, expected 1 to %d".formatted(step, extent, Pipeline.MAX_EXTENT));
    }
  }
}
