package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws of damage: no crash, no hang, bounded memory, and what is cut is never taken for whole.
final class AudioFuzzTest {
  private static final int FRAMES = 3000;

  /// Far more than the sound needs, far less than a header can announce.
  private final MemoryBudget budget = new MemoryBudget(8 << 20);

  private final Block out = new Block(budget);
  private final AudioDecoder decoder = new AudioDecoder();

  @AfterEach
  void close() {
    decoder.close();
    out.close();
  }

  static List<AudioEncoding> encodings() {
    return List.of(
        new AudioEncoding.Wav(16),
        new AudioEncoding.Wav(32, true),
        new AudioEncoding.Flac(16, 5),
        new AudioEncoding.Mp3(96),
        new AudioEncoding.Mp3Vbr(4),
        new AudioEncoding.Vorbis(0.3));
  }

  private static byte[] tone(AudioEncoding encoding) throws DecodeException {
    return Sounds.encode(Sounds.tone(FRAMES, 22_050), 1, 22_050, encoding);
  }

  private byte[] decode(byte[] bytes) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sound = Sounds.offHeap(arena, bytes);
      decoder.probe(sound);
      long frames = decoder.decode(sound, SampleType.INT16, out);
      return out.memory().asSlice(0, 2 * frames).toArray(JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void cutSoundIsNeverTakenForWhole(AudioEncoding encoding) throws DecodeException {
    byte[] whole = tone(encoding);
    byte[] samples = decode(whole);
    Random random = new Random(11);
    for (int i = 0; i < 60; i++) {
      int length = i < 20 ? whole.length - 1 - i : random.nextInt(whole.length);
      try {
        assertThat(decode(Corrupter.cut(whole, length)))
            .as("%s cut to %d of %d", encoding, length, whole.length)
            .isEqualTo(samples);
      } catch (DecodeException e) {
        assertThat(e.fault())
            .as("cut to %d of %d: %s", length, whole.length, e.getMessage())
            .isIn(
                Fault.TRUNCATED,
                length < 64 ? Fault.MISMATCH : Fault.TRUNCATED,
                length < 6000 ? Fault.CORRUPT : Fault.TRUNCATED);
      }
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void damageNeverCrashesOrHangs(long seed) throws DecodeException {
    Random random = new Random(seed);
    for (AudioEncoding encoding : encodings()) {
      byte[] whole = tone(encoding);
      assertTimeout(
          Duration.ofSeconds(10),
          () -> {
            for (int i = 0; i < 8; i++) {
              damage(whole.clone(), random);
            }
          });
    }
  }

  /// Flips bits or overwrites bytes, half of the time in the headers, and decodes every way.
  private void damage(byte[] bytes, Random random) {
    int hits = 1 + random.nextInt(4);
    for (int i = 0; i < hits; i++) {
      int at = random.nextInt(random.nextBoolean() ? Math.min(100, bytes.length) : bytes.length);
      bytes[at] = random.nextBoolean() ? (byte) (bytes[at] ^ (1 << random.nextInt(8))) : (byte) -1;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sound = Sounds.offHeap(arena, bytes);
      for (SampleType type : SampleType.values()) {
        try {
          decoder.decode(sound, type, out);
        } catch (DecodeException e) {
          assertThat(e).hasMessageMatching("(?s).{8,}");
        }
        try {
          decoder.salvage(sound, type, out);
        } catch (DecodeException e) {
          assertThat(e).hasMessageMatching("(?s).{8,}");
        }
      }
      try {
        decoder.verify(sound);
      } catch (DecodeException e) {
        assertThat(e).hasMessageMatching("(?s).{8,}");
      }
    }
    assertThat(budget.peak()).isLessThanOrEqualTo(budget.limit());
  }
}
