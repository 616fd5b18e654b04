package io.headrace.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.current_date;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.split;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Manifest;
import io.headrace.testkit.Photos;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeadraceSourceTest {
  @TempDir static Path shared;
  @TempDir Path dir;
  private static Path photos = Path.of(".");
  private static SparkSession spark = Session.get();

  @BeforeAll
  static void copyPhotos() {
    photos = Photos.few(shared.resolve("photos"), 3, 4);
  }

  private static DataFrameReader reader() {
    return spark.read().format("headrace");
  }

  private static org.apache.spark.sql.Dataset<Row> load(Path path) {
    return reader().load(path.toString());
  }

  private static Manifest manifest(Path folder) throws Exception {
    return Objects.requireNonNull(Manifest.readIfPresent(folder));
  }

  @Test
  void rowsAreTheSamplesOfTheDataset() throws Exception {
    Path race = Folders.convert(photos, dir.resolve("race"), 3, "race", "none", "packed");
    List<Row> rows = load(race).orderBy("key").collectAsList();
    List<Row> files = load(photos).orderBy("key").collectAsList();
    assertThat(rows).hasSize(12);
    for (int i = 0; i < 12; i++) {
      Row row = rows.get(i);
      assertThat(row.getString(0)).isEqualTo(files.get(i).getString(0));
      assertThat(row.<Object>getAs("label")).isEqualTo(i / 4L);
      byte[] bytes = row.getAs("bytes"); // a JPEG again, as other tools read it
      assertThat(bytes).isEqualTo(Files.readAllBytes(photos.resolve(row.getString(0))));
      assertThat(row.<Long>getAs("size")).isEqualTo(bytes.length);
      assertThat(row.<String>getAs("encoding")).isEqualTo("jpeg");
    }
    assertThat(load(race).schema().apply("label").metadata().getStringArray("classes"))
        .containsExactlyElementsOf(manifest(race).classes());
  }

  @ParameterizedTest
  @CsvSource({
    "race,    none,    packed,  3",
    "race,    none,    pyramid, 2",
    "tfrecord,zstd,    keep,    5",
    "tar,     none,    jpeg:60, 1",
    "pcr,     none,    progressive, 2"
  })
  void writtenShardsAreThoseOfTheConverter(
      String container, String compression, String encoding, int shards) throws Exception {
    Path local =
        Folders.convert(photos, dir.resolve("local"), shards, container, compression, encoding);
    Path written = dir.resolve("written");
    reader()
        .option("partitions", shards)
        .load(photos.toString())
        .write()
        .format("headrace")
        .option("container", container)
        .option("compression", compression)
        .option("encoding", encoding)
        .save(written.toString());
    assertThat(Folders.shards(written)).isEqualTo(Folders.shards(local));
    assertThat(manifest(written).shards()).isEqualTo(manifest(local).shards());
    assertThat(manifest(written).setDigest()).isEqualTo(manifest(local).setDigest());
    assertThat(manifest(written).labelDigest()).isEqualTo(manifest(local).labelDigest());
    assertThat(manifest(written).classes()).isEqualTo(manifest(local).classes());
  }

  @Test
  void otherColumnsAreFieldsAndStayWhatTheyAre() throws Exception {
    Path tar = dir.resolve("tar");
    load(photos)
        .drop("fields")
        .withColumn("txt", lit("a café"))
        .withColumn("area", lit(2.5))
        .withColumn("mask", lit(new byte[] {1, 2, 3, (byte) 0xff}))
        .withColumn("nothing", lit(null).cast("string"))
        .repartition(1)
        .sortWithinPartitions("key")
        .write()
        .format("headrace")
        .option("container", "tar")
        .save(tar.toString());
    Row fields =
        load(tar)
            .selectExpr(
                "fields['txt'].value",
                "fields['area'].value",
                "fields['mask'].bytes",
                "map_keys(fields)")
            .first();
    assertThat(fields.getString(0)).isEqualTo("a café");
    assertThat(fields.getString(1)).isEqualTo("2.5");
    assertThat(fields.<byte[]>getAs(2)).containsExactly(1, 2, 3, 0xff);
    assertThat(fields.getList(3)).doesNotContain("nothing");
    // numbers of a tf.train.Example come through as what they are
    Path example = Folders.convert(tar, dir.resolve("example"), 1, "tfrecord", "none", "keep");
    Path local = Folders.convert(example, dir.resolve("local"), 1, "race", "none", "keep");
    Path written = dir.resolve("race");
    reader()
        .option("partitions", 1)
        .load(example.toString())
        .write()
        .format("headrace")
        .save(written.toString());
    assertThat(Folders.shards(written)).isEqualTo(Folders.shards(local));
  }

  @Test
  void textsAsLabelsAreClassesByName() throws Exception {
    Path written = dir.resolve("named");
    load(photos)
        .withColumn("label", split(col("key"), "/").getItem(0))
        .write()
        .format("headrace")
        .save(written.toString());
    assertThat(manifest(written).classes())
        .containsExactly(load(photos).schema().apply("label").metadata().getStringArray("classes"));
    assertThat(load(written).orderBy("key").select("key", "label").collectAsList())
        .isEqualTo(load(photos).orderBy("key").select("key", "label").collectAsList());
  }

  /// What a task reads of storage, by the columns it is asked for.
  private static long bytesRead(Path path, String... columns) throws Exception {
    StructType all = SampleTable.columnsOf(Map.of("path", path.toString()));
    var scan = new SampleScan(all, new SourceOptions(Map.of("path", path.toString())));
    var wanted = new StructType();
    for (String column : columns) {
      wanted = wanted.add(all.apply(column));
    }
    scan.pruneColumns(wanted);
    long bytes = 0;
    long rows = 0;
    for (var part : scan.planInputPartitions()) {
      try (var reader = scan.createReaderFactory().createReader(part)) {
        while (reader.next()) {
          rows++;
        }
        bytes += reader.currentMetricsValues()[0].value();
      }
    }
    assertThat(rows).isEqualTo(12);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"race", "tar", "folder"})
  void metadataReadNoPictures(String container) throws Exception {
    Path path =
        container.equals("folder")
            ? photos
            : Folders.convert(photos, dir.resolve("data"), 2, container, "none", "keep");
    long pictures = bytesRead(path, "bytes");
    assertThat(pictures).isGreaterThan(100_000);
    assertThat(bytesRead(path)).isZero();
    assertThat(bytesRead(path, "key", "label")).isLessThan(pictures / 10);
  }

  @Test
  void aMillionSamplesArePlanned() throws Exception {
    Path million = Folders.pixels(dir.resolve("million.tfrecord"), 1_000_000);
    assertThat(load(million).count()).isEqualTo(1_000_000);
    Map<String, String> options = Map.of("path", million.toString(), "partitions", "999");
    var scan = new SampleScan(SampleTable.columnsOf(options), new SourceOptions(options));
    long next = 0;
    for (var part : scan.planInputPartitions()) {
      var range = (SamplePart) part;
      assertThat(range.from()).isEqualTo(next);
      assertThat(range.to() - range.from()).isBetween(1001L, 1002L);
      next = range.to();
    }
    assertThat(next).isEqualTo(1_000_000);
  }

  @Test
  void aHundredThousandSamplesAreThoseOfTheConverter() throws Exception {
    Path pixels = Folders.pixels(dir.resolve("pixels.tfrecord"), 100_000);
    Path local = Folders.convert(pixels, dir.resolve("local"), 8, "race", "none", "keep");
    Path written = dir.resolve("written");
    reader()
        .option("partitions", 8)
        .load(pixels.toString())
        .write()
        .format("headrace")
        .save(written.toString());
    assertThat(Folders.shards(written)).isEqualTo(Folders.shards(local));
    assertThat(load(written).count()).isEqualTo(100_000);
  }

  private static final UDF1<String, String> FAILS_ONCE =
      key -> {
        if (TaskContext.get().attemptNumber() == 0 && key.contains("2")) {
          throw new IllegalStateException("lost");
        }
        return key;
      };

  @Test
  void failedTasksLeaveNothing() throws Exception {
    var frame = reader().option("partitions", 2).load(photos.toString());
    Path local = Folders.convert(photos, dir.resolve("local"), 2, "race", "none", "packed");
    Path written = dir.resolve("written");
    frame
        .withColumn("key", udf(FAILS_ONCE, DataTypes.StringType).apply(col("key")))
        .write()
        .format("headrace")
        .option("encoding", "packed")
        .save(written.toString());
    assertThat(Folders.shards(written)).isEqualTo(Folders.shards(local));
    UDF1<String, String> fails =
        key -> {
          throw new IllegalStateException("lost for good: " + key);
        };
    Path none = dir.resolve("none");
    assertThatThrownBy(
            () ->
                frame
                    .withColumn("key", udf(fails, DataTypes.StringType).apply(col("key")))
                    .write()
                    .format("headrace")
                    .save(none.toString()))
        .hasMessageContaining("lost for good");
    assertThat(none).doesNotExist();
  }

  @Test
  void saveModesNeverTouchWhatTheyShouldNot() throws Exception {
    Path target = dir.resolve("data");
    var frame = load(photos);
    frame.write().format("headrace").save(target.toString());
    Map<String, String> before = Folders.files(target);
    assertThatThrownBy(() -> frame.write().format("headrace").save(target.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not empty");
    assertThatThrownBy(
            () -> frame.write().format("headrace").mode("append").save(target.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("union()");
    frame.limit(1).write().format("headrace").mode("ignore").save(target.toString());
    assertThat(Folders.files(target)).isEqualTo(before);
    // a dataset may be written over itself: what is read stays until all is written
    load(target)
        .where("label = 1")
        .write()
        .format("headrace")
        .option("container", "tar")
        .mode(SaveMode.Overwrite)
        .save(target.toString());
    assertThat(manifest(target).samples()).isEqualTo(4);
    assertThat(Folders.files(target).keySet()).noneMatch(name -> name.endsWith(".race"));
    Files.writeString(dir.resolve("mine.txt"), "kept");
    assertThatThrownBy(
            () -> frame.write().format("headrace").mode("overwrite").save(dir.toString()))
        .isInstanceOf(ConfigException.class);
    assertThat(dir.resolve("mine.txt")).hasContent("kept");
  }

  @Test
  void badSamplesAreNamedOrSkipped() throws Exception {
    Path tar = Folders.convert(photos, dir.resolve("tar"), 1, "tar", "none", "keep");
    Path race = Folders.convert(tar, dir.resolve("race"), 1, "race", "none", "keep");
    Path shard = race.resolve(manifest(race).shards().getFirst().file());
    byte[] bytes = Files.readAllBytes(shard);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 16, (byte) 7);
    Files.write(shard, bytes);
    assertThatThrownBy(() -> load(race).collectAsList())
        .hasCauseInstanceOf(CorruptDataException.class)
        .cause()
        .hasMessageContaining("file=" + shard)
        .hasMessageContaining("key=bird/")
        .hasMessageContaining("offset=");
    assertThat(reader().option("onError", "skip").load(race.toString()).collectAsList())
        .hasSize(11);
  }

  @Test
  void whatCannotBeIsRefusedInWords() {
    assertThatThrownBy(() -> reader().option("bogus", "1").load(photos.toString()).count())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unknown option bogus: expected path, split");
    assertThatThrownBy(
            () ->
                load(photos)
                    .withColumnRenamed("label", "Label")
                    .write()
                    .format("headrace")
                    .save(dir + "/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("column Label: expected label");
    assertThatThrownBy(() -> load(photos).drop("key").write().format("headrace").save(dir + "/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no column key");
    assertThatThrownBy(
            () ->
                load(photos)
                    .withColumn("when", current_date())
                    .write()
                    .format("headrace")
                    .save(dir + "/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("column when is date");
    assertThatThrownBy(
            () ->
                load(photos)
                    .write()
                    .format("headrace")
                    .option("encoding", "mix:1*packed+1*keep")
                    .save(dir + "/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("whole dataset first");
    assertThatThrownBy(() -> load(dir.resolve("absent"))).hasMessageContaining("no such file");
    assertThat(dir.resolve("x")).doesNotExist();
  }

  @Test
  void aStreamIsAPartitionForEachShard() throws Exception {
    Path stream = Folders.convert(photos, dir.resolve("stream"), 5, "tfrecord", "zstd", "keep");
    var frame = load(stream);
    assertThat(frame.javaRDD().getNumPartitions()).isEqualTo(5);
    assertThat(frame.count()).isEqualTo(12);
    assertThat(frame.select("key").orderBy("key").collectAsList())
        .isEqualTo(load(photos).select("key").orderBy("key").collectAsList());
  }
}
