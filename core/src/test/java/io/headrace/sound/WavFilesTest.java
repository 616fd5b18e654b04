package io.headrace.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// WAV files built byte by byte.
final class WavFilesTest {
  private final Listener listener = new Listener();

  @AfterEach
  void close() {
    listener.close();
  }

  /// {@return a file of chunks: name, content, name, content …}
  private static byte[] riff(String kind, Object... chunks) {
    ByteBuffer file = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    file.put(ascii(kind)).putInt(0).put(ascii("WAVE"));
    for (int i = 0; i < chunks.length; i += 2) {
      byte[] content = (byte[]) chunks[i + 1];
      file.put(ascii((String) chunks[i])).putInt(content.length).put(content);
      if (content.length % 2 != 0) {
        file.put((byte) 0);
      }
    }
    file.putInt(4, kind.equals("RF64") ? -1 : file.position() - 8);
    return Arrays.copyOf(file.array(), file.position());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] format(int tag, int channels, int rate, int bits) {
    int frame = channels * bits / 8;
    return buffer(16)
        .putShort((short) tag)
        .putShort((short) channels)
        .putInt(rate)
        .putInt(rate * frame)
        .putShort((short) frame)
        .putShort((short) bits)
        .array();
  }

  /// {@return a `WAVE_FORMAT_EXTENSIBLE` chunk of PCM}
  private static byte[] extensible(int channels, int rate, int bits, int valid) {
    byte[] guid = {0, 0, 0, 0, 0x10, 0, (byte) 0x80, 0, 0, (byte) 0xaa, 0, 0x38, (byte) 0x9b, 0x71};
    return buffer(40)
        .put(format(0xfffe, channels, rate, bits))
        .putShort((short) 22)
        .putShort((short) valid)
        .putInt((1 << channels) - 1)
        .putShort((short) 1)
        .put(guid)
        .array();
  }

  @Test
  void eightBitsAreUnsigned() throws DecodeException {
    byte[] wav = riff("RIFF", "fmt ", format(1, 1, 8000, 8), "data", new byte[] {0, -128, -1});
    assertThat(listener.probe(wav)).isEqualTo(new AudioInfo(AudioFormat.WAV, 8000, 1, 3, 8, false));
    assertThat(listener.shorts(wav)).containsExactly(-32768, 0, 127 << 8);
    assertThat(listener.floats(wav)).containsExactly(-1, 0, 127 / 128f);
  }

  @Test
  void extensibleIsReadLikePlain() throws DecodeException {
    byte[] data = {1, 0, 0, -1, -1, 127, 0, 0, -128, 3, 2, 1};
    byte[] wav = riff("RIFF", "fmt ", extensible(2, 48_000, 24, 24), "data", data);
    assertThat(listener.probe(wav))
        .isEqualTo(new AudioInfo(AudioFormat.WAV, 48_000, 2, 2, 24, false));
    assertThat(listener.ints(wav)).containsExactly(0x100, 0x7fffff00, 0x80000000, 0x01020300);
  }

  @Test
  void chunksAroundTheDataAreSkipped() throws DecodeException {
    byte[] data = {1, 0, 2, 0};
    byte[] wav =
        riff(
            "RIFF",
            "JUNK",
            new byte[33],
            "fmt ",
            format(1, 1, 8000, 16),
            "LIST",
            new byte[7],
            "data",
            data,
            "id3 ",
            new byte[50]);
    assertThat(listener.shorts(wav)).containsExactly(1, 2);
  }

  @Test
  void rf64IsReadLikeRiff() throws DecodeException {
    byte[] ds64 = buffer(28).putLong(100).putLong(6).putLong(3).putInt(0).array();
    byte[] wav =
        riff(
            "RF64",
            "ds64",
            ds64,
            "fmt ",
            format(1, 1, 8000, 16),
            "data",
            new byte[] {1, 0, 2, 0, 3, 0});
    ByteBuffer.wrap(wav).putInt(wav.length - 10, -1);
    assertThat(listener.probe(wav).frames()).isEqualTo(3);
    assertThat(listener.shorts(wav)).containsExactly(1, 2, 3);
    byte[] cut = Arrays.copyOf(wav, wav.length - 2);
    truncated(cut);
    assertThat(listener.salvage(cut)).containsExactly(1, 2);
  }

