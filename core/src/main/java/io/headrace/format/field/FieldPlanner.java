package io.headrace.format.field;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Printable;
import io.headrace.format.Dataset;
import io.headrace.format.field.FieldPlan.From;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.FieldType;
import io.headrace.memory.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Plans how batches hold the fields that were asked for, by what the first samples have.
public final class FieldPlanner {
  /// Room for a value, unless a request says it: so many times the largest one seen, and so many
  /// bytes at least.
  private static final long ROOM_TIMES = 4;

  private static final long MIN_ROOM = 4096;

  /// Names listed in a message.
  private static final int SHOWN = 20;

  private final FieldSurvey survey;
  private final Frame frame;

  /// What pictures become.
  ///
  /// @param image type and shape of the sample's image after the pipeline
  /// @param height of it, in pixels; 0 if samples are sounds, not images
  /// @param width of it, in pixels
  public record Frame(TensorSpec image, int height, int width) {}

  private FieldPlanner(FieldSurvey survey, Frame frame) {
    this.survey = survey;
    this.frame = frame;
  }

  /// {@return plans for those requests that a batch does not meet anyway; reads a few samples if
  ///     there are any}
  ///
  /// @throws ConfigException if a field is not there, or a request does not fit what is
  public static List<FieldPlan> plan(Dataset dataset, List<FieldRequest> requests, Frame frame)
      throws IOException {
    boolean any = requests.stream().anyMatch(r -> !r.name().equals(FieldRequest.IMAGE));
    if (!any) {
      return List.of();
    }
    var planner = new FieldPlanner(FieldSurvey.of(dataset), frame);
    List<FieldPlan> plans = new ArrayList<>();
    for (FieldRequest request : requests) {
      boolean there = planner.survey.entry(request.name()) != null;
      boolean usual =
          request.name().equals(FieldRequest.IMAGE)
              || (request.name().equals(FieldRequest.LABEL) && !there);
      if (!usual) {
        plans.add(planner.plan(request));
      }
    }
    checkFollowers(plans);
    return List.copyOf(plans);
  }

  private FieldPlan plan(FieldRequest request) {
    FieldSurvey.Entry entry = survey.entry(request.name());
    if (entry == null && request.name().equals(FieldRequest.KEY)) {
      long room = request.max() > 0 ? request.max() : MIN_ROOM;
      return new FieldPlan(
          FieldSpec.text(request.name(), room),
          From.KEY,
          request.name(),
          List.of(),
          MemorySegment.NULL,
          0,
          -1,
          null);
    }
    if (entry == null) {
      throw new ConfigException(
          "no field '%s' in the %d samples looked at: %s"
              .formatted(Printable.of(request.name()), survey.samples(), found()));
    }
    FieldSeen seen = entry.seen();
    From from = from(request, seen);
    if (frame.height() == 0 && from.pictures()) {
      throw new ConfigException(
          "field '%s' belongs to an image, and the pipeline takes sounds: ask for %s:bytes"
              .formatted(Printable.of(request.name()), Printable.of(request.name())));
    }
    FieldSpec spec =
        switch (from) {
          case KEY, TEXT -> FieldSpec.text(request.name(), room(request, seen, 1));
          case BYTES ->
              new FieldSpec(
                  request.name(),
                  FieldSpec.Kind.RAGGED,
                  FieldType.UINT8,
                  List.of(),
                  room(request, seen, 1));
          case IMAGE ->
              FieldSpec.fixed(
                  request.name(), FieldType.of(frame.image().dtype()), frame.image().shape());
          case MASK ->
              FieldSpec.fixed(
                  request.name(), maskType(request, seen), List.of(frame.height(), frame.width()));
          case NUMBERS -> numbers(request, seen, request.dtype());
          case POINTS -> numbers(request, seen, FieldType.FLOAT32);
          case BOXES, BOXES_XYWH ->
              new FieldSpec(
                  request.name(),
                  FieldSpec.Kind.RAGGED,
                  FieldType.FLOAT32,
                  List.of(4),
                  room(request, seen, 4L * Float.BYTES));
        };
    int stride = from == From.POINTS ? stride(spec) : 0;
    boolean rows = spec.ragged() && (stride == 0 || stride * 4L == spec.rowBytes());
    if (request.least() >= 0 && !rows) {
      throw new ConfigException(
          "field '%s': least= leaves rows out, so each must be a point, and any number of them: %s"
              .formatted(Printable.of(request.name()), spec.described()));
    }
    return new FieldPlan(
        spec,
        from,
        entry.field(),
        entry.path(),
        fill(request, spec),
        stride,
        request.least(),
        request.of());
  }

  /// {@return numbers of a point: the last extent, or 3 as in COCO's lists of column, row and
  ///     visibility, or 2}
  private static int stride(FieldSpec spec) {
    int last = spec.shape().isEmpty() ? 1 : spec.shape().getLast();
    int stride = last <= 3 ? last : last % 3 == 0 ? 3 : 2;
    if (stride < 2 || last % stride != 0) {
      throw new ConfigException(
          "field '%s': points are rows of 2 or 3 numbers, or of so many points: %s"
              .formatted(Printable.of(spec.name()), spec.described()));
    }
    return stride;
  }

  /// Checks that fields whose rows belong to those of others can follow these.
  private static void checkFollowers(List<FieldPlan> plans) {
    for (FieldPlan plan : plans) {
      String of = plan.of();
      if (of == null) {
        continue;
      }
      boolean there = plans.stream().anyMatch(p -> p.spec().name().equals(of) && p.drops());
      if (!there || !plan.spec().ragged()) {
        throw new ConfigException(
            there
                ? "field '%s': of=%s needs any number of rows: %s"
                    .formatted(plan.spec().name(), of, plan.spec().described())
                : "field '%s': of=%s: expected a field that is asked for with least="
                    .formatted(plan.spec().name(), of));
      }
    }
  }

