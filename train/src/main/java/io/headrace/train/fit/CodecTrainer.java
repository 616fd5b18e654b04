package io.headrace.train.fit;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import io.headrace.codec.learned.Architecture;
import io.headrace.codec.learned.ChannelModel;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.LastBatch;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Store;
import io.headrace.train.net.CodecNet;
import io.headrace.train.net.CodecNet.Outcome;
import io.headrace.train.net.Weights;
import io.headrace.weights.Safetensors;
import io.headrace.weights.Safetensors.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Trains learned image codecs on a dataset's pictures: the same network at several rates.
///
/// The loss is `weight · 255² · MSE + bits a pixel`. The rate in the middle is trained first, with
/// half of the steps; each other one goes on from it, with the learning rate at a quarter. The
/// learning rate falls to 0 along half a cosine. The same options give the same weights on one
/// thread.
public final class CodecTrainer {
  /// What to train.
  ///
  /// @param architecture bmshj2018-factorized or bmshj2018-hyperprior
  /// @param data the dataset
  /// @param opening how it is opened
  /// @param channels of the layers
  /// @param latent channels of the numbers that are coded
  /// @param weights of the error against bits, for qualities 1, 2 and so on
  /// @param steps of all rates together
  /// @param crop edge of the pictures that are cut out, a multiple of 64
  /// @param batch crops in a step
  /// @param rate of learning at the start
  /// @param seed of weights, crops and noise
  /// @param threads of the deep-learning library
  /// @param out folder of the models
  /// @param name of the models: NAME-QUALITY.safetensors
  public record Options(
      Path data,
      OpenOptions opening,
      Architecture architecture,
      int channels,
      int latent,
      List<Double> weights,
      int steps,
      int crop,
      int batch,
      double rate,
      long seed,
      int threads,
      Path out,
      String name) {
    /// Checks the numbers.
    public Options {
      weights = List.copyOf(weights);
      if (architecture != Architecture.BMSHJ2018_FACTORIZED
          && architecture != Architecture.BMSHJ2018_HYPERPRIOR) {
        throw new ConfigException(
            "%s is not trained here: expected %s or %s"
                .formatted(
                    architecture.label(),
                    Architecture.BMSHJ2018_FACTORIZED.label(),
                    Architecture.BMSHJ2018_HYPERPRIOR.label()));
      }
      if (channels < 1 || latent < 1 || channels > 512 || latent > 512) {
        throw new ConfigException(
            "%d and %d channels: expected 1 to 512".formatted(channels, latent));
      }
      if (crop < 64 || crop % 64 != 0 || batch < 1 || !(rate > 0)) {
        throw new ConfigException(
            "batches of %d crops of %d pixels at rate %s: expected a multiple of 64, and above 0"
                .formatted(batch, crop, rate));
      }
      if (weights.isEmpty() || weights.size() > 16 || !weights.stream().allMatch(w -> w > 0)) {
        throw new ConfigException("weights %s: expected 1 to 16 above 0".formatted(weights));
      }
      if (steps < 2 * weights.size()) {
        throw new ConfigException(
            "%d steps for %d rates: expected two each at least".formatted(steps, weights.size()));
      }
      if (name.equals("small")) {
        throw new ConfigException(
            "name 'small': models that come with the engine have it: choose another one");
      }
      if (!name.matches("[a-z0-9._-]+")) {
        throw new ConfigException(
            "name '%s': expected lower-case letters, digits, '.', '_' and '-'".formatted(name));
      }
    }
  }

  /// Takes what happens while training.
  public interface Watch {
    /// Called after every hundredth step, and after the last of a rate.
    ///
    /// @param steps made of the rate's, of so many
    /// @param bits for a pixel, the mean since the last call
    /// @param psnr of the mean error since the last call, in decibels
    void step(int quality, int steps, int of, double bits, double psnr);

    /// Called when a model is written.
    void written(Path file);
  }

  private static final int REPORTED = 100;

  private final Options options;
  private final Watch watch;

  /// @param watch is told
  public CodecTrainer(Options options, Watch watch) {
    this.options = options;
    this.watch = watch;
  }

  /// Trains all rates and writes a file for each.
  ///
  /// @throws ConfigException if one of these files is there: samples may need it
  /// @throws DivergedException if the loss is no longer a number
  public void train(Store store) throws IOException, DivergedException {
    for (int i = 0; i < options.weights().size(); i++) {
      if (Files.exists(file(i))) {
        throw new ConfigException(
            file(i) + " is there, and samples may need it: choose another name or folder");
      }
    }
    Learner.begin(options.threads());
    Files.createDirectories(options.out());
    var pipeline = Pipeline.parse("random_crop=%d,flip".formatted(options.crop()));
    LoadOptions load =
        LoadOptions.builder()
            .batchSize(options.batch())
            .threads(1)
            .seed(options.seed())
            .lastBatch(LastBatch.DROP)
            .digest(false)
            .build();
    boolean hyper = options.architecture() == Architecture.BMSHJ2018_HYPERPRIOR;
    var spec = new CodecNet.Spec(hyper, options.channels(), options.latent());
    int rates = options.weights().size();
    int middle = rates / 2;
    int first = rates == 1 ? options.steps() : options.steps() / 2;
    try (Dataset dataset = Datasets.open(options.data(), options.opening(), store);
        var loader = new Loader(dataset, pipeline, load);
        var crops = new Crops(loader);
        var start = new CodecNet(spec, options.seed())) {
      fit(start, crops, middle, first, options.rate());
      write(start, middle);
      for (int i = 0; i < rates; i++) {
        if (i != middle) {
          try (var net = new CodecNet(spec, options.seed())) {
            net.take(start);
            fit(net, crops, i, share(i < middle ? i : i - 1, first), options.rate() / 4);
            write(net, i);
          }
        }
      }
    }
  }

