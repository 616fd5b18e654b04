package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// One row of bytes through whichever component suits it.
///
///     0   method  uint8   0 constant: 1 byte; 1 plain; 2 run lengths, as `rle` of uint8;
///                         3 entropy: a zstd frame hardly searched for matches;
///                         4 matches: a zstd frame
///     1   bytes   uint32  that follow
///     5   the bytes
///
/// The choice looks at the bytes' frequencies, at how many equal their predecessor, and at what
/// zstd makes of a piece in the middle. What saves less than a fiftieth part is left plain;
/// matches must save a twentieth more than entropy coding alone, which is faster.
final class PlaneCoder implements AutoCloseable {
  static final int HEADER = 5;
  private static final int CONSTANT = 0;
  private static final int PLAIN = 1;
  private static final int RUNS = 2;
  private static final int ENTROPY = 3;
  private static final int MATCHES = 4;
  private static final int PIECE = 32 << 10;

  /// Bytes of a Huffman table and a frame.
  private static final int TABLE = 64;

  private final Packer matches;
  private final ZstdCompressCtx entropy = new ZstdCompressCtx();
  private final Block packed;
  private final RlePayload runs = new RlePayload();
  private final int[] counts = new int[256];

  PlaneCoder(int level, MemoryBudget budget) {
    matches = new Packer(new BlobCompression.Zstd(level), budget);
    packed = new Block(budget);
    // the fast strategy with next to no memory of where it has been: literals only
    entropy.setLevel(1);
    entropy.setStrategy(1);
    entropy.setHashLog(6);
    entropy.setMinMatch(7);
  }

  /// Appends a row.
  ///
  /// @param plain at least one byte
  /// @return bytes appended
  long encode(MemorySegment plain, Block out, long at) throws DecodeException {
    long bytes = plain.byteSize();
    int method = choose(plain);
    MemorySegment body =
        switch (method) {
          case CONSTANT -> plain.asSlice(0, 1);
          case ENTROPY -> entropy(plain);
          case MATCHES -> matches.pack(plain);
          default -> plain;
        };
    if (method == RUNS) {
      long coded = runs.encode(plain, layout(plain), packed, 0);
      body = packed.memory().asSlice(0, coded);
    }
    if (body.byteSize() >= bytes) {
      method = bytes == 1 ? CONSTANT : PLAIN;
      body = plain;
    }
    MemorySegment to = out.ensureKeeping(at + HEADER + body.byteSize());
    to.set(Words.U8, at, (byte) method);
    to.set(U32, at + 1, (int) body.byteSize());
    MemorySegment.copy(body, 0, to, at + HEADER, body.byteSize());
    return HEADER + body.byteSize();
  }

  private MemorySegment entropy(MemorySegment plain) throws DecodeException {
    int bound = (int) Zstd.compressBound(plain.byteSize());
    MemorySegment to = packed.ensure(bound).asSlice(0, bound);
    int bytes =
        entropy.compressDirectByteBuffer(
            to.asByteBuffer(), 0, bound, plain.asByteBuffer(), 0, (int) plain.byteSize());
    return to.asSlice(0, bytes);
  }

  private int choose(MemorySegment plain) throws DecodeException {
    long bytes = plain.byteSize();
    long changes = count(plain);
    if (counts[plain.get(Words.U8, 0) & 0xff] == bytes) {
      return CONSTANT;
    }
    double entropyBytes = bits(counts, bytes) / 8 + TABLE;
    double runBytes = 3.0 * changes;
    long piece = Math.min(bytes, PIECE);
    MemorySegment middle = plain.asSlice((bytes - piece) / 2, piece);
    double matchBytes = (double) matches.pack(middle).byteSize() * bytes / piece;
    double least = Math.min(entropyBytes, matchBytes);
    if (runBytes <= least && runBytes < bytes) {
      return RUNS;
    }
    if (least > 0.98 * bytes) {
      return PLAIN;
    }
    return matchBytes < 0.95 * entropyBytes ? MATCHES : ENTROPY;
  }

  /// Counts the bytes by value.
  ///
  /// @return how many differ from the one before
  private long count(MemorySegment plain) {
    Arrays.fill(counts, 0);
    long changes = 1;
    int last = plain.get(Words.U8, 0) & 0xff;
    for (long i = 0; i < plain.byteSize(); i++) {
      int value = plain.get(Words.U8, i) & 0xff;
      counts[value]++;
      changes += value == last ? 0 : 1;
      last = value;
    }
    return changes;
  }

  private static WordLayout layout(MemorySegment bytes) {
    return new WordLayout(1, false, List.of((int) bytes.byteSize()));
  }

  /// {@return the entropy of all symbols, by their frequencies, in bits}
  static double bits(int[] counts, long total) {
    double sum = 0;
    for (int count : counts) {
      if (count > 0) {
        sum -= count * Math.log((double) count / total);
      }
    }
    return sum / Math.log(2);
  }

  /// Reads a row.
  ///
  /// @param plain takes the bytes, at least one
  /// @return bytes of the row with its header
  long decode(MemorySegment payload, long at, MemorySegment plain) throws DecodeException {
    if (payload.byteSize() - at < HEADER
        || Words.get(payload, at + 1, 4) > payload.byteSize() - at - HEADER) {
      throw Payload.corrupt("adaptive", "plane cut short at byte %d".formatted(at));
    }
    long bytes = Words.get(payload, at + 1, 4);
    MemorySegment body = payload.asSlice(at + HEADER, bytes);
    int method = payload.get(Words.U8, at);
    boolean sized =
        switch (method) {
          case CONSTANT -> bytes == 1;
          case PLAIN -> bytes == plain.byteSize();
          case RUNS, ENTROPY, MATCHES -> true;
          default -> false;
        };
    if (!sized) {
      throw Payload.corrupt(
          "adaptive", "plane of method %d in %d bytes at byte %d".formatted(method, bytes, at));
    }
    switch (method) {
      case CONSTANT -> plain.fill(body.get(Words.U8, 0));
      case PLAIN -> plain.copyFrom(body);
      case RUNS -> runs.decode(body, layout(plain), plain);
      default -> {
        try {
          matches.unpack(body, plain);
        } catch (DecodeException e) {
          throw Payload.corrupt("adaptive", String.valueOf(e.getMessage()));
        }
      }
    }
    return HEADER + bytes;
  }

  @Override
  public void close() {
    matches.close();
    entropy.close();
    packed.close();
  }
}
