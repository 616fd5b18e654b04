package io.headrace.load.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.field.FieldFinder;
import io.headrace.format.field.FieldPlan;
import io.headrace.format.field.FieldValue;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.FieldSlots;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.FieldType;
import io.headrace.pipeline.PairedGeometry;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.pipeline.step.Boxes;
import io.headrace.spec.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Fills the cells of the fields that were asked for. One for each worker.
final class FieldFiller implements AutoCloseable {
  /// What stands in a mask outside the image, by the custom of segmentation: a class to ignore.
  private static final int IGNORED = 255;

  private final List<FieldPlan> plans;
  private final MemorySegment[] names;

  /// By field the one whose rows its own belong to, or -1.
  private final int[] leaders;

  private final long seed;
  private final FieldFinder finder = new FieldFinder();
  private final FieldValue value = new FieldValue();

  /// Processes pictures beside the sample's own as that one is, with its draws; null if there are
  /// none.
  private final @Nullable SampleProcessor pictures;

  /// Reads sizes of images.
  private final ImageDecoder headers;

  /// Null where nothing moves with the image.
  private final @Nullable PairedGeometry geometry;

  private final Boxes boxes = new Boxes();

  /// Whether the geometry is that of the sample at hand.
  private boolean drawn;

  /// Rows of the boxes or points looked at last that are kept, by their old number; how many these
  /// are, and how many there were.
  private int[] kept = new int[16];

  private int keptRows;
  private int allRows;

  FieldFiller(LoadSetting setting) {
    plans = setting.fields();
    names = new MemorySegment[plans.size()];
    for (int f = 0; f < names.length; f++) {
      names[f] = MemorySegment.ofArray(plans.get(f).field().getBytes(UTF_8));
    }
    leaders = new int[names.length];
    for (int f = 0; f < names.length; f++) {
      String of = plans.get(f).of();
      leaders[f] = -1;
      for (int g = 0; of != null && g < names.length; g++) {
        leaders[f] = plans.get(g).spec().name().equals(of) ? g : leaders[f];
      }
    }
    seed = setting.options().seed();
    pictures =
        plans.stream().anyMatch(plan -> plan.from() == FieldPlan.From.IMAGE)
            ? new SampleProcessor(
                setting.pipeline(), setting.budget(), setting.options().processing())
            : null;
    headers =
        new ImageDecoder(
            setting.budget(), ImageLimits.MAX_PIXELS, setting.options().applyOrientation());
    geometry =
        plans.stream().anyMatch(FieldPlan::moves)
            ? new PairedGeometry(setting.pipeline(), setting.budget())
            : null;
    if (setting.pipeline().takesBoxes()) {
      if (geometry != null) {
        geometry.boxes(boxes);
      }
      if (pictures != null) {
        pictures.boxes(boxes);
      }
    }
  }

  /// Fills the cells of one slot.
  ///
  /// @throws DecodeException if a value makes no sense, is too large for its cell, or is missing
  ///     where there is nothing to stand for it; it names the field and what to ask for instead
  void fill(Sample sample, long epoch, BatchBuffer buffer, int slot) throws DecodeException {
    finder.reset();
    drawn = false;
    for (int f = 0; f < names.length; f++) {
      if (leaders[f] >= 0) {
        continue;
      }
      fill(sample, epoch, f, buffer, slot);
      for (int g = 0; plans.get(f).drops() && g < names.length; g++) {
        if (leaders[g] == f) {
          fill(sample, epoch, g, buffer, slot);
        }
      }
    }
  }

  private void fill(Sample sample, long epoch, int f, BatchBuffer buffer, int slot)
      throws DecodeException {
    FieldPlan plan = plans.get(f);
    FieldSlots to = buffer.field(f);
    try {
      allRows = plan.drops() ? 0 : allRows; // unless it has some
      keptRows = plan.drops() ? 0 : keptRows;
      fill(sample, epoch, plan, names[f], to, slot);
      if (plan.drops()) {
        to.keep(slot, keptRows);
      } else if (leaders[f] >= 0 && to.filled(slot) > 0) {
        follow(plan, to, slot);
      }
    } catch (DecodeException e) {
      throw new DecodeException(
          e.fault(), "field '%s': %s".formatted(plan.spec().name(), e.getMessage()));
    }
  }

  /// Leaves out the rows that belong to boxes or points that are left out.
  private void follow(FieldPlan plan, FieldSlots to, int slot) throws DecodeException {
    long row = plan.spec().rowBytes();
    long rows = to.filled(slot) / row;
    if (rows != allRows) {
      throw new DecodeException(
          Fault.MISMATCH, "%d rows beside %d of '%s'".formatted(rows, allRows, plan.of()));
    }
    MemorySegment cell = to.cell(slot);
    for (int i = 0; i < keptRows; i++) {
      MemorySegment.copy(cell, kept[i] * row, cell, i * row, row);
    }
    to.keep(slot, keptRows);
  }

