package io.headrace.serve;

import io.headrace.error.ConfigException;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.memory.Batch;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A loader whose batches go to all consumers that take part in its epoch: each is made once and
/// lies in one slot, which is filled again when everybody has given it back. So the fastest
/// consumer is at most as many batches ahead of the slowest as there are slots.
///
/// One thread makes batches and hands them out ([#run]). Each consumer has a thread that says what
/// it wants.
final class Share {
  /// How long the next epoch waits for a consumer that had the last one and asks for nothing.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /// A consumer to send a message to.
  private record Reader(Seat seat, long run) {}

  private final Loader loader;
  private final SharedMemory memory;
  private final int awaited;
  private final boolean lasting;
  private final Consumer<Exception> failures;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final List<Seat> seats = new ArrayList<>();
  private final @Nullable Batch[] lent;

  /// How many consumers hold each slot.
  private final int[] holders;

  private int busy;

  /// Number of the epoch under way, or of the last one, counted from when this was made.
  private long epochs;

  /// Whether those who are there have begun.
  private boolean begun;

  private boolean closed;
  private @Nullable Exception failure;
  private @Nullable ProtocolException broken;
  private long bad;

  /// @param awaited consumers without which the first epoch does not begin
  /// @param lasting whether it goes on when the last consumer has left. Their slots are then filled
  ///     again
  /// @param failures told what each epoch failed of, as its consumers are
  Share(
      Loader loader,
      SharedMemory memory,
      int awaited,
      boolean lasting,
      Consumer<Exception> failures) {
    this.failures = failures;
    this.loader = loader;
    this.memory = memory;
    this.awaited = awaited;
    this.lasting = lasting;
    lent = new @Nullable Batch[memory.slots()];
    holders = new int[memory.slots()];
  }

  /// Lets a consumer in.
  ///
  /// @param yields whether it rather misses batches than holds others up
  /// @throws ConfigException if so many that do could hold all slots
  Seat enter(Connection connection, boolean yields) {
    lock.lock();
    try {
      long yielding = seats.stream().filter(seat -> seat.yields).count();
      if (yields && yielding >= lent.length - 2) {
        throw new ConfigException(
            "%d consumers that may be left behind: %d batches in memory allow %d, so ask for more"
                    .formatted(yielding + 1, lent.length, lent.length - 2)
                + " with --prefetch");
      }
      var seat = new Seat(connection, yields, lent.length);
      seats.add(seat);
      return seat;
    } finally {
      lock.unlock();
    }
  }

