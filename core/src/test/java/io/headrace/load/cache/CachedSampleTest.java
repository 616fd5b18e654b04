package io.headrace.load.cache;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CachedSampleTest {
  @ParameterizedTest
  @CsvSource({"shard-0.tfrecord,5,900", "a folder/grün/1.jpg,-1,-1"})
  void whatWasPackedComesBack(String file, long record, long offset) throws DecodeException {
    var table = new CachedSample();
    byte[] image = "an image".getBytes(UTF_8);
    byte[] tiles = "its tiles".getBytes(UTF_8);
    MemoryBudget budget = MemoryBudget.unbounded();
    try (var sample = new Sample(new Block(budget));
        var back = new Sample(new Block(budget));
        var scratch = new Block(budget)) {
      sample.place(file, record, offset);
      MemorySegment memory = sample.ensure(100);
      MemorySegment.copy(image, 0, memory, JAVA_BYTE, 3, image.length);
      MemorySegment.copy(tiles, 0, memory, JAVA_BYTE, 50, tiles.length);
      sample.key("grün/1.jpg");
      sample.label(7);
      sample.encoded(3, image.length);
      sample.tiles(50, tiles.length);
      MemorySegment packed = table.pack(sample, scratch);
      back.ensure(packed.byteSize()).copyFrom(packed);
      table.unpack(back);
      assertThat(back.location()).isEqualTo(sample.location());
      assertThat(back.id()).isEqualTo(sample.id());
      assertThat(back.label()).isEqualTo(7);
      assertThat(back.encoded().toArray(JAVA_BYTE)).isEqualTo(image);
      assertThat(back.tiles().toArray(JAVA_BYTE)).isEqualTo(tiles);
      assertThat(back.storedBytes()).isZero();
    }
  }
}
