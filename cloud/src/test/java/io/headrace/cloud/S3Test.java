package io.headrace.cloud;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Places;
import io.headrace.store.RemoteFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/// Datasets in buckets give what local ones give, and each fault of a server ends in the right data
/// or in a clear error.
final class S3Test {
  private static final String SECRET = "no-one-may-read-this";
  private static final Path PHOTOS =
      Path.of(System.getProperty("headrace.root", ".."), "samples", "photos");

  private static S3Server server;
  private String bucket = "";

  @BeforeAll
  static void start() throws IOException {
    server = new S3Server();
    System.setProperty("aws.endpointUrlS3", server.endpoint());
    System.setProperty("aws.accessKeyId", "tester");
    System.setProperty("aws.secretAccessKey", SECRET);
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("headrace.cloud.timeoutMillis", "2000");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void newBucket(TestInfo test) {
    bucket = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    server.fault = _ -> 0;
    var _ = server.takeLog();
  }

  private Path at(String key) {
    return Places.path("s3://%s/%s".formatted(bucket, key));
  }

  private byte[] put(String key, int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    server.objects.put(bucket + "/" + key, bytes);
    return bytes;
  }

  /// Puts some photos of two classes into the bucket, and into a folder.
  private void putPhotos(Path local) throws IOException {
    for (String name : List.of("bird", "plant")) {
      Files.createDirectories(local.resolve(name));
      try (Stream<Path> files = Files.list(PHOTOS.resolve(name))) {
        for (Path file : files.sorted().limit(6).toList()) {
          String key = name + "/" + file.getFileName();
          Files.copy(file, local.resolve(key));
          server.objects.put(bucket + "/photos/" + key, Files.readAllBytes(file));
        }
      }
    }
  }

  private static EpochReport load(Path path, long number) throws IOException {
    var options = LoadOptions.builder().batchSize(16).threads(2).readers(4).seed(5).build();
    try (Dataset dataset = Datasets.open(path);
        var loader =
            new Loader(
                dataset, Pipeline.parse("resize_shorter=32,center_crop=32,uint8,hwc"), options);
        var epoch = loader.epoch(number)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  @Test
  void loadsAndConvertsAsFromDisk(@TempDir Path local) throws Exception {
    putPhotos(local.resolve("photos"));
    EpochReport there = load(at("photos"), 1);
    assertThat(there.digest()).isEqualTo(load(local.resolve("photos"), 1).digest());
    assertThat(there.verified()).isTrue();
    Representation packed = Representation.of("race", "none", "keep", "keep");
    for (Path target : List.of(at("out/set"), local.resolve("set"))) {
      try (Dataset source = Datasets.open(at("photos"))) {
        var _ = new Converter(source, ConvertOptions.of(target, packed, 3)).run();
      }
    }
    try (Dataset made = Datasets.open(at("out/set"))) {
      assertThat(Verifier.verify(made, true).faults()).isEmpty();
      for (Path shard : made.shards()) {
        Path name = Objects.requireNonNull(shard.getFileName());
        assertThat(Files.readAllBytes(shard))
            .isEqualTo(Files.readAllBytes(local.resolve("set").resolve(name.toString())));
      }
    }
    assertThat(load(at("out/set"), 1).digest()).isEqualTo(load(local.resolve("set"), 1).digest());
    assertThat(server.objects.tailMap(bucket + "/out/").keySet())
        .filteredOn(key -> key.startsWith(bucket + "/out"))
        .hasSize(4)
        .contains(bucket + "/out/set/" + Manifest.FILE);
    assertThatThrownBy(() -> convertInto(at("out/set")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not empty");
  }

  private void convertInto(Path target) throws IOException, InterruptedException {
    Representation packed = Representation.of("race", "none", "keep", "keep");
    try (Dataset source = Datasets.open(at("photos"))) {
      var _ = new Converter(source, ConvertOptions.of(target, packed, 2)).run();
    }
  }

  /// A conversion that was killed has left a lock, an upload and no manifest.
  @Test
  void takesUpWhatAKilledConversionLeft(@TempDir Path local) throws Exception {
    putPhotos(local);
    server.fault =
        exchange ->
            exchange.getRequestURI().getPath().contains("dataset.json")
                    && exchange.getRequestMethod().equals("PUT")
                ? 400
                : 0;
    assertThatThrownBy(() -> convertInto(at("set"))).isInstanceOf(IOException.class);
    server.fault = _ -> 0;
    server.objects.put(bucket + "/set/.headrace-convert/lock", hostAnd("999999999"));
    server.uploads.put("left", new TreeMap<>());
    server.uploadKeys.put("left", bucket + "/set/.headrace-convert/shard-00001.part");
    convertInto(at("set"));
    assertThat(server.uploads).doesNotContainKey("left");
    assertThat(load(at("set"), 0).verified()).isTrue();
    server.objects.put(bucket + "/other/.headrace-convert/lock", "elsewhere 7".getBytes(UTF_8));
    assertThatThrownBy(() -> convertInto(at("other")))
        .hasMessageContaining("is held by process 7 of host elsewhere");
  }

  private static byte[] hostAnd(String pid) throws IOException {
    return (InetAddress.getLocalHost().getHostName() + " " + pid).getBytes(UTF_8);
  }

  private static byte[] read(FileChannel channel, long position, int length) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(length);
    int n = channel.read(into, position);
    byte[] bytes = new byte[n];
    into.flip().get(bytes);
    return bytes;
  }

  @Test
  void readsTheRangesThatAreAskedFor() throws IOException {
    byte[] bytes = put("a b/ü+.bin", 3_000_000);
    Path path = at("a b/ü+.bin");
    RemoteFiles remote = Objects.requireNonNull(Places.remote(path));
    try (FileChannel channel = FileChannel.open(path)) {
      long before = remote.receivedBytes();
      var _ = server.takeLog();
      assertThat(read(channel, 5000, 20_000)).isEqualTo(Arrays.copyOfRange(bytes, 5000, 25_000));
      assertThat(read(channel, 2_000_000, 10))
          .isEqualTo(Arrays.copyOfRange(bytes, 2_000_000, 2_000_010));
      assertThat(remote.receivedBytes() - before).isEqualTo(20_010);
      assertThat(server.takeLog())
          .containsExactly(
              "GET %s/a b/ü+.bin bytes=5000-24999".formatted(bucket),
              "GET %s/a b/ü+.bin bytes=2000000-2000009".formatted(bucket));
      assertThat(read(channel, 2_999_990, 100)).hasSize(10);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    try (var in = Files.newInputStream(path)) {
      var _ = server.takeLog();
      assertThat(in.readAllBytes()).isEqualTo(bytes);
      assertThat(server.takeLog()).hasSizeLessThan(12); // windows, not pages
    }
  }

  @Test
  void survivesFaultsThatPass() throws IOException {
    byte[] bytes = put("x", 200_000);
    try (FileChannel channel = FileChannel.open(at("x"))) {
      server.cutAfter.set(1000);
      assertThat(read(channel, 0, 100_000)).isEqualTo(Arrays.copyOf(bytes, 100_000));
      server.wrongRanges.set(2);
      assertThat(read(channel, 10, 100)).isEqualTo(Arrays.copyOfRange(bytes, 10, 110));
      for (int status : new int[] {503, 429, 500}) {
        var left = new AtomicInteger(3);
        server.fault = _ -> left.getAndDecrement() > 0 ? status : 0;
        assertThat(read(channel, 7, 100)).isEqualTo(Arrays.copyOfRange(bytes, 7, 107));
        assertThat(left.get()).isNegative();
      }
      var stalls = new AtomicInteger(1);
      server.fault =
          _ -> {
            if (stalls.getAndDecrement() > 0) {
              LockSupport.parkNanos(3_000_000_000L); // beyond the patience of this test's client
            }
            return 0;
          };
      assertThat(read(channel, 9, 100)).isEqualTo(Arrays.copyOfRange(bytes, 9, 109));
    }
  }

  @Test
  void saysThatAnObjectHasChanged() throws IOException {
    byte[] before = put("x", 100_000);
    try (FileChannel channel = FileChannel.open(at("x"))) {
      assertThat(read(channel, 0, 10)).hasSize(10);
      byte[] after = put("x", 100_001);
      assertThatThrownBy(() -> read(channel, 50, 10))
          .isInstanceOf(ChangedObjectException.class)
          .hasMessageContaining("s3://%s/x".formatted(bucket))
          .hasMessageContaining(S3Server.etag(before).replace("\"", ""))
          .hasMessageContaining(S3Server.etag(after).replace("\"", ""));
      server.objects.remove(bucket + "/x");
      assertThatThrownBy(() -> read(channel, 50, 10))
          .isInstanceOf(ChangedObjectException.class)
          .hasMessageContaining("deleted now");
    }
  }

  @Test
  void knowsEveryScheme() {
    for (String address :
        List.of(
            "gs://b/x/y",
            "hdfs://h:9870/x/y",
            "http://h:80/x/y",
            "https://h/x/y",
            "hf://datasets/owner/name@main/x/y")) {
      Path path = Places.path(address);
      assertThat(path).hasToString(address);
      assertThat(Objects.requireNonNull(path.getParent()).resolve("y")).isEqualTo(path);
    }
    assertThat(Places.path("hf://datasets/owner/name").getParent()).isNull();
    assertThatThrownBy(() -> Places.path("az://container/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("AZURE_STORAGE_ACCOUNT");
    assertThatThrownBy(() -> Places.path("hf://owner/name"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hf://datasets/OWNER/NAME");
  }

  /// What a server over HTTP has: single files, and datasets with a manifest.
  @Test
  void readsWhatAWebServerHas() throws IOException {
    byte[] bytes = put("set/dataset.json", 5000);
    Path folder = Places.path(server.endpoint() + "/" + bucket + "/set");
    assertThat(Files.isDirectory(folder)).isTrue();
    assertThat(Files.readAllBytes(folder.resolve("dataset.json"))).isEqualTo(bytes);
    assertThat(Files.exists(folder.resolve("none.race"))).isFalse();
    assertThatThrownBy(() -> Files.list(folder).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a web server lists no folders");
  }

  @Test
  void refusesInWordsWithoutSecrets() {
    assertThatThrownBy(() -> Files.size(at("nothing")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("s3://" + bucket + "/nothing");
    put("x", 10);
    server.fault = _ -> 403;
    assertThatThrownBy(() -> Files.readAllBytes(at("x")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("look at credentials")
        .hasMessageNotContaining(SECRET);
    assertThatThrownBy(() -> Places.path("s3://me:" + SECRET + "@bucket/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageNotContaining(SECRET);
    assertThatThrownBy(() -> Places.path("ftp://host/x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("headrace-cloud");
  }

  @Test
  void uploadsLargeFilesInPartsAndLeavesNoneWhereThatFails() throws IOException {
    byte[] bytes = new byte[17 << 20];
    new Random(1).nextBytes(bytes);
    Files.write(at("big"), bytes);
    assertThat(Arrays.equals(server.objects.get(bucket + "/big"), bytes)).isTrue();
    assertThat(server.takeLog()).filteredOn(line -> line.startsWith("PUT")).hasSize(2);
    server.fault =
        exchange ->
            String.valueOf(exchange.getRequestURI().getQuery()).contains("partNumber=2") ? 400 : 0;
    assertThatThrownBy(() -> Files.write(at("broken"), bytes)).isInstanceOf(IOException.class);
    assertThat(server.objects).doesNotContainKey(bucket + "/broken");
    assertThat(server.uploads).isEmpty();
  }

  @Test
  void listsFoldersAndKeepsThemInOnePage() throws IOException {
    for (int i = 0; i < 1500; i++) {
      server.objects.put("%s/many/%04d".formatted(bucket, i), new byte[i]);
    }
    server.objects.put(bucket + "/many/inner/x", new byte[1]);
    try (Stream<Path> files = Files.list(at("many"))) {
      assertThat(files).hasSize(1501);
    }
    var _ = server.takeLog();
    assertThat(Files.size(at("many/1234"))).isEqualTo(1234);
    assertThat(Files.exists(at("many/none"))).isFalse();
    assertThat(Files.isDirectory(at("many/inner"))).isTrue();
    assertThat(server.takeLog()).isEmpty();
    assertThat(at("many/inner").relativize(at("many/1"))).hasToString("../1");
    assertThat(at("many/inner/../1").normalize()).isEqualTo(at("many/1"));
    assertThat(at("many").resolve("1")).hasToString("s3://%s/many/1".formatted(bucket));
  }
}
