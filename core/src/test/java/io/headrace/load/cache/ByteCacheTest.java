package io.headrace.load.cache;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What all caches promise: the bytes that were put, or none, within the capacity.
final class ByteCacheTest {
  private static final int VALUES = 500;

  private static ByteCache cache(String kind, long capacity) {
    return switch (kind) {
      case "lru" -> new LruCache(capacity, VALUES);
      case "minio" -> new MinIoCache(capacity, VALUES, VALUES, 9);
      default -> new RegionCache(capacity, VALUES);
    };
  }

  /// A value that tells its number and round in every byte, 1 to 9,000 bytes long.
  private static MemorySegment value(int key) {
    byte[] bytes = new byte[1 + (int) Math.floorMod(CounterRandom.mix(key), 9000L)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) CounterRandom.mix(key * 31L + i);
    }
    return MemorySegment.ofArray(bytes);
  }

  private static void assertSame(int key, Block got, long length) {
    MemorySegment expected = value(key);
    assertThat(length).isEqualTo(expected.byteSize());
    assertThat(got.memory().asSlice(0, length).mismatch(expected)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio", "region"})
  void everyValueComesBackWhereAllFit(String kind) throws DecodeException {
    try (ByteCache cache = cache(kind, 8 << 20);
        var block = new Block(MemoryBudget.unbounded())) {
      for (int k = 0; k < VALUES; k++) {
        assertThat(cache.get(k, block)).isEqualTo(-1);
        assertThat(cache.put(k, value(k))).isTrue();
        assertThat(cache.put(k, value(k))).as("again").isTrue();
      }
      assertThat(cache.held()).isEqualTo(VALUES);
      for (int k = VALUES - 1; k >= 0; k--) {
        assertSame(k, block, cache.get(k, block));
      }
      assertThat(cache.usedBytes()).isBetween(1L, cache.capacity());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio", "region"})
  void theCapacityIsNeverExceededByManyThreads(String kind) throws Exception {
    try (ByteCache cache = cache(kind, 400_000);
        var pool = Executors.newFixedThreadPool(4)) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int thread = t;
        tasks.add(
            () -> {
              var random = new CounterRandom();
              random.reset(1, 1, thread);
              int hits = 0;
              try (var block = new Block(MemoryBudget.unbounded())) {
                for (int i = 0; i < 3000; i++) {
                  // regions have one owner a value
                  int k =
                      kind.equals("region")
                          ? random.nextInt(VALUES / 4) * 4 + thread
                          : random.nextInt(VALUES);
                  long length = cache.get(k, block);
                  if (length >= 0) {
                    hits++;
                    assertSame(k, block, length);
                    if (cache instanceof RegionCache region && i % 3 == 0) {
                      region.drop(k);
                    }
                  } else {
                    boolean _ = cache.put(k, value(k));
                  }
                  assertThat(cache.usedBytes()).isLessThanOrEqualTo(400_000);
                }
              }
              return hits;
            });
      }
      for (Future<Integer> hits : pool.invokeAll(tasks)) {
        assertThat(hits.get()).isPositive();
      }
    }
  }

  /// Replaced while others read it, a value is the old one, the new one or none, never a blend; and
  /// what does not fit leaves the old one.
  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio"})
  void replacedValuesAreNeverBlended(String kind) throws Exception {
    try (ByteCache cache = cache(kind, 400_000);
        var pool = Executors.newFixedThreadPool(3)) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int thread = t;
        tasks.add(
            () -> {
              var random = new CounterRandom();
              random.reset(2, 1, thread);
              int hits = 0;
              try (var block = new Block(MemoryBudget.unbounded())) {
                for (int i = 0; i < 3000; i++) {
                  int k = random.nextInt(20);
                  long length = cache.get(k, block);
                  if (length >= 0) {
                    hits++;
                    byte expected = (byte) (length % 251);
                    MemorySegment got = block.memory().asSlice(0, length);
                    assertThat(got.mismatch(uniform((int) length, expected))).isEqualTo(-1);
                  }
                  int size = 1 + random.nextInt(30_000);
                  boolean _ = cache.replace(k, uniform(size, (byte) (size % 251)));
                  assertThat(cache.usedBytes()).isLessThanOrEqualTo(400_000);
                }
              }
              return hits;
            });
      }
      for (Future<Integer> hits : pool.invokeAll(tasks)) {
        assertThat(hits.get()).isPositive();
      }
      assertThat(cache.held()).isLessThanOrEqualTo(20);
    }
  }

  /// One value, and more threads than cores: a reader that begins while the value is being replaced
  /// meets its old pages as the new bytes are written to them.
  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio"})
  void aValueThatIsBeingReplacedIsNotHeld(String kind) throws Exception {
    MemorySegment[] values = new MemorySegment[250];
    Arrays.setAll(values, i -> uniform(20_000, (byte) i));
    int writers = 2 * Runtime.getRuntime().availableProcessors();
    try (ByteCache cache = cache(kind, 400_000);
        var pool = Executors.newFixedThreadPool(writers);
        var block = new Block(MemoryBudget.unbounded())) {
      List<Future<?>> writing = new ArrayList<>();
      for (int t = 0; t < writers; t++) {
        int thread = t;
        writing.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < 100_000; i++) {
                    boolean _ = cache.replace(7, values[(i + thread) % values.length]);
                  }
                }));
      }
      while (!writing.stream().allMatch(Future::isDone)) {
        if (cache.get(7, block) >= 0) {
          MemorySegment got = block.memory().asSlice(0, 20_000);
          int value = got.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
          assertThat(got.mismatch(values[value])).isEqualTo(-1);
        }
      }
      for (Future<?> each : writing) {
        each.get();
      }
    }
  }

  private static MemorySegment uniform(int size, byte value) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, value);
    return MemorySegment.ofArray(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio", "region"})
  void aReplacementTakesThePlaceOfAValue(String kind) throws DecodeException {
    try (ByteCache cache = cache(kind, 10_240);
        var block = new Block(MemoryBudget.unbounded())) {
      assertThat(cache.replace(4, MemorySegment.ofArray(new byte[6000]))).isTrue();
      assertThat(cache.replace(4, MemorySegment.ofArray(new byte[9000]))).isTrue();
      assertThat(cache.get(4, block)).isEqualTo(9000);
      assertThat(cache.replace(4, MemorySegment.ofArray(new byte[11_000]))).isFalse();
      assertThat(cache.get(4, block)).isEqualTo(9000);
      assertThat(cache.replace(4, MemorySegment.ofArray(new byte[10]))).isTrue();
      assertThat(cache.get(4, block)).isEqualTo(10);
      assertThat(cache.held()).isEqualTo(1);
      assertThat(cache.usedBytes()).isEqualTo(512);
    }
  }

  /// A view is the value where it is; there is none of what is not held, or may go.
  @Test
  void minIoShowsWhatItHoldsWhereItIs() throws DecodeException {
    try (var cache = new MinIoCache(8 << 20, VALUES, VALUES, 9)) {
      for (int k = 0; k < VALUES; k += 2) {
        assertThat(cache.wants(k)).isTrue();
        assertThat(cache.put(k, value(k))).isTrue();
        assertThat(cache.wants(k)).isFalse();
      }
      for (int k = 0; k < VALUES; k++) {
        MemorySegment view = cache.view(k);
        if (k % 2 == 0) {
          assertThat(view.byteSize()).isEqualTo(value(k).byteSize());
          assertThat(view.mismatch(value(k))).isEqualTo(-1);
        } else {
          assertThat(view.byteSize()).isZero();
        }
      }
      assertThat(cache.replace(2, value(3))).isTrue();
      assertThat(cache.view(4).byteSize()).as("once values give way").isZero();
    }
    try (var few = new MinIoCache(10_240, VALUES, VALUES, 9)) {
      assertThat(few.put(1, MemorySegment.ofArray(new byte[20_000]))).isFalse();
      assertThat(few.wants(1)).as("what did not fit never will").isFalse();
    }
    try (var none = new MinIoCache(8 << 20, VALUES, 0, 9);
        var lru = new LruCache(8 << 20, VALUES)) {
      assertThat(none.wants(1)).isFalse();
      assertThat(lru.put(1, value(1))).isTrue();
      assertThat(lru.view(1).byteSize()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio", "region"})
  void whatIsTooLargeIsNotHeld(String kind) throws DecodeException {
    try (ByteCache cache = cache(kind, 10_000);
        var block = new Block(MemoryBudget.unbounded())) {
      assertThat(cache.put(1, MemorySegment.ofArray(new byte[10_001]))).isFalse();
      assertThat(cache.get(1, block)).isEqualTo(-1);
      assertThat(cache.usedBytes()).isZero();
    }
    try (ByteCache cache = cache(kind, 100)) {
      assertThat(cache.put(1, MemorySegment.ofArray(new byte[1]))).isFalse();
    }
  }

  @Test
  void minIoKeepsFillingAfterAMisfitAndEvictsNothing() throws DecodeException {
    try (var cache = new MinIoCache(10_240, VALUES, VALUES, 3);
        var block = new Block(MemoryBudget.unbounded())) {
      assertThat(cache.put(0, MemorySegment.ofArray(new byte[8000]))).isTrue();
      assertThat(cache.put(1, MemorySegment.ofArray(new byte[4000]))).isFalse();
      assertThat(cache.put(2, MemorySegment.ofArray(new byte[1500]))).isTrue();
      assertThat(cache.put(3, MemorySegment.ofArray(new byte[600]))).isFalse();
      assertThat(cache.get(0, block)).isEqualTo(8000);
      assertThat(cache.get(2, block)).isEqualTo(1500);
    }
  }

  @Test
  void minIoHoldsASubsetThatTheSeedDrawsWhateverComesFirst() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();
    List<Long> other = new ArrayList<>();
    try (var a = new MinIoCache(1 << 20, VALUES, 100, 3);
        var b = new MinIoCache(1 << 20, VALUES, 100, 3);
        var c = new MinIoCache(1 << 20, VALUES, 100, 4)) {
      MemorySegment value = MemorySegment.ofArray(new byte[10]);
      for (long k = 0; k < VALUES; k++) {
        if (a.put(k, value)) {
          first.add(k);
        }
        if (b.put(VALUES - 1 - k, value)) {
          second.addFirst(VALUES - 1 - k);
        }
        if (c.put(k, value)) {
          other.add(k);
        }
      }
    }
    assertThat(first).hasSize(100).isEqualTo(second).isNotEqualTo(other);
  }

  @Test
  void lruEvictsWhatWasNotUsedForLongest() throws DecodeException {
    try (var cache = new LruCache(2048, VALUES);
        var block = new Block(MemoryBudget.unbounded())) {
      for (int k = 0; k < 4; k++) {
        assertThat(cache.put(k, MemorySegment.ofArray(new byte[500]))).isTrue();
      }
      assertThat(cache.get(0, block)).isEqualTo(500);
      assertThat(cache.put(4, MemorySegment.ofArray(new byte[900]))).isTrue();
      assertThat(cache.get(1, block)).isEqualTo(-1);
      assertThat(cache.get(2, block)).isEqualTo(-1);
      assertThat(cache.get(0, block)).isEqualTo(500);
      assertThat(cache.get(3, block)).isEqualTo(500);
      assertThat(cache.get(4, block)).isEqualTo(900);
      assertThat(cache.held()).isEqualTo(3);
    }
  }

  @Test
  void aRegionIsCutDownToWhatTheNextEpochStartsWith() throws DecodeException {
    try (var cache = new RegionCache(1 << 20, VALUES);
        var block = new Block(MemoryBudget.unbounded())) {
      for (int k = 0; k < 10; k++) {
        assertThat(cache.put(k, value(k))).isTrue();
        cache.settle(k);
      }
      assertThat(cache.awaitLoaded(3)).isTrue();
      cache.begin(k -> k % 2 == 0);
      assertThat(cache.held()).isEqualTo(5);
      assertThat(cache.get(3, block)).isEqualTo(-1);
      assertSame(4, block, cache.get(4, block));
      cache.drop(4);
      cache.drop(4);
      assertThat(cache.get(4, block)).isEqualTo(-1);
      cache.stop();
      assertThat(cache.awaitLoaded(3)).as("stopped").isFalse();
    }
  }

  /// Decoded samples are bytes like any others.
  @Test
  void tensorsAreKeptByValue() throws DecodeException {
    MemorySegment tensor = MemorySegment.ofArray(new float[] {1, 2, 3, 4});
    try (var cache = new LruCache(1 << 20, VALUES);
        var block = new Block(MemoryBudget.unbounded())) {
      assertThat(cache.put(7, tensor)).isTrue();
      tensor.fill((byte) 0);
      assertThat(cache.get(7, block)).isEqualTo(16);
      assertThat(block.memory().asSlice(0, 16).toArray(JAVA_BYTE))
          .isEqualTo(MemorySegment.ofArray(new float[] {1, 2, 3, 4}).toArray(JAVA_BYTE));
    }
  }

  @Test
  void cachesOfNoBytesAreRefused() {
    assertThatThrownBy(() -> new CacheSpec.Lru(0)).isInstanceOf(ConfigException.class);
    assertThat(new CacheSpec.None().bytes()).isZero();
  }
}
