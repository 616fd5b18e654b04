package io.headrace.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.random.CounterRandom;
import io.headrace.store.disk.PageCache;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every store gives the same bytes and the same errors; they differ in what reading costs.
final class StoresTest {
  private static final int SIZE = 3_000_017;

  @TempDir private Path dir = Path.of(".");

  private static Store store(String name) {
    if (name.equals("cold")) {
      assumeThat(PageCache.supported()).isTrue();
      return new ColdStore(Store.LOCAL);
    }
    return Stores.parse(name);
  }

  private Path file() throws IOException {
    return Files.write(dir.resolve("bytes"), bytes());
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      bytes[i] = (byte) CounterRandom.mix(i);
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "mmap", "direct", "cold", "nvme", "10GB/s"})
  void anyPartIsReadByAnyNumberOfThreads(String name) throws Exception {
    byte[] expected = bytes();
    try (ByteFile file = store(name).open(file());
        var pool = Executors.newFixedThreadPool(4)) {
      assertThat(file.size()).isEqualTo(SIZE);
      assertThat(file.isOpen()).isTrue();
      Callable<Boolean> part =
          () -> {
            var random = new CounterRandom();
            random.reset(5, Thread.currentThread().threadId(), 0);
            try (Arena arena = Arena.ofConfined()) {
              for (int i = 0; i < 40; i++) {
                int from = random.nextInt(SIZE);
                int length = random.nextInt(Math.min(SIZE - from, i < 4 ? SIZE : 9000) + 1);
                MemorySegment into = arena.allocate(length);
                file.read(from, into);
                assertThat(into.mismatch(MemorySegment.ofArray(expected).asSlice(from, length)))
                    .isEqualTo(-1);
              }
            }
            return true;
          };
      for (Future<Boolean> done : pool.invokeAll(List.of(part, part, part, part))) {
        assertThat(done.get()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "mmap", "direct", "cold", "nvme"})
  void readingBehindTheEndIsTruncated(String name) throws IOException {
    Path path = file();
    try (ByteFile file = store(name).open(path);
        Arena arena = Arena.ofConfined()) {
      file.read(SIZE, arena.allocate(0));
      for (long position : new long[] {SIZE - 10, SIZE, SIZE + 100_000}) {
        assertThatThrownBy(() -> file.read(position, arena.allocate(11)))
            .isInstanceOfSatisfying(
                CorruptDataException.class,
                e -> {
                  assertThat(e.fault()).isEqualTo(Fault.TRUNCATED);
                  assertThat(e.where().file()).isEqualTo(path.toString());
                });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "mmap", "direct", "cold", "nvme"})
  void emptyAndMissingFiles(String name) throws IOException {
    Path empty = Files.createFile(dir.resolve("empty"));
    try (ByteFile file = store(name).open(empty)) {
      assertThat(file.size()).isZero();
      file.read(0, MemorySegment.NULL);
    }
    assertThatThrownBy(() -> store(name).open(dir.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }

  /// Odd input 158: offsets around 2³¹ and beyond 4 GiB, in a file with a hole.
  @ParameterizedTest
  @ValueSource(strings = {"page", "mmap", "direct", "cold"})
  void filesOverTwoGibibytes(String name) throws IOException {
    Path path = dir.resolve("large");
    long[] places = {(1L << 31) - 5, (1L << 32) - 9};
    byte[] mark = "0123456789".getBytes(US_ASCII);
    try (FileChannel out =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      for (long place : places) {
        out.write(ByteBuffer.wrap(mark), place);
      }
    }
    try (ByteFile file = store(name).open(path);
        Arena arena = Arena.ofConfined()) {
      assertThat(file.size()).isEqualTo((1L << 32) + 1);
      for (long place : places) {
        MemorySegment into = arena.allocate(10);
        file.read(place, into);
        assertThat(into.toArray(JAVA_BYTE)).isEqualTo(mark);
      }
    }
  }

  /// Odd input 160: an error for that file, and the process lives.
  @ParameterizedTest
  @ValueSource(strings = {"page", "mmap", "direct", "cold"})
  void fileShortenedWhileOpen(String name) throws IOException {
    Path path = file();
    try (ByteFile file = store(name).open(path);
        Arena arena = Arena.ofConfined()) {
      try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
        out.truncate(4096);
      }
      MemorySegment into = arena.allocate(100_000);
      assertThatThrownBy(() -> file.read(1_000_000, into))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("TRUNCATED");
      file.read(1000, into.asSlice(0, 3096));
      assertThat(into.asSlice(0, 3096).toArray(JAVA_BYTE))
          .isEqualTo(Arrays.copyOfRange(bytes(), 1000, 4096));
    }
  }

  /// The same when the file shrinks between the check and the copy, for copies of any length.
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 40, 4096, 200_000})
  void fileShortenedWhileMappedBytesAreCopied(int length) throws IOException {
    Path path = file();
    try (var file = (MappedStore.MappedFile) new MappedStore().open(path);
        Arena arena = Arena.ofConfined()) {
      try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
        out.truncate(4096);
      }
      for (int again = 0; again < 50; again++) {
        assertThatThrownBy(() -> file.copy(1_000_000, arena.allocate(length), 0, length))
            .isInstanceOf(CorruptDataException.class)
            .hasMessageContaining("TRUNCATED");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "mmap", "direct", "cold"})
  void fileReplacedByRenameIsReadAsItWas(String name) throws IOException {
    Path path = file();
    try (ByteFile file = store(name).open(path);
        Arena arena = Arena.ofConfined()) {
      Path other = Files.write(dir.resolve("other"), new byte[10]);
      Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
      MemorySegment into = arena.allocate(1000);
      file.read(SIZE - 1000, into);
      assertThat(into.toArray(JAVA_BYTE)).isEqualTo(Arrays.copyOfRange(bytes(), SIZE - 1000, SIZE));
    }
  }

  @Test
  void directReadsBypassThePageCacheOrSayThatTheyCannot() throws IOException {
    assumeThat(PageCache.supported()).isTrue();
    Path path = file();
    PageCache.drop(path);
    assumeThat(PageCache.residentBytes(path)).as("this file system keeps pages").isZero();
    var store = new DirectStore();
    try (ByteFile file = store.open(path);
        Arena arena = Arena.ofConfined()) {
      file.read(17, arena.allocate(SIZE - 17));
    }
    if (store.warnings().isEmpty()) {
      assertThat(PageCache.residentBytes(path)).isZero();
    } else {
      assertThat(store.warnings().getFirst()).contains(path.toString(), "direct reads are refused");
    }
  }

  /// Dirty pages go too, and no other file's.
  @Test
  void coldDropsThePagesOfExactlyTheFilesItReads() throws IOException {
    assumeThat(PageCache.supported()).isTrue();
    Path path = file();
    Path other = Files.write(dir.resolve("other"), new byte[500_000]);
    assertThat(PageCache.residentBytes(path)).isEqualTo((SIZE + 4095) / 4096 * 4096);
    PageCache.drop(path);
    assumeThat(PageCache.residentBytes(path)).as("this file system keeps pages").isZero();
    byte[] _ = Files.readAllBytes(path);
    assertThat(PageCache.residentBytes(path)).isEqualTo((SIZE + 4095) / 4096 * 4096);
    try (ByteFile file = store("cold").open(path);
        Arena arena = Arena.ofConfined()) {
      assertThat(PageCache.residentBytes(path)).isZero();
      file.read(0, arena.allocate(SIZE));
      assertThat(PageCache.residentBytes(path)).isZero();
    }
    assertThat(PageCache.residentBytes(other)).isEqualTo((500_000 + 4095) / 4096 * 4096);
  }

  @Test
  void aStreamGivesAFileFromFirstToLast() throws IOException {
    byte[] expected = bytes();
    try (var stream = new FileStream(Store.LOCAL.open(file()))) {
      ByteBuffer all = ByteBuffer.allocate(SIZE);
      ByteBuffer direct = ByteBuffer.allocateDirect(70_001);
      while (all.hasRemaining()) {
        direct.clear();
        assertThat(stream.read(direct)).isPositive();
        all.put(direct.flip());
        assertThat(stream.position()).isEqualTo(all.position());
      }
      assertThat(stream.read(direct.clear())).isEqualTo(-1);
      assertThat(all.array()).isEqualTo(expected);
    }
  }

  @Test
  void storesGoByTheNamesUsersType() {
    assertThat(Stores.parse("page")).isSameAs(Store.LOCAL);
    assertThat(Stores.parse("HDD"))
        .isInstanceOfSatisfying(
            ThrottledStore.class, s -> assertThat(s.device()).isEqualTo(Device.HDD));
    assertThat(Stores.parse("24MB/s"))
        .isInstanceOfSatisfying(
            ThrottledStore.class, s -> assertThat(s.device().bytesPerSecond()).isEqualTo(24e6));
    assertThat(Device.find("1.5GiB/s")).isEqualTo(Device.rate("1.5gib/s", 1.5 * (1L << 30)));
    assertThat(Device.names())
        .contains("hdd", "sata-ssd", "nvme", "s3", "10gbe", "paper-24", "paper-227");
    assertThatThrownBy(() -> Stores.parse("tape"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unknown store 'tape'")
        .hasMessageContaining("hdd");
    assertThatThrownBy(() -> Stores.parse("0MB/s")).isInstanceOf(ConfigException.class);
  }
}
