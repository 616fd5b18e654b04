package io.headrace.train.fit;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.training.GradientCollector;
import io.headrace.error.ConfigException;
import io.headrace.memory.Batch;
import io.headrace.memory.DType;
import io.headrace.memory.TensorSpec;
import io.headrace.train.net.Loss;
import io.headrace.train.net.Net;
import java.nio.ByteOrder;

/// A network that learns from batches, or is asked about them.
final class Learner implements AutoCloseable {
  /// What a batch gave.
  ///
  /// @param images in it
  /// @param loss summed over these
  /// @param top1 images whose class had the highest score
  /// @param top5 images whose class had one of the five highest
  record Outcome(long images, double loss, long top1, long top5) {
    static final Outcome NONE = new Outcome(0, 0, 0, 0);

    Outcome plus(Outcome other) {
      return new Outcome(
          images + other.images, loss + other.loss, top1 + other.top1, top5 + other.top5);
    }

    double meanLoss() {
      return loss / Math.max(1, images);
    }

    double share1() {
      return (double) top1 / Math.max(1, images);
    }

    double share5() {
      return (double) top5 / Math.max(1, images);
    }
  }

  private static final float[] IMAGENET_MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] IMAGENET_DEVIATION = {0.229f, 0.224f, 0.225f};

  private final Net net;
  private final Recipe recipe;
  private final Sgd sgd;
  private final boolean half;
  private LossScale scale;

  /// A network with weights drawn from the seed.
  ///
  /// @param half whether it computes in float16; weights, batch norms and the loss stay in float32
  Learner(Net.Spec spec, long seed, Recipe recipe, boolean half) {
    net = new Net(spec, seed);
    this.half = half;
    scale = half ? LossScale.START : LossScale.NONE;
    this.recipe = recipe;
    sgd = new Sgd(net.weights(), recipe.momentum(), recipe.decay());
  }

  /// Prepares the library: no reports to its makers, no network, so many threads.
  static void begin(int threads) {
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    Engine engine = Engine.getEngine("PyTorch"); // loads it, with the properties above
    if (!engine.getEngineName().equals("PyTorch")) {
      throw new IllegalStateException(engine.getEngineName());
    }
    JniUtils.setNumThreads(threads);
  }

  /// Takes the weights and statistics of another one of the same kind.
  void take(Learner other) {
    net.weights()
        .forEach(
            (name, array) -> {
              NDArray from = other.net.weights().find(name);
              if (from != null) {
                array.set(from.toFloatArray());
              }
            });
  }

  Net net() {
    return net;
  }

  Sgd sgd() {
    return sgd;
  }

  LossScale scale() {
    return scale;
  }

  /// Goes on with the scale of an earlier step.
  void scale(LossScale before) {
    scale = before;
  }

  /// Learns from a batch. Where gradients overflow in float16, weights stay as they are and the
  /// loss's scale is halved.
  ///
  /// @param number of the step in the whole run: what dropout draws depends on it alone
  Outcome learn(Batch batch, double rate, long seed, long number) {
    Engine.getInstance().setRandomSeed((int) (seed * 31 + number));
    Outcome outcome = pass(batch, true, true);
    if (half) {
      boolean finite = Gradients.finite(net.weights());
      double factor = scale.factor();
      scale = scale.next(finite);
      if (finite) {
        sgd.step(rate, factor);
      } else {
        Gradients.clear(net.weights());
      }
    } else {
      sgd.step(rate, 1);
    }
    return outcome;
  }

  /// {@return how well the network does on a batch}
  Outcome ask(Batch batch) {
    return pass(batch, false, false);
  }

  /// Adds the gradients of a batch to those that there are; weights stay, statistics of batch norms
  /// do not.
  ///
  /// @param number of the batch: what dropout draws depends on it alone
  void gradients(Batch batch, long number) {
    Engine.getInstance().setRandomSeed((int) number);
    Outcome _ = pass(batch, true, true);
  }

  private Outcome pass(Batch batch, boolean training, boolean backward) {
    try (NDManager step = net.weights().manager().newSubManager()) {
      long[] labels = labels(batch);
      NDArray pictures = pictures(batch, step);
      NDArray targets = step.create(labels);
      if (!backward) {
        NDArray scores = net.forward(pictures, training);
        return outcome(scores, Loss.smoothed(scores, targets, 0), labels);
      }
      try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
        NDArray scores = net.forward(pictures, training);
        NDArray loss = Loss.smoothed(scores, targets, (float) recipe.smoothing());
        collector.backward(half ? loss.mul(step.create((float) scale.factor())) : loss);
        net.weights().collect(collector);
        return outcome(scores, loss, labels);
      }
    } finally {
      net.weights().forgetCopies();
    }
  }

  private long[] labels(Batch batch) {
    var labels = new long[batch.size()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = batch.label(i);
      if (labels[i] < 0 || labels[i] >= net.spec().classes()) {
        throw new ConfigException(
            "epoch %d, batch %d, sample %d has label %d: expected 0 to %d"
                .formatted(batch.epoch(), batch.index(), i, labels[i], net.spec().classes() - 1));
      }
    }
    return labels;
  }

  /// {@return the batch as the network takes it; the batch's own memory where it is that already}
  private NDArray pictures(Batch batch, NDManager step) {
    TensorSpec spec = batch.spec();
    var shape = new Shape(spec.shape().stream().mapToLong(Integer::longValue).toArray());
    NDArray data =
        step.create(
            batch.data().asByteBuffer().order(ByteOrder.nativeOrder()), shape, type(spec.dtype()));
    boolean last = spec.shape().get(1) != 3 && spec.shape().getLast() == 3;
    NDArray first = last ? data.transpose(0, 3, 1, 2) : data;
    DataType computing = half ? DataType.FLOAT16 : DataType.FLOAT32;
    return spec.dtype() == DType.UINT8
        ? normalised(first.toType(DataType.FLOAT32, false), step).toType(computing, false)
        : first.toType(computing, false);
  }

  /// {@return pictures of 0 to 255 by ImageNet's statistics}
  private static NDArray normalised(NDArray pictures, NDManager step) {
    var shape = new Shape(1, 3, 1, 1);
    return pictures
        .div(255)
        .sub(step.create(IMAGENET_MEAN, shape))
        .div(step.create(IMAGENET_DEVIATION, shape));
  }

  private static DataType type(DType type) {
    return switch (type) {
      case UINT8 -> DataType.UINT8;
      case FLOAT16 -> DataType.FLOAT16;
      case FLOAT32 -> DataType.FLOAT32;
      default ->
          throw new ConfigException(
              "batches of %s: expected uint8, float16 or float32".formatted(type));
    };
  }

  private static Outcome outcome(NDArray scores, NDArray loss, long[] labels) {
    float[] all = scores.toType(DataType.FLOAT32, false).toFloatArray();
    int classes = all.length / labels.length;
    long top1 = 0;
    long top5 = 0;
    for (int i = 0; i < labels.length; i++) {
      float own = all[i * classes + (int) labels[i]];
      int above = 0;
      for (int c = 0; c < classes; c++) {
        float other = all[i * classes + c];
        if (other > own || (other == own && c < labels[i])) {
          above++;
        }
      }
      top1 += above < 1 ? 1 : 0;
      top5 += above < 5 ? 1 : 0;
    }
    return new Outcome(labels.length, (double) loss.getFloat() * labels.length, top1, top5);
  }

  @Override
  public void close() {
    net.close();
  }
}
