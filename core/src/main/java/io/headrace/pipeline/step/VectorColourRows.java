package io.headrace.pipeline.step;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// The same loops with the Vector API: the same operations on floats in the same order. What is
/// left at the end of a row is done by the plain ones.
final class VectorColourRows extends ColourRows {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, INTS.vectorShape());

  /// As many bytes as a vector has ints; or twice as many, since there is no vector of 32 bits.
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / 4)));

  private static final int LANES = INTS.length();

  /// Below any difference of two colours, and not 0.
  private static final float LEAST = 1e-9f;
  private static final int PARTS = BYTES.length() / LANES;

  @Override
  public void load(byte[] from, int at, int[] to, int start, int n) {
    int end = BYTES.loopBound(n);
    loads(from, at, to, start, end);
    super.load(from, at + end, to, start + end, n - end);
  }

  private static void loads(byte[] from, int at, int[] to, int start, int end) {
    for (int i = 0; i < end; i += BYTES.length()) {
      ByteVector bytes = ByteVector.fromArray(BYTES, from, at + i);
      for (int part = 0; part < PARTS; part++) {
        ints(bytes, part).intoArray(to, start + i + part * LANES);
      }
    }
  }

  private static IntVector ints(ByteVector bytes, int part) {
    return (IntVector) bytes.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, part);
  }

  private static FloatVector floats(ByteVector bytes, int part) {
    return floats(ints(bytes, part));
  }

  private static FloatVector floats(IntVector ints) {
    return (FloatVector) ints.convertShape(VectorOperators.I2F, FLOATS, 0);
  }

  private static IntVector whole(FloatVector floats) {
    return (IntVector) floats.convertShape(VectorOperators.F2I, INTS, 0);
  }

  @Override
  public void grey(int[] rgb, int width) {
    int end = INTS.loopBound(width);
    greys(rgb, width, end);
    greyFrom(end, rgb, width);
  }

  private static void greys(int[] rgb, int width, int end) {
    for (int x = 0; x < end; x += LANES) {
      IntVector grey =
          grey(
              floats(IntVector.fromArray(INTS, rgb, x)),
              floats(IntVector.fromArray(INTS, rgb, width + x)),
              floats(IntVector.fromArray(INTS, rgb, 2 * width + x)));
      grey.intoArray(rgb, x);
      grey.intoArray(rgb, width + x);
      grey.intoArray(rgb, 2 * width + x);
    }
  }

  private static IntVector grey(FloatVector red, FloatVector green, FloatVector blue) {
    return whole(red.mul(0.2989f).add(green.mul(0.587f)).add(blue.mul(0.114f)));
  }

  @Override
  public void saturate(int[] rgb, int width, float factor, float rest) {
    int end = INTS.loopBound(width);
    saturates(rgb, width, factor, rest, end);
    saturateFrom(end, rgb, width, factor, rest);
  }

  private static void saturates(int[] rgb, int width, float factor, float rest, int end) {
    for (int x = 0; x < end; x += LANES) {
      FloatVector r = floats(IntVector.fromArray(INTS, rgb, x));
      FloatVector g = floats(IntVector.fromArray(INTS, rgb, width + x));
      FloatVector b = floats(IntVector.fromArray(INTS, rgb, 2 * width + x));
      FloatVector grey = floats(grey(r, g, b)).mul(rest);
      blended(r, factor, grey).intoArray(rgb, x);
      blended(g, factor, grey).intoArray(rgb, width + x);
      blended(b, factor, grey).intoArray(rgb, 2 * width + x);
    }
  }

  private static IntVector blended(FloatVector colour, float factor, FloatVector more) {
    return whole(colour.mul(factor).add(more).min(255f).max(0f));
  }

  /// In two loops: one with all operations is too much for the JIT.
  @Override
  public void turn(int[] rgb, int width, float turn, float[] spare) {
    int end = INTS.loopBound(width);
    hues(rgb, width, turn, spare, end);
    colours(rgb, width, spare, end);
    turnFrom(end, rgb, width, turn);
  }

  /// Makes HSV: six times the turned hue, saturation, value. The hue and saturation of what is grey
  /// are 0.
  private static void hues(int[] rgb, int width, float turn, float[] hsv, int end) {
    for (int x = 0; x < end; x += LANES) {
      FloatVector r = floats(IntVector.fromArray(INTS, rgb, x)).div(255f);
      FloatVector g = floats(IntVector.fromArray(INTS, rgb, width + x)).div(255f);
      FloatVector b = floats(IntVector.fromArray(INTS, rgb, 2 * width + x)).div(255f);
      FloatVector most = r.max(g.max(b));
      FloatVector range = most.sub(r.min(g.min(b)));
      range.div(most.max(LEAST)).intoArray(hsv, width + x);
      most.intoArray(hsv, 2 * width + x);
      VectorMask<Float> mostGreen = most.eq(g);
      VectorMask<Float> mostRed = most.eq(r);
      FloatVector above = r.sub(g).blend(b.sub(r), mostGreen).blend(g.sub(b), mostRed);
      FloatVector from = FloatVector.broadcast(FLOATS, 4f).blend(2f, mostGreen).blend(0f, mostRed);
      FloatVector turned = above.div(range.max(LEAST)).add(from).div(6f).add(turn).add(2f);
      turned.sub(floats(whole(turned))).mul(6f).intoArray(hsv, x);
    }
  }

  private static void colours(int[] rgb, int width, float[] hsv, int end) {
    for (int x = 0; x < end; x += LANES) {
      FloatVector sixth = FloatVector.fromArray(FLOATS, hsv, x);
      FloatVector saturation = FloatVector.fromArray(FLOATS, hsv, width + x);
      FloatVector most = FloatVector.fromArray(FLOATS, hsv, 2 * width + x);
      IntVector sector = whole(sixth);
      FloatVector part = saturation.mul(sixth.sub(floats(sector)));
      FloatVector other =
          saturation.mul(sixth.sub(floats(sector)).neg().add(1f)); // 1 - f, to the bit
      IntVector high = share(most);
      IntVector low = share(most.mul(saturation.neg().add(1f)));
      IntVector falling = share(most.mul(part.neg().add(1f)));
      IntVector rising = share(most.mul(other.neg().add(1f)));
      VectorMask<Integer> first = sector.eq(1);
      VectorMask<Integer> second = sector.eq(2);
      VectorMask<Integer> third = sector.eq(3);
      VectorMask<Integer> fourth = sector.eq(4);
      VectorMask<Integer> fifth = sector.eq(5);
      high.blend(falling, first)
          .blend(low, second)
          .blend(low, third)
          .blend(rising, fourth)
          .intoArray(rgb, x);
      rising
          .blend(high, first)
          .blend(high, second)
          .blend(falling, third)
          .blend(low, fourth)
          .blend(low, fifth)
          .intoArray(rgb, width + x);
      low.blend(rising, second)
          .blend(high, third)
          .blend(high, fourth)
          .blend(falling, fifth)
          .intoArray(rgb, 2 * width + x);
    }
  }

  private static IntVector share(FloatVector share) {
    return whole(share.mul(WHOLE).min(255f).max(0f));
  }

  @Override
  public long greys(byte[] pixels, int area) {
    int end = BYTES.loopBound(area);
    return sums(pixels, area, end) + greysFrom(end, pixels, area);
  }

  private static long sums(byte[] pixels, int area, int end) {
    long sum = 0;
    int i = 0;
    while (i < end) {
      int stop = Math.min(end, i + (1 << 20)); // so that no lane overflows
      IntVector lanes = IntVector.zero(INTS);
      for (; i < stop; i += BYTES.length()) {
        ByteVector red = ByteVector.fromArray(BYTES, pixels, i);
        ByteVector green = ByteVector.fromArray(BYTES, pixels, area + i);
        ByteVector blue = ByteVector.fromArray(BYTES, pixels, 2 * area + i);
        for (int part = 0; part < PARTS; part++) {
          lanes = lanes.add(grey(floats(red, part), floats(green, part), floats(blue, part)));
        }
      }
      sum += lanes.reduceLanes(VectorOperators.ADD);
    }
    return sum;
  }

  @Override
  public void blend(byte[] pixels, int n, float factor, float more) {
    int end = PARTS == 1 ? BYTES.loopBound(n) : 0;
    blends(pixels, end, factor, more);
    blendFrom(end, pixels, n, factor, more);
  }

  private static void blends(byte[] pixels, int end, float factor, float more) {
    for (int i = 0; i < end; i += LANES) {
      FloatVector value = floats(ByteVector.fromArray(BYTES, pixels, i), 0);
      IntVector made = whole(value.mul(factor).add(more).min(255f).max(0f));
      ((ByteVector) made.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(pixels, i);
    }
  }

  @Override
  public void across(float[] padded, float[] weights, int radius, float[] sums, int at, int n) {
    int end = n - n % (4 * LANES);
    rows(padded, weights, radius, sums, at, end);
    acrossFrom(end, padded, weights, radius, sums, at, n);
  }

  /// Four vectors side by side, so that sums do not wait for each other.
  private static void rows(
      float[] padded, float[] weights, int radius, float[] sums, int at, int end) {
    for (int x = 0; x < end; x += 4 * LANES) {
      int middle = radius + x;
      FloatVector a = vector(padded, middle).mul(weights[0]);
      FloatVector b = vector(padded, middle + LANES).mul(weights[0]);
      FloatVector c = vector(padded, middle + 2 * LANES).mul(weights[0]);
      FloatVector d = vector(padded, middle + 3 * LANES).mul(weights[0]);
      for (int t = 1; t <= radius; t++) {
        float weight = weights[t];
        int left = middle - t;
        int right = middle + t;
        a = a.add(both(padded, left, right).mul(weight));
        b = b.add(both(padded, left + LANES, right + LANES).mul(weight));
        c = c.add(both(padded, left + 2 * LANES, right + 2 * LANES).mul(weight));
        d = d.add(both(padded, left + 3 * LANES, right + 3 * LANES).mul(weight));
      }
      a.intoArray(sums, at + x);
      b.intoArray(sums, at + x + LANES);
      c.intoArray(sums, at + x + 2 * LANES);
      d.intoArray(sums, at + x + 3 * LANES);
    }
  }

  private static FloatVector vector(float[] from, int at) {
    return FloatVector.fromArray(FLOATS, from, at);
  }

  private static FloatVector both(float[] from, int one, int other) {
    return vector(from, one).add(vector(from, other));
  }

  @Override
  public void down(
      float[] sums, int y, int height, int width, float[] weights, int radius, int[] to) {
    int end = width - width % (4 * LANES);
    columns(sums, y, height, width, weights, radius, to, end);
    downFrom(end, sums, y, height, width, weights, radius, to);
  }

  private static void columns(
      float[] sums, int y, int height, int width, float[] weights, int radius, int[] to, int end) {
    for (int x = 0; x < end; x += 4 * LANES) {
      int middle = y * width + x;
      FloatVector a = vector(sums, middle).mul(weights[0]);
      FloatVector b = vector(sums, middle + LANES).mul(weights[0]);
      FloatVector c = vector(sums, middle + 2 * LANES).mul(weights[0]);
      FloatVector d = vector(sums, middle + 3 * LANES).mul(weights[0]);
      for (int t = 1; t <= radius; t++) {
        float weight = weights[t];
        int above = above(y, t) * width + x;
        int below = below(y, t, height) * width + x;
        a = a.add(both(sums, above, below).mul(weight));
        b = b.add(both(sums, above + LANES, below + LANES).mul(weight));
        c = c.add(both(sums, above + 2 * LANES, below + 2 * LANES).mul(weight));
        d = d.add(both(sums, above + 3 * LANES, below + 3 * LANES).mul(weight));
      }
      whole(a.add(0.5f)).intoArray(to, x);
      whole(b.add(0.5f)).intoArray(to, x + LANES);
      whole(c.add(0.5f)).intoArray(to, x + 2 * LANES);
      whole(d.add(0.5f)).intoArray(to, x + 3 * LANES);
    }
  }
}
