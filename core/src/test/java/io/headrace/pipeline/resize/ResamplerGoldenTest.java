package io.headrace.pipeline.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// Resized pixels are those of other tools, whose results lie in `resize/`.
public final class ResamplerGoldenTest {
  private static final JsonNode GOLDENS;

  static {
    try (InputStream in = open("goldens.json")) {
      GOLDENS = new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One golden entry.
  record Golden(JsonNode entry) {
    String text(String field) {
      return entry.get(field).asString();
    }

    boolean exact() {
      return text("tool").equals("pillow") && text("pass_order").equals("horizontal-first");
    }

    @Override
    public String toString() {
      return text("name");
    }
  }

  static List<Golden> goldens() {
    List<Golden> goldens = new ArrayList<>();
    for (JsonNode entry : GOLDENS.get("goldens")) {
      // "box" reads pixels beyond the box, which nothing here does
      if (!entry.get("box_mode").asString("").equals("box")) {
        goldens.add(new Golden(entry));
      }
    }
    return goldens;
  }

  @Test
  void bothToolsAreThere() {
    assertThat(goldens().stream().filter(Golden::exact)).hasSizeGreaterThan(40);
    assertThat(goldens().stream().filter(g -> g.text("tool").equals("torchvision")))
        .hasSizeGreaterThan(40);
  }

  /// Law: equal to Pillow where it goes horizontally first, else at most 1 level away.
  @ParameterizedTest(name = "{0}")
  @MethodSource("goldens")
  void pixels(Golden golden) throws IOException {
    JsonNode shape = golden.entry().get("source_shape");
    var from = new ImageSize(shape.get(0).asInt(), shape.get(1).asInt());
    int channels = shape.get(2).asInt();
    byte[] source = rgb(read(sourceFile(golden.text("source"))), channels);
    var to =
        new ImageSize(
            golden.entry().get("target_h").asInt(), golden.entry().get("target_w").asInt());
    int left = 0;
    int top = 0;
    ImageSize box = from;
    if (!golden.entry().get("box").isNull()) {
      JsonNode edges = golden.entry().get("box");
      left = edges.get(0).asInt();
      top = edges.get(1).asInt();
      box = new ImageSize(edges.get(3).asInt() - top, edges.get(2).asInt() - left);
    }
    byte[] target = new byte[(int) to.rgbBytes()];
    new Resampler()
        .resize(
            MemorySegment.ofArray(source), from, top, left, box, MemorySegment.ofArray(target), to);
    byte[] expected = rgb(read(golden.text("file")), channels);
    if (golden.exact()) {
      assertThat(target).isEqualTo(expected);
    } else {
      assertThat(greatestDifference(target, expected)).isLessThanOrEqualTo(1);
    }
  }

  public static int greatestDifference(byte[] a, byte[] b) {
    assertThat(a).hasSameSizeAs(b);
    int greatest = 0;
    for (int i = 0; i < a.length; i++) {
      greatest = Math.max(greatest, Math.abs((a[i] & 0xff) - (b[i] & 0xff)));
    }
    return greatest;
  }

  private static String sourceFile(String name) {
    for (JsonNode source : GOLDENS.get("sources")) {
      if (source.get("name").asString().equals(name)) {
        return source.get("file").asString();
      }
    }
    throw new AssertionError("no source " + name);
  }

  private static byte[] rgb(byte[] pixels, int channels) {
    if (channels == 3) {
      return pixels;
    }
    byte[] rgb = new byte[3 * pixels.length];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = pixels[i / 3];
    }
    return rgb;
  }

  private static byte[] read(String file) throws IOException {
    try (InputStream in = new GZIPInputStream(open(file))) {
      return in.readAllBytes();
    }
  }

  private static InputStream open(String file) {
    return Objects.requireNonNull(
        ResamplerGoldenTest.class.getResourceAsStream("/resize/" + file), file);
  }
}
