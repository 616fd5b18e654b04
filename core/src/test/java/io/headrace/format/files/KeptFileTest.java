package io.headrace.format.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.store.ByteFile;
import io.headrace.store.MappedStore;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptFileTest {
  @TempDir private Path dir = Path.of(".");

  /// What the store has opened, in order.
  private final List<ByteFile> opened = new ArrayList<>();

  private KeptFile kept(Store below) throws IOException {
    Path path = Files.write(dir.resolve("x"), new byte[] {1, 2, 3});
    Store store =
        file -> {
          opened.add(below.open(file));
          return opened.getLast();
        };
    return KeptFile.of(path, store, store.open(path));
  }

  private static byte[] read(KeptFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(file.size());
      file.read(0, bytes);
      return bytes.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void whatAnInterruptedReadHasClosedIsOpenedAgain() throws IOException {
    for (Store store : List.of(Store.LOCAL, new MappedStore())) {
      opened.clear();
      try (KeptFile file = kept(store)) {
        assertThat(read(file)).containsExactly(1, 2, 3);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> read(file)).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(opened.getFirst().isOpen()).isFalse();
        assertThat(read(file)).containsExactly(1, 2, 3);
        assertThat(opened).hasSize(2);
      }
      assertThat(opened.getLast().isOpen()).isFalse();
    }
  }

  @Test
  void anotherFileInItsPlaceIsAMismatch() throws IOException {
    try (KeptFile file = kept(Store.LOCAL)) {
      opened.getFirst().close();
      Files.setLastModifiedTime(file.path(), FileTime.fromMillis(1));
      assertThatThrownBy(() -> read(file))
          .isInstanceOfSatisfying(
              CorruptDataException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MISMATCH));
    }
  }

  @Test
  void closedItReadsNothingAndOpensNothing() throws IOException {
    KeptFile file = kept(Store.LOCAL);
    file.close();
    file.close();
    assertThatThrownBy(() -> read(file)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(file::openAnother).isInstanceOf(ClosedChannelException.class);
    assertThat(opened).hasSize(1);
  }
}
