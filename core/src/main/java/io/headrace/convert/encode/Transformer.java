package io.headrace.convert.encode;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageSize;
import io.headrace.codec.Orientation;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.convert.encode.QualityMeter.Likeness;
import io.headrace.convert.inspect.PlainImage;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.Parts;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.Permutation;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.resize.Resampler;
import io.headrace.sound.AudioFormat;
import io.headrace.sound.AudioTarget;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Turns one encoded image or sound into its target encoding. One per worker thread.
public final class Transformer implements AutoCloseable {
  /// For the rare JPEG whose tables fit no quality, and for WebP and AVIF, which do not tell
  /// theirs.
  private static final int UNKNOWN_QUALITY = 90;

  /// What a sound is decoded to.
  private static final TargetEncoding DECODED =
      new TargetEncoding.Sound(new AudioTarget(AudioTarget.Kind.WAV, 0));

  private final Representation representation;
  private final long count;
  private final @Nullable Permutation places;
  private final boolean applyOrientation;
  private final ImageDecoder decoder = new ImageDecoder();
  private final ImageEncoder encoder = new ImageEncoder();
  private final Resampler resampler = new Resampler();
  private final JpegRewriter rewriter;
  private final SoundTransformer sounds;
  private final TileTable tiles = new TileTable();
  private final PlainImage plain;
  private final Block pixels;
  private final Block turned;
  private final Block resized;
  private final Block encoded;
  private TargetEncoding wanted = new TargetEncoding.Keep();
  private MemorySegment result = MemorySegment.NULL;
  private Parts parts = Parts.WHOLE;
  private @Nullable Stored out;
  private boolean orientationDropped;
  private boolean alphaDropped;
  private boolean depthReduced;
  private boolean packed;
  private boolean exact;
  private long trailingBytes;
  private @Nullable String passed;
  private final QualityMeter meter;
  private final long every;
  private boolean measuring;
  private @Nullable Likeness likeness;
  private final @Nullable StepsAhead ahead;
  private final @Nullable SoundsAhead soundsAhead;

  /// A transformer of one worker.
  ///
  /// @param applyOrientation whether images are turned upright
  /// @param measured about how many images encoded again are compared with what they were
  /// @param count samples of the whole dataset
  /// @param done the steps that were done to the source's samples
  public Transformer(
      Representation representation,
      boolean applyOrientation,
      int measured,
      long count,
      MemoryBudget budget,
      String done) {
    this.count = count;
    this.representation = representation;
    this.applyOrientation = applyOrientation;
    places =
        representation.encoding() instanceof TargetEncoding.Mixed(_, long seed)
            ? Permutation.of(count, seed, 0)
            : null;
    rewriter = new JpegRewriter(representation.packing().holdsTiles(), budget);
    sounds = new SoundTransformer(budget);
    meter = new QualityMeter(budget);
    every = measured == 0 ? 0 : Math.max(1, count / measured);
    Pipeline steps = representation.steps();
    boolean onSound = steps.input() == Pipeline.Input.SOUND;
    ahead =
        steps.steps().isEmpty() || onSound
            ? null
            : new StepsAhead(steps.after(done), applyOrientation, budget);
    soundsAhead = onSound ? new SoundsAhead(steps.after(done), budget) : null;
    plain = new PlainImage(budget);
    turned = new Block(budget);
    pixels = new Block(budget);
    resized = new Block(budget);
    encoded = new Block(budget);
  }

  /// Transforms the image or sound of a sample; [#result] and [#meta] then say what came out.
  ///
  /// @param position where the sample stands in the order of the target
  public Made transform(Sample sample, long position) throws DecodeException {
    Outcome outcome = outcome(sample, position);
    return new Made(
        outcome,
        orientationDropped,
        alphaDropped,
        depthReduced,
        packed,
        exact,
        trailingBytes,
        passed,
        likeness);
  }

