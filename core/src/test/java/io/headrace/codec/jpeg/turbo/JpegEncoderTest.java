package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.Pictures;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.codec.png.PngEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JpegEncoderTest {
  /// The picture of `generate.py` beside the fixtures.
  private static byte[] picture(int width, int height) {
    byte[] pixels = new byte[3 * width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int at = 3 * (y * width + x);
        pixels[at] = (byte) (x * 255 / (width - 1));
        pixels[at + 1] = (byte) (y * 255 / (height - 1));
        pixels[at + 2] = (byte) (x * y * 255 / ((width - 1) * (height - 1)));
      }
    }
    return pixels;
  }

  private static byte[] encode(byte[] pixels, int width, int height, int quality, Subsampling s)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var encoder = new JpegEncoder()) {
      int channels = pixels.length / width / height;
      MemorySegment segment = Pictures.offHeap(arena, pixels);
      long bytes = encoder.encode(segment, width, height, channels, quality, s, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "baseline.jpg, 64, 48, S420",
    "odd.jpg, 61, 45, S420",
    "grey.jpg, 61, 45, GRAY",
    "sample-1x1.jpg, 61, 45, S444",
    "sample-2x1.jpg, 61, 45, S422",
    "sample-1x2.jpg, 61, 45, S440",
    "sample-4x1.jpg, 61, 45, S411",
  })
  void bytesAreThoseOfCjpeg(String file, int width, int height, Subsampling subsampling)
      throws DecodeException {
    assertThat(encode(picture(width, height), width, height, 90, subsampling))
        .isEqualTo(Pictures.resource("jpeg/" + file));
  }

  /// Law: with odd steps, tables of one's own give the bytes that `cjpeg -qtables` writes.
  @Test
  void bytesAreThoseOfCjpegUnderOtherTables() throws DecodeException {
    var odd = new QuantTables.Made(odd(2), odd(4));
    assertThat(encode(picture(61, 45), new JpegEncoding(75).with(odd)))
        .isEqualTo(Pictures.resource("jpeg/tables.jpg"));
  }

  private static List<Integer> odd(int slope) {
    return IntStream.range(0, 64).map(i -> 3 + 2 * (i % 8 + slope * (i / 8))).boxed().toList();
  }

  /// Law: the standard's tables given as one's own are those of the quality, and pixels are as near
  /// though steps are even.
  @ParameterizedTest
  @ValueSource(ints = {1, 20, 50, 90, 100})
  void standardTablesMayBeGiven(int quality) throws DecodeException {
    byte[] pixels = Pictures.smooth(61, 45, 3);
    var plain = new JpegEncoding(quality);
    byte[] own = encode(pixels, plain.with(QuantTables.Made.standard(quality)));
    byte[] standard = encode(pixels, plain);
    assertThat(Arrays.copyOf(own, 160)).isEqualTo(Arrays.copyOf(standard, 160));
    assertThat((double) own.length).isCloseTo(standard.length, withinPercentage(4));
  }

  private static byte[] encode(byte[] pixels, JpegEncoding encoding) throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var encoder = new JpegEncoder()) {
      MemorySegment segment = Pictures.offHeap(arena, pixels);
      long bytes = encoder.encode(segment, 61, 45, 3, encoding, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void subsamplingIsWhatWasAsked(Subsampling subsampling) throws DecodeException {
    var header = new JpegHeader();
    header.read(MemorySegment.ofArray(encode(picture(20, 20), 20, 20, 75, subsampling)));
    assertThat(header.subsampling()).isEqualTo(subsampling);
  }

  @Test
  void impossibleRequestsAreRefused() {
    byte[] pixels = new byte[12];
    assertThatThrownBy(() -> encode(pixels, 2, 2, 0, Subsampling.S420))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> encode(pixels, 2, 2, 90, Subsampling.OTHER))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> encode(pixels, 12, 1, 101, Subsampling.GRAY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new JpegEncoding(101)).isInstanceOf(ConfigException.class);
    var wanted = new JpegEncoding(75).with(new QuantTables.OfData());
    assertThatThrownBy(() -> encode(picture(61, 45), wanted))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("jpeg:75:tables=data: the tables have not been made");
    assertThatThrownBy(() -> new QuantTables.Made(odd(2), odd(20)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PngEncoding(10)).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> new JpegScale(9)).isInstanceOf(IllegalArgumentException.class);
  }
}
