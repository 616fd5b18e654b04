package io.headrace.natives;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WarmKernelTest {
  private static WarmKernel.Form busy(AtomicLong nanos) {
    return () -> {
      long end = System.nanoTime() + nanos.get();
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    };
  }

  private static boolean becomesReady(WarmKernel kernel, Duration within) throws Exception {
    long end = System.nanoTime() + within.toNanos();
    while (!kernel.ready() && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    return kernel.ready();
  }

  @Test
  void readyOnceTheOtherFormWins() throws Exception {
    var plain = new AtomicLong(2_000);
    var other = new AtomicLong(6_000);
    var kernel = new WarmKernel("test", 100, () -> busy(plain), () -> busy(other));
    assertThat(kernel.ready()).isFalse();
    kernel.start();
    assertThat(becomesReady(kernel, Duration.ofMillis(200))).isFalse();
    other.set(200); // the JIT has compiled it
    assertThat(becomesReady(kernel, Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void waitsUntilItIsKnown() throws Exception {
    var plain = new AtomicLong(20_000);
    var kernel = new WarmKernel("test", 100, () -> busy(plain), () -> busy(new AtomicLong(200)));
    kernel.start();
    WarmKernel.await(Duration.ofSeconds(20));
    assertThat(kernel.ready()).isTrue();
  }

  @Test
  void startsOnce() throws Exception {
    var made = new AtomicInteger();
    var done = new CountDownLatch(1);
    var kernel =
        new WarmKernel(
            "test",
            100,
            () -> {
              made.incrementAndGet();
              return busy(new AtomicLong(2_000));
            },
            () -> done::countDown);
    for (int i = 0; i < 5; i++) {
      kernel.start();
    }
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(becomesReady(kernel, Duration.ofSeconds(20))).isTrue();
    assertThat(made).hasValue(1);
  }
}
