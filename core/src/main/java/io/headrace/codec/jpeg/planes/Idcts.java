package io.headrace.codec.jpeg.planes;

import java.lang.reflect.Constructor;

/// Which [Idct] there is.
final class Idcts {
  private static final boolean VECTORS =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  private Idcts() {}

  /// {@return whether the JVM has vectors}
  static boolean vectors() {
    return VECTORS;
  }

  /// {@return whether it has such of 512 bits}
  static boolean wide() {
    return VECTORS && VectorGroup.MAX_BITS == 512; // linked only where there are vectors
  }

  /// {@return the fastest of this JVM, once the JIT has compiled it}
  static Idct fastest() {
    return VECTORS ? vector() : new ScalarIdct();
  }

  /// {@return the one of sixteen blocks, likewise}
  static BlockGroup group(int count) {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.jpeg.planes.VectorGroup")
              .getDeclaredConstructor(int.class);
      return (BlockGroup) make.newInstance(count);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /// {@return the one that needs the module, whose class must not be linked without it}
  static Idct vector() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.jpeg.planes.VectorIdct").getDeclaredConstructor();
      return (Idct) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
