package io.headrace.codec.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.DecodeException;
import io.headrace.weights.Safetensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Feature vectors against CompressAI's entropy bottleneck: fixtures made by generate.py.
final class FeatureCodecTest {
  private static final Path FOLDER = Path.of(LearnedCodecTest.FOLDER);
  private static final Path WEIGHTS = FOLDER.resolve("features.safetensors");

  @Test
  void vectorsAreCodedAsCompressAiDoes() throws IOException, DecodeException {
    var codec = new FeatureCodec(WEIGHTS);
    Safetensors made = Safetensors.read(WEIGHTS);
    float[] vectors = made.floats("z");
    float[] back = made.floats("back");
    ByteBuffer strings = ByteBuffer.wrap(Files.readAllBytes(FOLDER.resolve("features.bin")));
    int size = codec.size();
    for (int i = 0; i < vectors.length; i += size) {
      var coded = new byte[Integer.BYTES + strings.getInt(strings.position())];
      strings.get(coded);
      assertThat(codec.encode(Arrays.copyOfRange(vectors, i, i + size))).isEqualTo(coded);
      float[] found = codec.decode(coded);
      for (int j = 0; j < size; j++) {
        assertThat(found[j]).isCloseTo(back[i + j], within(1e-5f));
      }
    }
    assertThat(strings.hasRemaining()).isFalse();
  }

  @Test
  void cutsAreFound() throws IOException {
    var codec = new FeatureCodec(WEIGHTS);
    byte[] coded = codec.encode(new float[codec.size()]);
    for (int length = 0; length < coded.length; length++) {
      byte[] cut = Arrays.copyOf(coded, length);
      assertThatThrownBy(() -> codec.decode(cut)).isInstanceOf(DecodeException.class);
    }
  }
}
