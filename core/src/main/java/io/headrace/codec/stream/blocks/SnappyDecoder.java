package io.headrace.codec.stream.blocks;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.xerial.snappy.Snappy;

/// The Snappy framing format; layout at [SnappyEncoder]. Every chunk counts as a stream of its own,
/// because the input may end after any.
public final class SnappyDecoder extends FieldDecoder {
  private static final int HEADER = 4;
  private static final int CRC = 4;
  private static final int LONGEST = CRC + Snappy.maxCompressedLength(SnappyEncoder.CHUNK);

  private final Arena arena = Arena.ofShared();
  private final CRC32C crc = new CRC32C();
  private boolean inHeader = true;
  private boolean identified;
  private int type;

  /// A decoder.
  public SnappyDecoder() {
    field = arena.allocate(LONGEST).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    plain = arena.allocate(SnappyEncoder.CHUNK).asByteBuffer().limit(0);
    wanted = HEADER;
  }

  @Override
  boolean take() throws DecodeException {
    if (wanted == 0) {
      return true; // all of the chunk is handed out
    }
    if (inHeader) {
      header(field.getInt(0));
    } else {
      body();
      wanted = 0;
    }
    return false;
  }

  private void header(int word) throws DecodeException {
    type = word & 0xff;
    int length = word >>> 8;
    if (!identified && type != SnappyEncoder.IDENTIFIER) {
      throw corrupt("stream begins with a chunk of type %02x, expected ff".formatted(type));
    }
    boolean data = type == SnappyEncoder.COMPRESSED || type == SnappyEncoder.PLAIN;
    if (type > SnappyEncoder.PLAIN && type < 0x80) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "snappy: chunk of reserved type %02x".formatted(type));
    }
    if (data && (length < CRC || length > LONGEST)) {
      throw corrupt("data chunk of %d bytes".formatted(length));
    }
    if (type == SnappyEncoder.IDENTIFIER && length != 6) {
      throw corrupt("stream identifier of %d bytes, expected 6".formatted(length));
    }
    if (data || type == SnappyEncoder.IDENTIFIER) {
      inHeader = false;
      wanted = length;
      field.clear();
    } else {
      skip = length;
    }
  }

  private void body() throws DecodeException {
    if (type == SnappyEncoder.IDENTIFIER) {
      if (field.getInt(0) != 0x50614e73 || field.getShort(4) != 0x5970) { // sNaP, pY
        throw corrupt("stream identifier is not sNaPpY");
      }
      identified = true;
      return;
    }
    field.flip().position(CRC);
    int size = type == SnappyEncoder.PLAIN ? field.remaining() : compressedSize();
    if (size > SnappyEncoder.CHUNK) {
      throw corrupt("chunk holds %d bytes, at most 65536 may be".formatted(size));
    }
    plain.clear();
    if (type == SnappyEncoder.PLAIN) {
      plain.put(field).flip();
    } else {
      try {
        Snappy.uncompress(field, plain); // sets plain's limit
      } catch (IOException | RuntimeException e) {
        plain.limit(0);
        throw corrupt("chunk does not decompress: %s".formatted(e.getMessage()));
      }
    }
    int sum = SnappyEncoder.masked(crc, plain.duplicate());
    if (sum != field.getInt(0)) {
      plain.limit(0).position(0);
      throw corrupt("checksum of a chunk is %08x, expected %08x".formatted(sum, field.getInt(0)));
    }
  }

  private int compressedSize() throws DecodeException {
    try {
      return Snappy.uncompressedLength(field);
    } catch (IOException | RuntimeException e) {
      throw corrupt("chunk has no length: %s".formatted(e.getMessage()));
    }
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "snappy: " + what);
  }

  @Override
  public void reset() {
    plain.position(0).limit(0);
    wanted = HEADER;
    inHeader = true;
    skip = -1;
    field.clear();
  }

  @Override
  public void close() {
    arena.close();
  }
}
