package io.headrace.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.lab.profile.Profile.Strategy;
import io.headrace.lab.profile.Profile.Weights;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProfileTest {
  private static final Trial WHOLE =
      Trial.of(Path.of("photos"))
          .with(Key.PIPELINE, "resize_shorter=256,random_crop=224,center")
          .with(Key.THREADS, 8);

  private static final Sweep SWEEP =
      Profile.sweep(
          WHOLE,
          "tfrecord",
          List.of("none", "zlib"),
          List.of(CacheLevel.COLD, CacheLevel.APPLICATION_CACHE),
          "minio:1GiB");

  private static List<String> names(List<Trial> trials) {
    return trials.stream()
        .map(t -> Cuts.name(t) + " " + t.get(Key.COMPRESSION) + " " + t.get(Key.LEVEL))
        .toList();
  }

  @Test
  void everyCutIsRunUnderEveryCompressionAtEveryLevel() {
    assertThat(names(SWEEP.trials()))
        .containsExactly(
            "0-fully-online none cold",
            "2-read-image none cold",
            "2-read-image zlib cold",
            "3-decode-image none cold",
            "3-decode-image zlib cold",
            "4-resize-image none cold",
            "4-resize-image zlib cold",
            "0-fully-online none application-cache",
            "2-read-image none application-cache",
            "3-decode-image none application-cache",
            "4-resize-image none application-cache");
    assertThat(SWEEP.reconvert()).isTrue();
    Trial resized = SWEEP.trials().get(5);
    assertThat(resized.get(Key.PIPELINE)).isEqualTo("resize_shorter=256,random_crop=224,center");
    assertThat(resized.get(Key.STEPS)).isEqualTo("resize_shorter=256");
    List<Trial> random = Cuts.of(WHOLE.with(Key.PIPELINE, "train"), "race");
    assertThat(names(random)).as("a random crop is in no cut").hasSize(3);
    List<Trial> eval = Cuts.of(WHOLE.with(Key.PIPELINE, "eval"), "race");
    assertThat(eval.stream().map(Cuts::name))
        .as("every step")
        .containsExactly(
            "0-fully-online",
            "2-read-image",
            "3-decode-image",
            "4-resize-image",
            "5-center-crop",
            "6-normalize",
            "7-float32",
            "8-chw");
    List<Trial> speech = Cuts.of(WHOLE.with(Key.PIPELINE, "speech"), "race");
    assertThat(names(speech).getLast()).startsWith("7-log-mel");
    assertThat(speech.getLast().get(Key.ENCODING)).isEqualTo("raw");
  }

  private static Run run(
      Trial trial, int repeat, double offline, double megabytes, double seconds) {
    return new Run(
        trial.toMap(),
        repeat,
        "2026-01-01T00:00:00Z",
        1,
        1000,
        0,
        seconds,
        List.of(),
        50_000_000,
        9,
        4_000_000,
        8_000_000,
        3,
        0,
        0,
        0,
        0,
        0,
        "read",
        0,
        true,
        new Conversion(offline, offline, 1000, megabytes * 1e6, 1, 1, 1));
  }

  /// Uncut: 2.5 MB as found, 10 s; decoded: 66 MB, 20 s, 5 s ahead; resized: 1.4 MB, 1 s, 8 s
  /// ahead.
  private static Profile profile(Weights weights) {
    List<Run> runs = new ArrayList<>();
    List<Trial> trials = SWEEP.trials();
    for (int repeat = 0; repeat <= 3; repeat++) {
      double slower = 1 + 0.1 * repeat;
      runs.add(run(trials.get(0), repeat, 0, 2.5, 10 * slower));
      runs.add(run(trials.get(3), repeat, 5 * slower, 66, 20 * slower));
      runs.add(run(trials.get(5), repeat, 8 * slower, 1.4, slower));
    }
    return Profile.of(new Runs(Map.of(), runs), weights);
  }

  @Test
  void theBestComesLastByItsWeights() {
    Profile byRate = profile(Weights.USUAL);
    assertThat(byRate.strategies())
        .extracting(Strategy::cut)
        .containsExactly("3-decode-image", "0-fully-online", "4-resize-image");
    assertThat(byRate.strategies().getLast().score()).isCloseTo(1, within(1e-9));
    assertThat(byRate.strategies().getLast().rate()).isCloseTo(1000 / 1.2, within(1e-6));
    assertThat(byRate.strategies().getLast().offlineSeconds()).isCloseTo(9.6, within(1e-9));
    assertThat(byRate.strategies().get(1).storageBytes())
        .as("the dataset as it is, not nothing")
        .isCloseTo(2.5e6, within(1.0));
    Profile byTime = profile(Weights.parse("1:0:0"));
    assertThat(byTime.strategies().getLast().cut()).isEqualTo("0-fully-online");
    Profile byStorage = profile(Weights.parse("0:1:0"));
    assertThat(byStorage.strategies().getLast().cut()).isEqualTo("4-resize-image");
    Strategy decoded = profile(Weights.parse("1:1:1")).strategies().getFirst();
    assertThat(decoded.cut()).isEqualTo("3-decode-image");
    assertThat(decoded.score()).isCloseTo(1 - 5 / 8.0, within(1e-9));
  }

  @Test
  void equalFiguresDecideNothing() {
    Run only = run(SWEEP.trials().getFirst(), 1, 0, 2.5, 10);
    Profile one = Profile.of(new Runs(Map.of(), List.of(only)), Weights.parse("1:1:1"));
    assertThat(one.strategies().getFirst().score()).isEqualTo(2);
  }

  @Test
  void theCsvHasThePapersColumns() {
    List<String> lines = profile(Weights.USUAL).csv().lines().toList();
    assertThat(lines).hasSize(1 + 9);
    assertThat(lines.getFirst())
        .startsWith(
            "split_name,offline_processing_and_save_time_s,shard_count,thread_count,"
                + "shard_cum_size_MB,sample_count,online_processing_time_s,throughput_sps,"
                + "runs_count,runs_total,ueid,creation_timestamp,compression_type,storage_type,"
                + "application_cache_enabled,system_cache_enabled,batch_count,prefetch_count,"
                + "disk_read_MB_per_s,net_read_MB_per_s,");
    assertThat(lines.getLast())
        .startsWith("4-resize-image,10.4000,8,8,1.40000,1000,1.30000,769.231,3,3,")
        .contains(",2026-01-01T00:00:00Z,none,page,false,false,64,4,3.07692,6.15385,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1:2", "1:2:x", "1:2:-3", "1:2:3:4"})
  void weightsAreThreeNumbers(String text) {
    assertThatThrownBy(() -> Weights.parse(text)).isInstanceOf(ConfigException.class);
  }
}
