package io.headrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Buffers are lent to one at a time, and freed when all are back.
final class BufferPoolTest {
  @Test
  void buffersAreUsedAgainAndNeverTwiceAtOnce() {
    try (var pool = new BufferPool(100)) {
      MemorySegment first = pool.take();
      MemorySegment second = pool.take();
      assertThat(first.byteSize()).isEqualTo(100);
      assertThat(first.address()).isNotEqualTo(second.address());
      pool.giveBack(first);
      assertThat(pool.take().address()).isEqualTo(first.address());
      pool.giveBack(first);
      pool.giveBack(second);
    }
  }

  /// Law: what is lent stays usable until it is given back, whoever closes the pool meanwhile.
  @Test
  void memoryGoesWhenThePoolIsClosedAndAllIsBack() {
    var pool = new BufferPool(100);
    MemorySegment first = pool.take();
    pool.close();
    MemorySegment second = pool.take();
    pool.giveBack(first);
    assertThat(second.scope().isAlive()).isTrue();
    pool.giveBack(second);
    assertThat(second.scope().isAlive()).isFalse();
    assertThatThrownBy(pool::take).isInstanceOf(IllegalStateException.class);
  }
}
