package io.headrace.lab.codecs;

/// What a setting took and gave. Speeds are one core's, by CPU time, in plain bytes: uint8 RGB
/// pixels, 16-bit samples, bytes of a stream, values of a tensor.
///
/// @param name of the setting, as users type it
/// @param family of the setting, such as `jpeg`
/// @param bytes of one item, mean
/// @param ratio of all bytes to those of the [BenchResult#base]
/// @param encodeMegabytesPerSecond 10⁶ plain bytes encoded a second; 0 for files as found
/// @param decodeMegabytesPerSecond 10⁶ plain bytes decoded a second
/// @param decodeMillis time to decode one item, mean
/// @param encodeTimesRealTime seconds of sound encoded a second; 0 if this is not sound
/// @param decodeTimesRealTime seconds of sound decoded a second; 0 if this is not sound
/// @param quality of what comes back
public record Measured(
    String name,
    String family,
    double bytes,
    double ratio,
    double encodeMegabytesPerSecond,
    double decodeMegabytesPerSecond,
    double decodeMillis,
    double encodeTimesRealTime,
    double decodeTimesRealTime,
    Quality quality) {
  /// {@return whether this is no worse than another in size, decode speed and quality, and better
  ///     in one}
  boolean dominates(Measured other) {
    boolean noWorse =
        bytes <= other.bytes
            && decodeMegabytesPerSecond >= other.decodeMegabytesPerSecond
            && quality.score() >= other.quality.score();
    boolean better =
        bytes < other.bytes
            || decodeMegabytesPerSecond > other.decodeMegabytesPerSecond
            || quality.score() > other.quality.score();
    return noWorse && better;
  }
}
