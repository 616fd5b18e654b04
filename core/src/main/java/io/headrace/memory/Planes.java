package io.headrace.memory;

import java.lang.foreign.MemorySegment;

/// Luminance and chrominance of a JPEG, or of part of it, each at the resolution it was coded in;
/// for other images red, green and blue. A reusable holder, which a decoder fills.
///
/// Planes are uint8. Chrominance is 128 where there is no colour; a sample of it covers
/// [#across] x [#down] samples of luminance, centred. Colours are those of JFIF 1.02 (ITU-R
/// BT.601, full range).
public final class Planes {
  private static final int PLANES = 3;

  /// The most samples of luminance to one of chrominance, across or down.
  private static final int GROUP = 4;

  private MemorySegment memory = MemorySegment.NULL;
  private final long[] starts = new long[PLANES];
  private final int[] strides = new int[PLANES];
  private int count;
  private int across;
  private int down;
  private int height;
  private int width;
  private int top;
  private int left;
  private boolean colours;

  /// An empty holder.
  public Planes() {}

  /// Lays planes out for a picture whose luminance has `height` x `width` samples.
  ///
  /// Rows are as long as libjpeg-turbo makes them: whole groups of luminance samples. Source:
  /// `tjPlaneWidth` and `tjPlaneHeight` in turbojpeg.h. Every plane has room for as many rows as
  /// luminance, and grey pictures have three: if libjpeg-turbo ever read another sampling from a
  /// header than Headrace does, it would still write within them.
  ///
  /// @param count planes with something in them: 1 or 3
  /// @param across samples of luminance to one of chrominance
  /// @param down as `across`
  /// @param height rows of luminance
  /// @param width columns of luminance
  /// @return bytes that they take
  public long layOut(int count, int across, int down, int height, int width) {
    colours = false;
    this.count = count;
    this.across = across;
    this.down = down;
    this.height = height;
    this.width = width;
    top = 0;
    left = 0;
    long at = 0;
    for (int p = 0; p < PLANES; p++) {
      strides[p] = Math.ceilDiv(width, across) * (p == 0 ? across : 1);
      starts[p] = at;
      at += (height + GROUP) * (long) strides[p] + width + GROUP;
    }
    return at;
  }

  /// Lays three planes out for red, green and blue.
  ///
  /// @param height rows
  /// @param width columns
  /// @return bytes that they take
  public long layOutColours(int height, int width) {
    long bytes = layOut(PLANES, 1, 1, height, width);
    colours = true;
    return bytes;
  }

  /// Says where the planes are.
  ///
  /// @param memory at least as many bytes as [#layOut] said
  public void in(MemorySegment memory) {
    this.memory = memory;
  }

  /// Says which sample of the picture's luminance the planes start with.
  ///
  /// @param top row, a multiple of [#down]
  /// @param left column, a multiple of [#across]
  public void startAt(int top, int left) {
    this.top = top;
    this.left = left;
  }

  /// {@return what holds the planes; belongs to the decoder, valid until it decodes again}
  public MemorySegment memory() {
    return memory;
  }

  /// {@return whether planes are red, green and blue, and not luminance and chrominance}
  public boolean colours() {
    return colours;
  }

  /// {@return planes: 1 of a grey picture, else 3}
  public int count() {
    return count;
  }

  /// {@return columns of luminance to one of chrominance: 1, 2 or 4}
  public int across() {
    return across;
  }

  /// {@return rows of luminance to one of chrominance: 1 or 2}
  public int down() {
    return down;
  }

  /// {@return rows of luminance that are here}
  public int height() {
    return height;
  }

  /// {@return columns of luminance that are here}
  public int width() {
    return width;
  }

  /// {@return bytes from one row of a plane to the next}
  public int stride(int plane) {
    return strides[plane];
  }

  /// {@return offset in [#memory] of a sample, in bytes}
  ///
  /// @param plane 0 luminance, 1 blue, 2 red; of colours 0 red, 1 green, 2 blue
  /// @param y row of the picture's plane
  /// @param x column of the picture's plane
  public long offset(int plane, int y, int x) {
    int row = plane == 0 ? y - top : y - top / down;
    int column = plane == 0 ? x - left : x - left / across;
    return starts[plane] + (long) row * strides[plane] + column;
  }

  /// {@return offset in [#memory] of the first sample of a plane that is here, in bytes}
  public long start(int plane) {
    return starts[plane];
  }
}
