package io.headrace.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The local file system, read past the page cache (`O_DIRECT`), so that memory is left to caches
/// that know the order of reads.
///
/// Where a file system refuses, files are read through the page cache, and [#warnings] says so. A
/// store keeps as many buffers of 1 MiB as threads ever read through it at once, at most 64; they
/// are freed with it.
public final class DirectStore implements Store {
  static final int BUFFER = 1 << 20;
  private static final int KEPT = 64;

  private final ConcurrentLinkedQueue<MemorySegment> buffers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger kept = new AtomicInteger();
  private final List<String> warnings = new ArrayList<>();

  /// A store without buffers yet.
  public DirectStore() {}

  @Override
  public ByteFile open(Path path) throws IOException {
    FileChannel channel = openDirect(path);
    if (channel == null) {
      return LocalFile.open(path);
    }
    try {
      int alignment = Math.toIntExact(Math.max(512, Files.getFileStore(path).getBlockSize()));
      if (alignment <= BUFFER && BUFFER % alignment == 0) {
        return new DirectFile(path, channel, channel.size(), alignment, this);
      }
      refused(path, "blocks of %d bytes".formatted(alignment));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return LocalFile.open(path);
  }

  private @Nullable FileChannel openDirect(Path path) throws IOException {
    try {
      return FileChannel.open(path, StandardOpenOption.READ, DirectOption.get());
    } catch (UnsupportedOperationException e) {
      refused(path, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (!Files.isReadable(path)) {
        throw e;
      }
      refused(path, String.valueOf(e.getMessage())); // EINVAL, from a file system without O_DIRECT
    }
    return null;
  }

  /// Notes, once a store, that direct reads do not work.
  synchronized void refused(Path path, String reason) {
    if (warnings.isEmpty()) {
      warnings.add(
          "%s: direct reads are refused (%s): read through the page cache".formatted(path, reason));
    }
  }

  @Override
  public synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }

  /// {@return a buffer of [#BUFFER] bytes, aligned for any block size up to that}
  MemorySegment borrow() {
    MemorySegment buffer = buffers.poll();
    if (buffer != null) {
      kept.decrementAndGet();
      return buffer;
    }
    return Arena.ofAuto().allocate(BUFFER, BUFFER); // lives as long as the store that keeps it
  }

  void giveBack(MemorySegment buffer) {
    if (kept.incrementAndGet() <= KEPT) {
      buffers.add(buffer);
    } else {
      kept.decrementAndGet();
    }
  }
}
