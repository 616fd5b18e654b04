package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// float32 and float64 through libzfp.
///
///     0   mode       uint8    0 values as they are, 1 accuracy, 2 rate, 3 reversible
///     1   zero       7 bytes
///     8   parameter  float64  mode 1: tolerance; mode 2: bits a value; else 0
///     16  stream              as `zfp_compress` writes it, without zfp's own header
///
/// zfp sees the last dimension as its fastest; if there are more than four, the first ones are
/// merged. What was written is decoded at once and compared. zfp promises nothing for NaN, infinity
/// and values so large that the tolerance is below their precision. If a value is outside the
/// tolerance, mode reversible is used; if that changes a bit, mode 0 is.
public final class ZfpPayload implements Payload {
  private static final int HEADER = 16;
  private static final int STORED = 0;

  /// No value moves further than the parameter.
  public static final int ACCURACY = 1;

  /// Each value takes as many bits as the parameter says.
  public static final int RATE = 2;

  /// Every bit comes back.
  public static final int REVERSIBLE = 3;

  /// The most bits a value.
  public static final double MAX_RATE = 64;

  private static final int MAX_DIMENSIONS = 4;

  /// Bytes that zfp may read or write beyond its own bound: its words are of 8 bytes.
  private static final int SLACK = 64;

  private final int mode;
  private final double parameter;
  private final Block stream;
  private final Block again;
  private final long[] sizes = new long[MAX_DIMENSIONS];
  private double error;

  /// @param mode [#ACCURACY], [#RATE] or [#REVERSIBLE]
  /// @param parameter of the mode; 0 if it has none
  public ZfpPayload(int mode, double parameter, MemoryBudget budget) {
    this.mode = mode;
    this.parameter = parameter;
    stream = new Block(budget);
    again = new Block(budget);
  }

