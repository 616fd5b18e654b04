package io.headrace.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.cli.print.Units;
import io.headrace.error.ConfigException;
import io.headrace.lab.machine.Machine;
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

  /// What commands ask is held against what this machine, or its control group, has without the
  /// heap; how that is read, io.headrace.lab.machine.MachineTest says.
  @Test
  void theLimitIsTheMachines() {
    long allowed = Machine.memoryBytes() - Runtime.getRuntime().maxMemory();
    assertThat(allowed).isPositive();
    assertThat(MemoryAllowed.of("--cache", String.valueOf(allowed), 1)).isEqualTo(allowed);
    assertThatThrownBy(() -> MemoryAllowed.of("--cache", String.valueOf(allowed + 1), 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("allows (%s)", Units.size(Machine.memoryBytes()));
    assertThat(MemoryAllowed.of("--cache", null, Long.MAX_VALUE)).isEqualTo(allowed / 4 * 3);
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