  /// Notes which rows are kept, before another field moves.
  private void keep(PairedGeometry from, int rows, int all) {
    allRows = all;
    keptRows = rows;
    if (kept.length < rows) {
      kept = new int[Math.max(rows, 2 * kept.length)];
    }
    for (int i = 0; i < rows; i++) {
      kept[i] = from.kept(i);
    }
  }

  /// {@return the boxes of the sample that [#readBoxes] read last}
  Boxes boxes() {
    return boxes;
  }

  /// Reads the boxes of a sample, in pixels of its image, for steps that depend on them.
  ///
  /// @throws DecodeException if they are no boxes
  void readBoxes(Sample sample) throws DecodeException {
    finder.reset();
    boxes.begin(0);
    for (int f = 0; f < names.length; f++) {
      FieldPlan plan = plans.get(f);
      if (!plan.from().boxes()
          || !finder.find(sample, names[f], plan.path(), value)
          || value.kind() == FieldValue.Kind.EMPTY) {
        continue;
      }
      if (value.kind() != FieldValue.Kind.NUMBERS || value.count() % 4 != 0) {
        throw new DecodeException(
            Fault.MISMATCH, "field '%s': no boxes of 4 numbers".formatted(plan.spec().name()));
      }
      requireRoom(plan, value.count() * Float.BYTES);
      int count = (int) (value.count() / 4);
      float[] edges = boxes.begin(count);
      value.copyTo(FieldType.FLOAT32, MemorySegment.ofArray(edges));
      if (plan.from() == FieldPlan.From.BOXES_XYWH) {
        for (int i = 0; i < 4 * count; i += 4) {
          edges[i + 2] += edges[i];
          edges[i + 3] += edges[i + 1];
        }
      }
    }
  }

  private void fill(
      Sample sample, long epoch, FieldPlan plan, MemorySegment name, FieldSlots to, int slot)
      throws DecodeException {
    if (plan.from() == FieldPlan.From.KEY) {
      copy(plan, MemorySegment.ofArray(sample.key().getBytes(UTF_8)), to, slot);
      return;
    }
    if (!finder.find(sample, name, plan.path(), value)) {
      lack(plan, to, slot);
      return;
    }
    switch (plan.from()) {
      case KEY -> {}
      case NUMBERS -> numbers(plan, to, slot);
      case BOXES, BOXES_XYWH -> {
        numbers(plan, to, slot);
        boolean sized = plan.from() == FieldPlan.From.BOXES_XYWH;
        int count = (int) (to.filled(slot) / plan.spec().rowBytes());
        if (plan.drops()) {
          PairedGeometry moved = paired(sample, epoch);
          keep(moved, moved.boxes(to.cell(slot), count, sized, plan.least()), count);
        } else {
          paired(sample, epoch).boxes(to.cell(slot), count, sized);
        }
      }
      case POINTS -> {
        numbers(plan, to, slot);
        if (value.kind() == FieldValue.Kind.NUMBERS) {
          PairedGeometry moved = paired(sample, epoch);
          int count = (int) (to.filled(slot) / Float.BYTES / plan.stride());
          int rows = moved.points(to.cell(slot), count, plan.stride(), plan.drops());
          if (plan.drops()) {
            keep(moved, rows, count);
          }
        }
      }
      case MASK -> {
        require(plan, value.kind() == FieldValue.Kind.IMAGE, "no image");
        int bytes = plan.spec().dtype().bytes();
        int outside = plan.fill().byteSize() == 0 ? IGNORED : outside(plan.fill(), bytes);
        paired(sample, epoch).mask(value.bytes(), outside, bytes, to.cell(slot));
        to.filled(slot, plan.spec().room(), false);
      }
      case BYTES -> copy(plan, value.bytes(), to, slot);
      case TEXT -> text(plan, to, slot);
      case IMAGE -> {
        require(plan, value.kind() == FieldValue.Kind.IMAGE, "no image");
        Objects.requireNonNull(pictures)
            .process(value.bytes(), seed, epoch, sample.id(), to.cell(slot));
        to.filled(slot, plan.spec().room(), false);
      }
    }
  }

  private static int outside(MemorySegment fill, int bytes) {
    return bytes == 1 ? fill.get(JAVA_BYTE, 0) & 0xff : fill.get(JAVA_SHORT_UNALIGNED, 0) & 0xffff;
  }

  /// {@return the geometry of the sample's image, drawn once a sample}
  private PairedGeometry paired(Sample sample, long epoch) throws DecodeException {
    PairedGeometry with = geometry;
    if (with == null) {
      throw new IllegalStateException("no field moves");
    }
    if (!drawn) {
      int height = sample.fullHeight();
      int width = sample.fullWidth();
      if (sample.halvings() == 0) {
        ImageInfo info = headers.probe(sample.encoded());
        height = info.height();
        width = info.width();
      }
      with.set(height, width, seed, epoch, sample.id());
      drawn = true;
    }
    return with;
  }

