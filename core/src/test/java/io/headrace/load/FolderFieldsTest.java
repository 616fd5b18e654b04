package io.headrace.load;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.png.PngDecoder;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.format.field.FieldRequest;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What lies beside the pictures of a folder comes with them: masks by a rule, annotations of
/// COCO's form.
final class FolderFieldsTest {
  private static final Pipeline STEPS = Pipeline.parse("resize=29x37,uint8,hwc");

  @TempDir private Path dir = Path.of(".");

  /// A picture of the mask's size, all of one number.
  private static void picture(Path file, int number) throws IOException {
    Files.createDirectories(file.getParent());
    byte[] head = "P6\n37 29\n255\n".getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(head, head.length + 3 * 37 * 29);
    Arrays.fill(all, head.length, all.length, (byte) number);
    Files.write(file, all);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = FolderFieldsTest.class.getResourceAsStream("/pairs/" + name)) {
      return in.readAllBytes();
    }
  }

  private static void mask(Path file, String name) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, resource(name));
  }

  private static Dataset open(Path root, String pairs) throws IOException {
    return Datasets.open(root, OpenOptions.DEFAULT.withPairs(pairs));
  }

  private static LoadOptions.Builder options(String fields) {
    return LoadOptions.builder()
        .batchSize(3)
        .threads(2)
        .shuffle(false)
        .fields(FieldRequest.parse(fields));
  }

  /// {@return for each picture's number: its key, and the first bytes of a field}
  private static Map<Integer, String> load(Dataset dataset, LoadOptions options)
      throws IOException {
    Map<Integer, String> seen = new TreeMap<>();
    try (var loader = new Loader(dataset, STEPS, options);
        Epoch epoch = loader.epoch(0)) {
      for (Batch next = epoch.next(); next != null; next = epoch.next()) {
        try (Batch batch = next) {
          long each = batch.fields().get(1).room();
          for (int i = 0; i < batch.size(); i++) {
            byte[] mask = batch.values(1).asSlice(i * each, 40).toArray(JAVA_BYTE);
            int number = batch.data().get(JAVA_BYTE, 3L * 37 * 29 * i);
            seen.put(number, batch.text(0, i) + " " + Arrays.hashCode(mask));
          }
        }
      }
    }
    return seen;
  }

  private static int numbers(String name) throws IOException {
    try (var arena = Arena.ofConfined();
        var decoder = new PngDecoder()) {
      var png = arena.allocate(resource(name).length);
      png.copyFrom(MemorySegment.ofArray(resource(name)));
      var out = arena.allocate(37 * 29);
      decoder.decodeNumbers(png, decoder.probe(png), out);
      return Arrays.hashCode(out.asSlice(0, 40).toArray(JAVA_BYTE));
    } catch (DecodeException e) {
      throw new IOException(e);
    }
  }

  @Test
  void masksOfTheSameStem() throws IOException {
    picture(dir.resolve("images/a.ppm"), 1);
    picture(dir.resolve("images/b.ppm"), 2);
    mask(dir.resolve("masks/a.png"), "mask.png");
    mask(dir.resolve("masks/b.png"), "small.png");
    mask(dir.resolve("masks/c.png"), "small.png");
    try (Dataset dataset = open(dir, "images=masks")) {
      assertThat(dataset.warnings())
          .containsExactly(
              "1 files in masks belong to no picture, such as " + dir.resolve("masks/c.png"));
      assertThat(load(dataset, options("key,mask").build()))
          .isEqualTo(Map.of(1, "a.ppm " + numbers("mask.png"), 2, "b.ppm " + numbers("small.png")));
    }
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--pair images=masks");
  }

  /// As Cityscapes lays its files: cities, and a suffix to each name.
  @Test
  void namesThatDifferByAPattern() throws IOException {
    for (String city : List.of("aachen", "ulm")) {
      String stem = city + "/" + city + "_000000_000019_";
      picture(dir.resolve("leftImg8bit/train/" + stem + "leftImg8bit.ppm"), city.length());
      String name = city.equals("ulm") ? "small.png" : "mask.png";
      mask(dir.resolve("gtFine/train/" + stem + "gtFine_labelIds.png"), name);
      mask(dir.resolve("gtFine/train/" + stem + "gtFine_instanceIds.png"), "deep.png");
    }
    String rules =
        "leftImg8bit/train/*_leftImg8bit.ppm=gtFine/train/*_gtFine_labelIds.png,"
            + "leftImg8bit/train/*_leftImg8bit.ppm=gtFine/train/*_gtFine_instanceIds.png:instance";
    try (Dataset dataset = open(dir, rules)) {
      assertThat(dataset.warnings()).isEmpty();
      assertThat(dataset.classes()).containsExactly("aachen", "ulm");
      assertThat(load(dataset, options("key,mask,instance").build()))
          .isEqualTo(
              Map.of(
                  6,
                  "aachen/aachen_000000_000019_leftImg8bit.ppm " + numbers("mask.png"),
                  3,
                  "ulm/ulm_000000_000019_leftImg8bit.ppm " + numbers("small.png")));
      try (var loader = new Loader(dataset, STEPS, options("instance").build())) {
        assertThat(loader.layout().fields().getFirst().described()).isEqualTo("uint16 [29, 37]");
      }
    }
  }

  /// Law: a picture without a mask is bad unless something stands for it, and it is counted.
  @Test
  void aMissingMaskIsSaidAndFilled() throws IOException {
    picture(dir.resolve("images/a.ppm"), 1);
    picture(dir.resolve("images/b.ppm"), 2);
    mask(dir.resolve("masks/a.png"), "mask.png");
    try (Dataset dataset = open(dir, "images=masks")) {
      assertThat(dataset.warnings())
          .containsExactly(
              "1 pictures have no file in masks, such as b.ppm: they have no field mask");
      assertThatThrownBy(() -> load(dataset, options("key,mask").build()))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("field 'mask'")
          .hasMessageContaining("mask:fill=")
          .hasMessageContaining("b.ppm");
      byte[] ignored = new byte[40];
      Arrays.fill(ignored, (byte) 255);
      assertThat(load(dataset, options("key,mask:fill=255").build()))
          .containsEntry(2, "b.ppm " + Arrays.hashCode(ignored));
    }
  }

  @Test
  void rulesThatMakeNoSenseAreRefused() throws IOException {
    picture(dir.resolve("images/a.ppm"), 1);
    mask(dir.resolve("masks/a.png"), "mask.png");
    for (String rule :
        List.of("images", "images=", "=masks", "images=gone", "images=masks,images=masks")) {
      assertThatThrownBy(() -> open(dir, rule).close())
          .as(rule)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("pair '");
    }
    assertThatThrownBy(() -> open(dir, "images/*.ppm=masks"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("one *");
  }

  @Test
  void annotationsOfCoco() throws IOException {
    for (int k = 0; k < 4; k++) {
      picture(dir.resolve("images/%d.ppm".formatted(k)), k);
    }
    String images =
        "{\"images\": [{\"id\": 70, \"file_name\": \"0.ppm\", \"width\": 37},"
            + " {\"id\": 71, \"file_name\": \"1.ppm\", \"width\": 37},"
            + " {\"id\": 72, \"file_name\": \"2.ppm\", \"width\": 37},"
            + " {\"id\": 73, \"file_name\": \"3.ppm\", \"width\": 37}],";
    Files.writeString(
        dir.resolve("instances.json"),
        images
            + "\"annotations\": [{\"id\": 1, \"image_id\": 71, \"bbox\": [1, 2, 3.5, 4],"
            + " \"category_id\": 18, \"segmentation\": [[1, 2, 3, 4, 5, 6]]},"
            + " {\"id\": 2, \"image_id\": 71, \"bbox\": [0, 0, 37, 29], \"category_id\": 7,"
            + " \"segmentation\": {\"counts\": [1], \"size\": [29, 37]}},"
            + " {\"id\": 3, \"image_id\": 73, \"bbox\": [5, 6, 7, 8], \"category_id\": 18}],"
            + "\"info\": {\"year\": 2017},"
            + "\"categories\": [{\"id\": 18, \"name\": \"dog\"}, {\"id\": 7, \"name\": \"bus\"}]}");
    Files.writeString(
        dir.resolve("captions.json"),
        images
            + "\"annotations\": [{\"id\": 9, \"image_id\": 70, \"caption\": \"a \\\"dog\\\"\"},"
            + " {\"id\": 10, \"image_id\": 70, \"caption\": \"a cat\"}]}");
    String rules = "images=instances.json,images=captions.json";
    var options = options("image_id,bbox:boxes-xywh,category,caption,segmentation").build();
    List<String> seen = new ArrayList<>();
    try (Dataset dataset = open(dir, rules);
        var loader = new Loader(dataset, STEPS, options);
        Epoch epoch = loader.epoch(0)) {
      assertThat(dataset.warnings()).isEmpty();
      for (Batch next = epoch.next(); next != null; next = epoch.next()) {
        try (Batch batch = next) {
          for (int i = 0; i < batch.size(); i++) {
            long from = batch.offset(1, i);
            long rows = batch.offset(1, i + 1) - from;
            float[] boxes =
                batch
                    .values(1)
                    .asSlice(16 * from, 16 * rows)
                    .toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
            long[] classes =
                batch
                    .values(2)
                    .asSlice(8 * batch.offset(2, i), 8 * rows)
                    .toArray(ValueLayout.JAVA_LONG_UNALIGNED);
            long id = batch.values(0).get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
            seen.add(
                "%d %s %s %s %s"
                    .formatted(
                        id,
                        Arrays.toString(boxes),
                        Arrays.toString(classes),
                        batch.text(3, i),
                        batch.text(4, i)));
          }
        }
      }
    }
    assertThat(seen)
        .containsExactly(
            "70 [] [] [\"a \\\"dog\\\"\",\"a cat\"] []",
            "71 [1.0, 2.0, 3.5, 4.0, 0.0, 0.0, 37.0, 29.0] [1, 0] []"
                + " [[[1,2,3,4,5,6]],{\"counts\":[1],\"size\":[29,37]}]",
            "72 [] [] [] []",
            "73 [5.0, 6.0, 7.0, 8.0] [1] [] [null]");
  }
}
