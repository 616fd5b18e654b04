package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.format.tar.archive.TarHeader;
import io.headrace.store.ByteFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;

/// Tells by its first bytes whether a file is an archive, and how it is compressed.
///
/// A header with the right checksum wins over magic bytes, because a member's name may begin like
/// them; and what looks like zlib or lzma must also decompress, because that is little proof.
final class TarDetector {
  /// Bytes that are enough to tell, except where a compressor needs a whole block to begin.
  private static final int FIRST_BYTES = 64 << 10;

  private TarDetector() {}

  /// {@return how a file is compressed; [StreamKind#NONE] also if it is no archive at all}
  static StreamKind detect(ByteFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      return detect(first(file, arena));
    }
  }

  private static MemorySegment first(ByteFile file, Arena arena) throws IOException {
    MemorySegment first = arena.allocate(Math.min(FIRST_BYTES, file.size()));
    file.read(0, first);
    return first;
  }

  static StreamKind detect(MemorySegment first) {
    if (isHeader(first)) {
      return StreamKind.NONE;
    }
    StreamKind magic = StreamKind.sniff(first);
    return magic.isSure() || holdsArchive(first, magic) ? magic : StreamKind.NONE;
  }

  /// {@return whether a file is an archive with a member, compressed or not}
  static boolean isArchive(ByteFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = first(file, arena);
      if (isHeader(first)) {
        return true;
      }
      StreamKind kind = StreamKind.sniff(first);
      return kind != StreamKind.NONE && holdsArchive(first, kind);
    }
  }

  private static boolean isHeader(MemorySegment first) {
    return first.byteSize() >= TarHeader.BLOCK
        && !TarHeader.isZero(first, 0)
        && TarHeader.isSound(first, 0);
  }

  private static boolean holdsArchive(MemorySegment first, StreamKind kind) {
    var bytes = Channels.newChannel(new ByteArrayInputStream(first.toArray(JAVA_BYTE)));
    try (var in = Streams.decompress(bytes, kind, "");
        Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(TarHeader.BLOCK, Long.BYTES);
      ByteBuffer header = block.asByteBuffer();
      while (header.hasRemaining() && in.read(header) >= 0) {}
      return !header.hasRemaining() && isHeader(block);
    } catch (CorruptDataException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError("in memory", e);
    }
  }
}
