package io.headrace.format.field;

import io.headrace.error.ConfigException;
import io.headrace.memory.FieldType;
import io.headrace.spec.Bytes;
import io.headrace.spec.Spec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A field that a user asks for: `NAME[:TYPE][:SHAPE][:OPTION=VALUE…]`. What is not said is told
/// from the first samples.
///
///     caption                     as it is
///     caption:text:max=16KiB      UTF-8, of which a sample has 16 KiB at most
///     json.boxes:float32:*x4      a member of a JSON object; any number of rows of 4
///     age:int64:fill=-1           -1 where a sample has none
///     bbox:boxes:least=0.2        without boxes of which less than a fifth is left
///     category:of=bbox            the numbers of those boxes that stay
///
/// @param name of the field, or of a JSON field and a path of members in it, with dots between
/// @param as how its value is read
/// @param dtype type of its numbers, or null
/// @param shape extents, or null; without the first if the field is ragged
/// @param ragged whether values differ in their first extent
/// @param fill what stands for a fixed value that a sample lacks, or null
/// @param max bytes of a value at most, or 0 if not said
/// @param least share of a box that must be within the result, or -1: boxes that have less are left
///     out, and points that are outside if it is 1
/// @param of the boxes or points that its rows belong to, which leave with these; or null
public record FieldRequest(
    String name,
    As as,
    @Nullable FieldType dtype,
    @Nullable List<Integer> shape,
    boolean ragged,
    @Nullable String fill,
    long max,
    double least,
    @Nullable String of) {
  /// How a value is read.
  public enum As {
    /// What it is.
    ANY,
    /// Text.
    TEXT,
    /// Bytes as they are stored.
    BYTES,
    /// A picture: through the same pipeline as the sample's image.
    IMAGE,
    /// A picture of class numbers: through the pipeline's geometry alone.
    MASK,
    /// Numbers.
    NUMBERS,
    /// Boxes in pixels of the image, which move as it does: left, top, right, bottom.
    BOXES,
    /// Boxes that are left, top, width, height, as COCO has them.
    BOXES_XYWH,
    /// Points in pixels of the image, which move as it does: column, row, and perhaps a third
    /// number.
    POINTS
  }

  /// The name of the sample's key, which is a field too.
  public static final String KEY = "key";

  /// The name of the sample's image, which a batch always has.
  public static final String IMAGE = "image";

  /// The name of the sample's class number, which a batch always has.
  public static final String LABEL = "label";

  private static final String EXPECTED =
      "expected NAME[:TYPE][:SHAPE][:fill=VALUE][:max=SIZE][:least=SHARE][:of=NAME], where a type"
          + " is text, bytes, image, mask, boxes, boxes-xywh, points, bool, int8 to int64, uint8 to"
          + " uint64, float16, float32 or float64, and a shape is 17x3, or *x4 or * where the first"
          + " extent differs";

  /// Checks that parts fit each other.
  public FieldRequest {
    shape = shape == null ? null : List.copyOf(shape);
  }

  /// {@return the fields of a text with commas between; each once}
  ///
  /// @throws ConfigException if one makes no sense, or comes twice
  public static List<FieldRequest> parse(String text) {
    List<FieldRequest> all = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (String part : text.split(",", -1)) {
      FieldRequest request = one(part);
      if (!names.add(request.name())) {
        throw new ConfigException(
            "fields '%s': %s is asked for twice".formatted(text, request.name()));
      }
      all.add(request);
    }
    return List.copyOf(all);
  }

  private static FieldRequest one(String text) {
    Spec spec = Spec.colons("field", text);
    if (spec.name().isEmpty()) {
      throw spec.bad(EXPECTED);
    }
    As as = As.ANY;
    FieldType dtype = null;
    List<Integer> shape = null;
    boolean ragged = false;
    for (String part = spec.next(); part != null; part = spec.next()) {
      FieldType type = FieldType.of(part);
      if (type != null && type != FieldType.BFLOAT16 && dtype == null) {
        dtype = type;
        as = as == As.ANY ? As.NUMBERS : as;
      } else if (part.matches("(\\*|\\d{1,9})(x\\d{1,9})*") && shape == null) {
        ragged = part.startsWith("*");
        shape = new ArrayList<>();
        for (String extent : part.split("x", -1)) {
          if (!extent.equals("*")) {
            shape.add(Integer.valueOf(extent));
          }
        }
        as = as == As.ANY ? As.NUMBERS : as;
      } else {
        as = kind(spec, part, as);
      }
    }
    String fill = spec.option("fill");
    String max = spec.option("max");
    String least = spec.option("least");
    String of = spec.option("of");
    double share = least == null ? -1 : share(spec, least);
    boolean plain = as == As.TEXT || as == As.BYTES || as == As.IMAGE;
    if (plain && (dtype != null || shape != null)) {
      throw spec.bad("%s has no type and shape".formatted(Spec.word(as)));
    }
    boolean boxes = as == As.BOXES || as == As.BOXES_XYWH;
    if (boxes && (dtype != null || shape != null || fill != null)) {
      throw spec.bad("boxes are float32 [*, 4], and a sample without any has none");
    }
    boolean points = as == As.POINTS;
    if (points && dtype != null) {
      throw spec.bad("points are float32");
    }
    if (least != null && !boxes && !(points && share == 1)) {
      throw spec.bad("least= is for boxes; points are left out if they are outside with least=1");
    }
    if (of != null && (plain || boxes || least != null || as == As.MASK || fill != null)) {
      throw spec.bad("of= is for numbers and points, a row of them for each box or point");
    }
    if (as == As.MASK && (shape != null || (dtype != null && dtype.floating()))) {
      throw spec.bad("a mask is of whole numbers, and of the image's size");
    }
    return spec.end(
        new FieldRequest(
            spec.name(),
            as,
            dtype,
            shape,
            ragged,
            fill,
            max == null ? 0 : Bytes.parse(max),
            share,
            of));
  }

  private static double share(Spec spec, String text) {
    try {
      double share = Double.parseDouble(text);
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw spec.bad("least=%s: a share of 0 to 1".formatted(text));
  }

  private static As kind(Spec spec, String word, As before) {
    boolean shaped = word.equals("mask") || word.equals("points");
    if (before == As.ANY || (before == As.NUMBERS && shaped)) {
      switch (word) {
        case "text" -> {
          return As.TEXT;
        }
        case "bytes" -> {
          return As.BYTES;
        }
        case "image" -> {
          return As.IMAGE;
        }
        case "mask" -> {
          return As.MASK;
        }
        case "boxes" -> {
          return As.BOXES;
        }
        case "boxes-xywh" -> {
          return As.BOXES_XYWH;
        }
        case "points" -> {
          return As.POINTS;
        }
        default -> {}
      }
    }
    throw spec.bad(EXPECTED);
  }

  /// {@return the text form, from which [#parse] makes an equal request}
  public String spec() {
    List<String> parts = new ArrayList<>();
    parts.add(name);
    if (as != As.ANY && as != As.NUMBERS) {
      parts.add(Spec.word(as));
    }
    if (dtype != null) {
      parts.add(dtype.label());
    }
    List<Integer> extents = shape;
    if (extents != null) {
      String rest = extents.stream().map(String::valueOf).collect(Collectors.joining("x"));
      parts.add(ragged ? rest.isEmpty() ? "*" : "*x" + rest : rest);
    }
    if (fill != null) {
      parts.add("fill=" + fill);
    }
    if (max > 0) {
      parts.add("max=" + max);
    }
    if (least >= 0) {
      parts.add("least=" + least);
    }
    if (of != null) {
      parts.add("of=" + of);
    }
    return String.join(":", parts);
  }

  @Override
  public String toString() {
    return spec();
  }
}
