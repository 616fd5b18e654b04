package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageSize;
import io.headrace.codec.plain.RawCodec;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.geometry.Resize;
import io.headrace.pipeline.geometry.ResizeShorter;
import io.headrace.random.CounterRandom;
import io.headrace.testkit.Photos;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A pipeline in two parts, with an image between them, against the whole.
final class ImagePrefixTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "random_resized_crop=32,flip,normalize=imagenet,float32,chw|''",
        "resize_shorter=40,random_crop=32,flip,float16|resize_shorter=40",
        "resize_shorter=40,center_crop=32,normalize=imagenet,float32,chw|resize_shorter=40,center_crop=32",
        "resize_shorter=40,normalize=imagenet,random_crop=32|resize_shorter=40",
        "center_crop=30,uint8,random_crop=20|center_crop=30",
        "flip,resize=32x32|''",
        "uint8,chw|''"
      })
  void thePrefixIsAnImage(String pipeline, String prefix) {
    assertThat(Pipeline.parse(pipeline).imagePrefix().spec()).isEqualTo(prefix);
  }

  static LongStream seeds() {
    return Seeds.random().limit(25);
  }

  /// Law: running the rest on what the prefix gives is running all, also with scaled decoding
  /// where the prefix resizes.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("seeds")
  void bothPartsGiveWhatTheWholeGives(long seed) throws IOException, DecodeException {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    List<String> firsts =
        List.of(
            "",
            "center_crop=150,",
            "resize_shorter=64,",
            "resize=70x90,",
            "center_crop=120,resize=50x50,",
            "resize_shorter=80,center_crop=64,");
    List<String> lasts =
        List.of(
            "random_resized_crop=32,flip",
            "random_crop=40,flip,normalize=imagenet,float32,chw",
            "flip,center_crop=45",
            "center_crop=48,normalize=imagenet,float32,chw");
    Pipeline whole =
        Pipeline.parse(
            firsts.get(random.nextInt(firsts.size())) + lasts.get(random.nextInt(lasts.size())));
    Pipeline.Split split = whole.split(whole.imagePrefix().steps().size());
    boolean resizes =
        split.offline().steps().stream()
            .anyMatch(s -> s instanceof Resize || s instanceof ResizeShorter);
    var options =
        new SampleProcessor.Options(
            resizes && random.nextInt(2) == 0,
            random.nextInt(2) == 0,
            random.nextInt(2) == 0,
            false);
    byte[] photo = Files.readAllBytes(photo(random));
    long id = random.nextLong();
    try (Arena arena = Arena.ofConfined();
        var all = new SampleProcessor(whole, MemoryBudget.unbounded(), options);
        var first = new SampleProcessor(split.offline(), MemoryBudget.unbounded(), options);
        var rest = new SampleProcessor(split.online(), MemoryBudget.unbounded(), options)) {
      MemorySegment encoded = arena.allocate(photo.length).copyFrom(MemorySegment.ofArray(photo));
      ImageSize size = first.sizeOf(encoded, MemorySegment.NULL);
      MemorySegment expected = arena.allocate(whole.outputSpec(size).bytes());
      all.process(encoded, seed, 3, id, expected);
      long head = RawCodec.headBytes(size.width(), size.height(), 3);
      MemorySegment raw = arena.allocate(head + size.rgbBytes());
      assertThat(RawCodec.writeHead(size.width(), size.height(), 3, raw)).isEqualTo(head);
      first.process(encoded, 0, 0, 0, raw.asSlice(head)); // draws nothing
      MemorySegment found = arena.allocate(expected.byteSize());
      rest.process(raw, seed, 3, id, found);
      assertThat(found.toArray(JAVA_BYTE))
          .as("%s under %s", whole, options)
          .isEqualTo(expected.toArray(JAVA_BYTE));
    }
  }

  private static Path photo(CounterRandom random) {
    var classes = Photos.sorted(Photos.folder());
    var photos = Photos.sorted(classes.get(random.nextInt(classes.size())));
    return photos.get(random.nextInt(photos.size()));
  }
}
