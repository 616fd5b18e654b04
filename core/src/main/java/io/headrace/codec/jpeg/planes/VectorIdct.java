package io.headrace.codec.jpeg.planes;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// The inverse DCT with the Vector API.
///
/// The first pass treats eight columns at once. In the second nothing is rounded before a sum is
/// complete, so the sums may be taken in any order: four of the results' even halves and four of
/// their odd ones at once, each a sum over four products of coefficients and constants. So nothing
/// is ever transposed.
///
/// Kernels are written out, though they are alike: vectors must not pass between methods, which the
/// JIT may leave apart, and rows one by one, through memory, make whole pictures 6 % slower to
/// decode (`PlanesLoop`).
final class VectorIdct extends Idct {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
  private static final int FIRST_BITS = CONST_BITS - PASS_BITS;

  private static final VectorShuffle<Integer> PAIR0 = pair(0);
  private static final VectorShuffle<Integer> PAIR1 = pair(2);
  private static final VectorShuffle<Integer> PAIR2 = pair(4);
  private static final VectorShuffle<Integer> PAIR3 = pair(6);
  private static final VectorShuffle<Integer> EVENS =
      VectorShuffle.fromValues(INTS, 0, 1, 2, 3, 3, 2, 1, 0);
  private static final VectorShuffle<Integer> ODDS =
      VectorShuffle.fromValues(INTS, 4, 5, 6, 7, 7, 6, 5, 4);

  /// The first four lanes twice, and the last four.
  private static final VectorShuffle<Integer> UPPER_ROW =
      VectorShuffle.fromValues(INTS, 0, 1, 2, 3, 0, 1, 2, 3);
  private static final VectorShuffle<Integer> LOWER_ROW =
      VectorShuffle.fromValues(INTS, 4, 5, 6, 7, 4, 5, 6, 7);

  private static final VectorShuffle<Integer> HALF01 =
      VectorShuffle.fromValues(INTS, 0, 0, 1, 1, 4, 4, 5, 5);
  private static final VectorShuffle<Integer> HALF23 =
      VectorShuffle.fromValues(INTS, 2, 2, 3, 3, 6, 6, 7, 7);
  private static final VectorShuffle<Integer> HALF_EVENS =
      VectorShuffle.fromValues(INTS, 0, 1, 1, 0, 4, 5, 5, 4);
  private static final VectorShuffle<Integer> HALF_ODDS =
      VectorShuffle.fromValues(INTS, 2, 3, 3, 2, 6, 7, 7, 6);
  private static final int[] HALF_MINUS = {0, 0, -1, -1, 0, 0, -1, -1};

  /// The first pass of a block that becomes 4 x 4: what two rows at once, the first two or the
  /// last, give to the even halves of results 0 and 3, and to their odd ones; then to those of 1
  /// and 2.
  private static final int[] CORNER_COLUMNS = cornerColumns();

  /// The second: what coefficients 0 and 1 give to two even halves and two odd ones, then 2 and
  /// 3; the same for another row.
  private static final int[] CORNER_ROWS = cornerRows();

  /// Rows 0 and 1 are the first and second byte of the lower four ints, 3 and 2 those of the upper;
  /// what comes next is not looked at.
  private static final VectorShuffle<Byte> HALF_ROWS =
      VectorShuffle.fromOp(
          ByteVector.SPECIES_256,
          i -> i < 8 ? 4 * (i & 3) + (i >> 2) : i < 16 ? 16 + 4 * (i & 3) + (3 - (i >> 2)) : 0);

  private static final VarHandle INTEGERS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VectorShuffle<Byte> ROWS =
      VectorShuffle.fromOp(ByteVector.SPECIES_256, i -> 4 * (i & 7) + (i >> 3));
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Minus one where the odd half is taken away.
  private static final int[] MINUS = {0, 0, 0, 0, -1, -1, -1, -1};

