package io.headrace.codec.lossless;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GroupsTest {
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void bothWaysOfExpandingUndoCompress(long seed) {
    Random random = new Random(seed);
    for (int width = 0; width <= 8; width++) {
      long bytes = random.nextLong() & (((1L << width) - 1) * Bytes8.LOW_BITS);
      assertThat(Groups.width(bytes)).isLessThanOrEqualTo(width);
      long fields = Groups.compress(bytes, width);
      long above = width == 8 ? 0 : random.nextLong() << (8 * width); // of the next group
      assertThat(Groups.expand(fields | above, width)).isEqualTo(bytes);
      assertThat(Groups.expandInSteps(fields | above, width)).isEqualTo(bytes);
    }
  }

  @Test
  void widthsAreCheckedBeforeTheyAreBelieved() {
    byte[] widths = new byte[30];
    widths[0] = 0x18;
    widths[1] = 0x20;
    widths[2] = 0x08;
    widths[12] = (byte) 0x80;
    widths[13] = 0x09;
    widths[14] = (byte) 0x90;
    assertThat(Groups.bytes(widths, 1, 2)).isEqualTo(10);
    assertThat(Groups.bytes(widths, 0, 13)).isEqualTo(27);
    assertThat(Groups.bytes(widths, 13, 1)).isEqualTo(-1);
    assertThat(Groups.bytes(widths, 14, 9)).isEqualTo(-1);
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void lowBitsOfPairsComeBack(long seed) {
    Random random = new Random(seed);
    int pairs = 1 + random.nextInt(40);
    for (int low = 1; low <= 4; low++) {
      long[] lows = new long[pairs];
      for (int i = 0; i < pairs; i++) {
        lows[i] = random.nextLong() & (((1L << low) - 1) * 0x1111111111111111L);
      }
      long[] stored = new long[Pairs.lowLongs(low, pairs)];
      Pairs.gather(lows, low, pairs, stored);
      byte[] bytes = new byte[8 * stored.length + 3];
      MemorySegment.copy(stored, 0, MemorySegment.ofArray(bytes), Bytes8.LAYOUT, 3, stored.length);
      long[] back = new long[pairs];
      Arrays.fill(back, -1);
      Pairs.spread(bytes, 3, low, pairs, back);
      assertThat(back).isEqualTo(lows);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 49\n', true",
    "'vendor_id\t: HygonGenuine\ncpu family\t: 24\nmodel\t\t: 0\n', true",
    "'vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n', false",
    "'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n', false",
    "'AMD64 Family 23 Model 113 Stepping 0, AuthenticAMD', true",
    "'AMD64 Family 25 Model 33 Stepping 0, AuthenticAMD', false",
    "'', false"
  })
  void processorsWithSlowScatterAreKnown(String processor, boolean slow) {
    assertThat(Bmi2.isFamily17h(processor)).isEqualTo(slow);
  }
}
