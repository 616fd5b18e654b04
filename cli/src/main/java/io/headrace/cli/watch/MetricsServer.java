package io.headrace.cli.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.headrace.error.ConfigException;
import io.headrace.meter.StageReading;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;

/// Serves what a [LoadMonitor] sees at `/metrics`, in the text format that Prometheus reads
/// (version 0.0.4: "Exposition formats" in its documentation).
public final class MetricsServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /// @param address `:PORT` for every interface, or `HOST:PORT`; port 0 takes a free one
  /// @throws ConfigException if that is not an address
  /// @throws IOException if it cannot be listened on
  public MetricsServer(String address, LoadMonitor watch) throws IOException {
    server = HttpServer.create(parse(address), 0);
    server.createContext("/metrics", exchange -> answer(exchange, text(watch.all())));
    server.setExecutor(executor);
    server.start();
  }

  private static InetSocketAddress parse(String address) {
    int colon = address.lastIndexOf(':');
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      String host = colon < 0 ? "" : address.substring(0, colon);
      return host.isEmpty()
          ? new InetSocketAddress(port)
          : new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException("address '" + address + "': expected :PORT or HOST:PORT");
    }
  }

  /// {@return the port listened on}
  public int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    try (exchange) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      boolean read = exchange.getRequestMethod().equals("GET");
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.sendResponseHeaders(read ? 200 : 405, read ? bytes.length : -1);
      if (read) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  /// {@return all metrics}
  public static String text(LoadMonitor.Now now) {
    var out = new StringBuilder();
    one(out, "samples_total", "counter", "Samples delivered.", now.samples());
    one(out, "skipped_samples_total", "counter", "Samples found bad.", now.skipped());
    one(out, "read_bytes_total", "counter", "Bytes taken from storage.", now.stored());
    stages(out, now, "stage_seconds_total", "Time that passed, by stage.", StageReading::seconds);
    stages(
        out,
        now,
        "stage_cpu_seconds_total",
        "Time in which threads ran, by stage.",
        StageReading::cpuSeconds);
    stages(out, now, "stage_items_total", "Samples or batches, by stage.", r -> (double) r.items());
    stages(out, now, "stage_bytes_total", "Bytes handled, by stage.", r -> (double) r.bytes());
    double occupancy = now.places() == 0 ? 0 : (double) now.queued() / now.places();
    one(
        out,
        "queue_occupancy_ratio",
        "gauge",
        "Mean share of the queue of encoded samples that was filled in this epoch.",
        occupancy);
    one(out, "cache_hits_total", "counter", "Samples that the cache had.", now.hits());
    one(out, "cache_misses_total", "counter", "Samples that were read.", now.misses());
    one(out, "cache_bytes", "gauge", "Off-heap bytes that the cache takes.", now.cacheBytes());
    one(out, "memory_bytes", "gauge", "Off-heap bytes in use.", now.memory());
    one(out, "memory_limit_bytes", "gauge", "Off-heap bytes allowed.", now.memoryLimit());
    one(out, "epoch", "gauge", "Number of the epoch.", now.epoch());
    return out.toString();
  }

  private static void stages(
      StringBuilder out,
      LoadMonitor.Now now,
      String name,
      String help,
      ToDoubleFunction<StageReading> value) {
    head(out, name, "counter", help);
    for (StageReading reading : now.stages()) {
      String stage = reading.stage().name().toLowerCase(Locale.ROOT);
      line(out, name + "{stage=\"" + stage + "\"}", value.applyAsDouble(reading));
    }
  }

  private static void one(StringBuilder out, String name, String type, String help, double value) {
    head(out, name, type, help);
    line(out, name, value);
  }

  private static void one(StringBuilder out, String name, String type, String help, long value) {
    one(out, name, type, help, (double) value);
  }

  private static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP headrace_").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE headrace_").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder out, String name, double value) {
    out.append("headrace_").append(name).append(' ');
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
    out.append(whole ? Long.toString((long) value) : Double.toString(value)).append('\n');
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
