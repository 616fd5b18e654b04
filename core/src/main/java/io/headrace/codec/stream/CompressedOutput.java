package io.headrace.codec.stream;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/// A channel that buffers and compresses what is written; closing it finishes the stream and closes
/// the channel below. Without a call to [#close] the stream is cut short.
///
/// Writing takes all bytes of a buffer. Used by one thread at a time.
public sealed interface CompressedOutput extends WritableByteChannel
    permits EncodingChannel, BufferedOutput {
  /// Sends on everything written so far, so that a reader below can decompress it now.
  ///
  /// @param mode how far; [FlushMode#NONE] does nothing
  void flush(FlushMode mode) throws IOException;
}