  /// A consumer wants an epoch, which ends the one that it had.
  void ask(Seat seat, Ask ask) throws ProtocolException {
    lock.lock();
    try {
      seat.ask(ask);
      for (int slot = 0; slot < lent.length; slot++) {
        if (seat.holds(slot) && !ask.kept().get(slot)) {
          giveBack(seat, slot);
        }
      }
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// A consumer gives a slot back.
  void release(Seat seat, long run, long slot) throws ProtocolException {
    lock.lock();
    try {
      if (seat.mayRelease(run, slot)) {
        giveBack(seat, (int) slot);
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Seat seat, int slot) {
    seat.release(slot);
    Batch batch = lent[slot];
    if (--holders[slot] == 0 && batch != null) {
      lent[slot] = null;
      busy--;
      batch.close();
    }
  }

  /// A consumer is gone. Where it was the only one, nothing is taken from it: it may still read its
  /// memory, which is not filled then.
  ///
  /// @param why if it broke the protocol
  void leave(Seat seat, @Nullable ProtocolException why) {
    lock.lock();
    try {
      if (!seats.remove(seat)) {
        return;
      }
      long _ = seat.end();
      broken = why;
      for (int slot = 0; lasting && slot < lent.length; slot++) {
        if (seat.holds(slot)) {
          giveBack(seat, slot);
        }
      }
      begun &= !seats.isEmpty();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends [#run] after the batch that is being made.
  void close() {
    lock.lock();
    try {
      closed = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Makes batches and hands them out, until the last consumer has left if it does not last.
  void run() {
    for (Ask start = awaitStart(); start != null; start = awaitStart()) {
      deliver(start);
    }
  }

  /// {@return samples skipped in all epochs that ended, and epochs of other data than the dataset
  ///     says}
  ///
  /// @throws IOException that the last epoch failed of, or if a consumer said what makes no sense
  /// @throws RuntimeException that the last epoch failed of
  long result() throws IOException {
    lock.lock();
    try {
      if (broken != null) {
        throw broken;
      }
      return switch (failure) {
        case null -> bad;
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        default -> throw new IllegalStateException(failure);
      };
    } finally {
      lock.unlock();
    }
  }

  private List<Seat> asking() {
    return seats.stream().filter(seat -> seat.asked() != null).toList();
  }

  /// {@return those who had the last epoch}
  private List<Seat> steady() {
    return seats.stream().filter(seat -> seat.hadPart(epochs)).toList();
  }

  /// Waits until an epoch can begin: for so many consumers the first time, then for all that had
  /// the epoch before.
  ///
  /// @return how it begins, or null at the end
  private @Nullable Ask awaitStart() {
    lock.lock();
    try {
      long patience = PATIENCE_NANOS;
      while (!closed && (lasting || !seats.isEmpty())) {
        List<Seat> asking = asking();
        if (begun && !asking.isEmpty()) {
          if (patience <= 0 || asking.containsAll(steady())) {
            return choose(asking);
          }
          patience = news.awaitNanos(patience);
        } else if (asking.size() >= awaited) {
          begun = true;
        } else {
          news.awaitUninterruptibly();
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null; // as the thread's owner wants
    } finally {
      lock.unlock();
    }
  }

  /// {@return what those who had the last epoch want, or everybody if none did: what somebody wants
  ///     exactly, else the highest number}
  private Ask choose(List<Seat> asking) {
    List<Seat> first = asking.stream().filter(seat -> seat.hadPart(epochs)).toList();
    Ask best = null;
    for (Seat seat : first.isEmpty() ? asking : first) {
      Ask ask = seat.asked();
      if (ask == null) {
        continue;
      }
      if (ask.joining() == Ask.Joining.EXACT) {
        return ask;
      }
      if (best == null || ask.number() > best.number()) {
        best = ask;
      }
    }
    if (best == null) {
      throw new IllegalStateException("nobody asks");
    }
    return best;
  }

  private void deliver(Ask start) {
    List<Reader> others = new ArrayList<>();
    List<Reader> first = seat(start, others);
    refuse(others, start);
    try (Epoch epoch = begin(start)) {
      long made = 0;
      tell(first, reader -> Messages.started(reader.run(), epoch, epoch.plan().batches()));
      if (start.next() >= 0) {
        loader.announce(start.next());
      }
      while (awaitWork(start, made == 0)) {
        admit(epoch, start, made);
        if (!hasRoom()) {
          continue;
        }
        Batch batch = epoch.next();
        if (batch == null) {
          end(epoch);
          return;
        }
        hand(epoch, batch);
        made++;
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private Epoch begin(Ask start) {
    String state = start.state();
    return state == null ? loader.epoch(start.number()) : loader.epoch(LoaderState.parse(state));
  }

  /// Seats those who ask for what begins.
  ///
  /// @param others gets those who asked for something else
  private List<Reader> seat(Ask start, List<Reader> others) {
    lock.lock();
    try {
      failure = null;
      epochs++;
      List<Reader> readers = new ArrayList<>();
      for (Seat seat : asking()) {
        Ask ask = seat.asked();
        if (ask != null && ask.fits(start)) {
          seat.take(ask, epochs, true);
          readers.add(new Reader(seat, ask.run()));
        } else {
          others.add(new Reader(seat, seat.end()));
        }
      }
      return readers;
    } finally {
      lock.unlock();
    }
  }

  private void refuse(List<Reader> others, Ask start) {
    var why =
        new ConfigException(
            "this engine's consumers share an epoch, and the others have %s: ask for any epoch, or"
                    .formatted(start.state() == null ? "number " + start.number() : start.state())
                + " for their next one");
    tell(others, reader -> Messages.error(reader.run(), why));
  }

  /// What a consumer that asks while an epoch is under way gets.
  private enum Answer {
    JOINS,
    WAITS,
    REFUSED
  }

  private Answer answer(Seat seat, Ask ask, Ask start, boolean untouched) {
    if (seat.hadPart(epochs)) {
      return Answer.WAITS; // for the next one: it has left this one
    }
    return switch (ask.joining()) {
      case NOW -> Answer.JOINS;
      case WHOLE -> untouched ? Answer.JOINS : Answer.WAITS;
      case EXACT -> {
        boolean next = ask.state() == null && ask.number() == start.next();
        yield untouched && ask.fits(start) ? Answer.JOINS : next ? Answer.WAITS : Answer.REFUSED;
      }
    };
  }

  /// Waits for a slot that nobody holds, or for somebody who wants to join.
  ///
  /// @return false if no more batches of this epoch are wanted
  private boolean awaitWork(Ask start, boolean untouched) {
    lock.lock();
    try {
      while (!closed && seats.stream().anyMatch(Seat::reading)) {
        if (busy < lent.length) {
          return true;
        }
        for (Seat seat : asking()) {
          Ask ask = seat.asked();
          if (ask != null && answer(seat, ask, start, untouched) != Answer.WAITS) {
            return true;
          }
        }
        news.awaitUninterruptibly();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom() {
    lock.lock();
    try {
      return busy < lent.length;
    } finally {
      lock.unlock();
    }
  }

  /// Lets those in who ask for the epoch under way.
  private void admit(Epoch epoch, Ask start, long made) {
    List<Reader> joining = new ArrayList<>();
    List<Reader> refused = new ArrayList<>();
    lock.lock();
    try {
      for (Seat seat : asking()) {
        Ask ask = seat.asked();
        if (ask == null) {
          continue;
        }
        switch (answer(seat, ask, start, made == 0)) {
          case JOINS -> {
            seat.take(ask, epochs, made == 0);
            joining.add(new Reader(seat, ask.run()));
          }
          case REFUSED -> refused.add(new Reader(seat, seat.end()));
          case WAITS -> {}
        }
      }
    } finally {
      lock.unlock();
    }
    refuse(refused, start);
    long planned = epoch.plan().batches();
    tell(
        joining,
        reader -> Messages.started(reader.run(), epoch, planned < 0 ? -1 : planned - made));
  }

  /// Hands a batch to all that take part, except those who may be left behind and hold their part
  /// of the slots.
  private void hand(Epoch epoch, Batch batch) {
    int slot = memory.slotOf(batch);
    memory.describe(slot, batch);
    long done = epoch.state().done();
    List<Reader> readers = new ArrayList<>();
    lock.lock();
    try {
      int yielding = (int) seats.stream().filter(seat -> seat.yields).count();
      int most = Math.max(1, (lent.length - 1) / (1 + yielding));
      for (Seat seat : seats) {
        if (!seat.reading()) {
          continue;
        }
        if (seat.yields && seat.held() >= most) {
          seat.miss(batch.validCount());
          continue;
        }
        seat.lend(slot, batch.validCount());
        readers.add(new Reader(seat, seat.run()));
      }
      if (readers.isEmpty()) {
        batch.close();
        return;
      }
      batch.keep();
      lent[slot] = batch;
      holders[slot] = readers.size();
      busy++;
    } finally {
      lock.unlock();
    }
    tell(readers, reader -> Messages.batch(reader.run(), slot, batch, done));
  }

  /// Ends the epoch for all that take part.
  private void end(Epoch epoch) {
    EpochReport report = epoch.report();
    LoaderState next = epoch.state();
    List<Reader> readers = leaveEpoch();
    lock.lock();
    try {
      bad += report.skipped() + (report.contradiction().isEmpty() ? 0 : 1);
    } finally {
      lock.unlock();
    }
    tell(readers, reader -> Messages.end(reader.run(), next, report, reader.seat()));
  }

  private void fail(Exception why) {
    List<Reader> readers = leaveEpoch();
    lock.lock();
    try {
      failure = why;
    } finally {
      lock.unlock();
    }
    failures.accept(why);
    tell(readers, reader -> Messages.error(reader.run(), why));
  }

  private List<Reader> leaveEpoch() {
    lock.lock();
    try {
      List<Reader> readers = new ArrayList<>();
      for (Seat seat : seats) {
        if (seat.reading()) {
          readers.add(new Reader(seat, seat.end()));
        }
      }
      return readers;
    } finally {
      lock.unlock();
    }
  }

  private void tell(List<Reader> readers, Function<Reader, Map<String, Object>> message) {
    for (Reader reader : readers) {
      try {
        reader.seat().connection.send(message.apply(reader));
      } catch (ConsumerGoneException e) {
        leave(reader.seat(), null);
      }
    }
  }
}