  /// For coefficients 0 and 1, 2 and 3, and so on: what the first of them gives to the even halves
  /// of results 0 to 3, then what the second gives to their odd ones.
  private static final int[] FACTORS = factors();

  /// Fewer coefficients than this in the zigzag are in the first four rows and columns.
  private static final int LOW = 10;

  private final byte[] samples = new byte[64];

  VectorIdct() {}

  private static VectorShuffle<Integer> pair(int k) {
    return VectorShuffle.fromValues(INTS, k, k, k, k, k + 1, k + 1, k + 1, k + 1);
  }

  private static int[] cornerColumns() {
    int one = 1 << CONST_BITS;
    int[] factors = new int[32];
    Arrays.fill(factors, 0, 4, one); // 0 and 3, of the rows 0 and 1
    Arrays.fill(factors, 4, 8, F_0_541 + F_0_765);
    Arrays.fill(factors, 8, 12, one); // of the rows 2 and 3
    Arrays.fill(factors, 12, 16, F_0_541);
    Arrays.fill(factors, 16, 20, one); // 1 and 2
    Arrays.fill(factors, 20, 24, F_0_541);
    Arrays.fill(factors, 24, 28, -one);
    Arrays.fill(factors, 28, 32, F_0_541 - F_1_847);
    return factors;
  }

  private static int[] cornerRows() {
    int one = 1 << CONST_BITS;
    int[] first = {one, one, F_0_541 + F_0_765, F_0_541};
    int[] second = {one, -one, F_0_541, F_0_541 - F_1_847};
    int[] factors = new int[16];
    for (int i = 0; i < 8; i++) {
      factors[i] = first[i % 4];
      factors[8 + i] = second[i % 4];
    }
    return factors;
  }

  private static int[] factors() {
    int one = 1 << CONST_BITS;
    int[] even = {
      one,
      one,
      one,
      one, // coefficient 0
      F_0_541 + F_0_765,
      F_0_541,
      -F_0_541,
      -F_0_541 - F_0_765, // 2
      one,
      -one,
      -one,
      one, // 4
      F_0_541,
      F_0_541 - F_1_847,
      F_1_847 - F_0_541,
      -F_0_541 // 6
    };
    int a = F_1_175;
    int[] odd = {
      F_1_501 - F_0_899 - F_0_390 + a,
      a,
      a - F_0_390,
      a - F_0_899, // 1
      a,
      F_3_072 - F_2_562 - F_1_961 + a,
      a - F_2_562,
      a - F_1_961, // 3
      a - F_0_390,
      a - F_2_562,
      F_2_053 - F_2_562 - F_0_390 + a,
      a, // 5
      a - F_0_899,
      a - F_1_961,
      a,
      F_0_298 - F_0_899 - F_1_961 + a // 7
    };
    int[] factors = new int[32];
    for (int pair = 0; pair < 4; pair++) {
      System.arraycopy(even, 4 * pair, factors, 8 * pair, 4);
      System.arraycopy(odd, 4 * pair, factors, 8 * pair + 4, 4);
    }
    return factors;
  }

  @Override
  int whole(int[] c, int[] q, int last, MemorySegment plane, long offset, int stride) {
    int most;
    if (last < LOW) {
      most = lowColumns(c, q, work);
      lowRows(work, samples);
    } else {
      most = columns(c, q, work);
      rows(work, samples);
    }
    long at = offset;
    for (int i = 0; i < 64; i += 8) {
      plane.set(U64, at, (long) LONGS.get(samples, i));
      at += stride;
    }
    return most;
  }

