package io.headrace.testkit;

import java.security.SecureRandom;
import java.util.stream.LongStream;

/// Seeds for property tests: fresh on every run, or one given with `-Dheadrace.seed=N`.
public final class Seeds {
  private static final int COUNT = Integer.getInteger("headrace.seeds", 50);

  private Seeds() {}

  /// {@return the given seed alone, or as many fresh ones as `-Dheadrace.seeds` says, 50 if unset}
  public static LongStream random() {
    Long given = Long.getLong("headrace.seed");
    return given != null ? LongStream.of(given) : new SecureRandom().longs(COUNT);
  }
}
