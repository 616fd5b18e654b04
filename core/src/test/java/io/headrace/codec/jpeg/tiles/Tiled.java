package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Random;

/// Everything that the tests of tiles need, made once and closed together.
final class Tiled implements AutoCloseable {
  final Arena arena = Arena.ofConfined();
  final JpegDecoder whole = new JpegDecoder();
  final JpegEncoder encoder = new JpegEncoder();
  final TiledTranscoder transcoder = new TiledTranscoder();
  final TiledJpegDecoder decoder = new TiledJpegDecoder();
  final TileTable tiles = new TileTable();
  private final Block block = new Block(MemoryBudget.unbounded());

  MemorySegment offHeap(byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  MemorySegment fixture(String name) {
    try (InputStream in = Tiled.class.getResourceAsStream("/jpeg/" + name)) {
      return offHeap(Objects.requireNonNull(in, name).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return a picture of which no two places are alike, encoded}
  MemorySegment encode(int width, int height, Subsampling subsampling, int quality, long seed)
      throws DecodeException {
    var random = new Random(seed);
    MemorySegment rgb = arena.allocate(3L * width * height);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          int value = (int) (128 + 80 * Math.sin(0.05 * x * (c + 1) + 0.11 * y * (3 - c)));
          rgb.set(JAVA_BYTE, 3L * (y * width + x) + c, (byte) (value + random.nextInt(48)));
        }
      }
    }
    long bytes = encoder.encode(rgb, width, height, 3, quality, subsampling, block);
    return copy(bytes);
  }

  /// {@return a photo, encoded once more, in 4:2:0}
  MemorySegment encodeAgain(MemorySegment jpeg, int quality) throws DecodeException {
    ImageInfo info = whole.probe(jpeg);
    MemorySegment rgb = pixels(jpeg, JpegScale.FULL);
    return copy(
        encoder.encode(rgb, info.width(), info.height(), 3, quality, Subsampling.S420, block));
  }

  /// {@return a tiled copy, whose table is then in [#tiles]}
  MemorySegment tile(MemorySegment jpeg, int target) throws DecodeException {
    return copy(transcoder.tile(jpeg, target, block, tiles));
  }

  MemorySegment restore(MemorySegment jpeg) throws DecodeException {
    return copy(transcoder.restore(jpeg, tiles, block));
  }

  private MemorySegment copy(long bytes) {
    MemorySegment copy = arena.allocate(bytes);
    return copy.copyFrom(block.memory().asSlice(0, bytes));
  }

  /// {@return all pixels, by the ordinary decoder}
  MemorySegment pixels(MemorySegment jpeg, JpegScale scale) throws DecodeException {
    ImageInfo info = whole.probe(jpeg);
    MemorySegment rgb = arena.allocate(scale.rgbBytes(info));
    whole.decode(jpeg, info, scale, rgb);
    return rgb;
  }

  JpegHeader header(MemorySegment jpeg) throws DecodeException {
    whole.probe(jpeg);
    return whole.header();
  }

  byte[] region(MemorySegment jpeg, Region region, JpegScale scale) throws DecodeException {
    MemorySegment rgb = arena.allocate(region.rgbBytes());
    decoder.decode(jpeg, tiles, region, scale, rgb);
    return rgb.toArray(JAVA_BYTE);
  }

  /// {@return the same region of all pixels}
  static byte[] cut(MemorySegment rgb, int width, Region region) {
    byte[] cut = new byte[(int) region.rgbBytes()];
    int row = 3 * region.width();
    for (int y = 0; y < region.height(); y++) {
      long from = 3L * ((long) (region.top() + y) * width + region.left());
      MemorySegment.copy(rgb, JAVA_BYTE, from, cut, y * row, row);
    }
    return cut;
  }

  @Override
  public void close() {
    block.close();
    decoder.close();
    encoder.close();
    whole.close();
    arena.close();
  }
}
