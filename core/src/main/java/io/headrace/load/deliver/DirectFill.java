package io.headrace.load.deliver;

import io.headrace.format.Sample;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.BatchBuffer;
import io.headrace.meter.SampleEvent;
import io.headrace.pipeline.Pipeline;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Fills slots with small samples that need no decoding, on the thread that reads them. Handing
/// such a sample to a decode worker costs more than copying it while it is in the reader's CPU
/// cache. Confined.
public final class DirectFill {
  /// Bytes of a sample at most: several of that size fit into a core's cache.
  private static final long LARGEST = 64 << 10;

  private final Verbatim verbatim;
  private final BatchRing ring;
  private final CRC32C crc = new CRC32C();
  private final boolean digest;
  private final boolean kept;
  private long bytes;
  private long nanos;

  private DirectFill(Verbatim verbatim, BatchRing ring, LoadOptions options) {
    this.verbatim = verbatim;
    this.ring = ring;
    digest = options.digest();
    kept = options.cache().decoded();
  }

  /// {@return whether samples may need no decoding}
  public static boolean mayDo(Pipeline pipeline, LoadOptions options) {
    return options.fields().isEmpty()
        && Verbatim.of(pipeline) != null
        && pipeline.outputSpec().bytes() <= LARGEST;
  }

  /// {@return a filler, or null if samples need decoding}
  public static @Nullable DirectFill of(Pipeline pipeline, LoadOptions options, BatchRing ring) {
    Verbatim verbatim = Verbatim.of(pipeline);
    return verbatim != null && mayDo(pipeline, options)
        ? new DirectFill(verbatim, ring, options)
        : null;
  }

  /// Begins to count anew.
  public void reset() {
    bytes = 0;
    nanos = 0;
  }

  /// Fills a sample's slot.
  ///
  /// @param position of the sample, whose batch has room
  /// @return whether it was filled. If not, the sample has to be decoded, or is one that still has
  ///     to be offered to a cache of decoded samples
  public boolean fill(long position, Sample sample) {
    boolean due = kept && !sample.isDecoded();
    if (due || sample.encodedBytes() > LARGEST || sample.tiles().byteSize() > 0) {
      return false;
    }
    long start = System.nanoTime();
    SampleEvent event = SampleEvent.start();
    BatchBuffer buffer = ring.partOf(position).buffer;
    int slot = ring.slotOf(position);
    if (!verbatim.copy(sample.encoded(), buffer.slot(slot))) {
      return false;
    }
    long hash = 0;
    if (digest) {
      crc.reset();
      crc.update(buffer.buffer(slot));
      hash = crc.getValue();
    }
    buffer.describe(slot, sample.label(), sample.id(), hash);
    long took = System.nanoTime() - start;
    SampleEvent.write(event, sample.id(), sample.encodedBytes(), took, 0);
    bytes += sample.encodedBytes();
    nanos += took;
    return true;
  }

  /// {@return encoded bytes of the samples in them}
  public long bytes() {
    return bytes;
  }

  /// {@return nanoseconds it took}
  public long nanos() {
    return nanos;
  }
}
