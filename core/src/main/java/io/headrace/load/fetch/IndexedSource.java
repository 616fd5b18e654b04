package io.headrace.load.fetch;

import io.headrace.format.Sample;
import io.headrace.load.deliver.BatchSizer;
import io.headrace.load.deliver.DirectFill;
import io.headrace.load.plan.LoadOptions;
import io.headrace.meter.Cpu;
import io.headrace.meter.Meters;
import io.headrace.meter.SpanEvent;
import io.headrace.meter.Stage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads a dataset whose samples can be read one by one: readers claim runs of positions in turn,
/// each within one batch. One that finds no more in an epoch goes on to the next.
public final class IndexedSource extends SampleSource {
  /// A reader that holds more bytes than this passes its samples on.
  private static final long HANDFUL = 512 << 10;

  private final SampleMemory memory;
  private final SourceSetting setting;
  private final int batchSize;
  private final long sampleBytes;
  private final ReadAhead ahead;

  public IndexedSource(SourceSetting setting, Pass first) {
    LoadOptions options = setting.load().options();
    int threads = options.threads() + options.readers();
    int least = setting.queued() + threads;
    int most = least + 2 * threads * BatchSizer.MAX;
    int apart = DirectFill.mayDo(setting.load().pipeline(), options) ? options.readers() : 0;
    super(setting, first, least - apart, most, most);
    memory = setting.memory();
    this.setting = setting;
    batchSize = options.batchSize();
    sampleBytes = setting.load().pipeline().outputSpec().bytes();
    ahead = new ReadAhead(this, setting.queued(), least, most, setting.load().budget().limit());
  }

  @Override
  public int places() {
    return ahead.places();
  }

  @Override
  public void start() {
    for (int i = 0; i < setting.load().options().readers(); i++) {
      run("read-" + i, this::readAll);
    }
  }

  private void readAll() {
    var reader = new Reader();
    for (Pass pass = first(); pass != null && !reader.stopped; pass = after(pass)) {
      reader.readAll(pass);
    }
  }

  /// What one thread does.
  private final class Reader {
    private final EncodedSlot[] hand = new EncodedSlot[BatchSizer.MAX];
    private final BatchSizer sizer = new BatchSizer();
    private final @Nullable DirectFill direct =
        DirectFill.of(setting.load().pipeline(), setting.load().options(), ring);
    private boolean stopped;

    /// Length of the run claimed last.
    private int claimed;

    /// Samples read last that are in their slots already.
    private int placed;

    /// What samples are read into while the reader fills slots itself; null while it does not.
    private @Nullable EncodedSlot own = direct == null ? null : holderApart();

    /// Reads its part of an epoch.
    void readAll(Pass pass) {
      try (Fetcher fetcher = pass.openFetcher()) {
        long count = ring.count(pass.section);
        for (long begin = claim(pass, fetcher, count); begin < count && !stopped; ) {
          readRun(pass, fetcher, begin, begin + claimed);
          begin = claim(pass, fetcher, count);
        }
      } catch (IOException | RuntimeException | Error e) {
        stopped = true;
        ring.fail(e, pass.section.start());
      } finally {
        readerDone(pass);
      }
    }

    /// {@return the first of a run of positions that are now this reader's, or the epoch's end}
    private long claim(Pass pass, Fetcher fetcher, long count) {
      int wanted = sizer.most(fetcher.mostAtOnce());
      while (true) {
        long begin = pass.claimed.get();
        if (begin == count) {
          return begin;
        }
        long batchEnd = Math.min(count, begin - begin % batchSize + batchSize);
        int longest = (int) Math.min(fetcher.mostAtOnce(), batchEnd - begin);
        claimed = fetcher.runFrom(begin, wanted, longest);
        if (pass.claimed.compareAndSet(begin, begin + claimed)) {
          return begin;
        }
      }
    }