  private static void lack(FieldPlan plan, FieldSlots to, int slot) throws DecodeException {
    if (!plan.mayLack()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "the sample has none, and nothing stands for it: %s:fill=VALUE says what does"
              .formatted(plan.spec().name()));
    }
    long bytes = plan.fill().byteSize();
    MemorySegment.copy(plan.fill(), 0, to.cell(slot), 0, bytes);
    to.filled(slot, bytes, true);
  }

  private void text(FieldPlan plan, FieldSlots to, int slot) throws DecodeException {
    boolean text =
        switch (value.kind()) {
          case EMPTY, TEXT, NUMBERS -> true;
          case IMAGE, BYTES -> false;
        };
    require(plan, text, "not UTF-8; %s:bytes delivers it as it is".formatted(plan.spec().name()));
    copy(plan, value.bytes(), to, slot);
  }

  private static void require(FieldPlan plan, boolean holds, String found) throws DecodeException {
    if (!holds) {
      throw new DecodeException(
          Fault.MISMATCH, "%s where %s is expected".formatted(found, plan.spec().described()));
    }
  }

  private static void copy(FieldPlan plan, MemorySegment bytes, FieldSlots to, int slot)
      throws DecodeException {
    requireRoom(plan, bytes.byteSize());
    MemorySegment.copy(bytes, 0, to.cell(slot), 0, bytes.byteSize());
    to.filled(slot, bytes.byteSize(), false);
  }

  private static void requireRoom(FieldPlan plan, long bytes) throws DecodeException {
    FieldSpec spec = plan.spec();
    if (bytes > spec.room()) {
      throw new DecodeException(
          Fault.LIMIT,
          "%d bytes, and there is room for %d of each sample: ask for %s:max=%s"
              .formatted(
                  bytes,
                  spec.room(),
                  spec.name(),
                  Bytes.text(Long.highestOneBit(bytes) * 2.0).replace(".0 ", "").replace(" ", "")));
    }
  }

  private void numbers(FieldPlan plan, FieldSlots to, int slot) throws DecodeException {
    FieldSpec spec = plan.spec();
    boolean empty = value.kind() == FieldValue.Kind.EMPTY;
    if (empty) {
      lack(plan, to, slot);
      return;
    }
    if (value.kind() != FieldValue.Kind.NUMBERS) {
      throw new DecodeException(
          Fault.MISMATCH,
          "not numbers, as those of the samples looked at are: ask for %s:text or %s:bytes"
              .formatted(spec.name(), spec.name()));
    }
    int[] shape = value.shape();
    long bytes = value.count() * spec.dtype().bytes();
    if (!fits(spec, shape, value.count())) {
      throw new DecodeException(
          Fault.MISMATCH,
          "shape %s where %s is expected%s"
              .formatted(
                  Arrays.toString(shape),
                  spec.described(),
                  spec.ragged()
                      ? "; %s:bytes delivers it as it is stored".formatted(spec.name())
                      : "; where values differ in length ask for %s:*%s"
                          .formatted(spec.name(), rest(shape))));
    }
    requireRoom(plan, bytes);
    value.copyTo(spec.dtype(), to.cell(slot));
    to.filled(slot, bytes, false);
  }

  private static String rest(int[] shape) {
    var text = new StringBuilder();
    for (int axis = 1; axis < shape.length; axis++) {
      text.append('x').append(shape[axis]);
    }
    return text.toString();
  }

  /// {@return whether a value has the shape that a batch has room for. A single row does as a list
  ///     of one, and an empty list has rows of any shape}
  private static boolean fits(FieldSpec spec, int[] shape, long count) {
    List<Integer> wanted = spec.shape();
    if (!spec.ragged()) {
      return count * spec.dtype().bytes() == spec.room() && equal(shape, 0, wanted);
    }
    if (count == 0 || (shape.length == wanted.size() && equal(shape, 0, wanted))) {
      return true;
    }
    return shape.length > 0 && equal(shape, 1, wanted);
  }

  private static boolean equal(int[] shape, int from, List<Integer> wanted) {
    boolean same = shape.length - from == wanted.size();
    boolean single = wanted.size() == 1 && wanted.getFirst() == 1 && shape.length - from == 0;
    for (int axis = from; axis < shape.length && same; axis++) {
      same = shape[axis] == wanted.get(axis - from);
    }
    return same || single;
  }

  long decodeNanos() {
    return pictures == null ? 0 : pictures.decodeNanos();
  }

  long transformNanos() {
    return pictures == null ? 0 : pictures.transformNanos();
  }

  @Override
  public void close() {
    if (pictures != null) {
      pictures.close();
    }
    headers.close();
    if (geometry != null) {
      geometry.close();
    }
  }
}
