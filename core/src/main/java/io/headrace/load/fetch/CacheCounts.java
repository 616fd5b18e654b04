package io.headrace.load.fetch;

import java.util.concurrent.atomic.LongAdder;

/// What a cache does in an epoch, while it does it. Thread-safe.
///
/// @param hits samples that it had
/// @param misses samples that were read, in whole or in part
/// @param extended those among the misses of which it had some fidelity groups, so that only the
///     others were read
record CacheCounts(LongAdder hits, LongAdder misses, LongAdder extended) {
  CacheCounts() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }
}
