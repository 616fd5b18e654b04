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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Reads a dataset whose samples can be read one by one: readers claim runs of positions in turn,
/// each within one batch.
public final class IndexedSource extends SampleSource {
  /// A reader that holds more bytes than this passes its samples on.
  private static final long HANDFUL = 512 << 10;

  private final SampleMemory memory;
  private final SourceSetting setting;
  private final CachePolicy.FetcherSource fetchers;
  private final Runnable onRead;
  private @Nullable SampleSource before;
  private final long count;
  private final int batchSize;
  private final long sampleBytes;
  private final Meters meters;
  private final ReadAhead ahead;
  private final AtomicLong next = new AtomicLong();
  private final AtomicInteger running;

  /// @param before the source whose readers continue with this one, or null
  /// @param onRead run once, by a reader, when all samples are read
  public IndexedSource(
      SourceSetting setting,
      SampleMemory.Plan plan,
      @Nullable SampleSource before,
      Runnable onRead) {
    LoadOptions options = setting.load().options();
    int threads = options.threads() + options.readers();
    int least = setting.queued() + threads;
    int most = least + 2 * threads * BatchSizer.MAX;
    int apart = DirectFill.mayDo(setting.load().pipeline(), options) ? options.readers() : 0;
    super(setting, least - apart, most, most);
    memory = setting.memory();
    this.setting = setting;
    this.before = before;
    this.onRead = onRead;
    fetchers = memory.fetchers(plan, setting.fidelity());
    count = ring.count();
    batchSize = options.batchSize();
    sampleBytes = setting.load().pipeline().outputSpec().bytes();
    meters = setting.meters();
    ahead = new ReadAhead(this, meters, least, most, setting.load().budget().limit());
    running = new AtomicInteger(options.readers());
  }

  @Override
  public void start() {
    for (int i = 0; i < setting.load().options().readers(); i++) {
      runAfter(before, "read-" + i, this::readAll);
    }
    before = null; // which holds those before it
  }

  private void readAll() {
    try (Fetcher fetcher = fetchers.open()) {
      new Reading(fetcher).run();
    } catch (IOException | RuntimeException | Error e) {
      ring.fail(e);
    } finally {
      if (running.decrementAndGet() == 0) {
        queue.end();
        if (next.get() == count) {
          onRead.run();
        }
      }
    }
  }

  /// What one thread does.
  private final class Reading {
    private final Fetcher fetcher;
    private final EncodedSlot[] hand = new EncodedSlot[BatchSizer.MAX];
    private final BatchSizer sizer = new BatchSizer();
    private final @Nullable DirectFill direct;
    private boolean stopped;

    /// Length of the run claimed last.
    private int claimed;

    /// Samples read last that are in their slots already.
    private int placed;

    /// What samples are read into while the reader fills slots itself; null while it does not.
    private @Nullable EncodedSlot own;

    Reading(Fetcher fetcher) {
      this.fetcher = fetcher;
      direct = DirectFill.of(setting.load().pipeline(), setting.load().options(), ring);
      own = direct == null ? null : holderApart();
    }

    void run() throws IOException {
      while (!stopped) {
        long begin = claim();
        if (begin == count) {
          return;
        }
        readRun(begin, begin + claimed);
      }
    }

    /// {@return the first of a run of positions that are now this reader's, or the epoch's end}
    private long claim() {
      int wanted = sizer.most(fetcher.mostAtOnce());
      while (true) {
        long begin = next.get();
        if (begin == count) {
          return begin;
        }
        claimed = fetcher.runFrom(begin, wanted, longestAt(begin, fetcher.mostAtOnce()));
        if (next.compareAndSet(begin, begin + claimed)) {
          return begin;
        }
      }
    }

    /// Reads a run of positions.
    private void readRun(long begin, long end) throws IOException {
      long start = System.nanoTime();
      SpanEvent wait = SpanEvent.start();
      stopped = !ring.awaitRoom(begin);
      fetcher.expect(begin, end);
      for (long position = begin; position < end && !stopped; ) {
        int n = take((int) (end - position));
        SpanEvent.write(wait, SpanEvent.ROOM, n, 0);
        long taken = System.nanoTime();
        meters.add(Stage.BLOCK, taken - start, 0, 0);
        if (n == 0) {
          stopped = true;
          return;
        }
        int held = fill(n, position, end, taken);
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
      meters.add(Stage.BLOCK, System.nanoTime() - start, 0, 0);
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
    private int fill(int n, long position, long end, long start) throws IOException {
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
        slot.position = position + held + placed;
        slot.fault = null;
        try {
          if (!fetcher.fetch(slot.position, sample)) {
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
        ring.slotsDone(ring.partOf(position), placed);
      }
      return held;
    }
  }

  private int longestAt(long begin, int most) {
    return (int) Math.min(most, Math.min(count - begin, batchSize - begin % batchSize));
  }

  @Override
  public void stop() {
    super.stop();
    memory.stop();
  }
}
