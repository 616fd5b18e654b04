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
import static io.headrace.memory.LittleEndian.U64;

import io.headrace.codec.jpeg.entropy.ScanBits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// The inverse DCT of sixteen blocks at once, with vectors of 512 bits: each lane is a block, so
/// that nothing is transposed between the passes, and blocks may lie anywhere. Blocks with few
/// coefficients have groups of their own, in which rows and columns of zeros are left out.
final class VectorGroup implements BlockGroup {
  /// Bits of the CPU's widest vectors.
  static final int MAX_BITS = VectorShape.preferredShape().vectorBitSize();

  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final int LANES = BLOCKS;
  private static final int FIRST_BITS = CONST_BITS - PASS_BITS;
  private static final int HALF = 1 << (FIRST_BITS - 1);

  /// Vectors from a row of coefficients to the next.
  private static final int ROW = 8 * LANES;

  /// For two vectors that are to change places where lanes and vectors differ in one bit: lanes of
  /// the first result, and of the second.
  private static final IntVector LOW_1 = swap(1, false);

  private static final IntVector HIGH_1 = swap(1, true);
  private static final IntVector LOW_2 = swap(2, false);
  private static final IntVector HIGH_2 = swap(2, true);
  private static final IntVector LOW_4 = swap(4, false);
  private static final IntVector HIGH_4 = swap(4, true);
  private static final IntVector LOW_8 = swap(8, false);
  private static final IntVector HIGH_8 = swap(8, true);

  /// The upper half of each lane.
  private static final IntVector UPPER = IntVector.broadcast(INTS, 0xffff_0000);

  /// Brings the left and right halves of the blocks' rows together: of the first eight blocks, and
  /// of the last.
  private static final IntVector FIRST = halves(0);

  private static final IntVector LAST = halves(8);

  /// Where the vector of each coefficient of the zigzag lies.
  private static final int[] PLACES = new int[64];

  static {
    int[] places = new int[64];
    for (int place = 0; place < 64; place++) {
      places[place] = place * LANES;
    }
    ScanBits.zigzag(places, PLACES);
  }

  private final int count;
  private final short[] coefficients = new short[64 * BLOCKS];
  private final int[] half = new int[16 * LANES];

  /// Coefficients, a vector each, in natural order; those beyond the count stay 0.
  private final int[] spread = new int[64 * LANES];

  /// What the first pass leaves, likewise.
  private final int[] work = new int[64 * LANES];

  /// Rows of all blocks, eight samples in a number: all first ones, then all second ones.
  private final long[] rows = new long[8 * BLOCKS];

  private final long[] offsets = new long[BLOCKS];
  private final int[] strides = new int[BLOCKS];
  private int blocks;

  VectorGroup(int count) {
    this.count = count;
  }

  private static IntVector swap(int bit, boolean high) {
    int[] lanes = new int[LANES];
    for (int i = 0; i < LANES; i++) {
      int from = high ? i | bit : i & ~bit;
      lanes[i] = (i & bit) != 0 ? LANES + from : from;
    }
    return IntVector.fromArray(INTS, lanes, 0);
  }

  private static IntVector halves(int first) {
    int[] lanes = new int[LANES];
    for (int i = 0; i < LANES; i++) {
      lanes[i] = first + i / 2 + i % 2 * LANES;
    }
    return IntVector.fromArray(INTS, lanes, 0);
  }

  @Override
  public short[] coefficients() {
    return coefficients;
  }

  @Override
  public int next() {
    return 64 * blocks;
  }

  @Override
  public void clear() {
    blocks = 0;
  }

  @Override
  public boolean add(MemorySegment plane, long offset, int stride) {
    offsets[blocks] = offset;
    strides[blocks++] = stride;
    return blocks < BLOCKS || finish(plane);
  }

  @Override
  public boolean finish(MemorySegment plane) {
    int left = blocks;
    if (left == 0) {
      return true;
    }
    blocks = 0;
    Arrays.fill(coefficients, 64 * left, coefficients.length, (short) 0); // of blocks before
    int most;
    if (count == LOW) {
      transpose(coefficients, 0, 8, half, spread);
      most = four(spread, work, rows, 0, 4, false);
      int _ = four(work, work, rows, 0, 8, true);
    } else if (count == MIDDLE) {
      transpose(coefficients, 0, 16, half, spread);
      most = eight(spread, work, rows, 0, 3, false);
      most = Math.max(most, four(spread, work, rows, 3, 6, false));
      int _ = eight(work, work, rows, 0, 8, true);
    } else {
      transpose(coefficients, 0, 16, half, spread);
      transpose(coefficients, 32, 16, half, spread);
      most = eight(spread, work, rows, 0, 8, false);
      int _ = eight(work, work, rows, 0, 8, true);
    }
    for (int block = 0; block < left; block++) {
      long at = offsets[block];
      int stride = strides[block];
      for (int row = 0; row < 8; row++) {
        plane.set(U64, at, rows[BLOCKS * row + block]);
        at += stride;
      }
    }
    return most <= MAX;
  }

