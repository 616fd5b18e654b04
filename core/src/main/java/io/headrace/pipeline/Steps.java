package io.headrace.pipeline;

import io.headrace.pipeline.batch.CutMix;
import io.headrace.pipeline.batch.MixUp;
import io.headrace.pipeline.colour.AutoContrast;
import io.headrace.pipeline.colour.Brightness;
import io.headrace.pipeline.colour.ColorJitter;
import io.headrace.pipeline.colour.Contrast;
import io.headrace.pipeline.colour.Equalize;
import io.headrace.pipeline.colour.GaussianBlur;
import io.headrace.pipeline.colour.Grayscale;
import io.headrace.pipeline.colour.Hue;
import io.headrace.pipeline.colour.Invert;
import io.headrace.pipeline.colour.Posterize;
import io.headrace.pipeline.colour.RandomErasing;
import io.headrace.pipeline.colour.Saturation;
import io.headrace.pipeline.colour.Sharpness;
import io.headrace.pipeline.colour.Solarize;
import io.headrace.pipeline.geometry.Affine;
import io.headrace.pipeline.geometry.CenterCrop;
import io.headrace.pipeline.geometry.Decode;
import io.headrace.pipeline.geometry.Flip;
import io.headrace.pipeline.geometry.Perspective;
import io.headrace.pipeline.geometry.RandomCrop;
import io.headrace.pipeline.geometry.RandomIouCrop;
import io.headrace.pipeline.geometry.RandomResizedCrop;
import io.headrace.pipeline.geometry.Resize;
import io.headrace.pipeline.geometry.ResizeShorter;
import io.headrace.pipeline.geometry.Rotate;
import io.headrace.pipeline.geometry.Views;
import io.headrace.pipeline.policy.AugMix;
import io.headrace.pipeline.policy.AutoAugment;
import io.headrace.pipeline.policy.RandAugment;
import io.headrace.pipeline.policy.TrivialAugment;
import io.headrace.pipeline.sound.SoundSteps;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.values.Cast;
import io.headrace.pipeline.values.Center;
import io.headrace.pipeline.values.Normalize;
import io.headrace.pipeline.values.ToLayout;
import io.headrace.spec.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The list of all steps.
public final class Steps {
  /// All kinds of steps, in the order in which help shows them.
  public static final List<StepKind> KINDS =
      Stream.of(
              List.of(
                  Resize.KIND,
                  ResizeShorter.KIND,
                  CenterCrop.KIND,
                  RandomCrop.KIND,
                  RandomResizedCrop.KIND,
                  RandomIouCrop.KIND,
                  Flip.KIND,
                  Flip.VERTICAL,
                  Rotate.KIND,
                  Affine.KIND,
                  Perspective.KIND,
                  Views.KIND,
                  Brightness.KIND,
                  Contrast.KIND,
                  Saturation.KIND,
                  Hue.KIND,
                  ColorJitter.KIND,
                  Grayscale.KIND,
                  Sharpness.KIND,
                  GaussianBlur.KIND,
                  Solarize.KIND,
                  Posterize.KIND,
                  Invert.KIND,
                  AutoContrast.KIND,
                  Equalize.KIND,
                  RandomErasing.KIND,
                  TrivialAugment.KIND,
                  RandAugment.KIND,
                  AutoAugment.KIND,
                  AugMix.KIND,
                  Normalize.KIND,
                  Center.KIND),
              Cast.KINDS,
              ToLayout.KINDS,
              List.of(MixUp.KIND, CutMix.KIND, Decode.KIND))
          .flatMap(List::stream)
          .toList();

  /// The kinds of steps on sound. Their [Cut#RANDOM_CROP] has the name of one on images.
  public static final List<StepKind> ON_SOUND = SoundSteps.ALL;

  private static final Set<String> ONLY_ON_SOUND =
      ON_SOUND.stream()
          .map(StepKind::name)
          .filter(name -> KINDS.stream().noneMatch(kind -> kind.name().equals(name)))
          .collect(Collectors.toUnmodifiableSet());

  private Steps() {}

  /// {@return the steps of text forms: those on sound, where a name means both and another step is
  ///     on sound}
  ///
  /// @throws io.headrace.error.ConfigException naming the step that makes no sense
  static List<Step> parseAll(List<String> texts) {
    boolean sound =
        texts.stream().anyMatch(text -> ONLY_ON_SOUND.contains(Spec.step("step", text).name()));
    return texts.stream().map(text -> parse(text, sound)).toList();
  }

  /// {@return the step of a text form}
  ///
  /// @throws io.headrace.error.ConfigException naming the step that makes no sense
  public static Step parse(String text) {
    return parse(text, false);
  }

  private static Step parse(String text, boolean soundFirst) {
    Spec spec = Spec.step("step", text);
    List<StepKind> kinds = new ArrayList<>(KINDS);
    kinds.addAll(soundFirst ? 0 : kinds.size(), ON_SOUND);
    for (StepKind kind : kinds) {
      if (kind.name().equals(spec.name())) {
        return kind.parse(spec);
      }
    }
    throw spec.bad(
        kinds.stream()
            .map(StepKind::name)
            .distinct()
            .collect(Collectors.joining(", ", "expected ", "")));
  }
}
