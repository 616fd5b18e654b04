package io.headrace.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Decoding;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrialTest {
  private static final Trial USUAL = Trial.of(Path.of("photos"));

  @Test
  void everySettingComesBackFromItsWords() {
    Trial trial =
        USUAL
            .with(Representation.of("race:blobs=lz4:1", "none", "tiled", "shortest=256"))
            .with(Key.PIPELINE, "resize_shorter=64, center_crop=32")
            .with(Key.CACHE, "minio:64MiB:decoded")
            .with(Key.DECODING, "exact")
            .with(Key.ORDER, "stored")
            .with(Key.CONSUMER, "4*resnet50")
            .with(Key.FIDELITY, "1:0.5,full:0.5")
            .with(Key.STORE, "hdd");
    assertThat(trial.toMap()).hasSize(Key.values().length);
    assertThat(Trial.of(trial.toMap())).isEqualTo(trial);
    LoadOptions options = trial.with(Key.FIDELITY, "full").loading();
    assertThat(options.cache().bytes()).isEqualTo(64 << 20);
    assertThat(options.decoding()).isEqualTo(Decoding.EXACT);
    assertThat(options.order()).hasToString("sequential");
    assertThat(trial.consumer().samplesPerSecond()).isEqualTo(16_620);
    assertThat(trial.pipeline().spec()).isEqualTo("resize_shorter=64,center_crop=32");
  }

  @ParameterizedTest
  @CsvSource({
    "compression, ZLIB:strategy=default, zlib",
    "order, shuffled, full",
    "threads, 02, 2",
    "memory, 2048MiB, 2147483648",
    "consumer, '', none",
    "store, HDD, hdd"
  })
  void equalValuesHaveOneSpelling(String word, String one, String other) {
    Trial base = USUAL.with(Key.FORMAT, "tfrecord");
    assertThat(base.with(Key.of(word), one)).isEqualTo(base.with(Key.of(word), other));
    assertThat(base.with(Key.of(word), one).get(Key.of(word))).isEqualTo(other);
  }

  @ParameterizedTest
  @CsvSource({
    "threads, 0, 'threads: 0: expected at least 1'",
    "threads, two, 'threads: ''two'' is not a whole number'",
    "encoding, jpeg:200, 'encoding: '",
    "encoding, raw, 'encoding raw of a dataset that is not converted: expected a format'",
    "level, warm, 'level: level ''warm'': expected cold or page-cache or application-cache'",
    "level, application-cache, 'level application-cache: expected a cache'",
    "store, tape, 'store: unknown store ''tape'''",
  })
  void whatMakesNoSenseIsNamed(String word, String value, String message) {
    assertThatThrownBy(() -> USUAL.with(Key.of(word), value))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void unknownWordsAreRefused() {
    Map<String, String> words = new LinkedHashMap<>(USUAL.toMap());
    words.put("speed", "high");
    assertThatThrownBy(() -> Trial.of(words))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("setting 'speed': expected dataset or split or");
  }

  @Test
  void commandsDoTheSameByHand() {
    assertThat(USUAL.command()).isEqualTo("headrace load photos --epochs 2");
    assertThat(
            USUAL
                .with(Representation.of("zstd", "jpeg:75", "keep"))
                .with(Key.DATASET, "my photos")
                .with(Key.LEVEL, "cold")
                .with(Key.MEMORY, "1GiB")
                .with(Key.DECODING, "exact")
                .command())
        .isEqualTo(
            "headrace convert 'my photos' out/converted --format tfrecord --encoding jpeg:75"
                + " --compression zstd && headrace load out/converted --memory-budget 1073741824"
                + " --exact --cold");
  }
}
