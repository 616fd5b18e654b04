package io.headrace.store;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.headrace.error.ConfigException;
import io.headrace.spec.Bytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Another store with a folder on a local disk, where the bytes that were read are kept: for
/// buckets and file servers.
///
/// Any number of processes may share the folder. It never holds more than its size, by a count in a
/// file that all of them map. Each piece has a checksum: what a crash or the disk spoiled is read
/// again. A file is known by its path and version (its ETag; or size and time), so a changed one is
/// another file. Where the folder fails, the store below is read as if there were none.
///
/// When it is full, what is there stays, as in the MinIO cache, but for files that this process
/// does not read and nobody has used since it began. With `lru`, what was used longest ago gives
/// way.
public final class DiskCache implements Store, AutoCloseable {
  /// Bytes of a file that are kept in one file of the cache.
  static final int REGION = 4 << 20;

  /// Share of the size that is freed when it is full.
  private static final int FREED_PART = 20;

  private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();

  private final Store below;
  private final Path folder;
  private final long size;
  private final boolean lru;
  private final long began = System.currentTimeMillis();
  private final Arena arena = Arena.ofShared();
  private final FileChannel lockChannel;
  private final MemorySegment used;
  private final ConcurrentHashMap<Path, CacheRegion> regions = new ConcurrentHashMap<>();
  private final Set<String> read = ConcurrentHashMap.newKeySet();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private volatile @Nullable String warning;

  /// Opens the folder, which is made if there is none.
  ///
  /// @param below what is read through the cache
  /// @param size bytes that it may take
  /// @param lru whether new bytes take the place of those used longest ago
  public DiskCache(Store below, Path folder, long size, boolean lru) throws IOException {
    if (size < REGION) {
      throw new ConfigException("disk cache of %d bytes: expected at least 4MiB".formatted(size));
    }
    this.below = below;
    this.folder = folder;
    this.size = size;
    this.lru = lru;
    Files.createDirectories(folder);
    lockChannel = FileChannel.open(folder.resolve("lock"), CREATE, READ, WRITE);
    try (FileChannel count = FileChannel.open(folder.resolve("used"), CREATE, READ, WRITE)) {
      used = count.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
      begin();
    } catch (IOException | RuntimeException e) {
      arena.close();
      lockChannel.close();
      throw e;
    }
  }

  /// {@return whether a text is meant to spell a cache on disk}
  public static boolean isSpelled(String text) {
    return text.startsWith("disk:");
  }

  /// Understands `disk:FOLDER:SIZE[:lru]`.
  ///
  /// @throws ConfigException if folder or size make no sense
  public static DiskCache parse(String text, Store below) throws IOException {
    String rest = text.substring(text.indexOf(':') + 1);
    boolean lru = rest.endsWith(":lru");
    String spec = lru ? rest.substring(0, rest.length() - ":lru".length()) : rest;
    int colon = spec.lastIndexOf(':');
    if (colon <= 0 || colon == spec.length() - 1) {
      throw new ConfigException("cache '%s': expected disk:FOLDER:SIZE[:lru]".formatted(text));
    }
    Path folder = Path.of(spec.substring(0, colon));
    return new DiskCache(below, folder, Bytes.parse(spec.substring(colon + 1)), lru);
  }

  /// Counts anew if no other process uses the folder: one that was killed may have left a wrong
  /// count.
  private void begin() throws IOException {
    try {
      FileLock alone = lockChannel.tryLock();
      if (alone != null) {
        long sum = 0;
        for (Path file : files()) {
          sum += Files.size(file);
        }
        COUNT.setVolatile(used, 0L, sum);
        alone.release();
      }
      FileLock _ = lockChannel.lock(0, Long.MAX_VALUE, true);
    } catch (OverlappingFileLockException e) {
      // this process uses the folder already
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files.filter(file -> file.toString().endsWith(".region")).toList();
    }
  }

  /// {@return reads that the folder could answer}
  public long hits() {
    return hits.sum();
  }

