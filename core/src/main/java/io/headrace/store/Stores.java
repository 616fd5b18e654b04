package io.headrace.store;

import io.headrace.error.ConfigException;
import java.util.Locale;

/// Ways to read files, by the names users type.
public final class Stores {
  private Stores() {}

  /// Understands `page` (through the page cache), `mmap` (memory-mapped), `direct` (past the page
  /// cache), or a [Device] to imitate: its name, or its rate such as `24MB/s`.
  ///
  /// @throws ConfigException if it is none of these
  public static Store parse(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "page" -> Store.LOCAL;
      case "mmap" -> new MappedStore();
      case "direct" -> new DirectStore();
      default -> {
        Device device = Device.find(text);
        if (device == null) {
          throw new ConfigException(
              "unknown store '%s': expected page, mmap, direct, a device (%s) or a rate such as"
                      .formatted(text, String.join(", ", Device.names()))
                  + " 100MB/s");
        }
        yield new ThrottledStore(Store.LOCAL, device);
      }
    };
  }
}
