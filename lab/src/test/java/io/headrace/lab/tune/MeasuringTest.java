package io.headrace.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.Bottleneck;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The parts that a tuner measures with, given a clock and a loader of known numbers.
final class MeasuringTest {
  @TempDir private Path dir = Path.of(".");

  /// Epochs of 100 samples that take 0.4 s, 0.1 s apart: five of them pass two seconds.
  @Test
  void aStretchIsWholeEpochsAndWhatIsBetweenThem() throws IOException {
    List<Long> asked = new ArrayList<>();
    Stretch.Epochs loader =
        number -> {
          asked.add(number);
          return Made.epoch(
              number,
              100,
              3 + 0.5 * (number - 7),
              0.4,
              number == 11 ? Bottleneck.READ : Bottleneck.DECODE);
        };
    Stretch stretch = Stretch.of(loader, 7, 2, "made up");
    assertThat(asked).containsExactly(7L, 8L, 9L, 10L, 11L);
    assertThat(stretch.seconds()).isCloseTo(2.4, within(1e-9));
    assertThat(stretch.rate()).isCloseTo(500 / 2.4, within(1e-9));
    assertThat(stretch.last().bottleneck()).isEqualTo(Bottleneck.READ);
    assertThat(Stretch.of(loader, 7, 0, "made up").epochs()).hasSize(1);
  }

  @Test
  void aLoaderThatDeliversNothingIsAnErrorNotAnEndlessMeasurement() {
    Stretch.Epochs nothing = number -> Made.epoch(number, 0, 0, 0, Bottleneck.READ);
    assertThatThrownBy(() -> Stretch.of(nothing, 0, 1, "set"))
        .isInstanceOf(IOException.class)
        .hasMessage("set: not one sample could be loaded");
  }

  /// Work on samples of which one cannot be decoded.
  private static final class Work implements Solo.Work {
    final AtomicLong clock;
    final int bad;
    int seen;

    Work(AtomicLong clock, int bad) {
      this.clock = clock;
      this.bad = bad;
    }

    @Override
    public void process(Sample sample) throws DecodeException {
      clock.addAndGet(500_000_000); // is no reading
      if (seen++ == bad) {
        throw new DecodeException(Fault.CORRUPT, "made up");
      }
    }

    @Override
    public long decodeNanos() {
      return 6_000_000;
    }

    @Override
    public long transformNanos() {
      return 1_500_000;
    }
  }

  /// Each look at the clock takes 2 ms, so that each sample takes 2 ms to read; what the processor
  /// took is shared among the samples that were processed.
  @Test
  void oneThreadsTimesAreThoseOfItsClock() throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 2, 2);
    for (int bad : new int[] {-1, 1}) {
      var clock = new AtomicLong();
      var work = new Work(clock, bad);
      try (Dataset dataset = Datasets.open(photos)) {
        Solo solo =
            Solo.of(dataset, work, MemoryBudget.unbounded(), () -> clock.addAndGet(2_000_000));
        int good = bad < 0 ? 4 : 3;
        assertThat(work.seen).isEqualTo(4);
        assertThat(solo.readSeconds()).isCloseTo(0.002, within(1e-9));
        assertThat(solo.decodeSeconds()).isCloseTo(0.006 / good, within(1e-9));
        assertThat(solo.transformSeconds()).isCloseTo(0.0015 / good, within(1e-9));
      }
    }
  }

  private void grey(String path, int level, int side) throws IOException {
    var image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    var graphics = image.createGraphics();
    graphics.setColor(new Color(level, level, level));
    graphics.fillRect(0, 0, side, side);
    graphics.dispose();
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    ImageIO.write(image, "png", file.toFile());
  }

  /// Two even pictures of levels a and b have no variance, so that their SSIM is
  /// (2ab + C) / (a² + b² + C), C = (0.01 · 255)². Samples of other sizes or without a partner do
  /// not count.
  @Test
  void likenessIsTheMeanOverSamplesOfOneKey() throws IOException {
    double c = Math.pow(0.01 * 255, 2);
    grey("a/x/same.png", 90, 32);
    grey("b/x/same.png", 90, 32);
    grey("a/x/other.png", 100, 32);
    grey("b/x/other.png", 150, 32);
    grey("a/x/resized.png", 10, 32);
    grey("b/x/resized.png", 200, 16);
    grey("b/x/unknown.png", 5, 32);
    double other = (2 * 100 * 150 + c) / (100 * 100 + 150 * 150 + c);
    try (Dataset before = Datasets.open(dir.resolve("a"));
        Dataset after = Datasets.open(dir.resolve("b"))) {
      try (var fidelity = new Likeness(before, 10)) {
        assertThat(fidelity.of(after)).isCloseTo((1 + other) / 2, within(1e-5));
        assertThat(fidelity.of(before)).isCloseTo(1, within(1e-9));
      }
      try (var first = new Likeness(before, 1)) { // "other" comes first
        assertThat(first.of(after)).isCloseTo(other, within(1e-5));
      }
    }
  }
}
