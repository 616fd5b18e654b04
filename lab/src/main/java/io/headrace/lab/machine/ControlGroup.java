package io.headrace.lab.machine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The control group that this process runs in (cgroups(7)), which may allow less than the machine
/// has.
final class ControlGroup {
  private ControlGroup() {}

  /// {@return bytes of memory that the group and those it is in allow; [Long#MAX_VALUE] if they set
  /// no limit}
  ///
  /// @param root of the file system that `proc` and `sys` are looked for in
  static long memory(Path root) {
    long limit = Long.MAX_VALUE;
    for (String line : Traffic.text(root.resolve("proc/self/cgroup")).lines().toList()) {
      String[] words = line.split(":", 3); // number, controllers, path
      if (words.length == 3 && words[1].isEmpty()) {
        limit = Math.min(limit, lowest(root, "sys/fs/cgroup", words[2], "memory.max"));
      } else if (words.length == 3 && List.of(words[1].split(",")).contains("memory")) {
        limit =
            Math.min(
                limit, lowest(root, "sys/fs/cgroup/memory", words[2], "memory.limit_in_bytes"));
      }
    }
    return limit;
  }

  /// {@return the lowest limit on the way up; inside a container the path may be the host's, of
  ///     which only the top is visible}
  private static long lowest(Path root, String mount, String group, String file) {
    Path top = root.resolve(mount);
    long limit = Long.MAX_VALUE;
    @Nullable Path folder = top.resolve(group.replaceFirst("^/+", "")).normalize();
    while (folder != null && folder.startsWith(top)) {
      limit = Math.min(limit, number(folder.resolve(file)));
      folder = folder.getParent();
    }
    return limit;
  }

  private static long number(Path file) {
    String text = Traffic.text(file).strip(); // "max", or nothing where it has no limit of its own
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : Long.MAX_VALUE;
  }
}
