package io.headrace.random;

/// Random numbers as a pure function of a place: (seed, epoch, sample id, draw number).
///
/// Each word is the output of the SplitMix64 finaliser (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014; constants of the variant known as mix13) over a
/// key mixed from the place. The object is a cursor: [#reset] moves it to a place, each draw
/// advances the draw number. Confined to one thread; allocates nothing.
public final class CounterRandom {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long key;
  private long counter;

  /// A cursor at draw 0 of seed 0, epoch 0, sample 0.
  public CounterRandom() {
    reset(0, 0, 0);
  }

  /// Moves to draw 0 of a place.
  public void reset(long seed, long epoch, long sampleId) {
    long k = mix(seed + GOLDEN);
    k = mix(k ^ (epoch + GOLDEN));
    key = mix(k ^ (sampleId + GOLDEN));
    counter = 0;
  }

  /// Moves to draw 0 of a branch of the place, which depends on the place alone, not on the draws
  /// before.
  ///
  /// @param branch number of the branch; no two have the same draws
  public void branch(int branch) {
    key = mix(key ^ mix(branch + GOLDEN));
    counter = 0;
  }

  /// {@return the next 64 random bits}
  public long nextLong() {
    return mix(key + GOLDEN * ++counter);
  }

  /// {@return the next double, uniform in [0, 1), with 53 random bits}
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /// {@return the next int, uniform in [0, bound); the bias is below bound / 2⁶⁴}
  public int nextInt(int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound " + bound + " is not positive");
    }
    return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  /// {@return the next number of the normal distribution of mean 0 and deviation 1}
  ///
  /// Two draws, by the sine and cosine of Box and Muller ("A note on the generation of random
  /// normal deviates", 1958), of which the sine is not used.
  public double nextGaussian() {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * nextDouble());
  }

  /// {@return the next number of the gamma distribution of scale 1}
  ///
  /// Source: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; a shape
  /// below 1 by their remark on it. The number of draws varies.
  ///
  /// @param shape above 0
  public double nextGamma(double shape) {
    if (shape < 1) {
      double power = StrictMath.pow(1 - nextDouble(), 1 / shape);
      return nextGamma(shape + 1) * power;
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = nextGaussian();
      double t = 1 + c * x;
      if (t <= 0) {
        continue;
      }
      double v = t * t * t;
      if (StrictMath.log(1 - nextDouble()) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
        return d * v;
      }
    }
  }

  /// {@return the next number of the symmetric beta distribution}
  ///
  /// @param shape above 0
  public double nextBeta(double shape) {
    double a = nextGamma(shape);
    double b = nextGamma(shape);
    return a + b > 0 ? a / (a + b) : 0.5;
  }

  /// {@return `z` with every input bit spread over all output bits; a bijection}
  public static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
