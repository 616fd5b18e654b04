package io.headrace.lab.experiment;

import java.util.List;

/// How thorough experiments are.
public enum Size {
  /// A handful of samples, one run each: whether all works; figures mean little.
  TINY(24, 1, 0.1, 8, Study.TINY),
  /// Few samples and repeats: minutes.
  SMALL(96, 2, 0.25, 32, Study.SMALL),
  /// All samples: an hour or more.
  FULL(0, 5, 1, 512, Study.FULL);

  private final int samples;
  private final int repeats;
  private final double seconds;
  private final int sounds;

  @SuppressWarnings("ImmutableEnumChecker") // its lists do not change
  private final Study study;

  /// How much is trained.
  ///
  /// @param models as `headrace train` names them, the smallest first
  /// @param encodings of the photos and of the spectrograms; the first is the original
  /// @param qualities of JPEG that regimens begin with
  /// @param budgets of storage, in percent of the original
  /// @param images to train on, at most; 0 for all
  /// @param validation images, at most; 0 for all
  /// @param resize what photos are brought to
  /// @param edge of the pictures that photos become, in pixels
  /// @param width factor of the models' channels
  /// @param rate factor of the recipe's learning rate, above 1 where there are few steps
  /// @param epochs of a training
  /// @param batch images in a step
  /// @param seeds of each training
  record Study(
      List<String> models,
      List<String> encodings,
      List<Integer> qualities,
      List<Integer> budgets,
      int images,
      int validation,
      String resize,
      int edge,
      double width,
      double rate,
      int epochs,
      int batch,
      int seeds) {
    private static final Study TINY =
        new Study(
            List.of("alexnet", "resnet18"),
            List.of("keep", "jpeg:10", "webp:10"),
            List.of(10),
            List.of(50, 20),
            40,
            16,
            "shortest=56",
            32,
            0.125,
            1,
            4,
            8,
            2);
    private static final Study SMALL =
        new Study(
            List.of("mobilenet_v3_small", "resnet18", "shufflenet_v2_x1_0"),
            List.of("keep", "jpeg:75", "jpeg:10", "webp:10"),
            List.of(75, 10),
            List.of(50, 20),
            500,
            250,
            "shortest=108",
            64,
            0.25,
            4,
            6,
            16,
            3);

    /// The paper's own, for a set of ImageNet's size.
    private static final Study FULL =
        new Study(
            List.of("alexnet", "resnet18", "resnet50"),
            List.of(
                "keep", "jpeg:85", "jpeg:75", "jpeg:50", "jpeg:25", "jpeg:10", "webp:85", "webp:75",
                "webp:50", "webp:25", "webp:10"),
            List.of(75, 50, 25, 10),
            List.of(50, 40, 30, 20, 10),
            0,
            0,
            "keep",
            224,
            1,
            1,
            90,
            256,
            3);

    /// {@return the model that experiments train which need only one}
    String model() {
      return models.get(1);
    }
  }

  Size(int samples, int repeats, double seconds, int sounds, Study study) {
    this.study = study;
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

  /// {@return how much is trained}
  Study study() {
    return study;
  }

  /// {@return sounds to take}
  int sounds() {
    return sounds;
  }
}
