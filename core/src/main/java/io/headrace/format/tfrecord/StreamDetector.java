package io.headrace.format.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.store.ByteFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;

/// Tells how a TFRecord file is compressed by its first bytes.
///
/// A length with the right checksum wins over magic bytes, because a length may look like them; and
/// what looks like zlib or lzma must also decompress, because that is little proof.
final class StreamDetector {
  /// Bytes that are enough to tell.
  static final int FIRST_BYTES = 4096;

  private StreamDetector() {}

  /// {@return the kind of the stream that begins with `first`; [StreamKind#NONE] also if nothing
  /// fits}
  static StreamKind detect(MemorySegment first) {
    var crc = new MaskedCrc();
    if (first.byteSize() >= Framing.HEADER && Framing.lengthIsSound(first, 0, crc)) {
      return StreamKind.NONE;
    }
    StreamKind magic = StreamKind.sniff(first);
    return magic.isSure() || decompresses(first, magic) ? magic : StreamKind.NONE;
  }

  /// {@return whether bytes may begin a TFRecord file: with a sound length, or compressed}
  static boolean mayBegin(MemorySegment first) {
    return first.byteSize() == 0
        || detect(first) != StreamKind.NONE
        || (first.byteSize() >= Framing.HEADER && Framing.lengthIsSound(first, 0, new MaskedCrc()));
  }

  private static boolean decompresses(MemorySegment first, StreamKind kind) {
    var bytes = Channels.newChannel(new ByteArrayInputStream(first.toArray(JAVA_BYTE)));
    try (var in = Streams.decompress(bytes, kind, "")) {
      ByteBuffer header = ByteBuffer.allocate((int) Framing.HEADER);
      while (header.hasRemaining() && in.read(header) >= 0) {}
      return header.position() == 0
          || (!header.hasRemaining()
              && Framing.lengthIsSound(MemorySegment.ofBuffer(header.flip()), 0, new MaskedCrc()));
    } catch (CorruptDataException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError("in memory", e);
    }
  }

  /// {@return the kind of a file; [StreamKind#NONE] if it has no bytes}
  static StreamKind detect(ByteFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(FIRST_BYTES, file.size()));
      file.read(0, first);
      return detect(first);
    }
  }
}
