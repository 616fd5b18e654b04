package io.headrace.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// MP3 files that people found other readers to get wrong.
final class OddMp3Test {
  private static final int FRAMES = 40;
  private final Listener listener = new Listener();
  private final Listener untrimmed = new Listener(new AudioDecoder(1 << 20, false));

  @AfterEach
  void close() {
    listener.close();
    untrimmed.close();
  }

  private static byte[] tone() throws DecodeException {
    return Sounds.encode(Sounds.tone(), 1, 44_100, new AudioEncoding.Mp3(128));
  }

  private static byte[] varying() throws DecodeException {
    return Sounds.encode(Sounds.tone(), 1, 44_100, new AudioEncoding.Mp3Vbr(2));
  }

  /// {@return where the tag lies in the first frame}
  private static int tag(byte[] mp3) {
    int at = new String(mp3, 0, 200, StandardCharsets.ISO_8859_1).indexOf("Xing");
    return at >= 0 ? at : new String(mp3, 0, 200, StandardCharsets.ISO_8859_1).indexOf("Info");
  }

  /// Entry 106.
  @Test
  void encoderDelayAndPaddingAreTakenOff() throws DecodeException {
    assertThat(listener.probe(tone()).frames()).isEqualTo(44_100);
    assertThat(listener.shorts(tone())).hasSize(44_100);
    assertThat(untrimmed.probe(tone()).frames()).isEqualTo(46_080);
    assertThat(untrimmed.shorts(tone())).hasSize(46_080);
    assertThat(Arrays.copyOfRange(untrimmed.shorts(tone()), 1105, 1105 + 44_100))
        .isEqualTo(listener.shorts(tone()));
  }

  /// Entry 108.
  @Test
  void frameLikeBytesInATagAreNoFrames() throws DecodeException {
    byte[] cover = new byte[2990];
    byte[] name = "\0image/png\0\3\0".getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(name, 0, cover, 10, name.length);
    for (int i = 0; i < 7; i++) {
      ByteBuffer.wrap(cover).putInt(10 + name.length + 417 * i, 0xfffb9000);
    }
    byte[] frame = "APIC".getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(frame, 0, cover, 0, 4);
    ByteBuffer.wrap(cover).putInt(4, cover.length - 10);
    ByteBuffer file = ByteBuffer.allocate(3000 + tone().length);
    file.put("ID3\3\0\0".getBytes(StandardCharsets.ISO_8859_1));
    file.put((byte) 0).put((byte) 0).put((byte) (cover.length >> 7));
    file.put((byte) (cover.length & 0x7f)).put(cover).put(tone());
    assertThat(listener.probe(file.array()))
        .isEqualTo(new AudioInfo(AudioFormat.MP3, 44_100, 1, 44_100, 0, false));
    assertThat(listener.shorts(file.array())).isEqualTo(listener.shorts(tone()));
    assertThat(listener.decoder().notes()).isEmpty();
  }

  /// Entry 110: blanked out, the tag is a frame of silence like any other.
  @Test
  void lengthWithoutATagIsThatOfTheFrames() throws DecodeException {
    byte[] mp3 = varying();
    int tag = tag(mp3);
    Arrays.fill(mp3, tag, tag + 150, (byte) 0);
    assertThat(listener.probe(mp3).frames()).isEqualTo((FRAMES + 1) * 1152);
    short[] blank = listener.shorts(mp3);
    assertThat(blank).hasSize((FRAMES + 1) * 1152);
    short[] later = Arrays.copyOfRange(blank, 1152 + 1105 + 2000, 1152 + 1105 + 40_000);
    short[] tagged = Arrays.copyOfRange(listener.shorts(varying()), 2000, 40_000);
    assertThat(largestDifference(later, tagged)).isLessThanOrEqualTo(1);
  }

