package io.headrace.pipeline.pixels;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/// Splits rows with the Vector API: three loads have the pixels for one vector of each channel. Two
/// permutations gather it, one from the first two loads and one from the third.
final class VectorSplitter extends PlaneSplitter {
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, IntVector.SPECIES_PREFERRED.vectorShape());
  private static final int LANES = BYTES.length();

  /// For each channel the places of its bytes in the first two vectors, then in the third.
  private static final byte[][] PLACES = places();

  /// For each channel whether a byte is in the third.
  private static final boolean[][] LAST = last();

  private static byte[][] places() {
    byte[][] places = new byte[3][2 * LANES];
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < LANES; i++) {
        int at = 3 * i + c;
        places[c][i] = (byte) (at < 2 * LANES ? at : 0);
        places[c][LANES + i] = (byte) (at < 2 * LANES ? 0 : at - 2 * LANES);
      }
    }
    return places;
  }

  private static boolean[][] last() {
    boolean[][] last = new boolean[3][LANES];
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < LANES; i++) {
        last[c][i] = 3 * i + c >= 2 * LANES;
      }
    }
    return last;
  }

  @Override
  void row(byte[] pixels, byte[] red, byte[] green, byte[] blue, int n) {
    channel(pixels, PLACES[0], LAST[0], red, n);
    channel(pixels, PLACES[1], LAST[1], green, n);
    channel(pixels, PLACES[2], LAST[2], blue, n);
  }

  private static void channel(byte[] pixels, byte[] places, boolean[] last, byte[] out, int n) {
    VectorMask<Byte> third = VectorMask.fromArray(BYTES, last, 0);
    for (int i = 0; i < n; i += LANES) {
      ByteVector a = ByteVector.fromArray(BYTES, pixels, 3 * i);
      ByteVector b = ByteVector.fromArray(BYTES, pixels, 3 * i + LANES);
      ByteVector c = ByteVector.fromArray(BYTES, pixels, 3 * i + 2 * LANES);
      ByteVector front = ByteVector.fromArray(BYTES, places, 0).selectFrom(a, b);
      ByteVector back = ByteVector.fromArray(BYTES, places, LANES).selectFrom(c);
      front.blend(back, third).intoArray(out, i);
    }
  }
}
