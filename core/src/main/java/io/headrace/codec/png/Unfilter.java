package io.headrace.codec.png;

import io.headrace.natives.WarmKernel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.nio.ByteOrder;
import java.util.Random;

/// Turns filtered rows back into samples (ISO/IEC 15948, clause 9), in place.
///
/// A row before the first one stands in front of it, with a filter byte of its own: all zeros at
/// the top of the picture.
class Unfilter {
  static final boolean VECTORS = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  private static final WarmKernel WARM =
      new WarmKernel("png", 50, () -> someRows(new Unfilter()), () -> someRows(vectors()));

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long LOW = 0x7f7f_7f7f_7f7f_7f7fL;

  /// {@return the one with vectors, whose class must not be linked without their module}
  static Unfilter vectors() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.png.VectorUnfilter").getDeclaredConstructor();
      return (Unfilter) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /// {@return whether the one with vectors is the faster now; the first call begins to find out}
  static boolean vectorsPay() {
    if (!VECTORS) {
      return false;
    }
    WARM.start();
    return WARM.ready();
  }

  private static WarmKernel.Form someRows(Unfilter unfilter) {
    int count = 3 * 160;
    int n = 30;
    byte[] rows = new byte[(count + 1) * (n + 1) + 1];
    new Random(1).nextBytes(rows);
    for (int i = 0; i <= n; i++) {
      rows[i * (count + 1)] = (byte) (i <= n / 2 ? 4 : i % 5);
    }
    return () -> unfilter.rows(rows, n, count, 3, 0);
  }

  /// Turns some rows back.
  ///
  /// @param rows the row before, then `n` others, each of `count` bytes after its filter byte; then
  ///     a byte to spare
  /// @param step bytes of a pixel, at least 1: 1, 2, 3, 4, 6 or 8
  /// @param needed rows before this one, and before the last, need not be turned back
  /// @return false if there is no such filter
  boolean rows(byte[] rows, int n, int count, int step, int needed) {
    boolean sound = true;
    for (int i = 1; i <= n && sound; i++) {
      sound = row(rows, i * (count + 1), count, step);
    }
    return sound;
  }

