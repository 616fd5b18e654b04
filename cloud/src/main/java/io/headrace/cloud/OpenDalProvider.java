package io.headrace.cloud;

import io.headrace.error.ConfigException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.opendal.AsyncOperator;
import org.apache.opendal.layer.RetryLayer;
import org.jspecify.annotations.Nullable;

/// Stores that Apache OpenDAL speaks to. Credentials come from where each
/// store's own tools take them.
public abstract class OpenDalProvider extends CloudProvider {
  private static final long REPEATS = 9;

  private final String service;

  private OpenDalProvider(String scheme, String service) {
    super(scheme);
    this.service = service;
  }

  /// {@return OpenDAL's options for a bucket}
  abstract Map<String, String> options(URI root, UnaryOperator<@Nullable String> environment);

  @Override
  final Bucket connect(URI root) {
    Map<String, String> options = options(root, System::getenv);
    try {
      var operator =
          AsyncOperator.of(service, options)
              .layer(
                  RetryLayer.builder()
                      .maxTimes(REPEATS)
                      .jitter(true)
                      .minDelay(Duration.ofMillis(100))
                      .maxDelay(Duration.ofSeconds(8))
                      .build());
      return new OpenDalBucket(root.toString(), operator.blocking(), network);
    } catch (LinkageError e) {
      throw new ConfigException(
          "%s: OpenDAL's native library cannot be loaded: there is one for Linux on x86-64"
              .formatted(root));
    } catch (RuntimeException e) {
      throw new ConfigException(
          "%s: %s".formatted(root, OpenDalBucket.plain(String.valueOf(e.getMessage()))));
    }
  }

  private static void putIfSet(Map<String, String> options, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      options.put(name, value);
    }
  }

  private static @Nullable String first(
      UnaryOperator<@Nullable String> environment, String... names) {
    for (String name : names) {
      String value = environment.apply(name);
      if (value != null && !value.isEmpty()) {
        return value;
      }
    }
    return null;
  }

  /// `gs://BUCKET/KEY`, Google Cloud Storage.
  public static final class Gs extends OpenDalProvider {
    /// For the service loader.
    public Gs() {
      super("gs", "gcs");
    }

    @Override
    Map<String, String> options(URI root, UnaryOperator<@Nullable String> environment) {
      Map<String, String> options = new LinkedHashMap<>();
      options.put("bucket", root.getAuthority());
      putIfSet(options, "endpoint", environment.apply("STORAGE_EMULATOR_HOST"));
      if (environment.apply("STORAGE_EMULATOR_HOST") != null) {
        options.put("allow_anonymous", "true");
        options.put("disable_vm_metadata", "true");
        options.put("disable_config_load", "true");
      }
      return options;
    }
  }

  /// `az://CONTAINER/KEY`, Azure Blob Storage; the account comes from the environment.
  public static final class Az extends OpenDalProvider {
    /// For the service loader.
    public Az() {
      super("az", "azblob");
    }

    @Override
    Map<String, String> options(URI root, UnaryOperator<@Nullable String> environment) {
      String account = first(environment, "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME");
      String endpoint = environment.apply("AZURE_STORAGE_ENDPOINT");
      if (account == null && endpoint == null) {
        throw new ConfigException(
            "az://: set AZURE_STORAGE_ACCOUNT, and AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN");
      }
      Map<String, String> options = new LinkedHashMap<>();
      options.put("container", root.getAuthority());
      options.put(
          "endpoint",
          endpoint == null ? "https://%s.blob.core.windows.net".formatted(account) : endpoint);
      putIfSet(options, "account_name", account);
      putIfSet(
          options,
          "account_key",
          first(environment, "AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY"));
      putIfSet(options, "sas_token", environment.apply("AZURE_STORAGE_SAS_TOKEN"));
      return options;
    }
  }

  /// `hdfs://HOST:PORT/PATH`, by WebHDFS: the port is that of the name node's web server.
  public static final class Hdfs extends OpenDalProvider {
    /// For the service loader.
    public Hdfs() {
      super("hdfs", "webhdfs");
    }

    @Override
    Map<String, String> options(URI root, UnaryOperator<@Nullable String> environment) {
      Map<String, String> options = new LinkedHashMap<>();
      options.put("endpoint", "http://" + root.getAuthority());
      options.put("root", "/");
      putIfSet(options, "user_name", environment.apply("HADOOP_USER_NAME"));
      return options;
    }
  }

  /// `http://HOST/PATH`: single files, and datasets with a manifest.
  public static class Http extends OpenDalProvider {
    /// For the service loader.
    public Http() {
      this("http");
    }

    private Http(String scheme) {
      super(scheme, "http");
    }

    @Override
    final Map<String, String> options(URI root, UnaryOperator<@Nullable String> environment) {
      return Map.of("endpoint", root.toString());
    }
  }

  /// `https://HOST/PATH`, as [Http].
  public static final class Https extends Http {
    /// For the service loader.
    public Https() {
      super("https");
    }
  }
}
