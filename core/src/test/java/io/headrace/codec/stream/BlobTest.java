package io.headrace.codec.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Blobs, alone and with a dictionary.
class BlobTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());

  @AfterEach
  void close() {
    out.close();
    arena.close();
  }

  static List<BlobCompression> every() {
    return List.of(
        new BlobCompression.None(),
        new BlobCompression.Lz4(0),
        new BlobCompression.Lz4(9),
        new BlobCompression.Zstd(-3),
        new BlobCompression.Zstd(3),
        new BlobCompression.Zstd(12));
  }

  private MemorySegment offHeap(byte[] bytes) {
    MemorySegment segment = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
    MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  private byte[] compress(BlobCompression compression, byte[] plain) throws DecodeException {
    try (var compressor = new BlobCompressor(compression)) {
      long bytes = compressor.compress(offHeap(plain), out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  private byte[] decompress(BlobCompression compression, byte[] blob, int bytes)
      throws DecodeException {
    try (var decompressor = new BlobDecompressor(compression)) {
      MemorySegment plain = offHeap(new byte[bytes]);
      decompressor.decompress(offHeap(blob), plain);
      return plain.toArray(JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @MethodSource("every")
  void whatIsCompressedComesBack(BlobCompression compression) throws DecodeException {
    for (int length : new int[] {0, 1, 2, 100, 70_000}) {
      byte[] plain = Bytes.mixed(length, length);
      byte[] blob = compress(compression, plain);
      assertThat(decompress(compression, blob, length)).isEqualTo(plain);
      int other = length + 1;
      assertThatThrownBy(() -> decompress(compression, blob, other))
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.MISMATCH);
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void damageNeverCrashes(long seed) throws DecodeException {
    var random = new Random(seed);
    byte[] plain = Bytes.mixed(seed, 1 + random.nextInt(3000));
    for (BlobCompression compression : every()) {
      byte[] blob = compress(compression, plain);
      byte[] cut = Corrupter.cut(blob, random.nextInt(blob.length));
      assertThatThrownBy(() -> decompress(compression, cut, plain.length))
          .isInstanceOf(DecodeException.class);
      try {
        byte[] bad = Corrupter.flipBit(blob, random.nextInt(8 * blob.length));
        assertThat(decompress(compression, bad, plain.length)).hasSize(plain.length);
      } catch (DecodeException e) {
        assertThat(e).hasMessageMatching("(?s).{6,}");
      }
    }
  }

  private List<MemorySegment> samples(int count) {
    List<MemorySegment> samples = new ArrayList<>();
    var random = new Random(4);
    for (int i = 0; i < count; i++) {
      samples.add(offHeap(sample(random)));
    }
    return samples;
  }

  private static byte[] sample(Random random) {
    return "{\"label\": %d, \"box\": [%d, %d], \"source\": \"camera\", \"split\": \"train\"}"
        .formatted(random.nextInt(1000), random.nextInt(640), random.nextInt(480))
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aDictionaryHelpsSmallBlobs() throws DecodeException {
    ZstdDictionary dictionary = ZstdDictionary.train(samples(500), 4096);
    ZstdDictionary again = ZstdDictionary.train(samples(500), 4096);
    assertThat(dictionary.bytes()).hasSizeLessThanOrEqualTo(4096).isEqualTo(again.bytes());
    assertThat(dictionary.id()).isNotZero();
    var with = new BlobCompression.Zstd(3, dictionary);
    byte[] plain = sample(new Random(77));
    byte[] blob = compress(with, plain);
    assertThat(blob.length).isLessThan(compress(new BlobCompression.Zstd(3), plain).length / 2);
    var copy = ZstdDictionary.of(MemorySegment.ofArray(dictionary.bytes()));
    assertThat(decompress(new BlobCompression.Zstd(3, copy), blob, plain.length)).isEqualTo(plain);
    assertThatThrownBy(() -> decompress(new BlobCompression.Zstd(3), blob, plain.length))
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.MISMATCH);
  }

  @Test
  void whatCannotBeADictionaryIsRefused() {
    List<MemorySegment> two = samples(2);
    assertThatThrownBy(() -> ZstdDictionary.train(two, 4096))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("from 2 samples of");
    assertThatThrownBy(() -> ZstdDictionary.of(MemorySegment.ofArray(new byte[100])))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> new BlobCompression.Lz4(13)).isInstanceOf(ConfigException.class);
  }

  @Test
  void memoryBudgetHolds() {
    try (var small = new Block(new MemoryBudget(100));
        var compressor = new BlobCompressor(new BlobCompression.Zstd(3))) {
      MemorySegment plain = offHeap(new byte[1000]);
      assertThatThrownBy(() -> compressor.compress(plain, small))
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
  }
}
