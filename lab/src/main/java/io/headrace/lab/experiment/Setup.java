package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;

import io.headrace.error.ConfigException;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// What experiments run on.
///
/// @param photos a dataset of JPEGs
/// @param png the same photos as PNG
/// @param sounds a folder of recordings; null if there is none
/// @param size how thorough
/// @param threads decode workers
/// @param bytes of a photo as found, mean
public record Setup(
    Path photos, Path png, @Nullable Path sounds, Size size, int threads, double bytes) {
  /// Images a second that the hard disk of "The Art of Losing to Win" delivered, as its logs show.
  static final double HDD_IMAGES = 204;

  /// Images a second that its flash disk delivered.
  static final double SSD_IMAGES = 1931;

  /// The share of ImageNet that memory holds in "The Art of Losing to Win": 64 of 145.7 GiB.
  static final double MEMORY = 64 / 145.7;

  /// {@return how much is trained}
  Size.Study study() {
    return size.study();
  }

  /// {@return the usual trial of a dataset}
  Trial trial(Path dataset) {
    return Trial.of(dataset)
        .with(Key.SAMPLES, size.samples())
        .with(Key.THREADS, threads)
        .with(Key.BATCH, 16)
        .with(Key.SHARDS, 4)
        .with(Key.WINDOW, 64);
  }

  /// {@return the usual trial of the photos}
  Trial trial() {
    return trial(photos);
  }

  /// {@return the usual trial of the photos in shards of ours}
  ///
  /// @param encoding of the photos
  Trial stored(String encoding) {
    return trial().with(Key.FORMAT, "race").with(Key.ENCODING, encoding);
  }

  /// {@return what every pair of two things makes, the first ones in the outer loop}
  static <A, B, T> List<T> product(
      List<A> first, List<B> second, BiFunction<? super A, ? super B, T> pair) {
    return first.stream().flatMap(a -> second.stream().map(b -> pair.apply(a, b))).toList();
  }

  /// {@return a sweep of some trials, as thorough as this is}
  Sweep sweep(String name, List<Trial> trials) {
    return new Sweep(name, trials, size.repeats(), size.seconds(), false);
  }

  /// {@return a device of a rate, as `--store` spells it}
  ///
  /// @param bytesPerSecond of it
  static String device(double bytesPerSecond) {
    return format("%.1fkb/s", bytesPerSecond / 1000);
  }

  /// {@return the paper's hard disk, scaled so that it delivers as many photos a second as it did
  /// images of ImageNet}
  String hdd() {
    return device(HDD_IMAGES * bytes);
  }

  /// {@return the paper's flash disk, scaled likewise}
  String ssd() {
    return device(SSD_IMAGES * bytes);
  }

  /// {@return the recordings}
  ///
  /// @throws ConfigException if there are none
  Path soundsOrNone() {
    if (sounds == null) {
      throw new ConfigException("no sounds were given");
    }
    return sounds;
  }
}
