package io.headrace.load.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A queue loses nothing and wakes only those who find something.
@Timeout(60)
final class ClosableQueueTest {
  private static final int WAITING = 6;

  /// Law: what is put wakes one who takes for each item, if each takes one.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, WAITING})
  void asManyTakersAreWokenAsThereAreItems(int items) {
    var handoff = new ClosableQueue<String>(8);
    var takers = new Sleepers();
    for (int i = 0; i < WAITING; i++) {
      takers.start(handoff::take);
    }
    var puts = new String[items];
    Arrays.fill(puts, "item");
    assertThat(handoff.putAll(puts, items)).isTrue();
    takers.awaitEnded(items);
    assertThat(takers.alive()).isEqualTo(WAITING - items);
    assertThat(takers.waits()).isEqualTo(WAITING - items); // each waits still for the first time
    assertThat(handoff.size()).isZero();
    handoff.close();
    takers.awaitEnded(WAITING);
  }

  /// Law: a handful that one takes as a whole wakes nobody else.
  @Test
  void aHandfulWakesOneTaker() {
    var handoff = new ClosableQueue<String>(8);
    var takers = new Sleepers();
    for (int i = 0; i < WAITING; i++) {
      takers.start(() -> handoff.take(new String[8], 8));
    }
    assertThat(handoff.putAll(new String[] {"a", "b", "c", "d", "e", "f"}, 6)).isTrue();
    takers.awaitEnded(1);
    assertThat(takers.alive()).isEqualTo(WAITING - 1);
    assertThat(takers.waits()).isEqualTo(WAITING - 1);
    handoff.end();
    takers.awaitEnded(WAITING);
  }

  /// Law: a place wakes one of those who put, and none of those who take.
  @Test
  void aPlaceWakesOneWhoPuts() {
    var handoff = new ClosableQueue<String>(1);
    assertThat(handoff.put("first")).isTrue();
    var putters = new Sleepers();
    for (int i = 0; i < WAITING; i++) {
      putters.start(() -> handoff.put("later"));
    }
    assertThat(handoff.take()).isEqualTo("first");
    putters.awaitEnded(1);
    assertThat(putters.waits()).isEqualTo(WAITING - 1);
    for (int i = 1; i < WAITING; i++) {
      assertThat(handoff.take()).isEqualTo("later");
      putters.awaitEnded(i + 1);
    }
    assertThat(handoff.take()).isEqualTo("later");
    assertThat(handoff.size()).isZero();
  }

  /// Law: whatever is put is taken exactly once, in the order of each who puts, whoever waits.
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 32})
  void nothingIsLost(int capacity) throws InterruptedException {
    int each = 3000;
    int putters = 5;
    int takers = 7;
    var handoff = new ClosableQueue<Integer>(capacity);
    var running = new AtomicInteger(putters);
    var taken = new BitSet();
    var disorder = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < putters; p++) {
      int first = p * each;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    var random = new CounterRandom();
                    random.reset(1, 0, first);
                    var hand = new Integer[5];
                    for (int i = 0; i < each; ) {
                      int n = Math.min(each - i, 1 + random.nextInt(5));
                      for (int k = 0; k < n; k++) {
                        hand[k] = first + i + k;
                      }
                      boolean _ = n == 1 ? handoff.put(hand[0]) : handoff.putAll(hand, n);
                      i += n;
                    }
                    if (running.decrementAndGet() == 0) {
                      handoff.end();
                    }
                  }));
    }
    for (int t = 0; t < takers; t++) {
      int most = 1 + t;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    var hand = new Integer[most];
                    var last = new int[putters];
                    Arrays.fill(last, -1);
                    for (int n = handoff.take(hand, most); n > 0; n = handoff.take(hand, most)) {
                      for (int i = 0; i < n; i++) {
                        int by = hand[i] / each;
                        if (hand[i] <= last[by]) {
                          disorder.incrementAndGet();
                        }
                        last[by] = hand[i];
                        synchronized (taken) {
                          if (taken.get(hand[i])) {
                            disorder.incrementAndGet();
                          }
                          taken.set(hand[i]);
                        }
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(taken.cardinality()).isEqualTo(putters * each);
    assertThat(disorder).hasValue(0);
    assertThat(handoff.take()).isNull();
  }

  @Test
  void anInterruptIsKeptAndEndsNoWait() {
    var handoff = new ClosableQueue<String>(1);
    var kept = new AtomicInteger();
    var taker = new Sleepers();
    taker.start(
        () -> {
          Thread.currentThread().interrupt();
          if ("late".equals(handoff.take()) && Thread.currentThread().isInterrupted()) {
            kept.incrementAndGet();
          }
        });
    assertThat(handoff.put("late")).isTrue();
    taker.awaitEnded(1);
    assertThat(kept).hasValue(1);
  }
}
