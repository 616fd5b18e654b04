package io.headrace.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is read of a machine, from files such as Linux has them.
final class MachineTest {
  private static final long MIB = 1L << 20;

  @TempDir private Path root = Path.of(".");

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void theLowestLimitOfAControlGroupAndThoseItIsInHolds() throws IOException {
    file("proc/self/cgroup", "0::/batch/train\n");
    file("sys/fs/cgroup/batch/train/memory.max", "max\n");
    assertThat(ControlGroup.memory(root)).isEqualTo(Long.MAX_VALUE);
    file("sys/fs/cgroup/batch/memory.max", 700 * MIB + "\n");
    assertThat(ControlGroup.memory(root)).isEqualTo(700 * MIB);
    file("sys/fs/cgroup/batch/train/memory.max", 300 * MIB + "\n");
    assertThat(ControlGroup.memory(root)).isEqualTo(300 * MIB);
  }

  /// In a container the group's path is often the host's, while the group itself is the top.
  @Test
  void inAContainerTheTopHasTheLimit() throws IOException {
    file("proc/self/cgroup", "0::/system.slice/docker-4711.scope\n");
    file("sys/fs/cgroup/memory.max", 512 * MIB + "\n");
    assertThat(ControlGroup.memory(root)).isEqualTo(512 * MIB);
  }

  @Test
  void groupsOfTheFirstVersionAreReadToo() throws IOException {
    file("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory,hugetlb:/job\n0::/\n");
    file("sys/fs/cgroup/memory/job/memory.limit_in_bytes", 200 * MIB + "\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "4096\n"); // another controller's group
    assertThat(ControlGroup.memory(root)).isEqualTo(200 * MIB);
  }

  @Test
  void withoutControlGroupsThereIsNoLimit() {
    assertThat(ControlGroup.memory(root)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void thisProcessHasNoMoreThanItsControlGroupAllows() throws IOException {
    assertThat(Machine.memoryBytes())
        .isPositive()
        .isLessThanOrEqualTo(ControlGroup.memory(Path.of("/")));
    Path meminfo = Path.of("/proc/meminfo");
    if (Files.exists(meminfo)) {
      String first = Files.readString(meminfo).lines().findFirst().orElseThrow(); // MemTotal: N kB
      assertThat(Machine.memoryBytes())
          .isLessThanOrEqualTo(1024 * Long.parseLong(first.replaceAll("\\D", "")));
    }
    assertThat(Machine.facts()).containsEntry("Memory", Machine.gibibytes(Machine.memoryBytes()));
    assertThat(Machine.gibibytes(3 * 512 * MIB)).isEqualTo("1.5 GiB");
  }

  /// Four processors for ten seconds, 4,000 ticks: 2,000 of user, nice and system, 40 of
  /// interrupts, 60 stolen, the others idle or waiting for disks; guests' are in user already.
  private static final String BEFORE =
      """
      cpu  1000 0 500 9000 100 10 10 20 300 0
      cpu0 250 0 125 2250 25 2 3 5 75 0
      cpu1 250 0 125 2250 25 2 3 5 75 0
      cpu2 250 0 125 2250 25 3 2 5 75 0
      cpu3 250 0 125 2250 25 3 2 5 75 0
      intr 1 2 3
      """;

  private static final String AFTER =
      BEFORE.replace(
          "cpu  1000 0 500 9000 100 10 10 20 300 0", "cpu  2500 100 900 10700 300 30 30 80 900 0");

  @Test
  void whatOthersTookIsWhatWasBusyWithoutThisProcess() {
    var before = ProcessorTime.of(BEFORE, 5_000_000_000L);
    var after = ProcessorTime.of(AFTER, 5_000_000_000L + 11_000_000_000L);
    assertThat(before.processors()).isEqualTo(4);
    assertThat(after.allTicks() - before.allTicks()).isEqualTo(4000);
    assertThat(after.busyTicks() - before.busyTicks()).isEqualTo(2100);
    // 2.1 processors were busy, 1.1 of them with this process
    assertThat(after.takenByOthers(before, 10, 4)).isCloseTo(0.25, within(1e-9));
    // of the four this process may use two, others the other two: nobody was in the way
    assertThat(after.takenByOthers(before, 10, 2)).isZero();
    var alone = ProcessorTime.of(AFTER, 5_000_000_000L + 30_000_000_000L);
    assertThat(alone.takenByOthers(before, 10, 4)).isZero();
  }

  @Test
  void whereTheSystemDoesNotSayNothingIsClaimed() {
    assertThat(ProcessorTime.of("", 2).takenByOthers(ProcessorTime.of("", 1), 1, 2)).isNaN();
    var zeros = ProcessorTime.of("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n", 0);
    assertThat(zeros.takenByOthers(zeros, 1, 2)).isNaN();
  }
}
