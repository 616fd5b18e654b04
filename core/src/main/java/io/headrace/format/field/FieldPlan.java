package io.headrace.format.field;

import io.headrace.memory.FieldSpec;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a field that was asked for is found in samples, and how a batch holds it.
///
/// @param spec how a batch holds it
/// @param from what it is made of
/// @param field the sample's field that it lies in
/// @param path members to go down to if that is JSON; none for all of it
/// @param fill what stands for a fixed value that a sample lacks; `NULL` if that is an error
/// @param stride numbers of a point; 0 of others
/// @param least share of a box that must be within the result, or -1 if all are kept; of points any
///     share means that those outside are left out
/// @param of the field whose rows its own belong to, or null
public record FieldPlan(
    FieldSpec spec,
    From from,
    String field,
    List<String> path,
    MemorySegment fill,
    int stride,
    double least,
    @Nullable String of) {
  /// What a field is made of.
  public enum From {
    /// The sample's key.
    KEY,
    /// Numbers of a value.
    NUMBERS,
    /// Bytes of a value as they are.
    BYTES,
    /// A value that must be UTF-8.
    TEXT,
    /// An encoded image, through the pipeline.
    IMAGE,
    /// An encoded image of class numbers, through the pipeline's geometry.
    MASK,
    /// Boxes: left, top, right, bottom, through the pipeline's geometry.
    BOXES,
    /// Boxes: left, top, width, height.
    BOXES_XYWH,
    /// Points, through the pipeline's geometry.
    POINTS;

    /// {@return whether it goes through the pipeline of an image}
    boolean pictures() {
      return this == IMAGE || moves();
    }

    private boolean moves() {
      return this == MASK || this == POINTS || boxes();
    }

    /// {@return whether it is boxes}
    public boolean boxes() {
      return this == BOXES || this == BOXES_XYWH;
    }
  }

  /// Copies the path.
  public FieldPlan {
    path = List.copyOf(path);
  }

  /// {@return whether rows of it may be left out, since they are outside the result}
  public boolean drops() {
    return least >= 0;
  }

  /// {@return whether it moves as the sample's image does}
  public boolean moves() {
    return from.moves();
  }

  /// {@return whether a sample that lacks it is delivered}
  public boolean mayLack() {
    return spec.ragged() || fill.byteSize() > 0;
  }
}
