package io.headrace.convert;

import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// How images are to be encoded.
public sealed interface TargetEncoding {
  /// {@return the text [#parse] takes}
  String spec();

  /// {@return whether it changes pixels}
  default boolean lossy() {
    return switch (this) {
      case Jpeg _, Webp _, Avif _ -> true;
      case Keep _, Png _, Raw _, WebpLossless _, Qoi _, Bmp _, Ppm _, Lossless _ -> false;
      case Progressive _, Baseline _, Tiled _, Pyramid _ -> false;
      case Mixed(var shares, _) -> shares.stream().anyMatch(s -> s.encoding().lossy());
    };
  }

  /// As they are, byte for byte.
  record Keep() implements TargetEncoding {
    @Override
    public String spec() {
      return "keep";
    }
  }

  /// As JPEG, 4:2:0 (grey stays grey). A JPEG whose estimated quality is not above the target is
  /// kept as it is, since encoding it again would only lose.
  ///
  /// @param quality 1 to 100, as libjpeg scales its tables
  record Jpeg(int quality) implements TargetEncoding {
    /// Checks the range.
    public Jpeg {
      if (quality < 1 || quality > 100) {
        throw new ConfigException("JPEG quality " + quality + ": expected 1 to 100");
      }
    }

    @Override
    public String spec() {
      return "jpeg:" + quality;
    }
  }

  /// As 8-bit RGB PNG.
  record Png() implements TargetEncoding {
    @Override
    public String spec() {
      return "png";
    }
  }

  /// As a serialised uint8 tensor [height, width, 3]: see [ImageFormat#RAW].
  record Raw() implements TargetEncoding {
    @Override
    public String spec() {
      return "raw";
    }
  }

  /// As lossy WebP. Every image is encoded again, a WebP too, since nothing tells the quality it
  /// was made with.
  ///
  /// @param quality 0 to 100 on libwebp's scale
  record Webp(int quality) implements TargetEncoding {
    /// Checks the range.
    public Webp {
      if (quality < 0 || quality > 100) {
        throw new ConfigException("WebP quality " + quality + ": expected 0 to 100");
      }
    }

    @Override
    public String spec() {
      return "webp:" + quality;
    }
  }

  /// As lossless WebP. Every image is encoded again.
  record WebpLossless() implements TargetEncoding {
    @Override
    public String spec() {
      return "webp-lossless";
    }
  }

  /// As AVIF, 4:2:0. Every image is encoded again, an AVIF too, since nothing tells the quality it
  /// was made with.
  ///
  /// @param quality 0 to 100 on the scale of libavif 1.x
  record Avif(int quality) implements TargetEncoding {
    /// Checks the range.
    public Avif {
      if (quality < 0 || quality > 100) {
        throw new ConfigException("AVIF quality " + quality + ": expected 0 to 100");
      }
    }

    @Override
    public String spec() {
      return "avif:" + quality;
    }
  }

  /// As QOI. A QOI is kept.
  record Qoi() implements TargetEncoding {
    @Override
    public String spec() {
      return "qoi";
    }
  }

  /// In Headrace's own lossless encoding. Every image is encoded again, since nothing tells the
  /// level it was made with.
  ///
  /// @param level what to strive for
  record Lossless(LosslessLevel level) implements TargetEncoding {
    /// What `lossless` alone means.
    static final LosslessLevel USUAL = LosslessLevel.SMALL;

    @Override
    public String spec() {
      return "lossless:" + level.name().toLowerCase(Locale.ROOT);
    }
  }

  /// As BMP of 24 bits a pixel. A BMP is kept.
  record Bmp() implements TargetEncoding {
    @Override
    public String spec() {
      return "bmp";
    }
  }

  /// As binary PPM of 8 bits a channel. A PGM, PPM or PAM is kept.
  record Ppm() implements TargetEncoding {
    @Override
    public String spec() {
      return "ppm";
    }
  }

  /// As progressive JPEG with the same coefficients, so that a beginning of the file is the image
  /// at
  /// a lower fidelity. A progressive JPEG is kept, unless metadata go. What is no JPEG is kept.
  ///
  /// @param metadata which segments stay
  record Progressive(MetadataPolicy metadata) implements TargetEncoding {
    @Override
    public String spec() {
      return "progressive" + EncodingText.metadata(metadata, ':');
    }
  }

  /// As baseline JPEG with the same coefficients. What is no JPEG is kept.
  ///
  /// @param optimised whether Huffman tables are made for each image, or are the standard's
  /// @param metadata which segments stay
  record Baseline(boolean optimised, MetadataPolicy metadata) implements TargetEncoding {
    @Override
    public String spec() {
      return optimised
          ? "baseline" + EncodingText.metadata(metadata, ':')
          : "baseline:standard" + EncodingText.metadata(metadata, ',');
    }
  }

  /// As baseline JPEG with the same coefficients and a restart marker behind every few MCUs, so
  /// that
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

    @Override
    public String spec() {
      return mcus == 0
          ? "tiled" + EncodingText.metadata(metadata, ':')
          : "tiled:" + mcus + EncodingText.metadata(metadata, ',');
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

    @Override
    public String spec() {
      return "pyramid:" + quality;
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
        throw new ConfigException("a mix has two or more encodings that are no mixes themselves");
      }
    }

    /// {@return the encoding of the image at a place of a seeded permutation of all}
    ///
    /// @param place from 0, below `count`
    /// @param count images in all
    TargetEncoding at(long place, long count) {
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

    @Override
    public String spec() {
      return (seed == 0 ? "mix:" : "mix@" + seed + ":")
          + shares.stream().map(Share::spec).collect(Collectors.joining("+"));
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

  /// {@return the encoding written as `keep`, `jpeg:QUALITY`, `webp:QUALITY`, `webp-lossless`,
  ///     `avif:QUALITY`, `png`, `qoi`, `lossless:LEVEL`, `bmp`, `ppm`, `raw`, `progressive`,
  ///     `baseline`, `tiled[:MCUS]`, each of these three with `:METADATA`, `pyramid[:QUALITY]` or
  ///     `mix[@SEED]:WEIGHT*ENCODING+WEIGHT*ENCODING…`}
  ///
  /// @throws ConfigException if it is none of these
  static TargetEncoding parse(String spec) {
    return EncodingText.parse(spec);
  }
}
