package io.headrace.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.store.ColdStore;
import io.headrace.store.Device;
import io.headrace.store.DirectStore;
import io.headrace.store.MappedStore;
import io.headrace.store.Store;
import io.headrace.store.ThrottledStore;
import io.headrace.store.disk.PageCache;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws of closing and of interruption, which hold for every container and through every store.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LifetimesTest {
  private final Map<String, Path> sets = new LinkedHashMap<>();

  @BeforeAll
  void write(@TempDir Path dir) throws Exception {
    sets.put("folder", Photos.few(dir.resolve("folder"), 2, 4));
    for (String format :
        List.of(
            "tfrecord",
            "tar",
            "race",
            "race:blobs=zstd,block=1048576",
            "race:groups=1/5",
            "pcr",
            "beton")) {
      convert(dir, format, "none");
    }
    convert(dir, "tfrecord", "zstd");
    convert(dir, "tfrecord", "gzip");
    convert(dir, "tar", "xz");
    convert(dir, "tar", "lz4");
    for (String mds :
        List.of("mds/plain", "mds/packed-zstd", "mds/packed-bz2", "parquet/hf", "arrow/hf")) {
      sets.put(mds, Fixtures.path(mds));
    }
  }

  private void convert(Path dir, String format, String compression) throws Exception {
    Path target = dir.resolve("set" + sets.size());
    var representation =
        new Representation(
            Packing.parse(format),
            TargetEncoding.parse("keep"),
            Resize.KEEP,
            Compression.parse(compression));
    try (Dataset source = Datasets.open(set("folder"))) {
      var _ = new Converter(source, ConvertOptions.of(target, representation, 2)).run();
    }
    sets.put(format + " " + compression, target);
  }

  Stream<String> all() {
    return sets.keySet().stream();
  }

  private Path set(String name) {
    return Objects.requireNonNull(sets.get(name));
  }

  private Dataset open(String name, Store store) throws IOException {
    return Datasets.open(set(name), store);
  }

  private static Map<String, Store> stores() {
    Map<String, Store> stores = new LinkedHashMap<>();
    stores.put("page", Store.LOCAL);
    stores.put("mmap", new MappedStore());
    stores.put("direct", new DirectStore());
    stores.put("device", new ThrottledStore(Store.LOCAL, Device.rate("fast", 1e12)));
    if (PageCache.supported()) {
      stores.put("cold", new ColdStore(Store.LOCAL));
    }
    return stores;
  }

  /// A sample as a value.
  private static String value(Sample sample) {
    return "%s %d %d"
        .formatted(
            sample.key(),
            sample.label(),
            Arrays.hashCode(sample.encoded().toArray(ValueLayout.JAVA_BYTE)));
  }

  private static List<String> stream(Dataset dataset) throws IOException {
    List<String> values = new ArrayList<>();
    assertThat(Fixtures.stream(dataset, sample -> values.add(value(sample)))).isEmpty();
    return values;
  }

  private static List<String> read(Dataset dataset) throws IOException {
    List<String> values = new ArrayList<>();
    try (var reader = dataset.openReader();
        Sample sample = Fixtures.sample()) {
      for (long i = 0; i < dataset.size(); i++) {
        reader.read(i, sample);
        values.add(value(sample));
      }
    }
    return values;
  }

  /// Law: what is closed can be closed again, in any order, and nothing stays open.
  @ParameterizedTest
  @MethodSource("all")
  void closingTwiceDoesNothing(String name) throws Exception {
    for (Store store : stores().values()) {
      Dataset dataset = open(name, store);
      List<String> values = stream(dataset);
      try (Sample sample = Fixtures.sample()) {
        for (int begun = 0; begun < 2; begun++) {
          Dataset.SampleCursor cursor = dataset.openCursor(0);
          Dataset.SampleReader reader = dataset.indexed() ? dataset.openReader() : null;
          if (begun > 0) {
            assertThat(cursor.next(sample)).isTrue();
            assertThat(value(sample)).isEqualTo(values.getFirst());
            if (reader != null) {
              reader.read(0, sample);
            }
          }
          cursor.close();
          cursor.close();
          if (reader != null) {
            reader.close();
            reader.close();
          }
        }
      }
      dataset.close();
      dataset.close();
      assertThat(openFiles(set(name))).isEmpty();
    }
  }

  /// Law: readers that outlive their dataset give the right sample, from memory, or say that it is
  /// closed; they open nothing again.
  @ParameterizedTest
  @MethodSource("all")
  void readersThatOutliveTheirDatasetSayThatItIsClosed(String name) throws Exception {
    for (Store store : stores().values()) {
      Dataset dataset = open(name, store);
      List<String> values = stream(dataset);
      var cursor = dataset.openCursor(0);
      var fresh = dataset.openCursor(0);
      var reader = dataset.indexed() ? dataset.openReader() : null;
      try (Sample sample = Fixtures.sample()) {
        assertThat(cursor.next(sample)).isTrue();
        if (reader != null) {
          reader.read(0, sample);
        }
        dataset.close();
        assertRightOrClosed(() -> fresh.next(sample), sample, values);
        assertRightOrClosed(() -> cursor.next(sample), sample, values);
        if (reader != null) {
          for (long i = values.size() - 1L; i >= 0; i--) {
            long number = i;
            assertRightOrClosed(
                () -> {
                  reader.read(number, sample);
                  return true;
                },
                sample,
                values);
          }
          reader.close();
        }
        cursor.close();
        fresh.close();
        dataset.close();
      }
      assertThat(openFiles(set(name))).isEmpty();
    }
  }

  /// A read that may fail.
  @FunctionalInterface
  private interface Read {
    boolean run() throws IOException;
  }

  private static void assertRightOrClosed(Read read, Sample sample, List<String> values) {
    try {
      if (read.run()) {
        assertThat(values).contains(value(sample));
      }
    } catch (IOException e) {
      assertThat(e).isInstanceOf(ClosedChannelException.class);
    }
  }

  /// Law: after closing, nothing can be opened for the first time.
  @ParameterizedTest
  @MethodSource("all")
  void aClosedDatasetOpensNoReaders(String name) throws Exception {
    Dataset dataset = open(name, Store.LOCAL);
    dataset.close();
    try (Sample sample = Fixtures.sample()) {
      assertThatThrownBy(
              () -> {
                try (var cursor = dataset.openCursor(0)) {
                  boolean _ = cursor.next(sample);
                }
              })
          .isInstanceOf(ClosedChannelException.class);
      if (dataset.indexed()) {
        assertThatThrownBy(
                () -> {
                  try (var reader = dataset.openReader()) {
                    reader.read(0, sample);
                  }
                })
            .isInstanceOf(ClosedChannelException.class);
      }
    }
    assertThat(openFiles(set(name))).isEmpty();
  }

  /// Law: a reader that is interrupted makes no other of the same dataset fail, whether it was
  /// interrupted at its first read, which may make the index, or later.
  @ParameterizedTest
  @MethodSource("all")
  void anInterruptedReaderMakesNoOtherFail(String name) throws Exception {
    List<String> values;
    try (Dataset dataset = open(name, Store.LOCAL)) {
      values = stream(dataset);
    }
    for (Map.Entry<String, Store> store : stores().entrySet()) {
      try (Dataset dataset = open(name, store.getValue());
          Dataset.SampleCursor begun = dataset.openCursor(0);
          Sample sample = Fixtures.sample()) {
        interrupted(() -> dataset.indexed() ? read(dataset) : stream(dataset));
        interrupted(() -> stream(dataset));
        assertThat(begun.next(sample)).describedAs(store.getKey()).isTrue();
        assertThat(value(sample)).isEqualTo(values.getFirst());
        assertThat(stream(dataset)).isEqualTo(values);
        if (dataset.indexed()) {
          try (var reader = dataset.openReader()) {
            reader.read(0, sample);
            interrupted(() -> read(dataset));
            reader.read(values.size() - 1, sample);
            assertThat(value(sample)).isEqualTo(values.getLast());
          }
          assertThat(read(dataset)).isEqualTo(values);
        }
      }
    }
  }

  /// Does something in a thread that is interrupted, which may go well or be stopped by it.
  private static void interrupted(java.util.concurrent.Callable<List<String>> call)
      throws InterruptedException {
    var failure = new AtomicReference<Throwable>();
    Thread thread =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              try {
                List<String> _ = call.call();
              } catch (Exception | AssertionError e) {
                failure.set(e);
              }
            });
    thread.start();
    thread.join();
    Throwable e = failure.get();
    Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
    if (cause != null) {
      assertThat(cause)
          .isInstanceOfAny(ClosedByInterruptException.class, InterruptedIOException.class);
    }
  }

  /// Law: readers in threads that are interrupted at any moment leave the others undisturbed.
  @ParameterizedTest
  @MethodSource("all")
  void interruptionsAtAnyMomentDisturbNobody(String name) throws Exception {
    try (Dataset dataset = open(name, Store.LOCAL)) {
      List<String> values = stream(dataset);
      for (int round = 0; round < 10; round++) {
        Thread reader =
            new Thread(
                () -> {
                  try {
                    while (!Thread.currentThread().isInterrupted()) {
                      List<String> _ = dataset.indexed() ? read(dataset) : stream(dataset);
                    }
                  } catch (IOException | AssertionError e) {
                    // it was interrupted
                  }
                });
        reader.start();
        assertThat(dataset.indexed() ? read(dataset) : stream(dataset)).isEqualTo(values);
        reader.interrupt();
        assertThat(dataset.indexed() ? read(dataset) : stream(dataset)).isEqualTo(values);
        reader.join();
      }
    }
  }

  /// {@return the open descriptors of this process that lead below a folder; none where the system
  /// does not tell}
  private static List<String> openFiles(Path folder) throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    List<String> open = new ArrayList<>();
    if (Files.isDirectory(descriptors)) {
      try (Stream<Path> all = Files.list(descriptors)) {
        for (Path each : all.toList()) {
          if (Files.isSymbolicLink(each)) {
            Path target = Path.of(Files.readSymbolicLink(each).toString());
            if (target.startsWith(folder.toRealPath())) {
              open.add(target.toString());
            }
          }
        }
      }
    }
    return open;
  }
}
