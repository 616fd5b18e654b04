package io.headrace.pipeline.sound;

import io.headrace.error.ConfigException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of a sound between two steps, before any sound was seen.
///
/// @param rate frames a second, 0 if not known
/// @param channels samples in a frame, 0 if not known
/// @param frames how many, -1 if not known; columns of a spectrogram
/// @param height values in a column of a spectrogram, 0 for samples
/// @param heightFirst whether a spectrogram is [height, columns]
public record SoundShape(int rate, int channels, long frames, int height, boolean heightFirst) {
  /// A sound as it is decoded.
  public static final SoundShape ANY = new SoundShape(0, 0, -1, 0, false);

  /// The most seconds that a sound is cut or padded to: a day.
  static final double MAX_SECONDS = 86_400;

  /// {@return whether it is a spectrogram}
  public boolean isSpectrogram() {
    return height > 0;
  }

  SoundShape withRate(int newRate, long newFrames) {
    return new SoundShape(newRate, channels, newFrames, height, heightFirst);
  }

  SoundShape withFrames(long newFrames) {
    return new SoundShape(rate, channels, newFrames, height, heightFirst);
  }

  SoundShape mono() {
    return new SoundShape(rate, 1, frames, height, heightFirst);
  }

  /// Checks that a step finds samples.
  ///
  /// @throws ConfigException if it finds a spectrogram
  void requireSamples(SoundEffect step) {
    if (isSpectrogram()) {
      throw new ConfigException(
          "step '%s' works on samples: put it before the spectrogram".formatted(step.spec()));
    }
  }

  /// {@return the shape of a tensor of it, or null if sounds differ in it}
  public @Nullable List<Integer> shape() {
    if (frames < 0 || frames > Integer.MAX_VALUE || (height == 0 && channels == 0)) {
      return null;
    }
    int length = (int) frames;
    return height == 0
        ? List.of(channels, length)
        : heightFirst ? List.of(height, length) : List.of(length, height);
  }

  /// {@return what is known, in words}
  public String words() {
    String length = frames < 0 ? "frames" : String.valueOf(frames);
    String width = channels == 0 ? "channels" : String.valueOf(channels);
    return height == 0
        ? "[%s, %s] at %s".formatted(length, width, rate == 0 ? "its own rate" : rate + " Hz")
        : heightFirst
            ? "[%d, %s]".formatted(height, frames < 0 ? "columns" : length)
            : "[%s, %d]".formatted(frames < 0 ? "columns" : length, height);
  }

  /// {@return what to add so that all sounds have one shape, in words}
  public String missing() {
    return frames < 0 && rate == 0
        ? "resample=HZ and pad_or_trim=SECONDS or random_crop=SECONDS"
        : frames < 0 ? "pad_or_trim=SECONDS or random_crop=SECONDS" : "mono";
  }
}
