package io.headrace.cloud;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.opendal.AsyncOperator;
import org.apache.opendal.layer.RetryLayer;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/// What reading from an S3 server costs this process with each library: CPU seconds (user and
/// system, native threads included) a GB of ranges, and CPU microseconds an object of 4 KiB. The
/// libraries take turns; the best of three rounds counts.
///
///     java -cp 'cloud/target/test-classes:cloud/target/lib/*' io.headrace.cloud.ObjectLibraries
///
/// Needs a server (see scripts/buckets.sh) and `AWS_*` in the environment.
final class ObjectLibraries {
  private static final int THREADS = 16;
  private static final int BIG = 64 << 20;
  private static final int SMALL = 4 << 10;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private interface Reader {
    int read(String key, long position, int length);
  }

  private ObjectLibraries() {}

  public static void main(String[] args) throws Exception {
    String bucket = "libraries";
    int objects = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    long bytes = (args.length > 1 ? Long.parseLong(args[1]) : 256) << 20;
    Map<String, Reader> readers = new LinkedHashMap<>();
    readers.put(
        "AWS SDK, Apache 5", sdk(bucket, Apache5HttpClient.builder().maxConnections(64).build()));
    readers.put("OpenDAL", openDal(bucket));
    fill(bucket, objects);
    System.out.println("| library | 64 KiB | 256 KiB | 1 MiB | 8 MiB | 4 KiB objects |");
    Map<String, double[]> best = new LinkedHashMap<>();
    for (int round = 0; round < 4; round++) { // the first warms up
      for (var reader : readers.entrySet()) {
        double[] found =
            best.computeIfAbsent(reader.getKey(), _ -> new double[] {9e9, 9e9, 9e9, 9e9, 9e9});
        int[] sizes = {64 << 10, 256 << 10, 1 << 20, 8 << 20};
        for (int i = 0; i < sizes.length; i++) {
          int size = sizes[i];
          var random = new Random(round);
          long cpu =
              run(
                  (int) (bytes / size),
                  _ -> "big",
                  _ -> random.nextLong(BIG - size),
                  size,
                  reader.getValue());
          found[i] = round == 0 ? 9e9 : Math.min(found[i], (double) cpu / bytes);
        }
        long cpu = run(objects, n -> "small/" + n, _ -> 0, SMALL, reader.getValue());
        found[4] = round == 0 ? 9e9 : Math.min(found[4], cpu / 1e3 / objects);
      }
    }
    best.forEach(
        (name, f) ->
            System.out.printf(
                "| %s | %.2f | %.2f | %.2f | %.2f | %.0f |%n", name, f[0], f[1], f[2], f[3], f[4]));
    System.exit(0);
  }

  private interface Key {
    String of(int number);
  }

  private interface Position {
    long of(int number);
  }

  /// {@return nanoseconds of CPU time}
  private static long run(int requests, Key key, Position position, int length, Reader reader)
      throws Exception {
    long start = SYSTEM.getProcessCpuTime();
    var sum = new AtomicLong();
    try (var pool = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        String name = key.of(i);
        long at = position.of(i);
        all.add(pool.submit(() -> sum.addAndGet(reader.read(name, at, length))));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    if (sum.get() != (long) requests * length) {
      throw new IllegalStateException("bytes are missing: " + sum);
    }
    return SYSTEM.getProcessCpuTime() - start;
  }

  private static S3Client client(SdkHttpClient http) {
    return S3Client.builder().httpClient(http).forcePathStyle(true).build();
  }

  private static Reader sdk(String bucket, SdkHttpClient http) {
    S3Client client = client(http);
    return (key, position, length) ->
        client.getObject(
            b ->
                b.bucket(bucket)
                    .key(key)
                    .range("bytes=%d-%d".formatted(position, position + length - 1)),
            ResponseTransformer.unmanaged(
                (response, in) -> {
                  byte[] bytes = new byte[length];
                  return in.readNBytes(bytes, 0, length);
                }));
  }

  private static Reader openDal(String bucket) {
    var operator =
        AsyncOperator.of(
                "s3",
                Map.of(
                    "bucket", bucket,
                    "region", System.getenv("AWS_REGION"),
                    "endpoint", System.getenv("AWS_ENDPOINT_URL_S3")))
            .layer(RetryLayer.builder().jitter(true).build())
            .blocking();
    return (key, position, length) -> operator.read(key, position, length).length;
  }

  private static void fill(String bucket, int objects) throws Exception {
    S3Client client = client(Apache5HttpClient.builder().maxConnections(64).build());
    client.createBucket(b -> b.bucket(bucket));
    byte[] big = new byte[BIG];
    new Random(1).nextBytes(big);
    client.putObject(b -> b.bucket(bucket).key("big"), RequestBody.fromBytes(big));
    byte[] small = new byte[SMALL];
    try (var pool = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < objects; i++) {
        String key = "small/" + i;
        all.add(
            pool.submit(
                () ->
                    client.putObject(
                        b -> b.bucket(bucket).key(key), RequestBody.fromBytes(small))));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }
}
