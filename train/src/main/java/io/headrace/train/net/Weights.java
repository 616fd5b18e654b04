package io.headrace.train.net;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import io.headrace.error.ConfigException;
import io.headrace.weights.Safetensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// A network's tensors by torchvision's names: parameters, which are trained, and buffers, which
/// are the running statistics of batch norms.
///
/// Values at the start are drawn from the seed and the tensor's name, so that they do not depend on
/// the order of layers.
public final class Weights implements AutoCloseable {
  private final NDManager manager;
  private final long seed;
  private final Map<String, NDArray> parameters = new LinkedHashMap<>();
  private final Map<String, NDArray> buffers = new LinkedHashMap<>();

  /// Copies of parameters in another type, for one pass.
  private final IdentityHashMap<NDArray, NDArray> copies = new IdentityHashMap<>();

  /// Weights to be filled by a network's layers.
  ///
  /// @param seed of the values at the start
  public Weights(long seed) {
    this.seed = seed;
    manager = NDManager.newBaseManager(Engine.getEngine("PyTorch").defaultDevice());
  }

  /// {@return the manager that holds the tensors}
  public NDManager manager() {
    return manager;
  }

  /// {@return parameters by name, in the order of the layers}
  public Map<String, NDArray> parameters() {
    return java.util.Collections.unmodifiableMap(parameters);
  }

  /// {@return running means and variances by name}
  public Map<String, NDArray> buffers() {
    return java.util.Collections.unmodifiableMap(buffers);
  }

  /// {@return a parameter in the type of its factor: itself, or a copy for this pass}
  ///
  /// The library cannot take gradients through a conversion, so the copy has its own until
  /// [#collect].
  NDArray as(NDArray parameter, NDArray factor) {
    if (parameter.getDataType() == factor.getDataType()) {
      return parameter;
    }
    return copies.computeIfAbsent(
        parameter,
        of -> {
          NDArray values = of.stopGradient();
          values.attach(factor.getManager());
          NDArray copy = values.toType(factor.getDataType(), true);
          copy.attach(factor.getManager());
          copy.setRequiresGradient(true);
          return copy;
        });
  }

  /// Adds the gradients of copies to those of their parameters.
  public void collect(GradientCollector collector) {
    if (copies.isEmpty()) {
      return;
    }
    try (NDManager scratch = manager.newSubManager()) {
      NDArray sum = scratch.create(0f);
      for (Map.Entry<NDArray, NDArray> e : copies.entrySet()) {
        NDArray gradient = e.getValue().getGradient();
        gradient.attach(scratch);
        NDArray product = e.getKey().mul(gradient.toType(DataType.FLOAT32, false)).sum();
        product.attach(scratch);
        sum = sum.add(product); // whose gradient by the parameter is the copy's
      }
      collector.backward(sum);
    }
  }

  /// Ends a pass: its copies are no longer used.
  public void forgetCopies() {
    copies.clear();
  }

  /// {@return numbers in all parameters}
  public long count() {
    return parameters.values().stream().mapToLong(NDArray::size).sum();
  }

  /// How a parameter is drawn at the start.
  sealed interface Init {
    /// All elements alike.
    record Constant(float value) implements Init {}

    /// Uniform between `-bound` and `bound`.
    record Uniform(double bound) implements Init {}

    /// Normal around 0.
    record Normal(double deviation) implements Init {}
  }

  NDArray parameter(String name, Init init, long... shape) {
    NDArray array = filled(name, init, new Shape(shape));
    array.setRequiresGradient(true);
    add(parameters, name, array);
    return array;
  }

  NDArray buffer(String name, float value, long... shape) {
    NDArray array = filled(name, new Init.Constant(value), new Shape(shape));
    add(buffers, name, array);
    return array;
  }

  private static void add(Map<String, NDArray> to, String name, NDArray array) {
    if (to.put(name, array) != null) {
      throw new IllegalStateException("two tensors are called " + name);
    }
  }

  private NDArray filled(String name, Init init, Shape shape) {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(Math.toIntExact(4 * shape.size())).order(ByteOrder.nativeOrder());
    var crc = new CRC32();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    var random = new SplittableRandom(seed * 0x9e3779b97f4a7c15L ^ crc.getValue());
    while (bytes.hasRemaining()) {
      bytes.putFloat(
          switch (init) {
            case Init.Constant(float value) -> value;
            case Init.Uniform(double bound) -> (float) (bound * (2 * random.nextDouble() - 1));
            case Init.Normal(double deviation) -> (float) (deviation * random.nextGaussian());
          });
    }
    NDArray array = manager.create(shape, DataType.FLOAT32);
    array.set(bytes.flip());
    return array;
  }

  /// {@return the tensor of that name}
  ///
  /// @throws IllegalArgumentException if there is none
  public NDArray get(String name) {
    NDArray array = find(name);
    if (array == null) {
      throw new IllegalArgumentException(name);
    }
    return array;
  }

  /// {@return the tensor of that name, or null}
  public @Nullable NDArray find(String name) {
    NDArray parameter = parameters.get(name);
    return parameter == null ? buffers.get(name) : parameter;
  }

  /// Replaces all values by those of a file.
  ///
  /// @param file tensors by torchvision's names; `num_batches_tracked` is passed over
  /// @throws ConfigException naming a tensor that is missing, left over or of another shape
  public void load(Safetensors file) {
    for (String name : file.names()) {
      if (find(name) == null && !name.endsWith(".num_batches_tracked")) {
        throw new ConfigException(
            "%s: tensor '%s' is not one of this network's".formatted(file.name(), name));
      }
    }
    forEach(
        (name, array) -> {
          long[] shape = file.shape(name);
          if (shape == null) {
            throw new ConfigException("%s: tensor '%s' is missing".formatted(file.name(), name));
          }
          if (!new Shape(shape).equals(array.getShape())) {
            throw new ConfigException(
                "%s: tensor '%s' is %s, this network's is %s"
                    .formatted(file.name(), name, new Shape(shape), array.getShape()));
          }
          array.set(file.floats(name));
        });
  }

  /// {@return an array as a file of weights takes it}
  public static Safetensors.Tensor tensor(NDArray array) {
    return Safetensors.Tensor.floats(array::toByteBuffer, array.getShape().getShape());
  }

  /// Calls for every parameter and then every buffer.
  public void forEach(java.util.function.BiConsumer<String, NDArray> action) {
    parameters.forEach(action);
    buffers.forEach(action);
  }

  /// Frees the tensors.
  @Override
  public void close() {
    manager.close();
  }
}
