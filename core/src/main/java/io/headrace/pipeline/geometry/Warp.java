package io.headrace.pipeline.geometry;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.EffectList;
import io.headrace.spec.Spec;

/// Takes every pixel from another place of the image: straight lines stay straight.
///
/// The numbers of its [Drawn] are those of [#fill]. With `u` and `v` the column and row of a
/// pixel's middle, 0.5 for the first, it is taken from column `(n0 u + n1 v + n2) / (n6 u + n7 v +
/// 1)` and row `(n3 u + n4 v + n5) / (n6 u + n7 v + 1)`. Source: `_affine_grid`,
/// `_perspective_grid` and `_apply_grid_transform` of torchvision's
/// `transforms/v2/functional/_geometry.py`.
public enum Warp implements CanvasEffect {
  /// The effect.
  WARP;

  private static final int BILINEAR = 8;
  private static final int FILL = 9;

  /// How pixels between others are made, and what comes from outside.
  ///
  /// @param bilinear whether from the four around a place; else from the nearest
  /// @param fill value of all channels outside the image, 0 to 255
  public record Look(boolean bilinear, int fill) {
    /// From the nearest pixel, black outside.
    public static final Look NEAREST = new Look(false, 0);

    /// From four pixels, black outside.
    public static final Look BILINEAR = new Look(true, 0);

    /// Checks the fill.
    public Look {
      if (fill < 0 || fill > 255) {
        throw new ConfigException("fill %d, expected 0 to 255".formatted(fill));
      }
    }

    /// {@return the options `interpolation` and `fill`}
    ///
    /// @param otherwise if they are not given
    public static Look parse(Spec spec, Look otherwise) {
      String name = spec.option("interpolation");
      if (name != null && !name.equals("bilinear") && !name.equals("nearest")) {
        throw spec.bad("interpolation '%s', expected nearest or bilinear".formatted(name));
      }
      boolean bilinear = name == null ? otherwise.bilinear : name.equals("bilinear");
      return new Look(bilinear, spec.optionNumber("fill", otherwise.fill));
    }

    /// {@return the options as text, without those that are as usual}
    public String text(Look usual) {
      return (bilinear == usual.bilinear
              ? ""
              : ":interpolation=" + (bilinear ? "bilinear" : "nearest"))
          + (fill == usual.fill ? "" : ":fill=" + fill);
    }
  }

  /// Adds an affine transformation around the middle of the image: scale, shear and rotation in
  /// this order, then a shift.
  ///
  /// Source: `_get_inverse_affine_matrix` of torchvision's `transforms/functional.py`.
  ///
  /// @param height rows of the image
  /// @param width columns of the image
  /// @param degrees clockwise
  /// @param right pixels by which the image moves right
  /// @param down pixels by which it moves down
  /// @param scale above 0
  /// @param shearX degrees
  /// @param shearY degrees
  /// @param corner whether around the first pixel's corner instead
  public static void affine(
      EffectList effects,
      int height,
      int width,
      Look look,
      double degrees,
      double right,
      double down,
      double scale,
      double shearX,
      double shearY,
      boolean corner) {
    double turn = Math.toRadians(degrees);
    double sx = Math.toRadians(shearX);
    double sy = Math.toRadians(shearY);
    double cosY = StrictMath.cos(sy);
    double a = StrictMath.cos(turn - sy) / cosY;
    double b = -a * StrictMath.tan(sx) - StrictMath.sin(turn);
    double c = StrictMath.sin(turn - sy) / cosY;
    double d = -c * StrictMath.tan(sx) + StrictMath.cos(turn);
    double m0 = d / scale;
    double m1 = -b / scale;
    double m3 = -c / scale;
    double m4 = a / scale;
    double x = corner ? 0 : width / 2.0;
    double y = corner ? 0 : height / 2.0;
    Drawn _ =
        add(effects, look)
            .set(0, m0)
            .set(1, m1)
            .set(2, x - m0 * (x + right) - m1 * (y + down))
            .set(3, m3)
            .set(4, m4)
            .set(5, y - m3 * (x + right) - m4 * (y + down));
  }

  /// Adds a warp whose numbers are to be set.
  static Drawn add(EffectList effects, Look look) {
    return effects.add(WARP).set(BILINEAR, look.bilinear ? 1 : 0).set(FILL, look.fill);
  }

  @Override
  public String words(Drawn drawn) {
    return "warp, from (%.4g u + %.4g v + %.4g, %.4g u + %.4g v + %.4g)%s"
        .formatted(
            drawn.number(0),
            drawn.number(1),
            drawn.number(2),
            drawn.number(3),
            drawn.number(4),
            drawn.number(5),
            drawn.number(6) == 0 && drawn.number(7) == 0
                ? ""
                : " / (%.4g u + %.4g v + 1)".formatted(drawn.number(6), drawn.number(7)));
  }

