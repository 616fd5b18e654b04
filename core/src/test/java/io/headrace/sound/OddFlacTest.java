package io.headrace.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// FLAC files that people found other readers to get wrong.
final class OddFlacTest {
  /// Where the 36 bits of the total number of samples end.
  private static final int TOTAL = 26;

  private static final int MD5 = 26;

  private final Listener listener = new Listener();

  @AfterEach
  void close() {
    listener.close();
  }

  private static byte[] tone() throws DecodeException {
    return Sounds.encode(Sounds.tone(), 1, 44_100, new AudioEncoding.Flac(16, 5));
  }

  private static byte[] withTotal(byte[] flac, int total) {
    byte[] copy = flac.clone();
    ByteBuffer.wrap(copy).putInt(TOTAL - 4, total);
    return copy;
  }

  private boolean verify(byte[] flac) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = Sounds.offHeap(arena, flac);
      return listener.decoder().verify(bytes);
    }
  }

  /// Entry 116.
  @Test
  void lengthFieldCountsAndWhatFollowsIsNoted() throws DecodeException {
    byte[] flac = withTotal(tone(), 44_000);
    assertThat(listener.probe(flac).frames()).isEqualTo(44_000);
    assertThat(listener.shorts(flac)).isEqualTo(Arrays.copyOf(Sounds.tone(), 44_000));
    listener.shorts(flac);
    assertThat(listener.decoder().notes().toString())
        .contains("STREAMINFO says 44000 frames, 100 more follow");
  }

  @Test
  void lengthFieldOfZeroMeansUnknown() throws DecodeException {
    byte[] flac = withTotal(tone(), 0);
    assertThat(listener.probe(flac).frames()).isEqualTo(44_100);
    assertThat(listener.shorts(flac)).isEqualTo(Sounds.tone());
    assertThat(listener.decoder().notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {44_101, 50_000, Integer.MAX_VALUE})
  void lengthFieldBeyondTheFramesIsTruncated(int total) throws DecodeException {
    byte[] flac = withTotal(tone(), total);
    var patient = new Listener(new AudioDecoder(Long.MAX_VALUE, true));
    assertThatThrownBy(() -> patient.shorts(flac))
        .hasMessageContaining("44100 of " + total)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.TRUNCATED);
    assertThat(patient.salvage(flac)).isEqualTo(Sounds.tone());
    patient.close();
  }

  /// Entry 118.
  @Test
  void fullScaleKeepsItsSign() throws DecodeException {
    int[] pairs = new int[2 * 5000];
    for (int i = 0; i < 5000; i++) {
      boolean run = i < 2000;
      pairs[2 * i] = Integer.MIN_VALUE;
      pairs[2 * i + 1] = run ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    }
    for (int bits : new int[] {16, 24}) {
      float[] sound =
          listener.floats(Sounds.encode(pairs, 2, 44_100, new AudioEncoding.Flac(bits, 8)));
      float most = bits == 16 ? 32_767 / 32_768f : 8_388_607 / 8_388_608f;
      for (int i = 0; i < pairs.length; i++) {
        if (sound[i] != (pairs[i] < 0 ? -1 : most)) {
          throw new AssertionError("%d bits, sample %d: %s".formatted(bits, i, sound[i]));
        }
      }
    }
  }

  /// Entry 120.
  @Test
  void wrongMd5IsFoundByVerifyingOnly() throws DecodeException {
    byte[] wrong = Corrupter.flipBit(tone(), 8L * MD5);
    assertThat(listener.shorts(wrong)).isEqualTo(Sounds.tone());
    assertThatThrownBy(() -> verify(wrong))
        .hasMessageContaining("MD5")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.CORRUPT);
    assertThat(verify(tone())).isTrue();
    byte[] none = tone();
    Arrays.fill(none, MD5, MD5 + 16, (byte) 0);
    assertThat(verify(none)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 24})
  void md5HoldsAtEveryWidth(int bits) throws DecodeException {
    int[] noise = Sounds.noise(3 * 3000, 3);
    assertThat(verify(Sounds.encode(noise, 3, 8000, new AudioEncoding.Flac(bits, 5)))).isTrue();
  }

  /// Entry 122.
  @Test
  void frameHeadersThatPointToStreamInfoAreRead() throws DecodeException {
    byte[] flac = FlacFrames.rewrite(tone(), (frame, header) -> header[3] &= (byte) 0xf1);
    assertThat(listener.shorts(flac)).isEqualTo(Sounds.tone());
    assertThat(listener.decoder().notes()).isEmpty();
  }

  /// Entry 122.
  @Test
  void frameNumbersThatStartAnewAreNoted() throws DecodeException {
    byte[] flac =
        FlacFrames.rewrite(
            tone(),
            (frame, header) -> {
              if (frame > 2) {
                header[4] = (byte) (frame - 3);
              }
            });
    assertThat(listener.shorts(flac)).isEqualTo(Sounds.tone());
    assertThat(listener.decoder().notes().toString()).contains("by its number");
  }

  @Test
  void damagedFrameIsCorrupt() throws DecodeException {
    byte[] flac = tone();
    byte[] damaged = Corrupter.flipBit(flac, 8L * flac.length / 2);
    assertThatThrownBy(() -> listener.shorts(damaged))
        .isInstanceOf(DecodeException.class)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.CORRUPT);
    assertThat(listener.salvage(damaged).length).isLessThanOrEqualTo(44_100);
    assertThat(listener.decoder().notes()).isNotEmpty();
  }

  @Test
  void bytesBehindTheLastFrameDoNoHarm() throws DecodeException {
    for (int more : new int[] {1, 128, 1000}) {
      byte[] flac = Arrays.copyOf(tone(), tone().length + more);
      assertThat(listener.shorts(flac)).isEqualTo(Sounds.tone());
    }
  }

  @Test
  void tagBeforeTheStreamIsSkipped() throws DecodeException {
    byte[] tagged = new byte[tone().length + 20];
    System.arraycopy(new byte[] {'I', 'D', '3', 4, 0, 0, 0, 0, 0, 10}, 0, tagged, 0, 10);
    System.arraycopy(tone(), 0, tagged, 20, tone().length);
    assertThat(listener.shorts(tagged)).isEqualTo(Sounds.tone());
  }
}
