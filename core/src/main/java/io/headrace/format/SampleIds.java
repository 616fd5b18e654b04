package io.headrace.format;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// 64-bit identities of samples, made from their keys so that they survive a change of container.
///
/// The hash is FNV-1a (offset basis cbf29ce484222325, prime 100000001b3; Fowler, Noll and Vo) over
/// the key's UTF-8 bytes, then [CounterRandom#mix], which spreads it over all bits.
public final class SampleIds {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private SampleIds() {}

  /// {@return the identity of the sample with that key}
  public static long of(String key) {
    return of(MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8)));
  }

  /// {@return the identity of the sample whose key is these UTF-8 bytes}
  public static long of(MemorySegment key) {
    return of(key, 0, key.byteSize());
  }

  /// {@return the identity of the sample whose key is `length` UTF-8 bytes from `start` on}
  static long of(MemorySegment bytes, long start, long length) {
    long hash = BASIS;
    for (long i = start; i < start + length; i++) {
      hash = (hash ^ (bytes.get(JAVA_BYTE, i) & 0xff)) * PRIME;
    }
    return CounterRandom.mix(hash);
  }

  /// {@return the text that bytes are in UTF-8}
  public static String utf8(MemorySegment bytes) {
    return new String(bytes.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }
}
