package io.headrace.interop.pcr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.interop.pcr.Records.Image;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Records that Headrace writes.
final class PcrContainerTest {
  private static List<Image> first() throws Exception {
    return List.of(
        Records.image("baseline.jpg", 3),
        Records.image("a.jpg", 0),
        Records.image("grey.jpg", -1),
        Records.image("trailer.jpg", 1));
  }

  private static List<Image> second() throws Exception {
    return List.of(Records.image("e.jpg", 2), Records.image("f.jpg", 0));
  }

  /// Law: samples written and read again have the same bytes, keys, labels and fields, also where
  /// something stands after the end marker.
  @Test
  void samplesComeBackByteForByte(@TempDir Path dir) throws Exception {
    Records.write(dir, first(), List.of(), second());
    List<Image> all = new ArrayList<>(first());
    all.addAll(second());
    try (Dataset dataset = Datasets.open(dir);
        Dataset.SampleReader reader = dataset.openReader();
        Sample sample = Records.sample()) {
      assertThat(dataset.size()).isEqualTo(6);
      assertThat(dataset.groups()).isEqualTo(10);
      List<Image> streamed = Records.stream(dataset, 99);
      assertThat(streamed).usingRecursiveComparison().isEqualTo(all);
      for (int i = 0; i < all.size(); i++) {
        reader.read(i, sample);
        assertThat(Records.take(sample)).usingRecursiveComparison().isEqualTo(all.get(i));
        assertThat(sample.fields()).isEqualTo(1);
        assertThat(sample.fieldName(0)).isEqualTo("json");
        assertThat(new String(sample.field(0).toArray(JAVA_BYTE), UTF_8))
            .isEqualTo(all.get(i).key());
      }
    }
  }

  /// A sequential JPEG is one scan: whole at every fidelity. A prefix of a progressive one decodes.
  @Test
  void lowerFidelitiesAreShorterAndDecode(@TempDir Path dir) throws Exception {
    Records.write(dir, first());
    try (Dataset dataset = Datasets.open(dir);
        var decoder = new JpegDecoder();
        var pixels = new Block(MemoryBudget.unbounded());
        Sample sample = Records.sample();
        Dataset.SampleReader reader = dataset.openReader()) {
      reader.read(0, 1, sample);
      assertThat(Records.take(sample).bytes()).isEqualTo(first().getFirst().bytes());
      long before = 0;
      for (int fidelity = 1; fidelity <= 10; fidelity++) {
        reader.read(1, fidelity, sample);
        assertThat(sample.encodedBytes()).isGreaterThan(before);
        before = sample.encodedBytes();
        var info = decoder.probe(sample.encoded());
        MemorySegment rgb = pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
        decoder.decode(sample.encoded(), info, rgb);
      }
      reader.read(2, 6, sample); // grey has six scans
      assertThat(Records.take(sample).bytes()).isEqualTo(first().get(2).bytes());
    }
  }

  /// Law: equal samples give equal files, and completing again changes nothing.
  @Test
  void completingAgainChangesNothing(@TempDir Path dir) throws Exception {
    Path one = Files.createDirectory(dir.resolve("1"));
    Path two = Files.createDirectory(dir.resolve("2"));
    List<String> names = Records.write(one, first(), second());
    Records.write(two, first(), second());
    new PcrContainer().complete(one, names);
    List<Path> files =
        Stream.concat(names.stream(), Stream.of("PCR.db", "PCR_index.pb")).map(Path::of).toList();
    try (Stream<Path> there = Files.list(one)) {
      assertThat(there.map(Path::getFileName)).containsExactlyInAnyOrderElementsOf(files);
    }
    for (Path file : files) {
      assertThat(one.resolve(file)).hasSameBinaryContentAs(two.resolve(file));
    }
  }

  @Test
  void bothIndexesSayTheSame(@TempDir Path dir) throws Exception {
    Records.write(dir, first(), second());
    PcrIndex protobuf = PcrIndex.read(dir, io.headrace.store.Store.LOCAL);
    Files.delete(dir.resolve("PCR_index.pb"));
    assertThat(PcrIndex.read(dir, io.headrace.store.Store.LOCAL).entries())
        .isEqualTo(protobuf.entries());
  }

  @Test
  void whatIsNoJpegIsRefused() {
    try (SamplePacker packer = new PcrContainer().newPacker();
        Sample source = Records.sample();
        Block into = new Block(MemoryBudget.unbounded())) {
      source.place("x", 0, 0);
      var meta = new SampleMeta("k", 0, "", "png", 1, 1, 3);
      assertThatThrownBy(() -> packer.pack(meta, MemorySegment.ofArray(new byte[9]), source, into))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNSUPPORTED))
          .hasMessageContaining("holds JPEG images only, this is png");
    }
  }

  @Test
  void theContainerIsAService() {
    assertThat(Container.service("pcr")).isInstanceOf(PcrContainer.class);
    assertThat(Container.service("no such")).isNull();
  }

  /// Law: a reader that follows the original one gets our records' images, at every fidelity.
  @Test
  void aReaderLikeTheOriginalReadsThem(@TempDir Path dir) throws Exception {
    assumeTrue(python("-c", "import sqlite3, pickle") != null, "no python3 with sqlite3");
    Records.write(dir, first(), second());
    try (Dataset dataset = Datasets.open(dir)) {
      for (int fidelity : new int[] {1, 2, 5, 10}) {
        List<String> lines =
            python(
                Records.fixture("read_as_original.py").toString(),
                dir.toString(),
                String.valueOf(fidelity));
        List<String> expected = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
          for (Image image : shard == 0 ? first() : second()) {
            expected.add("x-0000%d-of-00002.pcr %d".formatted(shard, image.label()));
          }
        }
        List<Image> images = Records.stream(dataset, fidelity);
        for (int i = 0; i < images.size(); i++) {
          byte[] bytes = images.get(i).bytes();
          if (i == 3 && fidelity == 10) { // the original knows of nothing after the end marker
            bytes =
                java.util.Arrays.copyOf(bytes, bytes.length - "something behind the end".length());
          }
          expected.set(i, expected.get(i) + " " + Records.sha256(bytes));
        }
        assertThat(lines).isEqualTo(expected);
      }
    }
  }

  /// {@return the lines that Python printed, or null if it is not there or failed}
  private static @Nullable List<String> python(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return null;
    }
    List<String> lines = process.inputReader().lines().toList();
    return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0 ? lines : null;
  }
}
