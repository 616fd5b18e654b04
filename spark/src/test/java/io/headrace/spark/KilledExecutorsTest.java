package io.headrace.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.convert.Converter;
import io.headrace.convert.SpreadPlan;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.testkit.Photos;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real executors, processes of their own, of which one is killed while it writes.
final class KilledExecutorsTest {
  private static final int SHARDS = 24;

  @TempDir static Path shared;
  @TempDir Path dir;
  private static Path photos = Path.of(".");
  private static SparkSession spark = Session.get();

  @BeforeAll
  static void startExecutors() throws IOException {
    String home = System.getenv("SPARK_HOME");
    assumeTrue(home != null, "SPARK_HOME says where a home for Spark may be made");
    fill(Path.of(home));
    photos = Photos.few(shared.resolve("photos"), 9, 19);
    spark.stop();
    spark =
        SparkSession.builder()
            .master("local-cluster[2,1,1024]")
            .appName("headrace")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
  }

  /// Makes what Spark takes for its home: a folder of jars, and a note of which release it is.
  private static void fill(Path home) throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = Path.of(part);
      if (part.endsWith(".jar")) {
        try {
          Path _ =
              Files.createSymbolicLink(
                  jars.resolve(String.valueOf(jar.getFileName())), jar.toAbsolutePath());
        } catch (FileAlreadyExistsException e) {
          // from an earlier run
        }
      }
    }
    Path _ = Files.writeString(home.resolve("RELEASE"), "made for tests\n");
  }

  @AfterAll
  static void stopExecutors() {
    spark.stop();
  }

  private static List<ProcessHandle> executors() {
    return ProcessHandle.current()
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("java"))
        .toList();
  }

  /// Does a job, and kills an executor as soon as some shard has appeared in the target.
  private static void killWhile(Path target, Job job) throws Exception {
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<?> done =
          pool.submit(
              () -> {
                job.run();
                return target;
              });
      Path work = target.resolve(Datasets.UNFINISHED);
      while (!done.isDone() && !hasShard(work)) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      if (done.isDone()) {
        Object _ = done.get(); // which says why
      }
      assertThat(done.isDone()).as("a shard is there before the job ends").isFalse();
      List<ProcessHandle> before = executors();
      assertThat(before).hasSize(2);
      assertThat(before.getFirst().destroyForcibly()).isTrue();
      Object _ = done.get();
    }
  }

  @FunctionalInterface
  private interface Job {
    void run() throws Exception;
  }

  private static boolean hasShard(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (var files = Files.newDirectoryStream(folder, "shard-*.json")) {
      return files.iterator().hasNext();
    }
  }

  @Test
  void aKilledExecutorChangesNothing() throws Exception {
    Path local = Folders.convert(photos, dir.resolve("local"), SHARDS, "race", "none", "packed");
    Path spread = dir.resolve("spread");
    killWhile(
        spread,
        () -> {
          var packed = Representation.of("race", "none", "packed", "keep");
          try (Dataset dataset = Datasets.open(photos);
              var cluster = SparkCluster.connect("")) {
            var converter = new Converter(dataset, Folders.options(spread, packed, SHARDS));
            var from = new SpreadPlan.Source(photos, OpenOptions.DEFAULT);
            assertThat(converter.run(from, cluster).written()).isEqualTo(171);
          }
        });
    assertThat(Folders.files(spread)).isEqualTo(Folders.files(local)); // the manifest too
    Path framed = dir.resolve("framed");
    killWhile(
        framed,
        () ->
            spark
                .read()
                .format("headrace")
                .option("partitions", SHARDS)
                .load(photos.toString())
                .write()
                .format("headrace")
                .option("encoding", "packed")
                .save(framed.toString()));
    assertThat(Folders.shards(framed)).isEqualTo(Folders.shards(local));
  }
}
