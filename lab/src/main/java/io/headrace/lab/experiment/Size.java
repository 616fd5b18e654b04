package io.headrace.lab.experiment;

/// How thorough experiments are.
public enum Size {
  /// A handful of samples, one run each: whether all works; figures mean little.
  TINY(24, 1, 0.1, 8),
  /// Few samples and repeats: minutes.
  SMALL(96, 2, 0.25, 32),
  /// All samples: an hour or more.
  FULL(0, 5, 1, 512);

  private final int samples;
  private final int repeats;
  private final double seconds;
  private final int sounds;

  Size(int samples, int repeats, double seconds, int sounds) {
    this.samples = samples;
    this.repeats = repeats;
    this.seconds = seconds;
    this.sounds = sounds;
  }

  /// {@return samples of a dataset, spread over it; 0 for all}
  int samples() {
    return samples;
  }

  /// {@return runs of a trial that count}
  int repeats() {
    return repeats;
  }

  /// {@return seconds of a run, at least}
  double seconds() {
    return seconds;
  }

  /// {@return sounds to take}
  int sounds() {
    return sounds;
  }
}
