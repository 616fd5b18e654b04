package io.headrace.pipeline;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageSize;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.pipeline.pixels.CodecPixels;
import io.headrace.pipeline.pixels.PixelSource;
import io.headrace.pipeline.resize.AcrossFilter;
import io.headrace.pipeline.resize.ColourSink;
import io.headrace.pipeline.resize.Resampler;
import io.headrace.pipeline.resize.RowSink;
import io.headrace.pipeline.resize.RowWork;
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.resize.Values;
import io.headrace.pipeline.resize.YuvResampler;
import io.headrace.pipeline.step.Boxes;
import io.headrace.pipeline.step.Plan;
import io.headrace.random.CounterRandom;
import io.headrace.tensor.TensorDecoder;
import io.headrace.tensor.TensorEncoder;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Turns encoded images into samples, straight into their slots of a batch. One per worker.
///
/// Pixels depend only on the encoded bytes, the pipeline and the place (seed, epoch, sample id).
/// EXIF orientation is not applied unless asked for, as in torchvision's loaders.
/// One thread at a time may use it; any thread may close it when none uses it. After the first
/// images it allocates nothing but a few small objects for each, unless an image is larger than all
/// before.
public final class SampleProcessor implements AutoCloseable {
  /// How to process, beyond what the pipeline says.
  ///
  /// @param dctScaling whether a JPEG is shrunk to 1/2, 1/4 or 1/8 while being decoded, where the
  ///     pipeline shrinks it at least as much anyway. Faster, but pixels differ slightly. Other
  ///     eighths are not used: libjpeg-turbo computes them more slowly than the full size
  /// @param regions whether only those segments of a JPEG with restart markers are decoded that the
  ///     sample shows. Pixels are the same; damage elsewhere in the coded data goes unnoticed
  /// @param applyOrientation whether images are turned upright first, as EXIF says
  /// @param planes whether JPEGs are resized as luminance and chrominance, and colours are made of
  ///     the result alone. Much faster, but pixels differ slightly: [YuvResampler]. What is not
  ///     resized, not YCbCr or grey, or turned upright, goes the other way
  public record Options(
      boolean dctScaling, boolean regions, boolean applyOrientation, boolean planes) {
    /// Options under which pixels are resized in red, green and blue.
    ///
    /// @param dctScaling as in the record
    /// @param regions as in the record
    /// @param applyOrientation as in the record
    public Options(boolean dctScaling, boolean regions, boolean applyOrientation) {
      this(dctScaling, regions, applyOrientation, false);
    }

    /// Options under which images stay as they are stored.
    ///
    /// @param dctScaling as in the record
    /// @param regions as in the record
    public Options(boolean dctScaling, boolean regions) {
      this(dctScaling, regions, false);
    }

    /// Options under which regions are decoded where possible, and images stay as they are stored.
    ///
    /// @param dctScaling as in the record
    public Options(boolean dctScaling) {
      this(dctScaling, true);
    }

    /// {@return options under which pixels are those of Pillow: no scaling while decoding}
    public static Options exact() {
      return new Options(false);
    }

    /// {@return options under which everything is done that is faster and looks the same}
    public static Options fast() {
      return new Options(true, true, false, true);
    }
  }

  /// Starts to warm in the background the kernels that process every image, and returns at once.
  /// The first processor does so too, but it is made later. Does nothing if the JVM has no vectors.
  public static void warmUp() {
    AcrossFilter.warmUp();
  }

  private final Pipeline pipeline;
  private final Options options;
  private final PixelSource source;
  private final DType dtype;
  private final Layout layout;
  private final Block decoded;
  private final Block evens;
  private final Block odds;
  private final Plan plan;
  private final Resampler resampler = new Resampler();
  private final YuvResampler yuv = new YuvResampler();
  private final Planes planes = new Planes();
  private final RowSink rgb = new RowSink(Values.PIXELS);
  private final RowSink sink;
  private final RowSink canvas = new RowSink(Values.PLANES);
  private final ColourSink rgbColours = new ColourSink(Values.PIXELS);
  private final ColourSink colours;
  private final ColourSink canvasColours = new ColourSink(Values.PLANES);
  private final Effects effects;
  private final HeldPlanes held = new HeldPlanes();
  private final int views;
  private final MemoryBudget budget;
  private final @Nullable DoneTensors tensors;
  private final Block unwrapped;
  private @Nullable TensorDecoder blobs;
  private final CounterRandom random = new CounterRandom();
  private long decodeNanos;
  private long transformNanos;

  /// A processor without memory yet.
  ///
  /// @param budget for the decoded image and what lies between passes; not for the slot
  public SampleProcessor(Pipeline pipeline, MemoryBudget budget, Options options) {
    this(pipeline, budget, options, new CodecPixels(budget, options.applyOrientation()));
  }

