package io.headrace.tensor;

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
final class ZfpPayload implements Payload {
  private static final int HEADER = 16;
  private static final int MODE_STORED = 0;
  private static final int MODE_ACCURACY = 1;
  private static final int MODE_RATE = 2;
  private static final int MODE_REVERSIBLE = 3;
  private static final int MAX_DIMENSIONS = 4;

  /// Bytes that zfp may read or write beyond its own bound: its words are of 8 bytes.
  private static final int SLACK = 64;

  private final TensorCodec.Zfp codec;
  private final Block stream;
  private final Block again;
  private final long[] sizes = new long[MAX_DIMENSIONS];
  private double error;

  ZfpPayload(TensorCodec.Zfp codec, MemoryBudget budget) {
    this.codec = codec;
    stream = new Block(budget);
    again = new Block(budget);
  }

  @Override
  public double error() {
    return error;
  }

  @Override
  public long encode(MemorySegment values, ElementType type, TensorShape shape, Block out, long at)
      throws DecodeException {
    MemorySegment decoded = again.ensure(values.byteSize()).asSlice(0, values.byteSize());
    return switch (codec) {
      case TensorCodec.ZfpAccuracy(double tolerance) -> {
        long bytes = attempt(MODE_ACCURACY, tolerance, values, type, shape, out, at, decoded);
        error = Errors.largest(values, decoded, type);
        yield error <= tolerance ? bytes : reversible(values, type, shape, out, at, decoded);
      }
      case TensorCodec.ZfpRate(double bits) -> {
        if (!Errors.allFinite(values, type)) {
          throw new DecodeException(
              Fault.UNSUPPORTED, "zfp: NaN or infinity, which a fixed rate cannot hold");
        }
        long bytes = attempt(MODE_RATE, bits, values, type, shape, out, at, decoded);
        error = Errors.largest(values, decoded, type);
        yield bytes;
      }
      case TensorCodec.ZfpReversible _ -> reversible(values, type, shape, out, at, decoded);
    };
  }

  private long reversible(
      MemorySegment values,
      ElementType type,
      TensorShape shape,
      Block out,
      long at,
      MemorySegment decoded)
      throws DecodeException {
    error = 0;
    long bytes = attempt(MODE_REVERSIBLE, 0, values, type, shape, out, at, decoded);
    if (bytes < HEADER + values.byteSize() && values.mismatch(decoded) < 0) {
      return bytes;
    }
    MemorySegment to = out.ensureKeeping(at + HEADER + values.byteSize());
    header(to, at, MODE_STORED, 0);
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
      ElementType type,
      TensorShape shape,
      Block out,
      long at,
      MemorySegment decoded)
      throws DecodeException {
    MemorySegment zfp = Libzfp.open();
    try {
      int dimensions = configure(zfp, mode, parameter, type, shape);
      MemorySegment field = Libzfp.field(values, type(type), dimensions, sizes);
      try {
        long room = Libzfp.maximumSize(zfp, field);
        MemorySegment to = out.ensureKeeping(at + HEADER + room + SLACK);
        header(to, at, mode, parameter);
        // zfp writes whole words, so it gets an aligned buffer of its own
        MemorySegment buffer = stream.ensure(room + SLACK);
        long bytes = Libzfp.run(zfp, field, buffer, false);
        if (bytes == 0) {
          throw new DecodeException(Fault.UNSUPPORTED, "zfp: refuses shape " + shape);
        }
        MemorySegment.copy(buffer, 0, to, at + HEADER, bytes);
        decompress(zfp, to.asSlice(at + HEADER, bytes), type, dimensions, decoded);
        return HEADER + bytes;
      } finally {
        Libzfp.fieldFree(field);
      }
    } finally {
      Libzfp.close(zfp);
    }
  }

  private static int type(ElementType type) {
    return type == ElementType.FLOAT32 ? Libzfp.FLOAT : Libzfp.DOUBLE;
  }

  /// {@return how many dimensions zfp sees; their sizes are then in `sizes`}
  private int configure(
      MemorySegment zfp, int mode, double parameter, ElementType type, TensorShape shape) {
    int dimensions = Math.clamp(shape.rank(), 1, MAX_DIMENSIONS);
    long rest = shape.elements();
    for (int i = 0; i < dimensions; i++) {
      boolean slowest = i == dimensions - 1;
      sizes[i] = slowest ? rest : shape.size(shape.rank() - 1 - i);
      rest /= sizes[i];
    }
    switch (mode) {
      case MODE_ACCURACY -> Libzfp.setAccuracy(zfp, parameter);
      case MODE_RATE -> Libzfp.setRate(zfp, parameter, type(type), dimensions);
      default -> Libzfp.setReversible(zfp);
    }
    return dimensions;
  }

  /// zfp checks no bounds while it reads: it gets a buffer as long as the longest stream of this
  /// shape, zeros after the payload, and must then have read exactly the payload.
  private void decompress(
      MemorySegment zfp,
      MemorySegment payload,
      ElementType type,
      int dimensions,
      MemorySegment values)
      throws DecodeException {
    MemorySegment field = Libzfp.field(values, type(type), dimensions, sizes);
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
  public void decode(
      MemorySegment payload, ElementType type, TensorShape shape, MemorySegment values)
      throws DecodeException {
    if (payload.byteSize() < HEADER || payload.get(U64, 0) >>> 2 != 0) {
      throw Payload.corrupt("zfp", "bad header");
    }
    int mode = payload.get(Words.U8, 0);
    double parameter = Double.longBitsToDouble(payload.get(U64, 8));
    MemorySegment body = payload.asSlice(HEADER);
    if (mode == MODE_STORED) {
      if (body.byteSize() != values.byteSize()) {
        throw Payload.corrupt("zfp", "%d bytes stored".formatted(body.byteSize()));
      }
      values.copyFrom(body);
      return;
    }
    boolean sound =
        switch (mode) {
          case MODE_ACCURACY -> parameter > 0 && parameter < Double.POSITIVE_INFINITY;
          case MODE_RATE -> parameter > 0 && parameter <= TensorCodec.ZfpRate.MAX_BITS;
          default -> parameter == 0;
        };
    if (!sound || (type != ElementType.FLOAT32 && type != ElementType.FLOAT64)) {
      throw Payload.corrupt("zfp", "mode %d with parameter %s".formatted(mode, parameter));
    }
    MemorySegment zfp = Libzfp.open();
    try {
      int dimensions = configure(zfp, mode, parameter, type, shape);
      decompress(zfp, body, type, dimensions, values);
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
