package io.headrace.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Ogg files that libogg and libsndfile read in part, without a word.
final class OddOggTest {
  private final Listener listener = new Listener();

  @AfterEach
  void close() {
    listener.close();
  }

  private static byte[] vorbis(int frames, int rate, int channels) throws DecodeException {
    short[] tone = Sounds.tone(frames * channels, rate);
    return Sounds.encode(tone, channels, rate, new AudioEncoding.Vorbis(0.3));
  }

  private static byte[] join(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  private void refused(byte[] ogg, Fault fault, String words) {
    assertThatThrownBy(() -> listener.shorts(ogg))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  /// {@return where page `number` starts, or the end}
  private static int page(byte[] ogg, int number) {
    int at = 0;
    for (int i = 0; i < number && at < ogg.length; i++) {
      int segments = ogg[at + 26] & 0xff;
      int next = at + 27 + segments;
      for (int s = 0; s < segments; s++) {
        next += ogg[at + 27 + s] & 0xff;
      }
      at = next;
    }
    return at;
  }

  @Test
  void chainedStreamsAreReadOneAfterTheOther() throws DecodeException {
    byte[] one = vorbis(9000, 22_050, 1);
    byte[] two = vorbis(5000, 22_050, 1);
    byte[] chain = join(one, two, one);
    assertThat(listener.probe(chain).frames()).isEqualTo(23_000);
    short[] sound = listener.shorts(chain);
    assertThat(Arrays.copyOf(sound, 9000)).isEqualTo(listener.shorts(one));
    assertThat(Arrays.copyOfRange(sound, 9000, 14_000)).isEqualTo(listener.shorts(two));
    assertThat(Arrays.copyOfRange(sound, 14_000, 23_000)).isEqualTo(listener.shorts(one));
    assertThat(listener.decoder().notes()).isEmpty();
  }

  @Test
  void chainOfAnotherRateOrNumberOfChannelsIsUnsupportedWithItsPlace() throws DecodeException {
    byte[] one = vorbis(9000, 22_050, 1);
    for (byte[] other : new byte[][] {vorbis(4000, 44_100, 1), vorbis(4000, 22_050, 2)}) {
      refused(
          join(one, other), Fault.UNSUPPORTED, "[stream 1, sample 9000, byte " + one.length + "]");
      assertThat(listener.salvage(join(one))).isEqualTo(listener.shorts(one));
    }
  }

  /// A page that is damaged, left out, or followed by something else: libogg goes on at the next.
  @Test
  void pagesDamagedOrMissingAreCorrupt() throws DecodeException {
    byte[] ogg = vorbis(200_000, 22_050, 1);
    int from = page(ogg, 3);
    int to = page(ogg, 4);
    assertThat(to).isLessThan(ogg.length);
    byte[] damaged = ogg.clone();
    damaged[(from + to) / 2] ^= 1;
    refused(damaged, Fault.CORRUPT, "checksum of a page is wrong [page 3, byte " + from + "]");
    byte[] without = join(Arrays.copyOf(ogg, from), Arrays.copyOfRange(ogg, to, ogg.length));
    refused(without, Fault.CORRUPT, "page 4 follows page 2 [byte " + from + "]");
    byte[] between =
        join(Arrays.copyOf(ogg, from), new byte[99], Arrays.copyOfRange(ogg, from, ogg.length));
    refused(between, Fault.CORRUPT, "99 bytes between pages [byte " + from + "]");
    assertThat(listener.salvage(between)).isEqualTo(listener.shorts(ogg));
    listener.salvage(without);
    assertThat(listener.decoder().notes().toString()).contains("page 4 follows page 2");
  }

  @Test
  void whatFollowsTheLastPageIsNotedAndWhatIsCutTruncated() throws DecodeException {
    byte[] ogg = vorbis(9000, 22_050, 1);
    assertThat(listener.shorts(join(ogg, new byte[77]))).isEqualTo(listener.shorts(ogg));
    listener.shorts(join(ogg, new byte[77]));
    assertThat(listener.decoder().notes().toString())
        .contains("77 bytes after the last page are none [byte " + ogg.length + "]");
    byte[] cut = Arrays.copyOf(ogg, ogg.length - 9);
    refused(cut, Fault.TRUNCATED, "the last page is cut");
    refused(join(cut, ogg), Fault.CORRUPT, "checksum of a page is wrong");
    byte[] open = Arrays.copyOf(vorbis(200_000, 22_050, 1), page(vorbis(200_000, 22_050, 1), 4));
    refused(open, Fault.TRUNCATED, "not marked as the last");
  }

  /// Made by `flac --ogg --serial-number=7 --lax -b 256` from the same samples as `bits-20.flac`.
  @Test
  void flacInOggIsReadAtAnyWidth() throws DecodeException {
    byte[] ogg = Sounds.resource("bits-20.oga");
    assertThat(listener.probe(ogg))
        .isEqualTo(new AudioInfo(AudioFormat.OGG, 48_000, 2, 600, 20, false));
    assertThat(listener.ints(ogg)).isEqualTo(listener.ints(Sounds.resource("bits-20.flac")));
    assertThat(listener.decoder().notes()).isEmpty();
    try (Arena arena = Arena.ofConfined()) {
      assertThat(listener.decoder().verify(Sounds.offHeap(arena, ogg))).isTrue();
    }
    byte[] damaged = ogg.clone();
    damaged[ogg.length - 300] ^= 1;
    refused(damaged, Fault.CORRUPT, "checksum of a page is wrong");
    refused(join(ogg, ogg), Fault.UNSUPPORTED, "chained one after the other");
  }
}
