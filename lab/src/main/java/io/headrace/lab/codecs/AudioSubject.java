package io.headrace.lab.codecs;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.AudioEncoding;
import io.headrace.sound.AudioTarget;
import io.headrace.sound.SampleType;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sound and its encodings. The plain form is the samples, 16 bits each, for any file.
final class AudioSubject extends Subject<AudioEncoding, Pcm> {
  private static final List<String> USUAL =
      List.of(
          Setting.ORIGINAL,
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

  private final AudioDecoder decoder = new AudioDecoder();
  private final AudioEncoder encoder = new AudioEncoder();
  private long frames;

  /// @param sounds at least one
  AudioSubject(List<Pcm> sounds) {
    super(sounds, sounds.size() == 1 ? "1 sound" : sounds.size() + " sounds", Setting.AS_FOUND);
  }

  @Override
  List<Setting<AudioEncoding>> settings(List<String> words) {
    return Setting.pick(USUAL, words, AudioSubject::parse);
  }

  /// {@return the encoding of that spelling: `wav`, `flac:LEVEL`, `mp3:KILOBITS`, `mp3:vQUALITY`,
  ///     `vorbis:QUALITY`}
  static AudioEncoding parse(String text) {
    Spec spec = Spec.commas("sound encoding", text);
    AudioTarget target = AudioTarget.parse(spec);
    if (target == null) {
      throw spec.unknown("wav, flac, mp3 or vorbis");
    }
    return target.ofShorts();
  }

  @Override
  double seconds() {
    return items.stream()
        .mapToDouble(sound -> (double) sound.frames() / sound.info().sampleRate())
        .sum();
  }

  @Override
  long encode(Pcm sound, AudioEncoding encoding, Block out) throws DecodeException {
    return sound.encode(encoder, encoding, out);
  }

  @Override
  void decode(Pcm sound, MemorySegment encoded, Setting<AudioEncoding> setting)
      throws DecodeException {
    frames = decoder.decode(encoded, SampleType.INT16, decoded);
  }

  /// Compares sample by sample; where one is shorter, silence stands for what is missing.
  @Override
  Quality compare(List<MemorySegment> encoded, Setting<AudioEncoding> setting)
      throws DecodeException {
    double signal = 0;
    double noise = 0;
    boolean equal = true;
    for (int i = 0; i < encoded.size(); i++) {
      Pcm sound = items.get(i);
      decode(sound, encoded.get(i), setting);
      long count = frames * sound.info().channels();
      long all = sound.plain().byteSize() / Short.BYTES;
      equal &= count == all;
      for (long k = 0; k < Math.max(count, all); k++) {
        int a = k < all ? sound.plain().getAtIndex(JAVA_SHORT, k) : 0;
        int b = k < count ? decoded.memory().get(JAVA_SHORT_UNALIGNED, k * Short.BYTES) : 0;
        signal += (double) a * a;
        noise += (double) (a - b) * (a - b);
      }
    }
    if (noise == 0) {
      return equal ? new Quality.Exact() : new Quality.Sound(Double.POSITIVE_INFINITY);
    }
    return new Quality.Sound(10 * Math.log10(signal / noise));
  }

  @Override
  public void close() {
    super.close();
    decoder.close();
    encoder.close();
  }
}
