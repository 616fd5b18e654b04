package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.payload.FpcModel.Setting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Lossless floats: FPC with predictors, table sizes and hashes that each block chooses for itself.
///
/// Blocks of 65,536 values, the last one shorter, each readable alone:
///
///     0   setting    4 x uint8  bit 0 above, bit 1 Lorenzo; table log; FCM shift; DFCM shift
///     4   packed     uint32     bit 0: codes are a zstd frame, bit 1: residuals are
///     8   codes      uint32     bytes of the codes as stored; plain they take ceil(n / 2)
///     12  residuals  uint32     bytes of the residuals as stored
///     16  residuals  uint32     bytes of the residuals plain
///     20  codes, then residuals
///
/// A value is XORed with the prediction that leaves it more leading zero bytes; on a tie with the
/// first. Its code has 4 bits, the even value's in the low half of a byte: 3 bits for the zero
/// bytes, 1 (the top one) for the prediction taken. For 8-byte words, 4 zero bytes have no code:
/// they count as 3, and 5 to 8 are coded as 4 to 7. The residual is what is left, highest byte
/// first. Predictors: [FpcModel].
public final class FpcPayload implements Payload {
  private static final int BLOCK = 1 << 16;
  private static final int HEADER = 20;
  private static final int SAMPLE = 4096;
  private static final ValueLayout.OfLong BE64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /// What a block tries on a sample of itself. The second row needs rows.
  private static final List<Setting> CANDIDATES =
      List.of(
          new Setting(false, false, 0, 0, 0),
          new Setting(false, false, 10, 6, 2),
          new Setting(false, false, 14, 6, 2),
          new Setting(false, false, 16, 6, 2),
          new Setting(false, false, 12, 4, 1),
          new Setting(false, false, 16, 8, 4));

  private static final List<Setting> ROW_CANDIDATES =
      List.of(
          new Setting(true, true, 0, 0, 0),
          new Setting(false, true, 0, 0, 0),
          new Setting(false, true, 12, 6, 0),
          new Setting(true, false, 0, 0, 0),
          new Setting(true, false, 12, 0, 2));

  private final FpcModel model = new FpcModel();
  private final Packer packer;
  private final Block codes;
  private final Block residuals;

