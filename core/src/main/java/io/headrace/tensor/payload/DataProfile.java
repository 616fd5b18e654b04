package io.headrace.tensor.payload;

import java.lang.foreign.MemorySegment;

/// What codecs need to know about a tensor's zeros and runs.
///
/// @param words how many were looked at
/// @param zeroFraction share of the words that have no bit set
/// @param runs how often a word differs from the one before, the first counted
/// @param runBytes what run lengths take, estimated, for these words
public record DataProfile(long words, double zeroFraction, long runs, long runBytes) {
  /// {@return the profile of all of these words}
  ///
  /// @param values whole words, at least one
  /// @param width bytes of a word
  public static DataProfile of(MemorySegment values, int width) {
    long words = values.byteSize() / width;
    long zeros = 0;
    long runs = 0;
    long inLongRuns = 0;
    long longRuns = 0;
    long length = 0;
    long last = 0;
    for (long i = 0; i < words; i++) {
      long word = Words.get(values, i * width, width);
      zeros += word == 0 ? 1 : 0;
      if (i == 0 || word != last) {
        if (length > 2) {
          longRuns++;
          inLongRuns += length;
        }
        runs++;
        length = 0;
      }
      length++;
      last = word;
    }
    if (length > 2) {
      longRuns++;
      inLongRuns += length;
    }
    // a token and a word each long run, a token before the literals that follow it, and those
    long runBytes = longRuns * (2L + width) + (words - inLongRuns) * width + 2;
    return new DataProfile(words, (double) zeros / words, runs, runBytes);
  }
}
