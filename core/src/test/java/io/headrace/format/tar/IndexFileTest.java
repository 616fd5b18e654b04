package io.headrace.format.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.ByteFile;
import io.headrace.store.FilterStore;
import io.headrace.store.Store;
import io.headrace.testkit.Corrupter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Odd input 15: an index holds for the bytes it was built from, and no others.
class IndexFileTest {
  @TempDir private Path folder;

  private static byte[] tar(String name, int samples, int bytes) {
    var tar = new Tarball();
    for (int i = 0; i < samples; i++) {
      tar.file("%s%03d.jpg".formatted(name, i), "%04d".formatted(i).repeat(bytes / 4));
      tar.file("%s%03d.cls".formatted(name, i), "" + i);
    }
    return tar.end();
  }

  private Path put(String name, byte[] tar) throws IOException {
    return Files.write(folder.resolve(name), tar);
  }

  private void index(String... names) throws IOException {
    new TarContainer(new Compression.None()).complete(folder, List.of(names));
  }

  /// {@return the samples; the trouble with the index, if there is any, goes to `troubles`}
  private static List<String> read(Path file, List<String> troubles) throws IOException {
    troubles.clear();
    try (Tars data = Tars.open(file, ShardOptions.DEFAULT)) {
      List<String> lines = Outcomes.both(data);
      data.warnings().stream().filter(w -> w.contains("not believed")).forEach(troubles::add);
      return lines;
    }
  }

  @Test
  void aFittingIndexSavesTheWalk() throws IOException {
    Path file = put("a.tar", tar("a", 200, 60_000));
    var store = new Counted();
    List<String> walked;
    try (Tars data = Tars.open(file, ShardOptions.DEFAULT)) {
      walked = Outcomes.both(data);
    }
    index("a.tar");
    try (Tars data = Tars.open(file, OpenOptions.DEFAULT, ShardOptions.DEFAULT, store)) {
      assertThat(data.size()).isEqualTo(200);
      assertThat(store.read.get()).isLessThan(400_000); // the walk reads a page a header
      assertThat(data.warnings()).isEmpty();
      assertThat(Outcomes.both(data)).isEqualTo(walked);
    }
  }

  private static final class Counted extends FilterStore {
    private final AtomicLong read = new AtomicLong();

    Counted() {
      super(Store.LOCAL);
    }

    @Override
    protected ByteFile filter(ByteFile file) {
      return new FilterFile(file) {
        @Override
        public void read(long position, MemorySegment into) throws IOException {
          read.addAndGet(into.byteSize());
          super.read(position, into);
        }
      };
    }
  }

  @Test
  void swappedStaleCutEmptyAndForeignIndexesAreNotBelieved() throws IOException {
    Path a = put("a.tar", tar("a", 12, 1000));
    Path _ = put("b.tar", tar("a", 12, 1600)); // same keys, other sizes
    Path _ = put("c.tar", tar("c", 12, 1000)); // same sizes, other keys
    Path _ = put("d.tar", tar("a", 13, 1000)); // one sample more
    index("a.tar", "b.tar", "c.tar", "d.tar");
    List<String> troubles = new ArrayList<>();
    List<String> right = read(a, troubles);
    assertThat(troubles).isEmpty();
    Path own = folder.resolve("a.tar.index");
    byte[] sound = Files.readAllBytes(own);
    List<byte[]> wrong = new ArrayList<>();
    for (String other : List.of("b.tar.index", "c.tar.index", "d.tar.index", "index.json")) {
      wrong.add(Files.readAllBytes(folder.resolve(other)));
    }
    wrong.add(new byte[0]);
    wrong.add(new byte[1 << 20]);
    for (int length = 1; length < sound.length; length += 17) {
      wrong.add(Corrupter.cut(sound, length));
    }
    for (int bit = 0; bit < 8 * sound.length; bit += 131) {
      wrong.add(Corrupter.flipBit(sound, bit));
    }
    for (byte[] index : wrong) {
      Files.write(own, index);
      assertThat(read(a, troubles)).isEqualTo(right);
      assertThat(troubles).hasSize(1).first().asString().startsWith(own + " was not believed");
    }
  }

  /// An archive rewritten in its middle, behind the back of its index: size and both ends agree.
  @Test
  void aRewrittenMiddleIsSeenWhenItIsRead() throws IOException {
    Path a = put("a.tar", tar("a", 400, 1000));
    index("a.tar");
    byte[] bytes = Files.readAllBytes(a);
    int sample = 3 * 512 + 1024; // with its label
    byte[] other = new Tarball().file("other.jpg", "x").file("a201.cls", "9").bytes();
    assertThat(IndexFile.beside(a)).exists();
    System.arraycopy(other, 0, bytes, 201 * sample, other.length);
    Files.write(a, bytes);
    try (Tars data = Tars.open(a, ShardOptions.DEFAULT);
        var reader = data.openReader();
        var sample201 = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThat(data.warnings()).isEmpty();
      reader.read(200, sample201);
      assertThatThrownBy(() -> reader.read(201, sample201)).hasMessageStartingWith("MISMATCH");
      reader.read(202, sample201);
      assertThat(sample201.label()).isEqualTo(202);
    }
  }

  @Test
  void anArchiveThatChangedAfterItWasOpenedIsAMismatch() throws IOException {
    Path a = put("a.tar", tar("a", 4, 1000));
    try (Tars data = Tars.open(a, ShardOptions.DEFAULT);
        var reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      reader.read(1, sample);
      Path _ = put("a.tar", tar("b", 4, 1000));
      assertThatThrownBy(() -> reader.read(1, sample))
          .hasMessageStartingWith("MISMATCH: the file has changed since it was indexed")
          .hasMessageContaining("record=1");
      Path _ = put("a.tar", new byte[700]);
      assertThatThrownBy(() -> reader.read(2, sample)).hasMessageStartingWith("MISMATCH");
    }
    try (Tars data = Tars.open(a, ShardOptions.DEFAULT)) {
      Path _ = put("a.tar", tar("a", 4, 1000));
      assertThat(Outcomes.read(data)).singleElement().asString().startsWith("MISMATCH");
    }
  }

  @Test
  void noIndexIsWrittenOfWhatIsOdd() throws IOException {
    Path _ = put("a.tar", tar("a", 4, 1000));
    index("a.tar");
    assertThat(folder.resolve("a.tar.index")).exists();
    Path _ =
        Files.move(
            folder.resolve("a.tar.index"),
            folder.resolve("b.tar.index"),
            StandardCopyOption.REPLACE_EXISTING);
    Path _ =
        put("b.tar", new Tarball().file("a.jpg", "A").file("b.jpg", "B").file("a.cls", "1").end());
    index("b.tar");
    assertThat(folder.resolve("b.tar.index")).doesNotExist();
  }
}
