package io.headrace.codec.stream.blocks;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/// LZ4 blocks: through the library, and with a history, which the library's Java face lacks.
public final class Lz4Blocks {
  private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();
  private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();
  private static final int SHORTEST_MATCH = 4;

  private Lz4Blocks() {}

  /// {@return a compressor: fast at level 0, else `LZ4_HC`}
  public static LZ4Compressor compressor(int level) {
    return level == 0 ? FACTORY.fastCompressor() : FACTORY.highCompressor(level);
  }

  /// {@return the most bytes that `plain` bytes take}
  public static long bound(long plain) {
    return plain + plain / 255 + 16; // LZ4_COMPRESSBOUND in lz4.h
  }

  /// {@return bytes of the block, or 0 if it has not room}
  public static int compress(
      LZ4Compressor compressor,
      ByteBuffer plain,
      int offset,
      int bytes,
      ByteBuffer to,
      int at,
      int room) {
    if (room < 1) {
      return 0;
    }
    try {
      return compressor.compress(plain, offset, bytes, to, at, room);
    } catch (LZ4Exception e) {
      return 0; // the library's word for it
    }
  }

  /// {@return plain bytes of a block}
  ///
  /// @param room bytes that the plain ones may take
  public static int decompress(
      ByteBuffer block, int offset, int bytes, ByteBuffer to, int at, int room)
      throws DecodeException {
    if (bytes == 0) {
      throw damaged("empty block", offset);
    }
    try {
      return DECOMPRESSOR.decompress(block, offset, bytes, to, at, room);
    } catch (LZ4Exception e) {
      throw new DecodeException(Fault.CORRUPT, "lz4: " + e.getMessage());
    }
  }

  /// As [#decompress], for a block that refers to what stands in `to` before `at`.
  ///
  /// Source: `lz4_Block_format.md` of LZ4.
  ///
  /// @param floor where what it may refer to begins
  static int decompressLinked(
      ByteBuffer block, int offset, int bytes, ByteBuffer to, int floor, int at, int room)
      throws DecodeException {
    int in = offset;
    int end = offset + bytes;
    int out = at;
    int limit = at + room;
    while (in < end) {
      int token = block.get(in++) & 0xff;
      int literals = token >>> 4;
      if (literals == 15) {
        int more;
        do {
          more = in < end ? block.get(in++) & 0xff : fail("length", in);
          literals += more;
        } while (more == 255 && literals <= room);
      }
      if (literals > end - in || literals > limit - out) {
        throw damaged("literals overrun", in);
      }
      to.put(out, block, in, literals);
      in += literals;
      out += literals;
      if (in == end) {
        return out - at;
      }
      if (end - in < 2) {
        throw damaged("match cut short", in);
      }
      int distance = (block.get(in) & 0xff) | (block.get(in + 1) & 0xff) << 8;
      in += 2;
      int match = token & 15;
      if (match == 15) {
        int more;
        do {
          more = in < end ? block.get(in++) & 0xff : fail("length", in);
          match += more;
        } while (more == 255 && match <= room);
      }
      match += SHORTEST_MATCH;
      if (distance == 0 || distance > out - floor || match > limit - out) {
        throw damaged("match overruns", in);
      }
      for (int i = 0; i < match; i++) { // may overlap itself
        to.put(out + i, to.get(out + i - distance));
      }
      out += match;
    }
    throw damaged("no last literals", in);
  }

  private static int fail(String what, int at) throws DecodeException {
    throw damaged(what + " cut short", at);
  }

  private static DecodeException damaged(String what, int at) {
    return new DecodeException(Fault.CORRUPT, "lz4: %s at byte %d of a block".formatted(what, at));
  }
}
