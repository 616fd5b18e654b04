package io.headrace.sound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.sound.framing.MpegHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
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

  /// {@return the frames of sound of an MP3 whose first frame is LAME's tag}
  private static byte[] frames(byte[] mp3) {
    return Arrays.copyOfRange(mp3, MpegHeader.bytes(ByteBuffer.wrap(mp3).getInt(), 0), mp3.length);
  }

  private static byte[] join(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  /// {@return the same frames with other headers}
  private static byte[] withHeaders(byte[] mp3, IntUnaryOperator change) {
    ByteBuffer out = ByteBuffer.wrap(mp3.clone());
    for (int at = 0; at < mp3.length; ) {
      int header = out.getInt(at);
      out.putInt(at, change.applyAsInt(header));
      at += MpegHeader.bytes(header, 0);
    }
    return out.array();
  }

  private void refused(byte[] mp3, Fault fault, String words) {
    assertThatThrownBy(() -> listener.shorts(mp3))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  /// Another rate, another version, in between and at the end.
  @Test
  void changeOfFormatIsUnsupportedWithItsPlace() throws DecodeException {
    byte[] first = frames(tone());
    short[] sound = listener.shorts(first);
    for (int rate : new int[] {48_000, 22_050, 8000}) {
      byte[] other =
          frames(Sounds.encode(Sounds.tone(9000, rate), 1, rate, new AudioEncoding.Mp3(64)));
      for (byte[] mp3 : List.of(join(first, other), join(first, other, first))) {
        refused(mp3, Fault.UNSUPPORTED, "at " + rate + " Hz");
        refused(mp3, Fault.UNSUPPORTED, "40 frames with 46080 samples [byte " + first.length + "]");
        assertThat(Arrays.copyOf(listener.salvage(mp3), sound.length)).isEqualTo(sound);
        listener.salvage(mp3);
        assertThat(listener.decoder().notes().toString()).contains("UNSUPPORTED: mp3: changes");
      }
    }
  }

  /// Both channels of what is mono are the same.
  @Test
  void monoAndStereoMixedAreStereo() throws DecodeException {
    short[] pairs = new short[20_000];
    for (int i = 0; i < pairs.length; i++) {
      int pair = i / 2;
      pairs[i] = (short) (8000 * Math.sin(pair * 0.05 * (1 + i % 2)));
    }
    byte[] one =
        frames(Sounds.encode(Sounds.tone(9000, 44_100), 1, 44_100, new AudioEncoding.Mp3(64)));
    byte[] two = frames(Sounds.encode(pairs, 2, 44_100, new AudioEncoding.Mp3(128)));
    short[] mono = listener.shorts(one);
    short[] stereo = listener.shorts(two);
    short[] both = listener.shorts(join(one, two));
    assertThat(listener.decoder().notes()).isEmpty();
    assertThat(both).hasSize(2 * mono.length + stereo.length);
    for (int i = 0; i < 2 * mono.length; i++) {
      assertThat(both[i]).as("sample %d", i).isEqualTo(mono[i / 2]);
    }
    int settled = 2 * 1152; // frames overlap
    assertThat(Arrays.copyOfRange(both, 2 * mono.length + settled, both.length))
        .isEqualTo(Arrays.copyOfRange(stereo, settled, stereo.length));
    short[] reverse = listener.shorts(join(two, one));
    assertThat(Arrays.copyOf(reverse, stereo.length)).isEqualTo(stereo);
    assertThat(reverse).hasSize(2 * mono.length + stereo.length);
  }

  /// Emphasis 2 is reserved, and nobody minds.
  @Test
  void reservedEmphasisIsRead() throws DecodeException {
    byte[] mp3 = frames(tone());
    byte[] odd = withHeaders(mp3, header -> (header & ~3) | 2);
    assertThat(listener.probe(odd)).isEqualTo(listener.probe(mp3));
    assertThat(listener.shorts(odd)).isEqualTo(listener.shorts(mp3));
  }

  /// The frames of one bit rate whose headers leave it open; and a file of LAME's (see README).
  @Test
  void freeBitRateIsRead() throws DecodeException {
    for (int kilobits : new int[] {32, 128, 320}) {
      byte[] mp3 = frames(Sounds.encode(Sounds.tone(), 1, 44_100, new AudioEncoding.Mp3(kilobits)));
      byte[] free = withHeaders(mp3, header -> header & ~0xf000);
      assertThat(listener.probe(free)).isEqualTo(listener.probe(mp3));
      assertThat(listener.shorts(free)).isEqualTo(listener.shorts(mp3));
      assertThat(listener.decoder().notes()).isEmpty();
      refused(Arrays.copyOf(free, free.length - 50), Fault.TRUNCATED, "in the middle of frame");
    }
    short[] lame = listener.shorts(Sounds.resource("free.mp3"));
    assertThat(lame).hasSize(8 * 1152);
    short[] tone = Sounds.tone(8000, 44_100);
    short[] aligned = Arrays.copyOfRange(lame, 1105 + 1000, 1105 + 7000);
    assertThat(largestDifference(aligned, Arrays.copyOfRange(tone, 1000, 7000))).isLessThan(1300);
  }

  /// Tags are fine in any order and number; anything else is said, with its place.
  @Test
  void whatFollowsTheLastFrameIsATagOrSaid() throws DecodeException {
    byte[] sound = frames(tone());
    short[] right = listener.shorts(sound);
    byte[] v1 = Arrays.copyOf("TAG".getBytes(ISO_8859_1), 128);
    byte[] more = Arrays.copyOf("TAG+".getBytes(ISO_8859_1), 227);
    byte[] lyrics1 = "LYRICSBEGIN[00:01]la la laLYRICSEND".getBytes(ISO_8859_1);
    byte[] lyrics2 = "LYRICSBEGININD0000200LYR00005la la000034LYRICS200".getBytes(ISO_8859_1);
    byte[] ape = new byte[32 + 40 + 32];
    for (int at : new int[] {0, 72}) {
      System.arraycopy("APETAGEX".getBytes(ISO_8859_1), 0, ape, at, 8);
      ape[at + 8] = (byte) 208;
      ape[at + 9] = 7;
      ape[at + 12] = 72;
      ape[at + 23] = (byte) 0x80;
    }
    byte[] v2 = new byte[10 + 30 + 10];
    System.arraycopy("ID3".getBytes(ISO_8859_1), 0, v2, 0, 3);
    System.arraycopy("3DI".getBytes(ISO_8859_1), 0, v2, 40, 3);
    v2[9] = 30;
    v2[49] = 30;
    for (byte[] tags :
        List.of(
            v1,
            join(more, v1),
            join(lyrics1, v1),
            join(lyrics2, v1),
            ape,
            join(ape, v1),
            join(ape, lyrics2, v1),
            join(lyrics2, ape, v1),
            v2)) {
      assertThat(listener.shorts(join(sound, tags))).isEqualTo(right);
      assertThat(listener.decoder().notes()).isEmpty();
    }
    byte[] text = "something else, not a tag".getBytes(ISO_8859_1);
    for (byte[] junk : List.of(text, new byte[5000], join(text, v1), join(lyrics2, text))) {
      assertThat(listener.shorts(join(sound, junk))).isEqualTo(right);
      assertThat(listener.decoder().notes().toString())
          .contains("after the last frame are neither sound nor a tag [byte " + sound.length);
    }
    assertThat(listener.decoder().warnings()).isEqualTo(4);
  }

  /// LAME's tag counts more frames than there are: what lies in their place is no harmless rest.
  @Test
  void framesReplacedAtTheEndAreCorrupt() throws DecodeException {
    byte[] mp3 = tone();
    Arrays.fill(mp3, mp3.length - 1500, mp3.length, (byte) 0x55);
    refused(mp3, Fault.CORRUPT, "of 40 frames are there, then something else");
    assertThat(listener.salvage(mp3).length).isBetween(44_100 - 5 * 1152, 44_099);
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