  /// Turns one row back.
  ///
  /// @param at index of its filter byte
  /// @param count bytes after that
  /// @param step bytes of a pixel, at least 1: 1, 2, 3, 4, 6 or 8
  /// @return false if there is no such filter
  static boolean row(byte[] rows, int at, int count, int step) {
    int first = at + 1;
    int up = count + 1;
    switch (rows[at]) {
      case 0 -> {}
      case 1 -> sub(rows, first, count, step);
      case 2 -> up(rows, first, count, up);
      case 3 -> {
        switch (step) {
          case 3 -> average3(rows, first, count, up);
          case 4 -> average4(rows, first, count, up);
          default -> average(rows, first, count, step, up);
        }
      }
      case 4 -> {
        switch (step) {
          case 3 -> paeth3(rows, first, count, up);
          case 4 -> paeth4(rows, first, count, up);
          default -> paeth(rows, first, count, step, up);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void sub(byte[] rows, int first, int count, int step) {
    int end = first + count;
    if (step == 3) {
      byte a0 = 0;
      byte a1 = 0;
      byte a2 = 0;
      for (int i = first; i + 2 < end; i += 3) {
        rows[i] = a0 += rows[i];
        rows[i + 1] = a1 += rows[i + 1];
        rows[i + 2] = a2 += rows[i + 2];
      }
      return;
    }
    for (int i = first + step; i < end; i++) {
      rows[i] += rows[i - step];
    }
  }

  /// Adds eight bytes at once, without carries from one to the next.
  private static void up(byte[] rows, int first, int count, int up) {
    int end = first + count;
    int i = first;
    for (; i + 8 <= end; i += 8) {
      long a = (long) WORDS.get(rows, i);
      long b = (long) WORDS.get(rows, i - up);
      WORDS.set(rows, i, ((a & LOW) + (b & LOW)) ^ ((a ^ b) & ~LOW));
    }
    for (; i < end; i++) {
      rows[i] += rows[i - up];
    }
  }

  private static void average(byte[] rows, int first, int count, int step, int up) {
    for (int i = first; i < first + count; i++) {
      int a = i < first + step ? 0 : rows[i - step] & 0xff;
      rows[i] += (byte) ((a + (rows[i - up] & 0xff)) >> 1);
    }
  }

  private static void average3(byte[] rows, int first, int count, int up) {
    int a0 = 0;
    int a1 = 0;
    int a2 = 0;
    for (int i = first; i + 2 < first + count; i += 3) {
      a0 = (rows[i] + ((a0 + (rows[i - up] & 0xff)) >> 1)) & 0xff;
      a1 = (rows[i + 1] + ((a1 + (rows[i + 1 - up] & 0xff)) >> 1)) & 0xff;
      a2 = (rows[i + 2] + ((a2 + (rows[i + 2 - up] & 0xff)) >> 1)) & 0xff;
      rows[i] = (byte) a0;
      rows[i + 1] = (byte) a1;
      rows[i + 2] = (byte) a2;
    }
  }

  private static void average4(byte[] rows, int first, int count, int up) {
    int a0 = 0;
    int a1 = 0;
    int a2 = 0;
    int a3 = 0;
    for (int i = first; i + 3 < first + count; i += 4) {
      a0 = (rows[i] + ((a0 + (rows[i - up] & 0xff)) >> 1)) & 0xff;
      a1 = (rows[i + 1] + ((a1 + (rows[i + 1 - up] & 0xff)) >> 1)) & 0xff;
      a2 = (rows[i + 2] + ((a2 + (rows[i + 2 - up] & 0xff)) >> 1)) & 0xff;
      a3 = (rows[i + 3] + ((a3 + (rows[i + 3 - up] & 0xff)) >> 1)) & 0xff;
      rows[i] = (byte) a0;
      rows[i + 1] = (byte) a1;
      rows[i + 2] = (byte) a2;
      rows[i + 3] = (byte) a3;
    }
  }

  private static void paeth(byte[] rows, int first, int count, int step, int up) {
    for (int i = first; i < first + count; i++) {
      int b = rows[i - up] & 0xff;
      boolean edge = i < first + step;
      int a = edge ? 0 : rows[i - step] & 0xff;
      int c = edge ? 0 : rows[i - step - up] & 0xff;
      rows[i] += (byte) nearest(a, b, c);
    }
  }

  private static void paeth3(byte[] rows, int first, int count, int up) {
    int a0 = 0;
    int a1 = 0;
    int a2 = 0;
    int c0 = 0;
    int c1 = 0;
    int c2 = 0;
    for (int i = first; i + 2 < first + count; i += 3) {
      int b0 = rows[i - up] & 0xff;
      int b1 = rows[i + 1 - up] & 0xff;
      int b2 = rows[i + 2 - up] & 0xff;
      a0 = (rows[i] + nearest(a0, b0, c0)) & 0xff;
      a1 = (rows[i + 1] + nearest(a1, b1, c1)) & 0xff;
      a2 = (rows[i + 2] + nearest(a2, b2, c2)) & 0xff;
      rows[i] = (byte) a0;
      rows[i + 1] = (byte) a1;
      rows[i + 2] = (byte) a2;
      c0 = b0;
      c1 = b1;
      c2 = b2;
    }
  }

  private static void paeth4(byte[] rows, int first, int count, int up) {
    int a0 = 0;
    int a1 = 0;
    int a2 = 0;
    int a3 = 0;
    int c0 = 0;
    int c1 = 0;
    int c2 = 0;
    int c3 = 0;
    for (int i = first; i + 3 < first + count; i += 4) {
      int b0 = rows[i - up] & 0xff;
      int b1 = rows[i + 1 - up] & 0xff;
      int b2 = rows[i + 2 - up] & 0xff;
      int b3 = rows[i + 3 - up] & 0xff;
      a0 = (rows[i] + nearest(a0, b0, c0)) & 0xff;
      a1 = (rows[i + 1] + nearest(a1, b1, c1)) & 0xff;
      a2 = (rows[i + 2] + nearest(a2, b2, c2)) & 0xff;
      a3 = (rows[i + 3] + nearest(a3, b3, c3)) & 0xff;
      rows[i] = (byte) a0;
      rows[i + 1] = (byte) a1;
      rows[i + 2] = (byte) a2;
      rows[i + 3] = (byte) a3;
      c0 = b0;
      c1 = b1;
      c2 = b2;
      c3 = b3;
    }
  }

  /// {@return the one of left, above and above left that is nearest to `a + b - c`; of equals the
  ///     one named first}
  ///
  /// With the smaller of `a` and `b` as low and the larger as high, distances never need be taken:
  /// it is high where `3c - a - b` is at most low, else low where it is at least high, else `c`.
  /// Without branches, which pixels would not let predict.
  static int nearest(int a, int b, int c) {
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    int middle = 3 * c - b - a;
    int notLow = (middle - high) >> 31;
    int notHigh = (low - middle) >> 31;
    int other = low ^ ((low ^ c) & notLow);
    return high ^ ((high ^ other) & notHigh);
  }
}
