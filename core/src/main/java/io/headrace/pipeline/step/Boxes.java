package io.headrace.pipeline.step;

/// The boxes of an image, in its pixels, for steps that depend on them. A mutable holder, reused by
/// one worker: whoever reads the boxes fills it before the image is planned.
public final class Boxes {
  private float[] edges = new float[0];
  private int count;

  /// Holds other boxes, whose edges are to be set.
  ///
  /// @return float32 [count, 4]: left, top, right, bottom; it may be longer
  public float[] begin(int newCount) {
    if (edges.length < 4 * newCount) {
      edges = new float[4 * newCount];
    }
    count = newCount;
    return edges;
  }

  /// {@return how many there are}
  public int count() {
    return count;
  }

  /// {@return an edge of a box}
  ///
  /// @param box from 0
  /// @param side 0 left, 1 top, 2 right, 3 bottom
  public float edge(int box, int side) {
    return edges[4 * box + side];
  }
}
