package io.headrace.tensor;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// What codecs cost in one thread of one machine, by the codecs' labels.
///
/// @param byLabel costs; a codec that is not there counts as the dearest
public record CodecCosts(Map<String, Cost> byLabel) {
  /// Keeps a copy.
  public CodecCosts {
    byLabel = Map.copyOf(byLabel);
  }

  /// The price of one codec, in nanoseconds a byte.
  ///
  /// @param encodePlain for each plain byte encoded
  /// @param encodeStored for each byte that encoding writes
  /// @param decodePlain for each plain byte decoded
  /// @param decodeStored for each byte that decoding reads
  public record Cost(
      double encodePlain, double encodeStored, double decodePlain, double decodeStored) {
    /// {@return seconds to decode once, and to encode as far as one of so many reads bears it}
    ///
    /// @param plain bytes before
    /// @param stored bytes after, estimated or measured
    /// @param reads above 0
    public double seconds(long plain, double stored, double reads) {
      double encode = plain * encodePlain + stored * encodeStored;
      return 1e-9 * (encode / reads + plain * decodePlain + stored * decodeStored);
    }
  }

  /// Round figures, fitted to what `TensorBench` printed on a shared two-core x86-64 server with
  /// JDK 25; for choices that must not differ between machines and runs.
  public static final CodecCosts TYPICAL =
      new CodecCosts(
          Map.of(
              "store", new Cost(0, 0.2, 0, 0.2),
              "zvc", new Cost(0.5, 0.1, 0.5, 0.3),
              "rle", new Cost(0.6, 1.0, 0.4, 0.6),
              "csr", new Cost(0.9, 1.0, 0.2, 0.4),
              "lz4", new Cost(0.7, 1.5, 0.25, 0.4),
              "shuffle", new Cost(3.5, 1.0, 1.2, 0.5),
              "fpc", new Cost(9, 1, 4, 0),
              "adaptive", new Cost(2.4, 3.0, 1.0, 0.8),
              "zfp", new Cost(0, 25, 0, 13)));

  /// {@return the price of a codec}
  Cost of(TensorCodec codec) {
    Cost cost = byLabel.get(codec.label());
    return cost != null ? cost : new Cost(20, 20, 20, 20);
  }

  /// Times every lossless codec on synthetic activations, float32, one value in ten and nine values
  /// in ten not zero, and takes costs as linear between the two. Takes less than a second.
  ///
  /// @return this machine's costs at this moment, by the clock: the shortest of some tries
  public static CodecCosts measure() {
    Map<String, Cost> costs = new HashMap<>();
    var shape = TensorShape.of(64, 512);
    try (Arena arena = Arena.ofConfined();
        var encoder = new TensorEncoder();
        var decoder = new TensorDecoder();
        var sparse = new Block(MemoryBudget.unbounded());
        var dense = new Block(MemoryBudget.unbounded())) {
      MemorySegment few = activations(arena, shape.elements(), 0.1);
      MemorySegment many = activations(arena, shape.elements(), 0.9);
      MemorySegment out = arena.allocate(few.byteSize(), 8);
      for (TensorCodec codec : TensorCodec.all()) {
        Timing sparsely = Timing.of(encoder, decoder, codec, few, shape, sparse, out);
        Timing densely = Timing.of(encoder, decoder, codec, many, shape, dense, out);
        double stored = sparsely.stored;
        double more = densely.stored - stored;
        double plain = few.byteSize();
        double perEncoded = more <= 0 ? 0 : Math.max(0, (densely.encode - sparsely.encode) / more);
        double perDecoded = more <= 0 ? 0 : Math.max(0, (densely.decode - sparsely.decode) / more);
        costs.put(
            codec.label(),
            new Cost(
                Math.max(0, sparsely.encode - perEncoded * stored) / plain,
                perEncoded,
                Math.max(0, sparsely.decode - perDecoded * stored) / plain,
                perDecoded));
      }
    } catch (DecodeException e) {
      throw new AssertionError("own blobs decode", e);
    }
    return new CodecCosts(costs);
  }

  private static MemorySegment activations(Arena arena, long count, double share) {
    MemorySegment values = arena.allocate(4 * count, 8);
    var random = new Random(1);
    for (long i = 0; i < count; i++) {
      boolean set = random.nextDouble() < share;
      float value = set ? Math.abs((float) random.nextGaussian()) : 0;
      values.set(U32, 4 * i, Float.floatToRawIntBits(value));
    }
    return values;
  }

  /// What one codec took, in nanoseconds, and what it made, in bytes.
  private record Timing(double encode, double decode, double stored) {
    private static final int TRIES = 8;

    private static Timing of(
        TensorEncoder encoder,
        TensorDecoder decoder,
        TensorCodec codec,
        MemorySegment values,
        TensorShape shape,
        Block block,
        MemorySegment out)
        throws DecodeException {
      double encode = Double.POSITIVE_INFINITY;
      double decode = Double.POSITIVE_INFINITY;
      long bytes = 0;
      for (int i = 0; i < TRIES; i++) {
        long start = System.nanoTime();
        bytes = encoder.encode(values, ElementType.FLOAT32, shape, codec, block);
        long middle = System.nanoTime();
        MemorySegment blob = block.memory().asSlice(0, bytes);
        decoder.decode(blob, decoder.probe(blob), out);
        decode = Math.min(decode, (double) (System.nanoTime() - middle));
        encode = Math.min(encode, (double) (middle - start));
      }
      return new Timing(encode, decode, bytes);
    }
  }
}
