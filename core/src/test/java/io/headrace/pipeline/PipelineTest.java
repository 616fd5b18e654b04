package io.headrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.memory.DType;
import io.headrace.memory.TensorSpec;
import io.headrace.pipeline.geometry.RandomResizedCrop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PipelineTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "resize=224x224",
        "resize=224x160,hwc",
        "resize_shorter=256,center_crop=224",
        "resize_shorter=256,random_crop=224x200,flip=0.1,uint8",
        "resize_shorter=256,center,random_crop=224,flip",
        "random_resized_crop=224,flip,normalize=imagenet,float32,chw",
        "random_resized_crop=224x192:area=0.1-1:aspect=0.75-1.25,center,bfloat16",
        "random_resized_crop=224:aspect=0.5-2",
        "random_resized_crop=224:area=0.00000001-1",
        "center_crop=9,normalize=0.5/0.5/0.25:0.25/0.25/0.125,float16,chw",
        "normalize=122.7/116.5/104:59.4/58.4/58.7:range=255"
      })
  void textRoundTrips(String text) {
    Pipeline pipeline = Pipeline.parse(text);
    assertThat(pipeline.spec()).isEqualTo(text);
    assertThat(Pipeline.parse(pipeline.spec())).isEqualTo(pipeline);
  }

  @Test
  void otherWaysToSayIt() {
    assertThat(Pipeline.parse(" center_crop=4x4 , flip=0.50 ").spec())
        .isEqualTo("center_crop=4,flip");
    assertThat(Pipeline.parse("train")).isEqualTo(Pipeline.train());
    assertThat(Pipeline.parse("eval")).isEqualTo(Pipeline.eval());
    assertThat(Pipeline.parse("normalize=0.485/0.456/0.406:0.229/0.224/0.225").spec())
        .isEqualTo("normalize=imagenet");
    assertThat(Pipeline.parse("random_resized_crop=8").steps())
        .containsExactly(new RandomResizedCrop(8, 8, 0.08, 1, 3.0 / 4, 4.0 / 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          rotat=3                    | step 'rotat=3': expected resize,
          flip,,chw                  | step '': expected resize,
          resize=224                 | say resize_shorter=EDGE
          resize=4x                  | step 'resize=4x': width '' is not a whole number
          resize=0x4                 | resize: 0 pixels, expected 1 to 32768
          center_crop                | step 'center_crop': height '' is not a whole number
          center_crop=99999          | center_crop: 99999 pixels
          random_crop=-1             | random_crop: -1 pixels
          flip=2                     | flip: probability 2.0, expected 0 to 1
          flip=                      | '' is not a number
          chw=1                      | step 'chw=1': takes no value
          random_resized_crop=4:b=1  | expected area=LEAST-GREATEST
          random_resized_crop=4:area=0-1        | area 0.0 to 1.0, expected 0 < least
          random_resized_crop=4:area=0.5-2      | area 0.5 to 2.0
          random_resized_crop=4:aspect=2-1      | aspect 2.0 to 1.0
          normalize=x                | step 'normalize=x': expected imagenet
          normalize=1/1:1/1/1        | 2 means and 3 deviations
          normalize=123/116/103:1/1/1           | say range=255?
          normalize=1/1/1:0/1/1      | deviation 0.0 is not above 0
          normalize=1/1/1:1/1/1:range=7         | range 7, expected 1 or 255
          normalize=NaN/1/1:1/1/1    | mean NaN is not in 0 to 1
          center,resize=4x4          | step 'resize=4x4' moves pixels: put it before 'center'
          chw,flip                   | step 'flip' moves pixels: put it before 'chw'
          center,normalize=imagenet  | cannot follow another normalize or center, as in 'center'
          float32,center             | step 'center' computes in float32: put it before 'float32'
          float32,float16            | step 'float16' is a second type after 'float32'
          center,uint8               | step 'uint8' would cut off the fractions of 'center'
          chw,hwc                    | step 'hwc' is a second layout after 'chw'
          """)
  void nonsenseIsNamed(String text, String message) {
    assertThatThrownBy(() -> Pipeline.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void outputs() {
    assertThat(Pipeline.train().outputSpec())
        .isEqualTo(new TensorSpec(DType.FLOAT32, List.of(3, 224, 224)));
    assertThat(Pipeline.parse("resize_shorter=256,center_crop=20x30").outputSpec())
        .isEqualTo(new TensorSpec(DType.UINT8, List.of(20, 30, 3)));
    assertThat(Pipeline.parse("resize=20x30,resize_shorter=10,center").outputSpec())
        .isEqualTo(new TensorSpec(DType.FLOAT32, List.of(10, 15, 3)));
    assertThat(Pipeline.parse("random_crop=2,normalize=imagenet,float16").outputSpec())
        .isEqualTo(new TensorSpec(DType.FLOAT16, List.of(2, 2, 3)));
    assertThat(Pipeline.parse("resize=2x2,bfloat16,chw").outputSpec())
        .isEqualTo(new TensorSpec(DType.BFLOAT16, List.of(3, 2, 2)));
  }

  @Test
  void outputsOfDifferentSizes() {
    Pipeline shorter = Pipeline.parse("resize_shorter=256,flip");
    assertThatThrownBy(shorter::outputSpec)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'resize_shorter=256,flip' leaves images of different sizes")
        .hasMessageContaining("center_crop=HxW");
    assertThat(shorter.outputSpec(new ImageSize(500, 375)).shape()).containsExactly(341, 256, 3);
    assertThat(Pipeline.parse("").outputSpec(new ImageSize(5, 7)).shape()).containsExactly(5, 7, 3);
  }

  @Test
  void splits() {
    Pipeline pipeline = Pipeline.parse("resize_shorter=256,center,random_crop=224,flip,chw");
    assertThat(pipeline.firstRandomStep()).isEqualTo(2);
    assertThat(pipeline.deterministicPrefix().spec()).isEqualTo("resize_shorter=256,center");
    Pipeline.Split split = pipeline.split(1);
    assertThat(split.offline().spec()).isEqualTo("resize_shorter=256");
    assertThat(split.online().spec()).isEqualTo("center,random_crop=224,flip,chw");
    assertThat(pipeline.split(0).online()).isEqualTo(pipeline);
    assertThatThrownBy(() -> pipeline.split(3))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected 0 to 2");
    assertThat(Pipeline.eval().firstRandomStep()).isEqualTo(5);
    assertThat(Pipeline.eval().deterministicPrefix()).isEqualTo(Pipeline.eval());
  }
}
