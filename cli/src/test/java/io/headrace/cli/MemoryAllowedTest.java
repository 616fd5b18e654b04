package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import org.junit.jupiter.api.Test;

final class MemoryAllowedTest {
  private static final long GIB = 1L << 30;

  @Test
  void whatIsUsualShrinksWithTheMachine() {
    assertThat(MemoryAllowed.of("--memory-budget", null, 2 * GIB, 24 * GIB, 6 * GIB))
        .isEqualTo(2 * GIB);
    assertThat(MemoryAllowed.of("--memory-budget", null, 2 * GIB, GIB, GIB / 4))
        .isEqualTo(GIB / 16 * 9);
    assertThat(MemoryAllowed.of("--memory-budget", null, 2 * GIB, GIB, 2 * GIB)).isZero();
  }

  @Test
  void whatIsAskedForMustBeThere() {
    assertThat(MemoryAllowed.of("--memory-budget", "18GiB", 2 * GIB, 24 * GIB, 6 * GIB))
        .isEqualTo(18 * GIB);
    assertThatThrownBy(
            () -> MemoryAllowed.of("--memory-budget", "19GiB", 2 * GIB, 24 * GIB, 6 * GIB))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--memory-budget 19GiB: expected at most 18.0 GiB")
        .hasMessageContaining("24.0 GiB");
  }
}
