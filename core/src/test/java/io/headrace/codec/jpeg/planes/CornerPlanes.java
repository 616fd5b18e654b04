package io.headrace.codec.jpeg.planes;

import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.JpegComponent;
import io.headrace.codec.jpeg.entropy.Corner;
import io.headrace.codec.jpeg.entropy.ScanBits;
import io.headrace.error.DecodeException;
import io.headrace.memory.Planes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// What a picture is at a half or a quarter, by its definition: the corner of each block's
/// coefficients, read by the transcoder's reader, through an [Idct] whose sums have a test of their
/// own.
final class CornerPlanes implements AutoCloseable {
  private final JpegCoefficients picture = new JpegCoefficients();
  private final Idct idct = new ScalarIdct();

  /// @param edge samples that a block becomes across and down: 4 or 2
  void decode(MemorySegment jpeg, int edge, Arena arena, Planes planes) throws DecodeException {
    picture.read(jpeg);
    int count = picture.components();
    JpegComponent first = picture.component(0);
    int across = count == 1 ? 1 : first.horizontalFactor();
    int down = count == 1 ? 1 : first.verticalFactor();
    // Rows of blocks end with those that the picture shows; there is room for whole MCUs.
    int height = edge * Math.ceilDiv(first.rows(), down) * down;
    int width = edge * Math.ceilDiv(first.columns(), across) * across;
    planes.in(arena.allocate(planes.layOut(count, across, down, height, width)));
    planes.startAt(0, 0);
    Corner corner = edge == 4 ? Corner.OF_4 : Corner.OF_2;
    int[] zigzag = new int[64];
    int[] factors = new int[16];
    int[] coefficients = new int[ScanBits.ROOM];
    for (int i = 0; i < count; i++) {
      JpegComponent component = picture.component(i);
      for (int k = 0; k < 64; k++) {
        zigzag[k] = component.quantisation(k);
      }
      corner.pick(zigzag, factors);
      for (int row = 0; row < component.rows(); row++) {
        for (int column = 0; column < component.columns(); column++) {
          for (int k = 0; k < 64; k++) {
            zigzag[k] = picture.coefficient(i, row, column, k);
          }
          corner.pick(zigzag, coefficients);
          long at = planes.offset(i, edge * row, edge * column);
          idct.corner(coefficients, factors, false, edge, planes.memory(), at, planes.stride(i));
        }
      }
    }
  }

  @Override
  public void close() {
    picture.close();
  }
}
