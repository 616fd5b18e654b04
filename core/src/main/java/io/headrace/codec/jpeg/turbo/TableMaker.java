package io.headrace.codec.jpeg.turbo;

import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.codec.jpeg.Spread;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Makes quantisation tables of a few pictures: the shape comes from the [Spread] of their
/// coefficients, the scale from their bytes, which are to be those of the standard's tables at the
/// same quality. The same pictures, in any order, give the same tables. Confined.
public final class TableMaker implements AutoCloseable {
  /// Pictures that suffice.
  public static final int ENOUGH = 64;

  /// Pictures are kept as JPEGs of quality 100, in so many bytes together; the first in any case.
  private static final long MAX_BYTES = 16L << 20;

  /// The scale is found between 2 to the power of −8, where all steps are 1, and of 6, where all
  /// are 255.
  private static final double MIN_POWER = -8;

  private static final double MAX_POWER = 6;
  private static final int HALVINGS = 12; // to 0.3 % of the scale

  private final JpegEncoder encoder = new JpegEncoder();
  private final Spread spread = new Spread();
  private final List<MemorySegment> kept = new ArrayList<>();
  private final Arena arena = Arena.ofConfined();
  private final Block out;
  private long bytes;

  /// @param budget for the largest picture's JPEG, twice
  /// @throws ConfigException if libturbojpeg is missing
  public TableMaker(MemoryBudget budget) {
    out = new Block(budget);
  }

  /// Adds a picture, unless there are enough.
  ///
  /// @param pixels uint8 [height, width, 3], off heap, rows packed
  /// @throws DecodeException with [io.headrace.error.Fault#LIMIT] if it cannot be encoded
  public void add(MemorySegment pixels, int width, int height) throws DecodeException {
    if (kept.size() == ENOUGH || bytes > MAX_BYTES) {
      return;
    }
    int finest = JpegEncoder.FINEST;
    long length = encoder.encode(pixels, width, height, 3, finest, Subsampling.S420, out);
    MemorySegment jpeg = arena.allocate(length).copyFrom(out.memory().asSlice(0, length));
    encoder.requantize(jpeg, QuantTables.Made.standard(finest), spread, out.memory());
    kept.add(jpeg);
    bytes += length;
  }

  /// {@return pictures that were added}
  public int pictures() {
    return kept.size();
  }

  /// {@return an encoding with tables made of the pictures}
  ///
  /// @throws IllegalStateException if there is none
  public JpegEncoding make(JpegEncoding wanted) throws DecodeException {
    if (kept.isEmpty()) {
      throw new IllegalStateException("no picture to make tables of");
    }
    long target = bytes(QuantTables.Made.standard(wanted.quality()));
    double low = MIN_POWER;
    double high = MAX_POWER;
    QuantTables.Made best = spread.tables(1);
    long nearest = Long.MAX_VALUE;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      QuantTables.Made tables = spread.tables(Math.pow(2, middle));
      long more = bytes(tables) - target;
      if (Math.abs(more) < nearest) {
        nearest = Math.abs(more);
        best = tables;
      }
      if (more > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return wanted.with(best);
  }

  /// {@return bytes of all pictures under some tables}
  private long bytes(QuantTables.Made tables) throws DecodeException {
    long sum = 0;
    for (MemorySegment jpeg : kept) {
      sum += encoder.requantize(jpeg, tables, null, out.memory());
    }
    return sum;
  }

  @Override
  public void close() {
    encoder.close();
    out.close();
    arena.close();
  }
}
