package io.headrace.load.decode;

import io.headrace.load.fetch.SampleMemory;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.MemoryBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The decoders of a loader's workers. They outlive its epochs, so that their tables, C state and
/// scratch memory are made once.
///
/// Memory of idle decoders stays reserved until the loader closes. Where little of the budget is
/// left, decoders are closed rather than kept. So no image fails for lack of memory that an earlier
/// epoch's decoder holds. Thread-safe.
public final class DecoderPool implements AutoCloseable {
  /// One part in so many of the budget must be free for decoders to be kept.
  private static final long FREE_SHARE = 4;

  private final SampleMemory memory;
  private final LoadSetting setting;
  private final MemoryBudget budget;
  private final ArrayDeque<Decoders> idle = new ArrayDeque<>();
  private boolean closed;

  public DecoderPool(SampleMemory memory, LoadSetting setting) {
    this.memory = memory;
    this.setting = setting;
    budget = setting.budget();
  }

  /// {@return decoders for the caller alone, to be given back}
  Decoders take() {
    Decoders kept = pop();
    return kept == null ? new Decoders(memory, setting) : kept;
  }

  private synchronized @Nullable Decoders pop() {
    return idle.pollLast(); // the one used last, whose memory caches may still hold
  }

  /// Takes decoders back.
  ///
  /// @param sound whether all went well, so that others may use them
  void giveBack(Decoders decoders, boolean sound) {
    boolean roomy = budget.limit() - budget.reserved() >= budget.limit() / FREE_SHARE;
    if (!sound || !roomy || !push(decoders)) {
      decoders.close();
    }
  }

  private synchronized boolean push(Decoders decoders) {
    if (!closed) {
      idle.addLast(decoders);
    }
    return !closed;
  }

  /// Closes the idle decoders; those given back later are closed then.
  @Override
  public void close() {
    end().forEach(Decoders::close);
  }

  private synchronized List<Decoders> end() {
    closed = true;
    List<Decoders> all = new ArrayList<>(idle);
    idle.clear();
    return all;
  }
}
