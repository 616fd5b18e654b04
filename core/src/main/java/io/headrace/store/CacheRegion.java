package io.headrace.store;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// Pieces of a region of a file, as they were read, one after the other in a file of the cache.
///
/// A piece is its offset (int64), its length and the CRC-32C of offset, length and bytes (int32
/// each, little-endian), then its bytes. Pieces are only added, by one process at a time, which
/// locks the file; one that was cut short by a crash is cut off by whoever adds the next.
/// Thread-safe.
final class CacheRegion {
  static final int HEADER = 16;
  private static final int CRC = 12;

  /// A file's time is that of its last use, to this many milliseconds.
  private static final long USE_MILLIS = 60_000;

  private final Path file;

  /// Pieces by offset: where they lie.
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();

  private long scanned;
  private long noted = System.currentTimeMillis();

  private record Piece(long offset, int length, long place) {
    long end() {
      return offset + length;
    }
  }

  /// @param file need not exist
  CacheRegion(Path file) {
    this.file = file;
  }

  /// Fills a buffer.
  ///
  /// @return whether all of its bytes are here, and as they were put
  synchronized boolean read(long position, MemorySegment into) throws IOException {
    try (FileChannel channel = FileChannel.open(file, READ)) {
      if (!covers(position, into.byteSize())) {
        scan(channel);
      }
      if (!covers(position, into.byteSize())) {
        return false;
      }
      boolean right = fill(channel, position, into);
      if (!right) {
        forget(); // the file may be a new one of that name
        scan(channel);
        right = covers(position, into.byteSize()) && fill(channel, position, into);
      }
      if (!right) {
        forget();
        try (FileChannel writable = FileChannel.open(file, WRITE);
            FileLock lock = writable.tryLock()) {
          if (lock != null) {
            writable.truncate(0); // the disk spoiled it
          }
        }
        return false;
      }
      noteUse();
      return true;
    } catch (NoSuchFileException e) {
      forget();
      return false;
    }
  }

  private void noteUse() throws IOException {
    long now = System.currentTimeMillis();
    if (now - noted > USE_MILLIS) {
      noted = now;
      Files.setLastModifiedTime(file, FileTime.fromMillis(now));
    }
  }

  private void forget() {
    pieces.clear();
    scanned = 0;
  }

  private boolean covers(long position, long length) {
    long at = position;
    while (at < position + length) {
      Map.Entry<Long, Piece> piece = pieces.floorEntry(at);
      if (piece == null || piece.getValue().end() <= at) {
        return false;
      }
      at = piece.getValue().end();
    }
    return true;
  }

  private boolean fill(FileChannel channel, long position, MemorySegment into) throws IOException {
    long end = position + into.byteSize();
    for (long at = position; at < end; ) {
      Piece piece = Objects.requireNonNull(pieces.floorEntry(at)).getValue();
      ByteBuffer bytes = bytes(HEADER + piece.length);
      if (!readFully(channel, bytes, piece.place)
          || bytes.getLong(0) != piece.offset
          || bytes.getInt(8) != piece.length
          || bytes.getInt(CRC) != crc(bytes)) {
        return false;
      }
      long n = Math.min(end, piece.end()) - at;
      MemorySegment.copy(
          MemorySegment.ofBuffer(bytes.clear()),
          HEADER + at - piece.offset,
          into,
          at - position,
          n);
      at += n;
    }
    return true;
  }

  /// Learns of pieces that were added since this was last done.
  private void scan(FileChannel channel) throws IOException {
    ByteBuffer header = bytes(HEADER);
    long size = channel.size();
    while (scanned + HEADER <= size && readFully(channel, header.clear(), scanned)) {
      int length = header.getInt(8);
      if (length <= 0 || length > DiskCache.REGION || scanned + HEADER + length > size) {
        return;
      }
      put(new Piece(header.getLong(0), length, scanned));
      scanned += HEADER + length;
    }
  }

  /// The longer one of two pieces that begin together is known.
  private void put(Piece piece) {
    pieces.merge(piece.offset, piece, (a, b) -> a.length >= b.length ? a : b);
  }

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static boolean readFully(FileChannel channel, ByteBuffer into, long place)
      throws IOException {
    long at = place;
    while (into.hasRemaining()) {
      int n = channel.read(into, at);
      if (n < 0) {
        return false;
      }
      at += n;
    }
    into.flip();
    return true;
  }

  private static int crc(ByteBuffer piece) {
    var crc = new CRC32C();
    ByteBuffer whole = piece.duplicate().clear();
    crc.update(whole.slice(0, CRC));
    crc.update(whole.position(HEADER));
    return (int) crc.getValue();
  }

  /// Adds a piece, unless its bytes are here.
  ///
  /// @return bytes that the file has grown by; below 0 if a piece that was cut short is cut off
  synchronized long add(long position, MemorySegment bytes) throws IOException {
    Path parent = Objects.requireNonNull(file.getParent());
    Files.createDirectories(parent);
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null || !Files.exists(file)) {
        return 0; // another process writes, or deletes
      }
      long before = channel.size();
      if (before < scanned) {
        forget();
      }
      scan(channel);
      if (covers(position, bytes.byteSize())) {
        return 0;
      }
      channel.truncate(scanned);
      int length = (int) bytes.byteSize();
      ByteBuffer piece = bytes(HEADER + length);
      piece.putLong(0, position).putInt(8, length);
      MemorySegment.copy(bytes, 0, MemorySegment.ofBuffer(piece), HEADER, length);
      piece.putInt(CRC, crc(piece));
      long at = scanned;
      while (piece.hasRemaining()) {
        at += channel.write(piece, at);
      }
      put(new Piece(position, length, scanned));
      scanned = at;
      return at - before;
    }
  }

  /// Deletes the file.
  ///
  /// @return its bytes
  synchronized long delete() throws IOException {
    forget();
    try (FileChannel channel = FileChannel.open(file, WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return 0; // in use
      }
      long bytes = channel.size();
      return Files.deleteIfExists(file) ? bytes : 0;
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
