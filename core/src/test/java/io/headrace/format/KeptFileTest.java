package io.headrace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptFileTest {
  @TempDir private Path dir = Path.of(".");

  private KeptFile kept() throws IOException {
    Path path = Files.write(dir.resolve("x"), new byte[] {1, 2, 3});
    return KeptFile.of(path, Store.LOCAL, Store.LOCAL.open(path));
  }

  private static byte[] read(KeptFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(file.bytes());
      file.file().read(0, bytes);
      return bytes.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void whatAnInterruptedReadHasClosedIsOpenedAgain() throws IOException {
    try (KeptFile file = kept()) {
      ByteFile first = file.file();
      assertThat(file.file()).isSameAs(first);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> read(file)).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(first.isOpen()).isFalse();
      assertThat(read(file)).containsExactly(1, 2, 3);
    }
  }

  @Test
  void anotherFileInItsPlaceIsAMismatch() throws IOException {
    try (KeptFile file = kept()) {
      file.file().close();
      Files.setLastModifiedTime(file.path(), FileTime.fromMillis(1));
      assertThatThrownBy(file::file)
          .isInstanceOfSatisfying(
              CorruptDataException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MISMATCH));
    }
  }
}
