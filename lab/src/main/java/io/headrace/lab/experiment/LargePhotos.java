package io.headrace.lab.experiment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Photos of 12 megapixels, each a grid of small ones that are laid side by side unscaled, so that
/// they have as many bits a pixel as photos have.
final class LargePhotos {
  private static final int WIDTH = 4000;
  private static final int HEIGHT = 3000;
  private static final int CELL_WIDTH = 500;
  private static final int CELL_HEIGHT = 375;
  private static final int QUALITY = 90;

  private LargePhotos() {}

  /// Makes a folder of them, unless it is there.
  ///
  /// @param photos a dataset of images
  /// @param folder of JPEGs; appears when it is complete
  static void make(Path photos, Path folder, int count) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path draft = folder.resolveSibling(folder.getFileName() + ".tmp");
    Files.createDirectories(draft.resolve("photos"));
    try (Dataset data = Datasets.open(photos);
        Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var decoder = new ImageDecoder();
        var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded());
        Arena arena = Arena.ofConfined()) {
      MemorySegment large = arena.allocate(3L * WIDTH * HEIGHT, 64);
      long next = 0;
      for (int i = 0; i < count; i++) {
        for (int y = 0; y < HEIGHT; y += CELL_HEIGHT) {
          for (int x = 0; x < WIDTH; x += CELL_WIDTH) {
            reader.read(next++ % data.size(), sample);
            lay(sample, decoder, large.asSlice(3L * (y * WIDTH + x)));
          }
        }
        long bytes = encoder.encode(large, WIDTH, HEIGHT, 3, new JpegEncoding(QUALITY), out);
        Path file = draft.resolve("photos").resolve("large-%03d.jpg".formatted(i));
        Files.write(file, out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
      }
    } catch (CorruptDataException e) {
      throw new IOException(e.getMessage(), e);
    } catch (DecodeException e) {
      throw new IOException(photos + ": " + e.getMessage(), e);
    }
    Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  /// Fills a cell with an image, again and again where it is smaller.
  private static void lay(Sample sample, ImageDecoder decoder, MemorySegment cell)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      ImageInfo info = decoder.probe(sample.encoded());
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decodeRgb(sample.encoded(), info, rgb);
      for (int y = 0; y < CELL_HEIGHT; y++) {
        long row = 3L * info.width() * (y % info.height());
        for (int x = 0; x < CELL_WIDTH; x += info.width()) {
          long bytes = 3L * Math.min(info.width(), CELL_WIDTH - x);
          MemorySegment.copy(
              rgb, JAVA_BYTE, row, cell, JAVA_BYTE, 3L * ((long) y * WIDTH + x), bytes);
        }
      }
    }
  }
}
