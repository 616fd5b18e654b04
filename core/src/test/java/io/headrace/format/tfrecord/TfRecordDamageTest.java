package io.headrace.format.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.stream.Compression;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every cut and every flipped bit of a small file.
final class TfRecordDamageTest {
  private static final int SAMPLES = 3;

  private static byte[] image(int i) {
    byte[] bytes = new byte[20 + i];
    Arrays.fill(bytes, (byte) (i + 1));
    return bytes;
  }

  private static byte[] write(Path file, Compression compression)
      throws IOException, DecodeException {
    try (FileChannel out =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var writer = new RecordWriter(out, compression);
        Arena arena = Arena.ofConfined();
        var block = new Block(MemoryBudget.unbounded())) {
      for (int i = 0; i < SAMPLES; i++) {
        var record = new ImageRecord("k" + i, i, "", "", 0, 0, 0);
        MemorySegment image = arena.allocateFrom(ValueLayout.JAVA_BYTE, image(i));
        writer.write(record.write(image, block));
      }
    }
    return Files.readAllBytes(file);
  }

  /// Samples that arrived, in order, and whether there was a fault.
  private record Outcome(List<String> keys, boolean fault) {}

  private static Outcome read(Path file, String how) throws IOException {
    List<String> keys = new ArrayList<>();
    boolean fault = false;
    try (Dataset dataset = TfRecords.open(file, ShardOptions.DEFAULT);
        var sample = new Sample(new Block(new MemoryBudget(1 << 22)));
        Dataset.SampleCursor cursor = dataset.openCursor(0)) {
      boolean more = true;
      while (more) {
        try {
          more = cursor.next(sample);
          if (more) {
            int i = Integer.parseInt(sample.key().substring(1));
            assertThat(sample.encoded().toArray(ValueLayout.JAVA_BYTE)).as(how).isEqualTo(image(i));
            assertThat(sample.label()).as(how).isEqualTo(i);
            keys.add(sample.key());
          }
        } catch (CorruptDataException e) {
          assertThat(e.where().toString()).as(how).contains(file.toString());
          fault = true;
          more = cursor.resumable();
        }
      }
    } catch (CorruptDataException e) {
      assertThat(e.where().toString()).as(how).contains(file.toString());
      fault = true;
    }
    return new Outcome(keys, fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "zlib", "zstd:checksum=true", "lz4:checksum=true", "xz"})
  void everyCutAndEveryFlippedBit(String compression, @TempDir Path dir)
      throws IOException, DecodeException {
    byte[] all = write(dir.resolve("x.tfrecord"), Compression.parse(compression));
    Path damaged = dir.resolve("damaged.tfrecord");
    boolean plain = compression.equals("none");
    int record = all.length / SAMPLES;
    for (int size = 0; size < all.length; size++) {
      Files.write(damaged, Arrays.copyOf(all, size));
      Outcome outcome = read(damaged, "cut to " + size);
      assertThat(outcome.keys.size()).isLessThanOrEqualTo(SAMPLES);
      if (plain) {
        assertThat(outcome.keys)
            .as("cut to " + size)
            .hasSizeGreaterThanOrEqualTo(size / record - 1);
      }
      if (outcome.keys.size() < SAMPLES && size > 0 && !plain) {
        assertThat(outcome.fault).as("cut to " + size).isTrue();
      }
    }
    for (int bit = 0; bit < 8 * all.length; bit++) {
      byte[] bytes = all.clone();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(damaged, bytes);
      Outcome outcome = read(damaged, "bit " + bit);
      if (outcome.keys.size() < SAMPLES) {
        assertThat(outcome.fault).as("bit " + bit).isTrue();
      } else if (plain) {
        assertThat(outcome.fault).as("bit " + bit).isTrue(); // no byte is without a checksum
      }
    }
  }
}
