package io.headrace.tensor;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32C;

/// The frame of an encoded tensor, little-endian:
///
///     0         magic    4 bytes  H T N 1
///     4         codec    uint8    0 store, 1 zvc, 2 rle, 3 csr, 4 lz4, 5 shuffle, 6 fpc,
///                                 7 adaptive, 8 zfp
///     5         type     uint8    0 uint8, 1 int16, 2 float16, 3 float32, 4 float64
///     6         rank     uint8    at most 8
///     7         zero     uint8
///     8         error    float64  largest absolute error of a decoded value, measured
///     16        bytes    uint64   of the payload
///     24        sizes    uint32   [rank], slowest first
///     24+4rank  payload           none if there are no values
///     .         crc      uint32   CRC-32C of everything before
final class TensorBlob {
  static final int CRC = 4;
  private static final int MAGIC = 0x314e5448;
  private static final int FIXED = 24;

  /// By their numbers.
  private static final List<TensorCodec> CODECS = TensorCodec.all();

  private final CRC32C crc = new CRC32C();

  /// {@return bytes before the payload}
  static long headerBytes(TensorShape shape) {
    return FIXED + 4L * shape.rank();
  }

  /// Puts header and checksum around a payload that is already at its place.
  ///
  /// @return bytes of the blob
  long seal(
      MemorySegment to,
      TensorCodec codec,
      ElementType type,
      TensorShape shape,
      double error,
      long payload) {
    to.set(U32, 0, MAGIC);
    to.set(U32, 4, PayloadSet.number(codec) | type.number() << 8 | shape.rank() << 16);
    to.set(U64, 8, Double.doubleToRawLongBits(error));
    to.set(U64, 16, payload);
    for (int i = 0; i < shape.rank(); i++) {
      to.set(U32, FIXED + 4L * i, shape.size(i));
    }
    long end = headerBytes(shape) + payload;
    to.set(U32, end, checksum(to.asSlice(0, end)));
    return end + CRC;
  }

  private int checksum(MemorySegment bytes) {
    crc.reset();
    crc.update(bytes.asByteBuffer());
    return (int) crc.getValue();
  }

  /// {@return the codec in a header that [#info] accepted}
  static TensorCodec codec(MemorySegment blob) {
    return CODECS.get(blob.get(JAVA_BYTE, 4));
  }

  /// Reads a header.
  static TensorInfo info(MemorySegment blob) throws DecodeException {
    long bytes = blob.byteSize();
    if (bytes < FIXED + CRC) {
      throw cut(FIXED + CRC, bytes);
    }
    if (blob.get(U32, 0) != MAGIC) {
      throw new DecodeException(
          Fault.MISMATCH,
          "tensor: begins with %08x, expected HTN1"
              .formatted(Integer.reverseBytes(blob.get(U32, 0))));
    }
    int codec = blob.get(JAVA_BYTE, 4) & 0xff;
    ElementType type = ElementType.of(blob.get(JAVA_BYTE, 5));
    int rank = blob.get(JAVA_BYTE, 6) & 0xff;
    double error = Double.longBitsToDouble(blob.get(U64, 8));
    long payload = blob.get(U64, 16);
    if (codec >= CODECS.size() || type == null || blob.get(JAVA_BYTE, 7) != 0) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "tensor: codec %d, element type %d".formatted(codec, blob.get(JAVA_BYTE, 5)));
    }
    if (rank > TensorShape.MAX_RANK || !(error >= 0) || payload < 0) {
      throw new DecodeException(
          Fault.CORRUPT,
          "tensor: rank %d, error %s, payload of %d bytes".formatted(rank, error, payload));
    }
    long header = FIXED + 4L * rank;
    if (payload > bytes - header - CRC) {
      throw cut(header + CRC + (double) payload, bytes);
    }
    if (payload != bytes - header - CRC) {
      throw new DecodeException(
          Fault.CORRUPT,
          "tensor: %d bytes after the blob".formatted(bytes - header - CRC - payload));
    }
    int[] sizes = new int[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = blob.get(U32, FIXED + 4L * i);
    }
    try {
      TensorShape shape = TensorShape.of(sizes);
      boolean takes = CODECS.get(codec).takes(type);
      if (takes && shape.elements() <= Long.MAX_VALUE / type.bytes()) {
        return new TensorInfo(CODECS.get(codec).label(), type, shape, error, bytes);
      }
    } catch (IllegalArgumentException e) {
      throw new DecodeException(Fault.CORRUPT, "tensor: " + e.getMessage());
    }
    throw new DecodeException(
        Fault.CORRUPT, "tensor: codec %d of %s".formatted(codec, type.label()));
  }

  private static DecodeException cut(double wanted, long found) {
    return new DecodeException(
        Fault.TRUNCATED,
        "tensor: needs %.0f bytes, the data ends after %d".formatted(wanted, found));
  }

  /// Checks the checksum of a blob whose header [#info] accepted.
  ///
  /// @return the payload
  MemorySegment open(MemorySegment blob, TensorShape shape) throws DecodeException {
    long end = blob.byteSize() - CRC;
    int found = checksum(blob.asSlice(0, end));
    if (found != blob.get(U32, end)) {
      throw new DecodeException(
          Fault.CORRUPT,
          "tensor: CRC-32C is %08x, the blob says %08x".formatted(found, blob.get(U32, end)));
    }
    return blob.asSlice(headerBytes(shape), end - headerBytes(shape));
  }
}
