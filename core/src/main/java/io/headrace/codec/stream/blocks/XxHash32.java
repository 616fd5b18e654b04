package io.headrace.codec.stream.blocks;

import static io.headrace.memory.LittleEndian.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// XXH32 with seed 0 over bytes that come in pieces: the checksum of LZ4 frames. Source: the XXH32
/// algorithm description in `doc/xxhash_spec.md` of xxHash, version 0.1.1.
final class XxHash32 {
  private static final int PRIME_1 = 0x9e3779b1;
  private static final int PRIME_2 = 0x85ebca77;
  private static final int PRIME_3 = 0xc2b2ae3d;
  private static final int PRIME_4 = 0x27d4eb2f;
  private static final int PRIME_5 = 0x165667b1;
  private static final int STRIPE = 16;

  /// The bytes of a stripe begun.
  private final MemorySegment begun = MemorySegment.ofArray(new byte[STRIPE]);
  private int a;
  private int b;
  private int c;
  private int d;
  private long total;

  XxHash32() {
    reset();
  }

  void reset() {
    a = 0x24234428; // PRIME_1 + PRIME_2
    b = PRIME_2;
    c = 0;
    d = -PRIME_1;
    total = 0;
  }

  void update(MemorySegment bytes, long offset, long length) {
    long at = offset;
    long end = offset + length;
    int held = (int) (total % STRIPE);
    total += length;
    if (held > 0) {
      long more = Math.min(STRIPE - held, length);
      MemorySegment.copy(bytes, at, begun, held, more);
      at += more;
      if (held + more < STRIPE) {
        return;
      }
      stripes(begun, 0, STRIPE);
    }
    long whole = (end - at) / STRIPE * STRIPE;
    stripes(bytes, at, whole);
    at += whole;
    MemorySegment.copy(bytes, at, begun, 0, end - at);
  }

  private void stripes(MemorySegment bytes, long offset, long length) {
    int w = a;
    int x = b;
    int y = c;
    int z = d;
    for (long at = offset; at < offset + length; at += STRIPE) {
      w = Integer.rotateLeft(w + bytes.get(U32, at) * PRIME_2, 13) * PRIME_1;
      x = Integer.rotateLeft(x + bytes.get(U32, at + 4) * PRIME_2, 13) * PRIME_1;
      y = Integer.rotateLeft(y + bytes.get(U32, at + 8) * PRIME_2, 13) * PRIME_1;
      z = Integer.rotateLeft(z + bytes.get(U32, at + 12) * PRIME_2, 13) * PRIME_1;
    }
    a = w;
    b = x;
    c = y;
    d = z;
  }

  /// {@return the hash of all bytes since the last reset}
  int value() {
    int hash =
        total >= STRIPE
            ? Integer.rotateLeft(a, 1)
                + Integer.rotateLeft(b, 7)
                + Integer.rotateLeft(c, 12)
                + Integer.rotateLeft(d, 18)
            : PRIME_5;
    hash += (int) total;
    int held = (int) (total % STRIPE);
    int at = 0;
    for (; at + 4 <= held; at += 4) {
      hash = Integer.rotateLeft(hash + begun.get(U32, at) * PRIME_3, 17) * PRIME_4;
    }
    for (; at < held; at++) {
      hash = Integer.rotateLeft(hash + (begun.get(JAVA_BYTE, at) & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return hash ^ hash >>> 16;
  }

  /// {@return the hash of these bytes alone}
  static int of(MemorySegment bytes, long offset, long length) {
    var hash = new XxHash32();
    hash.update(bytes, offset, length);
    return hash.value();
  }
}