    /// Reads a run of an epoch's positions.
    private void readRun(Pass pass, Fetcher fetcher, long begin, long end) throws IOException {
      long start = System.nanoTime();
      SpanEvent wait = SpanEvent.start();
      stopped = !ring.awaitRoom(pass.section.start() + begin);
      fetcher.expect(begin, end);
      for (long position = begin; position < end && !stopped; ) {
        int n = take((int) (end - position));
        SpanEvent.write(wait, SpanEvent.ROOM, n, 0);
        long taken = System.nanoTime();
        pass.meters.add(Stage.BLOCK, taken - start, 0, 0);
        if (n == 0) {
          stopped = true;
          return;
        }
        int held = fill(pass, fetcher, n, position, end, taken);
        start = System.nanoTime();
        long requests = fetcher.takeRequests(held + placed);
        if (requests > 0) {
          sizer.took(start - taken, requests);
        }
        putBack(held, n);
        wait = SpanEvent.start();
        stopped |= !queue.putAll(hand, held);
        SpanEvent.write(wait, SpanEvent.HAND_OFF, held, 0);
        wait = SpanEvent.start();
        position += held + placed;
      }
      pass.meters.add(Stage.BLOCK, System.nanoTime() - start, 0, 0);
    }

    private int take(int wanted) {
      EncodedSlot passing = own;
      if (passing == null) {
        return ahead.take(hand, wanted);
      }
      own = null;
      hand[0] = passing;
      return 1;
    }

    /// Gives back holders that were not filled, but keeps one if it served many samples.
    private void putBack(int from, int n) {
      for (int i = from; i < n; i++) {
        if (i == 0 && placed > 0) {
          own = hand[i];
        } else {
          free.put(hand[i]);
        }
      }
    }

    /// Reads samples into a reader's holders, and puts those that need no decoding into their slots
    /// at once. Stops early if samples turn out large.
    ///
    /// @return holders filled
    private int fill(Pass pass, Fetcher fetcher, int n, long position, long end, long start)
        throws IOException {
      long first = pass.section.start();
      Meters meters = pass.meters;
      SpanEvent span = SpanEvent.start();
      long cpu = Cpu.ofThisThread();
      long bytes = 0;
      long largest = 0;
      int held = 0;
      DirectFill filler = direct;
      if (filler != null) {
        filler.reset();
      }
      placed = 0;
      while (held < n && position + held + placed < end && bytes < HANDFUL) {
        EncodedSlot slot = hand[held];
        Sample sample = slot.sample;
        slot.pass = pass;
        slot.position = first + position + held + placed;
        slot.fault = null;
        try {
          if (!fetcher.fetch(slot.position - first, sample)) {
            stopped = true;
            break;
          }
        } catch (IOException e) {
          slot.fault = faultOf(e, sample.location());
        }
        bytes += sample.encodedBytes();
        largest = Math.max(largest, sample.block().memory().byteSize());
        if (filler != null && slot.fault == null && filler.fill(slot.position, sample)) {
          placed++;
        } else {
          held++;
        }
      }
      SpanEvent.write(span, SpanEvent.READ, held + placed, bytes);
      ahead.saw(largest);
      long nanos = System.nanoTime() - start;
      long ran = Cpu.ofThisThread() - cpu;
      if (filler != null && placed > 0) {
        long copying = Math.min(nanos, filler.nanos());
        long part = (long) ((double) ran * copying / Math.max(1, nanos));
        long delivered = placed * sampleBytes;
        meters.add(Stage.DECODE, copying, part, placed, filler.bytes());
        meters.add(Stage.TRANSFORM, 0, 0, placed, delivered);
        nanos -= copying;
        ran -= part;
      }
      meters.add(Stage.READ, nanos, ran, held + placed, bytes);
      meters.stored(fetcher.takeBytesRead());
      if (placed > 0) { // last of all, so that a batch is counted before it is seen
        ring.slotsDone(ring.partOf(first + position), placed);
      }
      return held;
    }
  }

  @Override
  public synchronized void stop() {
    super.stop();
    memory.stop();
  }
}
