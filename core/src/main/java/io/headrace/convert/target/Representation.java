package io.headrace.convert.target;

import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.codec.webp.WebpLosslessEncoding;
import io.headrace.error.ConfigException;
import io.headrace.format.Container;
import io.headrace.format.race.RaceContainer;
import io.headrace.format.race.RaceOptions;
import io.headrace.pipeline.DoneTensors;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.step.BatchStep;
import io.headrace.sound.AudioTarget;
import io.headrace.tensor.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One way to store a dataset.
///
/// @param packing of samples in files
/// @param encoding of the images
/// @param resize of the images
/// @param compression of each shard as a whole
/// @param steps done to the samples before they are encoded; none of them draws random numbers
public record Representation(
    Packing packing,
    TargetEncoding encoding,
    Resize resize,
    Compression compression,
    Pipeline steps) {
  private static final Pipeline NO_STEPS = new Pipeline(List.of());

  /// Images as they are, in TFRecord shards that are not compressed.
  public static final Representation PLAIN =
      new Representation(new TargetEncoding.Keep(), Resize.KEEP, new Compression.None());

  /// Checks that these go together.
  ///
  /// @throws io.headrace.error.ConfigException if they do not
  public Representation {
    var _ = packing.container(encoding, compression);
    if (steps.steps().isEmpty() && encoding instanceof TargetEncoding.Tensor) {
      throw new ConfigException(
          "encoding '%s' is for what steps give: say which, such as --steps decode"
              .formatted(encoding.spec()));
    }
    if (!steps.steps().isEmpty()) {
      requireAhead(steps, encoding, resize);
    }
  }

  private static void requireAhead(Pipeline steps, TargetEncoding encoding, Resize resize) {
    if (steps.firstRandomStep() < steps.steps().size()) {
      throw new ConfigException(
          "step '%s' draws random numbers, so that it cannot be done ahead"
              .formatted(steps.steps().get(steps.firstRandomStep()).spec()));
    }
    if (steps.steps().getLast() instanceof BatchStep batch) {
      throw new ConfigException(
          "step '%s' is on batches, so that it cannot be done ahead".formatted(batch.spec()));
    }
    boolean samples = steps.input() == Pipeline.Input.SOUND && !steps.givesSpectrogram();
    boolean wav =
        encoding instanceof TargetEncoding.Sound(var a) && a.kind() == AudioTarget.Kind.WAV;
    if (samples && !wav && !(encoding instanceof TargetEncoding.Keep)) {
      throw new ConfigException(
          "the steps '%s' give samples of sound, which '%s' does not hold: expected keep or wav"
              .formatted(steps.spec(), encoding.spec()));
    }
    if (samples) {
      return;
    }
    if (!resize.equals(Resize.KEEP)) {
      throw new ConfigException("steps and a size: say the size as a step, resize_shorter=EDGE");
    }
    ElementType elements = DoneTensors.elementType(steps.dtype());
    if (encoding instanceof TargetEncoding.Tensor(var codec) && !codec.takes(elements)) {
      throw new ConfigException(
          "tensor codec %s cannot hold %s, which the steps '%s' give"
              .formatted(codec.label(), elements.label(), steps.spec()));
    }
    boolean stores =
        encoding instanceof TargetEncoding.Keep
            || encoding instanceof TargetEncoding.Tensor
            || encoding instanceof TargetEncoding.Encode;
    boolean raw = encoding instanceof TargetEncoding.Encode(var e) && e.equals(PlainCodec.RAW);
    boolean image = encoding instanceof TargetEncoding.Encode && !raw;
    if (!stores || (image && !steps.givesPicture())) {
      throw new ConfigException(
          "the steps '%s' give a tensor of %s, which '%s' does not hold: expected raw or a tensor codec"
              .formatted(steps.spec(), steps.dtype().label(), encoding.spec()));
    }
  }

  /// Without steps done ahead.
  public Representation(
      Packing packing, TargetEncoding encoding, Resize resize, Compression compression) {
    this(packing, encoding, resize, compression, NO_STEPS);
  }

  /// TFRecord shards.
  public Representation(TargetEncoding encoding, Resize resize, Compression compression) {
    this(new Packing.TfRecord(), encoding, resize, compression);
  }

  /// {@return the same in another encoding}
  public Representation with(TargetEncoding other) {
    return new Representation(packing, other, resize, compression, steps);
  }

  /// {@return the container to write}
  ///
  /// @param learned a dictionary for its blobs, or null
  public Container container(@Nullable ZstdDictionary learned) {
    if (learned == null
        || !(packing instanceof Packing.Race race)
        || !(race.compression() instanceof BlobCompression.Zstd(int level, _))) {
      return packing.container(encoding, compression);
    }
    RaceOptions plain = race.options(encoding);
    var zstd = new BlobCompression.Zstd(level, learned);
    return new RaceContainer(
        new RaceOptions(plain.scans(), plain.levels(), zstd, plain.blockBytes()));
  }

  /// {@return a name for people, such as `tfrecord zstd, jpeg 75`}
  public String label() {
    String compressed = compression instanceof Compression.None ? "" : " " + compression.spec();
    String encoded =
        switch (encoding) {
          case TargetEncoding.Keep() -> "";
          case TargetEncoding.Encode(WebpLosslessEncoding()) -> ", lossless webp";
          case TargetEncoding.Mixed _ -> ", " + encoding.spec();
          default -> ", " + encoding.spec().replace(':', ' ');
        };
    String resized = resize.equals(Resize.KEEP) ? "" : ", " + resize.spec().replace('=', ' ');
    String ahead = steps.steps().isEmpty() ? "" : ", after " + steps.spec();
    return packing.spec() + compressed + encoded + resized + ahead;
  }

  /// {@return the plan as it stands in `dataset.json` and `plan.json`}
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("container", packing.spec());
    map.put("compression", compression.spec());
    map.put("encoding", encoding.spec());
    map.put("resize", resize.spec());
    if (!steps.steps().isEmpty()) {
      map.put("steps", steps.spec());
    }
    return map;
  }

  /// {@return the representation in TFRecord shards that is written like this}
  public static Representation of(String compression, String encoding, String resize) {
    return of("tfrecord", compression, encoding, resize);
  }

  /// {@return the representation that [#toMap] wrote}
  public static Representation of(
      String packing, String compression, String encoding, String resize, String steps) {
    return new Representation(
        Packing.parse(packing),
        TargetEncoding.parse(encoding),
        Resize.parse(resize),
        Compression.parse(compression),
        Pipeline.parse(steps));
  }

  /// {@return the representation of samples to which no step was done}
  public static Representation of(
      String packing, String compression, String encoding, String resize) {
    return of(packing, compression, encoding, resize, "");
  }
}
