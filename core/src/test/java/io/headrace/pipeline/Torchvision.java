package io.headrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/// What torchvision makes of an image: see `augment/generate.py`.
public final class Torchvision {
  public static final int HEIGHT = 36;
  public static final int WIDTH = 44;
  private static final int BYTES = 3 * HEIGHT * WIDTH;
  private static final byte[] PIXELS = pixels();

  private Torchvision() {}

  /// What torchvision does, and the result.
  public static final class Case {
    private final List<String> words;
    private final byte[] planes;

    private Case(List<String> words, byte[] planes) {
      this.words = words;
      this.planes = planes;
    }

    /// {@return the words of the line}
    public List<String> words() {
      return words;
    }

    @Override
    public String toString() {
      return String.join(" ", words);
    }
  }

  /// {@return uint8 [3, height, width]}
  public static byte[] image() {
    return Arrays.copyOf(PIXELS, BYTES);
  }

  /// {@return the cases of a kind}
  public static List<Case> cases(String kind) {
    List<Case> cases = new ArrayList<>();
    int at = BYTES;
    for (String line : new String(read("cases.txt"), StandardCharsets.UTF_8).lines().toList()) {
      List<String> words = List.of(line.split(" ", -1));
      if (words.getFirst().equals(kind)) {
        cases.add(new Case(words, Arrays.copyOfRange(PIXELS, at, at + BYTES)));
      }
      at += BYTES;
    }
    assertThat(at).isEqualTo(PIXELS.length);
    assertThat(cases).isNotEmpty();
    return cases;
  }

  /// Checks that values differ by one level at most; in a warp that takes the nearest pixel, but
  /// for one pixel in a thousand, whose place lies between two.
  public static void check(byte[] planes, Case expected) {
    boolean moves =
        !expected.toString().contains("bilinear")
            && expected.toString().matches("step (rotate|affine).*|change (SHEAR|ROTATE).*");
    int far = 0;
    for (int i = 0; i < BYTES; i++) {
      int difference = Math.abs((planes[i] & 0xff) - (expected.planes[i] & 0xff));
      far += difference > 1 ? 1 : 0;
    }
    assertThat(far).as("values that differ of %s", expected).isLessThanOrEqualTo(moves ? 4 : 0);
  }

  /// {@return planes as uint8 [height, width, 3]}
  static byte[] interleaved(byte[] planes) {
    byte[] rgb = new byte[BYTES];
    for (int i = 0; i < BYTES / 3; i++) {
      for (int c = 0; c < 3; c++) {
        rgb[3 * i + c] = planes[c * (BYTES / 3) + i];
      }
    }
    return rgb;
  }

  private static byte[] pixels() {
    try (InputStream in = open("pixels.gz");
        var pixels = new GZIPInputStream(in)) {
      return pixels.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = open(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String name) {
    return Objects.requireNonNull(Torchvision.class.getResourceAsStream("/augment/" + name), name);
  }
}
