package io.headrace.codec.plain;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageCodecContract;
import io.headrace.codec.images.Pictures;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The laws of image codecs, for raw tensors, and their equality with TensorFlow's.
final class RawCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return PlainCodec.RAW;
  }

  @Override
  protected int tolerance() {
    return 0;
  }

  private static MemorySegment counting(int bytes) {
    byte[] pixels = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      pixels[i] = (byte) (i % 251);
    }
    return MemorySegment.ofArray(pixels);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1x1", "2x3x3", "5x4x1", "3x2x4", "80x70x3"})
  void bytesAreTensorFlows(String shape) throws DecodeException {
    byte[] golden = Pictures.resource("raw/" + shape + ".tensor");
    String[] extents = shape.split("x", -1);
    int height = Integer.parseInt(extents[0]);
    int width = Integer.parseInt(extents[1]);
    int channels = Integer.parseInt(extents[2]);
    MemorySegment pixels = counting(height * width * channels);
    try (var out = new Block(MemoryBudget.unbounded())) {
      long bytes = RawCodec.encode(pixels, width, height, channels, out);
      assertThat(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE)).isEqualTo(golden);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1x1x1, 000000",
    "5x4x1, 000000010101020202",
    "4x7, 000000010101020202",
    "3x2x4, 000102040506",
    "2x3x3, 000102030405"
  })
  void anyNumberOfChannelsBecomesRgb(String shape, String start) throws DecodeException {
    MemorySegment golden = MemorySegment.ofArray(Pictures.resource("raw/" + shape + ".tensor"));
    var codec = new RawCodec();
    ImageInfo info = codec.probe(golden);
    byte[] rgb = new byte[(int) info.rgbBytes()];
    codec.decode(golden, info, MemorySegment.ofArray(rgb));
    assertThat(HexFormat.of().formatHex(rgb)).startsWith(start);
  }

  @ParameterizedTest
  @CsvSource({
    "float32.tensor, MISMATCH, dtype 1",
    "scalar-values.tensor, UNSUPPORTED, tensor_content",
  })
  void otherTensorsAreRefusedWithAReason(String file, Fault fault, String words) {
    refused(Pictures.resource("raw/" + file), fault, words);
  }

  @ParameterizedTest
  @CsvSource({
    // four dimensions; no dimension; 2^40 rows; negative rows; five channels
    "08041210 12020801 12020801 12020801 12020801 220100, MISMATCH, 4 dimensions",
    "08041200 220100, TRUNCATED, 0 dimensions",
    "08041211 120708808080808020 12020801 12020801 220100, MISMATCH, 1099511627776",
    "08041215 120b08ffffffffffffffffff01 12020801 12020801 220100, MISMATCH, -1",
    "0804120c 12020801 12020801 12020805 22050000000000, MISMATCH, 5",
    // content too short, dim longer than its shape, varint without end, group wire type
    "0804120c 12020801 12020801 12020803 220100, CORRUPT, needs 3",
    "08041204 12400801 220100, CORRUPT, field of 64",
    "08ffffffffffffffffffffff, CORRUPT, varint",
    "0804120c 12020801 12020801 12020803 0b, CORRUPT, protobuf",
    // 30000 x 30000 pixels in 20 bytes; length of 2^63
    "08041210 120408b0ea01 120408b0ea01 12020803 220100, LIMIT, 900000000",
    "0804120c 12020801 12020801 12020803 22ffffffffffffffffff01, CORRUPT, -1",
  })
  void hostileMessagesAreRefusedWithAReason(String hex, Fault fault, String words) {
    refused(HexFormat.of().parseHex(hex.replace(" ", "")), fault, words);
  }

  private static void refused(byte[] bytes, Fault fault, String words) {
    assertThatThrownBy(() -> new RawCodec().probe(MemorySegment.ofArray(bytes)))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  @Test
  void fieldsMayComeInAnyOrderAndUnknownOnesAreSkipped() throws DecodeException {
    byte[] message =
        HexFormat.of().parseHex("2201071803120c12020801120208011202080108041d000000006a00");
    assertThat(new RawCodec().probe(MemorySegment.ofArray(message)).width()).isEqualTo(1);
  }
}