  /// {@return reads that went to the store below}
  public long misses() {
    return misses.sum();
  }

  /// {@return bytes that the folder's files take}
  public long usedBytes() {
    return (long) COUNT.getVolatile(used, 0L);
  }

  @Override
  public ByteFile open(Path path) throws IOException {
    ByteFile file = below.open(path);
    try {
      RemoteFiles remote = Places.remote(path);
      String version =
          remote == null
              ? String.valueOf(Files.getLastModifiedTime(path).toMillis())
              : remote.version(path);
      String name = "%s\n%d\n%s".formatted(path.toUri(), file.size(), version);
      String digest = HexFormat.of().formatHex(sha256(name), 0, 16);
      read.add(digest);
      return new CachedFile(file, folder.resolve(digest));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private CacheRegion region(Path files, long position) {
    return regions.computeIfAbsent(
        files.resolve(position / REGION + ".region"), file -> new CacheRegion(file));
  }

  /// {@return whether all bytes were in the cache}
  private boolean recall(Path files, long position, MemorySegment into) {
    try {
      for (long done = 0; done < into.byteSize(); ) {
        long at = position + done;
        long n = Math.min(into.byteSize() - done, REGION - at % REGION);
        if (!region(files, at).read(at, into.asSlice(done, n))) {
          return false;
        }
        done += n;
      }
      return true;
    } catch (IOException e) {
      warn(e);
      return false;
    }
  }

  private void keep(Path files, long position, MemorySegment bytes) {
    try {
      for (long done = 0; done < bytes.byteSize(); ) {
        long at = position + done;
        long n = Math.min(bytes.byteSize() - done, REGION - at % REGION);
        long taken = n + CacheRegion.HEADER;
        if (!reserve(taken)) {
          return;
        }
        long grown = 0;
        try {
          grown = region(files, at).add(at, bytes.asSlice(done, n));
        } finally {
          count(grown - taken);
        }
        done += n;
      }
    } catch (IOException e) {
      warn(e);
    }
  }

  private long count(long more) {
    return (long) COUNT.getAndAdd(used, 0L, more) + more;
  }

  private boolean reserve(long bytes) throws IOException {
    if (count(bytes) <= size || makeRoom()) {
      return true;
    }
    count(-bytes);
    return false;
  }

  /// Deletes what may give way.
  ///
  /// @return whether the folder is within its size now
  private synchronized boolean makeRoom() throws IOException {
    if (usedBytes() <= size) {
      return true;
    }
    record Old(Path file, long time) {}
    List<Old> old = new ArrayList<>();
    for (Path file : files()) {
      try {
        long time = Files.getLastModifiedTime(file).toMillis();
        Path parent = file.getParent();
        boolean ours = parent != null && read.contains(String.valueOf(parent.getFileName()));
        if (lru || (!ours && time < began)) {
          old.add(new Old(file, time));
        }
      } catch (IOException e) {
        // another process deleted it
      }
    }
    old.sort(Comparator.comparingLong(Old::time));
    long goal = size - size / FREED_PART;
    for (Old one : old) {
      if (usedBytes() <= goal) {
        break;
      }
      count(-regions.computeIfAbsent(one.file, CacheRegion::new).delete());
    }
    return usedBytes() <= size;
  }

  private void warn(IOException e) {
    warning = "disk cache %s: %s".formatted(folder, e);
  }

  @Override
  public List<String> warnings() {
    String own = warning;
    List<String> all = new ArrayList<>(below.warnings());
    if (own != null) {
      all.add(own);
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    lockChannel.close();
    arena.close();
  }

  private final class CachedFile extends FilterStore.FilterFile {
    private final Path files;

    CachedFile(ByteFile below, Path files) {
      super(below);
      this.files = files;
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      if (recall(files, position, into)) {
        hits.increment();
        return;
      }
      misses.increment();
      super.read(position, into);
      keep(files, position, into);
    }
  }
}
