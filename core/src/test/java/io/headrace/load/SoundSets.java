package io.headrace.load;

import io.headrace.sound.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Datasets of short sounds, quick to make and to load.
public final class SoundSets {
  private static final int HEADER = 44;

  private SoundSets() {}

  /// {@return a WAV file of 16 bits}
  ///
  /// @param number of the sound, which decides its samples and its length
  public static byte[] wav(int number, int channels, int rate) {
    float[] sound = Golden.sound(channels * (1200 + 97 * number) + 31 * number);
    int count = channels * (1200 + 97 * number);
    var file = ByteBuffer.allocate(HEADER + 2 * count).order(ByteOrder.LITTLE_ENDIAN);
    file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(HEADER - 8 + 2 * count);
    file.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
    file.putShort((short) 1).putShort((short) channels).putInt(rate);
    file.putInt(rate * channels * 2).putShort((short) (channels * 2)).putShort((short) 16);
    file.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(2 * count);
    for (int i = 0; i < count; i++) {
      file.putShort((short) Math.round(sound[sound.length - 1 - i] * 32_768));
    }
    return file.array();
  }

  /// Writes `count` sounds of three classes, mono and stereo, at two rates.
  public static Path folder(Path to, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Path group = Files.createDirectories(to.resolve("class" + 3 * i / Math.max(1, count)));
      Files.write(
          group.resolve("%05d.wav".formatted(i)), wav(i, 1 + i % 2, i % 3 == 0 ? 8000 : 16_000));
    }
    return to;
  }
}