  @Override
  public double error() {
    return error;
  }

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    MemorySegment decoded = again.ensure(values.byteSize()).asSlice(0, values.byteSize());
    if (mode == REVERSIBLE) {
      return reversible(values, layout, out, at, decoded);
    }
    if (mode == RATE && !allFinite(values, layout.width())) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "zfp: NaN or infinity, which a fixed rate cannot hold");
    }
    long bytes = attempt(mode, parameter, values, layout, out, at, decoded);
    error = largestError(values, decoded, layout.width());
    return mode == RATE || error <= parameter
        ? bytes
        : reversible(values, layout, out, at, decoded);
  }

  private static boolean allFinite(MemorySegment values, int width) {
    for (long at = 0; at < values.byteSize(); at += width) {
      if (!Double.isFinite(value(values, at, width))) {
        return false;
      }
    }
    return true;
  }

  private static double value(MemorySegment values, long at, int width) {
    return width == Float.BYTES
        ? Float.intBitsToFloat(values.get(U32, at))
        : Double.longBitsToDouble(values.get(U64, at));
  }

  /// {@return the largest distance of two values at one place; infinity where one is NaN}
  private static double largestError(MemorySegment a, MemorySegment b, int width) {
    double largest = 0;
    for (long at = 0; at < a.byteSize(); at += width) {
      double distance = Math.abs(value(a, at, width) - value(b, at, width));
      if (!(distance <= largest)) {
        if (Double.isNaN(distance)) {
          return Double.POSITIVE_INFINITY;
        }
        largest = distance;
      }
    }
    return largest;
  }

  private long reversible(
      MemorySegment values, WordLayout layout, Block out, long at, MemorySegment decoded)
      throws DecodeException {
    error = 0;
    long bytes = attempt(REVERSIBLE, 0, values, layout, out, at, decoded);
    if (bytes < HEADER + values.byteSize() && values.mismatch(decoded) < 0) {
      return bytes;
    }
    MemorySegment to = out.ensureKeeping(at + HEADER + values.byteSize());
    header(to, at, STORED, 0);
    MemorySegment.copy(values, 0, to, at + HEADER, values.byteSize());
    return HEADER + values.byteSize();
  }

  private static void header(MemorySegment to, long at, int mode, double parameter) {
    to.set(U64, at, mode);
    to.set(U64, at + 8, Double.doubleToRawLongBits(parameter));
  }

  private long attempt(
      int mode,
      double parameter,
      MemorySegment values,
      WordLayout layout,
      Block out,
      long at,
      MemorySegment decoded)
      throws DecodeException {
    MemorySegment zfp = Libzfp.open();
    try {
      int dimensions = configure(zfp, mode, parameter, layout);
      MemorySegment field = Libzfp.field(values, type(layout), dimensions, sizes);
      try {
        long room = Libzfp.maximumSize(zfp, field);
        MemorySegment to = out.ensureKeeping(at + HEADER + room + SLACK);
        header(to, at, mode, parameter);
        // zfp writes whole words, so it gets an aligned buffer of its own
        MemorySegment buffer = stream.ensure(room + SLACK);
        long bytes = Libzfp.run(zfp, field, buffer, false);
        if (bytes == 0) {
          throw new DecodeException(Fault.UNSUPPORTED, "zfp: refuses shape " + layout.sizes());
        }
        MemorySegment.copy(buffer, 0, to, at + HEADER, bytes);
        decompress(zfp, to.asSlice(at + HEADER, bytes), layout, dimensions, decoded);
        return HEADER + bytes;
      } finally {
        Libzfp.fieldFree(field);
      }
    } finally {
      Libzfp.close(zfp);
    }
  }

  private static int type(WordLayout layout) {
    return layout.width() == Float.BYTES ? Libzfp.FLOAT : Libzfp.DOUBLE;
  }

  /// {@return how many dimensions zfp sees; their sizes are then in `sizes`}
  private int configure(MemorySegment zfp, int mode, double parameter, WordLayout layout) {
    int rank = layout.sizes().size();
    int dimensions = Math.clamp(rank, 1, MAX_DIMENSIONS);
    long rest = layout.count();
    for (int i = 0; i < dimensions; i++) {
      boolean slowest = i == dimensions - 1;
      sizes[i] = slowest ? rest : layout.sizes().get(rank - 1 - i);
      rest /= sizes[i];
    }
    switch (mode) {
      case ACCURACY -> Libzfp.setAccuracy(zfp, parameter);
      case RATE -> Libzfp.setRate(zfp, parameter, type(layout), dimensions);
      default -> Libzfp.setReversible(zfp);
    }
    return dimensions;
  }

  /// zfp checks no bounds while it reads: it gets a buffer as long as the longest stream of this
  /// shape, zeros after the payload, and must then have read exactly the payload.
  private void decompress(
      MemorySegment zfp,
      MemorySegment payload,
      WordLayout layout,
      int dimensions,
      MemorySegment values)
      throws DecodeException {
    MemorySegment field = Libzfp.field(values, type(layout), dimensions, sizes);
    try {
      long room = Libzfp.maximumSize(zfp, field) + SLACK;
      long bytes = payload.byteSize();
      if (bytes > room) {
        throw Payload.corrupt("zfp", "%d bytes, at most %d can be".formatted(bytes, room));
      }
      MemorySegment buffer = stream.ensure(room + SLACK);
      MemorySegment.copy(payload, 0, buffer, 0, bytes);
      buffer.asSlice(bytes, room + SLACK - bytes).fill((byte) 0);
      long read = Libzfp.run(zfp, field, buffer, true);
      if (read != bytes) {
        throw Payload.corrupt("zfp", "%d bytes of %d were read".formatted(read, bytes));
      }
    } finally {
      Libzfp.fieldFree(field);
    }
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    if (payload.byteSize() < HEADER || payload.get(U64, 0) >>> 2 != 0) {
      throw Payload.corrupt("zfp", "bad header");
    }
    int how = payload.get(Words.U8, 0);
    double setting = Double.longBitsToDouble(payload.get(U64, 8));
    MemorySegment body = payload.asSlice(HEADER);
    if (how == STORED) {
      if (body.byteSize() != values.byteSize()) {
        throw Payload.corrupt("zfp", "%d bytes stored".formatted(body.byteSize()));
      }
      values.copyFrom(body);
      return;
    }
    boolean sound =
        switch (how) {
          case ACCURACY -> setting > 0 && setting < Double.POSITIVE_INFINITY;
          case RATE -> setting > 0 && setting <= MAX_RATE;
          default -> setting == 0;
        };
    if (!sound || !layout.floats() || layout.width() < Float.BYTES) {
      throw Payload.corrupt("zfp", "mode %d with parameter %s".formatted(how, setting));
    }
    MemorySegment zfp = Libzfp.open();
    try {
      int dimensions = configure(zfp, how, setting, layout);
      decompress(zfp, body, layout, dimensions, values);
    } finally {
      Libzfp.close(zfp);
    }
  }

  @Override
  public void close() {
    stream.close();
    again.close();
  }
}
