package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class AudioDecoderTest {
  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final AudioDecoder decoder = new AudioDecoder();

  @AfterEach
  void close() {
    decoder.close();
    out.close();
    arena.close();
  }

  static List<AudioEncoding> encodings() {
    return List.of(
        new AudioEncoding.Wav(16),
        new AudioEncoding.Flac(16, 5),
        new AudioEncoding.Mp3(128),
        new AudioEncoding.Vorbis(0.4));
  }

  private MemorySegment tone(int frames, AudioEncoding encoding) throws DecodeException {
    return Sounds.offHeap(arena, Sounds.encode(Sounds.tone(frames, 44_100), 1, 44_100, encoding));
  }

  private void refused(byte[] bytes, Fault fault, String words) {
    MemorySegment sound = Sounds.offHeap(arena, bytes);
    assertThatThrownBy(() -> decoder.probe(sound))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
    assertThatThrownBy(() -> decoder.decode(sound, SampleType.INT16, out))
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @CsvSource({
    "FORM....AIFF........, UNSUPPORTED, AIFF",
    "....ftypM4A ........, UNSUPPORTED, M4A",
    "caff................, UNSUPPORTED, Core Audio",
    "RIFX....WAVE........, UNSUPPORTED, big-endian",
    "RIFF....WEBPVP8 ...., MISMATCH, WebP",
    "%PDF-1.4............, MISMATCH, PDF",
    "hello, MISMATCH, starts with 68 65 6c 6c"
  })
  void otherThingsAreNamed(String bytes, Fault fault, String words) {
    refused(bytes.getBytes(StandardCharsets.ISO_8859_1), fault, words);
  }

  @Test
  void otherMpegAudioIsNamed() {
    refused(new byte[] {-1, -3, -112, 0, 0, 0}, Fault.UNSUPPORTED, "layer II:");
    refused(new byte[] {-1, -15, 80, -128, 0, 0}, Fault.UNSUPPORTED, "AAC");
    refused(new byte[0], Fault.MISMATCH, "no bytes");
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void contentTellsTheFormat(AudioEncoding encoding) throws DecodeException {
    assertThat(AudioFormat.detect(tone(3000, encoding))).isEqualTo(encoding.format());
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void segmentIsFilledAndNothingElse(AudioEncoding encoding) throws DecodeException {
    MemorySegment sound = tone(5000, encoding);
    AudioInfo info = decoder.probe(sound);
    for (SampleType type : SampleType.values()) {
      MemorySegment samples = arena.allocate(info.bytes(type) + 64).fill((byte) 0x5a);
      decoder.decode(sound, info, type, samples);
      assertThat(samples.asSlice(info.bytes(type)).toArray(JAVA_BYTE)).containsOnly(0x5a);
      decoder.decode(sound, type, out);
      assertThat(
              MemorySegment.mismatch(
                  samples, 0, info.bytes(type), out.memory(), 0, info.bytes(type)))
          .isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void announcementOfAnotherLengthIsAMismatch(AudioEncoding encoding) throws DecodeException {
    MemorySegment sound = tone(5000, encoding);
    for (int frames : new int[] {4000, 6000}) {
      AudioInfo other = decoder.probe(tone(frames, encoding));
      MemorySegment samples = arena.allocate(other.bytes(SampleType.INT16));
      assertThatThrownBy(() -> decoder.decode(sound, other, SampleType.INT16, samples))
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.MISMATCH);
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void limitsHold(AudioEncoding encoding) throws DecodeException {
    MemorySegment sound = tone(5000, encoding);
    try (var strict = new AudioDecoder(4999, true);
        var poor = new Block(new MemoryBudget(5000))) {
      assertThatThrownBy(() -> strict.probe(sound))
          .hasMessageContaining("5000 frames, over the limit of 4999");
      assertThatThrownBy(() -> strict.decode(sound, SampleType.INT16, out))
          .hasMessageContaining("over the limit");
      assertThatThrownBy(() -> decoder.decode(sound, SampleType.INT16, poor))
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
  }

  @Test
  void memoryBudgetBoundsTheEncoder() {
    try (var encoder = new AudioEncoder();
        var poor = new Block(new MemoryBudget(5000))) {
      MemorySegment samples = arena.allocate(20_000);
      for (AudioEncoding encoding : encodings()) {
        if (encoding instanceof AudioEncoding.Wav) {
          assertThatThrownBy(
                  () -> encoder.encode(samples, SampleType.INT16, 10_000, 1, 8000, encoding, poor))
              .isInstanceOf(DecodeException.class)
              .extracting(e -> ((DecodeException) e).fault())
              .isEqualTo(Fault.LIMIT);
        }
      }
    }
  }

  /// Entry 124, as far as a codec goes: lengths differ, and each is told exactly.
  @ParameterizedTest
  @MethodSource("encodings")
  void lengthsOfClipsAreTold(AudioEncoding encoding) throws DecodeException {
    for (int frames : new int[] {5440, 5120, 1}) {
      MemorySegment sound = tone(frames, encoding);
      assertThat(decoder.probe(sound).frames()).isEqualTo(frames);
      assertThat(decoder.decode(sound, SampleType.FLOAT32, out)).isEqualTo(frames);
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void decodingMakesLittleGarbage(AudioEncoding encoding) throws DecodeException {
    MemorySegment sound = tone(1500, encoding);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 8; round++) {
      long start = Allocations.ofThisThread();
      for (int i = 0; i < 100; i++) {
        decoder.decode(sound, SampleType.INT16, out);
      }
      least = Math.min(least, (Allocations.ofThisThread() - start) / 100);
    }
    assertThat(least).as("bytes a decoded sound").isLessThanOrEqualTo(4096);
  }

  /// The 3,000 recordings of the Free Spoken Digit Dataset, where they are at hand.
  @Test
  void spokenDigitsAreReadWhole() throws IOException, DecodeException {
    Path root = Path.of(System.getProperty("headrace.root", ".."));
    Path folder = root.resolve("../shared/data/spoken-digits");
    assumeTrue(Files.isDirectory(folder));
    int files = 0;
    try (Stream<Path> list = Files.list(folder)) {
      for (Path path : list.filter(p -> p.toString().endsWith(".wav")).toList()) {
        try (Arena scope = Arena.ofConfined()) {
          byte[] wav = Files.readAllBytes(path);
          MemorySegment sound = Sounds.offHeap(scope, wav);
          AudioInfo info = decoder.probe(sound);
          assertThat(info.sampleRate()).as("%s", path).isEqualTo(8000);
          assertThat(decoder.decode(sound, SampleType.INT16, out)).isEqualTo(info.frames());
          assertThat(
                  MemorySegment.mismatch(
                      out.memory(), 0, 2 * info.frames(), sound, 44, 44 + 2 * info.frames()))
              .isEqualTo(-1);
          files++;
        }
      }
    }
    assertThat(files).isEqualTo(3000);
  }
}
