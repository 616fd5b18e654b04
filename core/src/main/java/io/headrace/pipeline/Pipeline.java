package io.headrace.pipeline;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.memory.TensorSpec;
import io.headrace.pipeline.geometry.RandomIouCrop;
import io.headrace.pipeline.geometry.Views;
import io.headrace.pipeline.resize.Values;
import io.headrace.pipeline.sound.SoundEffect;
import io.headrace.pipeline.sound.SoundShape;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.SoundStep;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.ValueStep;
import io.headrace.pipeline.values.Cast;
import io.headrace.pipeline.values.ToLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What happens to every image, in order, as data. [SampleProcessor] runs it.
///
/// Steps that move pixels or change colours come first, then `normalize` or `center`, then [Cast]
/// and [ToLayout]. A random crop and flips may stand anywhere before the layout, since they commute
/// with steps on values. See [Steps] for all steps.
///
/// @param steps in order; none at all means the decoded image
/// @param done how many of the first steps were done ahead: what goes in is what they give
public record Pipeline(List<Step> steps, int done) {
  /// Checks the order of the steps.
  ///
  /// @throws ConfigException naming the step that cannot stand where it stands
  public Pipeline {
    steps = List.copyOf(steps);
    check(steps);
    if (done < 0 || done > steps.size() || steps.subList(0, done).stream().anyMatch(Step::online)) {
      throw new ConfigException(
          "%d steps of %d cannot be done ahead".formatted(done, steps.size()));
    }
  }

  /// A pipeline of which nothing is done yet.
  ///
  /// @throws ConfigException naming the step that cannot stand where it stands
  public Pipeline(List<Step> steps) {
    this(steps, 0);
  }

  /// {@return the usual pipeline for training on ImageNet:
  /// `random_resized_crop=224,flip,normalize=imagenet,float32,chw`}
  public static Pipeline train() {
    return parse("random_resized_crop=224,flip,normalize=imagenet,float32,chw");
  }

  /// {@return the image pipeline of PRESTO: `decode,resize_shorter=256,center,random_crop=224`}
  public static Pipeline prestoImage() {
    return parse("decode,resize_shorter=256,center,random_crop=224");
  }

  /// {@return the usual pipeline for evaluation on ImageNet:
  /// `resize_shorter=256,center_crop=224,normalize=imagenet,float32,chw`}
  public static Pipeline eval() {
    return parse("resize_shorter=256,center_crop=224,normalize=imagenet,float32,chw");
  }

  /// {@return the usual pipeline for speech, Whisper's spectrogram of the first ten seconds:
  /// `mono,resample=16000,pad_or_trim=10,log_mel=whisper`}
  public static Pipeline speech() {
    return parse("mono,resample=16000,pad_or_trim=10,log_mel=whisper");
  }

  /// {@return the pipeline that samples get if a user says none: tensors and spectrograms, which
  ///     steps done ahead gave, as they are}
  ///
  /// @param done these steps; empty if there are none
  public static Pipeline usual(Content content, String done) {
    Pipeline ahead = parse(done);
    boolean tensors =
        ahead.input() == Input.SOUND ? ahead.givesSpectrogram() : !ahead.givesPicture();
    return tensors ? ahead : usual(content);
  }

  /// {@return the pipeline that samples get if a user says none}
  public static Pipeline usual(Content content) {
    return content == Content.SOUND ? speech() : train();
  }

