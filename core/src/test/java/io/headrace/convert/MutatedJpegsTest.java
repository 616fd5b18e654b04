package io.headrace.convert;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.convert.inspect.Extractor;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.JpegSurgery;
import io.headrace.testkit.Mutator;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Law: `verify --deep` and every lossless rewriting agree about every JPEG. What one calls damaged
/// the other leaves out, and what is written is sound and shows the same pixels.
final class MutatedJpegsTest {
  private static final int MUTATED = 150;
  private static final Pattern NAME = Pattern.compile("m\\d{4}");
  private static final List<String> FIXTURES =
      List.of(
          "baseline",
          "odd",
          "grey",
          "progressive",
          "restart-blocks",
          "restart-rows",
          "progressive-restart",
          "arithmetic",
          "sample-2x1",
          "sample-2x2-1x1-2x1",
          "rgb",
          "cmyk",
          "ycck",
          "line-number",
          "extraneous",
          "jfif-0",
          "empty-huffman",
          "quality-3");

  static Stream<Arguments> encodings() {
    long seed = Seeds.random().findFirst().orElseThrow();
    return Stream.of(
            "progressive",
            "progressive:drop",
            "baseline",
            "baseline:standard",
            "tiled",
            "tiled:drop",
            "tiled:2",
            "packed",
            "packed:2",
            "pyramid:80")
        .map(encoding -> Arguments.of(encoding, seed));
  }

  @ParameterizedTest(name = "{0} -Dheadrace.seed={1}")
  @MethodSource("encodings")
  void deepVerificationAndRewritingAgree(String encoding, long seed, @TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Path root = dir.resolve("source");
    Path source = Files.createDirectories(root.resolve("a"));
    List<byte[]> inputs = inputs(seed);
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(source.resolve("m%04d.jpg".formatted(i)), inputs.get(i));
    }
    Collection<String> verified;
    ConvertReport report;
    Representation to = Representation.of("race", "none", encoding, "keep");
    try (Dataset dataset = Datasets.open(root)) {
      verified = names(Verifier.verify(dataset, true).faults());
      var options =
          new ConvertOptions(dir.resolve("out"), "data", to, 1, false, 0, 1, true, 1L << 28);
      report = new Converter(dataset, options).run();
    }
    String run = "%s -Dheadrace.seed=%d".formatted(encoding, seed);
    assertThat(names(report.skipped())).as(run).isEqualTo(verified);
    assertThat(report.transcoded()).isPositive();
    assertThat(verified).isNotEmpty();
    try (Dataset dataset = Datasets.open(dir.resolve("out"))) {
      assertThat(Verifier.verify(dataset, true).faults()).as(run).isEmpty();
      assertThat(dataset.size()).isEqualTo(inputs.size() - verified.size());
      assertSamePixels(dataset, inputs, run);
    }
  }

  private static void assertSamePixels(Dataset dataset, List<byte[]> inputs, String run)
      throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        var decoder = new ImageDecoder();
        var picture = new JpegCoefficients()) {
      for (long i = 0; i < dataset.size(); i++) {
        byte[] found =
            Extractor.extract(
                dataset, i, Integer.MAX_VALUE, (_, image) -> image.toArray(JAVA_BYTE));
        String key = Extractor.extract(dataset, i, 1, (sample, _) -> sample.key());
        Matcher name = NAME.matcher(key);
        assertThat(name.find()).isTrue();
        byte[] source = inputs.get(Integer.parseInt(name.group().substring(1)));
        if (complete(picture, arena.allocateFrom(JAVA_BYTE, source))) {
          assertThat(pixels(decoder, arena, found))
              .as("%s %s", run, key)
              .isEqualTo(pixels(decoder, arena, source));
        }
      }
    }
  }

  /// Only a progressive picture that lacks scans may look different once it is rewritten.
  private static boolean complete(JpegCoefficients picture, MemorySegment jpeg) {
    try {
      picture.read(jpeg);
      return picture.complete();
    } catch (DecodeException e) {
      return true; // arithmetic coding, which is kept as it is
    }
  }

  private static byte[] pixels(ImageDecoder decoder, Arena arena, byte[] encoded)
      throws DecodeException {
    MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, encoded);
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = arena.allocate(info.rgbBytes());
    decoder.decodeRgb(bytes, info, rgb);
    return rgb.toArray(JAVA_BYTE);
  }

  private static Collection<String> names(List<String> lines) {
    var names = new TreeSet<String>();
    for (String line : lines) {
      Matcher name = NAME.matcher(line);
      assertThat(name.find()).as(line).isTrue();
      names.add(name.group());
    }
    return names;
  }

  /// {@return sound, odd and damaged JPEGs}
  private static List<byte[]> inputs(long seed) throws IOException {
    var random = new Random(seed);
    List<byte[]> corpus = new ArrayList<>();
    for (String name : FIXTURES) {
      corpus.add(resource("jpeg/" + name + ".jpg"));
    }
    byte[] large = encoded(random);
    List<byte[]> inputs = new ArrayList<>(corpus);
    inputs.add(resource("jpeg/scans.jpg"));
    inputs.add(resource("jpeg/arithmetic-scans.jpg"));
    inputs.add(resource("jpeg/arithmetic-progressive.jpg"));
    inputs.add(large);
    for (byte[] jpeg : corpus) {
      inputs.add(JpegSurgery.without(jpeg, 0xc4));
      inputs.add(JpegSurgery.without(jpeg, 0xdb));
      inputs.add(JpegSurgery.numberedAlike(jpeg));
      inputs.add(JpegSurgery.withTransform(jpeg, 2));
      int end = jpeg.length - 2;
      inputs.add(JpegSurgery.inserted(jpeg, end, random, 1 + random.nextInt(6)));
      inputs.add(JpegSurgery.damaged(jpeg, end - 1 - random.nextInt(30), random, 4));
      for (int at : JpegSurgery.restarts(jpeg)) {
        if (random.nextInt(4) == 0) {
          inputs.add(JpegSurgery.cutOut(jpeg, at, 2));
          inputs.add(JpegSurgery.inserted(jpeg, at, random, 1));
          inputs.add(JpegSurgery.damaged(jpeg, at - 2, random, 2));
          inputs.add(Corrupter.flipBit(jpeg, 8L * (at + 1) + random.nextInt(3)));
        }
      }
    }
    for (int i = 0; i < MUTATED / 2; i++) { // where libjpeg-turbo looks less closely
      inputs.add(Corrupter.flipBit(large, 8L * (700 + random.nextInt(large.length - 700))));
    }
    var mutator = new Mutator(corpus, random.nextLong(), 1 << 16);
    for (int i = 0; i < MUTATED; i++) {
      inputs.add(mutator.next());
    }
    inputs.removeIf(jpeg -> jpeg.length == 0);
    return inputs;
  }

  private static byte[] resource(String path) throws IOException {
    try (InputStream in = MutatedJpegsTest.class.getResourceAsStream("/" + path)) {
      return Objects.requireNonNull(in, path).readAllBytes();
    }
  }

  private static byte[] encoded(Random random) {
    byte[] noise = new byte[3 * 200 * 150];
    random.nextBytes(noise);
    for (int i = 3; i < noise.length; i++) {
      noise[i] = (byte) ((noise[i] & 63) + (noise[i - 3] & 0xff) * 3 / 4);
    }
    try (Arena arena = Arena.ofConfined();
        var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      var encoding = new JpegEncoding(90, Subsampling.S420);
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, noise);
      long bytes = encoder.encode(rgb, 200, 150, 3, encoding, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }
}
