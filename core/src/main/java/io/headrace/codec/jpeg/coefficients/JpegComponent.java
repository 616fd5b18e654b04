package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.JpegHeader;
import java.util.Arrays;

/// One component of a picture of coefficients: its sampling, its blocks and its quantisation.
///
/// Valid until the picture reads another JPEG.
public final class JpegComponent {
  private final int[] quantisation = new int[Blocks.SIZE];
  private int id;
  private int horizontalFactor;
  private int verticalFactor;
  private int quantisationSlot;
  private boolean latched;
  private int columns;
  private int rows;
  private int stride;
  private int paddedRows;
  private long offset;

  JpegComponent() {}

  void set(int id, int horizontal, int vertical, int quantisationSlot) {
    this.id = id;
    horizontalFactor = horizontal;
    verticalFactor = vertical;
    this.quantisationSlot = quantisationSlot;
    latched = false;
  }

  /// Lays the blocks out.
  ///
  /// @param offset of the plane, in bytes
  /// @return offset just after it
  long layOut(int width, int height, int mostH, int mostV, long offset) {
    this.offset = offset;
    columns = (int) Math.ceilDiv(Math.ceilDiv((long) width * horizontalFactor, mostH), 8L);
    rows = (int) Math.ceilDiv(Math.ceilDiv((long) height * verticalFactor, mostV), 8L);
    stride = Math.ceilDiv(width, 8 * mostH) * horizontalFactor;
    paddedRows = Math.ceilDiv(height, 8 * mostV) * verticalFactor;
    return offset + (long) stride * paddedRows * Blocks.BYTES;
  }

  /// Takes the table that is in force at the component's first scan, as T.81, B.2.4.1 says.
  void latch(int[] table) {
    if (!latched) {
      System.arraycopy(table, 0, quantisation, 0, Blocks.SIZE);
      latched = true;
    }
  }

  boolean latched() {
    return latched;
  }

  int stride() {
    return stride;
  }

  int paddedRows() {
    return paddedRows;
  }

  /// {@return offset of the plane in bytes}
  long offset() {
    return offset;
  }

  /// {@return offset of a block in bytes}
  long block(int row, int column) {
    return offset + ((long) row * stride + column) * Blocks.BYTES;
  }

  /// {@return whether the other is the same, but that it may have more columns}
  boolean fits(JpegComponent other) {
    return id == other.id
        && columns <= other.columns
        && rows == other.rows
        && horizontalFactor == other.horizontalFactor
        && verticalFactor == other.verticalFactor
        && sameQuantisation(other);
  }

  /// {@return whether a component of another header is the same}
  ///
  /// @param table its quantisation
  boolean is(JpegHeader header, int component, int[] table) {
    return id == header.id(component)
        && horizontalFactor == header.horizontalFactor(component)
        && verticalFactor == header.verticalFactor(component)
        && Arrays.equals(quantisation, table);
  }

  boolean sameQuantisation(JpegComponent other) {
    return Arrays.equals(quantisation, other.quantisation);
  }

  /// {@return the number the file gives it, often 1 to 4 or the letters R, G, B}
  public int id() {
    return id;
  }

  /// {@return blocks across in one MCU, 1 to 4}
  public int horizontalFactor() {
    return horizontalFactor;
  }

  /// {@return blocks down in one MCU, 1 to 4}
  public int verticalFactor() {
    return verticalFactor;
  }

  /// {@return blocks across that hold samples of the picture}
  public int columns() {
    return columns;
  }

  /// {@return blocks down that hold samples of the picture}
  public int rows() {
    return rows;
  }

  /// {@return number of the quantisation table in the file, 0 to 3}
  public int quantisationSlot() {
    return quantisationSlot;
  }

  /// {@return divisor of the `k`-th coefficient of the zigzag, 0 to 65535}
  public int quantisation(int k) {
    return quantisation[k];
  }
}
