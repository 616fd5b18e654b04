package io.headrace.load.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Off-heap pages of one size, lent as chains. A value takes as many as it needs, from anywhere. So
/// fragmentation costs only the rest of its last page.
///
/// One thread at a time may lend and take back; any thread may read and write.
final class PagePool implements AutoCloseable {
  static final int NONE = -1;

  private static final int SMALLEST_PAGE = 512;
  private static final long MAX_PAGES = 1 << 22;
  private static final long SLAB = 64 << 20;

  private final Arena arena = Arena.ofShared();
  private final int pageBytes;
  private final int pages;
  private final int pagesPerSlab;
  private final MemorySegment[] slabs;
  private final int[] next;
  private int fresh;
  private int freeHead = NONE;
  private int freeChained;

  /// @param bytes in all; as many whole pages as fit
  PagePool(long bytes) {
    pageBytes = pageBytes(bytes);
    pages = (int) (bytes / pageBytes);
    pagesPerSlab = (int) Math.min(Math.max(1, pages), SLAB / pageBytes);
    slabs = new MemorySegment[pages == 0 ? 0 : (pages - 1) / pagesPerSlab + 1];
    Arrays.fill(slabs, MemorySegment.NULL);
    next = new int[pages];
  }

  /// {@return the size of a page in a pool of `bytes`: small beside samples, yet not too many}
  static int pageBytes(long bytes) {
    long size = SMALLEST_PAGE;
    while (bytes / size > MAX_PAGES) {
      size *= 2;
    }
    return Math.toIntExact(size);
  }

  /// {@return pages that a value takes}
  long pagesFor(long bytes) {
    return Math.max(1, (bytes + pageBytes - 1) / pageBytes);
  }

  /// {@return bytes lent}
  long usedBytes() {
    return (long) (fresh - freeChained) * pageBytes;
  }

  int pages() {
    return pages;
  }

  private int free() {
    return pages - fresh + freeChained;
  }

  /// {@return the first page of a chain for `bytes`, or [#NONE] if there are not so many free}
  int lend(long bytes) {
    long needed = pagesFor(bytes);
    if (needed > free()) {
      return NONE;
    }
    int first = NONE;
    int last = NONE;
    for (long i = 0; i < needed; i++) {
      int page;
      if (freeHead != NONE) {
        page = freeHead;
        freeHead = next[page];
        freeChained--;
      } else {
        page = fresh++;
        int slab = page / pagesPerSlab;
        if (slabs[slab].byteSize() == 0) {
          long there = Math.min(pagesPerSlab, pages - (long) slab * pagesPerSlab);
          slabs[slab] = arena.allocate(there * pageBytes, 64);
        }
      }
      if (first == NONE) {
        first = page;
      } else {
        next[last] = page;
      }
      last = page;
    }
    next[last] = NONE;
    return first;
  }

  /// Takes a chain back.
  void takeBack(int first) {
    int last = first;
    int count = 1;
    while (next[last] != NONE) {
      last = next[last];
      count++;
    }
    next[last] = freeHead;
    freeHead = first;
    freeChained += count;
  }

  /// {@return a chain's bytes where they are, or [MemorySegment#NULL] if it lies in two slabs. Only
  ///     for pools that never took a chain back: their chains are runs of neighbours}
  MemorySegment view(int first, long bytes) {
    long last = first + pagesFor(bytes) - 1;
    if (first / pagesPerSlab != last / pagesPerSlab) {
      return MemorySegment.NULL;
    }
    long at = (long) (first % pagesPerSlab) * pageBytes;
    return slabs[first / pagesPerSlab].asSlice(at, bytes);
  }

  /// {@return whether a chain would be lent for `bytes` if the one at `first` were taken back}
  boolean fitsInPlaceOf(int first, long bytes) {
    return pagesFor(bytes) <= free() + length(first);
  }

  private int length(int first) {
    int count = 1;
    for (int page = first; next[page] != NONE; page = next[page]) {
      count++;
    }
    return count;
  }

  /// Fills a chain.
  void write(int first, MemorySegment value) {
    transfer(first, value, true);
  }

  /// Copies a chain's bytes out. If the chain was taken back in the meantime, they may belong to
  /// another value.
  void read(int first, MemorySegment into) {
    transfer(first, into, false);
  }

  private void transfer(int first, MemorySegment outside, boolean in) {
    long total = outside.byteSize();
    int page = first;
    for (long done = 0; done < total && page != NONE; ) {
      int start = page;
      int end = page + 1;
      page = next[page];
      while (page == end
          && end % pagesPerSlab != 0
          && done + (end - start) * (long) pageBytes < total) {
        end++;
        page = next[page];
      }
      long length = Math.min((long) (end - start) * pageBytes, total - done);
      MemorySegment slab = slabs[start / pagesPerSlab];
      long at = (long) (start % pagesPerSlab) * pageBytes;
      if (in) {
        MemorySegment.copy(outside, done, slab, at, length);
      } else {
        MemorySegment.copy(slab, at, outside, done, length);
      }
      done += length;
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
