package io.headrace.codec.png;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.images.Pictures;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PngDecoderTest {
  private final Arena arena = Arena.ofConfined();
  private final PngDecoder decoder = new PngDecoder();

  @AfterEach
  void close() {
    decoder.close();
    arena.close();
  }

  static List<Pictures.Expected> fixtures() {
    return Pictures.expected("png");
  }

  private MemorySegment decode(MemorySegment png) throws DecodeException {
    ImageInfo info = decoder.probe(png);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decode(png, info, rgb);
    return rgb;
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void pixelsAreThoseOfTheDefinition(Pictures.Expected expected) throws DecodeException {
    MemorySegment png = Pictures.offHeap(arena, Pictures.resource("png/" + expected.name()));
    ImageInfo info = decoder.probe(png);
    assertThat(info.width()).isEqualTo(expected.width());
    assertThat(info.height()).isEqualTo(expected.height());
    assertThat(Pictures.crc(decode(png))).isEqualTo(expected.crc());
  }

  @ParameterizedTest
  @CsvSource({
    "type0-01.png, 1, 1, false",
    "type2-16.png, 3, 16, false",
    "type3-04.png, 3, 4, false",
    "type4-08.png, 2, 8, false",
    "type6-16-adam7.png, 4, 16, true",
    "transparent-key.png, 2, 8, false"
  })
  void headerTellsOfAlphaAndDepth(String file, int channels, int depth, boolean interlaced)
      throws DecodeException {
    ImageInfo info = decoder.probe(MemorySegment.ofArray(Pictures.resource("png/" + file)));
    assertThat(info.channels()).isEqualTo(channels);
    assertThat(info.bitDepth()).isEqualTo(depth);
    assertThat(info.progressive()).isEqualTo(interlaced);
  }

  private boolean window(MemorySegment png, ImageInfo info, int[] part, MemorySegment rgb)
      throws DecodeException {
    return decoder.decodeWindow(png, info, part[0], part[1], part[2], part[3], rgb);
  }

  /// Law: a part has the pixels that it has in the whole.
  @ParameterizedTest
  @MethodSource("fixtures")
  void partsAreThoseOfTheWhole(Pictures.Expected expected) throws DecodeException {
    MemorySegment png = Pictures.offHeap(arena, Pictures.resource("png/" + expected.name()));
    ImageInfo info = decoder.probe(png);
    MemorySegment whole = decode(png);
    int h = info.height();
    int w = info.width();
    int[][] parts = {
      {0, 0, h, w}, {0, 0, 1, 1}, {h - 1, w - 1, 1, 1}, {h / 3, w / 4, h / 2, w / 2}, {0, 1, h, 1}
    };
    for (int[] part : parts) {
      if (part[2] == 0 || part[3] == 0 || part[1] + part[3] > w) {
        continue;
      }
      MemorySegment rgb = arena.allocate(3L * part[2] * part[3]);
      boolean done = window(png, info, part, rgb);
      if (!expected.name().startsWith("bomb")) {
        assertThat(done).isEqualTo(!info.progressive());
      }
      for (int y = 0; y < part[2] && done; y++) {
        long row = 3L * part[3];
        MemorySegment there = whole.asSlice(3L * ((part[0] + y) * w + part[1]), row);
        assertThat(rgb.asSlice(row * y, row).mismatch(there)).isEqualTo(-1);
      }
    }
  }

  /// Law: of a file with any bit flipped, or cut, a part comes out right or not at all.
  @Test
  void everyBitIsGuardedInPartsToo() throws DecodeException {
    for (String file : List.of("type3-02.png", "type0-01.png", "type2-08.png")) {
      byte[] png = Pictures.resource("png/" + file);
      ImageInfo info = decoder.probe(MemorySegment.ofArray(png));
      int[] part = {0, 0, 3, info.width()};
      MemorySegment whole = decode(Pictures.offHeap(arena, png)).asSlice(0, 9L * info.width());
      MemorySegment rgb = arena.allocate(9L * info.width());
      for (int bit = 0; bit < 8 * png.length; bit += 3) {
        try (Arena scope = Arena.ofConfined()) {
          byte[] damaged = bit % 2 == 0 ? Corrupter.flipBit(png, bit) : Corrupter.cut(png, bit / 8);
          if (window(Pictures.offHeap(scope, damaged), info, part, rgb)) {
            assertThat(rgb.mismatch(whole)).as("%s bit %d", file, bit).isEqualTo(-1);
          }
        } catch (DecodeException e) {
          assertThat(e.getMessage()).isNotEmpty();
        }
      }
    }
  }

  @Test
  void everyBitOfEveryKindIsGuarded() throws DecodeException {
    for (String file : List.of("type3-02-adam7.png", "type0-01.png", "type2-08.png")) {
      byte[] png = Pictures.resource("png/" + file);
      long whole = Pictures.crc(decode(Pictures.offHeap(arena, png)));
      for (int bit = 0; bit < 8 * png.length; bit += 5) {
        try (Arena scope = Arena.ofConfined()) {
          MemorySegment flipped = Pictures.offHeap(scope, Corrupter.flipBit(png, bit));
          assertThat(Pictures.crc(decode(flipped))).as("%s bit %d", file, bit).isEqualTo(whole);
        } catch (DecodeException e) {
          assertThat(e.fault()).isIn(Fault.CORRUPT, Fault.TRUNCATED, Fault.MISMATCH);
        }
      }
    }
  }

  /// Law: whatever is wrong in a chunk that has the right checksum, the result is libspng's, be it
  /// pixels or words.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "type3-02-adam7.png",
        "type3-08.png",
        "type0-01.png",
        "type2-08.png",
        "type6-16.png",
        "type4-08-adam7.png",
        "transparent-key.png"
      })
  void damageIsWhatItIsToLibspng(String file) {
    byte[] png = Pictures.resource("png/" + file);
    int own = 0;
    try (var libspng = new PngDecoder(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS, false)) {
      for (int bit = 8 * 8; bit < 8 * png.length; bit += 7) {
        byte[] flipped = Corrupter.flipBit(png, bit);
        HandmadePng.checksums(flipped);
        try (Arena scope = Arena.ofConfined()) {
          MemorySegment stream = Pictures.offHeap(scope, flipped);
          String expected = result(libspng, stream, scope);
          assertThat(result(decoder, stream, scope)).as("bit %d", bit).isEqualTo(expected);
          own += expected.startsWith("pixels") ? 1 : 0;
        }
      }
    }
    assertThat(own).isPositive();
  }

  /// Sizes in a flipped header may be of any size: few pixels are decoded.
  private static String result(PngDecoder decoder, MemorySegment png, Arena scope) {
    try {
      ImageInfo info = decoder.probe(png);
      if (info.rgbBytes() > 1 << 20) {
        return "large";
      }
      MemorySegment rgb = scope.allocate(2 * info.rgbBytes());
      decoder.decode(png, info, rgb);
      long crc = Pictures.crc(rgb);
      if (info.bitDepth() == 16) {
        decoder.decode16(png, info, rgb);
      }
      return "pixels %d %d".formatted(crc, Pictures.crc(rgb));
    } catch (DecodeException e) {
      return e.fault() + " " + e.getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "30000, 30000, LIMIT, over the limit of 250000000",
    "15000, 15000, TRUNCATED, the data ends after",
    "0, 5, CORRUPT, 0 x 5 pixels",
    "-5, 5, CORRUPT, -5 x 5 pixels"
  })
  void headerSizesAreHeldToLimits(int width, int height, Fault fault, String words) {
    byte[] png = Pictures.resource("png/type2-08.png");
    for (int i = 0; i < 4; i++) {
      png[16 + i] = (byte) (width >> (24 - 8 * i));
      png[20 + i] = (byte) (height >> (24 - 8 * i));
    }
    var crc = new CRC32();
    crc.update(png, 12, 17);
    for (int i = 0; i < 4; i++) {
      png[29 + i] = (byte) (crc.getValue() >> (24 - 8 * i));
    }
    assertThatThrownBy(() -> decoder.probe(MemorySegment.ofArray(png)))
        .hasMessageContaining(words)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }
}
