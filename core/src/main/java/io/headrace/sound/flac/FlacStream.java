package io.headrace.sound.flac;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// What a FLAC stream says about itself: STREAMINFO, where its frames start, and the last frame.
/// Source: RFC 9639, section 8.
public final class FlacStream {
  /// Bytes of `fLaC`, of a metadata block's header, of STREAMINFO.
  private static final int MAGIC = 4;

  private static final int BLOCK_HEADER = 4;
  private static final int STREAM_INFO = 34;

  /// Where the MD5 of the samples lies: the last 16 bytes of STREAMINFO.
  private static final int MD5 = MAGIC + BLOCK_HEADER + 18;

  /// Bytes a frame can have: eight channels stored verbatim, 33 bits a sample, and its header.
  private static final long MAX_FRAME = 65_536L * 8 * 33 / 8 + 64;

  /// The most headers tried: a bound on time, since each leads to a checksum.
  private static final int MAX_CHECKSUMS = 8;

  private long total;
  private int bits;
  private int channels;
  private int sampleRate;
  private int blockSize;
  private boolean variable;
  private long frames;

  /// Reads a stream that starts with `fLaC`.
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] or [Fault#CORRUPT] if there is no STREAMINFO
  public void read(MemorySegment flac) throws DecodeException {
    if (flac.byteSize() < MAGIC + BLOCK_HEADER + STREAM_INFO) {
      throw new DecodeException(
          Fault.TRUNCATED, "flac: ends after %d bytes, in STREAMINFO".formatted(flac.byteSize()));
    }
    if ((u8(flac, MAGIC) & 0x7f) != 0) {
      throw new DecodeException(Fault.CORRUPT, "flac: the first metadata is not STREAMINFO");
    }
    blockSize = u8(flac, 8) << 8 | u8(flac, 9); // the smallest: that of every block but the last
    variable = blockSize != (u8(flac, 10) << 8 | u8(flac, 11)); // so before FLAC 1.2 had a bit
    sampleRate = u8(flac, 18) << 12 | u8(flac, 19) << 4 | u8(flac, 20) >> 4;
    channels = (u8(flac, 20) >> 1 & 7) + 1;
    bits = ((u8(flac, 20) & 1) << 4 | u8(flac, 21) >> 4) + 1;
    total = (long) (u8(flac, 21) & 15) << 32;
    for (int i = 0; i < 4; i++) {
      total |= (long) u8(flac, 22 + i) << (24 - 8 * i);
    }
    if (sampleRate < 1 || bits < 4) {
      throw new DecodeException(
          Fault.CORRUPT, "flac: %d Hz, samples of %d bits".formatted(sampleRate, bits));
    }
    frames = skipMetadata(flac);
  }

  /// {@return where the first frame should be; after STREAMINFO if the blocks do not fit}
  private static long skipMetadata(MemorySegment flac) {
    long at = MAGIC;
    boolean last = false;
    while (!last && flac.byteSize() - at >= BLOCK_HEADER) {
      last = u8(flac, at) > 0x7f;
      int size = u8(flac, at + 1) << 16 | u8(flac, at + 2) << 8 | u8(flac, at + 3);
      at += BLOCK_HEADER + size;
    }
    return last && at <= flac.byteSize() ? at : MAGIC + BLOCK_HEADER + STREAM_INFO;
  }

  /// {@return frames of samples by the number of the last frame; -1 if the data does not end with
  ///     a frame}
  public long countByLast(MemorySegment flac, FlacFrame frame) {
    long end = flac.byteSize();
    int tries = MAX_CHECKSUMS;
    for (long at = end - 8; at >= Math.max(frames, end - MAX_FRAME) && tries > 0; at--) {
      if (frame.readHeader(flac, at)) {
        tries--;
        if (FlacFrame.crc16(flac, at, end) == 0) {
          long last = frame.firstSample(this) + frame.blockSize();
          return last - (frame.readHeader(flac, frames) ? frame.firstSample(this) : 0);
        }
      }
    }
    return -1;
  }

  private static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xff;
  }

  /// {@return frames of samples as STREAMINFO says, 0 where it does not}
  public long total() {
    return total;
  }

  /// {@return bits of a sample}
  public int bits() {
    return bits;
  }

  public int channels() {
    return channels;
  }

  /// {@return hertz}
  public int sampleRate() {
    return sampleRate;
  }

  /// {@return samples of every frame but the last, where [#variable] is false}
  int blockSize() {
    return blockSize;
  }

  /// {@return whether frames have samples of any number, so that they are numbered by samples}
  boolean variable() {
    return variable;
  }

  /// {@return where the frames start}
  public long frames() {
    return frames;
  }

  /// {@return whether STREAMINFO has a checksum of the samples}
  public static boolean hasMd5(MemorySegment flac) {
    for (int i = 0; i < 16; i++) {
      if (u8(flac, MD5 + i) != 0) {
        return true;
      }
    }
    return false;
  }

  /// {@return whether the checksum of the samples in STREAMINFO is `md5`}
  public static boolean isMd5(MemorySegment flac, byte[] md5) {
    return MemorySegment.mismatch(flac, MD5, MD5 + 16, MemorySegment.ofArray(md5), 0, md5.length)
        < 0;
  }
}
