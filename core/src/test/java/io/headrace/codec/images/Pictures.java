package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;

/// Pictures and fixtures for the tests of codecs.
public final class Pictures {
  private Pictures() {}

  /// A fixture and what it decodes to.
  ///
  /// @param crc CRC-32 of the packed RGB pixels
  public record Expected(String name, int width, int height, long crc) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// {@return a smooth picture with some texture: uint8 [height, width, channels]}
  public static byte[] smooth(int width, int height, int channels) {
    byte[] pixels = new byte[width * height * channels];
    int i = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < channels; c++) {
          pixels[i++] = (byte) (128 + 90 * Math.sin(0.11 * x + 0.07 * y * (c + 1)) + x * y % 7);
        }
      }
    }
    return pixels;
  }

  /// {@return grey or RGB pixels as RGB}
  static byte[] rgb(byte[] pixels, int channels) {
    byte[] rgb = new byte[pixels.length / channels * 3];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = channels == 3 ? pixels[i] : pixels[i / 3];
    }
    return rgb;
  }

  public static MemorySegment offHeap(Arena arena, byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  public static byte[] resource(String path) {
    try (InputStream in = Pictures.class.getResourceAsStream("/" + path)) {
      return Objects.requireNonNull(in, path).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> lines(String path) {
    return Arrays.stream(new String(resource(path), StandardCharsets.UTF_8).split("\n")).toList();
  }

  /// {@return the lines of an `expected.txt`}
  public static List<Expected> expected(String folder) {
    return lines(folder + "/expected.txt").stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" "))
        .map(
            f ->
                new Expected(
                    f[0], Integer.parseInt(f[1]), Integer.parseInt(f[2]), Long.parseLong(f[3], 16)))
        .toList();
  }

  public static long crc(MemorySegment bytes) {
    var crc = new CRC32();
    crc.update(bytes.asByteBuffer());
    return crc.getValue();
  }

  /// {@return the largest difference of two samples at the same place}
  public static int largestDifference(byte[] a, byte[] b) {
    int most = 0;
    for (int i = 0; i < a.length; i++) {
      most = Math.max(most, Math.abs((a[i] & 0xff) - (b[i] & 0xff)));
    }
    return most;
  }
}
