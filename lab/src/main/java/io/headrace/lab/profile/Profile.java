package io.headrace.lab.profile;

import static io.headrace.lab.report.Words.format;

import io.headrace.error.ConfigException;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.meter.Stage;
import io.headrace.spec.Spec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Strategies of a pipeline, as PRESTO profiles them: every cut under every compression, at every
/// cache level. A function of a file of runs.
///
/// @param strategies the best last, by their score among those of one cache level
public record Profile(List<Strategy> strategies) {
  /// One strategy.
  ///
  /// @param runs of it
  /// @param storageBytes that it takes for the samples; of the uncut one those of the dataset as it
  ///     is, where PRESTO has 0
  /// @param offlineSeconds to process and save the samples ahead
  /// @param onlineSeconds of an epoch of the samples
  /// @param rate samples a second
  /// @param score weighted, higher is better
  public record Strategy(
      Summary runs,
      double storageBytes,
      double offlineSeconds,
      double onlineSeconds,
      double rate,
      double score) {
    /// {@return the name of its cut, such as `4-resize-image`}
    public String cut() {
      return Cuts.name(runs.trial());
    }

    /// {@return compression of its shards}
    public String compression() {
      return runs.trial().get(Key.COMPRESSION);
    }

    /// {@return where data come from}
    public CacheLevel level() {
      return runs.trial().level();
    }

    /// {@return samples it was measured on}
    public long samples() {
      return runs.conversion().samples();
    }

    Strategy scored(double points) {
      return new Strategy(runs, storageBytes, offlineSeconds, onlineSeconds, rate, points);
    }
  }

  /// How much each figure counts.
  ///
  /// @param preprocessing time ahead
  /// @param storage bytes
  /// @param throughput rate
  public record Weights(double preprocessing, double storage, double throughput) {
    /// Throughput alone.
    public static final Weights USUAL = new Weights(0, 0, 1);

    /// {@return weights written `P:S:T`, such as `1:0:1`}
    ///
    /// @throws ConfigException if they are not three numbers of at least 0
    public static Weights parse(String text) {
      Spec spec = Spec.colons("weights", "weights:" + text);
      double[] all = new double[3];
      for (int i = 0; i < all.length; i++) {
        String word = spec.next();
        all[i] = spec.decimal("weight", word == null ? "" : word);
        if (!(all[i] >= 0)) {
          throw spec.bad("a weight is below 0");
        }
      }
      return spec.end(new Weights(all[0], all[1], all[2]));
    }
  }

  public Profile {
    strategies = List.copyOf(strategies);
  }

  /// {@return the sweep that a profile reads}
  ///
  /// @param whole how the dataset is loaded as it is, of as many samples as are wanted
  /// @param format that is converted to
  /// @param compressions of it
  /// @param levels to run at
  /// @param cache of the application's, for that level
  public static Sweep sweep(
      Trial whole,
      String format,
      List<String> compressions,
      List<CacheLevel> levels,
      String cache) {
    List<Trial> trials = new ArrayList<>();
    for (CacheLevel level : levels) {
      for (Trial cut : Cuts.of(whole, format)) {
        boolean found = cut.get(Key.FORMAT).equals(Trial.FOUND);
        for (String compression : found ? List.of("none") : compressions) {
          Trial trial = cut.with(Key.COMPRESSION, compression);
          boolean application = level == CacheLevel.APPLICATION_CACHE;
          if (!application || trial.get(Key.COMPRESSION).equals("none")) { // streams have no cache
            trials.add(
                (application ? trial.with(Key.CACHE, cache) : trial).with(Key.LEVEL, level.word()));
          }
        }
      }
    }
    return new Sweep("profile", trials, Sweep.REPEATS, 0, true);
  }

