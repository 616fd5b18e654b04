package io.headrace.load.deliver;

/// How many samples, or requests, a thread takes at once: as many as keep it busy for a fifth of a
/// millisecond. So handing over costs little where samples are cheap, and where they are not, none
/// waits in a thread's hands. Confined to one thread.
public final class BatchSizer {
  /// The most samples taken at once.
  public static final int MAX = 32;

  private static final double QUANTUM = 200_000;

  private double nanosEach = QUANTUM;

  /// {@return how many samples to take}
  ///
  /// @param limit of them
  public int most(long limit) {
    return Math.clamp((long) (QUANTUM / nanosEach), 1, Math.clamp(limit, 1, MAX));
  }

  /// Notes how long some samples took. A time far above the expected one counts only in part, since
  /// the thread may have waited for a core.
  public void took(long nanos, long samples) {
    double each = Math.min(Math.max(1.0, (double) nanos) / samples, 8 * nanosEach);
    nanosEach += (each - nanosEach) / (each < nanosEach ? 2 : 4);
  }
}
