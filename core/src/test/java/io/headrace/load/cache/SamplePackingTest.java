package io.headrace.load.cache;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SamplePackingTest {
  @ParameterizedTest
  @CsvSource({"shard-0.tfrecord,5,900", "a folder/grün/1.jpg,-1,-1"})
  void whatWasPackedComesBack(String file, long record, long offset) throws DecodeException {
    var table = new SamplePacking();
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

  /// What a cache kept of some groups can be cut, and goes on where it ended.
  @Test
  void partsComeBack() throws DecodeException {
    var table = new SamplePacking();
    MemoryBudget budget = MemoryBudget.unbounded();
    try (var sample = new Sample(new Block(budget));
        var back = new Sample(new Block(budget));
        var scratch = new Block(budget)) {
      sample.place("a.race", 2, 9);
      MemorySegment memory = sample.ensure(30);
      for (int i = 0; i < 30; i++) {
        memory.set(JAVA_BYTE, i, (byte) i);
      }
      sample.key("k");
      sample.tiles(20, 4);
      sample.encoded(2, 14);
      sample.groups(3, 4);
      sample.addPart(5);
      sample.addPart(5);
      sample.addPart(12);
      MemorySegment packed = table.pack(sample, scratch);
      back.ensure(packed.byteSize()).copyFrom(packed);
      table.unpack(back);
      assertThat(back.groups()).isEqualTo(3);
      assertThat(back.groupsInAll()).isEqualTo(4);
      assertThat(back.serves(3)).isTrue();
      assertThat(back.serves(4)).isFalse();
      assertThat(back.serves(Integer.MAX_VALUE)).isFalse();
      assertThat(back.follow(9) - back.start()).isEqualTo(12);
      assertThat(back.encoded().toArray(JAVA_BYTE))
          .containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      back.shorten(2);
      assertThat(back.encoded().toArray(JAVA_BYTE)).containsExactly(2, 3, 4, 5, 6, -1, -39);
      assertThat(back.tiles().toArray(JAVA_BYTE)).containsExactly(20, 21, 22, 23);
      back.place("b", 1, 1);
      assertThat(back.groupsInAll()).isEqualTo(1);
      assertThat(back.serves(Integer.MAX_VALUE)).isTrue();
    }
  }

  /// All levels of a pyramid come back, each can be taken, and cut to one it is a picture alone.
  @Test
  void levelsComeBack() throws DecodeException {
    var table = new SamplePacking();
    MemoryBudget budget = MemoryBudget.unbounded();
    try (var sample = new Sample(new Block(budget));
        var back = new Sample(new Block(budget));
        var scratch = new Block(budget)) {
      sample.place("a.race", 2, 9);
      MemorySegment memory = sample.ensure(30);
      for (int i = 0; i < 30; i++) {
        memory.set(JAVA_BYTE, i, (byte) i);
      }
      sample.groups(3, 3);
      sample.level(1, 3, 40, 60);
      sample.addLevel(2, 3, 20, 2, 70);
      sample.addLevel(5, 4, 0, 0, 80);
      sample.addLevel(9, 6, 22, 1, 90);
      sample.takeLevel(1);
      MemorySegment packed = table.pack(sample, scratch);
      assertThat(sample.level()).isEqualTo(1);
      assertThat(table.hasLoneLevels()).isFalse();
      back.ensure(packed.byteSize()).copyFrom(packed);
      table.unpack(back);
      assertThat(back.levels()).isEqualTo(3);
      assertThat(back.fullHeight()).isEqualTo(40);
      assertThat(back.fullWidth()).isEqualTo(60);
      assertThat(back.encoded().toArray(JAVA_BYTE)).containsExactly(9, 10, 11, 12, 13, 14);
      assertThat(back.tiles().toArray(JAVA_BYTE)).containsExactly(22);
      assertThat(back.location().offset()).isEqualTo(90);
      back.takeLevel(1);
      assertThat(back.location().offset()).isEqualTo(80);
      assertThat(back.halvings()).isEqualTo(1);
      assertThat(back.encoded().toArray(JAVA_BYTE)).containsExactly(5, 6, 7, 8);
      assertThat(back.tiles().byteSize()).isZero();
      for (int fidelity : new int[] {1, 2, 3, Integer.MAX_VALUE}) {
        assertThat(back.serves(fidelity)).isTrue();
      }
      back.shorten(1);
      assertThat(back.encoded().toArray(JAVA_BYTE)).containsExactly(2, 3, 4);
      assertThat(back.tiles().toArray(JAVA_BYTE)).containsExactly(20, 21);
      assertThat(back.location().offset()).isEqualTo(70);
      assertThat(back.groups()).isEqualTo(1);
      assertThat(back.level()).isEqualTo(-1);
      assertThat(back.halvings()).isZero();
      assertThat(back.serves(2)).isFalse();
      MemorySegment lone = table.pack(back, scratch);
      assertThat(table.hasLoneLevels()).isTrue();
      sample.ensure(lone.byteSize()).copyFrom(lone);
      table.unpack(sample);
      assertThat(sample.encoded().toArray(JAVA_BYTE)).containsExactly(2, 3, 4);
      assertThat(sample.levels()).isZero();
    }
  }

  @Test
  void decodedPixelsStayWhereTheyAre() throws DecodeException {
    var table = new SamplePacking();
    MemoryBudget budget = MemoryBudget.unbounded();
    try (var sample = new Sample(new Block(budget));
        var back = new Sample(new Block(budget));
        var scratch = new Block(budget)) {
      sample.place("a.tar", 2, 9);
      MemorySegment memory = sample.ensure(30);
      memory.fill((byte) 7);
      sample.key("k");
      sample.label(5);
      sample.tiles(20, 4);
      sample.encoded(2, 14);
      MemorySegment value = table.packAround(1000, sample, scratch);
      value.asSlice(value.byteSize() - 1000).fill((byte) 9);
      table.unpackAround(value, back);
      assertThat(back.isDecoded()).isTrue();
      assertThat(back.encoded().address()).isEqualTo(value.address() + value.byteSize() - 1000);
      assertThat(back.encodedBytes()).isEqualTo(1000);
      assertThat(back.tiles().byteSize()).isZero();
      assertThat(back.location()).isEqualTo(sample.location());
      assertThat(back.label()).isEqualTo(5);
      back.place("b", 1, 1);
      assertThat(back.isDecoded()).isFalse();
      assertThat(back.encoded().byteSize()).isZero();
    }
  }
}
