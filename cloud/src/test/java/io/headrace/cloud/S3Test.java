package io.headrace.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.Verifier;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.convert.Representation;
import io.headrace.load.EpochReport;
import io.headrace.memory.Batch;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Places;
import io.headrace.store.RemoteFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
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
    bucket = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
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

  private void putPhotos() throws IOException {
    try (Stream<Path> files = Files.walk(PHOTOS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String key = PHOTOS.relativize(file).toString();
        server.objects.put(bucket + "/photos/" + key, Files.readAllBytes(file));
      }
    }
  }

  private static EpochReport load(Path path, long number) throws IOException {
    var options = LoadOptions.builder().batchSize(16).threads(2).readers(4).seed(5).build();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse("resize_shorter=32,center_crop=32,uint8,hwc"), options);
        var epoch = loader.epoch(number)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  @Test
  void loadsAndConvertsAsFromDisk(@TempDir Path local) throws Exception {
    putPhotos();
    EpochReport there = load(at("photos"), 1);
    assertThat(there.digest()).isEqualTo(load(PHOTOS, 1).digest());
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
        .filteredOn(key -> key.startsWith(bucket))
        .hasSize(4)
        .contains(bucket + "/out/set/" + Manifest.FILE);
    assertThatThrownBy(
            () -> {
              try (Dataset source = Datasets.open(at("photos"))) {
                var _ = new Converter(source, ConvertOptions.of(at("out/set"), packed, 3)).run();
              }
            })
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not empty");
  }
}
