package io.headrace.interop.beton;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Difference;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.interop.Fixtures;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A file that FFCV wrote, files of ours, and damaged ones.
final class BetonDatasetTest {
  private static final ValueLayout.OfFloat F32 =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @TempDir Path dir;

  private static byte[] ffcv() throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(Fixtures.path("beton/ffcv.beton.gz")))) {
      return in.readAllBytes();
    }
  }

  private static Map<String, String> fields(Sample sample) {
    Map<String, String> fields = new TreeMap<>();
    for (int i = 0; i < sample.fields(); i++) {
      fields.put(
          sample.fieldName(i) + (sample.isFeature(i) ? "!" : ""),
          new String(sample.field(i).toArray(JAVA_BYTE), UTF_8));
    }
    return fields;
  }

  @Test
  void ffcvsOwnFileIsRead() throws IOException {
    Path file = Files.write(dir.resolve("train.beton"), ffcv());
    try (Dataset dataset = Datasets.open(file);
        var reader = dataset.openReader();
        Sample sample = Fixtures.sample()) {
      assertThat(dataset).isInstanceOf(BetonDataset.class);
      assertThat(dataset.size()).isEqualTo(5);
      for (int n = 4; n >= 0; n--) {
        reader.read(n, sample);
        assertThat(sample.label()).isEqualTo(4 - n);
        assertThat(sample.key()).isEqualTo("train.beton#" + n);
        byte[] image = sample.encoded().toArray(JAVA_BYTE);
        if (n < 3) { // pixels, else JPEG
          byte[] head = "P6\n%d %d\n255\n".formatted(12 + 2 * n, 10 + n).getBytes(UTF_8);
          assertThat(image).startsWith(head).hasSize(head.length + 3 * (12 + 2 * n) * (10 + n));
          byte[] first = Arrays.copyOfRange(image, head.length, head.length + 3);
          assertThat(first).containsExactly(40 * n, 90, 200 - 9 * n);
        } else {
          assertThat(image).startsWith(0xff, 0xd8, 0xff).endsWith(0xff, 0xd9);
        }
        Map<String, String> fields = fields(sample);
        assertThat(fields.keySet()).containsExactly("about", "boxes", "caption", "weight");
        assertThat(fields)
            .containsEntry("about", "{\"n\": " + n + "}")
            .containsEntry("caption", "picture " + n)
            .containsEntry("weight", String.valueOf(n / 4.0));
        MemorySegment boxes = sample.field(sample.fieldNamed(utf8("boxes")));
        assertThat(new String(boxes.asSlice(10, 70).toArray(JAVA_BYTE), UTF_8))
            .contains("'<f4'", "(2, 4)");
        for (int i = 0; i < 8; i++) {
          float value = boxes.get(F32, boxes.byteSize() - 32 + 4L * i);
          assertThat(value).isEqualTo(i + n / 4f);
        }
      }
    }
  }

  private static MemorySegment utf8(String text) {
    return MemorySegment.ofArray(text.getBytes(UTF_8));
  }

  /// Law: a converted dataset has the same samples; its files have no padding but between pages.
  @Test
  void picturesComeBack() throws Exception {
    Path photos = Photos.few(dir.resolve("photos"), 2, 3);
    for (String encoding : new String[] {"keep", "raw"}) {
      Path target = dir.resolve("out-" + encoding);
      var beton =
          new Representation(
              Packing.parse("beton"),
              TargetEncoding.parse(encoding),
              Resize.KEEP,
              new Compression.None());
      try (Dataset source = Datasets.open(photos)) {
        var _ = new Converter(source, ConvertOptions.of(target, beton, 2)).run();
      }
      try (Dataset source = Datasets.open(photos);
          Dataset dataset = Datasets.open(target)) {
        assertThat(Difference.of(source, dataset).same()).isTrue();
        assertThat(dataset.classes()).isEqualTo(source.classes());
        long[] images = new long[1];
        assertThat(Fixtures.stream(dataset, s -> images[0] += s.encodedBytes())).isEmpty();
        assertThat(dataset.storedBytes() - images[0]).isBetween(0L, 2 * (24 + 3 * 1041 + 600L));
      }
    }
    var png =
        new Representation(
            Packing.parse("beton"),
            TargetEncoding.parse("png"),
            Resize.KEEP,
            new Compression.None());
    try (Dataset source = Datasets.open(photos)) {
      var converter = new Converter(source, ConvertOptions.of(dir.resolve("png"), png, 1));
      assertThatThrownBy(converter::run)
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("holds JPEG and raw pixels, this is png: convert it to raw");
    }
  }

  /// Writes samples whose images have so many bytes.
  private Path write(List<Map<String, String>> fields, int[] imageBytes) throws IOException {
    Path file = dir.resolve("own.beton");
    var container = new BetonContainer();
    try (var channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        var packer = container.newPacker();
        var writer = container.newShard(new ShardTarget(channel, dir.resolve("scratch"), 0, 1));
        var block = new Block(MemoryBudget.unbounded());
        var packed = new Block(MemoryBudget.unbounded());
        Sample source = Fixtures.sample()) {
      for (int n = 0; n < imageBytes.length; n++) {
        source.place("x", n, -1);
        long at = 0;
        for (var field : fields.get(n).entrySet()) {
          boolean feature = field.getKey().endsWith("!");
          byte[] name = field.getKey().replace("!", "").getBytes(UTF_8);
          byte[] value = field.getValue().getBytes(UTF_8);
          MemorySegment memory = source.ensureKeeping(at + name.length + value.length + 1L);
          MemorySegment.copy(name, 0, memory, JAVA_BYTE, at, name.length);
          MemorySegment.copy(value, 0, memory, JAVA_BYTE, at + name.length, value.length);
          source.addField(at, name.length, at + name.length, value.length, feature);
          at += name.length + value.length;
        }
        MemorySegment image = block.ensure(imageBytes[n]).asSlice(0, imageBytes[n]);
        image.fill((byte) (n + 1));
        var meta = new SampleMeta("k/é" + n, n - 1, "", "jpeg", 9, 8, 3);
        long bytes = packer.pack(meta, image, source, packed);
        writer.write(meta, packed.memory().asSlice(0, bytes));
      }
      writer.finish();
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
    return file;
  }

  /// Law: fields come back under their whole names; one that a sample lacks stays lacking, one
  /// that is empty stays empty.
  @Test
  void fieldsComeBack() throws IOException {
    List<Map<String, String>> fields =
        List.of(
            Map.of("txt", "one", "image/object/bbox/xmin!", "x", "é", "e"),
            Map.of("image/object/bbox/xmax!", "", "txt", ""),
            Map.of());
    Path file = write(fields, new int[] {30, 20, 10});
    List<Map<String, String>> found = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    try (Dataset dataset = Datasets.open(file)) {
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    found.add(fields(s));
                    keys.add(s.key() + " " + s.label() + " " + s.encodedBytes());
                  }))
          .isEmpty();
    }
    assertThat(found).isEqualTo(fields);
    assertThat(keys).containsExactly("k/é0 -1 30", "k/é1 0 20", "k/é2 1 10");
  }

  /// Law: no value lies in two pages, which FFCV's reader of pages needs; pages grow with values.
  @Test
  void noValueLiesInTwoPages() throws IOException {
    int[] sizes = {5 << 20, 5 << 20, 100, 20 << 20, 20 << 20, 7};
    Path file = write(Collections.nCopies(6, Map.of()), sizes);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    long page = bytes.getInt(4);
    assertThat(page).isEqualTo(32 << 20);
    int table = (int) bytes.getLong(16);
    assertThat(bytes.limit() - table).isEqualTo(24 * 12);
    long largestGap = 0;
    long end = 24 + 3 * 1041 + 6 * 40;
    for (int i = 0; i < 12; i++) {
      long place = bytes.getLong(table + 24 * i + 8);
      long size = bytes.getLong(table + 24 * i + 16);
      assertThat(place / page).isEqualTo((place + size - 1) / page);
      assertThat(place).isGreaterThanOrEqualTo(end);
      largestGap = Math.max(largestGap, place - end);
      end = place + size;
    }
    assertThat(end).isEqualTo(table);
    assertThat(largestGap).isPositive();
    try (Dataset dataset = Datasets.open(file)) {
      var n = new int[1];
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    assertThat(s.encodedBytes()).isEqualTo(sizes[n[0]]);
                    assertThat(s.encoded().get(JAVA_BYTE, sizes[n[0]] - 1))
                        .isEqualTo((byte) ++n[0]);
                  }))
          .isEmpty();
    }
  }

  /// Law: a file that is cut or has a flipped bit gives samples or says what is wrong.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void damageIsReported(long seed) throws IOException {
    var random = new Random(seed);
    Path own = write(List.of(Map.of("a", "b"), Map.of(), Map.of("c", "")), new int[] {40, 4, 9});
    byte[] whole = Files.readAllBytes(own);
    byte[] bad =
        random.nextInt(3) == 0
            ? Corrupter.cut(whole, random.nextInt(whole.length))
            : Corrupter.flipBit(whole, random.nextInt(8 * whole.length));
    Path file = Files.write(dir.resolve("bad.beton"), bad);
    try (Dataset dataset = Datasets.open(file)) {
      for (CorruptDataException fault : Fixtures.stream(dataset, sample -> {})) {
        assertThat(fault.where().file()).isEqualTo(file.toString());
      }
    } catch (CorruptDataException e) {
      assertThat(e.where().file()).isEqualTo(file.toString());
    } catch (ConfigException e) {
      assertThat(e).hasMessageContaining("no column of pictures"); // the image's type was hit
    }
  }

  @Test
  void aTableWithoutPicturesIsRefused() throws IOException {
    byte[] bytes = ffcv();
    bytes[24 + 1041] = 3; // the image becomes bytes
    Path file = Files.write(dir.resolve("no.beton"), bytes);
    assertThatThrownBy(() -> Datasets.open(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no column of pictures in " + file);
  }
}
