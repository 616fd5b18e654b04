package io.headrace.serve;

import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Folders of tiny pictures, quick to make and to load.
final class Pictures {
  /// As quick as loading gets.
  static final Pipeline PIPELINE = Pipeline.parse("random_resized_crop=4,flip,uint8,hwc");

  private Pictures() {}

  /// Writes `count` pictures of 9 × 7 pixels in three classes.
  static Path folder(Path to, int count) throws IOException {
    byte[] header = "P6\n9 7\n255\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      byte[] picture = new byte[header.length + 9 * 7 * 3];
      System.arraycopy(header, 0, picture, 0, header.length);
      for (int j = header.length; j < picture.length; j++) {
        picture[j] = (byte) (i * 31 + j * (1 + i % 7));
      }
      Path group = Files.createDirectories(to.resolve("class" + i % 3));
      Files.write(group.resolve("%05d.ppm".formatted(i)), picture);
    }
    return to;
  }

  static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).threads(2).prefetch(3).seed(7);
  }
}
