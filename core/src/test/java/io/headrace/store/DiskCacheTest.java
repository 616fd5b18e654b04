package io.headrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a cache on disk answers is what the file holds, whatever became of the cache's own files.
final class DiskCacheTest {
  private static final int SIZE = 9 << 20;

  @TempDir private Path folder = Path.of("");
  private final byte[] bytes = new byte[SIZE];
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    new Random(3).nextBytes(bytes);
    file = folder.resolve("data");
    Files.write(file, bytes);
  }

  private DiskCache cache(String more) throws IOException {
    return DiskCache.parse("disk:%s:%s".formatted(folder.resolve("kept"), more), Store.LOCAL);
  }

  private void check(DiskCache cache, Path path, int position, int length) throws IOException {
    MemorySegment into = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(length));
    try (ByteFile opened = cache.open(path)) {
      opened.read(position, into);
    }
    assertThat(into.toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(Arrays.copyOfRange(bytes, position, position + length));
  }

  private List<Path> regions() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("kept"))) {
      return all.filter(f -> f.toString().endsWith(".region")).sorted().toList();
    }
  }

  private long stored() throws IOException {
    long sum = 0;
    for (Path region : regions()) {
      sum += Files.size(region);
    }
    return sum;
  }

  @Test
  void readsOnceWhatPiecesCover() throws IOException {
    try (DiskCache cache = cache("20MiB")) {
      check(cache, file, 1000, 50_000);
      check(cache, file, 51_000, 50_000);
      check(cache, file, DiskCache.REGION - 10, 1000); // in two regions
      assertThat(cache.misses()).isEqualTo(3);
      check(cache, file, 1000, 50_000);
      check(cache, file, 40_000, 30_000); // parts of two pieces
      check(cache, file, DiskCache.REGION - 5, 10);
      assertThat(cache.hits()).isEqualTo(3);
      check(cache, file, 0, 2000);
      assertThat(cache.misses()).isEqualTo(4);
      assertThat(cache.usedBytes()).isEqualTo(stored());
    }
    try (DiskCache again = cache("20MiB")) { // as another process would
      check(again, file, 1000, 100_000);
      assertThat(again.hits()).isEqualTo(1);
      assertThat(again.usedBytes()).isEqualTo(stored());
    }
  }

  @Test
  void readsAgainWhatWasSpoiledOrCutShort() throws IOException {
    try (DiskCache cache = cache("20MiB")) {
      check(cache, file, 0, 10_000);
      check(cache, file, 10_000, 10_000);
    }
    Path region = regions().getFirst();
    try (FileChannel channel = FileChannel.open(region, StandardOpenOption.WRITE)) {
      channel.truncate(Files.size(region) - 7); // the crash of a writer
    }
    try (DiskCache cache = cache("20MiB")) {
      check(cache, file, 0, 10_000);
      assertThat(cache.hits()).isEqualTo(1);
      check(cache, file, 10_000, 10_000);
      check(cache, file, 10_000, 10_000);
      assertThat(cache.hits()).isEqualTo(2);
      try (FileChannel channel = FileChannel.open(region, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 5000); // the disk
      }
      check(cache, file, 0, 10_000);
      assertThat(cache.misses()).isEqualTo(2);
      check(cache, file, 0, 10_000);
      assertThat(cache.hits()).isEqualTo(3);
      Files.delete(region); // another process made room
      check(cache, file, 0, 10_000);
      assertThat(cache.misses()).isEqualTo(3);
    }
  }

  @Test
  void knowsAChangedFileAsAnother() throws IOException {
    try (DiskCache cache = cache("20MiB")) {
      check(cache, file, 0, 1000);
      bytes[0]++;
      Files.write(file, bytes);
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
      check(cache, file, 0, 1000);
      assertThat(cache.hits()).isZero();
    }
  }

  @Test
  void staysWithinItsSize() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      files.add(Files.copy(file, folder.resolve("data" + i)));
    }
    for (String policy : List.of("", ":lru")) {
      try (DiskCache cache = cache("10MiB" + policy)) {
        for (Path one : files) {
          for (int at = 0; at < SIZE; at += 1 << 20) {
            check(cache, one, at, 1 << 20);
            assertThat(stored()).isLessThanOrEqualTo(10 << 20);
          }
        }
        long before = cache.hits();
        check(cache, files.getFirst(), 0, 1000);
        check(cache, files.getLast(), SIZE - 1000, 1000);
        assertThat(cache.hits() - before).isEqualTo(1);
      }
    }
  }

  @Test
  void refusesWhatMakesNoSense() {
    for (String bad : List.of("", "1", "x", "20MiB:mru")) {
      assertThatThrownBy(() -> cache(bad)).isInstanceOf(ConfigException.class);
    }
  }
}
