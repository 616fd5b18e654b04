package io.headrace.sound;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;

/// Goldens that `generate.py` made, and the sound they were made from.
public final class Golden {
  private Golden() {}

  /// {@return float32 values of a file}
  public static float[] load(String name) {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(Sounds.resource(name)))) {
      var bytes = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
      float[] values = new float[bytes.remaining() / Float.BYTES];
      bytes.asFloatBuffer().get(values);
      return values;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return a sawtooth, a triangle and noise, as `sound` in `generate.py`}
  public static float[] sound(int samples) {
    float[] sound = new float[samples];
    long state = 12_345;
    for (int i = 0; i < samples; i++) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      long noise = (state >> 16) % 4001 - 2000;
      long saw = (i * 577L) % 16_000 - 8000;
      long triangle = Math.abs((i * 211L) % 20_000 - 10_000) - 5000;
      sound[i] = (noise + saw + triangle) / 32_768f;
    }
    return sound;
  }
}
