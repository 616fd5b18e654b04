package io.headrace.lab.codecs;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.AudioEncoding;
import io.headrace.sound.SampleType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sound and its encodings. The plain form is the samples, 16 bits each, for any file.
final class AudioSubject implements Subject<AudioEncoding> {
  private final List<Pcm> sounds;
  private final AudioDecoder decoder = new AudioDecoder();
  private final AudioEncoder encoder = new AudioEncoder();
  private final Block decoded = new Block(MemoryBudget.unbounded());
  private long frames;

  /// @param sounds at least one
  AudioSubject(List<Pcm> sounds) {
    this.sounds = sounds;
  }

  @Override
  public List<Setting<AudioEncoding>> settings(List<String> words) {
    return Setting.pick(AudioSpec.usual(), words, AudioSpec::parse);
  }

  @Override
  public int items() {
    return sounds.size();
  }

  @Override
  public String content() {
    return sounds.size() == 1 ? "1 sound" : sounds.size() + " sounds";
  }

  @Override
  public String base() {
    return "the files as found";
  }

  @Override
  public long baseBytes() {
    return sounds.stream().mapToLong(sound -> sound.stored().byteSize()).sum();
  }

  @Override
  public long plainBytes() {
    return sounds.stream().mapToLong(sound -> sound.samples().byteSize()).sum();
  }

  @Override
  public double seconds() {
    return sounds.stream()
        .mapToDouble(sound -> (double) sound.frames() / sound.info().sampleRate())
        .sum();
  }

  @Override
  public MemorySegment stored(int item) {
    return sounds.get(item).stored();
  }

  @Override
  public long encode(int item, AudioEncoding encoding, Block out) throws DecodeException {
    Pcm sound = sounds.get(item);
    return encoder.encode(
        sound.samples(),
        SampleType.INT16,
        sound.frames(),
        sound.info().channels(),
        sound.info().sampleRate(),
        encoding,
        out);
  }

  @Override
  public void decode(int item, MemorySegment encoded, Setting<AudioEncoding> setting)
      throws DecodeException {
    frames = decoder.decode(encoded, SampleType.INT16, decoded);
  }

  /// Compares sample by sample; where one is shorter, silence stands for what is missing.
  @Override
  public Quality compare(List<MemorySegment> encoded, Setting<AudioEncoding> setting)
      throws DecodeException {
    double signal = 0;
    double noise = 0;
    boolean equal = true;
    for (int i = 0; i < encoded.size(); i++) {
      Pcm sound = sounds.get(i);
      decode(i, encoded.get(i), setting);
      long count = frames * sound.info().channels();
      long all = sound.samples().byteSize() / Short.BYTES;
      equal &= count == all;
      for (long k = 0; k < Math.max(count, all); k++) {
        int a = k < all ? sound.samples().getAtIndex(JAVA_SHORT, k) : 0;
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
    decoder.close();
    encoder.close();
    decoded.close();
  }
}
