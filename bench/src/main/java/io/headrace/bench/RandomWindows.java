package io.headrace.bench;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Writes windows as torchvision's `RandomResizedCrop` draws them, area 0.08 to 1, aspect 3/4 to
/// 4/3, one a line: `top left height width path`. The same for every program that reads them.
///
/// Arguments: folder of JPEGs, windows for each, seed, file to write.
public final class RandomWindows {
  private RandomWindows() {}

  /// Draws and writes.
  ///
  /// @param args folder, windows for each image, seed, file
  public static void main(String[] args) throws Exception {
    Mains.run(RandomWindows.class, 4, args, RandomWindows::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int each = Integer.parseInt(args[1]);
    var random = new CounterRandom();
    try (Arena arena = Arena.ofConfined();
        var decoder = new JpegDecoder();
        Stream<Path> walk = Files.walk(Path.of(args[0]));
        var out = new PrintStream(args[3], StandardCharsets.UTF_8)) {
      List<Path> files =
          walk.filter(file -> file.toString().matches("(?i).*\\.jpe?g")).sorted().toList();
      if (files.isEmpty()) {
        throw new IOException("no JPEG in " + args[0]);
      }
      for (int i = 0; i < files.size(); i++) {
        ImageInfo info = decoder.probe(JpegFolder.read(files.get(i), arena));
        random.reset(Long.parseLong(args[2]), 0, i);
        for (int n = 0; n < each; n++) {
          out.println(window(info.height(), info.width(), random) + files.get(i).toAbsolutePath());
        }
      }
    }
  }

  private static String window(int height, int width, CounterRandom random) {
    double low = Math.log(3.0 / 4);
    double high = Math.log(4.0 / 3);
    for (int i = 0; i < 10; i++) {
      double area = (double) height * width * (0.08 + 0.92 * random.nextDouble());
      double aspect = Math.exp(low + (high - low) * random.nextDouble());
      int w = (int) Math.rint(Math.sqrt(area * aspect));
      int h = (int) Math.rint(Math.sqrt(area / aspect));
      if (0 < w && w <= width && 0 < h && h <= height) {
        int top = random.nextInt(height - h + 1);
        int left = random.nextInt(width - w + 1);
        return "%d %d %d %d ".formatted(top, left, h, w);
      }
    }
    int edge = Math.min(height, width);
    return "%d %d %d %d ".formatted((height - edge) / 2, (width - edge) / 2, edge, edge);
  }
}
