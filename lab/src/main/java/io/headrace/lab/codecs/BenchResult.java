package io.headrace.lab.codecs;

import java.util.List;

/// What a benchmark found.
///
/// @param kind of encodings
/// @param items files, or streams or tensors made of them
/// @param content what they are, such as `64 images`
/// @param base what ratios are of, such as `the files as found`
/// @param baseBytes of all items, as [#base] says
/// @param plainBytes of all items, decoded
/// @param seconds of sound; 0 if this is not sound
/// @param measured by setting, in the order asked for
/// @param refused settings that could not be measured
/// @param notes what else to know: files left out, and why
public record BenchResult(
    BenchKind kind,
    int items,
    String content,
    String base,
    long baseBytes,
    long plainBytes,
    double seconds,
    List<Measured> measured,
    List<Refused> refused,
    List<String> notes) {
  /// A setting that could not be measured.
  ///
  /// @param name of the setting
  /// @param reason such as a library that is missing, or data that the encoding cannot hold
  public record Refused(String name, String reason) {}

  /// {@return whether no other setting is at least as small, as fast to decode and as good, and
  ///     better in one of these}
  public boolean pareto(Measured one) {
    return measured.stream().noneMatch(other -> other.dominates(one));
  }
}
