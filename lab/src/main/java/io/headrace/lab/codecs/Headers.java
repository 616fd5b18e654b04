package io.headrace.lab.codecs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageCodecs;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.LocalFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// What opening an image costs that is not decoded.
public final class Headers {
  private static final int ROUNDS = 5;
  private static final int OPENINGS = 200;

  private Headers() {}

  /// {@return seconds by the clock to read an image's whole file and to find its size, with no
  ///     pixel decoded: the best round's mean}
  ///
  /// @param pictures a dataset, whose first picture is taken
  /// @param encoding of the file
  /// @param file written, and removed
  /// @throws IOException if the picture cannot be read or encoded
  public static double seconds(Path pictures, String encoding, Path file) throws IOException {
    try (Dataset data = Datasets.open(pictures);
        Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var decoder = new ImageDecoder();
        var encoder = new ImageEncoder();
        var rgb = new Block(MemoryBudget.unbounded());
        var out = new Block(MemoryBudget.unbounded())) {
      reader.read(0, sample);
      ImageInfo info = decoder.probe(sample.encoded());
      MemorySegment pixels = rgb.ensure(info.rgbBytes());
      decoder.decodeRgb(sample.encoded(), info, pixels);
      long bytes =
          encoder.encode(pixels, info.width(), info.height(), 3, ImageCodecs.parse(encoding), out);
      Files.write(file, out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
      double best = Double.POSITIVE_INFINITY;
      for (int round = 0; round < ROUNDS; round++) {
        best = Math.min(best, open(file, bytes, decoder, out));
      }
      return best;
    } catch (CorruptDataException e) {
      throw new IOException(e.getMessage(), e);
    } catch (DecodeException e) {
      throw new IOException("%s: %s: %s".formatted(pictures, encoding, e.getMessage()), e);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static double open(Path file, long bytes, ImageDecoder decoder, Block out)
      throws IOException, DecodeException {
    MemorySegment whole = out.memory().asSlice(0, bytes);
    long start = System.nanoTime();
    for (int i = 0; i < OPENINGS; i++) {
      try (LocalFile opened = LocalFile.open(file)) {
        opened.read(0, whole);
        var _ = decoder.probe(whole);
      }
    }
    return (System.nanoTime() - start) / 1e9 / OPENINGS;
  }
}
