package io.headrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ThrottleTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  @TempDir private Path dir = Path.of(".");

  /// A clock that jumps to the next alarm as soon as all of its threads sleep.
  private static final class FakeTicker implements Ticker {
    private final PriorityQueue<Long> alarms = new PriorityQueue<>();
    private long now = 1_000_000_007L;
    private int awake;

    FakeTicker(int threads) {
      awake = threads;
    }

    @Override
    public synchronized long nanos() {
      return now;
    }

    @Override
    public synchronized void sleepUntil(long nanos) throws InterruptedException {
      if (nanos <= now) {
        return;
      }
      alarms.add(nanos);
      awake--;
      jumpIfAllSleep();
      while (now < nanos) {
        wait();
      }
    }

    /// One thread fewer.
    synchronized void leave() {
      awake--;
      jumpIfAllSleep();
    }

    private void jumpIfAllSleep() {
      Long next = alarms.peek();
      if (awake == 0 && next != null) {
        now = next;
        while (next != null && next == now) {
          alarms.remove();
          next = alarms.peek();
          awake++;
        }
        notifyAll();
      }
    }
  }

  /// Many threads read through one store, in fake time.
  ///
  /// @return seconds taken
  private double run(Device device, int readers, int reads, int bytes, boolean sequential)
      throws IOException, InterruptedException, ExecutionException {
    int size = 4 << 20;
    Path path = dir.resolve("bytes");
    if (!Files.exists(path)) {
      Files.write(path, new byte[size]);
    }
    var ticker = new FakeTicker(readers);
    var store = new ThrottledStore(Store.LOCAL, device, ticker);
    long start = ticker.nanos();
    try (ByteFile file = store.open(path);
        var pool = Executors.newFixedThreadPool(readers)) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int r = 0; r < readers; r++) {
        int reader = r;
        all.add(
            pool.submit(
                () -> {
                  var random = new CounterRandom();
                  random.reset(3, 0, reader);
                  try (Arena arena = Arena.ofConfined()) {
                    MemorySegment into = arena.allocate(bytes);
                    for (int i = 0; i < reads; i++) {
                      int at =
                          sequential ? i * bytes % (size - bytes) : random.nextInt(size - bytes);
                      file.read(at, into);
                    }
                  } finally {
                    ticker.leave();
                  }
                  return true;
                }));
      }
      for (Future<Boolean> done : all) {
        assertThat(done.get()).isTrue();
      }
    }
    assertThat(store.bytes()).isEqualTo((long) readers * reads * bytes);
    assertThat(store.requests()).isEqualTo((long) readers * reads);
    return (ticker.nanos() - start) / 1e9;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16, 64})
  void theRateIsExactForAnyNumberOfReaders(int readers) throws Exception {
    double seconds = run(Device.rate("x", 24e6), readers, 640 / readers, 40_000, false);
    double expected = 640 / readers * readers * 40_000 / 24e6;
    assertThat(seconds).isCloseTo(expected, Percentage.withPercentage(0.1));
  }

  @Test
  void latencyIsHiddenByDepthAndOnlyByDepth() throws Exception {
    var one = new Device("x", INFINITE, INFINITE, INFINITE, 1_000_000, 0, 1);
    var eight = new Device("x", INFINITE, INFINITE, INFINITE, 1_000_000, 0, 8);
    assertThat(run(one, 16, 20, 100, false)).isCloseTo(0.320, within(0.001));
    assertThat(run(eight, 16, 20, 100, false)).isCloseTo(0.040, within(0.001));
    assertThat(run(eight, 1, 20, 100, false)).isCloseTo(0.020, within(0.001));
  }

  @Test
  void requestsAreBegunNoFasterThanTheDeviceCan() throws Exception {
    var device = new Device("x", INFINITE, INFINITE, 1000, 0, 0, 64);
    assertThat(run(device, 16, 20, 100, false)).isCloseTo(0.320, within(0.002));
  }

  @Test
  void oneStreamHasItsOwnBound() throws Exception {
    var device = new Device("x", 10e6, 1e6, INFINITE, 0, 0, 64);
    assertThat(run(device, 1, 10, 100_000, false)).isCloseTo(1.0, within(0.01));
    assertThat(run(device, 20, 10, 100_000, false)).isCloseTo(2.0, within(0.1));
  }

  /// One arm: a random read costs a seek, a read next to the last one does not.
  @Test
  void aDiskSeeksWhereReadsAreNotNeighbours() throws Exception {
    double random = run(Device.HDD, 1, 50, 64_000, false);
    double sequential = run(Device.HDD, 1, 50, 64_000, true);
    double transfer = 50 * 64_000 / 160e6;
    assertThat(sequential).isCloseTo(transfer + 0.012, within(0.0005));
    assertThat(random).isBetween(transfer + 25 * 0.012, transfer + 50 * 0.012);
  }

  @Test
  void nothingIsSavedUpWhileThereIsNoWork() {
    var throttle = new Throttle(Device.rate("x", 1e6), 0);
    assertThat(throttle.book(0, "f", 0, 1000)).isEqualTo(1_000_000);
    assertThat(throttle.book(5_000_000_000L, "f", 0, 1000)).isEqualTo(5_001_000_000L);
    assertThat(throttle.book(5_000_000_000L, "f", 0, 1000)).isEqualTo(5_002_000_000L);
  }

  /// A busy system wakes its threads milliseconds late: the device is as fast as ever.
  @Test
  void lateThreadsTakeNothingFromTheRate() throws IOException {
    var ticker =
        new Ticker() {
          private long now = 5;

          @Override
          public long nanos() {
            return now;
          }

          @Override
          public void sleepUntil(long nanos) {
            now = Math.max(now, nanos) + 9_000_000;
          }
        };
    Path path = Files.write(dir.resolve("bytes"), new byte[400_000]);
    var store = new ThrottledStore(Store.LOCAL, Device.rate("x", 40e6), ticker);
    try (ByteFile file = store.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(400_000);
      for (int i = 0; i < 100; i++) {
        file.read(0, into);
      }
    }
    assertThat(ticker.nanos() / 1e9).isCloseTo(1.0, within(0.01));
  }

  /// In real time, one reader, whose thread the system wakes late each time.
  @Test
  void realTimeIsNeverFasterAndHardlySlower() throws IOException {
    Path path = Files.write(dir.resolve("bytes"), new byte[100_000]);
    var store = new ThrottledStore(Store.LOCAL, Device.rate("x", 40e6));
    try (ByteFile file = store.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(20_000);
      long start = System.nanoTime();
      for (int i = 0; i < 400; i++) {
        file.read(0, into);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      assertThat(seconds).isBetween(0.2, 0.4); // 0.2 on a machine of one's own
    }
  }
}
