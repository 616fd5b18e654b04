package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.cli.print.Terminal;
import io.headrace.cli.watch.LiveLine;
import io.headrace.cli.watch.LoadMonitor;
import io.headrace.cli.watch.MetricsServer;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a running load lets one see.
final class ProgressOptionsTest {
  private static final Pattern SAMPLE =
      Pattern.compile("(headrace_[a-z_]+)(\\{stage=\"[a-z]+\"})? (-?[0-9.E+-]+)");

  @TempDir private Path dir = Path.of(".");

  private static int run(StringWriter err, Object... args) {
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
    return command.execute(List.of(args).stream().map(String::valueOf).toArray(String[]::new));
  }

  /// Law: every sample line of the text has a HELP and a TYPE before it, counters never fall, and
  /// what is counted is what was delivered.
  @Test
  void metricsAreServedWhileAnEpochRuns() throws IOException, InterruptedException {
    var options =
        LoadOptions.builder().batchSize(4).cache(new CacheSpec.MinIo(1 << 20)).digest(false);
    try (Dataset dataset = Datasets.open(Photos.few(dir.resolve("photos"), 2, 5));
        var loader =
            new Loader(dataset, Pipeline.parse("center_crop=16,uint8,hwc"), options.build())) {
      var watch = new LoadMonitor(loader, dataset.size(), options.build().memory(), 1);
      try (var server = new MetricsServer("127.0.0.1:0", watch)) {
        assertThat(get(server.port())).containsEntry("headrace_samples_total", 0.0);
        for (int number = 0; number < 2; number++) {
          try (Epoch epoch = loader.epoch(number)) {
            watch.begin(epoch, number);
            for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
              watch.batch(epoch, batch.size());
              batch.close();
            }
            Map<String, Double> running = get(server.port());
            assertThat(running).containsEntry("headrace_samples_total", 10.0 * (number + 1));
            assertThat(running.get("headrace_memory_bytes")).isPositive();
            watch.end(epoch.report());
          }
        }
        Map<String, Double> all = get(server.port());
        assertThat(all).containsEntry("headrace_epoch", 1.0);
        assertThat(all).containsEntry("headrace_skipped_samples_total", 0.0);
        assertThat(all).containsEntry("headrace_stage_items_total{stage=\"decode\"}", 20.0);
        double hits = Objects.requireNonNull(all.get("headrace_cache_hits_total"));
        double misses = Objects.requireNonNull(all.get("headrace_cache_misses_total"));
        assertThat(hits + misses).isEqualTo(20);
        assertThat(all.get("headrace_read_bytes_total")).isPositive();
        assertThat(all.get("headrace_stage_seconds_total{stage=\"decode\"}")).isPositive();
        assertThat(all.get("headrace_cache_bytes")).isPositive();
      }
    }
  }

  private static Map<String, Double> get(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/plain; version=0.0.4");
      Map<String, Double> values = new HashMap<>();
      Set<String> helped = new HashSet<>();
      Set<String> typed = new HashSet<>();
      for (String line : response.body().split("\n", -1)) {
        if (line.startsWith("# HELP ")) {
          assertThat(helped.add(line.split(" ", -1)[2])).as(line).isTrue();
        } else if (line.startsWith("# TYPE ")) {
          assertThat(typed.add(line.split(" ", -1)[2])).as(line).isTrue();
          assertThat(line).matches(".* (counter|gauge)");
        } else if (!line.isEmpty()) {
          var matcher = SAMPLE.matcher(line);
          assertThat(matcher.matches()).as(line).isTrue();
          assertThat(helped).contains(matcher.group(1));
          assertThat(typed).contains(matcher.group(1));
          String labels = Objects.requireNonNullElse(matcher.group(2), "");
          values.put(matcher.group(1) + labels, Double.parseDouble(matcher.group(3)));
        }
      }
      return values;
    }
  }

  @Test
  void theMetricsOptionSaysWhereTheyAre() {
    var err = new StringWriter();
    Path photos = Photos.few(dir.resolve("photos"), 2, 5);
    assertThat(run(err, "load", photos, "--metrics", "127.0.0.1:0")).isZero();
    assertThat(err.toString()).containsPattern("metrics at http://localhost:[0-9]+/metrics");
    assertThat(run(err, "load", photos, "--metrics", "port")).isEqualTo(Exit.USAGE);
  }

  /// Law: spans of one thread lie after or within each other, and every sample is decoded once.
  @Test
  void aTraceHasSpansThatNest() throws IOException {
    var err = new StringWriter();
    Path trace = dir.resolve("trace.json");
    Path photos = Photos.few(dir.resolve("photos"), 2, 5);
    assertThat(run(err, "load", photos, "--threads", "2", "--trace", trace)).isZero();
    JsonNode root = JsonMapper.builder().build().readTree(Files.readString(trace));
    assertThat(root.get("otherData").get("dropped_events").asString()).isEqualTo("0");
    Map<Long, List<long[]>> tracks = new HashMap<>();
    Map<String, Integer> names = new HashMap<>();
    Set<String> threads = new HashSet<>();
    for (JsonNode event : root.get("traceEvents")) {
      if (event.get("ph").asString().equals("M")) {
        threads.add(event.get("args").get("name").asString());
        continue;
      }
      assertThat(event.get("ph").asString()).isEqualTo("X");
      names.merge(event.get("name").asString(), 1, Integer::sum);
      long start = Math.round(event.get("ts").asDouble() * 1000);
      long end = start + Math.round(event.get("dur").asDouble() * 1000);
      tracks
          .computeIfAbsent(event.get("tid").asLong(), k -> new ArrayList<>())
          .add(new long[] {start, end});
    }
    assertThat(names).containsEntry("sample", 10).containsEntry("decode", 10);
    assertThat(names)
        .containsKeys("read", "transform", "hand-off", "wait for bytes", "wait for room");
    assertThat(names).containsKey("wait for a batch");
    assertThat(threads).contains("headrace", "read-0", "decode-0", "decode-1");
    tracks.values().forEach(ProgressOptionsTest::requireNesting);
  }

  private static void requireNesting(List<long[]> spans) {
    spans.sort(
        Comparator.<long[]>comparingLong(s -> s[0])
            .thenComparing(Comparator.<long[]>comparingLong(s -> s[1]).reversed()));
    var open = new ArrayList<long[]>();
    for (long[] span : spans) {
      while (!open.isEmpty() && open.getLast()[1] <= span[0]) {
        open.removeLast();
      }
      if (!open.isEmpty()) {
        assertThat(span[1]).isLessThanOrEqualTo(open.getLast()[1]);
      }
      open.add(span);
    }
  }

  @Test
  void theLineNamesRatesWaitsAndTheBottleneck() throws IOException {
    try (Dataset dataset = Datasets.open(Photos.few(dir.resolve("photos"), 2, 5));
        var loader =
            new Loader(dataset, Pipeline.parse("center_crop=16"), LoadOptions.builder().build());
        Epoch epoch = loader.epoch(0)) {
      var watch = new LoadMonitor(loader, dataset.size(), 1 << 20, 2);
      watch.begin(epoch, 0);
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        watch.batch(epoch, batch.size());
        batch.close();
      }
      LoadMonitor.Now now = Objects.requireNonNull(watch.current());
      assertThat(LiveLine.text(null, now))
          .matches(
              "epoch 0: 10 of 10, [0-9.,]+/s \\| a thread read [0-9.,]+/s decode [0-9.,]+/s"
                  + " transform [0-9.,]+/s \\| waits readers [0-9.]+ workers [0-9]+%"
                  + " consumer [0-9]+% \\| queue [0-9]+% \\| (read|decode|transform|consumer)");
    }
  }

  @Test
  void onATerminalTheBottleneckComesBeforeWhatMayBeCutOff() {
    String line = "epoch 0: 1 of 9, 7/s | a thread read 8/s | waits workers 3% | queue 5% | decode";
    assertThat(LiveLine.brief(line))
        .isEqualTo(
            "epoch 0: 1 of 9, 7/s | decode | queue 5% | waits workers 3% | a thread read 8/s");
    assertThat(Terminal.over(LiveLine.brief(line)))
        .hasSize(80)
        .startsWith("\repoch 0: 1 of 9, 7/s | decode")
        .endsWith("read read 8/\r");
  }
}