  SampleProcessor(Pipeline pipeline, MemoryBudget budget, Options options, PixelSource source) {
    this.pipeline = pipeline;
    this.options = options;
    this.source = source;
    dtype = pipeline.dtype();
    layout = pipeline.layout();
    decoded = new Block(budget);
    evens = new Block(budget);
    odds = new Block(budget);
    plan = pipeline.plan();
    views = pipeline.views();
    effects = new Effects(plan, budget);
    this.budget = budget;
    unwrapped = new Block(budget);
    tensors = pipeline.ahead().givesPicture() ? null : new DoneTensors(pipeline, budget);
    Values values = pipeline.values();
    sink = new RowSink(values);
    colours = new ColourSink(values);
  }

  /// Says which view is made of the images to come, 0 for the first: see
  /// [io.headrace.pipeline.geometry.Views].
  public void view(int number) {
    plan.view(number);
  }

  /// Has the steps see boxes that somebody else sets before each image.
  public void boxes(Boxes shared) {
    plan.boxes(shared);
  }

  /// {@return the pipeline that it runs}
  public Pipeline pipeline() {
    return pipeline;
  }

  /// Decodes and transforms one image.
  ///
  /// @param encoded one whole image, off heap
  /// @param seed of the run
  /// @param epoch from 0
  /// @param sampleId the sample's own number, whatever its position
  /// @param slot the sample, exactly as large as [Pipeline#outputSpec] says for this image
  /// @throws DecodeException if the image is damaged, of an unknown kind, too large for the memory
  ///     budget or too small for a random crop; the content of `slot` is then undefined
  /// @throws IllegalArgumentException if `slot` has another size
  public void process(
      MemorySegment encoded, long seed, long epoch, long sampleId, MemorySegment slot)
      throws DecodeException {
    process(encoded, MemorySegment.NULL, seed, epoch, sampleId, slot);
  }

  /// As [#process(MemorySegment, long, long, long, MemorySegment)], for an image with a tile table.
  ///
  /// @param tiles in its stored form ([io.headrace.codec.jpeg.tiles.TileTable#read]); empty for
  ///     none
  public void process(
      MemorySegment encoded,
      MemorySegment tiles,
      long seed,
      long epoch,
      long sampleId,
      MemorySegment slot)
      throws DecodeException {
    process(picture(encoded), tiles, 0, 0, 0, seed, epoch, sampleId, slot);
  }

  /// As [#process(MemorySegment, long, long, long, MemorySegment)], for a sample as it was read:
  /// with its tile table, or the level of a pyramid that [LevelChooser] chose. Crops are drawn for
  /// the image that it is a level of.
  ///
  /// @param sample whose image is processed
  /// @throws DecodeException also if a level has not the size that it should have
  public void process(Sample sample, long seed, long epoch, MemorySegment slot)
      throws DecodeException {
    process(
        picture(sample.encoded()),
        sample.tiles(),
        sample.halvings(),
        sample.fullHeight(),
        sample.fullWidth(),
        seed,
        epoch,
        sample.id(),
        slot);
  }

  /// @param halvings how often the image was halved before it was encoded: see [Sample#halvings]
  /// @param fullHeight rows of the image before that; ignored if it was not halved
  /// @param fullWidth columns of the image before that
  private void process(
      MemorySegment encoded,
      MemorySegment tiles,
      int halvings,
      int fullHeight,
      int fullWidth,
      long seed,
      long epoch,
      long sampleId,
      MemorySegment slot)
      throws DecodeException {
    long start = System.nanoTime();
    if (tensors != null) {
      processTensor(tensors, encoded, seed, epoch, sampleId, slot, start);
      return;
    }
    boolean again = plan.view() > 0 && held.of(encoded, epoch, sampleId);
    ImageInfo info = again ? held.info() : source.probe(encoded, tiles);
    if (!again) {
      held.drop();
    }
    int most = 8 >> Math.min(halvings, 4); // eighths of the full size that it has
    int height = info.height();
    int width = info.width();
    if (halvings > 0) {
      requireLevel(info, most, fullHeight, fullWidth);
      height = fullHeight;
      width = fullWidth;
    }
    random.reset(seed, epoch, sampleId);
    plan.set(height, width, random);
    requireSlot(slot);
    boolean shrinks = options.dctScaling() && source.shrinks(info);
    int eighths = Math.min(most, shrinks ? eighths(plan.stage(0)) : 8);
    if (options.planes() && source.hasPlanes(info) && !plan.stage(0).copies()) {
      Region part = yuv.needed(plan.stage(0), CodecPixels.scale(eighths));
      if (part != null && !held.holds(part, eighths)) {
        if (plan.view() == 0 && views > 1) {
          part = ofAllViews(part, info, eighths, most, height, width, seed, epoch, sampleId);
        }
        boolean decoded =
            source.decodePlanes(
                encoded, info, 8 * eighths / most, part, !options.regions(), planes);
        held.take(encoded, epoch, sampleId, info, decoded ? part : null, eighths);
      }
      if (part != null && held.holds(part, eighths)) {
        processPlanes(eighths, slot, start);
        return;
      }
    }
    held.drop();
    if (eighths < 8) {
      plan.stage(0).shrinkSource(eighths, shrunk(height, eighths), shrunk(width, eighths));
    }
    int own = 8 * eighths / most; // of the image that there is
    MemorySegment pixels = decodePart(encoded, info, own);
    if (pixels == null) {
      pixels = decoded.ensure(3L * shrunk(height, eighths) * shrunk(width, eighths));
      source.decode(encoded, info, own, pixels);
    }
    long between = System.nanoTime();
    transform(pixels, 0, slot);
    decodeNanos += between - start;
    transformNanos += System.nanoTime() - between;
  }