  /// Spreads 32 coefficients of all blocks, from `first` on, over vectors: as a matrix of pairs of
  /// them, sixteen by sixteen, that is transposed.
  ///
  /// @param wanted pairs: 8 or 16
  private static void transpose(short[] c, int first, int wanted, int[] half, int[] to) {
    for (int i = 0; i < LANES; i += 4) {
      int at = 64 * i + first;
      IntVector r0 = ShortVector.fromArray(ShortVector.SPECIES_512, c, at).reinterpretAsInts();
      IntVector r1 = ShortVector.fromArray(ShortVector.SPECIES_512, c, at + 64).reinterpretAsInts();
      IntVector r2 =
          ShortVector.fromArray(ShortVector.SPECIES_512, c, at + 128).reinterpretAsInts();
      IntVector r3 =
          ShortVector.fromArray(ShortVector.SPECIES_512, c, at + 192).reinterpretAsInts();
      IntVector u0 = LOW_1.selectFrom(r0, r1);
      IntVector u1 = HIGH_1.selectFrom(r0, r1);
      IntVector u2 = LOW_1.selectFrom(r2, r3);
      IntVector u3 = HIGH_1.selectFrom(r2, r3);
      LOW_2.selectFrom(u0, u2).intoArray(half, 16 * i);
      LOW_2.selectFrom(u1, u3).intoArray(half, 16 * i + 16);
      HIGH_2.selectFrom(u0, u2).intoArray(half, 16 * i + 32);
      HIGH_2.selectFrom(u1, u3).intoArray(half, 16 * i + 48);
    }
    for (int i = 0; i < 4; i++) {
      IntVector r0 = IntVector.fromArray(INTS, half, 16 * i);
      IntVector r1 = IntVector.fromArray(INTS, half, 16 * i + 64);
      IntVector r2 = IntVector.fromArray(INTS, half, 16 * i + 128);
      IntVector r3 = IntVector.fromArray(INTS, half, 16 * i + 192);
      IntVector u0 = LOW_4.selectFrom(r0, r1);
      IntVector u1 = HIGH_4.selectFrom(r0, r1);
      IntVector u2 = LOW_4.selectFrom(r2, r3);
      IntVector u3 = HIGH_4.selectFrom(r2, r3);
      int k = first + 2 * i;
      r0 = LOW_8.selectFrom(u0, u2);
      r1 = LOW_8.selectFrom(u1, u3);
      r0.lanewise(VectorOperators.LSHL, 16)
          .lanewise(VectorOperators.ASHR, 16)
          .intoArray(to, PLACES[k]);
      r0.lanewise(VectorOperators.ASHR, 16).intoArray(to, PLACES[k + 1]);
      r1.lanewise(VectorOperators.LSHL, 16)
          .lanewise(VectorOperators.ASHR, 16)
          .intoArray(to, PLACES[k + 8]);
      r1.lanewise(VectorOperators.ASHR, 16).intoArray(to, PLACES[k + 9]);
      if (wanted > 8) {
        r2 = HIGH_8.selectFrom(u0, u2);
        r3 = HIGH_8.selectFrom(u1, u3);
        r2.lanewise(VectorOperators.LSHL, 16)
            .lanewise(VectorOperators.ASHR, 16)
            .intoArray(to, PLACES[k + 16]);
        r2.lanewise(VectorOperators.ASHR, 16).intoArray(to, PLACES[k + 17]);
        r3.lanewise(VectorOperators.LSHL, 16)
            .lanewise(VectorOperators.ASHR, 16)
            .intoArray(to, PLACES[k + 24]);
        r3.lanewise(VectorOperators.ASHR, 16).intoArray(to, PLACES[k + 25]);
      }
    }
  }

