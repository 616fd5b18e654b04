package io.headrace.convert;

import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
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
    int wanted = (int) Math.min(SAMPLES, count);
    long start = System.nanoTime();
    var sink = new CountingSink();
    var budget = new MemoryBudget(options.memory());
    int used = 0;
    try (var transformer = new Transformer(options, count, budget, Manifest.stepsOf(source));
        var sample = new Sample(new Block(budget));
        var stream = Streams.compress(sink, options.representation().compression());
        var reader = new FewSamples(source, count, wanted)) {
      for (int i = 0; i < wanted; i++) {
        long position = count * i / wanted;
        used += take(reader, i, position, sample, transformer, stream) ? 1 : 0;
      }
    }
    if (used == 0) {
      return new Estimate(0, 0, 0);
    }
    return new Estimate(
        used,
        (double) sink.bytes / used + RECORD_OVERHEAD,
        (System.nanoTime() - start) / 1e9 / used);
  }

  /// {@return whether the `i`th sample could be used; if not, the conversion itself will say why}
  private static boolean take(
      FewSamples reader,
      int i,
      long position,
      Sample sample,
      Transformer transformer,
      WritableByteChannel stream)
      throws IOException {
    try {
      if (!reader.read(i, sample)) {
        return false;
      }
      transformer.transform(sample, position);
      stream.write(transformer.result().asByteBuffer());
      return true;
    } catch (CorruptDataException | DecodeException e) {
      return false;
    }
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