  /// {@return steps of a rate that is not in the middle: they differ by one at most}
  ///
  /// @param which of these rates
  /// @param first steps that the one in the middle has
  private int share(int which, int first) {
    int others = options.weights().size() - 1;
    int left = options.steps() - first;
    return left * (which + 1) / others - left * which / others;
  }

  private void fit(CodecNet net, Crops crops, int which, int steps, double rate)
      throws IOException, DivergedException {
    var adam = new Adam(net.weights());
    double bits = 0;
    double error = 0;
    int since = 0;
    for (int step = 0; step < steps; step++) {
      Engine.getInstance().setRandomSeed((int) (options.seed() * 31 + 7919L * which + step));
      try (NDManager scratch = net.weights().manager().newSubManager();
          Batch batch = crops.next();
          GradientCollector collector = Engine.getInstance().newGradientCollector()) {
        int edge = options.crop();
        NDArray pictures =
            scratch
                .create(
                    batch.data().asByteBuffer().order(ByteOrder.nativeOrder()),
                    new Shape(batch.size(), edge, edge, 3),
                    DataType.UINT8)
                .transpose(0, 3, 1, 2)
                .toType(DataType.FLOAT32, false)
                .div(255);
        Outcome outcome = net.forward(pictures, options.weights().get(which));
        collector.backward(outcome.loss());
        bits += outcome.bits().getFloat();
        error += outcome.error().getFloat();
        since++;
        if (!Float.isFinite(outcome.loss().getFloat())) {
          throw new DivergedException(
              "the loss of quality %d is no longer a number at step %d: lower the learning rate"
                  .formatted(which + 1, step));
        }
      }
      double norm = adam.step(rate * (1 + Math.cos(Math.PI * step / steps)) / 2);
      if (!Double.isFinite(norm)) {
        throw new DivergedException(
            "the gradients of quality %d are no longer numbers at step %d"
                .formatted(which + 1, step));
      }
      if (since == REPORTED || step == steps - 1) {
        watch.step(which + 1, step + 1, steps, bits / since, -10 * Math.log10(error / since));
        bits = 0;
        error = 0;
        since = 0;
      }
    }
  }

  /// Batches without end: one epoch after the other.
  private static final class Crops implements AutoCloseable {
    private final Loader loader;
    private long number;
    private Epoch epoch;
    private boolean fresh = true;

    Crops(Loader loader) throws IOException {
      this.loader = loader;
      epoch = loader.epoch(0);
    }

    Batch next() throws IOException {
      while (true) {
        Batch batch = epoch.next();
        if (batch != null) {
          fresh = false;
          return batch;
        }
        epoch.close();
        if (fresh) {
          throw new ConfigException("fewer pictures than a batch has: take a smaller batch");
        }
        fresh = true;
        epoch = loader.epoch(++number);
      }
    }

    @Override
    public void close() {
      epoch.close();
    }
  }

  private Path file(int which) {
    return options.out().resolve("%s-%d.safetensors".formatted(options.name(), which + 1));
  }

  private void write(CodecNet net, int which) throws IOException {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    net.weights()
        .forEach(
            (name, array) -> {
              if (name.endsWith(".beta")) {
                tensors.put(name, roots(array, 1e-6));
              } else if (name.endsWith(".gamma")) {
                tensors.put(name, roots(array, 0));
              } else if (!name.startsWith("entropy_bottleneck")) {
                tensors.put(name, Weights.tensor(array));
              }
            });
    bottleneck(net, tensors);
    Path file = file(which);
    Safetensors.write(
        file,
        tensors,
        Map.of(
            "architecture",
            options.architecture().label(),
            "quality",
            String.valueOf(which + 1),
            "metric",
            "mse"));
    watch.written(file);
  }

  /// {@return a normalisation's numbers as roots above the pedestal that CompressAI has}
  private static Tensor roots(NDArray array, double least) {
    float[] values = array.toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sqrt((double) values[i] * values[i] + least + 0x1p-36);
    }
    return floats(values, array.getShape().getShape());
  }

  private static Tensor floats(float[] values, long... shape) {
    var bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return Tensor.floats(() -> bytes, shape);
  }

  private static void bottleneck(CodecNet net, Map<String, Tensor> tensors) {
    int channels = net.bottleneckChannels();
    int layers = CodecNet.bottleneckLayers();
    var matrices = new float[layers][];
    var biases = new float[layers][];
    var factors = new float[layers - 1][];
    for (int i = 0; i < layers; i++) {
      matrices[i] = net.bottleneck("matrices." + i);
      biases[i] = net.bottleneck("biases." + i);
      if (i < layers - 1) {
        factors[i] = net.bottleneck("factors." + i);
      }
    }
    var quantiles = new float[3 * channels];
    int[] lengths = new int[channels];
    int[] offsets = new int[channels];
    int[][] tables = new int[channels][];
    for (int channel = 0; channel < channels; channel++) {
      var model = new ChannelModel(matrices, biases, factors, channel, channels);
      System.arraycopy(model.quantiles(), 0, quantiles, 3 * channel, 3);
      tables[channel] = model.table();
      lengths[channel] = tables[channel].length;
      offsets[channel] = model.offset();
    }
    int[] packed = Arrays.stream(tables).flatMapToInt(Arrays::stream).toArray();
    tensors.put("entropy_bottleneck.quantiles", floats(quantiles, channels, 1, 3));
    tensors.put("entropy_bottleneck._quantized_cdf", Tensor.ints(packed, packed.length));
    tensors.put("entropy_bottleneck._cdf_length", Tensor.ints(lengths, channels));
    tensors.put("entropy_bottleneck._offset", Tensor.ints(offsets, channels));
  }
}
