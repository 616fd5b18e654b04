package io.headrace.codec.jpeg.packed;

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
/// they are shifted into place. Where the next sixteen begin follows from the sums alone, so that
/// rounds overlap.
final class VectorCoefficientBits extends CoefficientBits {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;

  /// The lowest byte of each int, four times.
  private static final VectorShuffle<Byte> LOWEST = VectorShuffle.fromOp(BYTES, i -> i & ~3);

  private static final IntVector FOUR = IntVector.broadcast(INTS, 0x0302_0100);

  VectorCoefficientBits() {}

  @Override
  int read(byte[] classes, byte[] sums, int count, byte[] in, int start, short[] to) {
    int bit = start;
    IntVector largest = IntVector.zero(INTS);
    for (int i = 0; i < count; i += INTS.length()) {
      IntVector sizes =
          (IntVector)
              ByteVector.fromArray(ByteVector.SPECIES_128, classes, i)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
      largest = largest.max(sizes);
      IntVector places =
          ((IntVector)
                  ByteVector.fromArray(ByteVector.SPECIES_128, sums, i)
                      .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0))
              .sub(sizes)
              .add(bit & 7);
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
      bit += sums[i + 15] & 0xff;
    }
    return largest.reduceLanes(VectorOperators.MAX);
  }
}
