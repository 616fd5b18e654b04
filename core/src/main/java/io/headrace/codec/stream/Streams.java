package io.headrace.codec.stream;

import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.None;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.error.ConfigException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// Compressing and decompressing channels, with all buffers off heap.
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
        var encoder = new DeflateEncoder(z.level(), z.windowBits(), z.memLevel(), z.strategy());
        yield new EncodingChannel(out, encoder, buffering);
      }
      case Gzip z -> {
        int wrapped = z.windowBits() + DeflateEncoder.GZIP_WRAPPING;
        var encoder = new DeflateEncoder(z.level(), wrapped, z.memLevel(), z.strategy());
        yield new EncodingChannel(out, encoder, buffering);
      }
      case Zstd z -> new EncodingChannel(out, new ZstdEncoder(z), buffering);
    };
  }

  /// {@return a channel of the bytes that `in` holds compressed; closing it closes `in`}
  ///
  /// Reading throws [CorruptDataException] where the stream ends early or is damaged, after it has
  /// handed out what came before. gzip members and zstd frames may follow one another; a zlib
  /// stream stands alone. An input without any byte is an empty stream of every kind.
  ///
  /// @param file the name to give in errors
  /// @throws ConfigException if the library is missing
  public static ReadableByteChannel decompress(
      ReadableByteChannel in, StreamKind kind, String file) {
    return decompress(in, kind, file, DEFAULT_WINDOW_LOG);
  }

  /// As [#decompress(ReadableByteChannel, StreamKind, String)], with a limit on zstd's window.
  ///
  /// @param maxWindowLog 10 to 31: a frame may make libzstd reserve 2 to this bytes of memory
  public static ReadableByteChannel decompress(
      ReadableByteChannel in, StreamKind kind, String file, int maxWindowLog) {
    CompressionSpec.checkRange("zstd", "window limit", maxWindowLog, 10, 31);
    return switch (kind) {
      case NONE -> in;
      case ZLIB, GZIP -> new DecodingChannel(in, new InflateDecoder(kind), file);
      case ZSTD -> new DecodingChannel(in, new ZstdDecoder(maxWindowLog), file);
    };
  }

  /// {@return the version of the libz in use, such as `1.3.1`; equal versions write equal bytes}
  ///
  /// @throws ConfigException if there is none
  public static String zlibVersion() {
    return Libz.zlibVersion();
  }
}
