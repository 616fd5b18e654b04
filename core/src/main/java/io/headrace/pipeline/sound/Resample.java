package io.headrace.pipeline.sound;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.sound.signal.Resampler;
import io.headrace.sound.signal.SincResampler;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives sound a sample rate: `resample=16000`, or `resample=16000:best`.
///
/// @param rate frames a second of the result
/// @param quality of libsamplerate, or null for torchaudio's filter
public record Resample(int rate, Resampler.@Nullable Quality quality) implements SoundEffect {
  /// Rates of the sounds of a set that resamplers are kept for.
  private static final int KEPT = 4;

  private static final int MAX_RATE = 1 << 20;

  /// The step's kind.
  public static final StepKind KIND =
      new StepKind(
          "resample",
          "resample=HZ[:best|medium|fast]",
          Applies.SOUND,
          "Another sample rate: torchaudio's windowed sinc, or libsamplerate's best, medium or"
              + " fast.",
          "",
          "torchaudio.functional.resample",
          List.of("resample=16000", "resample=8000:best"),
          Resample::parse);

  /// Checks the rate.
  public Resample {
    if (rate < 1 || rate > MAX_RATE) {
      throw new ConfigException("resample: %d Hz, expected 1 to %d".formatted(rate, MAX_RATE));
    }
  }

  private static Resample parse(Spec spec) {
    int rate = spec.number("rate", StepText.required(spec));
    String quality = spec.next();
    return new Resample(
        rate,
        quality == null
            ? null
            : Spec.choice("resample quality", Resampler.Quality.values(), quality));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    Resampler.Quality asked = quality;
    return "resample=" + rate + (asked == null ? "" : ":" + Spec.word(asked));
  }

  @Override
  public SoundShape after(SoundShape before) {
    before.requireSamples(this);
    long frames =
        before.frames() < 0 || before.rate() == 0
            ? -1
            : Math.ceilDiv(before.frames() * rate, (long) before.rate());
    return before.withRate(rate, frames);
  }

  @Override
  public Work work() {
    Resampler.Quality asked = quality;
    return asked == null ? new Sinc(rate) : new Library(rate, new Resampler(asked));
  }

  /// Torchaudio's, made anew for each rate that comes in.
  static final class Sinc implements Work {
    private final int rate;
    private final SincResampler[] made = new SincResampler[KEPT];
    private final int[] rates = new int[KEPT];
    private int next;

    Sinc(int rate) {
      this.rate = rate;
    }

    @Override
    public void run(Sound sound, CounterRandom random) throws DecodeException {
      if (sound.rate() == rate) {
        return;
      }
      SincResampler resampler = from(sound.rate());
      long frames = resampler.frames(sound.frames());
      MemorySegment to = sound.next(frames * sound.channels() * Float.BYTES);
      for (int channel = 0; channel < sound.channels(); channel++) {
        resampler.resample(sound.values(), sound.frames(), channel, sound.channels(), to);
      }
      sound.samples(to, rate, sound.channels(), frames);
    }

    int rate() {
      return rate;
    }

    /// {@return the resampler of sounds of a rate}
    ///
    /// @throws DecodeException if there is none
    SincResampler from(int other) throws DecodeException {
      for (int i = 0; i < KEPT; i++) {
        if (rates[i] == other) {
          return made[i];
        }
      }
      try {
        made[next] = new SincResampler(other, rate);
      } catch (ConfigException e) {
        throw new DecodeException(Fault.UNSUPPORTED, String.valueOf(e.getMessage()));
      }
      rates[next] = other;
      SincResampler resampler = made[next];
      next = (next + 1) % KEPT;
      return resampler;
    }
  }

  private record Library(int rate, Resampler resampler) implements Work {
    @Override
    public void run(Sound sound, CounterRandom random) throws DecodeException {
      if (sound.rate() == rate) {
        return;
      }
      try {
        long frames =
            resampler.resample(
                sound.values(),
                sound.frames(),
                sound.channels(),
                sound.rate(),
                rate,
                sound.spare());
        long bytes = frames * sound.channels() * Float.BYTES;
        sound.samples(sound.spare().memory().asSlice(0, bytes), rate, sound.channels(), frames);
      } catch (ConfigException e) {
        throw new DecodeException(Fault.UNSUPPORTED, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void close() {
      resampler.close();
    }
  }
}
