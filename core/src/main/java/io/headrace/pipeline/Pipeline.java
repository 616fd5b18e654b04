package io.headrace.pipeline;

import io.headrace.error.ConfigException;
import io.headrace.memory.DType;
import io.headrace.memory.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What happens to every image, in order, as data. [SampleProcessor] runs it.
///
/// Steps that move pixels come first, then [Step.Normalize] or [Step.Center], then [Step.Cast]
/// and [Step.ToLayout]. A [Step.RandomCrop] and a [Step.RandomFlip] may stand anywhere before the
/// layout, since they commute with steps on values. Only uint8 [height, width, 3] goes in.
///
/// @param steps in order; none at all means the decoded image
public record Pipeline(List<Step> steps) {
  static final int MAX_EXTENT = 32768;

  /// Checks the order of the steps.
  ///
  /// @throws ConfigException naming the step that cannot stand where it stands
  public Pipeline {
    steps = List.copyOf(steps);
    check(steps);
  }

  /// {@return the usual pipeline for training on ImageNet:
  /// `random_resized_crop=224,flip,normalize=imagenet,float32,chw`}
  public static Pipeline train() {
    return parse("random_resized_crop=224,flip,normalize=imagenet,float32,chw");
  }

  /// {@return the usual pipeline for evaluation on ImageNet:
  /// `resize_shorter=256,center_crop=224,normalize=imagenet,float32,chw`}
  public static Pipeline eval() {
    return parse("resize_shorter=256,center_crop=224,normalize=imagenet,float32,chw");
  }

  /// {@return the pipeline of a text: `train`, `eval`, or steps with commas between}
  ///
  /// See each [Step] for its text form. Blanks around a step are ignored; an empty text has no
  /// steps.
  ///
  /// @throws ConfigException naming the step that makes no sense
  public static Pipeline parse(String text) {
    String trimmed = text.strip();
    return switch (trimmed) {
      case "train" -> train();
      case "eval" -> eval();
      case "" -> new Pipeline(List.of());
      default ->
          new Pipeline(
              Arrays.stream(trimmed.split(",", -1))
                  .map(String::strip)
                  .map(StepText::parse)
                  .toList());
    };
  }

  /// {@return the text form, from which [#parse] makes an equal pipeline}
  public String spec() {
    return steps.stream().map(Step::spec).collect(Collectors.joining(","));
  }