  /// @param level of zstd for codes and residuals
  public FpcPayload(int level, MemoryBudget budget) {
    packer = new Packer(new BlobCompression.Zstd(level), budget);
    codes = new Block(budget);
    residuals = new Block(budget);
  }

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    int width = layout.width();
    long end = at;
    long words = values.byteSize() / width;
    for (long from = 0; from < words; from += BLOCK) {
      int count = (int) Math.min(BLOCK, words - from);
      MemorySegment block = values.asSlice(from * width, (long) count * width);
      end += block(block, count, width, layout.columns(), out, end);
    }
    return end - at;
  }

  private long block(MemorySegment block, int count, int width, int columns, Block out, long at)
      throws DecodeException {
    MemorySegment codeBytes = codes.ensure(BLOCK / 2).asSlice(0, (count + 1) / 2);
    MemorySegment residualBytes = residuals.ensure((long) BLOCK * width + 8);
    Setting setting = choose(block, count, width, columns, codeBytes, residualBytes);
    long plain = code(setting, block, count, width, columns, codeBytes, residualBytes);
    residualBytes = residualBytes.asSlice(0, plain);
    MemorySegment to =
        out.ensureKeeping(at + HEADER + codeBytes.byteSize() + residualBytes.byteSize());
    to.set(U32, at, setting.pack());
    long stored = append(codeBytes, to, at + HEADER);
    boolean codesPacked = stored < codeBytes.byteSize();
    long residualsStored = append(residualBytes, to, at + HEADER + stored);
    boolean residualsPacked = residualsStored < plain;
    to.set(U32, at + 4, (codesPacked ? 1 : 0) | (residualsPacked ? 2 : 0));
    to.set(U32, at + 8, (int) stored);
    to.set(U32, at + 12, (int) residualsStored);
    to.set(U32, at + 16, (int) plain);
    return HEADER + stored + residualsStored;
  }

  /// Appends bytes, packed if that saves a thirty-second part.
  private long append(MemorySegment plain, MemorySegment to, long at) throws DecodeException {
    MemorySegment packed = packer.pack(plain);
    boolean worth = packed.byteSize() < plain.byteSize() - plain.byteSize() / 32;
    MemorySegment bytes = worth ? packed : plain;
    MemorySegment.copy(bytes, 0, to, at, bytes.byteSize());
    return bytes.byteSize();
  }

  private Setting choose(
      MemorySegment block,
      int count,
      int width,
      int columns,
      MemorySegment codeBytes,
      MemorySegment residualBytes) {
    int sampled = Math.min(count, Math.max(SAMPLE, Math.min(4 * columns, BLOCK / 4)));
    Setting best = CANDIDATES.getFirst();
    long least = Long.MAX_VALUE;
    boolean rows = columns > 1 && columns < sampled;
    for (int i = 0; i < CANDIDATES.size() + (rows ? ROW_CANDIDATES.size() : 0); i++) {
      Setting tried =
          i < CANDIDATES.size() ? CANDIDATES.get(i) : ROW_CANDIDATES.get(i - CANDIDATES.size());
      long bytes = code(tried, block, sampled, width, columns, codeBytes, residualBytes);
      if (bytes < least) {
        least = bytes;
        best = tried;
      }
    }
    return best;
  }

  /// {@return bytes of the residuals}
  private long code(
      Setting setting,
      MemorySegment block,
      int count,
      int width,
      int columns,
      MemorySegment codeBytes,
      MemorySegment residualBytes) {
    model.reset(setting, 8 * width);
    int high = 64 - 8 * width;
    long end = 0;
    int pair = 0;
    for (int i = 0; i < count; i++) {
      long word = Words.get(block, (long) i * width, width);
      long first = word ^ model.first(block, i, columns);
      long second = word ^ model.second(block, i, columns);
      model.learn(word);
      int zeros = zeroBytes(first, width);
      int others = zeroBytes(second, width);
      int code = 0;
      long residual = first;
      if (others > zeros) {
        zeros = others;
        residual = second;
        code = 8;
      }
      if (width == 8) {
        zeros = zeros == 4 ? 3 : zeros;
        code |= zeros > 4 ? zeros - 1 : zeros;
      } else {
        code |= zeros;
      }
      residualBytes.set(BE64, end, zeros == width ? 0 : residual << (high + 8 * zeros));
      end += width - zeros;
      if ((i & 1) == 0) {
        pair = code;
        codeBytes.set(Words.U8, i >>> 1, (byte) code);
      } else {
        codeBytes.set(Words.U8, i >>> 1, (byte) (pair | code << 4));
      }
    }
    return end;
  }

  private static int zeroBytes(long residual, int width) {
    return (Long.numberOfLeadingZeros(residual) >>> 3) - (8 - width);
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    int width = layout.width();
    long at = 0;
    long words = values.byteSize() / width;
    for (long from = 0; from < words; from += BLOCK) {
      int count = (int) Math.min(BLOCK, words - from);
      MemorySegment block = values.asSlice(from * width, (long) count * width);
      at += decodeBlock(payload, at, block, count, width, layout.columns());
    }
    if (at != payload.byteSize()) {
      throw Payload.corrupt("fpc", "blocks end at %d of %d".formatted(at, payload.byteSize()));
    }
  }

  private long decodeBlock(
      MemorySegment payload, long at, MemorySegment block, int count, int width, int columns)
      throws DecodeException {
    if (payload.byteSize() - at < HEADER) {
      throw Payload.corrupt("fpc", "block cut short at byte %d".formatted(at));
    }
    Setting setting = Setting.unpack(payload.get(U32, at));
    int packed = payload.get(U32, at + 4);
    long stored = Words.get(payload, at + 8, 4);
    long residualsStored = Words.get(payload, at + 12, 4);
    long plain = Words.get(payload, at + 16, 4);
    if (setting == null
        || packed >>> 2 != 0
        || plain > (long) count * width
        || stored + residualsStored > payload.byteSize() - at - HEADER) {
      throw Payload.corrupt("fpc", "bad block header at byte %d".formatted(at));
    }
    MemorySegment codeBytes = codes.ensure(BLOCK / 2).asSlice(0, (count + 1) / 2);
    MemorySegment residualBytes = residuals.ensure((long) BLOCK * 8 + 8);
    load(payload.asSlice(at + HEADER, stored), (packed & 1) != 0, codeBytes);
    load(
        payload.asSlice(at + HEADER + stored, residualsStored),
        (packed & 2) != 0,
        residualBytes.asSlice(0, plain));
    long used = restore(setting, block, count, width, columns, codeBytes, residualBytes, plain);
    if (used != plain) {
      throw Payload.corrupt(
          "fpc", "codes need %d residual bytes, the block has %d".formatted(used, plain));
    }
    return HEADER + stored + residualsStored;
  }

  private void load(MemorySegment stored, boolean packed, MemorySegment to) throws DecodeException {
    if (!packed && stored.byteSize() != to.byteSize()) {
      throw Payload.corrupt(
          "fpc", "%d bytes stored, expected %d".formatted(stored.byteSize(), to.byteSize()));
    }
    if (!packed) {
      to.copyFrom(stored);
      return;
    }
    try {
      packer.unpack(stored, to);
    } catch (DecodeException e) {
      throw Payload.corrupt("fpc", String.valueOf(e.getMessage()));
    }
  }

  /// {@return how many residual bytes the codes need, read or not}
  private long restore(
      Setting setting,
      MemorySegment block,
      int count,
      int width,
      int columns,
      MemorySegment codeBytes,
      MemorySegment residualBytes,
      long plain) {
    model.reset(setting, 8 * width);
    int high = 64 - 8 * width;
    long at = 0;
    for (int i = 0; i < count; i++) {
      int code = codeBytes.get(Words.U8, i >>> 1) >>> (4 * (i & 1)) & 15;
      int zeros = code & 7;
      zeros += width == 8 && zeros > 3 ? 1 : 0;
      if (zeros > width || at + width - zeros > plain) {
        return -1; // more than there is
      }
      long residual = zeros == width ? 0 : residualBytes.get(BE64, at) >>> (high + 8 * zeros);
      at += width - zeros;
      long prediction = code < 8 ? model.first(block, i, columns) : model.second(block, i, columns);
      long word = prediction ^ residual;
      Words.put(block, (long) i * width, width, word);
      model.learn(word);
    }
    return at;
  }

  @Override
  public void close() {
    packer.close();
    codes.close();
    residuals.close();
  }
}
