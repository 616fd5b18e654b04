package io.headrace.codec.jpeg.coefficients;

import io.headrace.error.ConfigException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which scans of a progressive JPEG form a fidelity group. A group is read with all before it.
///
/// Groups and scans count from 1. Scans after the last group's belong to it; a picture of fewer
/// scans leaves the last groups empty.
public final class ScanGroups {
  /// Scans {1}, {2}, {3 to 5} and {6 to 10}: those that Progressive Compressed Records are
  /// evaluated with.
  public static final ScanGroups DEFAULT = of(1, 2, 5, 10);

  /// One group for each of 10 scans, as the records of PCR have them.
  public static final ScanGroups EACH_SCAN = of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

  private final int[] lastScans;

  private ScanGroups(int[] lastScans) {
    this.lastScans = lastScans;
  }

  /// {@return groups that end with these scans}
  ///
  /// @param lastScans rising, from 1
  /// @throws ConfigException if they are none or do not rise
  public static ScanGroups of(int... lastScans) {
    int before = 0;
    for (int last : lastScans) {
      if (last <= before) {
        throw new ConfigException(
            "scan groups end with " + Arrays.toString(lastScans) + ": expected rising numbers");
      }
      before = last;
    }
    if (lastScans.length == 0) {
      throw new ConfigException("no scan groups");
    }
    return new ScanGroups(lastScans.clone());
  }

  /// {@return how many groups there are}
  public int count() {
    return lastScans.length;
  }

  /// {@return the group of a scan}
  public int groupOf(int scan) {
    int at = Arrays.binarySearch(lastScans, scan);
    return Math.min(at >= 0 ? at : -1 - at, lastScans.length - 1) + 1;
  }

  /// {@return the last scan of a group in a picture of that many scans}
  public int lastScan(int group, int scans) {
    return group == lastScans.length ? scans : Math.min(lastScans[group - 1], scans);
  }

  /// {@return the last scan of each group, as `1/2/5/10`}
  public String spec() {
    return IntStream.of(lastScans).mapToObj(Integer::toString).collect(Collectors.joining("/"));
  }

  @Override
  public String toString() {
    return "groups ending with scans " + Arrays.toString(lastScans);
  }
}
