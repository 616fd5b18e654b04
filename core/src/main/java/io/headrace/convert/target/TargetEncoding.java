package io.headrace.convert.target;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.packed.PackedTranscoder;
import io.headrace.error.ConfigException;
import io.headrace.sound.AudioTarget;
import io.headrace.tensor.TensorCodec;
import java.util.List;
import java.util.function.UnaryOperator;

/// How images or sounds are to be encoded.
public sealed interface TargetEncoding {
  /// {@return the text [#parse] takes}
  default String spec() {
    return EncodingText.text(this);
  }

  /// {@return whether it changes pixels}
  default boolean lossy() {
    return switch (this) {
      case Encode(var encoding) -> encoding.lossy();
      case Sound(var target) -> target.lossy();
      case Keep _, Progressive _, Baseline _, Tiled _, Packed _, Pyramid _ -> false;
      case Tensor(var codec) -> codec.maxAbsoluteError() > 0;
      case Mixed(var shares, _) -> shares.stream().anyMatch(s -> s.encoding().lossy());
    };
  }

  /// {@return the same with other image encodings, also in a mix}
  ///
  /// @param change gives one for each
  default TargetEncoding map(UnaryOperator<ImageEncoding> change) {
    return switch (this) {
      case Encode(var encoding) -> new Encode(change.apply(encoding));
      case Mixed(var shares, long seed) ->
          new Mixed(
              shares.stream().map(s -> new Share(s.weight(), s.encoding().map(change))).toList(),
              seed);
      case Keep _, Sound _, Tensor _, Progressive _, Baseline _, Tiled _, Packed _, Pyramid _ ->
          this;
    };
  }

  /// As they are, byte for byte.
  record Keep() implements TargetEncoding {}

  /// Encoded again, unless it is already what would come out. A JPEG whose estimated quality is not
  /// above the target is kept, since encoding it again would only lose; grey stays grey in JPEG. A
  /// PNG, QOI, BMP, PNM or raw image is kept where that is asked for. WebP, AVIF and lossless
  /// images are always encoded again, since nothing tells the setting they were made with.
  ///
  /// @param encoding what to make
  record Encode(ImageEncoding encoding) implements TargetEncoding {}

  /// A sound, encoded again. Plain WAV is kept where WAV is asked for, MP3 where its bit rate is
  /// not above the target. What cannot be held without loss by a lossless encoding is kept.
  ///
  /// @param target what to make
  record Sound(AudioTarget target) implements TargetEncoding {}

  /// What steps that are done ahead give, under a tensor codec.
  ///
  /// @param codec of its elements
  record Tensor(TensorCodec codec) implements TargetEncoding {}

  /// As progressive JPEG with the same coefficients, so that a beginning of the file is the image
  /// at a lower fidelity. A progressive JPEG is kept, unless metadata go. What is not a JPEG is
  /// kept.
  ///
  /// @param metadata which segments stay
  record Progressive(MetadataPolicy metadata) implements TargetEncoding {}

  /// As baseline JPEG with the same coefficients. What is not a JPEG is kept.
  ///
  /// @param optimised whether Huffman tables are made for each image, or are the standard's
  /// @param metadata which segments stay
  record Baseline(boolean optimised, MetadataPolicy metadata) implements TargetEncoding {}

  /// As baseline JPEG with the same coefficients and a restart marker after every few MCUs, so that
  /// a part of the image is decoded without the rest. What cannot have tiles is kept.
  ///
  /// @param mcus a tile has in a row, about; 0 for the usual number
  /// @param metadata which segments stay
  record Tiled(int mcus, MetadataPolicy metadata) implements TargetEncoding {
    /// Checks the range.
    public Tiled {
      if (mcus < 0 || mcus > 4096) {
        throw new ConfigException("tiles of " + mcus + " MCUs: expected 1 to 4096");
      }
    }
  }

  /// As a packed JPEG: the same coefficients in an order that is decoded faster, in tiles and three
  /// bands, each a fidelity group. It is made a JPEG again wherever it goes. What cannot be packed
  /// is kept.
  ///
  /// @param mcus a tile has, across and down; 0 for the usual number
  /// @param metadata which segments stay
  record Packed(int mcus, MetadataPolicy metadata) implements TargetEncoding {
    /// Checks the range.
    public Packed {
      if (mcus < 0 || mcus > PackedTranscoder.MAX_TILE) {
        throw new ConfigException(
            "tiles of %d MCUs: expected 1 to %d, across and down"
                .formatted(mcus, PackedTranscoder.MAX_TILE));
      }
    }
  }

  /// As the image itself, tiled, and smaller tiled copies of it at 1/2, 1/4 and 1/8, each a
  /// fidelity group of its own. Copies with less than 64 rows or columns are left out. What cannot
  /// have tiles is kept.
  ///
  /// @param quality of the copies, 1 to 100
  record Pyramid(int quality) implements TargetEncoding {
    /// Checks the range.
    public Pyramid {
      if (quality < 1 || quality > 100) {
        throw new ConfigException("pyramid quality " + quality + ": expected 1 to 100");
      }
    }
  }

  /// As one of several encodings, in a given proportion. Which image gets which is drawn from the
  /// seed and independent of its class and of where it lies.
  ///
  /// @param shares at least two
  /// @param seed of the draw
  record Mixed(List<Share> shares, long seed) implements TargetEncoding {
    /// Checks that the shares can be mixed.
    public Mixed {
      shares = List.copyOf(shares);
      if (shares.size() < 2 || shares.stream().anyMatch(s -> s.encoding() instanceof Mixed)) {
        throw new ConfigException("a mix has two or more encodings that are not mixes themselves");
      }
    }

    /// {@return the encoding of the image at a place of a seeded permutation of all}
    ///
    /// @param place from 0, below `count`
    /// @param count images in all
    public TargetEncoding at(long place, long count) {
      double total = shares.stream().mapToDouble(Share::weight).sum();
      double before = 0;
      for (Share share : shares) {
        before += share.weight();
        if (place < Math.round(count * before / total)) {
          return share.encoding();
        }
      }
      return shares.getLast().encoding();
    }
  }

  /// A part of a mix.
  ///
  /// @param weight of it, above 0
  /// @param encoding of its images
  record Share(double weight, TargetEncoding encoding) {
    /// Checks the range.
    public Share {
      if (!(weight > 0) || weight > 1e9) {
        throw new ConfigException("weight " + weight + " in a mix: expected more than 0");
      }
    }

    String spec() {
      String number = weight == Math.rint(weight) ? "%d".formatted((long) weight) : "" + weight;
      return number + "*" + encoding.spec();
    }
  }

  /// {@return the encoding written as `keep`, `jpeg:QUALITY[:tables=data]`, `webp:QUALITY`,
  ///     `webp-lossless`, `avif:QUALITY`, `png[:LEVEL]`, `qoi`, `lossless:LEVEL`, `bmp`, `ppm`,
  ///     `raw`, `progressive`, `baseline`, `tiled[:MCUS]`, `packed[:MCUS]`, each of these four with
  ///     `:METADATA`, `pyramid[:QUALITY]`, `wav`, `flac[:LEVEL]`, `mp3:KILOBITS`, `mp3:vQUALITY`,
  ///     `vorbis[:QUALITY]`, a tensor codec ([TensorCodec#parse]) or
  ///     `mix[@SEED]:WEIGHT*ENCODING+WEIGHT*ENCODING…`}
  ///
  /// @throws ConfigException if it is none of these
  static TargetEncoding parse(String spec) {
    return EncodingText.parse(spec);
  }
}
