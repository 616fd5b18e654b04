package io.headrace.lab.codecs;

import io.headrace.error.ConfigException;
import io.headrace.sound.AudioEncoding;
import java.util.List;
import java.util.stream.Stream;

/// The spelling of sound encodings: `wav`, `flac:LEVEL`, `mp3:KILOBITS`, `mp3:vQUALITY`,
/// `vorbis:QUALITY`.
final class AudioSpec {
  private static final List<String> USUAL =
      List.of(
          "wav",
          "flac:0",
          "flac:5",
          "flac:8",
          "mp3:128",
          "mp3:v2",
          "mp3:v4",
          "mp3:v7",
          "vorbis:0.8",
          "vorbis:0.4");

  private AudioSpec() {}

  /// {@return every sound encoding at its usual settings, the files as they were found first}
  static List<Setting<AudioEncoding>> usual() {
    return Stream.concat(
            Stream.of(Setting.<AudioEncoding>original()),
            USUAL.stream().map(spec -> Setting.of(spec, AudioSpec::parse)))
        .toList();
  }

  static AudioEncoding parse(String spec) {
    int colon = spec.indexOf(':');
    String label = colon < 0 ? spec : spec.substring(0, colon);
    String option = colon < 0 ? "" : spec.substring(colon + 1);
    try {
      return switch (label) {
        case "wav" -> {
          if (!option.isEmpty()) {
            throw bad(spec, "it has no options here: samples are of 16 bits");
          }
          yield new AudioEncoding.Wav(16);
        }
        case "flac" -> new AudioEncoding.Flac(16, option.isEmpty() ? 5 : Integer.parseInt(option));
        case "mp3" ->
            option.isEmpty() || option.startsWith("v")
                ? new AudioEncoding.Mp3Vbr(
                    option.isEmpty() ? 4 : Integer.parseInt(option.substring(1)))
                : new AudioEncoding.Mp3(Integer.parseInt(option));
        case "vorbis" ->
            new AudioEncoding.Vorbis(option.isEmpty() ? 0.4 : Double.parseDouble(option));
        default -> throw bad(spec, "unknown");
      };
    } catch (NumberFormatException e) {
      throw bad(spec, "'" + option + "' is not a number");
    }
  }

  private static ConfigException bad(String spec, String what) {
    return new ConfigException("sound encoding '" + spec + "': " + what);
  }
}
