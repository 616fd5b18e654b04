package io.headrace.lab.codecs;

/// How near the decoded form is to the original.
public sealed interface Quality {
  /// {@return a number that is greater the nearer they are, among qualities of one kind; 1 is the
  ///     most}
  double score();

  /// Every bit comes back.
  record Exact() implements Quality {
    @Override
    public double score() {
      return 1;
    }
  }

  /// Pictures.
  ///
  /// @param psnr in dB, over all samples of all pictures
  /// @param ssim mean over the pictures
  /// @param msSsim MS-SSIM, mean over the pictures
  record Picture(double psnr, double ssim, double msSsim) implements Quality {
    @Override
    public double score() {
      return ssim;
    }
  }

  /// Sound.
  ///
  /// @param snr signal-to-noise ratio in dB, over all samples of all sounds
  record Sound(double snr) implements Quality {
    @Override
    public double score() {
      return 1 - Math.pow(10, -snr / 20);
    }
  }

  /// Numbers.
  ///
  /// @param bound how far from its value a number may be, as promised; infinite without a promise
  /// @param maxError how far one is at most
  record Values(double bound, double maxError) implements Quality {
    @Override
    public double score() {
      return 1 - maxError;
    }
  }
}
