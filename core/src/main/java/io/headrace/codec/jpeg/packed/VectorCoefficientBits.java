package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.LONGS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// Makes sixteen coefficients of their classes and bits at once, with vectors of 512 bits.
///
/// Sums of the classes say where each one's bits begin; four bytes from there go to its lane, where
/// they are shifted into place. Where the next sixteen begin follows from the classes alone, so
/// that
/// rounds overlap.
final class VectorCoefficientBits extends CoefficientBits {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
  private static final long ONES = 0x0101_0101_0101_0101L;

  private static final VectorShuffle<Integer> UP_1 = up(1);
  private static final VectorShuffle<Integer> UP_2 = up(2);
  private static final VectorShuffle<Integer> UP_4 = up(4);
  private static final VectorShuffle<Integer> UP_8 = up(8);
  private static final VectorMask<Integer> FROM_1 = VectorMask.fromLong(INTS, 0xfffe);
  private static final VectorMask<Integer> FROM_2 = VectorMask.fromLong(INTS, 0xfffc);
  private static final VectorMask<Integer> FROM_4 = VectorMask.fromLong(INTS, 0xfff0);
  private static final VectorMask<Integer> FROM_8 = VectorMask.fromLong(INTS, 0xff00);

  /// The lowest byte of each int, four times.
  private static final VectorShuffle<Byte> LOWEST = VectorShuffle.fromOp(BYTES, i -> i & ~3);

  private static final IntVector FOUR = IntVector.broadcast(INTS, 0x0302_0100);

  private static VectorShuffle<Integer> up(int lanes) {
    return VectorShuffle.fromOp(INTS, i -> Math.max(0, i - lanes));
  }

  VectorCoefficientBits() {}

  @Override
  int read(byte[] classes, int count, byte[] in, int start, short[] to) {
    int bit = start;
    IntVector largest = IntVector.zero(INTS);
    for (int i = 0; i < count; i += INTS.length()) {
      IntVector sizes =
          (IntVector)
              ByteVector.fromArray(ByteVector.SPECIES_128, classes, i)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
      largest = largest.max(sizes);
      IntVector ends = sizes.add(sizes.rearrange(UP_1), FROM_1);
      ends = ends.add(ends.rearrange(UP_2), FROM_2);
      ends = ends.add(ends.rearrange(UP_4), FROM_4);
      ends = ends.add(ends.rearrange(UP_8), FROM_8);
      IntVector places = ends.sub(sizes).add(bit & 7);
      ByteVector bytes =
          places
              .lanewise(VectorOperators.LSHR, 3)
              .reinterpretAsBytes()
              .rearrange(LOWEST)
              .add(FOUR.reinterpretAsBytes());
      IntVector values =
          bytes
              .selectFrom(ByteVector.fromArray(BYTES, in, bit >>> 3))
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, places.lanewise(VectorOperators.AND, 7));
      IntVector ones = IntVector.broadcast(INTS, 1).lanewise(VectorOperators.LSHL, sizes).sub(1);
      values = values.lanewise(VectorOperators.AND, ones);
      VectorMask<Integer> negative =
          values.lanewise(VectorOperators.LSHL, 1).compare(VectorOperators.LE, ones);
      ((ShortVector)
              values
                  .sub(ones, negative)
                  .convertShape(VectorOperators.I2S, ShortVector.SPECIES_256, 0))
          .intoArray(to, i);
      long low = ((long) LONGS.get(classes, i) * ONES) >>> 56;
      long high = ((long) LONGS.get(classes, i + 8) * ONES) >>> 56;
      bit += (int) (low + high);
    }
    return largest.reduceLanes(VectorOperators.MAX);
  }
}
