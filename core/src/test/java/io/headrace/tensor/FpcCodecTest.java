package io.headrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class FpcCodecTest extends TensorCodecContract {
  private static final TensorShape SHAPE = TensorShape.of(64, 256);

  @Override
  TensorCodec codec() {
    return TensorCodec.Fpc.DEFAULT;
  }

  private static byte[] doubles(IntToDoubleFunction value) {
    ByteBuffer bytes = ByteBuffer.allocate(64 * 256 * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 64 * 256; i++) {
      bytes.putDouble(value.applyAsDouble(i));
    }
    return bytes.array();
  }

  private byte[] blob(byte[] values) throws DecodeException {
    law(values, ElementType.FLOAT64, SHAPE);
    return encode(values, ElementType.FLOAT64, SHAPE);
  }

  /// {@return the setting in the header of the first block}
  private static String setting(byte[] blob) {
    int at = (int) TensorBlob.headerBytes(SHAPE);
    return "predictors %d, table %d".formatted(blob[at], blob[at + 1]);
  }

  /// Data that only one kind of prediction fits: rows that are each like the one above, and values
  /// that come back in a pattern. The first candidate would leave both as large as they are.
  @Test
  void eachBlockTakesTheSettingThatFitsIt() throws DecodeException {
    double[] row = new Random(1).doubles(256, 1, 2).toArray();
    double[] pattern = new Random(2).doubles(37, 1, 2).toArray();
    Random noiseSource = new Random(3);
    byte[] rows = blob(doubles(i -> row[i % 256]));
    byte[] patterned = blob(doubles(i -> pattern[i % 37]));
    byte[] noise = blob(doubles(_ -> noiseSource.nextDouble()));
    assertThat(setting(rows)).startsWith("predictors").doesNotContain("predictors 0");
    assertThat(setting(patterned)).doesNotEndWith("table 0");
    assertThat(rows.length).isLessThan(noise.length / 8);
    assertThat(patterned.length).isLessThan(noise.length / 8);
  }
}
