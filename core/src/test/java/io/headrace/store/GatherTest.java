package io.headrace.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class GatherTest {
  private static final int PIECE = 100;

  /// Bytes are their own positions; one of them cannot be read.
  private static final class Counted implements ByteFile {
    private final long bad;
    private int requests;

    Counted(long bad) {
      this.bad = bad;
    }

    @Override
    public Path path() {
      return Path.of("counted");
    }

    @Override
    public long size() {
      return 1 << 20;
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      requests++;
      if (position <= bad && bad < position + into.byteSize()) {
        throw new IOException("bad byte");
      }
      for (long i = 0; i < into.byteSize(); i++) {
        into.set(JAVA_BYTE, i, (byte) (position + i));
      }
    }

    @Override
    public void close() {
      // nothing is open
    }
  }

  private static Gather ten(MemoryBudget budget, long limit) {
    var gather = new Gather(budget, limit);
    for (int i = 0; i < 10; i++) {
      gather.want(0, (long) i * PIECE, PIECE);
    }
    gather.plan();
    return gather;
  }

  private static void read(Gather gather, ByteFile file, long position, Block into)
      throws IOException, DecodeException {
    MemorySegment _ = into.ensure(PIECE + 7);
    Gather.read(gather, 0, file, position, into, 7, PIECE);
    assertThat(into.memory().get(JAVA_BYTE, 7)).isEqualTo((byte) position);
    assertThat(into.memory().get(JAVA_BYTE, 6 + PIECE)).isEqualTo((byte) (position + PIECE - 1));
  }

  @Test
  void whatIsNearIsReadOnceAndInAnyOrder() throws IOException, DecodeException {
    var file = new Counted(-1);
    try (Gather gather = ten(MemoryBudget.unbounded(), 1 << 20);
        var into = new Block(MemoryBudget.unbounded())) {
      for (int i : new int[] {3, 0, 1, 9, 8, 2, 4, 5, 6, 7}) {
        read(gather, file, (long) i * PIECE, into);
      }
      assertThat(file.requests).isEqualTo(1);
      read(gather, file, 5000, into); // nobody announced it
      assertThat(file.requests).isEqualTo(2);
      assertThat(gather.takeRequests()).isEqualTo(2);
      assertThat(gather.takeBetween()).isZero();
    }
  }

  /// Law: a request that fails costs the piece that cannot be read, and no other.
  @Test
  void aFaultIsThatOfItsPiece() throws IOException, DecodeException {
    var file = new Counted(4L * PIECE + 50);
    try (Gather gather = ten(MemoryBudget.unbounded(), 1 << 20);
        var into = new Block(MemoryBudget.unbounded())) {
      for (int i = 0; i < 10; i++) {
        long position = (long) i * PIECE;
        if (i == 4) {
          assertThatThrownBy(() -> read(gather, file, position, into)).hasMessage("bad byte");
        } else {
          read(gather, file, position, into);
        }
      }
    }
  }

  @Test
  void withoutMemoryToSparePiecesAreReadOneByOne() throws IOException, DecodeException {
    var budget = new MemoryBudget(500);
    var file = new Counted(-1);
    try (Gather gather = ten(budget, 1 << 20);
        var into = new Block(MemoryBudget.unbounded())) {
      for (int i = 0; i < 10; i++) {
        read(gather, file, (long) i * PIECE, into);
      }
      assertThat(file.requests).isEqualTo(10);
      assertThat(budget.peak()).isZero();
    }
  }
}
