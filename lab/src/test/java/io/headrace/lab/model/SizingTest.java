package io.headrace.lab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Glance;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.store.Device;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SizingTest {
  private static final Trial TRIAL =
      Trial.of(Path.of("photos"))
          .with(Key.PIPELINE, "random_resized_crop=224,flip,uint8,hwc")
          .with(Key.CONSUMER, "8*resnet50");

  /// A millisecond of CPU and 100 kB a sample.
  private static final Costs COSTS = Costs.of(new Glance(1e-5, 7e-4, 2.9e-4, 100e3), 1);

  private static Sizing of(Platform platform, double bytesPerSecond) {
    return Sizing.of(TRIAL, COSTS, new Sizing.Host(platform, bytesPerSecond), 1_000_000);
  }

  @Test
  void hostsHaveTheCoresThatTrainersNeed() {
    Sizing found = of(Platform.of(32), 1e12);

    assertThat(found.rate()).isEqualTo(8 * 4155);
    assertThat(found.cores()).isCloseTo(8 * 4155 * 1.098e-3, within(0.1)); // handed over, sent
    assertThat(found.networkBytes()).isEqualTo(8 * 4155.0 * 224 * 224 * 3);
    assertThat(found.storeBytes()).isEqualTo(8 * 4155 * 100e3);
    assertThat(found.each().bound()).isIn(Prediction.Bound.PROCESSORS, Prediction.Bound.WORKERS);
    assertThat(found.hosts() * found.each().low()).isGreaterThanOrEqualTo(found.rate());
    assertThat((found.hosts() - 1) * found.each().low()).isLessThan(found.rate());
    assertThat(of(Platform.of(64), 1e12).hosts()).isLessThan(found.hosts());
  }

  @Test
  void aNarrowNetworkTakesMoreHosts() {
    Sizing found = of(Platform.of(256), 1.25e9);

    assertThat(found.boundByNetwork()).isTrue();
    assertThat(found.hosts()).isEqualTo((int) Math.ceil(found.networkBytes() / 1.25e9));
  }

  @Test
  void aStoreThatIsFarTakesMoreReaders() {
    Device store = Objects.requireNonNull(Device.find("s3"));

    Sizing found = of(Platform.of(32).with(store), 1e12);

    assertThat(found.readers()).isGreaterThan(of(Platform.of(32), 1e12).readers());
  }

  @Test
  void trainersWithoutARateAreRefused() {
    Trial all = TRIAL.with(Key.CONSUMER, "none");
    var host = new Sizing.Host(Platform.of(2), 1e9);

    assertThatThrownBy(() -> Sizing.of(all, COSTS, host, 10))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a rate");
    assertThatThrownBy(() -> new Sizing.Host(Platform.of(2), 0))
        .isInstanceOf(ConfigException.class);
  }
}
