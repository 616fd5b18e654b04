package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.payload.Differences.Kind;
import java.lang.foreign.MemorySegment;

/// Components switched on by the data. Chunks of 262,144 values, the last one shorter, each
/// readable alone:
///
///     0  kind    uint8   of [Differences.Kind]: 0 none, 1 xor, 2 left, 3 above, 4 Lorenzo
///     1  zeros   uint8   1 if words of zero are taken out, else 0
///     2  zero    2 bytes
///     4  words   uint32  that are coded: all, or those that are not zero
///     8  rows of [PlaneCoder]: the mask, as of `zvc`, if zeros are out; then one for each byte
///        of a word, lowest first, if there is any word
///
/// Zeros are taken out if there are at least as many as one word in eight. Rows a row before are
/// compared only if zeros stay.
public final class AdaptivePayload implements Payload {
  private static final int CHUNK = 1 << 18;
  private static final int HEADER = 8;

  private final Differences differences = new Differences();
  private final PlaneCoder coder;
  private final Block words;
  private final Block coded;
  private final Block planes;

  public AdaptivePayload(int level, MemoryBudget budget) {
    coder = new PlaneCoder(level, budget);
    words = new Block(budget);
    coded = new Block(budget);
    planes = new Block(budget);
  }

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    int width = layout.width();
    long end = at;
    long words = values.byteSize() / width;
    for (long from = 0; from < words; from += CHUNK) {
      long count = Math.min(CHUNK, words - from);
      MemorySegment chunk = values.asSlice(from * width, count * width);
      end += chunk(chunk, count, layout, out, end);
    }
    return end - at;
  }

  private long chunk(MemorySegment chunk, long count, WordLayout layout, Block out, long at)
      throws DecodeException {
    int width = layout.width();
    long nonZero = Words.countNonZero(chunk, width);
    boolean sparse = count - nonZero >= (count + 7) / 8;
    long end = at + HEADER;
    out.ensureKeeping(end);
    MemorySegment dense = chunk;
    long kept = count;
    if (sparse) {
      long mask = ZvcPayload.maskBytes(count);
      MemorySegment memory = words.ensure(mask + (count + 1) * width + 8);
      ZvcPayload.pack(chunk, count, width, memory, 0, mask);
      end += coder.encode(memory.asSlice(0, mask), out, end);
      kept = nonZero;
      dense = memory.asSlice(mask, kept * width);
    }
    Kind kind = Kind.NONE;
    if (kept > 0) {
      long rows = sparse ? 0 : layout.columns();
      kind = differences.choose(dense, kept, width, layout.floats(), rows);
      if (kind != Kind.NONE) {
        MemorySegment differing = coded.ensure(kept * width);
        Differences.apply(kind, dense, kept, width, layout.floats(), rows, differing);
        dense = differing;
      }
      MemorySegment split = planes.ensure(kept * width);
      Shuffle.split(dense, kept, width, split);
      for (int k = 0; k < width; k++) {
        end += coder.encode(split.asSlice(k * kept, kept), out, end);
      }
    }
    MemorySegment to = out.memory();
    to.set(U32, at, kind.number() | (sparse ? 1 << 8 : 0));
    to.set(U32, at + 4, (int) kept);
    return end - at;
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    int width = layout.width();
    long at = 0;
    long words = values.byteSize() / width;
    for (long from = 0; from < words; from += CHUNK) {
      long count = Math.min(CHUNK, words - from);
      MemorySegment chunk = values.asSlice(from * width, count * width);
      at += decodeChunk(payload, at, chunk, count, layout);
    }
    if (at != payload.byteSize()) {
      throw Payload.corrupt("adaptive", "chunks end at %d of %d".formatted(at, payload.byteSize()));
    }
  }

  private long decodeChunk(
      MemorySegment payload, long at, MemorySegment chunk, long count, WordLayout layout)
      throws DecodeException {
    int width = layout.width();
    int flags = payload.byteSize() - at < HEADER ? -1 : payload.get(U32, at);
    Kind kind = Kind.of(flags & 0xff);
    long kept = flags < 0 ? -1 : Words.get(payload, at + 4, 4);
    boolean sparse = flags >>> 8 == 1;
    boolean sized = sparse ? kept <= count : flags >>> 8 == 0 && kept == count;
    if (kind == null || kept < 0 || !sized) {
      throw Payload.corrupt("adaptive", "bad chunk header at byte %d".formatted(at));
    }
    long end = at + HEADER;
    long rows = sparse ? 0 : layout.columns();
    if (rows == 0 && (kind == Kind.ABOVE || kind == Kind.LORENZO)) {
      throw Payload.corrupt("adaptive", "rows without rows at byte %d".formatted(at));
    }
    long mask = sparse ? ZvcPayload.maskBytes(count) : 0;
    MemorySegment memory = sparse ? words.ensure(mask + count * width) : chunk;
    if (sparse) {
      end += coder.decode(payload, end, memory.asSlice(0, mask));
    }
    if (kept > 0) {
      MemorySegment split = planes.ensure(kept * width);
      for (int k = 0; k < width; k++) {
        end += coder.decode(payload, end, split.asSlice(k * kept, kept));
      }
      MemorySegment dense = memory.asSlice(mask, kept * width);
      Shuffle.join(split, kept, width, dense);
      Differences.undo(kind, dense, kept, width, layout.floats(), rows);
    }
    if (sparse) {
      ZvcPayload.unpack(
          "adaptive",
          memory.asSlice(0, mask),
          memory.asSlice(mask, kept * width),
          count,
          width,
          chunk);
    }
    return end - at;
  }

  @Override
  public void close() {
    coder.close();
    words.close();
    coded.close();
    planes.close();
  }
}
