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

  /// {@return the fastest of this JVM, once the JIT has compiled it}
  static Idct fastest() {
    return VECTORS ? vector() : new ScalarIdct();
  }

  /// {@return the one that needs the module, whose class must not be linked without it}
  static Idct vector() {
    return (Idct) make("VectorIdct");
  }

  /// {@return the one of two blocks, likewise}
  static BlockPairs pairs() {
    return (BlockPairs) make("VectorPairs");
  }

  private static Object make(String name) {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.jpeg.planes." + name).getDeclaredConstructor();
      return make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