  private Outcome outcome(Sample sample, long position) throws DecodeException {
    wanted = wantedAt(position);
    orientationDropped = false;
    alphaDropped = false;
    depthReduced = false;
    trailingBytes = 0;
    passed = null;
    likeness = null;
    measuring = every > 0 && position % every == 0;
    parts = Parts.WHOLE;
    MemorySegment source = sample.encoded();
    packed = false;
    exact = false;
    boolean sounding = Content.of(source) == Content.SOUND;
    if (soundsAhead != null) {
      out = soundsAhead.run(sample, wanted);
      return Outcome.REENCODED;
    }
    if (ahead != null && sounding && representation.steps().givesDecoded()) {
      wanted = DECODED;
      return transformSound(source);
    }
    if (ahead != null) {
      return ahead(ahead, sample);
    }
    if (sounding) {
      return transformSound(source);
    }
    if (ImageFormat.PACKED.equals(ImageFormat.detect(source)) && keepsPacked(source)) {
      return transform(source);
    }
    if (sample.tiles().byteSize() > 0
        && wanted instanceof TargetEncoding.Keep
        && representation.packing().holdsTiles()
        && representation.resize().equals(Resize.KEEP)
        && !applyOrientation) {
      return keepTiles(source, sample.tiles());
    }
    MemorySegment image = plain.of(sample);
    Outcome outcome = transform(image);
    return !image.equals(source) && outcome == Outcome.KEPT ? Outcome.TRANSCODED : outcome;
  }

  /// {@return whether a packed JPEG stays one; if not, it is made a JPEG again first}
  private boolean keepsPacked(MemorySegment source) throws DecodeException {
    return representation.packing().holdsTiles()
        && (wanted instanceof TargetEncoding.Keep || wanted instanceof TargetEncoding.Packed)
        && representation.resize().equals(Resize.KEEP)
        && !(applyOrientation && decoder.probe(source).orientation() != 1);
  }

  private Outcome transformSound(MemorySegment source) throws DecodeException {
    if (!representation.resize().equals(Resize.KEEP)) {
      throw new DecodeException(Fault.MISMATCH, "a sound, which has no size in pixels to change");
    }
    Outcome outcome = sounds.transform(source, wanted);
    out = sounds.stored();
    passed = sounds.passed();
    return outcome;
  }

  private TargetEncoding wantedAt(long position) {
    Permutation drawn = places;
    return representation.encoding() instanceof TargetEncoding.Mixed mix && drawn != null
        ? mix.at(drawn.at(Math.min(position, count - 1)), count)
        : representation.encoding();
  }

  /// {@return the label of the format that a sample will be stored in; empty if it is no image and
  ///     no sound}
  ///
  /// @param position where the sample stands in the order of the target
  public String formatOf(Sample sample, long position) {
    return switch (wantedAt(position)) {
      case TargetEncoding.Encode(var encoding) -> encoding.format().label();
      case TargetEncoding.Sound(var target) -> target.format().label();
      default -> {
        if (soundsAhead != null && !representation.steps().givesSpectrogram()) {
          yield AudioFormat.WAV.label();
        }
        if (ahead != null || soundsAhead != null) {
          yield ImageFormat.RAW.label();
        }
        String label = Content.labelOf(sample.encoded());
        boolean packed = label.equals(ImageFormat.PACKED.label()); // no file bears its name
        yield packed ? ImageFormat.JPEG.label() : label;
      }
    };
  }

  private Outcome ahead(StepsAhead steps, Sample sample) throws DecodeException {
    Stored made = steps.run(sample, wanted);
    out = made;
    var size = new ImageSize(made.height(), made.width());
    boolean picture =
        !made.format().equals(ImageFormat.RAW.label()) && representation.steps().givesPicture();
    if (measuring && picture && QualityMeter.measures(size)) {
      likeness = meter.measure(steps.given(), size, made.bytes(), decoder);
    }
    ImageFormat before = ImageFormat.detect(sample.encoded());
    if (before == null) {
      return Outcome.REENCODED; // a tensor
    }
    ImageInfo info = decoder.probe(sample.encoded());
    orientationDropped = info.orientation() != 1 && !applyOrientation;
    alphaDropped = info.hasAlpha();
    depthReduced = info.bitDepth() > 8;
    boolean sameSize = size.height() == info.height() && size.width() == info.width();
    return sameSize ? Outcome.REENCODED : Outcome.RESIZED;
  }

  private Outcome keepTiles(MemorySegment source, MemorySegment table) throws DecodeException {
    tiles.read(table);
    ImageInfo info = decoder.probe(source);
    var size = new ImageSize(tiles.height(), tiles.width());
    Parts tiled = Parts.tiled(source.byteSize(), table);
    out = Stored.image(source, info.format(), size, info.channels(), tiled);
    return Outcome.KEPT;
  }

