package io.headrace.cli.watch;

import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options to watch a load.
public final class ProgressOptions {
  @Option(
      names = "--metrics",
      paramLabel = "[HOST]:PORT",
      description = "Serve Prometheus metrics at http://HOST:PORT/metrics while loading.")
  private @Nullable String metrics;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write what each thread did as a Chrome trace, for ui.perfetto.dev.")
  private @Nullable Path trace;

  /// Begins to watch.
  ///
  /// @param size samples of an epoch, or -1
  public Observed begin(Loader loader, long size, LoadOptions options, PrintWriter err)
      throws IOException {
    return new Observed(
        new LoadMonitor(loader, size, options.memory(), options.threads()), metrics, trace, err);
  }

  /// A load that is watched.
  public static final class Observed implements AutoCloseable {
    private final LoadMonitor watch;
    private final @Nullable MetricsServer server;
    private final @Nullable TraceFile trace;
    private final LiveLine line;

    private Observed(
        LoadMonitor watch, @Nullable String metrics, @Nullable Path file, PrintWriter err)
        throws IOException {
      this.watch = watch;
      trace = file == null ? null : new TraceFile(file);
      try {
        server = metrics == null ? null : new MetricsServer(metrics, watch);
      } catch (IOException | RuntimeException e) {
        if (trace != null) {
          trace.close();
        }
        throw e;
      }
      if (server != null) {
        err.println("metrics at http://localhost:" + server.port() + "/metrics");
        err.flush();
      }
      line = new LiveLine(watch, err);
    }

    /// {@return where batches are reported}
    public LoadMonitor watch() {
      return watch;
    }

    /// Takes the live line away, for other output.
    public void clear() {
      line.clear();
    }

    @Override
    public void close() throws IOException {
      line.close();
      if (server != null) {
        server.close();
      }
      if (trace != null) {
        trace.close();
      }
    }
  }
}
