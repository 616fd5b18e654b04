package io.headrace.natives;

import io.headrace.meter.Cpu;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// A piece of code in two forms with equal results, plain and with vectors; knows which of them is
/// the faster at the moment.
///
/// Code with the Vector API is some hundred times slower than plain code until the JIT has compiled
/// it, which takes seconds. So a background thread runs both in turn, until vectors have won three
/// times in a row. Until then the plain form is used. One such thread works at a
/// time. Safe for all threads.
public final class WarmKernel {
  /// A form, ready to run.
  public interface Form extends AutoCloseable {
    /// Runs it once.
    void run();

    /// Gives back what it holds, in the thread that ran it.
    @Override
    default void close() {}
  }

  /// Whether the JVM has the module with the Vector API.
  public static final boolean VECTORS =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  private static final int WINS = 3;
  private static final long MAX_NANOS = 20_000_000_000L;
  private static final ReentrantLock TURN = new ReentrantLock();

  /// Threads that find out.
  private static final Set<Thread> WORKING = ConcurrentHashMap.newKeySet();

  private final String name;
  private final int rounds;
  private final Supplier<Form> plain;
  private final Supplier<Form> vectors;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean ready;

  /// @param name what a thread that works for it is called
  /// @param rounds how often each is run before they are compared
  /// @param plain makes something that runs the plain form once
  /// @param vectors makes something that runs the other, on the same data
  public WarmKernel(String name, int rounds, Supplier<Form> plain, Supplier<Form> vectors) {
    this.name = name;
    this.rounds = rounds;
    this.plain = plain;
    this.vectors = vectors;
  }

  /// {@return whether the form with vectors is the faster}
  public boolean ready() {
    return ready;
  }

  /// Starts to find that out, unless it was started before.
  public void start() {
    if (!started.getAndSet(true)) {
      Thread thread =
          Thread.ofPlatform().name("headrace-warm-" + name).daemon().unstarted(this::warm);
      WORKING.add(thread);
      thread.start();
    }
  }

  /// Waits until it is known of all that were started, so that what is measured then is as fast as
  /// it gets.
  ///
  /// @param limit to wait for each at most
  public static void await(Duration limit) throws InterruptedException {
    for (Thread thread : WORKING) {
      // join refuses a thread that has not been started yet
      boolean _ = thread.getState() == Thread.State.NEW || thread.join(limit);
    }
  }

  private void warm() {
    TURN.lock();
    try (Form usual = plain.get();
        Form faster = vectors.get()) {
      long begin = clock();
      int won = 0;
      while (won < WINS && clock() - begin < MAX_NANOS) {
        long start = clock();
        run(usual);
        long middle = clock();
        run(faster);
        won = clock() - middle < middle - start ? won + 1 : 0;
      }
      ready = won == WINS;
    } finally {
      TURN.unlock();
      WORKING.remove(Thread.currentThread());
    }
  }

  /// {@return CPU time of this thread if the system tells it, since the thread may wait for a core}
  private static long clock() {
    long ran = Cpu.ofThisThread();
    return ran > 0 ? ran : System.nanoTime();
  }

  private void run(Form form) {
    for (int i = 0; i < rounds; i++) {
      form.run();
    }
  }
}
