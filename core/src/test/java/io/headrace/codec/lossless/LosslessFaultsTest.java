package io.headrace.codec.lossless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Damage is reported, whatever it is.
final class LosslessFaultsTest {
  private static final int WIDTH = 21;
  private static final int HEIGHT = 13;
  private static final LosslessDecoder DECODER = new LosslessDecoder();

  private static byte[] encoded(LosslessLevel level) throws DecodeException {
    return Images.encode(Images.random(new Random(11), WIDTH, HEIGHT, 3), WIDTH, HEIGHT, 3, level);
  }

  private static void fault(ThrowingCallable call, Fault fault) {
    assertThatThrownBy(call)
        .isInstanceOf(DecodeException.class)
        .hasMessageStartingWith("lossless: ")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedBitIsReported(LosslessLevel level) throws DecodeException {
    byte[] encoded = encoded(level);
    for (long bit = 0; bit < 8L * encoded.length; bit++) {
      byte[] damaged = Corrupter.flipBit(encoded, bit);
      assertThatThrownBy(() -> Images.decode(DECODER, damaged))
          .as("bit %d", bit)
          .isInstanceOf(DecodeException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyCutIsReported(LosslessLevel level) throws DecodeException {
    byte[] encoded = encoded(level);
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = Corrupter.cut(encoded, length);
      fault(() -> Images.decode(DECODER, cut), Fault.TRUNCATED);
    }
  }

  /// Law: bytes that pass the checksums, as an attacker's would, give pixels or an error.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void forgedTilesNeverCrash(long seed) throws DecodeException {
    Random random = new Random(seed);
    LosslessLevel level = Images.level(random);
    byte[] encoded = encoded(level);
    int tile = Header.BYTES + LosslessDecoder.ENTRY + Integer.BYTES;
    for (int i = 0; i < 60; i++) {
      byte[] forged = encoded.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        int most = random.nextBoolean() ? 3 * PlaneDecoder.HEADER + 20 : forged.length - tile;
        forged[tile + random.nextInt(most)] = (byte) random.nextInt(256);
      }
      seal(forged);
      try {
        assertThat(Images.decode(DECODER, forged)).hasSize(3 * WIDTH * HEIGHT);
      } catch (DecodeException e) {
        assertThat(e.fault()).isEqualTo(Fault.CORRUPT);
      }
    }
  }

  /// Makes all checksums right again.
  private static void seal(byte[] stream) {
    var checksum = new Checksum();
    MemorySegment bytes = MemorySegment.ofArray(stream);
    int table = Header.BYTES;
    int tile = table + LosslessDecoder.ENTRY + Integer.BYTES;
    bytes.set(Header.U32, table - 4, checksum.of(bytes, 0, table - 4));
    bytes.set(Header.U32, table + 8, checksum.of(bytes, tile, stream.length - tile));
    bytes.set(Header.U32, tile - 4, checksum.of(bytes, table, LosslessDecoder.ENTRY));
  }

  @Test
  void hugeHeadersAreRefusedBeforeAnythingIsAllocated() throws DecodeException {
    byte[] encoded = encoded(LosslessLevel.FAST);
    MemorySegment bytes = MemorySegment.ofArray(encoded);
    bytes.set(Header.U32, 8, 20_000);
    bytes.set(Header.U32, 12, 10_000);
    seal(encoded);
    fault(() -> DECODER.probe(bytes), Fault.TRUNCATED);
    bytes.set(Header.U32, 12, Integer.MAX_VALUE);
    seal(encoded);
    fault(() -> DECODER.probe(bytes), Fault.LIMIT);
  }

  @Test
  void laterVersionsAreNamed() throws DecodeException {
    byte[] encoded = encoded(LosslessLevel.FAST);
    encoded[4] = 2;
    seal(encoded);
    fault(() -> DECODER.probe(MemorySegment.ofArray(encoded)), Fault.UNSUPPORTED);
  }

  @Test
  void pixelLimitIsHeld() throws DecodeException {
    byte[] encoded = encoded(LosslessLevel.FAST);
    try (var strict = new LosslessDecoder((long) WIDTH * HEIGHT - 1)) {
      fault(() -> strict.probe(MemorySegment.ofArray(encoded)), Fault.LIMIT);
    }
  }

  @Test
  void anotherSizeOrWindowIsAMismatch() throws DecodeException {
    MemorySegment bytes = MemorySegment.ofArray(encoded(LosslessLevel.SMALL));
    MemorySegment rgb = MemorySegment.ofArray(new byte[3 * (WIDTH + 1) * (HEIGHT + 1)]);
    fault(() -> DECODER.decode(bytes, WIDTH + 1, HEIGHT, rgb), Fault.MISMATCH);
    fault(() -> DECODER.decodeWindow(bytes, 1, 0, WIDTH, HEIGHT, rgb), Fault.MISMATCH);
    fault(() -> DECODER.decodeWindow(bytes, 0, -1, 1, 1, rgb), Fault.MISMATCH);
    fault(
        () -> DECODER.decode(MemorySegment.ofArray(new byte[] {0x50, 0x4e, 0x47}), 1, 1, rgb),
        Fault.MISMATCH);
  }

  @Test
  void tooSmallSegmentsAreRefused() throws DecodeException {
    MemorySegment bytes = MemorySegment.ofArray(encoded(LosslessLevel.FAST));
    MemorySegment rgb = MemorySegment.ofArray(new byte[3 * WIDTH * HEIGHT - 1]);
    assertThatThrownBy(() -> DECODER.decode(bytes, WIDTH, HEIGHT, rgb))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("818");
    assertThatThrownBy(() -> DECODER.decodeWindow(bytes, 0, 0, 0, 1, rgb))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void paddingStaysUntouched() throws DecodeException {
    byte[] encoded = encoded(LosslessLevel.FAST);
    byte[] rgb = new byte[3 * WIDTH * HEIGHT + 64];
    Arrays.fill(rgb, (byte) 0x5a);
    DECODER.decode(MemorySegment.ofArray(encoded), WIDTH, HEIGHT, MemorySegment.ofArray(rgb));
    assertThat(Arrays.copyOfRange(rgb, 3 * WIDTH * HEIGHT, rgb.length)).containsOnly(0x5a);
  }

  @Test
  void theEncoderHoldsItsBudget() {
    try (var encoder = new LosslessEncoder();
        var out = new Block(new MemoryBudget(4096))) {
      MemorySegment pixels = MemorySegment.ofArray(new byte[3 * 64 * 64]);
      assertThatThrownBy(() -> encoder.encode(pixels, 64, 64, 3, LosslessLevel.FAST, out))
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
      assertThatThrownBy(() -> encoder.encode(pixels, 64, 65, 3, LosslessLevel.FAST, out))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> encoder.encode(pixels, 64, 64, 2, LosslessLevel.FAST, out))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