  /// {@return the pipeline of a text: `train`, `eval` or `presto-image` for images, `speech`,
  ///     `whisper` or `presto-audio` for sounds, or steps with commas between}
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
      case "presto-image" -> prestoImage();
      case "speech" -> speech();
      case "whisper" -> parse("mono,resample=16000,pad_or_trim=30,log_mel=whisper:mels_first");
      case "presto-audio" -> parse("decode,mono,log_mel=presto");
      case "" -> new Pipeline(List.of());
      default -> {
        var pipeline =
            new Pipeline(
                Steps.parseAll(Arrays.stream(trimmed.split(",", -1)).map(String::strip).toList()));
        SoundShape _ = soundShape(pipeline.steps); // refuses what makes no sense where it stands
        yield pipeline;
      }
    };
  }

  /// {@return the text form, from which [#parse] makes an equal pipeline}
  public String spec() {
    return steps.stream().map(Step::spec).collect(Collectors.joining(","));
  }

  /// {@return index of the first step that cannot be done ahead, since it draws random numbers or
  ///     makes views; the number of steps if there is none}
  public int firstRandomStep() {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).online()) {
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
    int position = done;
    while (position < firstRandomStep() && steps.get(position).kind().applies().onPixels()) {
      position++;
    }
    return split(position).offline();
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
    if (position < done || position > firstRandomStep()) {
      throw new ConfigException(
          "cannot split '%s' at %d: expected %d to %d, the steps before a random one"
              .formatted(spec(), position, done, firstRandomStep()));
    }
    return new Split(
        new Pipeline(steps.subList(0, position), done),
        new Pipeline(steps.subList(position, steps.size())));
  }

  /// A pipeline in two parts.
  ///
  /// @param offline done once, before training
  /// @param online done in every epoch
  public record Split(Pipeline offline, Pipeline online) {}

  /// {@return this pipeline over samples of which some steps were done ahead}
  ///
  /// A pipeline that begins with the same steps does the rest. One that begins otherwise works on
  /// what is stored, if that is a picture, unless it says `decode`: then it would do to pictures
  /// what it was not made for.
  ///
  /// @param ahead the steps that were done, as [#spec] prints them; empty for none
  /// @throws ConfigException if the two contradict each other
  public Pipeline after(String ahead) {
    if (ahead.isEmpty()) {
      return this;
    }
    Pipeline stored = parse(ahead);
    List<Step> before = stored.decoded();
    List<Step> mine = decoded();
    if (mine.size() >= before.size() && mine.subList(0, before.size()).equals(before)) {
      return new Pipeline(steps, steps.size() - mine.size() + before.size());
    }
    if (mine.size() < steps.size() || !stored.givesPicture()) {
      throw new ConfigException(
          "the dataset was made with the steps '%s' done, but the pipeline is '%s': %s"
              .formatted(
                  ahead,
                  spec(),
                  stored.givesPicture()
                      ? "begin with the same steps, or leave out decode to work on what is stored"
                      : "begin with the same steps"));
    }
    return this;
  }

  /// {@return the steps after decoding}
  private List<Step> decoded() {
    boolean said = !steps.isEmpty() && steps.getFirst().kind().applies() == Applies.BYTES;
    return said ? steps.subList(1, steps.size()) : steps;
  }

  /// {@return whether the steps decode and do nothing else}
  public boolean givesDecoded() {
    return decoded().isEmpty();
  }

  /// {@return whether all steps together give a picture: uint8 [height, width, 3]}
  public boolean givesPicture() {
    return steps.stream().allMatch(step -> step.kind().applies().onPixels());
  }

  /// {@return the steps done ahead}
  public Pipeline ahead() {
    return new Pipeline(steps.subList(0, done));
  }

  /// {@return the passes of the steps that are left}
  Plan plan() {
    return new Plan(steps, done);
  }

  /// {@return what goes in}
  public Input input() {
    return steps.stream().anyMatch(SoundStep.class::isInstance) ? Input.SOUND : Input.IMAGE;
  }

  /// What a pipeline takes.
  public enum Input {
    /// Encoded images.
    IMAGE,
    /// Encoded sounds.
    SOUND
  }

  /// {@return samples made of each image: see [Views]}
  public int views() {
    return steps.stream()
        .filter(Views.class::isInstance)
        .mapToInt(step -> ((Views) step).count())
        .findFirst()
        .orElse(1);
  }

  /// {@return whether a step depends on the boxes of an image}
  public boolean takesBoxes() {
    return steps.stream().anyMatch(RandomIouCrop.class::isInstance);
  }

  /// {@return element type of a sample: the cast's, else float32 if values are normalised or
  /// centred, else uint8}
  public DType dtype() {
    DType dtype = input() == Input.SOUND ? DType.FLOAT32 : DType.UINT8;
    for (Step step : steps) {
      if (step instanceof Cast(DType cast)) {
        dtype = cast;
      } else if (step instanceof ValueStep) {
        dtype = DType.FLOAT32;
      }
    }
    return dtype;
  }

  /// {@return what becomes of the values of a channel, by the steps that are left}
  public Values values() {
    ValueStep[] functions =
        steps.subList(done, steps.size()).stream()
            .filter(ValueStep.class::isInstance)
            .map(ValueStep.class::cast)
            .toArray(ValueStep[]::new);
    return new Values(
        dtype(),
        layout(),
        (channel, value) -> {
          float x = value;
          for (ValueStep step : functions) {
            x = step.apply(channel, x);
          }
          return x;
        });
  }

  /// {@return order of a sample's axes, channels last unless a step says otherwise}
  public Layout layout() {
    for (Step step : steps) {
      if (step instanceof ToLayout(Layout layout)) {
        return layout;
      }
    }
    return Layout.HWC;
  }

  /// {@return type and shape of every sample}
  ///
  /// @throws ConfigException if samples would differ in size
  public TensorSpec outputSpec() {
    if (input() == Input.SOUND) {
      return soundSpec();
    }
    ImageSize size = size(null);
    if (size == null) {
      throw new ConfigException(
          "'%s' leaves images of different sizes, which cannot be batched: add resize=HxW, "
                  .formatted(spec())
              + "center_crop=HxW, random_crop=HxW or random_resized_crop=HxW");
    }
    return spec(size);
  }

  private TensorSpec soundSpec() {
    SoundShape shape = soundShape(steps);
    List<Integer> extents = shape.shape();
    if (extents == null) {
      throw new ConfigException(
          "'%s' leaves sounds of different lengths or channels, which cannot be batched: add %s"
              .formatted(spec(), shape.missing()));
    }
    return new TensorSpec(dtype(), extents);
  }

  /// {@return what is known of sounds after steps}
  ///
  /// @throws ConfigException if a step makes no sense where it stands
  private static SoundShape soundShape(List<Step> steps) {
    SoundShape shape = SoundShape.ANY;
    for (Step step : steps) {
      if (step instanceof SoundEffect effect) {
        shape = effect.after(shape);
      }
    }
    return shape;
  }

  /// {@return whether all steps together give a spectrogram}
  public boolean givesSpectrogram() {
    return input() == Input.SOUND && soundShape(steps).isSpectrogram();
  }

  /// {@return what is known of sounds after all steps}
  SoundShape soundShape() {
    return soundShape(steps);
  }

  /// {@return the steps on sound that are not done yet, in order}
  List<SoundEffect> soundEffects() {
    return steps.subList(done, steps.size()).stream()
        .filter(SoundEffect.class::isInstance)
        .map(SoundEffect.class::cast)
        .toList();
  }

  /// {@return type and shape of the sample that an image of size `source` becomes, by the steps
  ///     that are left}
  public TensorSpec outputSpec(ImageSize source) {
    ImageSize size = size(source);
    return spec(size == null ? source : size);
  }

  /// {@return type and shape of a sample of that size after all steps}
  public TensorSpec outputSpecOf(ImageSize size) {
    return spec(size);
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
    for (Step step : source == null ? steps : steps.subList(done, steps.size())) {
      if (step instanceof PixelStep pixels) {
        size = pixels.size(size);
      }
    }
    return size;
  }

  private static void check(List<Step> steps) {
    String before = "";
    boolean valued = false;
    boolean cast = false;
    boolean laid = false;
    String sound = "";
    String image = "";
    String batch = "";
    for (Step step : steps) {
      require(batch.isEmpty(), step, "is on each sample: put it before", batch);
      switch (step.kind().applies()) {
        case BYTES -> require(before.isEmpty(), step, "comes first, not after", before);
        case PLACES, COLOURS -> {
          image = step.spec();
          requirePlace((PixelStep) step, valued || cast, laid, before);
        }
        case SOUND -> {
          sound = step.spec();
          require(!cast, step, "computes in float32: put it before", before);
        }
        case VALUES -> {
          image = step.spec();
          require(!valued, step, "cannot follow another normalize or center, as in", before);
          require(!cast, step, "computes in float32: put it before", before);
          valued = true;
        }
        case TYPE -> {
          require(!cast, step, "is a second type after", before);
          boolean whole = step instanceof Cast(DType dtype) && dtype == DType.UINT8;
          require(!valued || !whole, step, "would cut off the fractions of", before);
          require(sound.isEmpty() || !whole, step, "would cut off the fractions of", before);
          cast = true;
        }
        case LAYOUT -> {
          image = step.spec();
          require(!laid, step, "is a second layout after", before);
          laid = true;
        }
        case BATCH -> {
          image = step.spec();
          batch = step.spec();
        }
      }
      before = step.spec();
    }
    if (!sound.isEmpty() && !image.isEmpty()) {
      throw new ConfigException(
          "step '%s' is on images, but '%s' on sounds".formatted(image, sound));
    }
    requireLast(steps);
    requireFirst(steps, batch);
  }

  /// Views are made once, and not mixed; what depends on boxes sees them as they are stored.
  private static void requireFirst(List<Step> steps, String batch) {
    String views = "";
    String moved = "";
    for (Step step : steps) {
      if (step instanceof Views) {
        require(views.isEmpty(), step, "is a second one after", views);
        require(batch.isEmpty(), step, "makes samples that are not mixed: leave out", batch);
        views = step.spec();
      } else if (step.kind().applies() == Applies.PLACES) {
        boolean boxes = step instanceof RandomIouCrop;
        require(!boxes || moved.isEmpty(), step, "sees boxes as stored: put it before", moved);
        moved = step.spec();
      }
    }
  }

  private static void requirePlace(PixelStep step, boolean valued, boolean laid, String before) {
    String what =
        step.kind().applies() == Applies.PLACES
            ? "moves pixels: put it before"
            : "changes colours: put it before";
    switch (step.latest()) {
      case PLACES, COLOURS -> require(!valued && !laid, step, what, before);
      case VALUES, TYPE -> require(!laid, step, what, before);
      default -> {}
    }
  }

  /// What works on the finished sample has no other step on pixels after it.
  private static void requireLast(List<Step> steps) {
    boolean valued = false;
    String finishing = "";
    for (Step step : steps) {
      valued |= step instanceof ValueStep;
      if (step instanceof PixelStep pixels) {
        boolean late = valued && pixels.latest() == Applies.LAYOUT;
        require(late || finishing.isEmpty(), step, "works on pixels: put it before", finishing);
        finishing = late ? step.spec() : finishing;
      }
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
