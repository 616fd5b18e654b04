package io.headrace.convert;

import io.headrace.convert.QualityMeter.Likeness;
import io.headrace.format.SetDigest;
import java.util.ArrayList;
import java.util.List;

/// What went into one shard.
final class ShardTally {
  /// A sample left out, or one that was to be transcoded and stays as it is.
  ///
  /// @param where its place, as text
  /// @param reason what was wrong with it
  record Skipped(String where, String reason) {}

  final SetDigest set = new SetDigest();
  final long[] outcomes = new long[Outcome.values().length];
  final List<Skipped> skipped = new ArrayList<>();
  final List<Skipped> passed = new ArrayList<>();
  long samples;
  long encodedBytesIn;
  long encodedBytesOut;
  long unlabelled;
  long listLabels;
  long fieldsOfOldSize;
  long orientationsDropped;
  long alphasDropped;
  long depthsReduced;
  long measured;
  double psnrSum;
  double ssimSum;
  double msSsimSum;
  long measuringNanos;
  long packed;
  long exact;
  long trailersDropped;
  long trailingBytesDropped;
  long fileBytes;
  long fileCrc;

  /// Infinite signal-to-noise ratios, of images that came out equal, count as this many dB.
  static final double MAX_PSNR = 100;

  void add(Likeness likeness) {
    measured++;
    psnrSum += Math.min(MAX_PSNR, likeness.psnr());
    ssimSum += likeness.ssim();
    msSsimSum += likeness.msSsim();
    measuringNanos += likeness.cpuNanos();
  }
}
