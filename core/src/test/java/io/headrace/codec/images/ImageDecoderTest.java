package io.headrace.codec.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImageDecoderTest {
  @ParameterizedTest
  @CsvSource({
    "1f8b08000000, MISMATCH, 'gzip data, not an image that'",
    "0000001c6674797068656963, UNSUPPORTED, 'a HEIF image (HEIC): this format is not read'",
    "474946383961, UNSUPPORTED, 'a GIF image: this format is not read'",
    "424d57206d6f746f72206d616b657220, MISMATCH, 'starts with 42 4d 57 20'",
    "503120697320616e6f74686572, MISMATCH, 'starts with 50 31 20 69'",
    "49492a0008000000, UNSUPPORTED, 'a TIFF image: this'",
    "504b030414, MISMATCH, 'a zip archive, not an image that Headrace reads: unpack it'",
    "28b52ffd, MISMATCH, 'zstd data, not'",
    "0102030405, MISMATCH, 'not an image that Headrace reads: starts with 01 02 03 04'",
    "07, MISMATCH, 'starts with 07'",
  })
  void whatIsNoImageIsNamed(String hex, Fault fault, String words) {
    MemorySegment bytes = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    try (var decoder = new ImageDecoder()) {
      assertThatThrownBy(() -> decoder.probe(bytes))
          .hasMessageContaining(words)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(fault);
    }
  }

  @Test
  void noBytesAreNoImage() {
    try (var decoder = new ImageDecoder()) {
      ImageCodecContract.fault(() -> decoder.probe(MemorySegment.NULL), Fault.MISMATCH);
    }
  }

  @Test
  void onlyJpegCanBeScaled() throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var decoder = new ImageDecoder()) {
      MemorySegment png = Pictures.offHeap(arena, Pictures.resource("png/type2-08.png"));
      MemorySegment rgb = arena.allocate(3 * 19 * 13);
      ImageInfo info = decoder.probe(png);
      decoder.decodeRgb(png, info, JpegScale.FULL, rgb);
      assertThatThrownBy(() -> decoder.decodeRgb(png, info, JpegScale.HALF, rgb))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("png cannot be decoded at 4/8");
      MemorySegment jpeg = Pictures.offHeap(arena, Pictures.resource("jpeg/jfif-0.jpg"));
      ImageInfo jpegInfo = decoder.probe(jpeg);
      decoder.decodeRgb(
          jpeg, jpegInfo, JpegScale.HALF, arena.allocate(JpegScale.HALF.rgbBytes(jpegInfo)));
      assertThat(decoder.warnings()).isEqualTo(1);
    }
  }
}
