package io.headrace.sound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  private void refused(byte[] flac, Fault fault, String words) {
    assertThatThrownBy(() -> listener.shorts(flac))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  /// {@return the tone with silence from one sample to another}
  private static short[] silent(int from, int to) {
    short[] tone = Sounds.tone();
    Arrays.fill(tone, from, to, (short) 0);
    return tone;
  }

  private static int offset(List<byte[]> parts, int frame) {
    return parts.subList(0, frame + 1).stream().mapToInt(part -> part.length).sum();
  }

  /// The place is named; salvaged, what the frame held is silent and all else is as it was.
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 10})
  void damagedFrameIsCorruptAndSalvagedAsSilence(int frame) throws DecodeException {
    List<byte[]> parts = FlacFrames.parts(tone());
    int block = 4096;
    byte[] broken = parts.get(frame + 1);
    byte[] whole = broken.clone();
    for (int at : new int[] {0, 5, 8, whole.length / 2, whole.length - 1}) {
      System.arraycopy(whole, 0, broken, 0, whole.length);
      broken[at] ^= 0x10;
      byte[] damaged = FlacFrames.join(parts);
      refused(damaged, Fault.CORRUPT, "byte " + offset(parts, frame) + "]");
      assertThat(listener.salvage(damaged))
          .as("byte %d of frame %d", at, frame)
          .isEqualTo(silent(frame * block, Math.min(44_100, (frame + 1) * block)));
      listener.salvage(damaged);
      assertThat(listener.decoder().notes().toString()).contains("CORRUPT: flac: frame " + frame);
    }
  }

  @Test
  void missingFrameIsCorruptAndSalvagedAsSilence() throws DecodeException {
    for (int total : new int[] {44_100, 0}) {
      List<byte[]> parts = FlacFrames.parts(withTotal(tone(), total));
      parts.remove(5);
      byte[] damaged = FlacFrames.join(parts);
      refused(damaged, Fault.CORRUPT, "frame 4 starts at sample");
      assertThat(listener.salvage(damaged)).isEqualTo(silent(4 * 4096, 5 * 4096));
    }
  }

  @Test
  void cutFrameIsTruncated() throws DecodeException {
    byte[] flac = tone();
    refused(Arrays.copyOf(flac, flac.length - 20), Fault.TRUNCATED, "is cut short, after 40960");
    assertThat(listener.salvage(Arrays.copyOf(flac, flac.length - 20)))
        .isEqualTo(Arrays.copyOf(Sounds.tone(), 40_960));
  }

  /// A note, not a word more: the samples are all there.
  @Test
  void somethingElseBetweenOrAfterFramesIsNoted() throws DecodeException {
    List<byte[]> parts = FlacFrames.parts(tone());
    for (int after : new int[] {1, 4, parts.size()}) {
      for (byte[] junk : List.of(new byte[1], new byte[1000], "JUNK".repeat(40).getBytes(UTF_8))) {
        List<byte[]> more = new ArrayList<>(parts);
        more.add(after, junk);
        byte[] flac = FlacFrames.join(more);
        assertThat(listener.shorts(flac)).isEqualTo(Sounds.tone());
        assertThat(listener.decoder().notes().toString())
            .contains("flac: " + junk.length + " bytes", "[byte " + offset(parts, after - 1));
      }
    }
  }

  /// Rate, channels and bits: the frames after the change are those of another stream.
  @Test
  void changeInMidStreamIsUnsupportedWithItsPlace() throws DecodeException {
    short[] pairs = new short[20_000];
    List<byte[]> others =
        List.of(
            Sounds.encode(Sounds.tone(10_000, 48_000), 1, 48_000, new AudioEncoding.Flac(16, 5)),
            Sounds.encode(pairs, 2, 44_100, new AudioEncoding.Flac(16, 5)),
            Sounds.encode(Sounds.noise(10_000, 1), 1, 44_100, new AudioEncoding.Flac(24, 5)));
    List<String> words = List.of("48000 Hz, 1 ch", "44100 Hz, 2 ch", "44100 Hz, 1 channels, 24 b");
    for (int i = 0; i < others.size(); i++) {
      List<byte[]> mixed = FlacFrames.parts(tone());
      int end = offset(mixed, mixed.size() - 1);
      List<byte[]> other = FlacFrames.parts(others.get(i));
      mixed.addAll(other.subList(1, other.size()));
      byte[] flac = withTotal(FlacFrames.join(mixed), 54_100);
      refused(flac, Fault.UNSUPPORTED, "to " + words.get(i));
      refused(flac, Fault.UNSUPPORTED, "[frame 11, sample 44100, byte " + end + "]");
      assertThat(listener.salvage(flac)).isEqualTo(Sounds.tone());
    }
  }

  /// Made by flac 1.4.2 (`flac --lax -8 -b 256`) from 600 pairs of [#sample].
  @ParameterizedTest
  @ValueSource(ints = {12, 15, 20, 32})
  void anyNumberOfBitsIsRead(int bits) throws DecodeException {
    byte[] flac = Sounds.resource("bits-" + bits + ".flac");
    assertThat(listener.probe(flac))
        .isEqualTo(new AudioInfo(AudioFormat.FLAC, 48_000, 2, 600, bits, false));
    int[] ints = listener.ints(flac);
    float[] floats = listener.floats(flac);
    short[] shorts = listener.shorts(flac);
    for (int i = 0; i < 1200; i++) {
      long sample = sample(i / 2, i % 2, bits);
      assertThat(ints[i]).isEqualTo((int) (sample << (32 - bits)));
      assertThat(floats[i]).isEqualTo((float) (sample / (double) (1L << (bits - 1))));
      assertThat(shorts[i]).isEqualTo((short) (sample << (32 - bits) >> 16));
    }
    assertThat(verify(flac)).isTrue();
  }

  private static long sample(int i, int channel, int bits) {
    long wave = Math.abs((37L + channel) * i % 400 - 200) - 100;
    long noise = (i * 7919L + channel * 104_729L) % 13 - 6;
    long value = Math.floorDiv(wave << bits, 256) + noise;
    long most = 1L << (bits - 1);
    return Math.clamp(value, -most, most - 1);
  }

  /// Frames of the widths that only a header of its own says, four bits among them.
  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 11, 31})
  void anyNumberOfBitsIsReadFromVerbatimFrames(int bits) throws DecodeException {
    int[] samples = Sounds.noise(100, bits);
    byte[] flac = FlacFrames.verbatim(samples, bits);
    int[] wanted = new int[samples.length];
    Arrays.setAll(wanted, i -> samples[i] >> (32 - bits) << (32 - bits));
    assertThat(listener.probe(flac).bits()).isEqualTo(bits);
    assertThat(listener.ints(flac)).isEqualTo(wanted);
  }

  @Test
  void tagBeforeTheStreamIsSkipped() throws DecodeException {
    byte[] tagged = new byte[tone().length + 20];
    System.arraycopy(new byte[] {'I', 'D', '3', 4, 0, 0, 0, 0, 0, 10}, 0, tagged, 0, 10);
    System.arraycopy(tone(), 0, tagged, 20, tone().length);
    assertThat(listener.shorts(tagged)).isEqualTo(Sounds.tone());
  }
}
