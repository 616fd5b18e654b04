package io.headrace.spark;

import io.headrace.convert.Cluster;
import io.headrace.convert.ShardPart;
import io.headrace.convert.SpreadPlan;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/// Spark's executors, to which shards go as tasks. Spark repeats those that fail, and gives what an
/// executor had to others when it dies.
final class SparkCluster implements Cluster {
  /// Names the jar that executors run, where they have not got it already.
  private static final String JAR = "headrace.spark.jar";

  /// Says where Spark's logger finds what to print.
  private static final String LOGS = "log4j2.configurationFile";

  private static final Kept<ShardPart> PARTS = new Kept<>();

  private final JavaSparkContext context;
  private final boolean mine;

  private SparkCluster(JavaSparkContext context, boolean mine) {
    this.context = context;
    this.mine = mine;
  }

  /// {@return the cluster at an address, such as `spark://host:7077` or `local[4]`}
  ///
  /// @param url of its master; empty for the one that `spark-submit` has set
  /// @throws ConfigException if there is none
  static SparkCluster connect(String url) {
    if (System.getProperty("spark.master") == null && System.getProperty(LOGS) == null) {
      System.setProperty(LOGS, "classpath:headrace-log4j2.properties"); // not under spark-submit
    }
    boolean running = SparkSession.getDefaultSession().isDefined();
    var conf = new SparkConf(); // with what spark-submit has set
    if (!url.isEmpty()) {
      conf.setMaster(url);
    }
    if (!running && !conf.contains("spark.master")) {
      throw new ConfigException(
          "--spark without an address is for spark-submit: say one, such as spark://HOST:7077 or"
              + " local[4]");
    }
    conf.setIfMissing("spark.app.name", "headrace convert");
    conf.setIfMissing("spark.ui.enabled", "false");
    String jar = System.getProperty(JAR, "");
    boolean starts = conf.get("spark.master", "").startsWith("local-cluster");
    if (starts && System.getenv("SPARK_HOME") == null && !conf.contains("spark.home")) {
      throw new ConfigException(
          "local-cluster[…] starts executors of an installed Spark: set SPARK_HOME to its folder,"
              + " or use local[N]");
    }
    if (!jar.isEmpty() && !conf.get("spark.master", "").startsWith("local[")) {
      if (!Files.exists(Path.of(jar))) {
        throw new ConfigException(jar + ", which executors are to run, is not there");
      }
      String others = conf.get("spark.jars", "");
      conf.set("spark.jars", others.isEmpty() ? jar : others + "," + jar);
    }
    SparkContext context = context(conf);
    if (running && !url.isEmpty() && !url.equals(context.master())) {
      throw new ConfigException(
          "Spark at %s: this process has a session at %s already".formatted(url, context.master()));
    }
    return new SparkCluster(JavaSparkContext.fromSparkContext(context), !running);
  }

  private static SparkContext context(SparkConf conf) {
    try {
      return SparkContext.getOrCreate(conf);
    } catch (Exception e) { // Scala's methods declare none of those they throw
      throw new ConfigException(
          "no Spark at %s: %s".formatted(conf.get("spark.master", ""), e.getMessage()));
    }
  }

  /// What a task brings back: a number or tally, or bad data, which no repetition makes good.
  ///
  /// @param <R> type of the result
  /// @param result empty if there is a fault
  /// @param fault empty if there is none
  private record Answer<R>(List<R> result, List<CorruptDataException> fault)
      implements Serializable {}

  /// What a task does with a part of a conversion.
  ///
  /// @param <R> type of its result
  @FunctionalInterface
  private interface Work<R> extends Serializable {
    R run(ShardPart part, int shard) throws IOException, InterruptedException;
  }

  private <R> void each(SpreadPlan plan, List<Integer> shards, Work<R> work, Jobs.Taker<R> taker)
      throws IOException {
    try {
      run(plan, shards, work, taker);
    } catch (IllegalStateException e) {
      if (context.sc().isStopped()) {
        throw new IOException(
            "Spark at %s has stopped: no master answers there, or it was shut down"
                .formatted(context.master()),
            e);
      }
      throw e;
    }
  }

  private <R> void run(SpreadPlan plan, List<Integer> shards, Work<R> work, Jobs.Taker<R> taker)
      throws IOException {
    String text = plan.toJson();
    String name = UUID.randomUUID().toString();
    JavaRDD<Integer> tasks = context.parallelize(shards, shards.size());
    Jobs.<Integer, Answer<R>>run(
        tasks,
        (_, numbers) -> {
          try (var part = PARTS.lend(name, () -> ShardPart.open(SpreadPlan.parse(text)))) {
            return new Answer<>(List.of(work.run(part.get(), numbers.next())), List.of());
          } catch (CorruptDataException e) {
            if (e.fault() == Fault.IO) {
              throw e; // which another try may not see
            }
            return new Answer<>(List.of(), List.of(e));
          }
        },
        (task, answer) -> {
          if (!answer.fault().isEmpty()) {
            throw answer.fault().getFirst();
          }
          taker.take(shards.get(task), answer.result().getFirst());
        });
  }

  @Override
  public List<Long> count(SpreadPlan plan, int shards) throws IOException {
    var counts = new Long[shards];
    this.<Long>each(
        plan,
        IntStream.range(0, shards).boxed().toList(),
        ShardPart::count,
        (shard, count) -> counts[shard] = count);
    return List.of(counts);
  }

  @Override
  public void write(SpreadPlan plan, List<Integer> shards, Finished finished) throws IOException {
    this.<Written>each(
        plan,
        shards,
        (part, shard) -> {
          String attempt = UUID.randomUUID().toString().replace("-", "");
          return new Written(shard, attempt, part.write(shard, attempt));
        },
        (shard, written) -> finished.shard(shard, written.attempt(), written.tally()));
  }

  @Override
  public void close() {
    if (mine) {
      context.stop();
    }
  }
}
