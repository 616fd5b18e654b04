package io.headrace.lab.codecs;

import java.util.List;

/// What a setting took and gave. Speeds are one core's, in decoded bytes (uint8 RGB).
///
/// @param name of the setting
/// @param bytes of one image, mean
/// @param ratio of all bytes to those of the images as they were found
/// @param encodeMegabytesPerSecond 10⁶ bytes of pixels encoded a second; 0 for the images as found
/// @param decodeMegabytesPerSecond 10⁶ bytes of pixels decoded a second
/// @param decodeMillis time to decode one image
/// @param ssim mean structural similarity to the pixels it was made from; 1 where they are equal
/// @param psnr in dB over all images; infinite where pixels are equal
/// @param pareto whether no other setting is at least as small, as fast to decode and as good, and
///     better in one of these
public record Measured(
    String name,
    double bytes,
    double ratio,
    double encodeMegabytesPerSecond,
    double decodeMegabytesPerSecond,
    double decodeMillis,
    double ssim,
    double psnr,
    boolean pareto) {
  private boolean dominates(Measured other) {
    boolean noWorse =
        bytes <= other.bytes
            && decodeMegabytesPerSecond >= other.decodeMegabytesPerSecond
            && ssim >= other.ssim;
    boolean better =
        bytes < other.bytes
            || decodeMegabytesPerSecond > other.decodeMegabytesPerSecond
            || ssim > other.ssim;
    return noWorse && better;
  }

  /// {@return the same, each marked as on the Pareto front or not}
  static List<Measured> markFront(List<Measured> all) {
    return all.stream()
        .map(
            m ->
                new Measured(
                    m.name,
                    m.bytes,
                    m.ratio,
                    m.encodeMegabytesPerSecond,
                    m.decodeMegabytesPerSecond,
                    m.decodeMillis,
                    m.ssim,
                    m.psnr,
                    all.stream().noneMatch(other -> other.dominates(m))))
        .toList();
  }
}
