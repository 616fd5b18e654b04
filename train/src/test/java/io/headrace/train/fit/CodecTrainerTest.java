package io.headrace.train.fit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageCodecs;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.learned.Architecture;
import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CodecTrainerTest {
  private static final int EDGE = 64;

  @TempDir private Path dir = Path.of(".");

  @AfterEach
  void forget() {
    System.clearProperty("headrace.models");
  }

  /// {@return a picture of soft waves: uint8 [64, 64, 3]}
  private static byte[] waves(int number) {
    var pixels = new byte[3 * EDGE * EDGE];
    for (int i = 0; i < pixels.length; i++) {
      int x = i / 3 % EDGE;
      int y = i / 3 / EDGE;
      double phase = 0.05 * (number + 2) * x + 0.11 * y + 0.3 * (i % 3);
      pixels[i] = (byte) (128 + 100 * Math.sin(phase));
    }
    return pixels;
  }

  private Path pictures() throws IOException {
    Path folder = Files.createDirectories(dir.resolve("in/waves"));
    for (int i = 0; i < 8; i++) {
      byte[] head = "P6 64 64 255\n".getBytes(StandardCharsets.US_ASCII);
      byte[] pixels = waves(i);
      var file = new byte[head.length + pixels.length];
      System.arraycopy(head, 0, file, 0, head.length);
      System.arraycopy(pixels, 0, file, head.length, pixels.length);
      Files.write(folder.resolve(i + ".ppm"), file);
    }
    return dir.resolve("in");
  }

  private CodecTrainer.Options options(Architecture architecture, Path out, int steps)
      throws IOException {
    return new CodecTrainer.Options(
        pictures(),
        OpenOptions.DEFAULT,
        architecture,
        6,
        8,
        List.of(0.01, 0.05),
        steps,
        EDGE,
        4,
        5e-3,
        3,
        1,
        out,
        "own-" + architecture.label());
  }

  private static List<Double> train(CodecTrainer.Options options) throws Exception {
    List<Double> decibels = new ArrayList<>();
    new CodecTrainer(
            options,
            new CodecTrainer.Watch() {
              @Override
              public void step(int quality, int steps, int of, double bits, double psnr) {
                decibels.add(psnr);
              }

              @Override
              public void written(Path file) {}
            })
        .train(Store.LOCAL);
    return decibels;
  }

  /// Law: the engine decodes with a trained model about what training saw.
  @ParameterizedTest
  @EnumSource(names = {"BMSHJ2018_FACTORIZED", "BMSHJ2018_HYPERPRIOR"})
  void whatIsTrainedCodes(Architecture architecture) throws Exception {
    List<Double> decibels = train(options(architecture, dir.resolve("a"), 40));
    double seen = decibels.get(1); // of the last steps of quality 2, which is trained first
    System.setProperty("headrace.models", dir.resolve("a").toString());
    double found = decibels("learned:own-" + architecture.label() + ":2");
    assertThat(found).isBetween(seen - 2, seen + 4).isGreaterThan(10);
  }

  @Test
  void theSameTrainingGivesTheSameFiles() throws Exception {
    Architecture architecture = Architecture.BMSHJ2018_HYPERPRIOR;
    assertThat(train(options(architecture, dir.resolve("b"), 4)))
        .isEqualTo(train(options(architecture, dir.resolve("c"), 4)));
    String file = "own-" + architecture.label() + "-1.safetensors";
    assertThat(dir.resolve("b").resolve(file)).hasSameBinaryContentAs(dir.resolve("c/" + file));
    assertThatThrownBy(() -> train(options(architecture, dir.resolve("c"), 4)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + " is there, and samples may need it");
  }

  /// {@return the PSNR of a picture that is encoded and decoded again}
  private static double decibels(String encoding) throws Exception {
    byte[] source = waves(3);
    try (Arena arena = Arena.ofConfined();
        var encoder = new ImageEncoder();
        var decoder = new ImageDecoder();
        var out = new Block(MemoryBudget.unbounded())) {
      MemorySegment pixels = arena.allocateFrom(JAVA_BYTE, source);
      long bytes = encoder.encode(pixels, EDGE, EDGE, 3, ImageCodecs.parse(encoding), out);
      MemorySegment encoded = out.memory().asSlice(0, bytes);
      ImageInfo info = decoder.probe(encoded);
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decodeRgb(encoded, info, rgb);
      double squares = 0;
      for (int i = 0; i < source.length; i++) {
        double difference = (source[i] & 0xff) - (rgb.get(JAVA_BYTE, i) & 0xff);
        squares += difference * difference;
      }
      return 10 * Math.log10(255 * 255 * source.length / squares);
    }
  }

  @Test
  void onlyTwoAreTrained() {
    assertThatThrownBy(() -> options(Architecture.MBT2018, dir, 10))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("mbt2018 is not trained here");
  }
}