  private static FieldType maskType(FieldRequest request, FieldSeen seen) {
    FieldType asked = request.dtype();
    return asked != null ? asked : seen.deep() ? FieldType.UINT16 : FieldType.UINT8;
  }

  private String found() {
    List<String> names = new ArrayList<>(survey.seen().keySet());
    if (names.isEmpty()) {
      return "they have no fields beside image, label and key";
    }
    String more = names.size() > SHOWN ? ", … (inspect lists all)" : "";
    return "found "
        + Printable.of(String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))))
        + more;
  }

  private static From from(FieldRequest request, FieldSeen seen) {
    return switch (request.as()) {
      case TEXT -> From.TEXT;
      case BYTES -> From.BYTES;
      case IMAGE -> require(request, seen, FieldValue.Kind.IMAGE, From.IMAGE);
      case MASK -> require(request, seen, FieldValue.Kind.IMAGE, From.MASK);
      case NUMBERS -> require(request, seen, FieldValue.Kind.NUMBERS, From.NUMBERS);
      case BOXES -> require(request, seen, FieldValue.Kind.NUMBERS, From.BOXES);
      case BOXES_XYWH -> require(request, seen, FieldValue.Kind.NUMBERS, From.BOXES_XYWH);
      case POINTS -> require(request, seen, FieldValue.Kind.NUMBERS, From.POINTS);
      case ANY -> {
        if (seen.only(FieldValue.Kind.NUMBERS)) {
          yield From.NUMBERS;
        }
        if (seen.only(FieldValue.Kind.IMAGE)) {
          yield seen.masks() ? From.MASK : From.IMAGE;
        }
        boolean bytes = seen.has(FieldValue.Kind.BYTES) || seen.has(FieldValue.Kind.IMAGE);
        yield bytes ? From.BYTES : From.TEXT;
      }
    };
  }

  private static From require(
      FieldRequest request, FieldSeen seen, FieldValue.Kind kind, From from) {
    for (FieldValue.Kind other : FieldValue.Kind.values()) {
      if (other != kind && other != FieldValue.Kind.EMPTY && seen.has(other)) {
        throw new ConfigException(
            "field '%s' is asked for as %s, but samples have %s"
                .formatted(
                    Printable.of(request.name()),
                    kind == FieldValue.Kind.NUMBERS ? "numbers" : "an image",
                    seen.described()));
      }
    }
    return from;
  }

  private static FieldSpec numbers(
      FieldRequest request, FieldSeen seen, @Nullable FieldType asked) {
    FieldType dtype = asked == null ? seen.type() : asked;
    List<Integer> extents = request.shape();
    boolean ragged = request.ragged();
    if (extents == null) {
      List<Integer> all = seen.shape();
      List<Integer> rows = seen.rows();
      if (all == null && rows == null) {
        throw new ConfigException(
            ("values of field '%s' differ in more than their first extent, such as %s: ask for"
                    + " %s:bytes, which delivers them as they are stored")
                .formatted(
                    Printable.of(request.name()), seen.difference(), Printable.of(request.name())));
      }
      boolean leaving = request.of() != null || request.least() >= 0;
      ragged = all == null || (leaving && !all.isEmpty());
      extents =
          all == null ? Objects.requireNonNull(rows) : ragged ? all.subList(1, all.size()) : all;
    }
    if (!ragged) {
      return FieldSpec.fixed(request.name(), dtype, extents);
    }
    var rows = new FieldSpec(request.name(), FieldSpec.Kind.RAGGED, dtype, extents, 0);
    return new FieldSpec(
        request.name(),
        FieldSpec.Kind.RAGGED,
        dtype,
        extents,
        room(request, seen, Math.max(1, rows.rowBytes())));
  }

  /// {@return bytes for a value: a whole number of rows}
  private static long room(FieldRequest request, FieldSeen seen, long row) {
    long wanted = request.max();
    if (wanted == 0) {
      long most = Math.max(1, ROOM_TIMES * seen.largest() - 1);
      wanted = Math.max(MIN_ROOM, Long.highestOneBit(most) * 2);
    }
    return Math.max(row, wanted / row * row);
  }

  private static MemorySegment fill(FieldRequest request, FieldSpec spec) {
    String text = request.fill();
    if (text == null) {
      return MemorySegment.NULL;
    }
    if (spec.ragged()) {
      throw new ConfigException(
          "field '%s': a sample that lacks it has an empty value, so leave fill=%s out"
              .formatted(Printable.of(request.name()), text));
    }
    long element = spec.dtype().bytes();
    MemorySegment cell = MemorySegment.ofArray(new byte[Math.toIntExact(spec.room())]);
    var value = new FieldValue();
    try {
      value.read(MemorySegment.ofArray(text.getBytes(UTF_8)));
      if (value.kind() != FieldValue.Kind.NUMBERS || value.count() != 1) {
        throw new ConfigException(
            "field '%s': fill=%s: expected one number"
                .formatted(Printable.of(request.name()), Printable.of(text)));
      }
      for (long at = 0; at < cell.byteSize(); at += element) {
        value.copyTo(spec.dtype(), cell.asSlice(at, element));
      }
    } catch (DecodeException e) {
      throw new ConfigException(
          "field '%s': fill=%s: %s".formatted(request.name(), text, e.getMessage()));
    }
    return cell;
  }
}
