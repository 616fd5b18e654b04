package io.headrace.lab.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CodecBenchTest {
  @Test
  void everySettingIsMeasured(@TempDir Path dir) throws IOException {
    List<String> said = new ArrayList<>();
    try (Dataset dataset = Datasets.open(Photos.few(dir, 1, 2))) {
      List<Measured> all = CodecBench.run(dataset, Setting.images(), 2, 1, said::add);
      Map<String, Measured> byName =
          all.stream().collect(Collectors.toMap(Measured::name, Function.identity()));
      assertThat(byName).hasSameSizeAs(Setting.images());
      assertThat(said).isNotEmpty();
      for (Measured m : all) {
        assertThat(m.bytes()).as(m.name()).isPositive();
        assertThat(m.decodeMegabytesPerSecond()).as(m.name()).isPositive();
        assertThat(m.ssim()).as(m.name()).isBetween(0.5, 1.0);
      }
      for (String lossless :
          List.of("original", "png 6", "webp lossless", "qoi", "lossless small", "bmp", "raw")) {
        assertThat(byName.get(lossless)).extracting(Measured::ssim).isEqualTo(1.0);
      }
      assertThat(all.getFirst().ratio()).isEqualTo(1);
      assertThat(all).anyMatch(Measured::pareto).anyMatch(m -> !m.pareto());
    }
  }

  @Test
  void theFrontHoldsWhatNothingBeatsInAllRespects() {
    var small = new Measured("small", 10, 1, 1, 100, 1, 0.9, 30, false);
    var fast = new Measured("fast", 100, 1, 1, 1000, 1, 1, 30, false);
    var beaten = new Measured("beaten", 110, 1, 1, 900, 1, 1, 30, false);
    assertThat(Measured.markFront(List.of(small, fast, beaten)))
        .extracting(Measured::pareto)
        .containsExactly(true, true, false);
  }
}
