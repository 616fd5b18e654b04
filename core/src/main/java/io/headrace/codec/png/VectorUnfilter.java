package io.headrace.codec.png;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// Turns rows of pixels of 3 or 4 bytes back, several at once: a vector has one pixel of each, that
/// of a row one place left of the one above. So what is left and above of all of them is known from
/// the steps before, whatever their filters.
///
/// The first lane has the row before, which is passed through.
final class VectorUnfilter extends Unfilter {
  private static final VectorSpecies<Integer> PIXELS = IntVector.SPECIES_PREFERRED;
  private static final int LANES = PIXELS.length();

  /// From each lane to the next.
  private static final VectorShuffle<Integer> DOWN =
      VectorShuffle.fromOp(PIXELS, lane -> Math.max(0, lane - 1));

  /// Steps that are prepared at once.
  private static final int STEPS = 256;

  /// Fewer rows or pixels are not worth it.
  private static final int MIN_ROWS = 4;

  private static final int MIN_PIXELS = 32;
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final int[] stage = new int[STEPS * LANES];

  /// What was left and what was above of each lane's next pixel.
  private final int[] left = new int[LANES];

  private final int[] above = new int[LANES];

  /// By filter: all ones where a lane's row has it.
  private final int[][] masks = new int[5][LANES];

  @Override
  boolean rows(byte[] rows, int n, int count, int step, int needed) {
    int pixels = count / step;
    if ((step != 3 && step != 4) || n < MIN_ROWS || pixels < MIN_PIXELS) {
      return super.rows(rows, n, count, step, needed);
    }
    int stride = count + 1;
    for (int done = 0; done < n; done += LANES - 1) {
      int some = Math.min(LANES - 1, n - done);
      if (!filters(rows, done * stride, stride, some)) {
        return false;
      }
      int keep = Math.min(needed - done, some - 1);
      group(rows, done * stride + 1, stride, some, pixels, step, keep);
    }
    return true;
  }

  private boolean filters(byte[] rows, int at, int stride, int n) {
    for (int[] mask : masks) {
      Arrays.fill(mask, 0);
    }
    for (int i = 1; i <= n; i++) {
      int filter = rows[at + i * stride];
      if (filter < 0 || filter > 4) {
        return false;
      }
      masks[filter][i] = -1;
    }
    return true;
  }

  private boolean nearestOnly() {
    int others = 0;
    for (int filter = 1; filter < 4; filter++) {
      for (int mask : masks[filter]) {
        others |= mask;
      }
    }
    return others == 0;
  }

  /// @param at of the first pixel of the row before
  /// @param keep index of the first row whose pixels are put back
  private void group(byte[] rows, int at, int stride, int n, int pixels, int step, int keep) {
    Arrays.fill(left, 0);
    Arrays.fill(above, 0);
    Arrays.fill(stage, 0, LANES * LANES, 0); // what would be left of the first pixels
    boolean nearestOnly = nearestOnly();
    for (int start = 0; start < pixels + n; start += STEPS) {
      int steps = Math.min(STEPS, pixels + n - start);
      for (int i = 0; i <= n; i++) {
        int first = Math.max(0, i - start);
        int end = Math.min(steps, pixels + i - start);
        take(rows, at + i * stride + step * (start - i), step, i, first, end);
      }
      if (nearestOnly) {
        nearest(stage, steps);
      } else {
        any(stage, steps);
      }
      for (int i = Math.max(1, keep + 1); i <= n; i++) {
        int first = Math.max(0, i - start);
        int end = Math.min(steps, pixels + i - start);
        put(rows, at + i * stride + step * (start - i), step, i, first, end);
      }
    }
  }

  private void take(byte[] rows, int at, int step, int lane, int first, int end) {
    int[] stage = this.stage;
    for (int s = first; s < end; s++) {
      stage[s * LANES + lane] = (int) INTS.get(rows, at + step * s);
    }
  }

  /// A pixel of three bytes takes the first one of the next with it, which is made then.
  private void put(byte[] rows, int at, int step, int lane, int first, int end) {
    int[] stage = this.stage;
    for (int s = first; s < end - 1; s++) {
      INTS.set(rows, at + step * s, stage[s * LANES + lane]);
    }
    if (end > first) {
      int last = at + step * (end - 1);
      byte after = rows[last + 3];
      INTS.set(rows, last, stage[(end - 1) * LANES + lane]);
      if (step == 3) {
        rows[last + 3] = after;
      }
    }
  }

  /// Makes steps of rows that all have the filter of the nearest, or none.
  private void nearest(int[] stage, int steps) {
    ByteVector a = bytes(left);
    ByteVector b = bytes(above);
    ByteVector only = bytes(masks[4]);
    for (int i = 0; i < steps * LANES; i += LANES) {
      ByteVector c = b;
      b = a.reinterpretAsInts().rearrange(DOWN).reinterpretAsBytes();
      a = bytes(stage, i).add(nearest(a, b, c).and(only));
      a.reinterpretAsInts().intoArray(stage, i);
    }
    a.reinterpretAsInts().intoArray(left, 0);
    b.reinterpretAsInts().intoArray(above, 0);
  }

  private void any(int[] stage, int steps) {
    ByteVector a = bytes(left);
    ByteVector b = bytes(above);
    ByteVector onlyLeft = bytes(masks[1]);
    ByteVector onlyAbove = bytes(masks[2]);
    ByteVector onlyMean = bytes(masks[3]);
    ByteVector onlyNearest = bytes(masks[4]);
    for (int i = 0; i < steps * LANES; i += LANES) {
      ByteVector c = b;
      b = a.reinterpretAsInts().rearrange(DOWN).reinterpretAsBytes();
      ByteVector mean = a.and(b).add(half(a.lanewise(VectorOperators.XOR, b)));
      ByteVector guess =
          nearest(a, b, c)
              .and(onlyNearest)
              .or(mean.and(onlyMean))
              .or(a.and(onlyLeft))
              .or(b.and(onlyAbove));
      a = bytes(stage, i).add(guess);
      a.reinterpretAsInts().intoArray(stage, i);
    }
    a.reinterpretAsInts().intoArray(left, 0);
    b.reinterpretAsInts().intoArray(above, 0);
  }

  private static ByteVector half(ByteVector bytes) {
    return bytes
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHR, 1)
        .and(0x7f7f7f7f)
        .reinterpretAsBytes();
  }

  private static ByteVector bytes(int[] ints) {
    return bytes(ints, 0);
  }

  private static ByteVector bytes(int[] ints, int at) {
    return IntVector.fromArray(PIXELS, ints, at).reinterpretAsBytes();
  }

  /// As [Unfilter#nearest], in bytes: with `p` from `c` up to the larger and `q` from the smaller
  /// up to `c`, none below zero, it is the larger where `2q` is at most `p`, else the smaller
  /// where `2p` is at most `q`.
  private static ByteVector nearest(ByteVector a, ByteVector b, ByteVector c) {
    ByteVector low = a.lanewise(VectorOperators.UMIN, b);
    ByteVector high = a.lanewise(VectorOperators.UMAX, b);
    ByteVector p = high.lanewise(VectorOperators.SUSUB, c);
    ByteVector q = c.lanewise(VectorOperators.SUSUB, low);
    VectorMask<Byte> toHigh = q.compare(VectorOperators.ULE, p.lanewise(VectorOperators.SUSUB, q));
    VectorMask<Byte> toLow = p.compare(VectorOperators.ULE, q.lanewise(VectorOperators.SUSUB, p));
    return c.blend(low, toLow).blend(high, toHigh);
  }
}
