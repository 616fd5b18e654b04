package io.headrace.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.random.CounterRandom;
import io.headrace.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The odds that a cache holds enough, against caches played out.
final class HeldGroupsTest {
  @Test
  void oneFidelityIsAllOrNothing() {
    var held = new HeldGroups(4);
    assertThat(held.enough(FidelityMix.of(1))).isZero();
    held.after(FidelityMix.of(2), 1, 1);
    assertThat(held.enough(FidelityMix.of(1))).isEqualTo(1);
    assertThat(held.enough(FidelityMix.of(2))).isEqualTo(1);
    assertThat(held.enough(FidelityMix.of(3))).isZero();
    assertThat(held.enough(FidelityMix.parse("1:0.25,full:0.75"))).isEqualTo(0.25);
    held.after(FidelityMix.FULL, 1, 1);
    held.after(FidelityMix.of(1), 1, 1);
    assertThat(held.enough(FidelityMix.FULL)).isEqualTo(1);
    assertThat(held.enoughOfLast(FidelityMix.FULL)).isZero();
    held.forget();
    assertThat(held.enough(FidelityMix.of(1))).isZero();
  }

  static LongStream seeds() {
    return Seeds.random().limit(8);
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("seeds")
  void oddsAreThoseOfManySamples(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    List<String> names = List.of("1:0.6,full:0.4", "1:0.3,2:0.3,3:0.4", "2", "1:0.5,2:0.5");
    double seen = random.nextInt(2) == 0 ? 1 : 0.5;
    double stays = random.nextInt(2) == 0 ? 1 : 0.3;
    List<FidelityMix> mixes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      mixes.add(FidelityMix.parse(names.get(random.nextInt(names.size()))));
    }
    var held = new HeldGroups(4);
    int[] groups = new int[20_000];
    for (int epoch = 0; epoch < mixes.size(); epoch++) {
      FidelityMix mix = mixes.get(epoch);
      int enough = 0;
      for (int i = 0; i < groups.length; i++) {
        int wanted = Math.min(4, mix.draw(seed, epoch, i, random));
        enough += groups[i] >= wanted ? 1 : 0;
        random.reset(seed + 1, epoch, i);
        if (random.nextDouble() < seen) {
          groups[i] = Math.max(random.nextDouble() < stays ? groups[i] : 0, wanted);
        }
      }
      assertThat(held.enough(mix)).isCloseTo((double) enough / groups.length, within(0.02));
      held.after(mix, seen, stays);
    }
  }
}
