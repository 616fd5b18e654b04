package io.headrace.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is encoded decodes: counts always, samples where nothing is lost.
final class AudioRoundTripTest {
  private final Listener listener = new Listener();

  @AfterEach
  void close() {
    listener.close();
  }

  private void integersSurvive(AudioEncoding encoding, int bits, int channels, int rate, int frames)
      throws DecodeException {
    int[] noise = Sounds.noise(frames * channels, 7);
    int[] kept = IntStream.of(noise).map(x -> x & (-1 << (32 - bits))).toArray();
    byte[] encoded = Sounds.encode(kept, channels, rate, encoding);
    assertThat(listener.probe(encoded))
        .isEqualTo(new AudioInfo(encoding.format(), rate, channels, frames, bits, false));
    assertThat(Arrays.equals(listener.ints(encoded), kept)).isTrue();
    short[] shorts = new short[kept.length];
    float[] floats = new float[kept.length];
    for (int i = 0; i < kept.length; i++) {
      shorts[i] = (short) (kept[i] >> 16);
      floats[i] = (float) (kept[i] / 2147483648.0);
    }
    assertThat(Arrays.equals(listener.shorts(encoded), shorts)).isTrue();
    assertThat(Arrays.equals(listener.floats(encoded), floats)).isTrue();
    assertThat(listener.decoder().notes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "8, 1, 8000, 1000",
    "8, 2, 11025, 999",
    "16, 1, 8000, 1",
    "16, 2, 44100, 5000",
    "16, 6, 48000, 4097",
    "24, 1, 96000, 1001",
    "24, 2, 44100, 33",
    "32, 1, 192000, 40000",
    "32, 8, 16000, 17"
  })
  void wavIsExact(int bits, int channels, int rate, int frames) throws DecodeException {
    integersSurvive(new AudioEncoding.Wav(bits), bits, channels, rate, frames);
  }

  @ParameterizedTest
  @CsvSource({
    "8, 1, 8000, 1000, 5",
    "16, 1, 8000, 1, 0",
    "16, 2, 44100, 50000, 8",
    "16, 6, 48000, 4097, 5",
    "24, 1, 96000, 4096, 3",
    "24, 2, 44100, 33, 5",
    "24, 8, 16000, 5000, 2"
  })
  void flacIsLossless(int bits, int channels, int rate, int frames, int level)
      throws DecodeException {
    integersSurvive(new AudioEncoding.Flac(bits, level), bits, channels, rate, frames);
  }

  @Test
  void floatWavIsExactBeyondFullScale() throws DecodeException {
    float[] samples = {0, 1, -1, 0.1f, -2.5f, 3e-20f, 1e6f, 32767 / 32768f};
    byte[] encoded = Sounds.encode(samples, 2, 22_050, new AudioEncoding.Wav(32, true));
    assertThat(listener.probe(encoded))
        .isEqualTo(new AudioInfo(AudioFormat.WAV, 22_050, 2, 4, 32, true));
    assertThat(listener.floats(encoded)).isEqualTo(samples);
    assertThat(listener.shorts(encoded))
        .containsExactly(0, 32767, -32768, 3277, -32768, 0, 32767, 32767);
    assertThat(listener.ints(encoded)[1]).isEqualTo(Integer.MAX_VALUE);
    assertThat(listener.ints(encoded)[2]).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void fractionsAreRoundedToTheNearestInteger() throws DecodeException {
    float[] samples = {0.4f / 32768, 0.6f / 32768, -0.6f / 32768, 1, -1, 100.5f / 32768};
    byte[] encoded = Sounds.encode(samples, 1, 8000, new AudioEncoding.Wav(16));
    assertThat(listener.shorts(encoded)).containsExactly(0, 1, -1, 32767, -32768, 100);
    int[] wide = {0x7fff_ffff, 0x0001_8000, 0x0001_7fff, -0x8000, -0x8001};
    encoded = Sounds.encode(wide, 1, 8000, new AudioEncoding.Wav(16));
    assertThat(listener.shorts(encoded)).containsExactly(32767, 2, 1, 0, -1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1151, 1152, 1153, 5000, 44_100})
  void mp3GivesBackAsManySamplesAsTheEncoderTook(int frames) throws DecodeException {
    for (int rate : new int[] {22_050, 44_100, 48_000}) {
      for (int channels = 1; channels <= 2; channels++) {
        for (AudioEncoding encoding :
            new AudioEncoding[] {new AudioEncoding.Mp3(128), new AudioEncoding.Mp3Vbr(2)}) {
          short[] tone = interleave(Sounds.tone(frames, rate), channels);
          byte[] encoded = Sounds.encode(tone, channels, rate, encoding);
          if (frames == 0 && encoded.length == 0) {
            continue;
          }
          assertThat(listener.probe(encoded))
              .as("%s", encoding)
              .isEqualTo(new AudioInfo(AudioFormat.MP3, rate, channels, frames, 0, false));
          assertAligned(listener.shorts(encoded), tone, channels);
        }
      }
    }
  }

  private static short[] interleave(short[] mono, int channels) {
    short[] all = new short[mono.length * channels];
    for (int i = 0; i < all.length; i++) {
      all[i] = mono[i / channels];
    }
    return all;
  }

  /// Law: decoded sound is nearer to its source than to the source moved by one frame.
  private static void assertAligned(short[] decoded, short[] source, int channels) {
    assertThat(decoded).hasSameSizeAs(source);
    if (source.length < 10_000) {
      return;
    }
    double here = distance(decoded, source, 0);
    assertThat(here).isLessThan(distance(decoded, source, channels));
    assertThat(here).isLessThan(distance(decoded, source, -channels));
    assertThat(here).isLessThan(700); // LAME makes a constant bit rate 5 % quieter
  }

  /// {@return root mean square of the differences, away from the ends}
  private static double distance(short[] a, short[] b, int shift) {
    double sum = 0;
    for (int i = 4000; i < a.length - 4000; i++) {
      double d = a[i] - b[i + shift];
      sum += d * d;
    }
    return Math.sqrt(sum / (a.length - 8000));
  }

  @ParameterizedTest
  @CsvSource({"1, 16000, 1600", "2, 44100, 10000", "1, 48000, 7"})
  void vorbisGivesBackAsManySamples(int channels, int rate, int frames) throws DecodeException {
    short[] tone = interleave(Sounds.tone(frames, rate), channels);
    byte[] encoded = Sounds.encode(tone, channels, rate, new AudioEncoding.Vorbis(0.5));
    assertThat(listener.probe(encoded))
        .isEqualTo(new AudioInfo(AudioFormat.OGG, rate, channels, frames, 0, false));
    assertThat(listener.shorts(encoded)).hasSameSizeAs(tone);
  }

  @Test
  void encodingIsReproducible() throws DecodeException {
    short[] tone = Sounds.tone(3000, 44_100);
    for (AudioEncoding encoding :
        new AudioEncoding[] {
          new AudioEncoding.Wav(32, true), new AudioEncoding.Flac(16, 5), new AudioEncoding.Mp3(64)
        }) {
      assertThat(Sounds.encode(tone, 1, 44_100, encoding))
          .isEqualTo(Sounds.encode(tone, 1, 44_100, encoding));
    }
  }

  @Test
  void whatAnEncodingDoesNotTakeIsUnsupported() {
    for (AudioEncoding encoding :
        new AudioEncoding[] {new AudioEncoding.Mp3(128), new AudioEncoding.Flac(16, 5)}) {
      assertThatThrownBy(() -> Sounds.encode(new short[90], 9, 44_100, encoding))
          .as("%s", encoding)
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.UNSUPPORTED);
    }
  }
}
