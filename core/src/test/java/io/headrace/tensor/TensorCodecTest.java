package io.headrace.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.TensorCodec.Cheapest;
import io.headrace.tensor.payload.DataProfile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Spellings, layouts, sizes and choices.
class TensorCodecTest {
  private static long bytes(TensorCodec codec, ElementType type, TensorShape shape, byte[] values)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var encoder = new TensorEncoder()) {
      return encoder.encode(Tensors.offHeap(arena, values), type, shape, codec, out);
    }
  }

  private static TensorCodec chosen(Cheapest among, TensorShape shape, byte[] values)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var encoder = new TensorEncoder()) {
      return encoder.choose(Tensors.offHeap(arena, values), ElementType.FLOAT32, shape, among);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "zip, unknown",
    "lz4:level=13, level 13 is not in 0 to 12",
    "zfp:accuracy=0, accuracy 0.0 is not above 0",
    "zfp:accuracy=nan, not a number",
    "zfp:rate=65, rate 65.0 is not in 0 to 64",
    "zvc:level=1, zvc has no option 'level'",
    "fpc:level=1.5, level '1.5' is not a whole number",
    "cheapest:among=none, cswap or all",
    "cheapest:mbps=0, 0.0 bytes a second",
    "cheapest:reads=0, 0.0 reads"
  })
  void whatCannotBeIsRefusedByName(String spec, String words) {
    assertThatThrownBy(() -> TensorCodec.parse(spec))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  /// The format is kept: this blob was written by hand from its description.
  @Test
  void zvcByHand() throws DecodeException {
    byte[] values = HexFormat.of().parseHex("00000000" + "0000803f" + "00000080");
    String blob =
        "48544e31" // magic
            + "01030100" // zvc, float32, rank 1
            + "0000000000000000" // no error
            + "0900000000000000" // payload bytes
            + "03000000" // size
            + "06" // second and third word are not zero
            + "0000803f00000080";
    byte[] expected = TensorCodecContract.sealed(HexFormat.of().parseHex(blob + "00000000"));
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var encoder = new TensorEncoder()) {
      MemorySegment plain = Tensors.offHeap(arena, values);
      var shape = TensorShape.of(3);
      long bytes = encoder.encode(plain, ElementType.FLOAT32, shape, new TensorCodec.Zvc(), out);
      assertThat(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE)).isEqualTo(expected);
    }
  }

  @Test
  void eachCodecShrinksItsPrey() throws DecodeException {
    ElementType type = ElementType.FLOAT32;
    var shape = TensorShape.of(200, 300);
    long plain = 4 * shape.elements();
    byte[] sparse = Tensors.sparse(type, shape, 0.9, 1);
    assertThat(bytes(new TensorCodec.Zvc(), type, shape, sparse)).isBetween(plain / 9, plain / 7);
    assertThat(bytes(new TensorCodec.Csr(), type, shape, sparse)).isLessThan(plain / 6);
    byte[] constant = Tensors.constant(type, shape, 3);
    assertThat(bytes(new TensorCodec.Rle(), type, shape, constant)).isLessThan(60);
    assertThat(bytes(TensorCodec.Adaptive.DEFAULT, type, shape, constant)).isLessThan(100);
    byte[] smooth = Tensors.smooth(type, shape);
    long shuffled = bytes(TensorCodec.Shuffled.DEFAULT, type, shape, smooth);
    assertThat(shuffled).isLessThan(plain * 9 / 10);
    assertThat(bytes(TensorCodec.Adaptive.DEFAULT, type, shape, smooth)).isLessThan(shuffled);
    assertThat(bytes(TensorCodec.Fpc.DEFAULT, type, shape, smooth)).isLessThan(plain * 9 / 10);
    byte[] noise = Tensors.noise(type, shape, 1);
    for (TensorCodec codec :
        new TensorCodec[] {TensorCodec.Adaptive.DEFAULT, TensorCodec.Fpc.DEFAULT}) {
      assertThat(bytes(codec, type, shape, noise)).isLessThan(plain * 115 / 100);
    }
  }

  @Test
  void choiceFollowsSparsityAndBandwidth() throws DecodeException {
    ElementType type = ElementType.FLOAT32;
    var shape = TensorShape.of(64, 1024);
    byte[] noise = Tensors.noise(type, shape, 1);
    byte[] sparse = Tensors.sparse(type, shape, 0.6, 1);
    byte[] sparser = Tensors.sparse(type, shape, 0.995, 1);
    byte[] zero = Tensors.constant(type, shape, 0);
    var slow = new Cheapest(1e8);
    assertThat(chosen(slow, shape, noise)).isEqualTo(new TensorCodec.Store());
    assertThat(chosen(slow, shape, sparse)).isEqualTo(new TensorCodec.Zvc());
    assertThat(chosen(new Cheapest(1e6), shape, sparser)).isEqualTo(new TensorCodec.Csr());
    assertThat(chosen(new Cheapest(1e6), shape, zero)).isEqualTo(new TensorCodec.Rle());
    assertThat(chosen(new Cheapest(1e13), shape, sparse)).isEqualTo(new TensorCodec.Store());
    var all = new Cheapest(1e6, 1, Cheapest.ALL, CodecCosts.TYPICAL);
    assertThat(chosen(all, shape, Tensors.smooth(type, shape)))
        .isEqualTo(TensorCodec.Adaptive.DEFAULT);
  }

  @Test
  void manyReadsPayForSlowEncoding() throws DecodeException {
    var shape = TensorShape.of(64, 1024);
    byte[] smooth = Tensors.smooth(ElementType.FLOAT32, shape);
    var once = new Cheapest(1e8, 1, Cheapest.ALL, CodecCosts.TYPICAL);
    var often = new Cheapest(1e8, 100, Cheapest.ALL, CodecCosts.TYPICAL);
    assertThat(chosen(once, shape, smooth)).isEqualTo(new TensorCodec.Store());
    assertThat(chosen(often, shape, smooth)).isNotEqualTo(new TensorCodec.Store());
    assertThat(TensorCodec.parse(often.spec())).isEqualTo(often);
  }

  @Test
  void costsAreMeasured() {
    CodecCosts costs = CodecCosts.measure();
    for (TensorCodec codec : TensorCodec.all()) {
      assertThat(costs.of(codec).seconds(1_000_000, 5e5, 1)).isBetween(1e-7, 10.0);
    }
  }

  @Test
  void profileCountsZerosAndRuns() {
    byte[] values = {0, 0, 0, 5, 5, 1, 0, 0};
    DataProfile profile = DataProfile.of(MemorySegment.ofArray(values), 1);
    assertThat(profile.words()).isEqualTo(8);
    assertThat(profile.zeroFraction()).isEqualTo(5 / 8.0);
    assertThat(profile.runs()).isEqualTo(4);
  }
}
