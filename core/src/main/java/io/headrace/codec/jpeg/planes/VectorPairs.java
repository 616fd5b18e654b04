package io.headrace.codec.jpeg.planes;

import static io.headrace.codec.jpeg.planes.Idct.BIAS;
import static io.headrace.codec.jpeg.planes.Idct.CONST_BITS;
import static io.headrace.codec.jpeg.planes.Idct.F_0_298;
import static io.headrace.codec.jpeg.planes.Idct.F_0_390;
import static io.headrace.codec.jpeg.planes.Idct.F_0_541;
import static io.headrace.codec.jpeg.planes.Idct.F_0_765;
import static io.headrace.codec.jpeg.planes.Idct.F_0_899;
import static io.headrace.codec.jpeg.planes.Idct.F_1_175;
import static io.headrace.codec.jpeg.planes.Idct.F_1_501;
import static io.headrace.codec.jpeg.planes.Idct.F_1_847;
import static io.headrace.codec.jpeg.planes.Idct.F_1_961;
import static io.headrace.codec.jpeg.planes.Idct.F_2_053;
import static io.headrace.codec.jpeg.planes.Idct.F_2_562;
import static io.headrace.codec.jpeg.planes.Idct.F_3_072;
import static io.headrace.codec.jpeg.planes.Idct.LAST_BITS;
import static io.headrace.codec.jpeg.planes.Idct.MAX;
import static io.headrace.codec.jpeg.planes.Idct.PASS_BITS;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The inverse DCT of two neighbours at once, with vectors of 512 bits.
///
/// Both passes treat sixteen columns at once, those of both blocks; between them each block is
/// transposed. What the second leaves is transposed back while its sums become bytes.
final class VectorPairs implements BlockPairs {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final int FIRST_BITS = CONST_BITS - PASS_BITS;

  /// For two rows that are to change places where lanes and rows differ in one bit: lanes of the
  /// first result, and of the second.
  private static final IntVector LOW_1 = swap(1, false);

  private static final IntVector HIGH_1 = swap(1, true);
  private static final IntVector LOW_2 = swap(2, false);
  private static final IntVector HIGH_2 = swap(2, true);
  private static final IntVector LOW_4 = swap(4, false);
  private static final IntVector HIGH_4 = swap(4, true);

  /// Picks the first four rows of both blocks out of the halves of all rows.
  private static final IntVector FIRST_ROWS = rows(0);

  private static final IntVector LAST_ROWS = rows(4);

  private final int[] work = new int[128];
  private final byte[] samples = new byte[128];

  VectorPairs() {}

  private static IntVector swap(int bit, boolean high) {
    int[] lanes = new int[16];
    for (int i = 0; i < 16; i++) {
      boolean second = (i & bit) != 0;
      int from = high ? i | bit : i & ~bit;
      lanes[i] = second ? 16 + from : from;
    }
    return IntVector.fromArray(INTS, lanes, 0);
  }

  private static IntVector rows(int first) {
    int[] lanes = new int[16];
    for (int i = 0; i < 16; i++) {
      int row = first + i / 4;
      int block = i % 4 / 2;
      lanes[i] = 16 * (i % 2) + 8 * block + row;
    }
    return IntVector.fromArray(INTS, lanes, 0);
  }

  @Override
  public boolean wide() {
    return IntVector.SPECIES_PREFERRED.length() == INTS.length();
  }

  @Override
  public boolean pair(int[] c, int[] q, MemorySegment plane, long offset, int stride) {
    int most = columns(c, q, work);
    rows(work, samples);
    long at = offset;
    for (int i = 0; i < 128; i += 16) {
      ByteVector.fromArray(ByteVector.SPECIES_128, samples, i)
          .intoMemorySegment(plane, at, ByteOrder.LITTLE_ENDIAN);
      at += stride;
    }
    return most <= MAX;
  }