  /// {@return the image, taken out of a tensor codec if it is stored under one}
  private MemorySegment picture(MemorySegment encoded) throws DecodeException {
    if (tensors != null || !DoneTensors.isBlob(encoded)) {
      return encoded;
    }
    TensorDecoder decoder = blobs;
    if (decoder == null) {
      decoder = new TensorDecoder(budget, TensorEncoder.MAX_BYTES);
      blobs = decoder;
    }
    return DoneTensors.unwrap(encoded, decoder, unwrapped);
  }

  /// Does what is left to a sample whose values are done.
  private void processTensor(
      DoneTensors source,
      MemorySegment encoded,
      long seed,
      long epoch,
      long sampleId,
      MemorySegment slot,
      long start)
      throws DecodeException {
    source.open(encoded);
    random.reset(seed, epoch, sampleId);
    plan.set(source.height(), source.width(), random);
    requireSlot(slot);
    long between = System.nanoTime();
    source.run(plan, slot);
    effects.finished(slot, dtype, layout);
    decodeNanos += between - start;
    transformNanos += System.nanoTime() - between;
  }

  /// {@return the size of the sample that an encoded image becomes, if its first steps draw no
  ///     random numbers}
  ///
  /// @param encoded one whole image, off heap, of which the header is read
  /// @param tiles in its stored form; empty for none
  /// @throws DecodeException as [#process(MemorySegment, long, long, long, MemorySegment)]
  public ImageSize sizeOf(MemorySegment encoded, MemorySegment tiles) throws DecodeException {
    random.reset(0, 0, 0);
    if (tensors != null) {
      tensors.open(encoded);
      plan.set(tensors.height(), tensors.width(), random);
    } else {
      ImageInfo info = source.probe(picture(encoded), tiles);
      plan.set(info.height(), info.width(), random);
    }
    return new ImageSize(plan.last().height, plan.last().width);
  }

  private static void requireLevel(ImageInfo info, int eighths, int fullHeight, int fullWidth)
      throws DecodeException {
    if (eighths < 1
        || info.height() != shrunk(fullHeight, eighths)
        || info.width() != shrunk(fullWidth, eighths)) {
      throw new DecodeException(
          Fault.MISMATCH,
          "a level of %d x %d pixels, expected %d/8 of %d x %d"
              .formatted(info.height(), info.width(), eighths, fullHeight, fullWidth));
    }
  }

  /// {@return the part that all views read which are decoded at one size}
  ///
  /// @param part that the first view reads
  private Region ofAllViews(
      Region part,
      ImageInfo info,
      int eighths,
      int most,
      int height,
      int width,
      long seed,
      long epoch,
      long sampleId)
      throws DecodeException {
    boolean shrinks = options.dctScaling() && source.shrinks(info);
    Region all = part;
    for (int view = views - 1; view >= 0; view--) { // the first one last, so that it is planned
      plan.view(view);
      random.reset(seed, epoch, sampleId);
      plan.set(height, width, random);
      Stage first = plan.stage(0);
      if (!first.copies() && Math.min(most, shrinks ? eighths(first) : 8) == eighths) {
        Region other = yuv.needed(first, CodecPixels.scale(eighths));
        all = other == null ? all : all.with(other);
      }
    }
    return all;
  }

  /// Processes one image by its planes.
  ///
  /// @param eighths of the full size at which they are
  private void processPlanes(int eighths, MemorySegment slot, long start) throws DecodeException {
    Stage first = plan.stage(0);
    JpegScale scale = CodecPixels.scale(eighths);
    long between = System.nanoTime();
    if (plan.count() == 1) {
      runPlanes(scale, slot, colours, sink);
      effects.finished(slot, dtype, layout);
    } else {
      MemorySegment to = evens.ensure(3L * first.height * first.width);
      runPlanes(scale, to, rgbColours, rgb);
      transform(to, 1, slot);
    }
    decodeNanos += between - start;
    transformNanos += System.nanoTime() - between;
  }

