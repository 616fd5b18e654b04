package io.headrace.pipeline.resize;

/// One fused pass over an image: read a box, resize it, cut out a window, mirror it.
///
/// A mutable holder, reused. Everything in pixels.
public final class Stage {
  /// Extent of the image that is read.
  public int inHeight;

  public int inWidth;

  /// The pixel that the memory starts with, and its columns: it may hold only a part of the image,
  /// with everything that is read.
  public int memoryTop;

  public int memoryLeft;
  public int memoryWidth;

  /// The part of it that is read, always within the image.
  public int boxTop;

  public int boxLeft;
  public int boxHeight;
  public int boxWidth;

  /// Extent of the box after resizing.
  public int resizedHeight;

  public int resizedWidth;

  /// The part of that which comes out. It may overhang, and is zero there.
  public int top;

  public int left;
  public int height;
  public int width;

  /// Whether the window comes out mirrored.
  public boolean flipped;

  /// Whether the window comes out upside down.
  public boolean upended;

  /// Becomes the pass that changes nothing.
  public void reset(int height, int width) {
    inHeight = height;
    inWidth = width;
    inMemory(0, 0, width);
    boxTop = 0;
    boxLeft = 0;
    boxHeight = height;
    boxWidth = width;
    resizedHeight = height;
    resizedWidth = width;
    top = 0;
    left = 0;
    this.height = height;
    this.width = width;
    flipped = false;
    upended = false;
  }

  /// {@return whether pixels are only moved, not computed}
  public boolean copies() {
    return resizedHeight == boxHeight && resizedWidth == boxWidth;
  }

  /// {@return whether part of the window overhangs}
  public boolean overhangs() {
    return top < 0
        || left < 0
        || top + (long) height > resizedHeight
        || left + (long) width > resizedWidth;
  }

  /// {@return whether the window shows all of the resized box, and nothing else}
  public boolean whole() {
    return top == 0 && left == 0 && height == resizedHeight && width == resizedWidth;
  }

  /// Resizes what comes out.
  ///
  /// @return whether it could be done in this pass
  public boolean resize(int newHeight, int newWidth) {
    if (newHeight == height && newWidth == width) {
      return true;
    }
    if (!copies() || overhangs() || flipped || upended) {
      return false;
    }
    boxTop += top;
    boxLeft += left;
    boxHeight = height;
    boxWidth = width;
    resizedHeight = newHeight;
    resizedWidth = newWidth;
    top = 0;
    left = 0;
    height = newHeight;
    width = newWidth;
    return true;
  }

  /// Cuts a window out of what comes out. It may overhang.
  ///
  /// @return whether it could be done in this pass
  public boolean crop(int y, int x, int newHeight, int newWidth) {
    boolean outside = y < 0 || x < 0 || y + newHeight > height || x + newWidth > width;
    if (outside && !whole()) {
      return false; // what an earlier crop cut off must stay cut off
    }
    top += upended ? height - y - newHeight : y;
    left += flipped ? width - x - newWidth : x;
    height = newHeight;
    width = newWidth;
    return true;
  }

  /// Reads from a version of the image that was shrunk to `eighths / 8` while being decoded.
  ///
  /// @param newHeight rows of the shrunk image
  /// @param newWidth columns of the shrunk image
  public void shrinkSource(int eighths, int newHeight, int newWidth) {
    inHeight = newHeight;
    inWidth = newWidth;
    inMemory(0, 0, newWidth);
    boxHeight = shrunkLength(boxHeight, eighths, newHeight);
    boxTop = shrunkStart(boxTop, boxHeight, eighths, newHeight);
    boxWidth = shrunkLength(boxWidth, eighths, newWidth);
    boxLeft = shrunkStart(boxLeft, boxWidth, eighths, newWidth);
  }

  /// Reads from memory that holds only a part of the image.
  ///
  /// @param top the image's row that it starts with
  /// @param left the image's column that it starts with
  /// @param width columns that it holds of each row
  public void inMemory(int top, int left, int width) {
    memoryTop = top;
    memoryLeft = left;
    memoryWidth = width;
  }

  /// {@return offset of a pixel in memory, in bytes}
  ///
  /// @param y row of the box
  /// @param x column of the box
  public long offset(int y, int x) {
    long row = (long) boxTop + y - memoryTop;
    return 3 * (row * memoryWidth + boxLeft + x - memoryLeft);
  }

  /// {@return whether the box still has the pixels of the resized box, shrunk to `eighths / 8`}
  public boolean covers(int eighths) {
    return !copies()
        && (long) boxHeight * eighths >= 8L * resizedHeight
        && (long) boxWidth * eighths >= 8L * resizedWidth;
  }

  private static int shrunkLength(int length, int eighths, int limit) {
    return Math.clamp(((long) length * eighths + 4) / 8, 1, limit);
  }

  private static int shrunkStart(int start, int length, int eighths, int limit) {
    return Math.clamp(((long) start * eighths + 4) / 8, 0, limit - length);
  }
}
