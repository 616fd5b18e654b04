package io.headrace.pipeline;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.pipeline.geometry.CenterCrop;
import io.headrace.pipeline.geometry.Flip;
import io.headrace.pipeline.geometry.RandomCrop;
import io.headrace.pipeline.geometry.RandomResizedCrop;
import io.headrace.pipeline.geometry.Resize;
import io.headrace.pipeline.geometry.ResizeShorter;
import io.headrace.pipeline.step.Step;
import io.headrace.random.CounterRandom;
import java.util.Random;

/// An image, and what each step makes of it, done one at a time in the plainest way.
final class Picture {
  private final int height;
  private final int width;

  /// uint8 [height, width, 3].
  private final byte[] rgb;

  Picture(int height, int width, byte[] rgb) {
    this.height = height;
    this.width = width;
    this.rgb = rgb;
  }

  int height() {
    return height;
  }

  int width() {
    return width;
  }

  byte[] rgb() {
    return rgb;
  }

  static Picture blank(int height, int width) {
    return new Picture(height, width, new byte[3 * height * width]);
  }

  static Picture random(int height, int width, long seed) {
    Picture picture = blank(height, width);
    new Random(seed).nextBytes(picture.rgb);
    return picture;
  }

  /// {@return an image whose values change slowly, so that shrinking it twice does no harm}
  static Picture smooth(int height, int width) {
    Picture picture = blank(height, width);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        picture.set(y, x, 0, 250 * x / width);
        picture.set(y, x, 1, 250 * y / height);
        picture.set(y, x, 2, 125 * x / width + 125 * y / height);
      }
    }
    return picture;
  }

  int get(int y, int x, int c) {
    return rgb[3 * (y * width + x) + c] & 0xff;
  }

  void set(int y, int x, int c, int value) {
    rgb[3 * (y * width + x) + c] = (byte) value;
  }

  Picture flip() {
    Picture out = blank(height, width);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          out.set(y, x, c, get(y, width - 1 - x, c));
        }
      }
    }
    return out;
  }

  /// {@return a window, zero outside of the image}
  Picture crop(int top, int left, int h, int w) {
    Picture out = blank(h, w);
    for (int y = Math.max(0, -top); y < h && top + y < height; y++) {
      for (int x = Math.max(0, -left); x < w && left + x < width; x++) {
        for (int c = 0; c < 3; c++) {
          out.set(y, x, c, get(top + y, left + x, c));
        }
      }
    }
    return out;
  }

  private Picture transpose() {
    Picture out = blank(width, height);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          out.set(x, y, c, get(y, x, c));
        }
      }
    }
    return out;
  }

  Picture resize(int h, int w) {
    return across(w).transpose().across(h).transpose();
  }

  private Picture across(int w) {
    Picture out = blank(height, w);
    double scale = (double) width / w;
    double support = Math.max(scale, 1);
    for (int x = 0; x < w; x++) {
      double center = (x + 0.5) * scale;
      int begin = Math.max(0, (int) (center - support + 0.5));
      int end = Math.min(width, (int) (center + support + 0.5));
      double[] weights = new double[end - begin];
      double total = 0;
      for (int i = begin; i < end; i++) {
        weights[i - begin] = Math.max(0, 1 - Math.abs((i - center + 0.5) * (1 / support)));
        total += weights[i - begin];
      }
      for (int y = 0; y < height; y++) {
        for (int c = 0; c < 3; c++) {
          long sum = 1L << 21;
          for (int i = begin; i < end; i++) {
            long weight = (long) (0.5 + weights[i - begin] / total * (1 << 22));
            sum += weight * get(y, i, c);
          }
          out.set(y, x, c, (int) Math.min(255, sum >> 22));
        }
      }
    }
    return out;
  }

  Picture resizeShorter(int edge) {
    return height <= width
        ? resize(edge, edge * width / height)
        : resize(edge * height / width, edge);
  }

  Picture centerCrop(int h, int w) {
    int padTop = Math.max(0, (h - height) / 2);
    int padLeft = Math.max(0, (w - width) / 2);
    Picture padded = crop(-padTop, -padLeft, Math.max(h, height), Math.max(w, width));
    return padded.crop(
        (int) Math.rint((padded.height - h) / 2.0),
        (int) Math.rint((padded.width - w) / 2.0),
        h,
        w);
  }

  Picture randomCrop(int h, int w, CounterRandom random) throws DecodeException {
    if (h > height || w > width) {
      throw new DecodeException(Fault.LIMIT, "smaller than random_crop");
    }
    int top = random.nextInt(height - h + 1);
    int left = random.nextInt(width - w + 1);
    return crop(top, left, h, w);
  }

  Picture randomResizedCrop(RandomResizedCrop step, CounterRandom random) {
    for (int i = 0; i < 10; i++) {
      double share = step.minArea() + (step.maxArea() - step.minArea()) * random.nextDouble();
      double low = StrictMath.log(step.minAspect());
      double high = StrictMath.log(step.maxAspect());
      double aspect = StrictMath.exp(low + (high - low) * random.nextDouble());
      long w = Math.round(Math.sqrt((double) height * width * share * aspect));
      long h = Math.round(Math.sqrt((double) height * width * share / aspect));
      if (0 < w && w <= width && 0 < h && h <= height) {
        int top = random.nextInt(height - (int) h + 1);
        int left = random.nextInt(width - (int) w + 1);
        return crop(top, left, (int) h, (int) w).resize(step.height(), step.width());
      }
    }
    int h = height;
    int w = width;
    if ((double) width / height < step.minAspect()) {
      h = (int) Math.rint(width / step.minAspect());
    } else if ((double) width / height > step.maxAspect()) {
      w = (int) Math.rint(height * step.maxAspect());
    }
    return crop((height - h) / 2, (width - w) / 2, h, w).resize(step.height(), step.width());
  }

  /// {@return the image after one step that moves pixels}
  Picture apply(Step step, CounterRandom random) throws DecodeException {
    return switch (step) {
      case Resize(int h, int w) -> resize(h, w);
      case ResizeShorter(int edge) -> resizeShorter(edge);
      case CenterCrop(int h, int w) -> centerCrop(h, w);
      case RandomCrop(int h, int w) -> randomCrop(h, w, random);
      case RandomResizedCrop crop -> randomResizedCrop(crop, random);
      case Flip(boolean upsideDown, double p) when !upsideDown ->
          random.nextDouble() < p ? flip() : this;
      default -> this;
    };
  }
}