  /// The first pass where coefficients are in the first four rows only.
  private static int lowColumns(int[] c, int[] q, int[] w) {
    IntVector c2 = IntVector.fromArray(INTS, c, 16).mul(IntVector.fromArray(INTS, q, 16));
    IntVector c0 = IntVector.fromArray(INTS, c, 0).mul(IntVector.fromArray(INTS, q, 0));
    IntVector o2 = IntVector.fromArray(INTS, c, 24).mul(IntVector.fromArray(INTS, q, 24));
    IntVector o3 = IntVector.fromArray(INTS, c, 8).mul(IntVector.fromArray(INTS, q, 8));
    IntVector t0 =
        c0.lanewise(VectorOperators.LSHL, CONST_BITS)
            .add(IntVector.broadcast(INTS, 1 << (FIRST_BITS - 1)));
    IntVector t2 = c2.mul(F_0_541);
    IntVector t3 = c2.mul(F_0_541 + F_0_765);
    IntVector z5 = o2.add(o3).mul(F_1_175);
    IntVector p0 = z5.sub(o2.mul(F_1_961)).sub(o3.mul(F_0_899));
    IntVector p1 = z5.sub(o2.mul(F_2_562)).sub(o3.mul(F_0_390));
    IntVector p2 = z5.add(o2.mul(F_3_072 - F_2_562 - F_1_961));
    IntVector p3 = z5.add(o3.mul(F_1_501 - F_0_899 - F_0_390));
    IntVector e0 = t0.add(t3);
    IntVector e1 = t0.add(t2);
    IntVector e2 = t0.sub(t2);
    IntVector e3 = t0.sub(t3);
    IntVector r0 = e0.add(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r1 = e1.add(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r2 = e2.add(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r3 = e3.add(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r4 = e3.sub(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r5 = e2.sub(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r6 = e1.sub(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector r7 = e0.sub(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
    r0.intoArray(w, 0);
    r1.intoArray(w, 8);
    r2.intoArray(w, 16);
    r3.intoArray(w, 24);
    r4.intoArray(w, 32);
    r5.intoArray(w, 40);
    r6.intoArray(w, 48);
    r7.intoArray(w, 56);
    IntVector low = r0.abs().max(r1.abs()).max(r2.abs().max(r3.abs()));
    IntVector high = r4.abs().max(r5.abs()).max(r6.abs().max(r7.abs()));
    return low.max(high).compare(VectorOperators.GT, MAX).anyTrue() ? MAX + 1 : 0;
  }

  private static int columns(int[] c, int[] q, int[] w) {
    IntVector c2 = IntVector.fromArray(INTS, c, 16).mul(IntVector.fromArray(INTS, q, 16));
    IntVector c6 = IntVector.fromArray(INTS, c, 48).mul(IntVector.fromArray(INTS, q, 48));
    IntVector z1 = c2.add(c6).mul(F_0_541);
    IntVector t2 = z1.sub(c6.mul(F_1_847));
    IntVector t3 = z1.add(c2.mul(F_0_765));
    IntVector c0 = IntVector.fromArray(INTS, c, 0).mul(IntVector.fromArray(INTS, q, 0));
    IntVector c4 = IntVector.fromArray(INTS, c, 32).mul(IntVector.fromArray(INTS, q, 32));
    IntVector half = IntVector.broadcast(INTS, 1 << (FIRST_BITS - 1));
    IntVector t0 = c0.add(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(half);
    IntVector t1 = c0.sub(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(half);
    IntVector o0 = IntVector.fromArray(INTS, c, 56).mul(IntVector.fromArray(INTS, q, 56));
    IntVector o1 = IntVector.fromArray(INTS, c, 40).mul(IntVector.fromArray(INTS, q, 40));
    IntVector o2 = IntVector.fromArray(INTS, c, 24).mul(IntVector.fromArray(INTS, q, 24));
    IntVector o3 = IntVector.fromArray(INTS, c, 8).mul(IntVector.fromArray(INTS, q, 8));
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
    r0.intoArray(w, 0);
    r1.intoArray(w, 8);
    r2.intoArray(w, 16);
    r3.intoArray(w, 24);
    r4.intoArray(w, 32);
    r5.intoArray(w, 40);
    r6.intoArray(w, 48);
    r7.intoArray(w, 56);
    IntVector low = r0.abs().max(r1.abs()).max(r2.abs().max(r3.abs()));
    IntVector high = r4.abs().max(r5.abs()).max(r6.abs().max(r7.abs()));
    return low.max(high).compare(VectorOperators.GT, MAX).anyTrue() ? MAX + 1 : 0;
  }

  /// The second pass, four rows at a time.
  private static void rows(int[] w, byte[] samples) {
    IntVector f0 = IntVector.fromArray(INTS, FACTORS, 0);
    IntVector f1 = IntVector.fromArray(INTS, FACTORS, 8);
    IntVector f2 = IntVector.fromArray(INTS, FACTORS, 16);
    IntVector f3 = IntVector.fromArray(INTS, FACTORS, 24);
    IntVector minus = IntVector.fromArray(INTS, MINUS, 0);
    for (int i = 0; i < 64; i += 32) {
      IntVector a = IntVector.fromArray(INTS, w, i);
      IntVector b = IntVector.fromArray(INTS, w, i + 8);
      IntVector c = IntVector.fromArray(INTS, w, i + 16);
      IntVector d = IntVector.fromArray(INTS, w, i + 24);
      a =
          a.rearrange(PAIR0)
              .mul(f0)
              .add(a.rearrange(PAIR1).mul(f1))
              .add(a.rearrange(PAIR2).mul(f2).add(a.rearrange(PAIR3).mul(f3)));
      b =
          b.rearrange(PAIR0)
              .mul(f0)
              .add(b.rearrange(PAIR1).mul(f1))
              .add(b.rearrange(PAIR2).mul(f2).add(b.rearrange(PAIR3).mul(f3)));
      c =
          c.rearrange(PAIR0)
              .mul(f0)
              .add(c.rearrange(PAIR1).mul(f1))
              .add(c.rearrange(PAIR2).mul(f2).add(c.rearrange(PAIR3).mul(f3)));
      d =
          d.rearrange(PAIR0)
              .mul(f0)
              .add(d.rearrange(PAIR1).mul(f1))
              .add(d.rearrange(PAIR2).mul(f2).add(d.rearrange(PAIR3).mul(f3)));
      a =
          a.rearrange(EVENS)
              .add(a.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      b =
          b.rearrange(EVENS)
              .add(b.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      c =
          c.rearrange(EVENS)
              .add(c.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      d =
          d.rearrange(EVENS)
              .add(d.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      // Each int has a column's four samples, which go to four rows.
      a.or(b.lanewise(VectorOperators.LSHL, 8))
          .or(c.lanewise(VectorOperators.LSHL, 16).or(d.lanewise(VectorOperators.LSHL, 24)))
          .reinterpretAsBytes()
          .rearrange(ROWS)
          .intoArray(samples, i);
    }
  }

  /// The second pass where coefficients are in the first four columns only.
  private static void lowRows(int[] w, byte[] samples) {
    IntVector f0 = IntVector.fromArray(INTS, FACTORS, 0);
    IntVector f1 = IntVector.fromArray(INTS, FACTORS, 8);
    IntVector minus = IntVector.fromArray(INTS, MINUS, 0);
    for (int i = 0; i < 64; i += 32) {
      IntVector a = IntVector.fromArray(INTS, w, i);
      IntVector b = IntVector.fromArray(INTS, w, i + 8);
      IntVector c = IntVector.fromArray(INTS, w, i + 16);
      IntVector d = IntVector.fromArray(INTS, w, i + 24);
      a = a.rearrange(PAIR0).mul(f0).add(a.rearrange(PAIR1).mul(f1));
      b = b.rearrange(PAIR0).mul(f0).add(b.rearrange(PAIR1).mul(f1));
      c = c.rearrange(PAIR0).mul(f0).add(c.rearrange(PAIR1).mul(f1));
      d = d.rearrange(PAIR0).mul(f0).add(d.rearrange(PAIR1).mul(f1));
      a =
          a.rearrange(EVENS)
              .add(a.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      b =
          b.rearrange(EVENS)
              .add(b.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      c =
          c.rearrange(EVENS)
              .add(c.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      d =
          d.rearrange(EVENS)
              .add(d.rearrange(ODDS).lanewise(VectorOperators.XOR, minus).sub(minus))
              .add(BIAS)
              .lanewise(VectorOperators.ASHR, LAST_BITS)
              .max(0)
              .min(255);
      // Each int has a column's four samples, which go to four rows.
      a.or(b.lanewise(VectorOperators.LSHL, 8))
          .or(c.lanewise(VectorOperators.LSHL, 16).or(d.lanewise(VectorOperators.LSHL, 24)))
          .reinterpretAsBytes()
          .rearrange(ROWS)
          .intoArray(samples, i);
    }
  }

  @Override
  void half(int[] c, int[] q, MemorySegment plane, long offset, int stride) {
    half(c, q, samples);
    long at = offset;
    for (int i = 0; i < 16; i += 4) {
      plane.set(U32, at, (int) INTEGERS.get(samples, i));
      at += stride;
    }
  }

  private static void half(int[] c, int[] q, byte[] samples) {
    IntVector c01 = IntVector.fromArray(INTS, c, 0).mul(IntVector.fromArray(INTS, q, 0));
    IntVector c23 = IntVector.fromArray(INTS, c, 8).mul(IntVector.fromArray(INTS, q, 8));
    IntVector half = IntVector.broadcast(INTS, 1 << (FIRST_BITS - 1));
    IntVector sides =
        c01.mul(IntVector.fromArray(INTS, CORNER_COLUMNS, 0))
            .add(c23.mul(IntVector.fromArray(INTS, CORNER_COLUMNS, 8)))
            .add(half)
            .lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector middle =
        c01.mul(IntVector.fromArray(INTS, CORNER_COLUMNS, 16))
            .add(c23.mul(IntVector.fromArray(INTS, CORNER_COLUMNS, 24)))
            .add(half)
            .lanewise(VectorOperators.ASHR, FIRST_BITS);
    IntVector lower = IntVector.fromArray(INTS, MINUS, 0);
    IntVector r03 =
        sides
            .rearrange(UPPER_ROW)
            .add(sides.rearrange(LOWER_ROW).lanewise(VectorOperators.XOR, lower).sub(lower));
    IntVector r12 =
        middle
            .rearrange(UPPER_ROW)
            .add(middle.rearrange(LOWER_ROW).lanewise(VectorOperators.XOR, lower).sub(lower));
    IntVector f01 = IntVector.fromArray(INTS, CORNER_ROWS, 0);
    IntVector f23 = IntVector.fromArray(INTS, CORNER_ROWS, 8);
    r03 = r03.rearrange(HALF01).mul(f01).add(r03.rearrange(HALF23).mul(f23));
    r12 = r12.rearrange(HALF01).mul(f01).add(r12.rearrange(HALF23).mul(f23));
    IntVector right = IntVector.fromArray(INTS, HALF_MINUS, 0);
    r03 =
        r03.rearrange(HALF_EVENS)
            .add(r03.rearrange(HALF_ODDS).lanewise(VectorOperators.XOR, right).sub(right))
            .add(BIAS)
            .lanewise(VectorOperators.ASHR, LAST_BITS)
            .max(0)
            .min(255);
    r12 =
        r12.rearrange(HALF_EVENS)
            .add(r12.rearrange(HALF_ODDS).lanewise(VectorOperators.XOR, right).sub(right))
            .add(BIAS)
            .lanewise(VectorOperators.ASHR, LAST_BITS)
            .max(0)
            .min(255);
    r03.or(r12.lanewise(VectorOperators.LSHL, 8))
        .reinterpretAsBytes()
        .rearrange(HALF_ROWS)
        .intoArray(samples, 0);
  }
}
