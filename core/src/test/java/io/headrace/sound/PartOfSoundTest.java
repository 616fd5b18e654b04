package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SoundProcessor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A part of a sound is, bit for bit, what the whole has there.
final class PartOfSoundTest {
  /// {@return noise whose loudness changes all the time, so that encoders fill and empty their bit
  ///     reservoir}
  private static short[] restless(int samples, long seed) {
    var random = new Random(seed);
    short[] sound = new short[samples];
    double loud = 0;
    for (int i = 0; i < samples; i++) {
      if (i % 1500 == 0) {
        loud = Math.pow(random.nextDouble(), 4) * 12_000;
      }
      sound[i] = (short) (loud * Math.sin(i * i * 1e-6) + random.nextGaussian() * loud / 4);
    }
    return sound;
  }

  private static AudioEncoding encoding(String name, int rate) {
    return switch (name) {
      case "wav" -> new AudioEncoding.Wav(16);
      case "vbr" -> new AudioEncoding.Mp3Vbr(4);
      default -> new AudioEncoding.Mp3(rate);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "wav, 0, 16000, 2",
    "mp3, 64, 48000, 1",
    "mp3, 32, 48000, 1",
    "mp3, 320, 44100, 2",
    "mp3, 128, 44100, 2",
    "vbr, 0, 44100, 2",
  })
  void partsAreThoseOfTheWhole(String kind, int kilobits, int rate, int channels)
      throws DecodeException {
    byte[] file =
        Sounds.encode(restless(120_000 * channels, rate), channels, rate, encoding(kind, kilobits));
    var random = new Random(7);
    try (Arena arena = Arena.ofConfined();
        var decoder = new AudioDecoder();
        var other = new AudioDecoder()) {
      MemorySegment encoded = Sounds.offHeap(arena, file);
      AudioInfo info = decoder.probe(encoded);
      MemorySegment whole = arena.allocate(info.bytes(SampleType.FLOAT32));
      decoder.decode(encoded, info, SampleType.FLOAT32, whole);
      float[] all = whole.toArray(JAVA_FLOAT);
      for (int i = 0; i < 25; i++) {
        int from = i == 0 ? 0 : random.nextInt((int) info.frames() - 1);
        int count = 1 + random.nextInt((int) Math.min(9000, info.frames() - from));
        MemorySegment part = arena.allocate(4L * count * channels);
        assertThat(other.decodePart(encoded, info, from, part)).as("from %d", from).isTrue();
        float[] there = Arrays.copyOfRange(all, from * channels, (from + count) * channels);
        assertThat(Arrays.mismatch(part.toArray(JAVA_FLOAT), there))
            .as("%d from %d", count, from)
            .isEqualTo(-1);
      }
    }
  }

  /// Law: a crop gives what it gives after all of the sound was decoded, mixed and resampled.
  @ParameterizedTest
  @CsvSource({
    "mp3, 64, 48000, 2, 'mono,resample=16000'",
    "mp3, 64, 44100, 2, 'resample=16000,mono'",
    "wav, 0, 8000, 1, 'mono,resample=16000'",
    "wav, 0, 44100, 2, 'resample=48000,mono'",
    "mp3, 48, 16000, 1, 'mono,resample=16000'",
  })
  void cropsAreThoseOfTheWhole(String kind, int kilobits, int rate, int channels, String before)
      throws DecodeException {
    byte[] file =
        Sounds.encode(restless(100_000 * channels, rate), channels, rate, encoding(kind, kilobits));
    Pipeline crop = Pipeline.parse(before + ",random_crop=0.5");
    Pipeline all = Pipeline.parse(before + ",gain=0,random_crop=0.5"); // which needs all of it
    Pipeline head = Pipeline.parse(before + ",pad_or_trim=0.25");
    try (Arena arena = Arena.ofConfined();
        var parts = new SoundProcessor(crop, MemoryBudget.unbounded());
        var wholes = new SoundProcessor(all, MemoryBudget.unbounded());
        var heads = new SoundProcessor(head, MemoryBudget.unbounded())) {
      MemorySegment encoded = Sounds.offHeap(arena, file);
      for (int id = 0; id < 12; id++) {
        MemorySegment part = arena.allocate(crop.outputSpec().bytes());
        MemorySegment whole = arena.allocate(all.outputSpec().bytes());
        parts.process(encoded, 3, 1, id, part);
        wholes.process(encoded, 3, 1, id, whole);
        assertThat(part.mismatch(whole)).as("%d", id).isEqualTo(-1);
      }
      MemorySegment start = arena.allocate(head.outputSpec().bytes());
      heads.process(encoded, 0, 0, 0, start);
      assertThat(start.toArray(JAVA_FLOAT)).isNotEqualTo(new float[(int) start.byteSize() / 4]);
    }
  }

  /// What is odd about a file shows, however little of it is wanted.
  @Test
  void aFileThatIsCutIsNoBetterForItsBeginning() throws DecodeException {
    byte[] whole = Sounds.encode(restless(100_000, 1), 1, 44_100, new AudioEncoding.Mp3(64));
    try (Arena arena = Arena.ofConfined();
        var decoder = new AudioDecoder()) {
      MemorySegment encoded = Sounds.offHeap(arena, whole);
      AudioInfo info = decoder.probe(encoded);
      MemorySegment part = arena.allocate(4L * 1000);
      assertThat(decoder.decodePart(encoded, info, 0, part)).isTrue();
      MemorySegment cut = Sounds.offHeap(arena, Arrays.copyOf(whole, whole.length / 2));
      assertThat(decoder.decodePart(cut, info, 0, part)).isFalse();
    }
  }
}
