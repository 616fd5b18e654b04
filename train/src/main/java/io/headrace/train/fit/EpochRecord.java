package io.headrace.train.fit;

import java.util.LinkedHashMap;
import java.util.Map;

/// What an epoch of training gave and cost.
///
/// @param epoch from 0
/// @param stage number of the stage, from 0
/// @param data the dataset's path
/// @param fidelity groups read of each sample, as [io.headrace.load.plan.FidelityMix] prints it
/// @param rate learning rate
/// @param images that were trained on
/// @param loss mean over these
/// @param top1 share of these whose class had the highest score, while training
/// @param validation of the network after the epoch
/// @param seconds from the first batch asked for to the last step, without validation
/// @param dataSeconds of these spent waiting for batches
/// @param computeSeconds of these spent on forward, backward and the change of weights
/// @param tuningSeconds spent before the epoch on choosing the fidelity, not among `seconds`
/// @param bytesRead from the store
public record EpochRecord(
    long epoch,
    int stage,
    String data,
    String fidelity,
    double rate,
    long images,
    double loss,
    double top1,
    Validation validation,
    double seconds,
    double dataSeconds,
    double computeSeconds,
    double tuningSeconds,
    long bytesRead) {
  /// How well a network does on pictures it was not trained on.
  ///
  /// @param images how many
  /// @param loss mean, without label smoothing
  /// @param top1 share whose class had the highest score
  /// @param top5 share whose class had one of the five highest scores
  /// @param seconds it took
  public record Validation(long images, double loss, double top1, double top5, double seconds) {
    /// No validation.
    public static final Validation NONE = new Validation(0, 0, 0, 0, 0);
  }

  /// {@return images a second, data and computing together}
  public double imagesPerSecond() {
    return images / Math.max(1e-9, seconds);
  }

  /// {@return images a second if batches cost no waiting: the trainer's own rate}
  public double computeRate() {
    return images / Math.max(1e-9, computeSeconds);
  }

  /// {@return the achieved rate divided by the trainer's own}
  public double goodput() {
    return imagesPerSecond() / computeRate();
  }

  /// {@return names and values, in a fixed order}
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("kind", "train-epoch");
    map.put("epoch", epoch);
    map.put("stage", stage);
    map.put("data", data);
    map.put("fidelity", fidelity);
    map.put("learning_rate", rate);
    map.put("images", images);
    map.put("loss", loss);
    map.put("top1", top1);
    map.put("validation_images", validation.images);
    map.put("validation_loss", validation.loss);
    map.put("validation_top1", validation.top1);
    map.put("validation_top5", validation.top5);
    map.put("validation_seconds", validation.seconds);
    map.put("seconds", seconds);
    map.put("data_seconds", dataSeconds);
    map.put("compute_seconds", computeSeconds);
    map.put("tuning_seconds", tuningSeconds);
    map.put("images_per_second", imagesPerSecond());
    map.put("compute_images_per_second", computeRate());
    map.put("goodput", goodput());
    map.put("bytes_read", bytesRead);
    return map;
  }
}
