package io.headrace.pipeline.sound;

import io.headrace.error.DecodeException;
import io.headrace.random.CounterRandom;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.signal.SincResampler;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The first steps of a pipeline up to a cut, done to no more of a sound than the cut leaves: the
/// place is drawn first, then only what is read there is decoded, mixed and resampled. Samples are
/// the same. One per worker.
public final class Excerpt {
  /// A part that is more than this share of a sound is not worth it: the whole is decoded, in which
  /// all damage shows.
  private static final double MAX_SHARE = 0.75;

  private final List<SoundEffect> before;
  private final Cut cut;
  private final Resample.@Nullable Sinc sinc;

  /// Null where the rate stays.
  private @Nullable SincResampler resampler;

  /// The first frame that was decoded, and those after resampling that stay.
  private long begin;

  private long from;
  private long kept;
  private long length;

  private Excerpt(List<SoundEffect> before, Cut cut, Resample.@Nullable Sinc sinc) {
    this.before = before;
    this.cut = cut;
    this.sinc = sinc;
  }

  /// {@return what does the first of these steps, or null if they do not begin with a cut, or with
  ///     mixing and torchaudio's resampling before one}
  public static @Nullable Excerpt of(List<SoundEffect> steps) {
    Resample.Sinc sinc = null;
    for (int i = 0; i < steps.size(); i++) {
      SoundEffect step = steps.get(i);
      if (step instanceof Cut cut) {
        return new Excerpt(List.copyOf(steps.subList(0, i)), cut, sinc);
      }
      if (step instanceof Resample resample && resample.quality() == null && sinc == null) {
        sinc = new Resample.Sinc(resample.rate());
      } else if (!(step instanceof Mono)) {
        return null;
      }
    }
    return null;
  }

  /// {@return how many steps it does}
  public int steps() {
    return before.size() + 1;
  }

  /// Draws the place and decodes what it needs.
  ///
  /// @param sound takes what is decoded
  /// @param random where the sample's draws stand
  /// @return whether it could be done; if not, the whole is to be decoded, and drawn anew
  /// @throws DecodeException if the memory budget does not allow it, or the rate is one that cannot
  ///     be resampled
  public boolean decode(
      AudioDecoder decoder,
      MemorySegment encoded,
      AudioInfo info,
      Sound sound,
      CounterRandom random)
      throws DecodeException {
    boolean resamples = sinc != null && sinc.rate() != info.sampleRate();
    SincResampler to = resamples && sinc != null ? sinc.from(info.sampleRate()) : null;
    resampler = to;
    long total = to == null ? info.frames() : to.frames(info.frames());
    length = cut.frames(sinc == null ? info.sampleRate() : sinc.rate());
    from = cut.place(total - length, random);
    kept = Math.min(length, total - from);
    if (kept <= 0) {
      return false;
    }
    begin = to == null ? from : Math.clamp(to.first(from), 0, info.frames());
    long end = to == null ? from + kept : Math.min(info.frames(), to.end(from + kept - 1));
    if (end <= begin || end - begin > MAX_SHARE * info.frames()) {
      return false;
    }
    MemorySegment part = sound.begin(info.sampleRate(), info.channels(), end - begin);
    return decoder.decodePart(encoded, info, begin, part);
  }

  /// Does the steps to what was decoded.
  ///
  /// @throws DecodeException if the memory budget does not allow it
  public void run(Sound sound) throws DecodeException {
    for (SoundEffect step : before) {
      SincResampler to = resampler;
      if (step instanceof Mono) {
        Mono.mix(sound);
      } else if (to != null) {
        int channels = sound.channels();
        MemorySegment made = sound.next(kept * channels * Float.BYTES);
        for (int c = 0; c < channels; c++) {
          to.resample(sound.values(), sound.frames(), begin, c, channels, made, from, from + kept);
        }
        sound.samples(made, sinc == null ? sound.rate() : sinc.rate(), channels, kept);
      }
    }
    sound.cut(0, length);
  }
}