  @Override
  public void apply(Drawn drawn, Canvas canvas) {
    int height = canvas.height();
    int width = canvas.width();
    int area = canvas.area();
    byte[] from = canvas.pixels();
    byte[] to = canvas.spare();
    boolean bilinear = drawn.number(BILINEAR) != 0;
    if (bilinear) {
      bilinear(drawn, from, to, height, width);
    } else {
      int[] places = canvas.ints(width);
      int fill = (int) drawn.number(FILL);
      for (int y = 0; y < height; y++) {
        nearest(drawn, y, height, width, places);
        for (int c = 0; c < 3; c++) {
          int at = c * area + y * width;
          int plane = c * area;
          for (int x = 0; x < width; x++) {
            int place = places[x];
            to[at + x] = place < 0 ? (byte) fill : from[plane + place];
          }
        }
      }
    }
    canvas.swap();
  }

  /// Finds the nearest pixels of a row of the result.
  ///
  /// @param places takes `width * row + column`, or -1 for outside
  public static void nearest(Drawn drawn, int y, int height, int width, int[] places) {
    double v = y + 0.5;
    double a = drawn.number(0);
    double b = drawn.number(1) * v + drawn.number(2);
    double c = drawn.number(3);
    double d = drawn.number(4) * v + drawn.number(5);
    double e = drawn.number(6);
    double f = drawn.number(7) * v + 1;
    for (int x = 0; x < width; x++) {
      double u = x + 0.5;
      double scale = 1 / (e * u + f);
      double column = Math.rint((a * u + b) * scale - 0.5); // as torch: halves to even
      double row = Math.rint((c * u + d) * scale - 0.5);
      boolean inside = column >= 0 && column < width && row >= 0 && row < height;
      int at = (int) row;
      places[x] = inside ? at * width + (int) column : -1;
    }
  }

  private static void bilinear(Drawn drawn, byte[] from, byte[] to, int height, int width) {
    int area = height * width;
    float fill = (float) drawn.number(FILL);
    for (int y = 0; y < height; y++) {
      double v = y + 0.5;
      double b = drawn.number(1) * v + drawn.number(2);
      double d = drawn.number(4) * v + drawn.number(5);
      double f = drawn.number(7) * v + 1;
      for (int x = 0; x < width; x++) {
        double u = x + 0.5;
        double scale = 1 / (drawn.number(6) * u + f);
        double column = (drawn.number(0) * u + b) * scale - 0.5;
        double row = (drawn.number(3) * u + d) * scale - 0.5;
        if (!(column > -1 && column < width && row > -1 && row < height)) {
          for (int c = 0; c < 3; c++) {
            to[c * area + y * width + x] = (byte) (int) fill;
          }
          continue;
        }
        int left = (int) Math.floor(column);
        int top = (int) Math.floor(row);
        float right = (float) (column - left);
        float low = (float) (row - top);
        boolean l = left >= 0;
        boolean r = left + 1 < width;
        boolean t = top >= 0;
        boolean o = top + 1 < height;
        float w00 = l && t ? (1 - right) * (1 - low) : 0;
        float w01 = r && t ? right * (1 - low) : 0;
        float w10 = l && o ? (1 - right) * low : 0;
        float w11 = r && o ? right * low : 0;
        float share = w00 + w01 + w10 + w11;
        int x0 = Math.max(left, 0);
        int x1 = Math.min(left + 1, width - 1);
        int y0 = Math.max(top, 0) * width;
        int y1 = Math.min(top + 1, height - 1) * width;
        for (int c = 0; c < 3; c++) {
          int plane = c * area;
          float value =
              w00 * (from[plane + y0 + x0] & 0xff)
                  + w01 * (from[plane + y0 + x1] & 0xff)
                  + w10 * (from[plane + y1 + x0] & 0xff)
                  + w11 * (from[plane + y1 + x1] & 0xff);
          if (fill != 0) { // as torchvision: what comes from inside counts by its share twice
            value = (value - fill) * share + fill;
          }
          to[plane + y * width + x] = (byte) (int) Math.max(0f, Math.min(255f, value + 0.5f));
        }
      }
    }
  }

  /// Moves a point of the image to where the result has it.
  ///
  /// @param drawn the warp
  /// @param xy column and row, from the edges of the first pixel; changed in place
  public static void move(Drawn drawn, double[] xy) {
    // the inverse of the 3 x 3 matrix, up to a factor that the division takes away
    double a = drawn.number(0);
    double b = drawn.number(1);
    double c = drawn.number(2);
    double d = drawn.number(3);
    double e = drawn.number(4);
    double f = drawn.number(5);
    double g = drawn.number(6);
    double h = drawn.number(7);
    double x = xy[0];
    double y = xy[1];
    double w = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d);
    xy[0] = ((e - f * h) * x + (c * h - b) * y + (b * f - c * e)) / w;
    xy[1] = ((f * g - d) * x + (a - c * g) * y + (c * d - a * f)) / w;
  }
}
