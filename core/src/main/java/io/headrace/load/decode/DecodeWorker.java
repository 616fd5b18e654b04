package io.headrace.load.decode;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.BatchSizer;
import io.headrace.load.deliver.Verbatim;
import io.headrace.load.fetch.EncodedSlot;
import io.headrace.load.fetch.Pass;
import io.headrace.load.fetch.SampleSource;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.BatchBuffer;
import io.headrace.meter.Cpu;
import io.headrace.meter.Meters;
import io.headrace.meter.SampleEvent;
import io.headrace.meter.SpanEvent;
import io.headrace.meter.Stage;
import io.headrace.pipeline.Pipeline;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One thread, one decoder: takes encoded samples and fills their slots, epoch after epoch.
public final class DecodeWorker implements Runnable {
  private final DecoderPool decoders;
  private final SampleSource source;
  private final BatchRing ring;
  private final LoadOptions options;
  private final CRC32C crc = new CRC32C();
  private final @Nullable Verbatim verbatim;
  private final int views;

  /// All views of a sample together.
  private final long sampleBytes;

  private long copyNanos;
  private int good;
  private long encodedBytes;

  public DecodeWorker(
      DecoderPool decoders,
      SampleSource source,
      BatchRing ring,
      Pipeline pipeline,
      LoadOptions options) {
    this.decoders = decoders;
    this.source = source;
    this.ring = ring;
    this.options = options;
    verbatim = Verbatim.of(pipeline);
    views = pipeline.views();
    sampleBytes = views * pipeline.outputSpec().bytes();
  }

  @Override
  public void run() {
    try {
      for (Pass pass = source.first(); pass != null; pass = source.after(pass)) {
        Decoders processor = decoders.take();
        boolean sound = false;
        try {
          pass = work(processor, pass);
          sound = true;
        } finally {
          decoders.giveBack(processor, sound);
        }
      }
    } catch (RuntimeException | Error e) {
      ring.fail(e, 0);
    }
  }

  /// Works until there is nothing left to do.
  ///
  /// @param pass that is worked on first
  /// @return the one worked on last
  private Pass work(Decoders processor, Pass pass) {
    Pass current = pass;
    var hand = new EncodedSlot[BatchSizer.MAX];
    var sizer = new BatchSizer();
    long start = System.nanoTime();
    while (true) {
      int waiting = source.queue.size();
      SpanEvent wait = SpanEvent.start();
      int n = source.queue.take(hand, sizer.most(waiting / options.threads()));
      long taken = System.nanoTime();
      SpanEvent.write(wait, SpanEvent.BYTES, n, 0);
      current = n == 0 ? current : hand[n - 1].pass;
      (n == 0 ? source.last() : current).waited(waiting, source.places(), start, taken);
      if (n == 0) {
        return current;
      }
      for (int from = 0; from < n; ) {
        int to = from + 1;
        while (to < n && hand[to].pass == hand[from].pass) {
          to++;
        }
        fillAll(processor, hand, from, to);
        from = to;
      }
      start = System.nanoTime();
      sizer.took(start - taken, n);
      if (!source.free.putAll(hand, n)) {
        return current;
      }
    }
  }

  /// Fills the slots of samples of one epoch.
  private void fillAll(Decoders processor, EncodedSlot[] hand, int from, int to) {
    Meters meters = hand[from].pass.meters;
    long start = System.nanoTime();
    long cpu = Cpu.ofThisThread();
    long decoded = processor.decodeNanos();
    long transformed = processor.transformNanos();
    copyNanos = 0;
    encodedBytes = 0;
    good = 0;
    for (int i = from; i < to; i++) {
      fill(processor, hand[i], ring.partOf(hand[i].position));
    }
    // both stages take turns, so that each gets its share of the thread's running time
    double ran = (double) (Cpu.ofThisThread() - cpu) / Math.max(1, System.nanoTime() - start);
    long decode = processor.decodeNanos() - decoded + copyNanos;
    long transform = processor.transformNanos() - transformed;
    meters.add(Stage.DECODE, decode, (long) (ran * decode), good, encodedBytes);
    meters.add(Stage.TRANSFORM, transform, (long) (ran * transform), good, good * sampleBytes);
    for (int i = from; i < to; ) { // last of all, so that a batch is counted before it is seen
      BatchRing.Part part = ring.partOf(hand[i].position);
      int last = i + 1;
      while (last < to && ring.partOf(hand[last].position) == part) {
        last++;
      }
      ring.slotsDone(part, last - i);
      i = last;
    }
  }

  private void fill(Decoders processor, EncodedSlot fetched, BatchRing.Part part) {
    int slot = ring.slotOf(fetched.position);
    CorruptDataException fault = fetched.fault;
    long label = fetched.sample.label();
    long id = fetched.sample.id();
    BatchBuffer buffer = part.buffer;
    if (fault != null) {
      buffer.describe(slot, label, id, 0);
      part.faults[slot] = fault;
      fetched.pass.meters.fault();
      return;
    }
    SampleEvent event = SampleEvent.start();
    long decoded = processor.decodeNanos() + copyNanos;
    long transformed = processor.transformNanos();
    try {
      process(processor, fetched, buffer, slot);
      processor.fields(fetched, buffer, slot);
      long hash = 0;
      if (options.digest()) {
        crc.reset();
        crc.update(buffer.buffer(slot));
        for (int view = 1; view < views; view++) {
          crc.update(processor.view(view, buffer).buffer(slot));
        }
        hash = crc.getValue();
      }
      buffer.describe(slot, label, id, hash);
      SampleEvent.write(
          event,
          id,
          fetched.sample.encodedBytes(),
          processor.decodeNanos() + copyNanos - decoded,
          processor.transformNanos() - transformed);
      good++;
      encodedBytes += fetched.sample.encodedBytes();
    } catch (DecodeException e) {
      buffer.describe(slot, label, id, 0);
      part.faults[slot] = CorruptDataException.at(fetched.sample.location(), e);
      fetched.pass.meters.fault();
    }
  }

  private void process(Decoders processor, EncodedSlot fetched, BatchBuffer buffer, int slot)
      throws DecodeException {
    MemorySegment encoded = fetched.sample.encoded();
    Verbatim copier = verbatim;
    boolean done = fetched.sample.isDecoded() || !options.cache().decoded(); // and kept, if wanted
    if (copier != null && done && fetched.sample.tiles().byteSize() == 0) {
      long start = System.nanoTime();
      boolean copied = copier.copy(encoded, buffer.slot(slot));
      if (copied) {
        copyNanos += System.nanoTime() - start;
        return;
      }
    }
    processor.process(fetched, buffer, slot);
  }
}
