package io.headrace.lab.inspect;

import io.headrace.sound.AudioInfo;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// What the sounds of a dataset are.
///
/// @param samples that are sounds
/// @param rates sounds by frames a second
/// @param channels sounds by their number of channels
/// @param bits sounds by the bits of a sample, such as `16` or `32 float`; lossy ones under `lossy`
/// @param millis how long one plays, in milliseconds
/// @param seconds that all play together
/// @param odd sounds that decode in full although something is odd about them; only if decoded
public record SoundInspection(
    long samples,
    Map<Long, Long> rates,
    Map<Long, Long> channels,
    Map<String, Long> bits,
    Spread millis,
    double seconds,
    long odd) {
  private static final long MILLIS = 1000;

  /// Adds sounds up.
  static final class Tally {
    private final Map<Long, Long> rates = new TreeMap<>();
    private final Map<Long, Long> channels = new TreeMap<>();
    private final Map<String, Long> bits = new TreeMap<>();
    private final LongStream.Builder millis = LongStream.builder();
    private long samples;
    private double seconds;

    void add(AudioInfo info) {
      samples++;
      rates.merge((long) info.sampleRate(), 1L, Long::sum);
      channels.merge((long) info.channels(), 1L, Long::sum);
      String width = info.bits() + (info.floating() ? " float" : "");
      bits.merge(info.bits() == 0 ? "lossy" : width, 1L, Long::sum);
      millis.add(info.frames() * MILLIS / info.sampleRate());
      seconds += info.seconds();
    }

    SoundInspection result(long odd) {
      return new SoundInspection(
          samples, rates, channels, bits, Spread.of(millis.build().toArray()), seconds, odd);
    }
  }
}
