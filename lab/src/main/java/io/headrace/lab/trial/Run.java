package io.headrace.lab.trial;

import io.headrace.load.ConsumerRate;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import java.util.List;
import java.util.Map;

/// Everything measured of one run of a trial. Rates are samples a second, `stages` are those of
/// all epochs that count, added.
///
/// @param settings of the trial, by the words that users type
/// @param repeat from 1; 0 is a warm-up, which no figure counts
/// @param time when it began, as ISO 8601
/// @param epochs that count
/// @param samples delivered in them
/// @param skipped samples that could not be
/// @param seconds from when the first of them was asked for to when the consumer was done with the
///     last batch
/// @param stages what each did, added over threads and epochs
/// @param bytesRead that the loader took from its store
/// @param requests that reached the imitated device, or read calls of this process
/// @param diskBytes that block devices delivered to this process
/// @param networkBytes that came in over the network, for any process
/// @param cpuSeconds of this process
/// @param others share of the processors that other processes took, 0 to 1; NaN if not known
/// @param hitRate of the cache, 0 to 1
/// @param predictedHitRate what its formula says; NaN if there is none
/// @param cacheBytes that it took
/// @param queueOccupancy mean share of the queue of encoded samples that was filled, 0 to 1
/// @param bottleneck of the last epoch
/// @param peakMemory most off-heap bytes at one time
/// @param verified whether each epoch was proved to have each sample once
/// @param conversion what was done ahead
public record Run(
    Map<String, String> settings,
    int repeat,
    String time,
    int epochs,
    long samples,
    long skipped,
    double seconds,
    List<StageReading> stages,
    long bytesRead,
    long requests,
    long diskBytes,
    long networkBytes,
    double cpuSeconds,
    double others,
    double hitRate,
    double predictedHitRate,
    long cacheBytes,
    double queueOccupancy,
    String bottleneck,
    long peakMemory,
    boolean verified,
    Conversion conversion) {
  public Run {
    settings = Map.copyOf(settings);
    stages = List.copyOf(stages);
  }

  /// {@return the trial}
  public Trial trial() {
    return Trial.of(settings);
  }

  /// {@return a setting, as users spell it}
  public String setting(Key key) {
    return settings.getOrDefault(key.word(), key.usual());
  }

  /// {@return whether it is left out of figures}
  public boolean warmUp() {
    return repeat == 0;
  }

  /// {@return samples delivered a second}
  public double rate() {
    return samples / seconds;
  }

  /// {@return the share of its own rate that the consumer had, 0 to 1; NaN if it has none}
  public double goodput() {
    return ConsumerRate.parse(setting(Key.CONSUMER)).goodput(rate());
  }

  /// {@return what a stage did}
  public StageReading stage(Stage stage) {
    return stages.stream()
        .filter(reading -> reading.stage() == stage)
        .findFirst()
        .orElse(new StageReading(stage, 0, 0, 0, 0));
  }

  /// {@return share of the time in which the consumer waited, 0 to 1}
  public double stallShare() {
    return Math.min(1, stage(Stage.STALL).seconds() / seconds);
  }

  /// {@return CPU seconds of a stage for each sample delivered}
  public double cpu(Stage stage) {
    return stage(stage).cpuSeconds() / Math.max(1, samples);
  }

  /// {@return bytes read for each sample delivered}
  public double bytesPerSample() {
    return (double) bytesRead / Math.max(1, samples);
  }

  /// {@return bytes a second that came from the store}
  public double bytesPerSecond() {
    return bytesRead / seconds;
  }
}