  private Outcome transform(MemorySegment source) throws DecodeException {
    ImageInfo stored = decoder.probe(source);
    if (wanted instanceof TargetEncoding.Sound(var target)) {
      throw new DecodeException(
          Fault.MISMATCH,
          "an image (%s), which cannot become %s"
              .formatted(stored.format().label(), target.spec()));
    }
    boolean turn = applyOrientation && stored.orientation() != 1;
    ImageInfo info = turn ? stored.upright() : stored;
    ImageSize target = representation.resize().target(info.height(), info.width());
    boolean sameSize = target.height() == info.height() && target.width() == info.width();
    if (!sameSize) {
      Resampler.requireEdges(info.height(), info.width());
    }
    if (sameSize && !turn) {
      Outcome outcome = keepOrRewrite(source, info);
      if (outcome != Outcome.REENCODED) {
        ImageFormat format = packed ? ImageFormat.PACKED : info.format();
        out = Stored.image(result, format, target, info.channels(), parts);
        return outcome;
      }
    }
    ImageEncoding encoding = encodingFor(info);
    if (info.bitDepth() > 8 && sameSize && !turn && encoding.holds16Bits()) {
      return encode16(source, info, encoding);
    }
    MemorySegment rgb = pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(source, stored, rgb);
    if (turn) {
      MemorySegment upright = turned.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
      Orientation.apply(rgb, stored.width(), stored.height(), stored.orientation(), upright);
      rgb = upright;
    }
    if (!sameSize) {
      long bytes = 3L * target.height() * target.width();
      MemorySegment small = resized.ensure(bytes).asSlice(0, bytes);
      resampler.resize(rgb, new ImageSize(info.height(), info.width()), small, target);
      rgb = small;
    }
    long bytes = encoder.encode(rgb, target.width(), target.height(), 3, encoding, encoded);
    result = encoded.memory().asSlice(0, bytes);
    ImageFormat format = encoding.format();
    int channels = encoding instanceof JpegEncoding && isGrey(info) ? 1 : 3;
    if (measuring && QualityMeter.measures(target)) {
      likeness = meter.measure(rgb, target, result, decoder);
    }
    orientationDropped = info.orientation() != 1;
    alphaDropped = info.hasAlpha();
    depthReduced = info.bitDepth() > 8;
    Outcome outcome = sameSize ? Outcome.REENCODED : Outcome.RESIZED;
    if (format == ImageFormat.JPEG && rewrites()) {
      MemorySegment small = result;
      Outcome rewritten = keepOrRewrite(small, decoder.probe(small));
      outcome = rewritten == Outcome.PASSED ? Outcome.PASSED : outcome;
      format = packed ? ImageFormat.PACKED : format;
    }
    out = Stored.image(result, format, target, channels, parts);
    return outcome;
  }

  /// Encodes an image of more than 8 bits with 16, at its size and as it is turned. How like it is
  /// is not measured, for that is a matter of 8 bits.
  private Outcome encode16(MemorySegment source, ImageInfo info, ImageEncoding encoding)
      throws DecodeException {
    long bytes = 2 * info.rgbBytes();
    MemorySegment rgb = pixels.ensure(bytes).asSlice(0, bytes);
    decoder.decodeRgb16(source, info, rgb);
    long length = encoder.encode16(rgb, info.width(), info.height(), encoding, encoded);
    result = encoded.memory().asSlice(0, length);
    var size = new ImageSize(info.height(), info.width());
    out = Stored.image(result, encoding.format(), size, 3, parts);
    orientationDropped = info.orientation() != 1;
    alphaDropped = info.hasAlpha();
    return Outcome.REENCODED;
  }

  private boolean rewrites() {
    return switch (wanted) {
      case TargetEncoding.Progressive _,
          TargetEncoding.Baseline _,
          TargetEncoding.Tiled _,
          TargetEncoding.Packed _,
          TargetEncoding.Pyramid _ ->
          true;
      default -> false;
    };
  }

  /// Copies an image or rewrites it without loss, whatever is asked for.
  ///
  /// @param info what the decoder has just read from the image
  /// @return [Outcome#REENCODED], with nothing done, if neither is
  private Outcome keepOrRewrite(MemorySegment source, ImageInfo info) throws DecodeException {
    result = source;
    if (!rewrites()) {
      if (!keeps(info)) {
        return Outcome.REENCODED;
      }
      return wanted instanceof TargetEncoding.Keep ? Outcome.KEPT : Outcome.KEPT_BELOW_TARGET;
    }
    if (wanted instanceof TargetEncoding.Packed && info.format() == ImageFormat.PACKED) {
      verify(source, info);
      notePacked(source);
      return Outcome.KEPT;
    }
    if (info.format() != ImageFormat.JPEG) {
      verify(source, info);
      passed = "%s, not jpeg: stored as it is".formatted(info.format().label());
      return Outcome.PASSED;
    }
    try {
      if (!rewrite(source, info)) {
        verify(source, info);
        return Outcome.KEPT;
      }
    } catch (DecodeException e) {
      if (e.fault() != Fault.UNSUPPORTED) {
        throw e;
      }
      verify(source, info);
      result = source;
      parts = Parts.WHOLE;
      passed = e.getMessage() + ": stored as it is";
      return Outcome.PASSED;
    }
    result = rewriter.result();
    parts = rewriter.parts();
    trailingBytes = rewriter.trailingBytes();
    return Outcome.TRANSCODED;
  }

