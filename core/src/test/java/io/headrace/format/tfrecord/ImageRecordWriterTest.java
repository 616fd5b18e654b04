package io.headrace.format.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ImageRecordWriterTest {
  /// Law: the short way and the way by a map of features give the same bytes, whatever was written
  /// before.
  private static void assertSame(ImageRecordWriter writer, ImageRecord record, byte[] image)
      throws DecodeException {
    try (var found = new Block(MemoryBudget.unbounded());
        var expected = new Block(MemoryBudget.unbounded())) {
      MemorySegment encoded = MemorySegment.ofArray(image);
      long bytes = writer.write(record, encoded, found);
      assertThat(found.memory().asSlice(0, bytes).toArray(JAVA_BYTE))
          .as(record.toString())
          .isEqualTo(record.write(encoded, expected).toArray(JAVA_BYTE));
    }
  }

  private static String text(Random random, int most) {
    return random
        .ints(random.nextInt(most), 1, 0xd800)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void bothWaysGiveTheSameBytes(long seed) throws DecodeException {
    var random = new Random(seed);
    var writer = new ImageRecordWriter();
    for (int i = 0; i < 3; i++) {
      int shift = random.nextInt(64);
      var record =
          new ImageRecord(
              text(random, 1 << random.nextInt(12)),
              random.nextLong() >> shift,
              text(random, 300),
              text(random, 8),
              random.nextInt(-1, 70_000),
              random.nextInt(3) * 200,
              random.nextInt(6));
      var image = new byte[random.nextInt(1 << random.nextInt(1, 16))];
      random.nextBytes(image);
      assertSame(writer, record, image);
    }
  }

  @Test
  void nothingButAnImageIsARecord() throws DecodeException {
    assertSame(new ImageRecordWriter(), new ImageRecord("", -1, "", "", 0, 0, 0), new byte[0]);
  }

  /// Lengths about which a varint takes one byte more.
  @ParameterizedTest
  @CsvSource({"0", "60", "85", "95", "115", "127", "128", "16300", "16383", "16384", "2097152"})
  void lengthsMayTakeAnyNumberOfBytes(int bytes) throws DecodeException {
    var writer = new ImageRecordWriter();
    for (int more = 0; more < 40; more++) {
      var record = new ImageRecord("a/" + "k".repeat(more), more, "a", "jpeg", 4, 128, 3);
      assertSame(writer, record, new byte[bytes + more]);
    }
  }
}
