package io.headrace.codec.jpeg.planes;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;

/// The inverse DCT in plain Java.
final class ScalarIdct extends Idct {
  ScalarIdct() {}

  @Override
  int whole(int[] c, int[] q, int last, MemorySegment plane, long offset, int stride) {
    scale(c, q);
    columns(c, work);
    for (int r = 0; r < 8; r++) {
      row(work, 8 * r, plane, offset + (long) r * stride);
    }
    return most(work);
  }

  private static void columns(int[] c, int[] w) {
    for (int i = 0; i < 8; i++) {
      if ((c[8 + i] | c[16 + i] | c[24 + i] | c[32 + i]) == 0
          && (c[40 + i] | c[48 + i] | c[56 + i]) == 0) { // as often to the right
        int all = descale(c[i] << CONST_BITS, CONST_BITS - PASS_BITS);
        for (int r = 0; r < 64; r += 8) {
          w[r + i] = all;
        }
        continue;
      }
      int z1 = (c[16 + i] + c[48 + i]) * F_0_541;
      int t2 = z1 - c[48 + i] * F_1_847;
      int t3 = z1 + c[16 + i] * F_0_765;
      int t0 = (c[i] + c[32 + i]) << CONST_BITS;
      int t1 = (c[i] - c[32 + i]) << CONST_BITS;
      int o0 = c[56 + i];
      int o1 = c[40 + i];
      int o2 = c[24 + i];
      int o3 = c[8 + i];
      int z5 = (o0 + o2 + o1 + o3) * F_1_175;
      int a = -(o0 + o3) * F_0_899;
      int b = -(o1 + o2) * F_2_562;
      int d = z5 - (o0 + o2) * F_1_961;
      int e = z5 - (o1 + o3) * F_0_390;
      o0 = o0 * F_0_298 + a + d;
      o1 = o1 * F_2_053 + b + e;
      o2 = o2 * F_3_072 + b + d;
      o3 = o3 * F_1_501 + a + e;
      int bits = CONST_BITS - PASS_BITS;
      w[i] = descale(t0 + t3 + o3, bits);
      w[56 + i] = descale(t0 + t3 - o3, bits);
      w[8 + i] = descale(t1 + t2 + o2, bits);
      w[48 + i] = descale(t1 + t2 - o2, bits);
      w[16 + i] = descale(t1 - t2 + o1, bits);
      w[40 + i] = descale(t1 - t2 - o1, bits);
      w[24 + i] = descale(t0 - t3 + o0, bits);
      w[32 + i] = descale(t0 - t3 - o0, bits);
    }
  }

  private static void row(int[] w, int at, MemorySegment plane, long to) {
    int z1 = (w[at + 2] + w[at + 6]) * F_0_541;
    int t2 = z1 - w[at + 6] * F_1_847;
    int t3 = z1 + w[at + 2] * F_0_765;
    int t0 = (w[at] + w[at + 4]) << CONST_BITS;
    int t1 = (w[at] - w[at + 4]) << CONST_BITS;
    int o0 = w[at + 7];
    int o1 = w[at + 5];
    int o2 = w[at + 3];
    int o3 = w[at + 1];
    int z5 = (o0 + o2 + o1 + o3) * F_1_175;
    int a = -(o0 + o3) * F_0_899;
    int b = -(o1 + o2) * F_2_562;
    int d = z5 - (o0 + o2) * F_1_961;
    int e = z5 - (o1 + o3) * F_0_390;
    o0 = o0 * F_0_298 + a + d;
    o1 = o1 * F_2_053 + b + e;
    o2 = o2 * F_3_072 + b + d;
    o3 = o3 * F_1_501 + a + e;
    long low = sampleOf(t0 + t3 + o3);
    low |= sampleOf(t1 + t2 + o2) << 8;
    low |= sampleOf(t1 - t2 + o1) << 16;
    low |= sampleOf(t0 - t3 + o0) << 24;
    low |= sampleOf(t0 - t3 - o0) << 32;
    low |= sampleOf(t1 - t2 - o1) << 40;
    low |= sampleOf(t1 + t2 - o2) << 48;
    low |= sampleOf(t0 + t3 - o3) << 56;
    plane.set(U64, to, low);
  }

  private static long sampleOf(int sum) {
    return clamp((sum + BIAS) >> LAST_BITS);
  }

  @Override
  void half(int[] c, int[] q, MemorySegment plane, long offset, int stride) {
    int[] w = work;
    int bits = CONST_BITS - PASS_BITS;
    for (int i = 0; i < 4; i++) {
      int c0 = c[i] * q[i];
      int c1 = c[4 + i] * q[4 + i];
      int c2 = c[8 + i] * q[8 + i];
      int c3 = c[12 + i] * q[12 + i];
      int outer = descale(c1 * (F_0_541 + F_0_765) + c3 * F_0_541, bits);
      int inner = descale(c1 * F_0_541 + c3 * (F_0_541 - F_1_847), bits);
      int even = descale((c0 + c2) << CONST_BITS, bits);
      int other = descale((c0 - c2) << CONST_BITS, bits);
      w[i] = even + outer;
      w[4 + i] = other + inner;
      w[8 + i] = other - inner;
      w[12 + i] = even - outer;
    }
    for (int r = 0; r < 4; r++) {
      int at = 4 * r;
      int even = ((w[at] + w[at + 2]) << CONST_BITS) + BIAS;
      int other = ((w[at] - w[at + 2]) << CONST_BITS) + BIAS;
      int outer = w[at + 1] * (F_0_541 + F_0_765) + w[at + 3] * F_0_541;
      int inner = w[at + 1] * F_0_541 + w[at + 3] * (F_0_541 - F_1_847);
      int samples = clamp((even + outer) >> LAST_BITS);
      samples |= clamp((other + inner) >> LAST_BITS) << 8;
      samples |= clamp((other - inner) >> LAST_BITS) << 16;
      samples |= clamp((even - outer) >> LAST_BITS) << 24;
      plane.set(U32, offset + (long) r * stride, samples);
    }
  }

  private static int most(int[] w) {
    int most = 0;
    for (int i = 0; i < 64; i++) {
      most = Math.max(most, Math.abs(w[i]));
    }
    return most;
  }

  private static void scale(int[] c, int[] q) {
    for (int i = 0; i < 64; i++) {
      c[i] *= q[i];
    }
  }
}
