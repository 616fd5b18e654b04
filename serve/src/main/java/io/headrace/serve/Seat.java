package io.headrace.serve;

import java.net.ProtocolException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A consumer's place in a [Share]: what it asks for, and which slots it holds. Under the share's
/// lock.
final class Seat {
  private static final long NONE = -1;

  final Connection connection;

  /// Whether it rather misses batches than holds the others up.
  final boolean yields;

  /// In which run it was lent each slot.
  private final long[] lentIn;

  private int held;
  private long latest = -1;
  private long run = NONE;
  private @Nullable Ask asked;

  /// The share's number for the epoch that it took part in last.
  private long part = -1;

  private boolean reading;
  private boolean whole;
  private long given;
  private long missed;

  /// @param yields whether it rather misses batches than holds others up
  /// @param slots batches in memory at one time
  Seat(Connection connection, boolean yields, int slots) {
    this.connection = connection;
    this.yields = yields;
    lentIn = new long[slots];
    Arrays.fill(lentIn, NONE);
  }

  /// It wants an epoch, and no other one any more.
  void ask(Ask ask) throws ProtocolException {
    if (ask.run() <= latest) {
      throw new ProtocolException(
          "run %d after run %d: expected a higher number".formatted(ask.run(), latest));
    }
    latest = ask.run();
    asked = ask;
    run = NONE;
    reading = false;
  }

  @Nullable Ask asked() {
    return asked;
  }

  /// Its request is answered: it takes part from now on.
  ///
  /// @param epoch the share's number for it
  /// @param fromStart whether nothing of it was handed out yet
  void take(Ask ask, long epoch, boolean fromStart) {
    asked = null;
    run = ask.run();
    part = epoch;
    reading = true;
    whole = fromStart;
    given = 0;
    missed = 0;
  }

  /// Its request, or its epoch, comes to nothing.
  ///
  /// @return the run that this is about
  long end() {
    Ask waiting = asked;
    asked = null;
    reading = false;
    if (waiting != null) {
      run = waiting.run();
    }
    return run;
  }

  /// {@return whether it gets the batches of the epoch under way}
  boolean reading() {
    return reading;
  }

  /// {@return whether it took part in an epoch, by the share's number}
  boolean hadPart(long epoch) {
    return part == epoch;
  }

  long run() {
    return run;
  }

  int held() {
    return held;
  }

  void lend(int slot, int samples) {
    lentIn[slot] = run;
    held++;
    given += samples;
  }

  void miss(int samples) {
    missed += samples;
  }

  /// {@return samples handed to it of this epoch}
  long given() {
    return given;
  }

  /// {@return samples that it was left behind for}
  long missed() {
    return missed;
  }

  /// {@return whether it had all of the epoch}
  boolean hadAll() {
    return whole && missed == 0;
  }

  boolean holds(int slot) {
    return lentIn[slot] != NONE;
  }

  /// {@return whether it gives back what it holds. What it says about runs that are over does not
  ///     matter, except of slots that it has kept}
  ///
  /// @throws ProtocolException if it holds no such slot
  boolean mayRelease(long fromRun, long slot) throws ProtocolException {
    boolean there = slot < lentIn.length && lentIn[(int) slot] == fromRun && fromRun != NONE;
    if (!there && fromRun == run) {
      throw new ProtocolException(
          "slot %d released: expected one that is held, below %d".formatted(slot, lentIn.length));
    }
    return there;
  }

  void release(int slot) {
    lentIn[slot] = NONE;
    held--;
  }
}