  /// {@return index of the first step that draws random numbers; the number of steps if none does}
  public int firstRandomStep() {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).random()) {
        return i;
      }
    }
    return steps.size();
  }

  /// {@return the longest prefix that may be done once, offline}
  public Pipeline deterministicPrefix() {
    return split(firstRandomStep()).offline();
  }

  /// {@return the longest prefix that may be done once and gives an image again: uint8 [height,
  ///     width, 3]}
  public Pipeline imagePrefix() {
    int position = 0;
    while (position < firstRandomStep() && movesPixels(steps.get(position))) {
      position++;
    }
    return split(position).offline();
  }

  private static boolean movesPixels(Step step) {
    return switch (step) {
      case Step.Resize _,
          Step.ResizeShorter _,
          Step.CenterCrop _,
          Step.RandomCrop _,
          Step.RandomResizedCrop _,
          Step.RandomFlip _ ->
          true;
      case Step.Normalize _, Step.Center _, Step.Cast _, Step.ToLayout _ -> false;
    };
  }

  /// {@return the size of every image after the steps, or null if they differ in size}
  public @Nullable ImageSize outputSize() {
    return size(null);
  }

  /// {@return the steps before `position`, to be done once, and the others, for every epoch}
  ///
  /// Running one after the other gives the same pixels as running all, if what lies between is
  /// kept without loss.
  ///
  /// @param position from 0 to [#firstRandomStep]
  /// @throws ConfigException if a random step would be done offline
  public Split split(int position) {
    if (position < 0 || position > firstRandomStep()) {
      throw new ConfigException(
          "cannot split '%s' at %d: expected 0 to %d, the steps before a random one"
              .formatted(spec(), position, firstRandomStep()));
    }
    return new Split(
        new Pipeline(steps.subList(0, position)),
        new Pipeline(steps.subList(position, steps.size())));
  }

  /// A pipeline in two parts.
  ///
  /// @param offline done once, before training
  /// @param online done in every epoch
  public record Split(Pipeline offline, Pipeline online) {}

  /// {@return element type of a sample: the cast's, else float32 if values are normalised or
  /// centred, else uint8}
  public DType dtype() {
    DType dtype = DType.UINT8;
    for (Step step : steps) {
      if (step instanceof Step.Cast(DType cast)) {
        dtype = cast;
      } else if (step instanceof Step.Normalize || step instanceof Step.Center) {
        dtype = DType.FLOAT32;
      }
    }
    return dtype;
  }

  /// {@return order of a sample's axes, channels last unless a step says otherwise}
  public Layout layout() {
    for (Step step : steps) {
      if (step instanceof Step.ToLayout(Layout layout)) {
        return layout;
      }
    }
    return Layout.HWC;
  }

  /// {@return type and shape of every sample}
  ///
  /// @throws ConfigException if samples would differ in size
  public TensorSpec outputSpec() {
    ImageSize size = size(null);
    if (size == null) {
      throw new ConfigException(
          "'%s' leaves images of different sizes, which cannot be batched: add resize=HxW, "
                  .formatted(spec())
              + "center_crop=HxW, random_crop=HxW or random_resized_crop=HxW");
    }
    return spec(size);
  }

  /// {@return type and shape of the sample that an image of size `source` becomes}
  public TensorSpec outputSpec(ImageSize source) {
    ImageSize size = size(source);
    return spec(size == null ? source : size);
  }

  private TensorSpec spec(ImageSize size) {
    return new TensorSpec(
        dtype(),
        switch (layout()) {
          case HWC -> List.of(size.height(), size.width(), 3);
          case CHW -> List.of(3, size.height(), size.width());
        });
  }

  private @Nullable ImageSize size(@Nullable ImageSize source) {
    ImageSize size = source;
    for (Step step : steps) {
      size =
          switch (step) {
            case Step.Resize(int h, int w) -> new ImageSize(h, w);
            case Step.CenterCrop(int h, int w) -> new ImageSize(h, w);
            case Step.RandomCrop(int h, int w) -> new ImageSize(h, w);
            case Step.RandomResizedCrop crop -> new ImageSize(crop.height(), crop.width());
            case Step.ResizeShorter(int edge) -> size == null ? null : size.withShorterSide(edge);
            case Step.RandomFlip _, Step.Normalize _, Step.Center _, Step.Cast _, Step.ToLayout _ ->
                size;
          };
    }
    return size;
  }

  private static void check(List<Step> steps) {
    List<String> names = new ArrayList<>();
    boolean valued = false;
    boolean cast = false;
    boolean laid = false;
    for (Step step : steps) {
      String before = names.isEmpty() ? "" : names.getLast();
      switch (step) {
        case Step.Resize _, Step.ResizeShorter _, Step.CenterCrop _, Step.RandomResizedCrop _ ->
            require(!valued && !cast && !laid, step, "moves pixels: put it before", before);
        case Step.RandomCrop _, Step.RandomFlip _ ->
            require(!laid, step, "moves pixels: put it before", before);
        case Step.Normalize _, Step.Center _ -> {
          require(!valued, step, "cannot follow another normalize or center, as in", before);
          require(!cast, step, "computes in float32: put it before", before);
          valued = true;
        }
        case Step.Cast(DType dtype) -> {
          require(!cast, step, "is a second type after", before);
          require(!valued || dtype != DType.UINT8, step, "would cut off the fractions of", before);
          cast = true;
        }
        case Step.ToLayout _ -> {
          require(!laid, step, "is a second layout after", before);
          laid = true;
        }
      }
      names.add(step.spec());
    }
  }

  private static void require(boolean holds, Step step, String what, String before) {
    if (!holds) {
      throw new ConfigException("step '%s' %s '%s'".formatted(step.spec(), what, before));
    }
  }

  @Override
  public String toString() {
    return spec();
  }
}
