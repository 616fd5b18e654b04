package io.headrace.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TrafficTest {
  private static final String IO =
      """
      rchar: 6976
      wchar: 0
      syscr: 10
      syscw: 3
      read_bytes: 4096
      write_bytes: 8192
      cancelled_write_bytes: 0
      """;

  private static final String NET =
      """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
          lo: 9000000    100    0    0    0     0          0         0  9000000     100    0
        eth0:    1500      2    0    0    0     0          0         0      777       1    0
        eth1:40   1    0    0    0     0          0         0       80       1    0
      """;

  @Test
  void countersAreThoseOfLinux() {
    assertThat(Traffic.of(IO, NET)).isEqualTo(new Traffic(10, 4096, 1540));
    assertThat(Traffic.of("", "")).isEqualTo(new Traffic(0, 0, 0));
    assertThat(new Traffic(5, 7, 9).since(new Traffic(1, 2, 3))).isEqualTo(new Traffic(4, 5, 6));
  }
}
