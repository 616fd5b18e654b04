package io.headrace.train.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import io.headrace.error.ConfigException;
import io.headrace.train.net.Net.Kind;
import io.headrace.train.net.Net.Spec;
import io.headrace.weights.Safetensors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Our networks against torchvision's: networks.json, made by src/test/python/networks.py.
final class NetTest {
  private static final int CLASSES = 10;
  private static final double TOLERANCE = 1e-4;

  static Stream<JsonNode> networks() throws IOException {
    try (InputStream in = NetTest.class.getResourceAsStream("networks.json")) {
      return JsonMapper.builder().build().readTree(in).path("networks").values().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void outputsAreTorchvisions(JsonNode made) {
    try (Net net = filled(made);
        NDManager step = net.weights().manager().newSubManager()) {
      assertThat(names(net)).containsExactlyInAnyOrderElementsOf(texts(made.path("tensors")));
      float[] logits = net.forward(pictures(made, step), false).toFloatArray();
      close(logits, made.path("logits"));
      gradients(net, made, step, false);
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void trainingIsTorchvisions(JsonNode made) {
    if (!made.has("training")) {
      return; // it drops out at random
    }
    JsonNode training = made.path("training");
    try (Net net = filled(made);
        NDManager step = net.weights().manager().newSubManager()) {
      gradients(net, made, step, true);
      training
          .path("statistics")
          .properties()
          .forEach(e -> close(net.weights().get(e.getKey()).toFloatArray(), e.getValue()));
    }
  }

  private static void gradients(Net net, JsonNode made, NDManager step, boolean training) {
    JsonNode expected = training ? made.path("training") : made;
    try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
      NDArray scores = net.forward(pictures(made, step), training);
      NDArray loss = Loss.smoothed(scores, step.create(new long[] {3, 7, 0, 9}), 0.1f);
      collector.backward(loss);
      double wanted = expected.path("loss").asDouble();
      assertThat((double) loss.getFloat()).isCloseTo(wanted, within(TOLERANCE * Math.abs(wanted)));
    }
    for (Map.Entry<String, JsonNode> e : expected.path("gradients").properties()) {
      NDArray gradient = net.weights().get(e.getKey()).getGradient();
      double sum = e.getValue().path(0).asDouble();
      assertThat((double) gradient.abs().sum().getFloat())
          .as(e.getKey())
          .isCloseTo(sum, within(2e-3 * sum));
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void parametersAreAsMany(JsonNode made) {
    try (var net = new Net(new Spec(Kind.of(made.path("name").asString()), 1000, 1, false), 0)) {
      assertThat(net.weights().count()).isEqualTo(made.path("parameters").asLong());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void smallNetworksTakeSmallPictures(Kind kind) {
    try (var net = new Net(new Spec(kind, 5, 0.25, true), 7);
        NDManager step = net.weights().manager().newSubManager()) {
      NDArray scores = net.forward(step.ones(new Shape(2, 3, 64, 64)), true);
      assertThat(scores.getShape()).isEqualTo(new Shape(2, 5));
      assertThat(scores.isNaN().any().getBoolean()).isFalse();
    }
  }

  /// In float16 a network gives nearly the scores and gradients that it gives in float32, for all
  /// parameters: none is lost where types change.
  @ParameterizedTest
  @EnumSource(Kind.class)
  void halfPrecisionIsNearlyTheSame(Kind kind) {
    List<float[]> whole = step(kind, DataType.FLOAT32);
    List<float[]> half = step(kind, DataType.FLOAT16);
    for (int i = 0; i < whole.size(); i++) {
      double error = distance(whole.get(i), half.get(i));
      double length = distance(whole.get(i), new float[whole.get(i).length]);
      assertThat(error).as("tensor %d", i).isLessThanOrEqualTo(0.6 * length);
    }
  }

  private static double distance(float[] a, float[] b) {
    double squares = 0;
    for (int i = 0; i < a.length; i++) {
      squares += Math.pow((double) a[i] - b[i], 2);
    }
    return Math.sqrt(squares);
  }

  /// {@return scores, and the gradients of all parameters}
  private static List<float[]> step(Kind kind, DataType type) {
    List<float[]> found = new ArrayList<>();
    try (Net net = filled(new Spec(kind, 3, 0.25, true));
        NDManager step = net.weights().manager().newSubManager();
        GradientCollector collector = Engine.getInstance().newGradientCollector()) {
      float[] values = values("x", new long[] {4, 3072});
      NDArray pictures = step.create(values, new Shape(4, 3, 32, 32)).mul(8);
      NDArray scores = net.forward(pictures.toType(type, false), false);
      found.add(scores.toType(DataType.FLOAT32, false).toFloatArray());
      NDArray loss = Loss.smoothed(scores, step.create(new long[] {0, 1, 2, 0}), 0.1f);
      collector.backward(loss.mul(step.create(16f)));
      net.weights().collect(collector);
      net.weights().forgetCopies();
      net.weights()
          .parameters()
          .values()
          .forEach(parameter -> found.add(parameter.getGradient().toFloatArray()));
    }
    return found;
  }

  /// The library frees a number's memory when the collector finds its array; backward must not need
  /// it any more then.
  @Test
  void gradientsDoNotDependOnGarbageCollections() throws InterruptedException {
    float[] quiet = gradientsOfAStep();
    var ends = new AtomicBoolean();
    Thread collector =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!ends.get()) {
                    System.gc();
                  }
                });
    try {
      for (int i = 0; i < 5; i++) {
        assertThat(gradientsOfAStep()).isEqualTo(quiet);
      }
    } finally {
      ends.set(true);
      collector.join();
    }
  }

  private static float[] gradientsOfAStep() {
    try (var net = new Net(new Spec(Kind.MOBILENET_V3_SMALL, 3, 0.25, true), 7);
        NDManager step = net.weights().manager().newSubManager();
        GradientCollector collector = Engine.getInstance().newGradientCollector()) {
      Engine.getInstance().setRandomSeed(1);
      NDArray pictures = step.create(values("x", new long[] {4, 3072}), new Shape(4, 3, 32, 32));
      NDArray scores = net.forward(pictures, true);
      collector.backward(Loss.smoothed(scores, step.create(new long[] {0, 1, 2, 0}), 0.1f));
      return net.weights().get("features.0.0.weight").getGradient().toFloatArray();
    }
  }

  @Test
  void weightsDependOnTheSeedAlone() {
    var spec = new Spec(Kind.RESNET18, 3, 0.25, true);
    try (var one = new Net(spec, 5);
        var same = new Net(spec, 5);
        var other = new Net(spec, 6)) {
      String name = "layer1.0.conv1.weight";
      float[] values = one.weights().get(name).toFloatArray();
      assertThat(same.weights().get(name).toFloatArray()).isEqualTo(values);
      assertThat(other.weights().get(name).toFloatArray()).isNotEqualTo(values);
    }
  }

  @Test
  void weightsComeBackFromTheirFile(@TempDir Path dir) throws IOException {
    var spec = new Spec(Kind.SHUFFLENET_V2, 4, 0.25, true);
    Path file = dir.resolve("w.safetensors");
    try (var one = new Net(spec, 1);
        var two = new Net(spec, 2)) {
      Safetensors.write(file, tensors(one), Map.of("model", "x"));
      Safetensors read = Safetensors.read(file);
      assertThat(read.metadata()).containsEntry("model", "x");
      two.weights().load(read);
      one.weights()
          .forEach(
              (name, array) ->
                  assertThat(two.weights().find(name))
                      .as(name)
                      .isNotNull()
                      .satisfies(
                          found ->
                              assertThat(found.toFloatArray()).isEqualTo(array.toFloatArray())));
    }
    try (var other = new Net(new Spec(Kind.SHUFFLENET_V2, 5, 0.25, true), 2)) {
      assertThatThrownBy(() -> other.weights().load(Safetensors.read(file)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("fc.weight");
    }
  }

  private static Map<String, Safetensors.Tensor> tensors(Net net) {
    Map<String, Safetensors.Tensor> all = new java.util.LinkedHashMap<>();
    net.weights().forEach((name, array) -> all.put(name, Weights.tensor(array)));
    return all;
  }

  @Test
  void damagedFilesAreNamed(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("w.safetensors");
    try (var net = new Net(new Spec(Kind.SQUEEZENET, 2, 0.25, true), 1)) {
      Safetensors.write(file, tensors(net), Map.of());
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length : List.of(0, 7, 8, 100, whole.length - 1)) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> Safetensors.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("w.safetensors");
    }
  }

  private static Net filled(JsonNode made) {
    return filled(new Spec(Kind.of(made.path("name").asString()), CLASSES, 1, false));
  }

  private static Net filled(Spec spec) {
    var net = new Net(spec, 0);
    net.weights().forEach((name, array) -> array.set(values(name, array.getShape().getShape())));
    return net;
  }

  private static NDArray pictures(JsonNode made, NDManager manager) {
    int edge = made.path("edge").asInt();
    float[] values = values("pictures", new long[] {4, 3L * edge * edge});
    return manager.create(values, new Shape(4, 3, edge, edge)).mul(4).mul(edge);
  }

  /// As in networks.py.
  private static float[] values(String name, long[] shape) {
    int count = (int) new Shape(shape).size();
    var crc = new CRC32();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    double bound = shape.length > 1 ? Math.sqrt(6.0 * shape[0] / count) : 0.1;
    boolean positive =
        shape.length == 1 && (name.endsWith("running_var") || name.endsWith("weight"));
    var values = new float[count];
    for (int i = 0; i < count; i++) {
      long x = (i + crc.getValue()) * 0x9E3779B1L & 0xffffffffL;
      x ^= x >>> 15;
      x = x * 0x85EBCA77L & 0xffffffffL;
      x ^= x >>> 13;
      double u = x / 4294967296.0;
      values[i] = (float) (positive ? 0.5 + u : (2 * u - 1) * bound);
    }
    return values;
  }

  private static List<String> names(Net net) {
    return Stream.concat(
            net.weights().parameters().keySet().stream(), net.weights().buffers().keySet().stream())
        .toList();
  }

  private static List<String> texts(JsonNode array) {
    return array.values().stream().map(JsonNode::asString).toList();
  }

  private static void close(float[] found, JsonNode expected) {
    assertThat(found).hasSize(expected.size());
    double scale = 0;
    for (JsonNode value : expected.values()) {
      scale = Math.max(scale, Math.abs(value.asDouble()));
    }
    for (int i = 0; i < found.length; i++) {
      assertThat((double) found[i])
          .isCloseTo(expected.path(i).asDouble(), within(TOLERANCE * Math.max(1, scale)));
    }
  }
}
