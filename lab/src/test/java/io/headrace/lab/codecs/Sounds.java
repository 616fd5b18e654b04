package io.headrace.lab.codecs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// Made-up sound.
final class Sounds {
  private static final int RATE = 16_000;

  private Sounds() {}

  /// Writes WAV files of 16 bits, mono: a falling tone with a little noise, a second each.
  static Path wav(Path folder, int count) throws IOException {
    Files.createDirectories(folder);
    for (int file = 0; file < count; file++) {
      var random = new Random(file);
      var wav = ByteBuffer.allocate(44 + 2 * RATE).order(ByteOrder.LITTLE_ENDIAN);
      wav.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + 2 * RATE);
      wav.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16).putShort((short) 1);
      wav.putShort((short) 1)
          .putInt(RATE)
          .putInt(2 * RATE)
          .putShort((short) 2)
          .putShort((short) 16);
      wav.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(2 * RATE);
      for (int i = 0; i < RATE; i++) {
        double tone = 8000 * Math.sin(i * (0.3 + 0.05 * file - 0.1 * i / RATE));
        wav.putShort((short) (tone + 40 * random.nextGaussian()));
      }
      Files.write(folder.resolve("tone-" + file + ".wav"), wav.array());
    }
    return folder;
  }
}