  private void notePacked(MemorySegment source) throws DecodeException {
    ImageInfo _ = decoder.packed().probe(source);
    packed = true;
    exact = decoder.packed().header().exact();
  }

  /// What stays as it is among rewritten images is as sound as these.
  private void verify(MemorySegment source, ImageInfo info) throws DecodeException {
    decoder.verify(source, info, pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes()));
  }

  /// {@return false if the image is already what it is to be}
  private boolean rewrite(MemorySegment source, ImageInfo info) throws DecodeException {
    switch (wanted) {
      case TargetEncoding.Progressive(var metadata) -> {
        if (metadata == MetadataPolicy.KEEP_ALL && rewriter.progressive(source)) {
          return false;
        }
        rewriter.transcode(source, new JpegTarget.Progressive(metadata));
      }
      case TargetEncoding.Baseline(boolean optimised, var metadata) ->
          rewriter.transcode(source, new JpegTarget.Baseline(optimised, metadata));
      case TargetEncoding.Tiled tiled -> rewriter.tile(source, tiled);
      case TargetEncoding.Packed target -> {
        rewriter.pack(source, target);
        packed = true;
        exact = rewriter.exact();
      }
      case TargetEncoding.Pyramid(int quality) -> rewriter.pyramid(source, info, decoder, quality);
      default -> throw new IllegalStateException("not a rewriting: " + wanted.spec());
    }
    orientationDropped |= rewriter.orientationDropped();
    return true;
  }

  private boolean keeps(ImageInfo info) {
    return switch (wanted) {
      case TargetEncoding.Keep() -> true;
      case TargetEncoding.Encode(JpegEncoding(int quality, _, _)) -> {
        if (info.format() != ImageFormat.JPEG) {
          yield false;
        }
        int estimate = decoder.jpeg().header().estimatedQuality();
        yield estimate > 0 && estimate <= quality;
      }
      case TargetEncoding.Encode(var encoding) ->
          encoding.keepsItsFormat() && info.format() == encoding.format();
      case TargetEncoding.Sound _ -> false;
      case TargetEncoding.Progressive _,
          TargetEncoding.Baseline _,
          TargetEncoding.Tiled _,
          TargetEncoding.Packed _,
          TargetEncoding.Pyramid _,
          TargetEncoding.Tensor _,
          TargetEncoding.Mixed _ ->
          false;
    };
  }

  /// A resized or turned image that is to keep its encoding is encoded anew in its own format, a
  /// JPEG at its own estimated quality: that of the header that the decoder read last.
  private ImageEncoding encodingFor(ImageInfo info) {
    ImageEncoding encoding =
        wanted instanceof TargetEncoding.Encode(var asked)
            ? asked
            : decoder.like(info.format(), UNKNOWN_QUALITY);
    return encoding instanceof JpegEncoding jpeg && isGrey(info) ? jpeg.grey() : encoding;
  }

  private static boolean isGrey(ImageInfo info) {
    return info.channels() <= 2;
  }

  /// {@return the bytes that came out, valid until the next sample}
  public MemorySegment result() {
    return stored().bytes();
  }

  private Stored stored() {
    return Objects.requireNonNull(out, "nothing transformed");
  }

  /// {@return what is known about the result}
  ///
  /// @param classes of the source, by label
  public SampleMeta meta(Sample sample, List<String> classes) {
    long label = sample.label();
    String name = label >= 0 && label < classes.size() ? classes.get((int) label) : "";
    Stored made = stored();
    return new SampleMeta(
        sample.key(),
        label,
        name,
        made.format(),
        made.width(),
        made.height(),
        made.channels(),
        made.parts());
  }

  @Override
  public void close() {
    if (soundsAhead != null) {
      soundsAhead.close();
    }
    if (ahead != null) {
      ahead.close();
    }
    meter.close();
    rewriter.close();
    sounds.close();
    plain.close();
    turned.close();
    decoder.close();
    encoder.close();
    pixels.close();
    resized.close();
    encoded.close();
  }
}
