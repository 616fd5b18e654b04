package io.headrace.codec;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// A piece of code in two forms with equal results, plain and with vectors, and which of them is
/// the faster at the moment.
///
/// Code with the Vector API is some hundred times slower than plain code until the JIT has compiled
/// it, which takes it seconds. So a thread in the background runs both, in turn, until vectors
/// have won three times in a row; until then the plain form is used. One such thread works at a
/// time. Safe for all threads.
public final class WarmKernel {
  private static final int ROUNDS = 500;
  private static final int WINS = 3;
  private static final long MOST_NANOS = 20_000_000_000L;
  private static final Object TURN = new Object();

  private final String name;
  private final Supplier<Runnable> plain;
  private final Supplier<Runnable> vectors;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean ready;

  /// @param name what a thread that works for it is called
  /// @param plain makes something that runs the plain form once, some microseconds long
  /// @param vectors makes something that runs the other, on the same data
  public WarmKernel(String name, Supplier<Runnable> plain, Supplier<Runnable> vectors) {
    this.name = name;
    this.plain = plain;
    this.vectors = vectors;
  }

  /// {@return whether the form with vectors is the faster}
  public boolean ready() {
    return ready;
  }

  /// Begins to find that out, unless somebody has.
  public void start() {
    if (!started.getAndSet(true)) {
      Thread.ofPlatform().name("headrace-warm-" + name).daemon().start(this::warm);
    }
  }

  private void warm() {
    synchronized (TURN) {
      Runnable usual = plain.get();
      Runnable faster = vectors.get();
      long begin = System.nanoTime();
      int won = 0;
      while (won < WINS && System.nanoTime() - begin < MOST_NANOS) {
        long start = System.nanoTime();
        run(usual);
        long middle = System.nanoTime();
        run(faster);
        won = System.nanoTime() - middle < middle - start ? won + 1 : 0;
      }
      ready = won == WINS;
    }
  }

  private static void run(Runnable form) {
    for (int i = 0; i < ROUNDS; i++) {
      form.run();
    }
  }
}
