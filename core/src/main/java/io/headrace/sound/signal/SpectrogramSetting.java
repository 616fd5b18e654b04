package io.headrace.sound.signal;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a user says what spectrogram to make: a preset, and parameters under torchaudio's names that
/// differ from it. With the sample rate it becomes a [SpectrogramSpec].
///
///     whisper                              Whisper's 80 bands at 16 kHz
///     whisper:n_mels=128:mels_first        as its large models take them, [bands, columns]
///     torchaudio:n_fft=512:hop_length=160  the rest as MelSpectrogram and AmplitudeToDB have it
///     presto                               what PRESTO's pipelines make, with TensorFlow's bands
///
/// @param preset that gives what is not said
/// @param mel whether mel bands are made
/// @param options by name: those that are said, in the order of [#NAMES]
/// @param heightFirst whether the result is [height, columns] rather than [columns, height]
public record SpectrogramSetting(
    Preset preset, boolean mel, Map<String, String> options, boolean heightFirst) {
  /// What a preset is made after.
  public enum Preset {
    /// PRESTO's pipelines (Isenko et al., 2022), whose bands are TensorFlow's.
    PRESTO,
    /// torchaudio's `MelSpectrogram` and `AmplitudeToDB`.
    TORCHAUDIO,
    /// OpenAI's Whisper, at 16 kHz only.
    WHISPER
  }

  private static final List<String> NAMES =
      List.of(
          "n_fft",
          "win_length",
          "hop_length",
          "center",
          "power",
          "n_mels",
          "f_min",
          "f_max",
          "mel_scale",
          "norm",
          "log",
          "top_db");

  private static final List<String> OF_BANDS =
      List.of("n_mels", "f_min", "f_max", "mel_scale", "norm");

  private static final int WHISPER_RATE = 16_000;

  /// Copies the options and checks them at the rate that most sound has.
  public SpectrogramSetting {
    Map<String, String> ordered = new LinkedHashMap<>();
    for (String name : NAMES) {
      String value = options.get(name);
      if (value != null) {
        ordered.put(name, value);
      }
    }
    options = Collections.unmodifiableMap(ordered);
  }

  /// {@return the setting that the rest of a step says}
  ///
  /// @param mel whether bands are made
  /// @throws ConfigException if it is not understood
  public static SpectrogramSetting parse(Spec spec, boolean mel) {
    Preset preset = mel ? Preset.WHISPER : Preset.PRESTO;
    for (Preset each : Preset.values()) {
      preset = spec.takes(Spec.word(each)) ? each : preset;
    }
    if (!mel && preset == Preset.WHISPER) {
      throw spec.bad("Whisper takes mel bands: say log_mel=whisper");
    }
    boolean heightFirst = spec.takes(heightFirst(mel));
    Map<String, String> options = new LinkedHashMap<>();
    for (String name : NAMES) {
      String value = spec.option(name);
      if (value != null && !mel && OF_BANDS.contains(name)) {
        throw spec.bad(name + " is about mel bands: say log_mel");
      }
      if (value != null) {
        options.put(name, value);
      }
    }
    var setting = spec.end(new SpectrogramSetting(preset, mel, options, heightFirst));
    SpectrogramSpec _ = setting.at(WHISPER_RATE); // refuses what makes no sense at any rate
    return setting;
  }

  private static String heightFirst(boolean mel) {
    return mel ? "mels_first" : "bins_first";
  }

  /// {@return the text after the step's name and equals sign}
  public String spec() {
    var text = new StringBuilder(Spec.word(preset));
    options.forEach((name, value) -> text.append(':').append(name).append('=').append(value));
    return text + (heightFirst ? ":" + heightFirst(mel) : "");
  }

  /// {@return whether columns lie where the sample rate says}
  public boolean dependsOnRate() {
    return preset == Preset.PRESTO
        && !(options.containsKey("win_length") && options.containsKey("hop_length"));
  }

  /// {@return what to make of sound at a rate}
  ///
  /// @param rate frames a second
  /// @throws ConfigException if that makes no sense at this rate
  public SpectrogramSpec at(int rate) {
    if (preset == Preset.WHISPER && rate != WHISPER_RATE) {
      throw new ConfigException(
          "log_mel=whisper of sound at %d Hz: put resample=%d before"
              .formatted(rate, WHISPER_RATE));
    }
    boolean presto = preset == Preset.PRESTO;
    int fft = whole("n_fft", presto ? 1024 : 400);
    int window = whole("win_length", presto ? rate / 50 : fft);
    int hop =
        whole(
            "hop_length",
            presto ? rate / 100 : preset == Preset.WHISPER ? WHISPER_RATE / 100 : window / 2);
    int power = whole("power", presto ? 1 : 2);
    return new SpectrogramSpec(
        rate, window, hop, fft, framing(), power, mel ? bands(rate) : null, loudness());
  }

  private SpectrogramSpec.Framing framing() {
    String centre = options.get("center");
    return switch (centre) {
      case null ->
          switch (preset) {
            case PRESTO -> SpectrogramSpec.Framing.WINDOWS;
            case TORCHAUDIO -> SpectrogramSpec.Framing.CENTRES;
            case WHISPER -> SpectrogramSpec.Framing.WHISPER;
          };
      case "true" -> SpectrogramSpec.Framing.CENTRES;
      case "false" ->
          preset == Preset.PRESTO
              ? SpectrogramSpec.Framing.WINDOWS
              : SpectrogramSpec.Framing.TRANSFORMS;
      default -> throw bad("center", centre, "true or false");
    };
  }

  private MelBands bands(int rate) {
    boolean presto = preset == Preset.PRESTO;
    boolean whisper = preset == Preset.WHISPER;
    String scale =
        options.getOrDefault("mel_scale", presto ? "tensorflow" : whisper ? "slaney" : "htk");
    String norm = options.getOrDefault("norm", whisper ? "slaney" : "none");
    if (!norm.equals("slaney") && !norm.equals("none")) {
      throw bad("norm", norm, "slaney or none");
    }
    return new MelBands(
        whole("n_mels", preset == Preset.TORCHAUDIO ? 128 : 80),
        number("f_min", presto ? 125 : 0),
        number("f_max", presto ? 3800 : rate / 2.0),
        switch (scale) {
          case "htk" -> MelBands.Scale.HTK;
          case "slaney" -> MelBands.Scale.SLANEY;
          case "tensorflow" -> MelBands.Scale.TENSORFLOW;
          default -> throw bad("mel_scale", scale, "htk, slaney or tensorflow");
        },
        norm.equals("slaney"));
  }

  private Loudness loudness() {
    String log = options.get("log");
    Loudness.Kind kind;
    if (log == null) {
      kind =
          !mel
              ? Loudness.Kind.NONE
              : switch (preset) {
                case PRESTO -> Loudness.Kind.LN;
                case TORCHAUDIO -> Loudness.Kind.DB;
                case WHISPER -> Loudness.Kind.WHISPER;
              };
    } else {
      kind =
          switch (log.toLowerCase(Locale.ROOT)) {
            case "none" -> Loudness.Kind.NONE;
            case "ln" -> Loudness.Kind.LN;
            case "db" -> Loudness.Kind.DB;
            case "whisper" -> Loudness.Kind.WHISPER;
            default -> throw bad("log", log, "none, ln, db or whisper");
          };
    }
    @Nullable String top = options.get("top_db");
    if (top != null && kind != Loudness.Kind.DB) {
      throw bad("top_db", top, "log=db with it");
    }
    return switch (kind) {
      case NONE -> Loudness.NONE;
      case LN -> Loudness.PRESTO;
      case WHISPER -> Loudness.WHISPER;
      case DB ->
          new Loudness(kind, Loudness.DECIBELS.floor(), number("top_db", Double.POSITIVE_INFINITY));
    };
  }

  private int whole(String name, int otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw bad(name, value, "a whole number");
    }
  }

  private double number(String name, double otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw bad(name, value, "a number");
    }
  }

  private static ConfigException bad(String name, String value, String expected) {
    return new ConfigException("%s=%s: expected %s".formatted(name, value, expected));
  }
}
