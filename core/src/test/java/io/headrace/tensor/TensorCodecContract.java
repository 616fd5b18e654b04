package io.headrace.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.LittleEndian;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The laws of every tensor codec, told through the facades.
abstract class TensorCodecContract {
  /// Heap bytes that encoding and decoding a tensor of any size may cost after warm-up, together:
  /// views of memory.
  private static final long GARBAGE = 8192;

  final Arena arena = Arena.ofConfined();
  final Block out = new Block(MemoryBudget.unbounded());
  final TensorEncoder encoder = new TensorEncoder();
  /// Takes tensors up to 1 MB, so that damaged shapes cost no time.
  final TensorDecoder decoder = new TensorDecoder(MemoryBudget.unbounded(), 1_000_000);

  /// {@return how to encode}
  abstract TensorCodec codec();

  @AfterEach
  void close() {
    decoder.close();
    encoder.close();
    out.close();
    arena.close();
  }

  byte[] encode(byte[] values, ElementType type, TensorShape shape) throws DecodeException {
    MemorySegment plain = Tensors.offHeap(arena, values);
    long bytes = encoder.encode(plain, type, shape, codec(), out);
    return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
  }

  byte[] decode(byte[] blob) throws DecodeException {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment bytes = Tensors.offHeap(scope, blob);
      TensorInfo info = decoder.probe(bytes);
      MemorySegment values = scope.allocate(info.bytes() + 16, 8).fill((byte) 0x5a);
      decoder.decode(bytes, info, values);
      assertThat(values.asSlice(info.bytes()).toArray(JAVA_BYTE)).containsOnly(0x5a);
      return values.asSlice(0, info.bytes()).toArray(JAVA_BYTE);
    }
  }

  private static List<TensorShape> shapes() {
    return List.of(
        TensorShape.of(),
        TensorShape.of(0),
        TensorShape.of(3, 0, 2),
        TensorShape.of(1),
        TensorShape.of(2),
        TensorShape.of(7),
        TensorShape.of(8),
        TensorShape.of(9),
        TensorShape.of(1, 257),
        TensorShape.of(257, 1),
        TensorShape.of(13, 17),
        TensorShape.of(3, 5, 7),
        TensorShape.of(2, 3, 4, 5),
        TensorShape.of(2, 1, 3, 2, 5, 1, 2, 3));
  }

  private Stream<ElementType> types() {
    return Arrays.stream(ElementType.values()).filter(codec()::takes);
  }

  /// Law: every bit comes back, or no value is further off than the blob says and the codec
  /// promises.
  final void law(byte[] values, ElementType type, TensorShape shape) throws DecodeException {
    byte[] blob = encode(values, type, shape);
    TensorInfo info = decoder.probe(Tensors.offHeap(arena, blob));
    assertThat(info.type()).isEqualTo(type);
    assertThat(info.shape()).isEqualTo(shape);
    assertThat(info.encodedBytes()).isEqualTo(blob.length);
    assertThat(info.maxAbsoluteError()).isLessThanOrEqualTo(codec().maxAbsoluteError());
    byte[] decoded = decode(blob);
    assertThat(info.lossless() || codec().maxAbsoluteError() > 0).isTrue();
    if (info.lossless()) {
      assertThat(Arrays.mismatch(decoded, values)).as("%s of %s", shape, type).isEqualTo(-1);
      return;
    }
    assertThat(Tensors.largestError(values, decoded, type)).isEqualTo(info.maxAbsoluteError());
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyShapeComesBack(ElementType type) throws DecodeException {
    if (!codec().takes(type)) {
      assertThatThrownBy(() -> encode(new byte[type.bytes()], type, TensorShape.of(1)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(type.label());
      return;
    }
    for (TensorShape shape : shapes()) {
      law(Tensors.smooth(type, shape), type, shape);
      law(Tensors.constant(type, shape, 0), type, shape);
      law(Tensors.constant(type, shape, 1), type, shape);
      if (takesOdd()) {
        law(Tensors.odd(type, shape, 1), type, shape);
        law(Tensors.noise(type, shape, 2), type, shape);
      }
      for (double zeros : new double[] {0, 0.3, 0.6, 0.9, 1}) {
        law(Tensors.sparse(type, shape, zeros, 3), type, shape);
      }
    }
  }

  @Test
  void tensorsOfSeveralBlocksComeBack() throws DecodeException {
    ElementType type = ElementType.FLOAT32;
    var shape = TensorShape.of(90, 800);
    law(Tensors.smooth(type, shape), type, shape);
    law(Tensors.sparse(type, shape, 0.7, 4), type, shape);
  }

  /// {@return whether NaN and infinity can be encoded}
  boolean takesOdd() {
    return true;
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anythingComesBack(long seed) throws DecodeException {
    var random = new Random(seed);
    List<ElementType> types = types().toList();
    ElementType type = types.get(random.nextInt(types.size()));
    var shape = TensorShape.of(1 + random.nextInt(12), 1 + random.nextInt(500));
    byte[] values = Tensors.any(type, shape, random);
    if (takesOdd() || Tensors.allFinite(values, type)) {
      law(values, type, shape);
    }
  }

  @Test
  void encodingIsReproducibleAndKeepsNoState() throws DecodeException {
    ElementType type = ElementType.FLOAT32;
    var large = TensorShape.of(50, 333);
    byte[] first = encode(Tensors.smooth(type, large), type, large);
    var small = TensorShape.of(5);
    encode(Tensors.sparse(type, small, 0.5, 1), type, small);
    assertThatThrownBy(() -> decode(Corrupter.cut(first, first.length / 2)))
        .isInstanceOf(DecodeException.class);
    assertThat(encode(Tensors.smooth(type, large), type, large)).isEqualTo(first);
    byte[] values = decode(first);
    assertThat(decode(first)).isEqualTo(values);
  }

  @Test
  void everyFlippedBitIsReported() throws DecodeException {
    var shape = TensorShape.of(3, 11);
    byte[] blob =
        encode(Tensors.sparse(ElementType.FLOAT32, shape, 0.5, 1), ElementType.FLOAT32, shape);
    for (long bit = 0; bit < 8L * blob.length; bit++) {
      byte[] bad = Corrupter.flipBit(blob, bit);
      assertThatThrownBy(() -> decode(bad)).isInstanceOf(DecodeException.class);
    }
  }

  @Test
  void everyCutIsReported() throws DecodeException {
    var shape = TensorShape.of(3, 11);
    byte[] blob = encode(Tensors.smooth(ElementType.FLOAT32, shape), ElementType.FLOAT32, shape);
    for (int length = 0; length < blob.length; length++) {
      byte[] cut = Corrupter.cut(blob, length);
      fault(cut, Fault.TRUNCATED);
    }
    fault(Arrays.copyOf(blob, blob.length + 1), Fault.CORRUPT);
  }

  private void fault(byte[] blob, Fault fault) {
    assertThatThrownBy(() -> decode(blob))
        .isInstanceOf(DecodeException.class)
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(fault);
  }

  /// Law: a payload that its checksum vouches for, but that no encoder wrote, gives values or a
  /// fault; never a crash, a hang or a byte outside the segment.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void hostilePayloadsAreContained(long seed) throws DecodeException {
    var random = new Random(seed);
    ElementType type = ElementType.FLOAT32;
    var shape = TensorShape.of(1 + random.nextInt(9), 1 + random.nextInt(60));
    byte[] values =
        takesOdd()
            ? Tensors.any(type, shape, random)
            : Tensors.sparse(type, shape, random.nextDouble(), seed);
    byte[] blob = encode(values, type, shape);
    for (int i = 0; i < 8; i++) {
      byte[] bad = blob.clone();
      int header = (int) TensorBlob.headerBytes(shape);
      for (int k = random.nextInt(4); k >= 0; k--) {
        bad[header + random.nextInt(bad.length - header)] = (byte) random.nextInt();
      }
      if (random.nextInt(4) == 0) { // another shape
        bad[24 + random.nextInt(8)] = (byte) random.nextInt(3);
      }
      try {
        decode(sealed(bad));
      } catch (DecodeException e) {
        assertThat(e).hasMessageMatching("(?s).{6,}");
      }
    }
  }

  /// {@return the blob with a right checksum}
  static byte[] sealed(byte[] blob) {
    var crc = new CRC32C();
    crc.update(blob, 0, blob.length - 4);
    MemorySegment.ofArray(blob).set(LittleEndian.U32, blob.length - 4, (int) crc.getValue());
    return blob;
  }

  @Test
  void memoryBudgetAndLimitAreHeld() throws DecodeException {
    var shape = TensorShape.of(100, 100);
    byte[] values = Tensors.smooth(ElementType.FLOAT32, shape);
    byte[] blob = encode(values, ElementType.FLOAT32, shape);
    try (var small = new Block(new MemoryBudget(64));
        var strict = new TensorDecoder(MemoryBudget.unbounded(), 39_999)) {
      MemorySegment plain = Tensors.offHeap(arena, values);
      assertThatThrownBy(() -> encoder.encode(plain, ElementType.FLOAT32, shape, codec(), small))
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
      MemorySegment bytes = Tensors.offHeap(arena, blob);
      assertThatThrownBy(() -> strict.probe(bytes))
          .hasMessageContaining("limit of 39999")
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
  }

  @Test
  void anotherAnnouncementIsAMismatch() throws DecodeException {
    var shape = TensorShape.of(4, 4);
    byte[] blob = encode(Tensors.smooth(ElementType.FLOAT32, shape), ElementType.FLOAT32, shape);
    var other = TensorShape.of(2, 8);
    byte[] second = encode(Tensors.smooth(ElementType.FLOAT32, other), ElementType.FLOAT32, other);
    MemorySegment bytes = Tensors.offHeap(arena, blob);
    TensorInfo info = decoder.probe(Tensors.offHeap(arena, second));
    MemorySegment values = arena.allocate(64, 8);
    assertThatThrownBy(() -> decoder.decode(bytes, info, values))
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.MISMATCH);
    MemorySegment small = values.asSlice(0, 63);
    assertThatThrownBy(() -> decoder.decode(bytes, decoder.probe(bytes), small))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("63");
  }

  @Test
  void littleGarbageIsMade() throws DecodeException {
    var shape = TensorShape.of(16, 256);
    MemorySegment plain = Tensors.offHeap(arena, Tensors.smooth(ElementType.FLOAT32, shape));
    MemorySegment values = arena.allocate(plain.byteSize(), 8);
    TensorCodec codec = codec();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 4; round++) {
      long start = Allocations.ofThisThread();
      for (int i = 0; i < 25; i++) {
        long bytes = encoder.encode(plain, ElementType.FLOAT32, shape, codec, out);
        MemorySegment blob = out.memory().asSlice(0, bytes);
        decoder.decode(blob, decoder.probe(blob), values);
      }
      least = Math.min(least, (Allocations.ofThisThread() - start) / 25);
    }
    assertThat(least).isLessThanOrEqualTo(GARBAGE);
  }

  @Test
  void spellingComesBack() {
    assertThat(TensorCodec.parse(codec().spec())).isEqualTo(codec());
  }
}