  private void truncated(byte[] wav) {
    assertThatThrownBy(() -> listener.shorts(wav))
        .isInstanceOf(DecodeException.class)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.TRUNCATED);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "1000"})
  void missingBytesAreTruncated(int missing) throws DecodeException {
    short[] tone = Sounds.tone(2000, 8000);
    byte[] wav = Sounds.encode(tone, 1, 8000, new AudioEncoding.Wav(16));
    byte[] cut = Arrays.copyOf(wav, wav.length - missing);
    truncated(cut);
    assertThat(listener.salvage(cut))
        .isEqualTo(Arrays.copyOf(tone, 2000 - Math.ceilDiv(missing, 2)));
    listener.salvage(cut);
    assertThat(listener.decoder().notes().toString()).contains("TRUNCATED: wav: ends " + missing);
  }

  @Test
  void sizeOfAPipeMeansToTheEnd() throws DecodeException {
    byte[] wav = Sounds.encode(Sounds.tone(100, 8000), 1, 8000, new AudioEncoding.Wav(16));
    ByteBuffer.wrap(wav).putInt(40, -1);
    assertThat(listener.shorts(wav)).isEqualTo(Sounds.tone(100, 8000));
  }

  @Test
  void companderedSoundIsExpanded() throws DecodeException {
    byte[] wav = riff("RIFF", "fmt ", format(7, 1, 8000, 8), "data", new byte[] {-1, 0, -128});
    assertThat(listener.probe(wav).bits()).isEqualTo(8);
    assertThat(listener.shorts(wav)).containsExactly(0, -32124, 32124); // G.711, 14 bits shifted
  }

  @Test
  void unknownCodingIsUnsupported() {
    byte[] wav = riff("RIFF", "fmt ", format(0x161, 2, 44_100, 16), "data", new byte[64]);
    assertThatThrownBy(() -> listener.probe(wav))
        .hasMessageContaining("0x0161")
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.UNSUPPORTED);
  }

  private static final byte[] PCM = {1, 0, 2, 0, 3, 0};

  private static byte[] wav(byte[] format, byte[] data) {
    return riff("RIFF", "fmt ", format, "data", data);
  }

  private void noted(byte[] wav, String words) throws DecodeException {
    assertThat(listener.shorts(wav)).containsExactly(1, 2, 3);
    assertThat(listener.decoder().notes().toString()).contains(words);
  }

  private void refused(byte[] wav, Fault fault, String words) {
    assertThatThrownBy(() -> listener.shorts(wav))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  /// ITU-R BS.2088, and RF64 whose size stands in the data chunk after all.
  @Test
  void sixtyFourBitFormsAreRead() throws DecodeException {
    byte[] format = format(1, 1, 8000, 16);
    byte[] ds64 = buffer(28).putLong(100).putLong(6).putLong(3).putInt(0).array();
    byte[] bw64 = riff("BW64", "ds64", ds64, "fmt ", format, "data", PCM);
    ByteBuffer.wrap(bw64).putInt(bw64.length - 10, -1);
    assertThat(listener.shorts(bw64)).containsExactly(1, 2, 3);
    truncated(Arrays.copyOf(bw64, bw64.length - 2));
    byte[] plain = riff("RF64", "ds64", new byte[28], "fmt ", format, "data", PCM);
    assertThat(listener.shorts(plain)).containsExactly(1, 2, 3);
    assertThat(listener.decoder().notes()).isEmpty();
  }

  /// A recorder that was stopped leaves 0: what follows is taken, unless it is a chunk.
  @Test
  void sizeOfZeroMeansToTheEndAndIsNoted() throws DecodeException {
    byte[] wav = wav(format(1, 1, 8000, 16), PCM);
    ByteBuffer.wrap(wav).putInt(40, 0);
    noted(wav, "the data chunk says 0 bytes, the 6 that follow are taken as samples [byte 44]");
    ByteBuffer.wrap(wav).putInt(4, 0);
    noted(wav, "says 0 bytes");
    byte[] empty =
        riff("RIFF", "fmt ", format(1, 1, 8000, 16), "data", new byte[0], "LIST", new byte[20]);
    assertThat(listener.shorts(empty)).isEmpty();
    assertThat(listener.decoder().notes()).isEmpty();
    byte[] law = wav(format(7, 1, 8000, 8), new byte[] {-1, 0, -128});
    ByteBuffer.wrap(law).putInt(40, 0);
    refused(law, Fault.CORRUPT, "the data chunk says 0 bytes, 4 follow");
  }

  @Test
  void whatIsLeftOverIsNoted() throws DecodeException {
    byte[] format = format(1, 1, 8000, 16);
    noted(
        wav(format, new byte[] {1, 0, 2, 0, 3, 0, 9}),
        "the last 1 bytes of the data are not a frame");
    byte[] wav = wav(format, PCM);
    noted(Arrays.copyOf(wav, wav.length + 30), "30 bytes after the last chunk are none [byte 50]");
    byte[] list = Arrays.copyOf(riff("RIFF", "fmt ", format, "data", PCM, "LIST", PCM), 62);
    noted(list, "the last chunk says 2 bytes more than there are");
  }

  @Test
  void chunksInAnyOrderAndWithoutPadAreRead() throws DecodeException {
    byte[] format = format(1, 1, 8000, 16);
    assertThat(listener.shorts(riff("RIFF", "data", PCM, "fmt ", format))).containsExactly(1, 2, 3);
    byte[] padded = riff("RIFF", "fmt ", format, "LIST", new byte[5], "data", PCM);
    byte[] bare = new byte[padded.length - 1];
    System.arraycopy(padded, 0, bare, 0, 49); // the pad is byte 49
    System.arraycopy(padded, 50, bare, 49, bare.length - 49);
    assertThat(listener.shorts(bare)).containsExactly(1, 2, 3);
    refused(riff("RIFF", "fmt ", format, "data", PCM, "data", PCM), Fault.UNSUPPORTED, "byte 50]");
    refused(riff("RIFF", "data", PCM), Fault.CORRUPT, "no fmt chunk");
    refused(riff("RIFF", "fmt ", format), Fault.CORRUPT, "no data chunk");
  }

  /// {@return mono samples of `bits` in more bytes than they need}
  private static byte[] wide(int bits, int bytes) {
    byte[] format = format(1, 1, 8000, bits);
    format[12] = (byte) bytes;
    return format;
  }

  /// Integers and floating point of every width, in plain and extensible headers.
  @Test
  void everyWidthIsReadOrNamed() throws DecodeException {
    assertThat(listener.ints(wav(format(1, 1, 8000, 12), new byte[] {16, 0, 0, -128})))
        .containsExactly(16 << 16, Integer.MIN_VALUE);
    assertThat(
            listener.ints(wav(extensible(1, 8000, 32, 24), new byte[] {0, 1, 0, 0, 0, 1, 0, -128})))
        .containsExactly(256, Integer.MIN_VALUE + 256);
    assertThat(listener.decoder().notes()).isEmpty();
    for (byte[] format : List.of(extensible(1, 8000, 32, 24), wide(24, 4))) {
      assertThat(listener.ints(wav(format, new byte[] {1, 0, 0, 0, -1, -1, -1, 0, 0, 0, -128, -1})))
          .containsExactly(256, -256, Integer.MIN_VALUE); // hound, and drivers, fill the lower bits
      assertThat(listener.decoder().notes().toString())
          .contains("samples of 24 bits lie in the lower bits of 4 bytes");
    }
    byte[] floats = buffer(8).putFloat(0.5f).putFloat(-1.5f).array();
    assertThat(listener.floats(wav(format(3, 2, 8000, 32), floats))).containsExactly(0.5f, -1.5f);
    assertThat(listener.shorts(wav(format(3, 2, 8000, 32), floats))).containsExactly(16384, -32768);
    byte[] doubles = buffer(16).putDouble(0.25).putDouble(-1e-3).array();
    assertThat(listener.floats(wav(format(3, 1, 8000, 64), doubles)))
        .containsExactly(0.25f, (float) -1e-3);
    assertThat(listener.ints(wav(format(3, 1, 8000, 64), doubles)))
        .containsExactly(1 << 29, Samples.quantise(-1e-3f, 32));
    refused(wav(format(3, 1, 8000, 16), PCM), Fault.UNSUPPORTED, "16 floating-point bits");
    refused(wav(format(1, 1, 8000, 64), new byte[16]), Fault.UNSUPPORTED, "64 bits");
    refused(wav(format(1, 0, 8000, 16), PCM), Fault.CORRUPT, "0 channels");
  }
}
