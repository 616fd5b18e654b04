package io.headrace.load.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.memory.BatchBuffer;
import io.headrace.memory.DType;
import io.headrace.memory.TensorSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who waits for a batch is woken for that batch.
@Timeout(60)
final class BatchRingTest {
  private static final int BATCH = 2;

  private static BatchRing assembly(Arena arena, int buffers, long count) {
    var spec = new TensorSpec(DType.UINT8, List.of(4));
    List<BatchBuffer> ring =
        IntStream.range(0, buffers)
            .mapToObj(_ -> new BatchBuffer(spec, arena.allocate(4 * BATCH), BATCH))
            .toList();
    return new BatchRing(ring, count, count);
  }

  /// Law: a batch given back wakes those who wait for its buffer, and no others.
  @Test
  void aBufferGivenBackWakesThoseWhoWaitForIt() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      BatchRing assembly = assembly(arena, 3, 40);
      for (long position = 0; position < 3 * BATCH; position += BATCH) {
        assertThat(assembly.awaitRoom(position)).isTrue(); // at once
        assembly.slotsDone(assembly.partOf(position), BATCH);
      }
      var readers = new Sleepers();
      for (int i = 0; i < 3 * BATCH; i++) {
        long position = 3L * BATCH + i; // two for each buffer
        readers.start(() -> assembly.awaitRoom(position));
      }
      for (int batch = 0; batch < 3; batch++) {
        assembly.release(Objects.requireNonNull(assembly.await(batch)));
        int woken = BATCH * (batch + 1);
        readers.awaitEnded(woken);
        assertThat(readers.alive()).isEqualTo(3 * BATCH - woken);
        assertThat(readers.waits()).isEqualTo(readers.alive());
      }
    }
  }

  /// Law: the consumer sleeps until its batch is complete, whatever else is.
  @Test
  void theConsumerIsWokenForItsBatchAlone() {
    try (Arena arena = Arena.ofShared()) {
      BatchRing assembly = assembly(arena, 3, 40);
      var consumer = new Sleepers();
      consumer.start(
          () -> {
            try {
              BatchRing.Part _ = assembly.await(0);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      assembly.slotsDone(assembly.partOf(BATCH), BATCH);
      assembly.slotsDone(assembly.partOf(2L * BATCH), BATCH);
      assembly.slotsDone(assembly.partOf(0), 1);
      consumer.awaitAsleep();
      assertThat(consumer.waits()).isEqualTo(1);
      assembly.slotsDone(assembly.partOf(1), 1);
      consumer.awaitEnded(1);
    }
  }

  /// Law: closing lets everybody go, and says so.
  @Test
  void closingWakesEverybody() {
    try (Arena arena = Arena.ofShared()) {
      BatchRing assembly = assembly(arena, 2, 40);
      var waiting = new Sleepers();
      for (int i = 0; i < 4; i++) {
        long position = 2L * BATCH + i;
        waiting.start(() -> assertThat(assembly.awaitRoom(position)).isFalse());
      }
      assembly.close();
      waiting.awaitEnded(4);
      assertThat(assembly.awaitRoom(0)).isFalse();
    }
  }
}
