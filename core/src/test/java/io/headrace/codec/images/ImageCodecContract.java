package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The laws of every image codec, told through the facades.
public abstract class ImageCodecContract {
  private static final List<Fault> MAGIC_CUT = List.of(Fault.TRUNCATED, Fault.MISMATCH);

  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final ImageEncoder encoder = new ImageEncoder();
  private final ImageDecoder decoder = new ImageDecoder();

  /// For the codec that a subclass names.
  protected ImageCodecContract() {}

  /// {@return how to encode}
  protected abstract ImageEncoding encoding();

  /// {@return how far a decoded sample of [Pictures#smooth] may be from its source}
  protected abstract int tolerance();

  @AfterEach
  void close() {
    decoder.close();
    encoder.close();
    out.close();
    arena.close();
  }

  private byte[] encode(int width, int height, int channels) throws DecodeException {
    MemorySegment pixels = Pictures.offHeap(arena, Pictures.smooth(width, height, channels));
    long bytes = encoder.encode(pixels, width, height, channels, encoding(), out);
    return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
  }

  private byte[] decode(byte[] encoded) throws DecodeException {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment bytes = Pictures.offHeap(scope, encoded);
      ImageInfo info = decoder.probe(bytes);
      MemorySegment rgb = scope.allocate(info.rgbBytes());
      decoder.decodeRgb(bytes, info, rgb);
      return rgb.toArray(JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 3",
    "1, 1, 1",
    "1, 9, 3",
    "17, 1, 3",
    "7, 5, 1",
    "8, 8, 3",
    "16, 16, 3",
    "17, 33, 3",
    "17, 33, 1",
    "200, 121, 3"
  })
  void whatIsEncodedDecodes(int width, int height, int channels) throws DecodeException {
    byte[] encoded = encode(width, height, channels);
    ImageInfo info = decoder.probe(Pictures.offHeap(arena, encoded));
    assertThat(info.format()).isEqualTo(encoding().format());
    assertThat(info.width()).isEqualTo(width);
    assertThat(info.height()).isEqualTo(height);
    assertThat(info.channels()).isEqualTo(storesGrey() ? channels : 3);
    assertThat(info.bitDepth()).isEqualTo(8);
    assertThat(info.orientation()).isEqualTo(1);
    byte[] source = Pictures.rgb(Pictures.smooth(width, height, channels), channels);
    assertThat(Pictures.largestDifference(decode(encoded), source))
        .isLessThanOrEqualTo(tolerance());
  }

  /// Law: a decoder may go from thread to thread, and is closed by whichever has it.
  @Test
  void aDecoderGoesFromThreadToThread() throws Exception {
    byte[] encoded = encode(17, 33, 3);
    try (var other = Executors.newSingleThreadExecutor()) {
      byte[] there = other.submit(() -> decode(encoded)).get();
      assertThat(decode(encoded)).isEqualTo(there);
      assertThat(other.submit(() -> decode(encoded)).get()).isEqualTo(there);
    }
  }

  @Test
  void encodingIsReproducible() throws DecodeException {
    assertThat(encode(40, 30, 3)).isEqualTo(encode(40, 30, 3));
  }

