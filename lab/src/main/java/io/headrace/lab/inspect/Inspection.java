package io.headrace.lab.inspect;

import java.util.List;
import java.util.Map;

/// What a dataset is made of.
///
/// @param samples looked at, broken ones included
/// @param storedBytes bytes of its files
/// @param encodedBytes bytes of its encoded images or sounds
/// @param classes samples by class, in label order; unlabelled ones under `(none)`
/// @param listLabels samples whose label is a list, kept as a field, such as a one-hot vector
/// @param fields samples by the names of their other fields
/// @param types what each of these fields is, and each member of JSON in one, by name
/// @param formats samples by image or sound format
/// @param subsamplings JPEGs by chroma subsampling
/// @param widths of images, in pixels
/// @param heights of images, in pixels
/// @param encodedSizes bytes of one encoded image or sound
/// @param qualities estimated JPEG qualities, 1 to 100, where one can be told
/// @param qualityUnknown JPEGs whose quality cannot be told
/// @param progressive JPEGs with several scans
/// @param grey images without colour
/// @param oriented images with an EXIF orientation other than 1
/// @param sounds what its sounds are, if it has any
/// @param broken samples that cannot be used, as `place: reason`
public record Inspection(
    long samples,
    long storedBytes,
    long encodedBytes,
    Map<String, Long> classes,
    long listLabels,
    Map<String, Long> fields,
    Map<String, Field> types,
    Map<String, Long> formats,
    Map<String, Long> subsamplings,
    Spread widths,
    Spread heights,
    Spread encodedSizes,
    Spread qualities,
    long qualityUnknown,
    long progressive,
    long grey,
    long oriented,
    SoundInspection sounds,
    List<String> broken) {
  /// What the values of a field are.
  ///
  /// @param type dtype and shape, such as `text`, `int64 [*, 4]` where the first extent differs,
  ///     `mask`, or `float32 [768]`
  /// @param samples that have it
  public record Field(String type, long samples) {}

  /// The name under which samples without a label are counted.
  public static final String NO_CLASS = "(none)";

  public Inspection {
    broken = List.copyOf(broken);
  }

  /// {@return samples that have no label}
  public long unlabelled() {
    return classes.getOrDefault(NO_CLASS, 0L);
  }
}
