package io.headrace.store;

import io.headrace.error.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a storage device can do, for [ThrottledStore] to imitate.
///
/// A request waits for one of `queueDepth` places, takes `latencyNanos` (and `seekNanos` more
/// unless it begins near where the last one ended), and then the time of its bytes. All requests
/// share the device's rate, and none exceeds the rate of one stream.
///
/// @param name as users type it
/// @param bytesPerSecond of the whole device; infinite for no bound
/// @param streamBytesPerSecond of one request; infinite for no bound of its own
/// @param requestsPerSecond that are begun at most; infinite for no bound
/// @param latencyNanos from the begin of a request to its first byte
/// @param seekNanos on top where a request does not continue the last one
/// @param queueDepth requests served at one time
public record Device(
    String name,
    double bytesPerSecond,
    double streamBytesPerSecond,
    double requestsPerSecond,
    long latencyNanos,
    long seekNanos,
    int queueDepth) {
  /// A request this many bytes after the last one, or before it, needs no seek: the drive reads
  /// whole tracks.
  public static final long NEAR = 512 << 10;

  private static final double NONE = Double.POSITIVE_INFINITY;
  private static final long MICRO = 1000;
  private static final long MILLI = 1_000_000;

  /// A disk of 7,200 turns a minute: 8 ms to the track, 4 ms for half a turn, one arm. What follows
  /// the last request comes at the full rate.
  public static final Device HDD = new Device("hdd", 160e6, NONE, NONE, 0, 12 * MILLI, 1);

  /// A flash disk behind SATA, whose 6 Gb/s bound it.
  public static final Device SATA_SSD =
      new Device("sata-ssd", 530e6, NONE, 90e3, 90 * MICRO, 0, 32);

  /// A flash disk on four lanes of PCIe 3.
  public static final Device NVME = new Device("nvme", 3.2e9, NONE, 600e3, 80 * MICRO, 0, 256);

  /// An object store over 10 Gb/s: 5,500 GETs a second and prefix, 90 MB/s a connection.
  public static final Device S3 = new Device("s3", 1.25e9, 90e6, 5500, 25 * MILLI, 0, 256);

  /// A file server over 10 Gb/s Ethernet.
  public static final Device TEN_GBE = new Device("10gbe", 1.25e9, NONE, NONE, 200 * MICRO, 0, 64);

  /// The hard disk of "The Art of Losing to Win" as its logs show it, random reads by 40 workers:
  /// 156.3 GB in 6,526 s.
  public static final Device PAPER_24 = rate("paper-24", 24e6);

  /// The flash disk of the same logs: 156.3 GB in 689.5 s.
  public static final Device PAPER_227 = rate("paper-227", 227e6);

  private static final List<Device> ALL =
      List.of(HDD, SATA_SSD, NVME, S3, TEN_GBE, PAPER_24, PAPER_227);

  private static final Pattern RATE =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kmg])(i?)b/s", Pattern.CASE_INSENSITIVE);

  /// Checks ranges.
  public Device {
    if (!(bytesPerSecond > 0 && streamBytesPerSecond > 0 && requestsPerSecond > 0)
        || latencyNanos < 0
        || seekNanos < 0
        || queueDepth < 1) {
      throw new ConfigException(
          "device '%s': rates and queue depth must be above 0, times not below".formatted(name));
    }
  }

  /// {@return a device that is bound only by its rate}
  public static Device rate(String name, double bytesPerSecond) {
    return new Device(name, bytesPerSecond, NONE, NONE, 0, 0, 1024);
  }

  /// {@return the names of the devices known}
  public static List<String> names() {
    return ALL.stream().map(Device::name).toList();
  }

  /// {@return the device of that name or that rate, such as `hdd` or `24MB/s`; null if there is
  /// none}
  public static @Nullable Device find(String text) {
    String name = text.strip().toLowerCase(Locale.ROOT);
    for (Device device : ALL) {
      if (device.name.equals(name)) {
        return device;
      }
    }
    if (name.equals("ssd")) {
      return SATA_SSD;
    }
    Matcher matcher = RATE.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    int power = "kmg".indexOf(matcher.group(2)) + 1;
    double unit = Math.pow(matcher.group(3).isEmpty() ? 1000 : 1024, power);
    double rate = Double.parseDouble(matcher.group(1)) * unit;
    return rate > 0 ? rate(name, rate) : null;
  }
}
