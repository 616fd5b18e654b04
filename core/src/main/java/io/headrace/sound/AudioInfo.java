package io.headrace.sound;

/// What sound is, as far as it can be told without decoding it.
///
/// @param format how it is encoded
/// @param sampleRate frames a second, at least 1
/// @param channels samples in a frame, at least 1
/// @param frames exact number of frames that decoding gives, encoder delay and padding taken off
/// @param bits of one sample: 4 to 32, or 64, where samples are stored as numbers; 0 for lossy
///     encodings, which have none
/// @param floating whether samples are stored as floating-point numbers
public record AudioInfo(
    AudioFormat format, int sampleRate, int channels, long frames, int bits, boolean floating) {
  /// {@return samples in all}
  public long samples() {
    return frames * channels;
  }

  /// {@return bytes of the sound decoded to [frames, channels]}
  public long bytes(SampleType type) {
    return samples() * type.bytes();
  }

  /// {@return how long it plays, in seconds}
  public double seconds() {
    return (double) frames / sampleRate;
  }
}