  private static int columns(int[] c, int[] q, int[] w) {
    IntVector c2 = IntVector.fromArray(INTS, c, 32).mul(IntVector.fromArray(INTS, q, 32));
    IntVector c6 = IntVector.fromArray(INTS, c, 96).mul(IntVector.fromArray(INTS, q, 96));
    IntVector z1 = c2.add(c6).mul(F_0_541);
    IntVector t2 = z1.sub(c6.mul(F_1_847));
    IntVector t3 = z1.add(c2.mul(F_0_765));
    IntVector c0 = IntVector.fromArray(INTS, c, 0).mul(IntVector.fromArray(INTS, q, 0));
    IntVector c4 = IntVector.fromArray(INTS, c, 64).mul(IntVector.fromArray(INTS, q, 64));
    IntVector half = IntVector.broadcast(INTS, 1 << (FIRST_BITS - 1));
    IntVector t0 = c0.add(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(half);
    IntVector t1 = c0.sub(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(half);
    IntVector o0 = IntVector.fromArray(INTS, c, 112).mul(IntVector.fromArray(INTS, q, 112));
    IntVector o1 = IntVector.fromArray(INTS, c, 80).mul(IntVector.fromArray(INTS, q, 80));
    IntVector o2 = IntVector.fromArray(INTS, c, 48).mul(IntVector.fromArray(INTS, q, 48));
    IntVector o3 = IntVector.fromArray(INTS, c, 16).mul(IntVector.fromArray(INTS, q, 16));
    IntVector s02 = o0.add(o2);
    IntVector s13 = o1.add(o3);
    IntVector z5 = s02.add(s13).mul(F_1_175);
    IntVector a = o0.add(o3).mul(-F_0_899);
    IntVector b = o1.add(o2).mul(-F_2_562);
    IntVector d = z5.sub(s02.mul(F_1_961));
    IntVector e = z5.sub(s13.mul(F_0_390));
    IntVector p0 = o0.mul(F_0_298).add(a).add(d);
    IntVector p1 = o1.mul(F_2_053).add(b).add(e);
    IntVector p2 = o2.mul(F_3_072).add(b).add(d);
    IntVector p3 = o3.mul(F_1_501).add(a).add(e);
    IntVector e0 = t0.add(t3);
    IntVector e1 = t1.add(t2);
    IntVector e2 = t1.sub(t2);
    IntVector e3 = t0.sub(t3);
    IntVector r0 = e0.add(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r1 = e1.add(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r2 = e2.add(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r3 = e3.add(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r4 = e3.sub(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r5 = e2.sub(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r6 = e1.sub(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r7 = e0.sub(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector low = r0.abs().max(r1.abs()).max(r2.abs().max(r3.abs()));
    IntVector high = r4.abs().max(r5.abs()).max(r6.abs().max(r7.abs()));
    IntVector u0 = LOW_1.selectFrom(r0, r1);
    IntVector u1 = HIGH_1.selectFrom(r0, r1);
    IntVector u2 = LOW_1.selectFrom(r2, r3);
    IntVector u3 = HIGH_1.selectFrom(r2, r3);
    IntVector u4 = LOW_1.selectFrom(r4, r5);
    IntVector u5 = HIGH_1.selectFrom(r4, r5);
    IntVector u6 = LOW_1.selectFrom(r6, r7);
    IntVector u7 = HIGH_1.selectFrom(r6, r7);
    IntVector v0 = LOW_2.selectFrom(u0, u2);
    IntVector v2 = HIGH_2.selectFrom(u0, u2);
    IntVector v1 = LOW_2.selectFrom(u1, u3);
    IntVector v3 = HIGH_2.selectFrom(u1, u3);
    IntVector v4 = LOW_2.selectFrom(u4, u6);
    IntVector v6 = HIGH_2.selectFrom(u4, u6);
    IntVector v5 = LOW_2.selectFrom(u5, u7);
    IntVector v7 = HIGH_2.selectFrom(u5, u7);
    LOW_4.selectFrom(v0, v4).intoArray(w, 0);
    LOW_4.selectFrom(v1, v5).intoArray(w, 16);
    LOW_4.selectFrom(v2, v6).intoArray(w, 32);
    LOW_4.selectFrom(v3, v7).intoArray(w, 48);
    HIGH_4.selectFrom(v0, v4).intoArray(w, 64);
    HIGH_4.selectFrom(v1, v5).intoArray(w, 80);
    HIGH_4.selectFrom(v2, v6).intoArray(w, 96);
    HIGH_4.selectFrom(v3, v7).intoArray(w, 112);
    return low.max(high).compare(VectorOperators.GT, MAX).anyTrue() ? MAX + 1 : 0;
  }

  private static void rows(int[] w, byte[] samples) {
    IntVector c2 = IntVector.fromArray(INTS, w, 32);
    IntVector c6 = IntVector.fromArray(INTS, w, 96);
    IntVector z1 = c2.add(c6).mul(F_0_541);
    IntVector t2 = z1.sub(c6.mul(F_1_847));
    IntVector t3 = z1.add(c2.mul(F_0_765));
    IntVector c0 = IntVector.fromArray(INTS, w, 0);
    IntVector c4 = IntVector.fromArray(INTS, w, 64);
    IntVector bias = IntVector.broadcast(INTS, BIAS);
    IntVector t0 = c0.add(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(bias);
    IntVector t1 = c0.sub(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(bias);
    IntVector o0 = IntVector.fromArray(INTS, w, 112);
    IntVector o1 = IntVector.fromArray(INTS, w, 80);
    IntVector o2 = IntVector.fromArray(INTS, w, 48);
    IntVector o3 = IntVector.fromArray(INTS, w, 16);
    IntVector s02 = o0.add(o2);
    IntVector s13 = o1.add(o3);
    IntVector z5 = s02.add(s13).mul(F_1_175);
    IntVector a = o0.add(o3).mul(-F_0_899);
    IntVector b = o1.add(o2).mul(-F_2_562);
    IntVector d = z5.sub(s02.mul(F_1_961));
    IntVector e = z5.sub(s13.mul(F_0_390));
    IntVector p0 = o0.mul(F_0_298).add(a).add(d);
    IntVector p1 = o1.mul(F_2_053).add(b).add(e);
    IntVector p2 = o2.mul(F_3_072).add(b).add(d);
    IntVector p3 = o3.mul(F_1_501).add(a).add(e);
    IntVector e0 = t0.add(t3);
    IntVector e1 = t1.add(t2);
    IntVector e2 = t1.sub(t2);
    IntVector e3 = t0.sub(t3);
    IntVector r0 = e0.add(p3).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r1 = e1.add(p2).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r2 = e2.add(p1).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r3 = e3.add(p0).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r4 = e3.sub(p0).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r5 = e2.sub(p1).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r6 = e1.sub(p2).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    IntVector r7 = e0.sub(p3).lanewise(VectorOperators.ASHR, LAST_BITS).max(0).min(255);
    // Lanes are rows: four columns go to one int.
    IntVector left =
        r0.or(r1.lanewise(VectorOperators.LSHL, 8))
            .or(r2.lanewise(VectorOperators.LSHL, 16).or(r3.lanewise(VectorOperators.LSHL, 24)));
    IntVector right =
        r4.or(r5.lanewise(VectorOperators.LSHL, 8))
            .or(r6.lanewise(VectorOperators.LSHL, 16).or(r7.lanewise(VectorOperators.LSHL, 24)));
    FIRST_ROWS.selectFrom(left, right).reinterpretAsBytes().intoArray(samples, 0);
    LAST_ROWS.selectFrom(left, right).reinterpretAsBytes().intoArray(samples, 64);
  }
}
