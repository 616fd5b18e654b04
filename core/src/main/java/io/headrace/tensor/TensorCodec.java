package io.headrace.tensor;

import io.headrace.error.ConfigException;
import io.headrace.tensor.payload.ZfpPayload;
import java.util.List;

/// How a tensor is encoded.
///
/// Each has a spelling, such as `zfp:accuracy=0.01`: see [#parse] and [#spec]. All but zfp with a
/// tolerance or a rate are lossless, NaN payloads and -0.0 included.
public sealed interface TensorCodec {
  /// {@return the name users type, such as `zvc`}
  default String label() {
    return switch (this) {
      case Store _ -> "store";
      case Zvc _ -> "zvc";
      case Rle _ -> "rle";
      case Csr _ -> "csr";
      case Lz4 _ -> "lz4";
      case Shuffled _ -> "shuffle";
      case Fpc _ -> "fpc";
      case Adaptive _ -> "adaptive";
      case Zfp _ -> "zfp";
      case Cheapest _ -> "cheapest";
    };
  }

  /// {@return its spelling, which [#parse] reads back: the label, then what is not the default}
  default String spec() {
    return TensorCodecSpec.text(this);
  }

  /// {@return whether it can hold such elements}
  default boolean takes(ElementType type) {
    return switch (this) {
      case Fpc _, Zfp _ -> type == ElementType.FLOAT32 || type == ElementType.FLOAT64;
      case Cheapest c -> c.among.stream().anyMatch(codec -> codec.takes(type));
      case Store _, Zvc _, Rle _, Csr _, Lz4 _, Shuffled _, Adaptive _ -> true;
    };
  }

  /// {@return how far a decoded value may be from what was encoded: 0 if every bit comes back,
  ///     infinity if there is no promise beforehand; what a blob says is measured, see
  ///     [TensorInfo]}
  default double maxAbsoluteError() {
    return switch (this) {
      case ZfpAccuracy(double tolerance) -> tolerance;
      case ZfpRate _ -> Double.POSITIVE_INFINITY;
      case Cheapest c ->
          c.among.stream().mapToDouble(TensorCodec::maxAbsoluteError).max().orElse(0);
      case Store _, Zvc _, Rle _, Csr _, Lz4 _, Shuffled _, Fpc _, Adaptive _, ZfpReversible _ -> 0;
    };
  }

  /// {@return the codec that `spec` spells, in any case}
  ///
  ///     store | zvc | rle | csr
  ///     lz4[:level=0..12] | shuffle[:level=-131072..22] | fpc[:level=..] | adaptive[:level=..]
  ///     zfp | zfp:accuracy=TOLERANCE | zfp:rate=BITS
  ///     cheapest[:mbps=BANDWIDTH][,reads=NUMBER][,among=cswap|all]
  ///
  /// @throws ConfigException if the label or an option is unknown, or a value out of range
  static TensorCodec parse(String spec) {
    return TensorCodecSpec.parse(spec);
  }

  /// {@return one of every codec with its defaults, but [Cheapest]; zfp reversible}
  static List<TensorCodec> all() {
    return List.of(
        new Store(),
        new Zvc(),
        new Rle(),
        new Csr(),
        Lz4.DEFAULT,
        Shuffled.DEFAULT,
        Fpc.DEFAULT,
        Adaptive.DEFAULT,
        new ZfpReversible());
  }

  /// The values as they are.
  record Store() implements TensorCodec {}

  /// Zero value compression: a bit a word, and the words that are not zero.
  record Zvc() implements TensorCodec {}

  /// Run lengths of words.
  record Rle() implements TensorCodec {}

  /// Compressed sparse rows: row pointers, column numbers, values.
  record Csr() implements TensorCodec {}

  /// One LZ4 block.
  ///
  /// @param level 0 fast, 1 to 12 with more and more effort
  record Lz4(int level) implements TensorCodec {
    /// Fast.
    public static final Lz4 DEFAULT = new Lz4(0);

    /// Checks the level.
    ///
    /// @throws ConfigException if it is out of range
    public Lz4 {
      TensorCodecSpec.checkLevel("lz4", level, 0, 12);
    }
  }

  /// Byte planes through zstd.
  ///
  /// @param level of zstd, -131072 to 22
  record Shuffled(int level) implements TensorCodec {
    /// zstd's default level.
    public static final Shuffled DEFAULT = new Shuffled(3);

    /// Checks the level.
    ///
    /// @throws ConfigException if it is out of range
    public Shuffled {
      TensorCodecSpec.checkLevel("shuffle", level, -131072, 22);
    }
  }

