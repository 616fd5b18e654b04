package io.headrace.load.decode;

import io.headrace.codec.ImageSize;
import io.headrace.codec.plain.RawCodec;
import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.fetch.DecodedSizes;
import io.headrace.load.fetch.EncodedSlot;
import io.headrace.load.fetch.SampleMemory;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.Block;
import io.headrace.memory.FieldSlots;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.pipeline.SoundProcessor;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes finished samples from encoded ones, and from those that a cache holds decoded. One worker
/// uses it at a time, for any epoch.
///
/// Where a cache keeps decoded samples, the pipeline runs in two parts, and what lies between is
/// offered to the cache. Pixels and errors are the same: if the two parts fail, the whole pipeline
/// is tried.
final class Decoders implements AutoCloseable {
  private static final int CHANNELS = 3;

  private final SampleMemory memory;
  private final LoadOptions options;
  private final @Nullable SoundProcessor sounds;
  private final @Nullable SampleProcessor whole;
  private final @Nullable SampleProcessor first;
  private final @Nullable SampleProcessor rest;
  private final Block scratch;

  /// Null where no fields are asked for.
  private final @Nullable FieldFiller fields;

  private final int views;

  /// Number of the field that the second view goes to.
  private final int firstView;

  /// Whether steps depend on the boxes of an image.
  private final boolean boxed;

  Decoders(SampleMemory memory, LoadSetting setting) {
    Pipeline pipeline = setting.pipeline();
    MemoryBudget budget = setting.budget();
    this.memory = memory;
    options = setting.options();
    boolean sound = pipeline.input() == Pipeline.Input.SOUND;
    sounds = sound ? new SoundProcessor(pipeline, budget) : null;
    whole = sound ? null : new SampleProcessor(pipeline, budget, options.processing());
    if (options.cache().decoded()) {
      Pipeline.Split split = DecodedSizes.split(pipeline);
      first = new SampleProcessor(split.offline(), budget, options.processing());
      rest = new SampleProcessor(split.online(), budget, options.processing());
    } else {
      first = null;
      rest = null;
    }
    scratch = new Block(budget);
    fields = setting.fields().isEmpty() ? null : new FieldFiller(setting);
    views = pipeline.views();
    firstView = setting.fields().size();
    boxed = pipeline.takesBoxes();
    if (boxed && fields != null && whole != null) {
      whole.boxes(fields.boxes());
    }
  }

  /// Fills the cells of fields, if there are any.
  ///
  /// @throws DecodeException if a value cannot be delivered
  void fields(EncodedSlot fetched, BatchBuffer buffer, int slot) throws DecodeException {
    FieldFiller filler = fields;
    if (filler != null) {
      filler.fill(fetched.sample, fetched.pass.turnAt(fetched.position), buffer, slot);
    }
  }

  /// Fills a slot, and the cells of views that follow those of fields that were asked for.
  ///
  /// @throws DecodeException as [SampleProcessor#process] and [SoundProcessor#process]
  void process(EncodedSlot fetched, BatchBuffer buffer, int slot) throws DecodeException {
    MemorySegment to = buffer.slot(slot);
    Sample sample = fetched.sample;
    if (sounds != null) {
      sounds.process(sample.encoded(), options.seed(), fetched.pass.epoch, sample.id(), to);
      return;
    }
    FieldFiller filler = fields;
    if (boxed && filler != null) {
      filler.readBoxes(sample);
    }
    if (views > 1) {
      look(0); // the sample before may have failed in another view
    }
    image(fetched, to);
    for (int view = 1; view < views; view++) {
      FieldSlots field = view(view, buffer);
      look(view);
      image(fetched, field.cell(slot));
      field.filled(slot, field.spec().room(), false);
    }
  }

  /// {@return where a view goes}
  ///
  /// @param view from 1
  FieldSlots view(int view, BatchBuffer buffer) {
    return buffer.field(firstView + view - 1);
  }

  private void look(int view) {
    Objects.requireNonNull(whole).view(view);
    if (rest != null) {
      rest.view(view);
    }
  }

  private void image(EncodedSlot fetched, MemorySegment slot) throws DecodeException {
    Sample sample = fetched.sample;
    long epoch = fetched.pass.turnAt(fetched.position);
    SampleProcessor online = rest;
    if (online != null && sample.isDecoded()) {
      online.process(sample.encoded(), options.seed(), epoch, sample.id(), slot);
    } else if (online == null || !keep(fetched, online, slot)) {
      Objects.requireNonNull(whole).process(sample, options.seed(), epoch, slot);
    }
  }

  /// Fills a slot and offers the cache what it wants.
  ///
  /// @return whether the slot is filled
  private boolean keep(EncodedSlot fetched, SampleProcessor online, MemorySegment slot) {
    long epoch = fetched.pass.turnAt(fetched.position);
    ByteCache cache = memory.cache();
    SampleProcessor offline = first;
    long key = fetched.pass.sampleAt(fetched.position);
    if (cache == null || offline == null || !cache.wants(key)) {
      return false;
    }
    Sample sample = fetched.sample;
    try {
      ImageSize size = offline.sizeOf(sample.encoded(), sample.tiles());
      long head = RawCodec.headBytes(size.width(), size.height(), CHANNELS);
      long bytes = head + size.rgbBytes();
      MemorySegment value = memory.packing().packAround(bytes, sample, scratch);
      MemorySegment raw = value.asSlice(value.byteSize() - bytes);
      long _ = RawCodec.writeHead(size.width(), size.height(), CHANNELS, raw);
      offline.process(
          sample.encoded(), sample.tiles(), options.seed(), epoch, sample.id(), raw.asSlice(head));
      online.process(raw, options.seed(), epoch, sample.id(), slot);
      boolean _ = cache.put(key, value);
      return true;
    } catch (DecodeException e) {
      return false; // the whole pipeline says what is wrong, if anything is
    }
  }

  long decodeNanos() {
    return (whole == null ? 0 : whole.decodeNanos())
        + (sounds == null ? 0 : sounds.decodeNanos())
        + (first == null ? 0 : first.decodeNanos())
        + (rest == null ? 0 : rest.decodeNanos())
        + (fields == null ? 0 : fields.decodeNanos());
  }

  long transformNanos() {
    return (whole == null ? 0 : whole.transformNanos())
        + (sounds == null ? 0 : sounds.transformNanos())
        + (first == null ? 0 : first.transformNanos())
        + (rest == null ? 0 : rest.transformNanos())
        + (fields == null ? 0 : fields.transformNanos());
  }

  @Override
  public void close() {
    if (whole != null) {
      whole.close();
    }
    if (sounds != null) {
      sounds.close();
    }
    if (first != null) {
      first.close();
    }
    if (rest != null) {
      rest.close();
    }
    if (fields != null) {
      fields.close();
    }
    scratch.close();
  }
}
