package io.headrace.codec.stream;

import io.headrace.codec.stream.Compression.Bzip2;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Lz4;
import io.headrace.codec.stream.Compression.Lzma;
import io.headrace.codec.stream.Compression.Lzop;
import io.headrace.codec.stream.Compression.None;
import io.headrace.codec.stream.Compression.Snappy;
import io.headrace.codec.stream.Compression.Xz;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.codec.stream.blocks.Lz4FrameDecoder;
import io.headrace.codec.stream.blocks.Lz4FrameEncoder;
import io.headrace.codec.stream.blocks.LzopDecoder;
import io.headrace.codec.stream.blocks.LzopEncoder;
import io.headrace.codec.stream.blocks.SnappyDecoder;
import io.headrace.codec.stream.blocks.SnappyEncoder;
import io.headrace.codec.stream.coder.Decoder;
import io.headrace.codec.stream.deflate.DeflateEncoder;
import io.headrace.codec.stream.deflate.InflateDecoder;
import io.headrace.codec.stream.deflate.Libz;
import io.headrace.error.ConfigException;
import io.headrace.memory.BufferPool;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// Compressing and decompressing channels. Buffers are off heap, but for xz, lzma and bzip2,
/// whose libraries work on the heap, and where our own code inflates zlib and gzip.
public final class Streams {
  /// Base-2 logarithm of the largest zstd window accepted unless told otherwise: 128 MiB, as in
  /// the `zstd` command.
  public static final int DEFAULT_WINDOW_LOG = 27;

  private Streams() {}

  /// {@return a channel that compresses into `out` and closes it}
  ///
  /// @throws ConfigException if the library is missing or refuses the options
  public static CompressedOutput compress(WritableByteChannel out, Compression compression) {
    return compress(out, compression, Buffering.DEFAULT);
  }

  /// {@return a channel that compresses into `out`, buffering as told, and closes it}
  ///
  /// @throws ConfigException if the library is missing or refuses the options
  public static CompressedOutput compress(
      WritableByteChannel out, Compression compression, Buffering buffering) {
    return switch (compression) {
      case None _ -> new BufferedOutput(out, buffering);
      case Zlib z -> {
        var encoder =
            new DeflateEncoder(z.level(), z.windowBits(), z.memLevel(), z.strategy().number());
        yield new EncodingChannel(out, encoder, buffering);
      }
      case Gzip z -> {
        int wrapped = z.windowBits() + DeflateEncoder.GZIP_WRAPPING;
        var encoder = new DeflateEncoder(z.level(), wrapped, z.memLevel(), z.strategy().number());
        yield new EncodingChannel(out, encoder, buffering);
      }
      case Zstd z -> new EncodingChannel(out, new ZstdEncoder(z), buffering);
      case Lz4(int level, int blockSize, boolean blockChecksum, boolean checksum) -> {
        var encoder = new Lz4FrameEncoder(level, blockSize, blockChecksum, checksum);
        yield new EncodingChannel(out, encoder, buffering);
      }
      case Snappy _ -> new EncodingChannel(out, new SnappyEncoder(), buffering);
      case Xz _, Bzip2 _, Lzma _ ->
          new EncodingChannel(out, new HeapEncoder(compression), buffering);
      case Lzop _ -> new EncodingChannel(out, new LzopEncoder(), buffering);
    };
  }

  /// {@return a channel of the bytes that `in` holds compressed; closing it closes `in`}
  ///
  /// Reading throws [CorruptDataException] where the stream ends early or is damaged, after it has
  /// handed out what came before. gzip members, zstd and LZ4 frames, xz, bzip2, lzop and Snappy
  /// streams may follow one another; a zlib or lzma stream stands alone. An input without any byte
  /// is an empty stream of every kind. Snappy marks no end, and its checksums cover no chunk's
  /// type: a cut between chunks, or a chunk turned into one to skip, cannot be seen.
  ///
  /// @param file the name to give in errors
  /// @throws ConfigException if the library is missing; zlib and gzip need none
  public static ReadableByteChannel decompress(
      ReadableByteChannel in, StreamKind kind, String file) {
    return decompress(in, kind, file, DEFAULT_WINDOW_LOG);
  }

  /// As [#decompress(ReadableByteChannel, StreamKind, String)], with a limit on what a stream's
  /// header may make us reserve.
  ///
  /// @param maxWindowLog 10 to 31: a zstd window or a dictionary of xz or lzma may take 2 to this
  ///     bytes
  public static ReadableByteChannel decompress(
      ReadableByteChannel in, StreamKind kind, String file, int maxWindowLog) {
    try (var own = new BufferPool(DecodingChannel.BUFFER)) { // which goes when all is given back
      return decompress(in, kind, file, maxWindowLog, own);
    }
  }

  /// As [#decompress(ReadableByteChannel, StreamKind, String, int)], with memory that is lent, for
  /// those who open many.
  ///
  /// @param buffers of 256 KiB at least; the channel takes one or two until it is closed
  public static ReadableByteChannel decompress(
      ReadableByteChannel in, StreamKind kind, String file, int maxWindowLog, BufferPool buffers) {
    CompressionSpec.checkRange("zstd", "window limit", maxWindowLog, 10, 31);
    return switch (kind) {
      case NONE -> in;
      case ZLIB, GZIP ->
          new DecodingChannel(in, new InflateDecoder(kind == StreamKind.GZIP), kind, file, buffers);
      case ZSTD -> new DecodingChannel(in, new ZstdDecoder(maxWindowLog), kind, file, buffers);
      case LZ4 -> new DecodingChannel(in, new Lz4FrameDecoder(), kind, file, buffers);
      case SNAPPY -> new DecodingChannel(in, new SnappyDecoder(), kind, file, buffers);
      case LZOP -> new DecodingChannel(in, new LzopDecoder(maxWindowLog), kind, file, buffers);
      case XZ, BZIP2, LZMA -> new HeapDecodingChannel(in, kind, file, maxWindowLog);
    };
  }

  /// {@return a decompressor of zlib streams, which needs no C library: its buffers may be on the
  ///     heap, and it has nothing to close}
  public static Decoder inflater() {
    return new InflateDecoder(false);
  }

  /// {@return the version of the libz in use, such as `1.3.1`; equal versions write equal bytes}
  ///
  /// @throws ConfigException if there is none
  public static String zlibVersion() {
    return Libz.zlibVersion();
  }
}
