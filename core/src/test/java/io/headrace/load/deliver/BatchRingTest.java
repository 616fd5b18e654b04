package io.headrace.load.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.memory.BatchBuffer;
import io.headrace.memory.DType;
import io.headrace.memory.TensorSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who waits for a batch is woken for that batch.
@Timeout(60)
final class BatchRingTest {
  private static final int BATCH = 2;

  private static BatchRing ring(Arena arena, int buffers, long count) {
    var spec = new TensorSpec(DType.UINT8, List.of(4));
    List<BatchBuffer> free =
        IntStream.range(0, buffers)
            .mapToObj(_ -> new BatchBuffer(spec, arena.allocate(4 * BATCH), BATCH))
            .toList();
    return new BatchRing(free, count, count);
  }

  /// Law: a batch given back wakes those who wait for its buffer, and no others.
  @Test
  void aBufferGivenBackWakesThoseWhoWaitForIt() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 3, 40);
      for (long position = 0; position < 3 * BATCH; position += BATCH) {
        assertThat(ring.awaitRoom(position)).isTrue(); // at once
        ring.slotsDone(ring.partOf(position), BATCH);
      }
      var readers = new Sleepers();
      for (int i = 0; i < 3 * BATCH; i++) {
        long position = 3L * BATCH + i; // two for each buffer
        readers.start(() -> ring.awaitRoom(position));
      }
      for (int batch = 0; batch < 3; batch++) {
        ring.release(Objects.requireNonNull(ring.await(batch)));
        int woken = BATCH * (batch + 1);
        readers.awaitEnded(woken);
        assertThat(readers.alive()).isEqualTo(3 * BATCH - woken);
        assertThat(readers.waits()).isEqualTo(readers.alive());
      }
    }
  }

  /// Law: whichever buffers the consumer keeps, and in whatever order it gives them back, batches
  /// are filled in order from the others, in this epoch and in those that follow; none is used
  /// twice.
  @Test
  void whatIsKeptIsNotFilledAgain() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 4, 40);
      var kept = new ArrayDeque<Runnable>();
      Set<BatchBuffer> held = new HashSet<>();
      Set<BatchBuffer> seen = new HashSet<>();
      for (int epoch = 0; epoch < 3; epoch++) {
        for (int batch = 0; batch < 20; batch++) {
          assertThat(ring.awaitRoom((long) batch * BATCH)).isTrue(); // at once
          ring.slotsDone(ring.partOf((long) batch * BATCH), BATCH);
          BatchRing.Part part = Objects.requireNonNull(ring.await(batch));
          BatchBuffer buffer = part.buffer;
          seen.add(buffer);
          assertThat(held.add(buffer)).isTrue();
          Runnable giveBack = ring.keep(part);
          Runnable noted =
              () -> {
                held.remove(buffer);
                giveBack.run();
              };
          if (batch % 3 == 0) {
            kept.addFirst(noted); // the oldest stays longest
          } else {
            kept.addLast(noted);
          }
          while (held.size() > 3 || (batch % 7 == 0 && !held.isEmpty())) {
            (batch % 2 == 0 ? kept.removeFirst() : kept.removeLast()).run();
          }
        }
        ring.leave();
        BatchRing before = ring;
        ring = before.follow(40, 40);
        kept.removeFirst().run(); // comes back when its epoch is over
      }
      assertThat(seen).hasSize(4);
    }
  }

  /// Law: the consumer sleeps until its batch is complete, whatever else is.
  @Test
  void theConsumerIsWokenForItsBatchAlone() {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 3, 40);
      var consumer = new Sleepers();
      consumer.start(
          () -> {
            try {
              BatchRing.Part _ = ring.await(0);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      ring.slotsDone(ring.partOf(BATCH), BATCH);
      ring.slotsDone(ring.partOf(2L * BATCH), BATCH);
      ring.slotsDone(ring.partOf(0), 1);
      consumer.awaitAsleep();
      assertThat(consumer.waits()).isEqualTo(1);
      ring.slotsDone(ring.partOf(1), 1);
      consumer.awaitEnded(1);
    }
  }

  /// Law: closing lets everybody go, and says so.
  @Test
  void closingWakesEverybody() {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 2, 40);
      var waiting = new Sleepers();
      for (int i = 0; i < 4; i++) {
        long position = 2L * BATCH + i;
        waiting.start(() -> assertThat(ring.awaitRoom(position)).isFalse());
      }
      ring.close();
      waiting.awaitEnded(4);
      assertThat(ring.awaitRoom(0)).isFalse();
    }
  }
}
