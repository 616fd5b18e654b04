package io.headrace.pipeline.sound;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.random.CounterRandom;
import io.headrace.sound.signal.Spectrogram;
import io.headrace.sound.signal.SpectrogramSetting;
import io.headrace.sound.signal.SpectrogramSpec;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes a spectrogram of one channel: `spectrogram`, or `log_mel` in mel bands, as a loudness.
///
/// @param setting what kind
public record ToSpectrogram(SpectrogramSetting setting) implements SoundEffect {
  private static final String OPTIONS = "[:n_fft=][:win_length=][:hop_length=][:center=][:power=]";

  /// The kind of plain ones.
  public static final StepKind SPECTROGRAM =
      new StepKind(
          "spectrogram",
          "spectrogram[=presto|torchaudio]" + OPTIONS + "[:log=][:bins_first]",
          Applies.SOUND,
          "Magnitudes (presto) or powers (torchaudio) of the short-time Fourier transform.",
          "",
          "tf.signal.stft, torchaudio.transforms.Spectrogram",
          List.of("spectrogram=presto", "spectrogram=torchaudio:n_fft=512:bins_first"),
          spec -> new ToSpectrogram(SpectrogramSetting.parse(spec, false)));

  /// The kind of those in mel bands.
  public static final StepKind LOG_MEL =
      new StepKind(
          "log_mel",
          "log_mel[=whisper|torchaudio|presto][:n_mels=][:f_min=][:f_max=][:mel_scale=][:norm=]"
              + OPTIONS
              + "[:log=][:top_db=][:mels_first]",
          Applies.SOUND,
          "Loudness in mel bands: Whisper's, torchaudio's in decibels, or PRESTO's.",
          "",
          "whisper.log_mel_spectrogram, torchaudio.transforms.MelSpectrogram and AmplitudeToDB",
          List.of(
              "log_mel=whisper", "log_mel=torchaudio:hop_length=160:n_mels=64", "log_mel=presto"),
          spec -> new ToSpectrogram(SpectrogramSetting.parse(spec, true)));

  @Override
  public StepKind kind() {
    return setting.mel() ? LOG_MEL : SPECTROGRAM;
  }

  @Override
  public String spec() {
    return kind().name() + "=" + setting.spec();
  }

  @Override
  public SoundShape after(SoundShape before) {
    before.requireSamples(this);
    if (before.channels() != 1) {
      throw new ConfigException("step '%s' takes one channel: put mono before".formatted(spec()));
    }
    int rate = before.rate();
    SpectrogramSpec made = setting.at(rate == 0 ? usualRate() : rate);
    boolean known = before.frames() >= 0 && (rate > 0 || !setting.dependsOnRate());
    long columns = known ? made.columns(before.frames()) : -1;
    if (columns == 0) {
      throw new ConfigException(
          "step '%s' finds %d frames, and needs %d for one column"
              .formatted(spec(), before.frames(), made.least()));
    }
    return new SoundShape(rate, 1, columns, made.height(), setting.heightFirst());
  }

  private static int usualRate() {
    return 16_000;
  }

  @Override
  public Work work() {
    return new Maker();
  }

  private final class Maker implements Work {
    private @Nullable Spectrogram last;

    @Override
    public void run(Sound sound, CounterRandom random) throws DecodeException {
      Spectrogram spectrogram = at(sound.rate());
      SpectrogramSpec spec = spectrogram.spec();
      long columns = spec.columns(sound.frames());
      if (columns == 0) {
        throw new DecodeException(
            Fault.MISMATCH,
            "too short for a spectrogram: %d frames, one column needs %d"
                .formatted(sound.frames(), spec.least()));
      }
      MemorySegment to = sound.next(columns * spec.height() * Float.BYTES);
      long _ =
          spectrogram.of(sound.values(), sound.frames(), sound.quiet(), setting.heightFirst(), to);
      sound.spectrogram(to, columns, spec.height(), setting.heightFirst());
    }

    private Spectrogram at(int rate) throws DecodeException {
      Spectrogram spectrogram = last;
      if (spectrogram == null || spectrogram.spec().sampleRate() != rate) {
        try {
          spectrogram = new Spectrogram(setting.at(rate));
        } catch (ConfigException e) {
          throw new DecodeException(Fault.UNSUPPORTED, String.valueOf(e.getMessage()));
        }
        last = spectrogram;
      }
      return spectrogram;
    }
  }
}
