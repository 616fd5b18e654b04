package io.headrace.pipeline.step;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.RowSink;
import io.headrace.pipeline.resize.RowWork;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// An image that effects change: three planes of bytes, and as much room for a second one. Reused;
/// it allocates nothing but what larger images need. Confined to one thread.
public final class Canvas implements RowWork, AutoCloseable {
  private final MemoryBudget budget;
  private byte[] pixels = new byte[0];
  private byte[] spare = new byte[0];
  private int[] row = new int[0];
  private int[] sums = new int[0];
  private byte[] kept = new byte[0];
  private final float[][] floats = new float[4][0];
  private ColourRows loops = ColourRows.PLAIN;
  private @Nullable Drawn current;
  private long reserved;
  private int height;
  private int width;

  /// A canvas without memory yet.
  ///
  /// @param budget from which its memory, which is on the heap, is taken nevertheless
  public Canvas(MemoryBudget budget) {
    this.budget = budget;
  }

  /// Becomes an image of undefined content.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if it is too large
  public void begin(int height, int width) throws DecodeException {
    long bytes = 3L * height * width;
    if (bytes > pixels.length) {
      long more = 2 * (bytes - pixels.length);
      if (bytes > Integer.MAX_VALUE - 64 || !budget.tryReserve(more)) {
        throw new DecodeException(
            Fault.LIMIT,
            "effects on %d x %d pixels need %d bytes more than the memory budget has"
                .formatted(height, width, more));
      }
      reserved += more;
      pixels = new byte[(int) bytes];
      spare = new byte[(int) bytes];
    }
    this.height = height;
    this.width = width;
    loops = ColourRows.fastest();
    if (row.length < 3 * width) {
      row = new int[3 * width];
    }
  }

  /// {@return rows}
  public int height() {
    return height;
  }

  /// {@return columns}
  public int width() {
    return width;
  }

  /// {@return bytes of a plane}
  public int area() {
    return height * width;
  }

  /// {@return uint8 [3, height, width], from the start; valid until [#swap]}
  public byte[] pixels() {
    return pixels;
  }

  /// {@return room for as many bytes, with any content}
  public byte[] spare() {
    return spare;
  }

  /// Takes the content of [#spare] for the image.
  public void swap() {
    byte[] old = pixels;
    pixels = spare;
    spare = old;
  }

  /// Keeps a copy of the image.
  ///
  /// @return the copy, valid until the next
  public byte[] keep() {
    if (kept.length < 3 * area()) {
      kept = new byte[3 * area()];
    }
    System.arraycopy(pixels, 0, kept, 0, 3 * area());
    return kept;
  }

  /// {@return room for whole numbers, with any content; not for use within [#rows]}
  public int[] ints(int count) {
    if (sums.length < count) {
      sums = new int[count];
    }
    return sums;
  }

  /// {@return room for numbers, with any content}
  ///
  /// @param which of four, from 0; the last is for effects with parts
  public float[] floats(int which, int count) {
    if (floats[which].length < count) {
      floats[which] = new float[count];
    }
    return floats[which];
  }

  /// Runs an effect on the whole image.
  public void run(Drawn drawn) {
    switch (drawn.effect()) {
      case RowEffect effect -> {
        effect.prepare(drawn);
        current = drawn;
        rows(this);
        current = null;
      }
      case CanvasEffect effect -> effect.apply(drawn, this);
      case SampleEffect effect -> throw new IllegalStateException(effect.words(drawn));
    }
  }

  @Override
  public void row(int[] rgb, int width) {
    Drawn drawn = current;
    if (drawn != null && drawn.effect() instanceof RowEffect effect) {
      effect.row(drawn, rgb, width);
    }
  }

  /// {@return the image in memory}
  public MemorySegment memory() {
    return MemorySegment.ofArray(pixels).asSlice(0, 3L * area());
  }

  /// Changes every row.
  public void rows(RowWork work) {
    for (int y = 0; y < height; y++) {
      load(y);
      work.row(row, width);
      for (int c = 0; c < 3; c++) {
        loops.store(row, c * width, pixels, (c * height + y) * width, width);
      }
    }
  }

  /// Changes every value by a table.
  ///
  /// @param table results by channel and value
  public void look(int[] table) {
    int area = area();
    for (int c = 0; c < 3; c++) {
      int start = 256 * c;
      for (int i = c * area; i < (c + 1) * area; i++) {
        pixels[i] = (byte) table[start + (pixels[i] & 0xff)];
      }
    }
  }

  /// Writes the image.
  ///
  /// @param target where `sink` writes
  /// @param work is done to every row before; null for nothing
  public void write(MemorySegment target, RowSink sink, @Nullable RowWork work) {
    sink.begin(target, height, width, false);
    for (int y = 0; y < height; y++) {
      load(y);
      if (work != null) {
        work.row(row, width);
      }
      sink.pixelRow(y, row);
    }
  }

  private void load(int y) {
    for (int c = 0; c < 3; c++) {
      loops.load(pixels, (c * height + y) * width, row, c * width, width);
    }
  }

  @Override
  public void close() {
    budget.release(reserved);
    reserved = 0;
    pixels = new byte[0];
    spare = new byte[0];
  }
}
