package io.headrace.store;

import io.headrace.error.ConfigException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Paths as users type them: local ones, and addresses such as `s3://bucket/folder`, whose file
/// systems are found as services.
public final class Places {
  private static final Pattern ADDRESS =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+)://([^/]*)(.*)", Pattern.DOTALL);

  private Places() {}

  /// {@return the path that a text names}
  ///
  /// @throws ConfigException if it is an address that nothing here can read
  public static Path path(String text) {
    Matcher address = ADDRESS.matcher(text);
    if (!address.matches()) {
      return Path.of(text);
    }
    String scheme = address.group(1).toLowerCase(Locale.ROOT);
    for (FileSystemProvider provider : FileSystemProvider.installedProviders()) {
      if (provider.getScheme().equalsIgnoreCase(scheme)) {
        return provider.getPath(uri(scheme, address.group(2), address.group(3)));
      }
    }
    throw new ConfigException(
        ("%s://: nothing here reads such addresses; s3, gs, az, hdfs, http, https and hf need"
                + " headrace-cloud-VERSION.jar and its libraries on the class path")
            .formatted(scheme));
  }

  private static URI uri(String scheme, String host, String path) {
    try {
      return new URI(scheme, host.isEmpty() ? null : host, path.isEmpty() ? "/" : path, null, null);
    } catch (URISyntaxException e) {
      throw new ConfigException("%s://: not an address: %s".formatted(scheme, e.getReason()));
    }
  }

  /// {@return the file system of a path if it lies beyond a network, else null}
  public static @Nullable RemoteFiles remote(Path path) {
    return path.getFileSystem().provider() instanceof RemoteFiles remote ? remote : null;
  }
}
