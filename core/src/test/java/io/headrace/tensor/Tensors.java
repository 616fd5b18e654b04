package io.headrace.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.IntStream;

/// Values to encode.
final class Tensors {
  private static final float[] ODD = {
    0f,
    -0f,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE,
    Float.intBitsToFloat(0x7fc12345),
    Float.intBitsToFloat(0xff800001),
    1f,
    -1f
  };

  private Tensors() {}

  static MemorySegment offHeap(Arena arena, byte[] bytes) {
    MemorySegment segment = arena.allocate(Math.max(1, bytes.length), 8).asSlice(0, bytes.length);
    MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  private static void set(MemorySegment to, long i, ElementType type, double value) {
    switch (type) {
      case UINT8 -> to.set(JAVA_BYTE, i, (byte) Math.round(value * 50));
      case INT16 -> to.set(LittleEndian.U16, 2 * i, (short) Math.round(value * 1000));
      case FLOAT16 -> to.set(LittleEndian.U16, 2 * i, Float.floatToFloat16((float) value));
      case FLOAT32 -> to.set(LittleEndian.U32, 4 * i, Float.floatToRawIntBits((float) value));
      case FLOAT64 -> to.set(LittleEndian.U64, 8 * i, Double.doubleToRawLongBits(value));
    }
  }

  private static double value(byte[] floats, int i, ElementType type) {
    ByteBuffer buffer = ByteBuffer.wrap(floats).order(ByteOrder.LITTLE_ENDIAN);
    return type == ElementType.FLOAT32 ? buffer.getFloat(4 * i) : buffer.getDouble(8 * i);
  }

  /// {@return whether no float32 or float64 is NaN or infinite}
  static boolean allFinite(byte[] floats, ElementType type) {
    return IntStream.range(0, floats.length / type.bytes())
        .allMatch(i -> Double.isFinite(value(floats, i, type)));
  }

  /// {@return the largest distance of two floats at one place; infinity where one is NaN}
  static double largestError(byte[] a, byte[] b, ElementType type) {
    return IntStream.range(0, a.length / type.bytes())
        .mapToDouble(i -> Math.abs(value(a, i, type) - value(b, i, type)))
        .map(distance -> Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance)
        .max()
        .orElse(0);
  }

  /// {@return a wave over the last two dimensions, with a little noise}
  static byte[] smooth(ElementType type, TensorShape shape) {
    int columns = Math.max(1, shape.columns());
    byte[] bytes = new byte[(int) shape.elements() * type.bytes()];
    MemorySegment to = MemorySegment.ofArray(bytes);
    var random = new Random(9);
    for (int i = 0; i < shape.elements(); i++) {
      double x = i % columns / 17.0;
      int row = i / columns;
      double y = row / 11.0;
      set(to, i, type, Math.sin(x) + Math.cos(y) + 1e-3 * random.nextGaussian() + 2);
    }
    return bytes;
  }

  /// {@return values of which a share is zero and the others random}
  static byte[] sparse(ElementType type, TensorShape shape, double zeros, long seed) {
    byte[] bytes = new byte[(int) shape.elements() * type.bytes()];
    MemorySegment to = MemorySegment.ofArray(bytes);
    var random = new Random(seed);
    for (int i = 0; i < shape.elements(); i++) {
      if (random.nextDouble() >= zeros) {
        set(to, i, type, random.nextGaussian());
      }
    }
    return bytes;
  }

  /// {@return bytes without any order}
  static byte[] noise(ElementType type, TensorShape shape, long seed) {
    byte[] bytes = new byte[(int) shape.elements() * type.bytes()];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /// {@return one value, over and over}
  static byte[] constant(ElementType type, TensorShape shape, double value) {
    byte[] bytes = new byte[(int) shape.elements() * type.bytes()];
    for (int i = 0; i < shape.elements(); i++) {
      set(MemorySegment.ofArray(bytes), i, type, value);
    }
    return bytes;
  }

  /// {@return NaN payloads, infinities, denormals, zeros of both signs, among others}
  static byte[] odd(ElementType type, TensorShape shape, long seed) {
    byte[] bytes = noise(type, shape, seed);
    var random = new Random(seed);
    MemorySegment to = MemorySegment.ofArray(bytes);
    for (int i = 0; i < shape.elements(); i++) {
      float value = ODD[random.nextInt(ODD.length)];
      if (random.nextInt(3) > 0 && type == ElementType.FLOAT32) {
        to.set(LittleEndian.U32, 4L * i, Float.floatToRawIntBits(value));
      } else if (random.nextInt(3) > 0) {
        set(to, i, type, value);
      }
    }
    return bytes;
  }

  /// {@return values of any of these kinds}
  static byte[] any(ElementType type, TensorShape shape, Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> smooth(type, shape);
      case 1 -> noise(type, shape, random.nextLong());
      case 2 -> constant(type, shape, random.nextInt(3) - 1);
      case 3 -> odd(type, shape, random.nextLong());
      default -> sparse(type, shape, random.nextInt(11) / 10.0, random.nextLong());
    };
  }
}
