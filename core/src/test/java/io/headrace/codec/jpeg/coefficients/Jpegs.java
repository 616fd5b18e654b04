package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// JPEGs for the tests of this package.
public final class Jpegs {
  private static final String SIZES = "jpeg-scans/sizes.txt";

  private Jpegs() {}

  /// What jpegtran makes of a file.
  ///
  /// @param name as [#named] takes it
  /// @param optimised bytes with optimised tables
  /// @param progressive bytes of the progressive form
  record Size(String name, int optimised, int progressive) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// {@return every fixture and some photos}
  static List<Size> sizes() {
    return new String(resource(SIZES), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" "))
        .map(f -> new Size(f[0], Integer.parseInt(f[1]), Integer.parseInt(f[2])))
        .toList();
  }

  /// {@return the names of the fixtures}
  static List<String> fixtures() {
    return sizes().stream().map(Size::name).filter(name -> name.startsWith("jpeg")).toList();
  }

  public static byte[] named(String name) {
    try {
      return name.startsWith("photos/")
          ? Files.readAllBytes(Photos.folder().resolveSibling(name))
          : resource(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] resource(String path) {
    try (InputStream in = Jpegs.class.getResourceAsStream("/" + path)) {
      return Objects.requireNonNull(in, path).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return a picture between smooth and noise, as the seed will have it}
  static byte[] encoded(int width, int height, Subsampling subsampling, int quality, long seed)
      throws DecodeException {
    Random random = new Random(seed);
    int channels = subsampling == Subsampling.GRAY ? 1 : 3;
    int noise = 1 + random.nextInt(120);
    byte[] pixels = new byte[width * height * channels];
    for (int i = 0; i < pixels.length; i++) {
      int x = i / channels % width;
      int y = i / channels / width;
      double wave = Math.sin(0.11 * x + 0.07 * y * (1 + i % channels));
      pixels[i] = (byte) Math.clamp((int) (128 + 90 * wave) + random.nextInt(noise), 0, 255);
    }
    return encode(pixels, width, height, subsampling, quality);
  }

  /// {@return grey pixels, or RGB unless the subsampling is grey, as a JPEG}
  static byte[] encode(byte[] pixels, int width, int height, Subsampling subsampling, int quality)
      throws DecodeException {
    int channels = subsampling == Subsampling.GRAY ? 1 : 3;
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var encoder = new JpegEncoder()) {
      MemorySegment from = arena.allocateFrom(JAVA_BYTE, pixels);
      long bytes = encoder.encode(from, width, height, channels, quality, subsampling, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  /// {@return RGB pixels}
  static byte[] pixels(JpegDecoder decoder, MemorySegment jpeg) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      ImageInfo info = decoder.probe(jpeg);
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decode(jpeg, info, rgb);
      return rgb.toArray(JAVA_BYTE);
    }
  }

  /// {@return the JPEG with a segment put in after the start marker}
  static byte[] with(byte[] jpeg, int marker, byte[] content) {
    byte[] out = Arrays.copyOf(jpeg, jpeg.length + 4 + content.length);
    out[2] = (byte) 0xff;
    out[3] = (byte) marker;
    out[4] = (byte) ((content.length + 2) >> 8);
    out[5] = (byte) (content.length + 2);
    System.arraycopy(content, 0, out, 6, content.length);
    System.arraycopy(jpeg, 2, out, 6 + content.length, jpeg.length - 2);
    return out;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