  /// Entry 110: a wrong count is ignored, with a note.
  @Test
  void wrongCountOfFramesIsIgnored() throws DecodeException {
    short[] right = listener.shorts(varying());
    for (int count : new int[] {0, 2 * FRAMES, FRAMES - 1, Integer.MAX_VALUE, -1}) {
      byte[] mp3 = varying();
      ByteBuffer.wrap(mp3).putInt(tag(mp3) + 8, count);
      assertThat(listener.probe(mp3).frames()).isEqualTo(44_100);
      assertThat(Arrays.equals(listener.shorts(mp3), right)).isTrue();
      assertThat(listener.decoder().notes().toString())
          .contains("the tag says " + (count & 0xffffffffL) + " frames, there are 40");
    }
    assertThat(listener.decoder().warnings()).isEqualTo(5);
  }

  /// Entry 112.
  @Test
  void startInTheMiddleOfAFrameIsNoted() throws DecodeException {
    byte[] mp3 = tone();
    byte[] cut = Arrays.copyOfRange(mp3, 4270, mp3.length);
    assertThat(listener.probe(cut).frames()).isEqualTo(34_560);
    float[] sound = listener.floats(cut);
    assertThat(sound).hasSize(34_560);
    for (float x : sound) {
      if (!(Math.abs(x) < 2)) {
        throw new AssertionError("sample " + x);
      }
    }
    assertThat(listener.decoder().notes().toString())
        .contains("TRUNCATED: mp3: 326 bytes before the first whole frame");
  }

  /// Entry 112: what is left of the last frame is no frame, and nothing is taken off the end.
  @Test
  void cutAtTheEndIsTruncated() throws DecodeException {
    byte[] mp3 = tone();
    byte[] cut = Arrays.copyOf(mp3, mp3.length - 200);
    assertThat(listener.probe(cut).frames()).isEqualTo(43_823);
    assertThatThrownBy(() -> listener.shorts(cut))
        .hasMessageContaining("39 of 40 frames, with 43823 samples")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.TRUNCATED);
    assertThat(listener.salvage(cut)).isEqualTo(Arrays.copyOf(listener.shorts(mp3), 43_823));
    listener.salvage(cut);
    assertThat(listener.decoder().notes())
        .extracting(AudioNote::fault)
        .containsExactly(Fault.TRUNCATED);
  }

  @Test
  void bytesBetweenFramesAreCorrupt() throws DecodeException {
    byte[] mp3 = tone();
    byte[] damaged = mp3.clone();
    int frame = 418 * 20; // somewhere in the middle
    Arrays.fill(damaged, frame, frame + 900, (byte) 0);
    assertThatThrownBy(() -> listener.shorts(damaged))
        .hasMessageContaining("between frames belong to none")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.CORRUPT);
    assertThat(listener.salvage(damaged).length).isBetween(44_100 - 4 * 1152, 44_099);
  }

  @Test
  void tagsBehindTheSoundAreNoSound() throws DecodeException {
    byte[] mp3 = Arrays.copyOf(tone(), tone().length + 128);
    System.arraycopy("TAG".getBytes(StandardCharsets.ISO_8859_1), 0, mp3, mp3.length - 128, 3);
    assertThat(listener.shorts(mp3)).isEqualTo(listener.shorts(tone()));
    assertThat(listener.decoder().notes()).isEmpty();
  }

  /// Entry 114.
  @Test
  void monoIsOneChannelAndJointStereoKeepsBoth() throws DecodeException {
    assertThat(listener.probe(tone()).channels()).isEqualTo(1);
    assertThat(listener.probe(Sounds.resource("joint.mp3")).channels()).isEqualTo(2);
    short[] wanted = listener.shorts(Sounds.resource("joint-mpg123.flac"));
    short[] actual = listener.shorts(Sounds.resource("joint.mp3"));
    assertThat(largestDifference(actual, wanted)).isLessThanOrEqualTo(1);
  }

  private static int largestDifference(short[] a, short[] b) {
    assertThat(a).hasSameSizeAs(b);
    int worst = 0;
    for (int i = 0; i < a.length; i++) {
      worst = Math.max(worst, Math.abs(a[i] - b[i]));
    }
    return worst;
  }
}