  /// {@return the profile that a file of runs gives}
  public static Profile of(Runs runs, Weights weights) {
    List<Strategy> all = new ArrayList<>();
    for (Summary summary : runs.summaries()) {
      all.add(
          new Strategy(
              summary,
              summary.bytesPerSample() * summary.conversion().samples(),
              summary.conversionSeconds(),
              summary.value(run -> run.seconds() / run.epochs()),
              summary.rate(),
              0));
    }
    List<Strategy> scored = new ArrayList<>();
    for (CacheLevel level : CacheLevel.values()) {
      List<Strategy> same = all.stream().filter(s -> s.level() == level).toList();
      for (Strategy one : same) {
        scored.add(
            one.scored(
                weights.preprocessing() * (1 - normal(one, same, Strategy::offlineSeconds))
                    + weights.storage() * (1 - normal(one, same, Strategy::storageBytes))
                    + weights.throughput() * normal(one, same, Strategy::rate)));
      }
    }
    scored.sort(Comparator.comparing(Strategy::level).thenComparingDouble(Strategy::score));
    return new Profile(scored);
  }

  /// {@return where a figure lies between the lowest and the highest, 0 to 1; 0 if all are equal,
  /// where PRESTO divides by zero}
  private static double normal(
      Strategy one, List<Strategy> all, ToDoubleFunction<Strategy> figure) {
    double low = all.stream().mapToDouble(figure).min().orElse(0);
    double high = all.stream().mapToDouble(figure).max().orElse(0);
    return high > low ? (figure.applyAsDouble(one) - low) / (high - low) : 0;
  }

  /// {@return every run of every strategy as CSV, with PRESTO's columns and a few more; sizes are
  /// decimal megabytes}
  public String csv() {
    var text = new StringBuilder();
    for (Strategy strategy : strategies) {
      int total = strategy.runs().runs().size();
      for (Run run : strategy.runs().runs()) {
        Map<String, Object> row = row(strategy, run, total);
        if (text.isEmpty()) {
          text.append(String.join(",", row.keySet())).append('\n');
        }
        text.append(
                String.join(",", row.values().stream().map(v -> cell(String.valueOf(v))).toList()))
            .append('\n');
      }
    }
    return text.toString();
  }

  private static String cell(String text) {
    return text.matches("[^\",\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static Map<String, Object> row(Strategy strategy, Run run, int total) {
    Trial trial = strategy.runs().trial();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("split_name", strategy.cut());
    row.put("offline_processing_and_save_time_s", number(run.conversion().seconds()));
    row.put("shard_count", trial.get(Key.SHARDS));
    row.put("thread_count", trial.get(Key.THREADS));
    row.put("shard_cum_size_MB", number(strategy.storageBytes() / 1e6));
    row.put("sample_count", strategy.samples());
    row.put("online_processing_time_s", number(run.seconds() / run.epochs()));
    row.put("throughput_sps", number(run.rate()));
    row.put("runs_count", run.repeat());
    row.put("runs_total", total);
    row.put("ueid", format("%06x", trial.hashCode() & 0xffffff));
    row.put("creation_timestamp", run.time());
    row.put("compression_type", strategy.compression());
    row.put("storage_type", trial.get(Key.STORE));
    row.put("application_cache_enabled", strategy.level() == CacheLevel.APPLICATION_CACHE);
    row.put("system_cache_enabled", strategy.level() != CacheLevel.COLD);
    row.put("batch_count", trial.get(Key.BATCH));
    row.put("prefetch_count", trial.get(Key.PREFETCH));
    row.put("disk_read_MB_per_s", number(run.diskBytes() / 1e6 / run.seconds()));
    row.put("net_read_MB_per_s", number(run.networkBytes() / 1e6 / run.seconds()));
    row.put("store_read_MB_per_s", number(run.bytesPerSecond() / 1e6));
    row.put("cpu_s", number(run.cpuSeconds()));
    row.put("read_cpu_s", number(run.stage(Stage.READ).cpuSeconds()));
    row.put("decode_cpu_s", number(run.stage(Stage.DECODE).cpuSeconds()));
    row.put("transform_cpu_s", number(run.stage(Stage.TRANSFORM).cpuSeconds()));
    row.put("offline_cpu_s", number(run.conversion().cpuSeconds()));
    row.put("cache_hit_rate", number(run.hitRate()));
    row.put("bottleneck", run.bottleneck());
    row.put("score", number(strategy.score()));
    return row;
  }

  private static String number(double value) {
    return format("%.6g", value);
  }
}
