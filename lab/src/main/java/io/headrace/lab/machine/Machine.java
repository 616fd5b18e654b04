package io.headrace.lab.machine;

import com.sun.management.OperatingSystemMXBean;
import io.headrace.natives.NativeLibrary;
import io.headrace.natives.NativeStatus;
import io.headrace.store.disk.DiskProbe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The machine this runs on.
public final class Machine {
  private static final int MIN_JDK = 25;
  private static final long MIN_SHM = 64L << 20;
  private static final int PROBE_MEBIBYTES = 64;
  private static final Set<String> FEATURES =
      Set.of("sse4_2", "avx", "avx2", "avx512f", "avx512bw", "bmi2", "neon", "asimd", "sve");

  private Machine() {}

  /// {@return facts to print beside every figure, by name}
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("CPU", cpu());
    facts.put("Memory", gibibytes(memoryBytes()));
    facts.put("System", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put(
        "JDK", System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version"));
    return facts;
  }

  /// {@return everything the engine depends on, found or not}
  ///
  /// @param folder on the disk whose read rate counts
  public static List<Finding> examine(Path folder) {
    List<Finding> findings = new ArrayList<>();
    findings.add(jdk());
    for (NativeLibrary candidate : NativeLibrary.all()) {
      NativeStatus library = candidate.status();
      findings.add(
          library.found()
              ? Finding.sound(library.name(), library.version() + " (" + library.path() + ")")
              : Finding.missing(library.name(), "not found", library.remedy()));
    }
    findings.add(Finding.sound("CPU", cpu()));
    findings.add(Finding.sound("CPU features", String.join(" ", cpuFeatures())));
    findings.add(
        Finding.sound("cores", String.valueOf(Runtime.getRuntime().availableProcessors())));
    findings.add(Finding.sound("memory", gibibytes(memoryBytes())));
    findings.add(sharedMemory());
    findings.add(disk(folder));
    return findings;
  }

  private static Finding jdk() {
    String version =
        System.getProperty("java.vm.version") + " in " + System.getProperty("java.home");
    return Runtime.version().feature() >= MIN_JDK
        ? Finding.sound("JDK", version)
        : Finding.missing("JDK", version, "install a JDK of release 25 or newer, set JAVA_HOME");
  }

  private static Finding sharedMemory() {
    Path shm = Path.of("/dev/shm");
    if (!Files.isDirectory(shm)) {
      return System.getProperty("os.name").startsWith("Linux")
          ? Finding.missing("/dev/shm", "not there", "mount -t tmpfs tmpfs /dev/shm")
          : Finding.sound("/dev/shm", "not on this system");
    }
    try {
      long free = Files.getFileStore(shm).getUsableSpace();
      return free >= MIN_SHM
          ? Finding.sound("/dev/shm", gibibytes(free) + " free")
          : Finding.missing(
              "/dev/shm",
              gibibytes(free) + " free",
              "mount -o remount,size=1G /dev/shm (in Docker: --shm-size=1g)");
    } catch (IOException e) {
      return Finding.missing("/dev/shm", String.valueOf(e.getMessage()), "make it readable");
    }
  }

  private static Finding disk(Path folder) {
    try {
      DiskProbe probe = DiskProbe.of(folder, PROBE_MEBIBYTES);
      return Finding.sound(
          "disk read rate",
          String.format(
              Locale.ROOT,
              "%,.0f MB/s in sequence, %s (%s)",
              probe.bytesPerSecond() / 1e6,
              probe.direct() ? "past the page cache" : "from memory",
              folder.toAbsolutePath().normalize()));
    } catch (IOException e) {
      return Finding.missing(
          "disk read rate",
          "cannot be measured in " + folder + ": " + e.getMessage(),
          "run doctor in a folder that can be written to");
    }
  }

  /// {@return bytes of memory this process may use: the machine's, or its control group's}
  public static long memoryBytes() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Math.min(system.getTotalMemorySize(), ControlGroup.memory(Path.of("/")));
  }

  static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
  }

  private static String cpu() {
    String model = cpuLine("model name");
    return Runtime.getRuntime().availableProcessors()
        + " × "
        + (model.isEmpty() ? System.getProperty("os.arch") : model);
  }

  private static Set<String> cpuFeatures() {
    Set<String> found = new TreeSet<>();
    for (String word : (cpuLine("flags") + " " + cpuLine("Features")).split(" ", -1)) {
      if (FEATURES.contains(word)) {
        found.add(word);
      }
    }
    return found.isEmpty() ? Set.of("unknown") : found;
  }

  private static String cpuLine(String name) {
    return Traffic.text(Path.of("/proc/cpuinfo"))
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .orElse("");
  }
}
