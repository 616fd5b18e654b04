package io.headrace.convert;

import io.headrace.codec.stream.Streams;
import io.headrace.format.Dataset;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// What a conversion will take, estimated from a few samples.
///
/// @param samples how many were converted for it
/// @param fileBytesPerSample bytes of a shard file for each sample, compression included
/// @param secondsPerSample one thread's time for a sample
public record Estimate(int samples, double fileBytesPerSample, double secondsPerSample) {
  private static final int SAMPLES = 16;
  private static final int RECORD_OVERHEAD = 250; // framing and the other features, about

  /// {@return the estimate for a conversion of `count` samples}
  static Estimate of(Dataset source, ConvertOptions options, long count) throws IOException {
    long start = System.nanoTime();
    var sink = new CountingSink();
    int used;
    try (var stream = Streams.compress(sink, options.representation().compression())) {
      used = FewSamples.each(source, options, count, SAMPLES, made -> write(made, stream));
    }
    if (used == 0) {
      return new Estimate(0, 0, 0);
    }
    return new Estimate(
        used,
        (double) sink.bytes / used + RECORD_OVERHEAD,
        (System.nanoTime() - start) / 1e9 / used);
  }

  private static void write(MemorySegment bytes, WritableByteChannel to) throws IOException {
    var _ = to.write(bytes.asByteBuffer());
  }

  /// Counts what is written to it.
  private static final class CountingSink implements WritableByteChannel {
    private long bytes;

    @Override
    public int write(ByteBuffer source) {
      int n = source.remaining();
      bytes += n;
      source.position(source.limit());
      return n;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
