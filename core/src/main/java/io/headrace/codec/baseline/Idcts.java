package io.headrace.codec.baseline;

import io.headrace.codec.WarmKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.util.Arrays;

/// Which [Idct] there is, and which is the faster.
final class Idcts {
  private static final boolean VECTORS =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  private static final WarmKernel WARM =
      new WarmKernel("idct", () -> blocks(new ScalarIdct()), () -> blocks(vector()));

  /// {@return what is used while the JIT has not compiled the vectors}
  static Idct plain() {
    if (VECTORS) {
      WARM.start();
    }
    return new ScalarIdct();
  }

  /// {@return whether [#vector] is the faster now}
  static boolean vectorsReady() {
    return VECTORS && WARM.ready();
  }

  /// {@return blocks of all kinds and sizes, made over and over again}
  private static Runnable blocks(Idct idct) {
    int[] q = new int[64];
    Arrays.fill(q, 3);
    int[] c = new int[64];
    MemorySegment plane = Arena.ofAuto().allocate(64);
    int[] turn = new int[1];
    return () -> {
      int last = turn[0]++ % 3 == 0 ? 5 : 40;
      int edge = turn[0] % 8 == 7 ? 4 : turn[0] % 8 == 3 ? 2 : 8;
      for (int i = 0; i <= last; i++) {
        c[i < 10 ? 8 * (i / 3) + i % 3 : i] = 7 - i;
      }
      idct.block(c, q, last, edge, plane, 0, 8);
    };
  }

  /// {@return the one that needs the module, whose class must not be linked without it}
  static Idct vector() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.baseline.VectorIdct").getDeclaredConstructor();
      return (Idct) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Idcts() {}
}