  /// Runs the first pass on planes, with its effects.
  private void runPlanes(JpegScale scale, MemorySegment to, ColourSink target, RowSink rows)
      throws DecodeException {
    Stage stage = plan.stage(0);
    if (!effects.begin(0)) {
      yuv.run(stage, planes, scale, to, target, rows);
      return;
    }
    boolean whole = !stage.overhangs();
    RowWork all = whole ? effects.all() : null;
    if (all != null) {
      rows.work(all);
      yuv.run(stage, planes, scale, to, target, rows);
      rows.work(null);
      return;
    }
    MemorySegment picture = effects.canvas(stage.height, stage.width);
    canvas.work(whole ? effects.first() : null);
    yuv.run(stage, planes, scale, picture, canvasColours, canvas);
    canvas.work(null);
    effects.finish(to, rows);
  }

  /// Runs a pass on pixels, with its effects.
  private void run(int pass, MemorySegment from, MemorySegment to, RowSink rows)
      throws DecodeException {
    Stage stage = plan.stage(pass);
    if (!effects.begin(pass)) {
      resampler.run(stage, from, to, rows);
      return;
    }
    RowWork all = effects.all();
    if (all != null) {
      rows.work(all);
      resampler.run(stage, from, to, rows);
      rows.work(null);
      return;
    }
    MemorySegment picture = effects.canvas(stage.height, stage.width);
    canvas.work(effects.first());
    resampler.run(stage, from, picture, canvas);
    canvas.work(null);
    effects.finish(to, rows);
  }

  /// {@return the pixels that the first pass reads, after telling it where they are; null if the
  ///     whole image is to be decoded}
  private @Nullable MemorySegment decodePart(MemorySegment encoded, ImageInfo info, int eighths)
      throws DecodeException {
    if (!options.regions() || !source.hasParts(encoded, info)) {
      return null;
    }
    Stage first = plan.stage(0);
    Region part = resampler.needed(first);
    if (part == null) {
      return null;
    }
    DecodedRegion region = source.decodePart(encoded, info, eighths, part);
    if (region == null) {
      return null;
    }
    first.inMemory(part.top() - region.top(), part.left() - region.left(), region.stride());
    return region.pixels();
  }

  /// Runs the passes from number `pass` on.
  private void transform(MemorySegment pixels, int pass, MemorySegment slot)
      throws DecodeException {
    MemorySegment from = pixels;
    for (int i = pass; i < plan.count() - 1; i++) {
      Stage stage = plan.stage(i);
      Block block = i % 2 == 0 ? evens : odds;
      MemorySegment to = block.ensure(3L * stage.height * stage.width);
      run(i, from, to, rgb);
      from = to;
    }
    run(plan.count() - 1, from, slot, sink);
    effects.finished(slot, dtype, layout);
  }

  private void requireSlot(MemorySegment slot) {
    Stage last = plan.last();
    long bytes = 3L * last.height * last.width * dtype.bytes();
    if (slot.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "slot of %d bytes for a sample of %d".formatted(slot.byteSize(), bytes));
    }
  }

  static int eighths(Stage stage) {
    for (int eighths = 1; eighths < 8; eighths *= 2) {
      if (stage.covers(eighths)) {
        return eighths;
      }
    }
    return 8;
  }

  private static int shrunk(int extent, int eighths) {
    return (int) (((long) extent * eighths + 7) / 8);
  }

  /// {@return what is done to an image of a size, pass by pass, in words}
  ///
  /// Random numbers are those of seed 0, epoch 0 and sample 0. Needs no codecs.
  ///
  /// @param pipeline the steps
  /// @param options how to process
  /// @param size of the image, such as most have
  /// @throws DecodeException if such an image cannot be processed
  public static String explain(Pipeline pipeline, Options options, ImageSize size)
      throws DecodeException {
    return PlanText.of(pipeline, options, size);
  }

  /// {@return nanoseconds spent so far reading headers and decoding images that came out whole}
  public long decodeNanos() {
    return decodeNanos;
  }

  /// {@return nanoseconds spent so far on everything after decoding}
  public long transformNanos() {
    return transformNanos;
  }

  @Override
  public void close() {
    decoded.close();
    evens.close();
    odds.close();
    effects.close();
    unwrapped.close();
    if (tensors != null) {
      tensors.close();
    }
    if (blobs != null) {
      blobs.close();
    }
    source.close();
  }
}