  @Test
  void paddingStaysUntouched() throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encode(17, 5, 3));
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(info.rgbBytes() + 64).fill((byte) 0x5a);
    decoder.decodeRgb(bytes, info, rgb);
    assertThat(rgb.asSlice(info.rgbBytes()).toArray(JAVA_BYTE)).containsOnly(0x5a);
  }

  @Test
  void noStateIsKeptBetweenImages() throws DecodeException {
    byte[] large = encode(64, 48, 3);
    byte[] small = encode(9, 7, 1);
    byte[] first = decode(large);
    decode(small);
    assertThatThrownBy(() -> decode(Corrupter.cut(large, large.length / 2)))
        .isInstanceOf(DecodeException.class);
    assertThat(decode(large)).isEqualTo(first);
  }

  @Test
  void tooSmallSegmentIsRefusedBeforeCSeesIt() throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encode(8, 8, 3));
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(info.rgbBytes() - 1);
    assertThatThrownBy(() -> decoder.decodeRgb(bytes, info, rgb))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("191");
  }

  @Test
  void announcementOfAnotherImageIsAMismatch() throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encode(8, 8, 3));
    ImageInfo other = decoder.probe(Pictures.offHeap(arena, encode(9, 8, 3)));
    MemorySegment rgb = arena.allocate(other.rgbBytes());
    fault(() -> decoder.decodeRgb(bytes, other, rgb), Fault.MISMATCH);
  }

  @Test
  void pixelLimitIsHeldFromTheHeaderAlone() throws DecodeException {
    MemorySegment bytes = Pictures.offHeap(arena, encode(20, 10, 3));
    try (var strict = new ImageDecoder(MemoryBudget.unbounded(), 199)) {
      assertThatThrownBy(() -> strict.probe(bytes))
          .hasMessageContaining("20 x 10")
          .hasMessageContaining("limit of 199")
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
  }

  @Test
  void memoryBudgetBoundsTheEncoder() {
    try (var small = new Block(new MemoryBudget(100))) {
      MemorySegment pixels = Pictures.offHeap(arena, Pictures.smooth(64, 64, 3));
      fault(() -> encoder.encode(pixels, 64, 64, 3, encoding(), small), Fault.LIMIT);
    }
  }

  @Test
  void everyCutIsReported() throws DecodeException {
    byte[] encoded = encode(33, 21, 3);
    byte[] whole = decode(encoded);
    for (int length = 0; length < encoded.length; length++) {
      try {
        byte[] pixels = decode(Corrupter.cut(encoded, length));
        assertThat(length).as("decoded although cut").isGreaterThanOrEqualTo(tail(encoded));
        assertThat(pixels).isEqualTo(whole);
      } catch (DecodeException e) {
        assertThat(e.fault())
            .as("cut to %d: %s", length, e.getMessage())
            .isIn(length < magic() ? MAGIC_CUT : List.of(Fault.TRUNCATED));
      }
    }
  }

  /// {@return length from which on a cut stream still has all its pixels}
  protected int tail(byte[] encoded) {
    return encoded.length;
  }

  /// {@return bytes by which the format is known}
  protected int magic() {
    return 8;
  }

  /// {@return whether grey is stored as one channel}
  protected boolean storesGrey() {
    return true;
  }

  /// {@return images to decode and encode before their garbage is measured, and for each measure}
  protected int repeats() {
    return 500;
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void flippedBitsNeverCrashOrHang(long seed) throws DecodeException {
    byte[] encoded = encode(33, 21, 3);
    byte[] whole = decode(encoded);
    Random random = new Random(seed);
    assertTimeout(
        Duration.ofSeconds(10),
        () -> {
          for (int i = 0; i < 40; i++) {
            flip(encoded, whole, random.nextLong(8L * encoded.length));
          }
        });
  }

  private void flip(byte[] encoded, byte[] whole, long bit) {
    try {
      byte[] pixels = decode(Corrupter.flipBit(encoded, bit));
      if (checksummed()) {
        assertThat(pixels).isEqualTo(whole);
      }
    } catch (DecodeException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
    }
  }

  /// {@return whether damage that changes pixels is always found}
  protected boolean checksummed() {
    return false;
  }

  /// {@return heap bytes a decoded or encoded image may cost after warm-up}
  protected long garbage() {
    return 256;
  }

  @Test
  void decodingAndEncodingMakeNoGarbage() throws DecodeException {
    MemorySegment pixels = Pictures.offHeap(arena, Pictures.smooth(32, 24, 3));
    MemorySegment bytes = Pictures.offHeap(arena, encode(32, 24, 3));
    MemorySegment rgb = arena.allocate(3 * 32 * 24);
    ImageEncoding encoding = encoding();
    List<Long> decodes = new ArrayList<>();
    List<Long> encodes = new ArrayList<>();
    for (int round = 0; round < 12; round++) {
      long start = Allocations.ofThisThread();
      for (int i = 0; i < repeats(); i++) {
        decoder.decodeRgb(bytes, decoder.probe(bytes), rgb);
      }
      long middle = Allocations.ofThisThread();
      for (int i = 0; i < repeats(); i++) {
        encoder.encode(pixels, 32, 24, 3, encoding, out);
      }
      decodes.add((middle - start) / repeats());
      encodes.add((Allocations.ofThisThread() - middle) / repeats());
    }
    assertThat(decodes.stream().min(Long::compare).orElseThrow())
        .as("bytes a decoded image: %s", decodes)
        .isLessThanOrEqualTo(garbage());
    assertThat(encodes.stream().min(Long::compare).orElseThrow())
        .as("bytes an encoded image: %s", encodes)
        .isLessThanOrEqualTo(garbage());
  }

  public static void fault(ThrowingCallable call, Fault fault) {
    assertThatThrownBy(call)
        .isInstanceOf(DecodeException.class)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }
}
