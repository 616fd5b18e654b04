package io.headrace.codec.learned;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageCodecs;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.images.Pictures;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.weights.Safetensors;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Our codecs against CompressAI's: fixtures made by src/test/resources/learned/generate.py.
final class LearnedCodecTest {
  static final String FOLDER = "src/test/resources/learned";

  private final Arena arena = Arena.ofConfined();
  private final ImageDecoder decoder = new ImageDecoder();
  private final ImageEncoder encoder = new ImageEncoder();
  private final Block out = new Block(MemoryBudget.unbounded());

  @BeforeEach
  void useFixtures() {
    System.setProperty("headrace.models", FOLDER);
  }

  @AfterEach
  void close() {
    System.clearProperty("headrace.models");
    decoder.close();
    encoder.close();
    out.close();
    arena.close();
  }

  private MemorySegment file(String name) throws IOException {
    try (InputStream in = LearnedCodecTest.class.getResourceAsStream("/learned/" + name)) {
      return Pictures.offHeap(arena, Objects.requireNonNull(in, name).readAllBytes());
    }
  }

  private record Picture(int width, int height, MemorySegment rgb) {}

  private Picture decode(MemorySegment encoded) throws DecodeException {
    ImageInfo info = decoder.probe(encoded);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decodeRgb(encoded, info, rgb);
    return new Picture(info.width(), info.height(), rgb);
  }

  private byte[] encode(Picture picture, ImageEncoding encoding) throws DecodeException {
    long bytes = encoder.encode(picture.rgb, picture.width, picture.height, 3, encoding, out);
    return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
  }

  @ParameterizedTest
  @EnumSource
  void compressAisStringsAreRead(Architecture architecture) throws Exception {
    String name = architecture.label();
    Picture found = decode(file(name + ".ptci"));
    Picture wanted = decode(file(name + ".png"));
    assertThat(found.width).isEqualTo(wanted.width);
    assertThat(
            Pictures.largestDifference(found.rgb.toArray(JAVA_BYTE), wanted.rgb.toArray(JAVA_BYTE)))
        .isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void stringsAreThoseOfCompressAi(Architecture architecture) throws Exception {
    String name = architecture.label();
    byte[] made = encode(decode(file("picture.png")), ImageCodecs.parse("ptci:" + name + ":3"));
    assertThat(made).isEqualTo(file(name + ".ptci").toArray(JAVA_BYTE));
  }

  @Test
  void pixelsThatAreNotTheEncodersAreFound() throws Exception {
    byte[] made = encode(decode(file("picture.png")), ImageCodecs.parse("learned:mbt2018-mean:3"));
    assertThat(decode(Pictures.offHeap(arena, made)).height).isEqualTo(72);
    made[17] ^= 1; // the noted checksum
    assertThatThrownBy(() -> decode(Pictures.offHeap(arena, made)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("those of the encoder had");
  }

  @Test
  void aModelThatIsMissingIsNamed() throws Exception {
    byte[] made =
        encode(decode(file("picture.png")), ImageCodecs.parse("learned:bmshj2018-factorized:3"));
    made[8] ^= 1;
    assertThatThrownBy(() -> decode(Pictures.offHeap(arena, made)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(FOLDER)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.UNSUPPORTED);
  }

  /// A file whose layers do not fit each other is no model: it is refused before any picture.
  @ParameterizedTest
  @CsvSource({
    "mbt2018-3, g_a.2.weight",
    "mbt2018-3, g_s.2.weight",
    "mbt2018-3, h_a.2.weight",
    "mbt2018-3, h_s.4.weight",
    "mbt2018-3, entropy_parameters.2.weight",
    "mbt2018-mean-3, h_s.4.weight",
    "cheng2020-attn-3, g_a.1.conv2.weight",
    "cheng2020-attn-3, g_s.0.conv_b.3.weight"
  })
  void layersThatDoNotFitAreRefused(String model, String tensor, @TempDir Path dir)
      throws Exception {
    var whole = Safetensors.read(Path.of(FOLDER, model + ".safetensors"));
    Map<String, Safetensors.Tensor> tensors = new LinkedHashMap<>();
    for (String name : whole.names()) {
      long[] shape = Objects.requireNonNull(whole.shape(name));
      if (name.equals(tensor)) {
        shape[1]++; // one more channel comes in, or out of a transposed one
        int count = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        tensors.put(name, floats(new float[count], shape));
      } else if (name.contains("_quantized")
          || name.endsWith("_length")
          || name.endsWith("_offset")) {
        tensors.put(name, Safetensors.Tensor.ints(whole.ints(name), shape));
      } else {
        tensors.put(name, floats(whole.floats(name), shape));
      }
    }
    String name = "misfit-" + model + "-" + tensor.replace('_', '-');
    Safetensors.write(dir.resolve(name + ".safetensors"), tensors, whole.metadata());
    System.setProperty("headrace.models", dir.toString());
    ImageEncoding misfit = ImageCodecs.parse("learned:" + name);
    Picture picture = decode(file("picture.png"));
    assertThatThrownBy(() -> encode(picture, misfit))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(name + ".safetensors")
        .hasMessageMatching(".*(do not fit each other|elements, expected).*");
  }

  private static Safetensors.Tensor floats(float[] values, long... shape) {
    var bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return Safetensors.Tensor.floats(() -> bytes, shape);
  }

  @Test
  void anEnginesOwnModelIsNeverAnother(@TempDir Path dir) throws Exception {
    Files.copy(Path.of(FOLDER, "mbt2018-mean-3.safetensors"), dir.resolve("small-3.safetensors"));
    System.setProperty("headrace.models", dir.toString());
    assertThatThrownBy(() -> ImageCodecs.parse("learned:small:3"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("small-3.safetensors")
        .hasMessageContaining("rename it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"learned:mbt2018:9", "learned:../x", "learned:mbt2018:x", "ptci"})
  void whatIsNoModelIsRefused(String text) {
    assertThatThrownBy(() -> ImageCodecs.parse(text)).isInstanceOf(ConfigException.class);
  }
}
