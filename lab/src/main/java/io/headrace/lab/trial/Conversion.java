package io.headrace.lab.trial;

/// What was done once, ahead of training: a dataset, or a sample of it, converted.
///
/// @param seconds that it took; 0 for a dataset as it was found
/// @param cpuSeconds of all processors
/// @param samples converted
/// @param bytes of the files that hold them
/// @param psnr of pixels against the original's, in dB, mean of some; infinite where none differs
/// @param ssim the same as SSIM; 1 where none differs
/// @param msSsim the same as MS-SSIM; 1 where none differs
public record Conversion(
    double seconds,
    double cpuSeconds,
    long samples,
    double bytes,
    double psnr,
    double ssim,
    double msSsim) {
  /// {@return bytes of a sample}
  public double bytesPerSample() {
    return bytes / Math.max(1, samples);
  }

  /// {@return whether pixels are those of the original}
  public boolean lossless() {
    return ssim >= 1;
  }
}
