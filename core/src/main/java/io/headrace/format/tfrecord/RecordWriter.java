package io.headrace.format.tfrecord;

import io.headrace.codec.stream.Buffering;
import io.headrace.codec.stream.CompressedOutput;
import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.FlushMode;
import io.headrace.codec.stream.Streams;
import io.headrace.error.ConfigException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Writes records to one TFRecord stream, as TensorFlow's `TFRecordWriter` does. Confined to one
/// thread at a time; allocates nothing per record but views.
public final class RecordWriter implements Closeable {
  private static final long MAX_WRITE = 1L << 30;

  private final CompressedOutput out;
  private final MaskedCrc crc = new MaskedCrc();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment frame = arena.allocate(Framing.HEADER);
  private final ByteBuffer header = frame.asByteBuffer();
  private final ByteBuffer footer = frame.asSlice(0, Framing.FOOTER).asByteBuffer();

  /// A writer that owns `out`; closing it finishes the stream.
  ///
  /// @throws ConfigException if the compression cannot be had
  public RecordWriter(WritableByteChannel out, Compression compression) {
    this(out, compression, Buffering.DEFAULT);
  }

  /// A writer that owns `out` and buffers as told.
  ///
  /// @throws ConfigException if the compression cannot be had
  public RecordWriter(WritableByteChannel out, Compression compression, Buffering buffering) {
    this.out = Streams.compress(out, compression, buffering);
  }

  /// Appends one record.
  public void write(MemorySegment payload) throws IOException {
    long length = payload.byteSize();
    Framing.putHeader(frame, length, crc);
    int _ = out.write(header.clear());
    for (long at = 0; at < length; at += MAX_WRITE) {
      int _ = out.write(payload.asSlice(at, Math.min(MAX_WRITE, length - at)).asByteBuffer());
    }
    Framing.putFooter(frame, payload, crc);
    int _ = out.write(footer.clear());
  }

  /// Sends on what was written, so that a reader can have it now.
  ///
  /// @param mode how far; TensorFlow's `flush()` is [FlushMode#PARTIAL]
  public void flush(FlushMode mode) throws IOException {
    out.flush(mode);
  }

  @Override
  public void close() throws IOException {
    try (arena) {
      out.close();
    }
  }
}