  /// A pass over columns, or over rows, which gives samples.
  ///
  /// @return more than [Idct#MAX] if a column leaves more than that
  private static int eight(int[] from, int[] w, long[] samples, int first, int end, boolean last) {
    int step = last ? LANES : ROW;
    IntVector most = IntVector.zero(INTS);
    for (int i = first; i < end; i++) {
      int at = i * (last ? ROW : LANES);
      IntVector c2 = IntVector.fromArray(INTS, from, at + 2 * step);
      IntVector c6 = IntVector.fromArray(INTS, from, at + 6 * step);
      IntVector z1 = c2.add(c6).mul(F_0_541);
      IntVector t2 = z1.sub(c6.mul(F_1_847));
      IntVector t3 = z1.add(c2.mul(F_0_765));
      IntVector c0 = IntVector.fromArray(INTS, from, at);
      IntVector c4 = IntVector.fromArray(INTS, from, at + 4 * step);
      IntVector bias = IntVector.broadcast(INTS, last ? BIAS : HALF);
      IntVector t0 = c0.add(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(bias);
      IntVector t1 = c0.sub(c4).lanewise(VectorOperators.LSHL, CONST_BITS).add(bias);
      IntVector o0 = IntVector.fromArray(INTS, from, at + 7 * step);
      IntVector o1 = IntVector.fromArray(INTS, from, at + 5 * step);
      IntVector o2 = IntVector.fromArray(INTS, from, at + 3 * step);
      IntVector o3 = IntVector.fromArray(INTS, from, at + step);
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
      if (last) {
        // The upper halves of two sums at once: what is left of them fits 16 bits.
        IntVector r02 =
            e0.add(p3)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e2.add(p1), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector r13 =
            e1.add(p2)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e3.add(p0), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector r46 =
            e3.sub(p0)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e1.sub(p2), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector r57 =
            e2.sub(p1)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e0.sub(p3), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector left = r02.or(r13.lanewise(VectorOperators.LSHL, 8));
        IntVector right = r46.or(r57.lanewise(VectorOperators.LSHL, 8));
        FIRST.selectFrom(left, right).reinterpretAsLongs().intoArray(samples, BLOCKS * i);
        LAST.selectFrom(left, right).reinterpretAsLongs().intoArray(samples, BLOCKS * i + 8);
      } else {
        IntVector r0 = e0.add(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r1 = e1.add(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r2 = e2.add(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r3 = e3.add(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r4 = e3.sub(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r5 = e2.sub(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r6 = e1.sub(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r7 = e0.sub(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
        r0.intoArray(w, at);
        r1.intoArray(w, at + ROW);
        r2.intoArray(w, at + 2 * ROW);
        r3.intoArray(w, at + 3 * ROW);
        r4.intoArray(w, at + 4 * ROW);
        r5.intoArray(w, at + 5 * ROW);
        r6.intoArray(w, at + 6 * ROW);
        r7.intoArray(w, at + 7 * ROW);
        most =
            most.max(r0.abs().max(r1.abs()).max(r2.abs().max(r3.abs())))
                .max(r4.abs().max(r5.abs()).max(r6.abs().max(r7.abs())));
      }
    }
    return most.compare(VectorOperators.GT, MAX).anyTrue() ? MAX + 1 : 0;
  }

  /// The same where only the first four of eight are not 0.
  private static int four(int[] from, int[] w, long[] samples, int first, int end, boolean last) {
    int step = last ? LANES : ROW;
    IntVector most = IntVector.zero(INTS);
    for (int i = first; i < end; i++) {
      int at = i * (last ? ROW : LANES);
      IntVector c2 = IntVector.fromArray(INTS, from, at + 2 * step);
      IntVector c0 = IntVector.fromArray(INTS, from, at);
      IntVector o2 = IntVector.fromArray(INTS, from, at + 3 * step);
      IntVector o3 = IntVector.fromArray(INTS, from, at + step);
      IntVector bias = IntVector.broadcast(INTS, last ? BIAS : HALF);
      IntVector t0 = c0.lanewise(VectorOperators.LSHL, CONST_BITS).add(bias);
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
      if (last) {
        // The upper halves of two sums at once: what is left of them fits 16 bits.
        IntVector r02 =
            e0.add(p3)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e2.add(p1), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector r13 =
            e1.add(p2)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e3.add(p0), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector r46 =
            e3.sub(p0)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e1.sub(p2), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector r57 =
            e2.sub(p1)
                .lanewise(VectorOperators.LSHR, 16)
                .lanewise(VectorOperators.BITWISE_BLEND, e0.sub(p3), UPPER)
                .reinterpretAsShorts()
                .lanewise(VectorOperators.ASHR, LAST_BITS - 16)
                .max((short) 0)
                .min((short) 255)
                .reinterpretAsInts();
        IntVector left = r02.or(r13.lanewise(VectorOperators.LSHL, 8));
        IntVector right = r46.or(r57.lanewise(VectorOperators.LSHL, 8));
        FIRST.selectFrom(left, right).reinterpretAsLongs().intoArray(samples, BLOCKS * i);
        LAST.selectFrom(left, right).reinterpretAsLongs().intoArray(samples, BLOCKS * i + 8);
      } else {
        IntVector r0 = e0.add(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r1 = e1.add(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r2 = e2.add(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r3 = e3.add(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r4 = e3.sub(p0).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r5 = e2.sub(p1).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r6 = e1.sub(p2).lanewise(VectorOperators.ASHR, FIRST_BITS);
        IntVector r7 = e0.sub(p3).lanewise(VectorOperators.ASHR, FIRST_BITS);
        r0.intoArray(w, at);
        r1.intoArray(w, at + ROW);
        r2.intoArray(w, at + 2 * ROW);
        r3.intoArray(w, at + 3 * ROW);
        r4.intoArray(w, at + 4 * ROW);
        r5.intoArray(w, at + 5 * ROW);
        r6.intoArray(w, at + 6 * ROW);
        r7.intoArray(w, at + 7 * ROW);
        most =
            most.max(r0.abs().max(r1.abs()).max(r2.abs().max(r3.abs())))
                .max(r4.abs().max(r5.abs()).max(r6.abs().max(r7.abs())));
      }
    }
    return most.compare(VectorOperators.GT, MAX).anyTrue() ? MAX + 1 : 0;
  }
}
