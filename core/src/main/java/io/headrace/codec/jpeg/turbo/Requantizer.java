package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headrace.codec.BigEndian;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.codec.jpeg.Spread;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/// Gives other quantisation tables to JPEGs of quality 100, all of whose steps are 1: TurboJPEG
/// encodes with no others. Its lossless transform shows every coefficient to a filter, which
/// divides it here.
///
/// Where steps are odd, the bytes are those of `cjpeg -qtables`. Where a step is even, a
/// coefficient less than 1/2 above the middle of two levels takes the lower one, since it was
/// rounded before. One per encoder.
final class Requantizer {
  private static final StructLayout REGION =
      MemoryLayout.structLayout(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);

  /// The signature of `customFilter` in turbojpeg.h, 2.1.
  private static final FunctionDescriptor FILTER =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, REGION, REGION, JAVA_INT, JAVA_INT, ADDRESS);

  private static final long FILTER_OFFSET = 32; // in a tjtransform
  private static final int TRANSFORM_BYTES = 40;
  private static final int TABLE = 64;

  /// A quotient of at most 2^11 + 127 by at most 255 is exact as a product with so many bits.
  private static final int RECIPROCAL_BITS = 20;

  private final MemorySegment handle;
  private final MemorySegment transform;
  private final MemorySegment buffer;
  private final MemorySegment size;
  private final int[][] halves = new int[2][TABLE];
  private final int[][] reciprocals = new int[2][TABLE];
  private QuantTables.@Nullable Made tables;
  private @Nullable Spread spread;
  private short[] row = new short[0];

  /// @param arena owns the state of C
  Requantizer(Arena arena) {
    handle = TurboJpeg.initTransform(arena);
    transform = arena.allocate(TRANSFORM_BYTES, Long.BYTES);
    transform.set(ADDRESS, FILTER_OFFSET, stub(arena));
    buffer = arena.allocate(ADDRESS);
    size = arena.allocate(JAVA_LONG);
  }

  @SuppressWarnings("restricted") // a door to C
  private MemorySegment stub(Arena arena) {
    try {
      MethodHandle filter = MethodHandles.lookup().bind(this, "filter", FILTER.toMethodType());
      return Linker.nativeLinker().upcallStub(filter, FILTER, arena);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot link the filter of coefficients", e);
    }
  }

  /// Writes a JPEG with other tables.
  ///
  /// @param jpeg of quality 100, whose own tables are overwritten
  /// @param wanted the tables
  /// @param measured takes the coefficients before they are divided; may be null
  /// @param to takes the JPEG; as long as `tjBufSize` says
  /// @return its bytes, or -1 if libjpeg-turbo cannot: [#error] then says why
  long write(
      MemorySegment jpeg, QuantTables.Made wanted, @Nullable Spread measured, MemorySegment to) {
    if (!wanted.equals(tables)) {
      prepare(wanted);
    }
    for (long at = 2; BigEndian.u8(jpeg, at + 1) != Markers.SOS; ) {
      int length = BigEndian.u16(jpeg, at + 2);
      if (BigEndian.u8(jpeg, at + 1) == Markers.DQT) {
        byte[] zigzag = wanted.zigzag(BigEndian.u8(jpeg, at + 4));
        MemorySegment.copy(zigzag, 0, jpeg, JAVA_BYTE, at + 5, TABLE);
      }
      at += 2L + length;
    }
    spread = measured;
    buffer.set(ADDRESS, 0, to);
    size.set(JAVA_LONG, 0, to.byteSize());
    int failed = TurboJpeg.transform(handle, jpeg, buffer, size, transform);
    return failed == 0 ? size.get(JAVA_LONG, 0) : -1;
  }

  private void prepare(QuantTables.Made wanted) {
    for (int table = 0; table < 2; table++) {
      for (int i = 0; i < TABLE; i++) {
        int step = wanted.steps(table).get(i);
        halves[table][i] = (step - 1) / 2;
        reciprocals[table][i] = (1 << RECIPROCAL_BITS) / step + 1;
      }
    }
    tables = wanted;
  }

  /// {@return the last error, in the library's words}
  String error() {
    return TurboJpeg.errorString(handle);
  }

  /// `customFilter`: the blocks of a component that lie side by side.
  ///
  /// @param coefficients int16 [blocks, 64], each block in natural order
  /// @param array x, y, columns and rows of what they stand for, in pixels of the component
  /// @return 0: the transform goes on
  @SuppressWarnings({"restricted", "unused", "UnusedVariable"}) // C calls it
  int filter(
      MemorySegment coefficients,
      MemorySegment array,
      MemorySegment plane,
      int component,
      int number,
      MemorySegment transform) {
    int count = array.get(JAVA_INT, 8) * array.get(JAVA_INT, 12);
    int table = component == 0 ? 0 : 1;
    if (row.length < count) {
      row = new short[count];
    }
    MemorySegment blocks = coefficients.reinterpret((long) count * Short.BYTES);
    MemorySegment.copy(blocks, JAVA_SHORT, 0, row, 0, count);
    Spread measured = spread;
    if (measured != null) {
      measured.add(table, row, count);
    }
    divide(row, count, halves[table], reciprocals[table]);
    MemorySegment.copy(row, 0, blocks, JAVA_SHORT, 0, count);
    return 0;
  }

  /// Divides to the nearest; what lies in the middle of two goes to the nearer to 0.
  private static void divide(short[] row, int count, int[] halves, int[] reciprocals) {
    for (int block = 0; block < count; block += TABLE) {
      for (int i = 0; i < TABLE; i++) {
        int value = row[block + i];
        int level = ((Math.abs(value) + halves[i]) * reciprocals[i]) >>> RECIPROCAL_BITS;
        row[block + i] = (short) (value < 0 ? -level : level);
      }
    }
  }
}
