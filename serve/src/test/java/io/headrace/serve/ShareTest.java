package io.headrace.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.Loader;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Several consumers of one engine: each gets all of an epoch, and each sample is made once.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ShareTest {
  private static final int COUNT = 62;
  private static final int BATCHES = 16;
  private static final int SLOTS = 3;

  @TempDir private Path dir = Path.of(".");
  private final AtomicLong reads = new AtomicLong();

  private Path socket() {
    return dir.resolve("s");
  }

  private Dataset pictures() throws IOException {
    Dataset whole = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT));
    return new Watched(whole, -1, reads);
  }

  private ServedDataset offer(Dataset dataset, LoadOptions options) {
    return new ServedDataset(dataset, Pictures.PIPELINE, options, dir);
  }

  private Engine engine(Dataset dataset, int jobs) throws InterruptedException {
    return new Engine(socket(), Engine.offer(dataset, dir), jobs);
  }

  private static void ask(Peer peer, int run, long number, String join) throws IOException {
    peer.say(
        "{'type':'epoch','run':%d,'number':%d,'next':%d,'join':'%s'}"
            .formatted(run, number, number + 1, join));
  }

  private static JsonNode take(Peer peer, int run) throws IOException {
    JsonNode batch = peer.hear("batch");
    assertThat(batch.path("run").asInt()).isEqualTo(run);
    peer.say("{'type':'release','run':%d,'slot':%d}".formatted(run, batch.path("slot").asInt()));
    return batch;
  }

  /// Takes what is left of an epoch.
  ///
  /// @return its end
  private static JsonNode finish(Peer peer, int run, int batches) throws IOException {
    for (int i = 0; i < batches; i++) {
      JsonNode _ = take(peer, run);
    }
    return peer.hear("end");
  }

  /// Four jobs get every sample of two epochs, to the bit what a loader alone delivers, and each
  /// sample is read and decoded once an epoch for all of them.
  @Test
  void fourJobsGetAllOfAnEpochThatIsDecodedOnce() throws Exception {
    try (Dataset dataset = pictures()) {
      List<String> alone = PythonDigests.loaded(Engine.offer(dataset, dir), 2, 0);
      reads.set(0);
      try (var engine = engine(dataset, 4);
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<List<String>>> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          Path log = dir.resolve("log" + i);
          Callable<List<String>> job = () -> PythonDigests.found(log, socket().toString(), "2");
          jobs.add(threads.submit(job));
        }
        for (Future<List<String>> job : jobs) {
          assertThat(job.get()).isEqualTo(alone);
        }
        assertThat(reads.get()).isBetween(2L * COUNT, 3L * COUNT); // the third was announced
        assertThat(engine.sound()).isTrue();
      }
    }
  }

  @Test
  void anEpochsEndTellsHowManySamplesWereDecodedForAll() throws Exception {
    try (Dataset dataset = pictures();
        var engine = engine(dataset, 4);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<JsonNode>> jobs = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        jobs.add(
            threads.submit(
                () -> {
                  try (Peer peer = Peer.greeted(socket())) {
                    ask(peer, 1, 0, "now");
                    JsonNode _ = peer.hear("started");
                    return finish(peer, 1, BATCHES);
                  }
                }));
      }
      for (Future<JsonNode> job : jobs) {
        JsonNode end = job.get();
        assertThat(end.path("decoded").asInt()).isEqualTo(COUNT);
        assertThat(end.path("delivered").asInt()).isEqualTo(COUNT);
        assertThat(end.path("verified").asBoolean()).isTrue();
      }
      assertThat(engine.sound()).isTrue();
    }
  }

  /// The fastest is as many batches ahead of the slowest as there are slots; one that may miss
  /// batches holds nobody up, and learns how many it missed.
  @Test
  void aSlowJobHoldsOthersBackUnlessItMayMissBatches() throws Exception {
    try (Dataset dataset = pictures();
        var engine = engine(dataset, 2);
        Peer fast = Peer.greeted(socket())) {
      try (Peer slow = Peer.greeted(socket())) {
        ask(fast, 1, 0, "now");
        ask(slow, 1, 0, "now");
        JsonNode _ = fast.hear("started");
        JsonNode _ = slow.hear("started");
        for (int i = 0; i < SLOTS; i++) {
          JsonNode _ = take(fast, 1);
        }
        assertThat(fast.silent(100)).isTrue();
        JsonNode _ = take(slow, 1);
        assertThat(take(fast, 1).path("index").asInt()).isEqualTo(SLOTS);
        assertThat(fast.silent(50)).isTrue();
      }
      try (Peer lazy = Peer.greeted(socket(), ",'behind':'miss'")) {
        ask(lazy, 1, 0, "whole");
        JsonNode _ = finish(fast, 1, BATCHES - SLOTS - 1); // its slots were freed
        ask(fast, 2, 1, "now");
        JsonNode _ = fast.hear("started");
        JsonNode _ = finish(fast, 2, BATCHES);
        assertThat(lazy.hear("started").path("epoch").asInt()).isEqualTo(1);
        assertThat(lazy.hear("batch").path("index").asInt()).isZero();
        JsonNode end = lazy.hear("end");
        assertThat(end.path("missed").asInt()).isEqualTo(COUNT - 4);
        assertThat(end.path("delivered").asInt()).isEqualTo(4);
        assertThat(end.path("verified").asBoolean()).isFalse();
      }
      assertThat(engine.sound()).isTrue();
    }
  }

  /// Who comes in mid-epoch gets the rest at once, or waits for the next one. From then on all have
  /// the same epochs; who leaves one early waits for the others.
  @Test
  void jobsJoinAndLeaveInMidEpoch() throws Exception {
    try (Dataset dataset = pictures();
        var engine = engine(dataset, 1);
        Peer first = Peer.greeted(socket())) {
      ask(first, 1, 3, "now");
      assertThat(first.hear("started").path("epoch").asInt()).isEqualTo(3);
      for (int i = 0; i < 5; i++) {
        assertThat(take(first, 1).path("index").asInt()).isEqualTo(i);
      }
      for (int i = 0; i < SLOTS; i++) {
        JsonNode _ = first.hear("batch"); // held: nothing more is made now
      }
      try (Peer now = Peer.greeted(socket());
          Peer later = Peer.greeted(socket());
          Peer exact = Peer.greeted(socket())) {
        ask(now, 1, 0, "now");
        JsonNode started = now.hear("started");
        assertThat(started.path("epoch").asInt()).isEqualTo(3);
        assertThat(started.path("batches").asInt()).isEqualTo(BATCHES - 8);
        assertThat(started.path("state").asString()).contains("\"done\":32");
        ask(later, 1, 0, "whole");
        exact.say("{'type':'epoch','run':1,'number':3}");
        assertThat(exact.hear("error").path("kind").asString()).isEqualTo("config");
        exact.say("{'type':'epoch','run':2,'number':4}");
        for (int slot = 0; slot < SLOTS; slot++) {
          first.say("{'type':'release','run':1,'slot':%d}".formatted(slot));
        }
        assertThat(take(now, 1).path("index").asInt()).isEqualTo(8);
        ask(first, 2, 4, "now"); // leaves epoch 3
        JsonNode end = finish(now, 1, BATCHES - 9);
        assertThat(end.path("delivered").asInt()).isEqualTo(COUNT - 32);
        assertThat(end.path("verified").asBoolean()).isFalse();
        ask(now, 2, 4, "now");
        for (Peer peer : List.of(now, later, exact)) {
          started = peer.hear("started");
          assertThat(started.path("epoch").asInt()).isEqualTo(4);
          assertThat(started.path("batches").asInt()).isEqualTo(BATCHES);
        }
      }
      JsonNode message = first.hear();
      while (message.path("run").asInt() < 2) {
        message = first.hear(); // still about the epoch that it left
      }
      assertThat(finish(first, 2, BATCHES).path("verified").asBoolean()).isTrue();
      assertThat(engine.sound()).isTrue();
    }
  }

  /// A job with a seed of its own has its own order and crops, and finds what others have read in
  /// the cache; so do ranks, which share an epoch.
  @Test
  void jobsOfOtherSeedsAndRanksShareTheCache() throws Exception {
    try (Dataset dataset = pictures()) {
      LoadOptions options = Pictures.options().cache(CacheSpec.parse("minio:1MiB")).build();
      try (var engine = new Engine(socket(), offer(dataset, options), 1)) {
        int delivered = 0;
        for (String wants :
            List.of("", ",'seed':9", ",'rank':0,'world':2", ",'rank':1,'world':2,'seed':7")) {
          try (Peer peer = Peer.greeted(socket(), wants)) {
            peer.say("{'type':'epoch','run':1,'number':0}");
            int batches = peer.hear("started").path("batches").asInt();
            JsonNode end = finish(peer, 1, batches);
            delivered += end.path("delivered").asInt();
            if (!wants.contains("rank")) {
              long seed = wants.isEmpty() ? 7 : 9;
              assertThat(end.path("digest").asString()).isEqualTo(digest(dataset, options, seed));
            }
          }
        }
        assertThat(delivered).isEqualTo(3 * COUNT);
        try (var refused = new Peer(socket())) {
          refused.say("{'type':'hello','protocol':1,'rank':2,'world':2}");
          assertThat(refused.hear("error").path("kind").asString()).isEqualTo("config");
        }
        assertThat(engine.failure()).hasMessageContaining("rank 2");
      }
      assertThat(reads.get()).isEqualTo(COUNT + 2L * COUNT); // and those of two loaders alone
    }
  }

  private String digest(Dataset dataset, LoadOptions options, long seed) throws IOException {
    try (var loader = new Loader(dataset, Pictures.PIPELINE, options.as(seed, 0, 1))) {
      try (var epoch = loader.epoch(0)) {
        for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
          batch.close();
        }
        return epoch.report().digest();
      }
    }
  }
}
