package io.headrace.lab.codecs;

import io.headrace.sound.AudioEncoding;
import io.headrace.sound.AudioTarget;
import io.headrace.spec.Spec;
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

  static AudioEncoding parse(String text) {
    Spec spec = Spec.commas("sound encoding", text);
    AudioTarget target = AudioTarget.parse(spec);
    if (target == null) {
      throw spec.unknown("wav, flac, mp3 or vorbis");
    }
    return target.ofShorts();
  }
}