  /// A float compressor of the FPC family that tunes itself; float32 and float64.
  ///
  /// @param level of the zstd that packs codes and residuals where that pays, -131072 to 22
  record Fpc(int level) implements TensorCodec {
    /// zstd's fastest regular level.
    public static final Fpc DEFAULT = new Fpc(1);

    /// Checks the level.
    ///
    /// @throws ConfigException if it is out of range
    public Fpc {
      TensorCodecSpec.checkLevel("fpc", level, -131072, 22);
    }
  }

  /// Components that the data switch on and off: zeros taken out, differences, byte planes, and for
  /// each plane a constant, run lengths, entropy coding or string matching, or nothing.
  ///
  /// @param level of the zstd that matches strings, -131072 to 22
  record Adaptive(int level) implements TensorCodec {
    /// zstd's default level.
    public static final Adaptive DEFAULT = new Adaptive(3);

    /// Checks the level.
    ///
    /// @throws ConfigException if it is out of range
    public Adaptive {
      TensorCodecSpec.checkLevel("adaptive", level, -131072, 22);
    }
  }

  /// libzfp, for float32 and float64.
  sealed interface Zfp extends TensorCodec {}

  /// No value moves further than a tolerance. Tensors for which zfp cannot hold it are encoded as
  /// [ZfpReversible] does.
  ///
  /// @param tolerance above 0, finite, in the values' own unit
  record ZfpAccuracy(double tolerance) implements Zfp {
    /// Checks the tolerance.
    ///
    /// @throws ConfigException if it is out of range
    public ZfpAccuracy {
      if (!(tolerance > 0 && tolerance < Double.POSITIVE_INFINITY)) {
        throw new ConfigException("zfp: accuracy %s is not above 0".formatted(tolerance));
      }
    }
  }

  /// Every block of 4^dimensions values takes the same number of bits, at any loss.
  ///
  /// @param bits a value, above 0, at most 64; rounded up to whole bits a block
  record ZfpRate(double bits) implements Zfp {
    /// Checks the rate.
    ///
    /// @throws ConfigException if it is out of range
    public ZfpRate {
      if (!(bits > 0 && bits <= ZfpPayload.MAX_RATE)) {
        throw new ConfigException("zfp: rate %s is not in 0 to 64 bits".formatted(bits));
      }
    }
  }

  /// Every bit comes back.
  record ZfpReversible() implements Zfp {}

  /// The codec that is estimated to take the least time for encoding, moving and decoding. With n
  /// plain bytes that a codec turns into S, a bandwidth of B bytes a second and R reads of each
  /// blob, the time is
  ///
  ///     T = (n encodePlain + S encodeStored) / R + S / B + n decodePlain + S decodeStored
  ///
  /// with the [CodecCosts.Cost] of the codec. S is estimated from the share of zeros, from run
  /// lengths, or by encoding a sample. The same values always give the same choice.
  ///
  /// @param bytesPerSecond bandwidth over which blobs are moved, above 0
  /// @param reads how often a blob is moved and decoded after it was encoded once, above 0: 1 for
  ///     activations that are swapped, the number of epochs for a data set
  /// @param among the codecs to choose from, none of them [Cheapest]
  /// @param costs what they cost
  record Cheapest(double bytesPerSecond, double reads, List<TensorCodec> among, CodecCosts costs)
      implements TensorCodec {
    /// What CSWAP chooses from, and storing values as they are.
    public static final List<TensorCodec> CSWAP =
        List.of(new Store(), new Zvc(), new Rle(), new Csr(), Lz4.DEFAULT);

    /// Every lossless codec.
    public static final List<TensorCodec> ALL = TensorCodec.all();

    /// Checks the request.
    ///
    /// @throws ConfigException if the bandwidth is out of range or there is nothing to choose from
    public Cheapest {
      among = List.copyOf(among);
      if (!(bytesPerSecond > 0) || !(reads > 0) || among.isEmpty()) {
        throw new ConfigException(
            "cheapest: %s bytes a second, %s reads, %d codecs"
                .formatted(bytesPerSecond, reads, among.size()));
      }
      if (among.stream().anyMatch(Cheapest.class::isInstance)) {
        throw new ConfigException("cheapest: cannot be among the codecs to choose from");
      }
    }

    /// Among [#CSWAP], at typical costs, for one read.
    public Cheapest(double bytesPerSecond) {
      this(bytesPerSecond, 1, CSWAP, CodecCosts.TYPICAL);
    }
  }
}
