package io.headrace.load.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  private static BatchRing ring(Arena arena, int buffers) {
    var spec = new TensorSpec(DType.UINT8, List.of(4));
    List<BatchBuffer> free =
        IntStream.range(0, buffers)
            .mapToObj(_ -> new BatchBuffer(spec, arena.allocate(4 * BATCH), BATCH))
            .toList();
    return new BatchRing(free);
  }

  /// Law: a batch given back wakes those who wait for its buffer, and no others.
  @Test
  void aBufferGivenBackWakesThoseWhoWaitForIt() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 3);
      Section section = ring.append(40, 40);
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
        BatchRing.Part part = Objects.requireNonNull(ring.await(section, batch));
        ring.release(part, part.batch());
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
      BatchRing ring = ring(arena, 4);
      Section section = ring.append(40, 40);
      var kept = new ArrayDeque<Runnable>();
      Set<BatchBuffer> held = new HashSet<>();
      Set<BatchBuffer> seen = new HashSet<>();
      for (int epoch = 0; epoch < 3; epoch++) {
        for (int batch = 0; batch < 20; batch++) {
          long position = section.start() + (long) batch * BATCH;
          assertThat(ring.awaitRoom(position)).isTrue(); // at once
          ring.slotsDone(ring.partOf(position), BATCH);
          BatchRing.Part part = Objects.requireNonNull(ring.await(section, batch));
          BatchBuffer buffer = part.buffer;
          seen.add(buffer);
          assertThat(held.add(buffer)).isTrue();
          Runnable giveBack = ring.keep(part, part.batch());
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
        Section before = section;
        section = ring.append(40, 40);
        assertThat(ring.leave(before)).isTrue();
        kept.removeFirst().run(); // comes back when its epoch is over
      }
      assertThat(seen).hasSize(4);
    }
  }

  /// Law: the consumer sleeps until its batch is complete, whatever else is.
  @Test
  void theConsumerIsWokenForItsBatchAlone() {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 3);
      Section section = ring.append(40, 40);
      var consumer = new Sleepers();
      consumer.start(
          () -> {
            try {
              BatchRing.Part _ = ring.await(section, 0);
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

  private static void fill(BatchRing ring, Section section, int batch) {
    long position = section.start() + (long) batch * BATCH;
    assertThat(ring.awaitRoom(position)).isTrue(); // at once
    ring.slotsDone(ring.partOf(position), BATCH);
  }

  /// Law: an epoch is left while another is filled, but not before all its own batches are; what
  /// the consumer still holds of it then ends.
  @Test
  void anEpochIsLeftWhenAllOfItIsFilled() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 3);
      Section first = ring.append(2 * BATCH, 2 * BATCH);
      Section second = ring.append(3 * BATCH - 1, 3 * BATCH - 1);
      fill(ring, second, 0);
      fill(ring, first, 0);
      BatchRing.Part held = Objects.requireNonNull(ring.await(first, 0));
      long batch = held.batch();
      assertThat(ring.leave(first)).as("a batch is to be filled").isFalse();
      fill(ring, first, 1);
      assertThat(ring.leave(first)).isTrue();
      assertThat(held.batch()).isNotEqualTo(batch);
      fill(ring, second, 1);
      ring.release(held, batch); // too late to mean anything
      ring.keep(held, batch).run();
      for (int i = 0; i < 2; i++) {
        assertThat(ring.await(second, i)).isNotNull();
      }
      ring.slotsDone(ring.partOf(second.start() + 2 * BATCH), BATCH - 1); // has a buffer as well
      assertThat(Objects.requireNonNull(ring.await(second, 2)).expected()).isEqualTo(BATCH - 1);
      assertThatThrownBy(() -> ring.await(second, 3))
          .as("all three are held")
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /// Law: what fails ends its epoch and those after it, not the one before.
  @Test
  void aFailureEndsWhatComesAfterIt() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 3);
      Section first = ring.append(2 * BATCH, 2 * BATCH);
      Section second = ring.append(4 * BATCH, 4 * BATCH);
      fill(ring, first, 0);
      fill(ring, second, 0);
      ring.fail(new IOException("gone"), second.start());
      fill(ring, first, 1);
      for (int i = 0; i < 2; i++) {
        assertThat(ring.await(first, i)).isNotNull();
      }
      assertThat(ring.await(first, 2)).isNull();
      assertThat(ring.awaitRoom(second.start())).isFalse();
      assertThatThrownBy(() -> ring.await(second, 0)).isInstanceOf(IOException.class);
      ring.restart();
      Section third = ring.append(BATCH, BATCH);
      fill(ring, third, 0);
      assertThat(ring.await(third, 0)).isNotNull();
      assertThat(ring.await(third, 1)).isNull();
    }
  }

  /// Law: closing lets everybody go, and says so.
  @Test
  void closingWakesEverybody() {
    try (Arena arena = Arena.ofShared()) {
      BatchRing ring = ring(arena, 2);
      assertThat(ring.append(40, 40).start()).isZero();
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
