package io.headrace.codec.images;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.avif.AvifCodec;
import io.headrace.codec.jpeg.packed.PackedCodec;
import io.headrace.codec.jpeg.turbo.JpegCodec;
import io.headrace.codec.learned.LearnedCodec;
import io.headrace.codec.lossless.LosslessCodec;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.png.PngCodec;
import io.headrace.codec.webp.WebpCodec;
import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The list of all codecs. A new one has a room of its own, a constant of [ImageFormat] and a line
/// here; no other place knows it.
public final class ImageCodecs {
  /// In the order in which users are told of them.
  private static final List<ImageCodec> ALL =
      List.of(
          new JpegCodec(),
          new WebpCodec(),
          new AvifCodec(),
          new PngCodec(),
          PlainCodec.QOI,
          new LosslessCodec(),
          new PackedCodec(),
          LearnedCodec.OWN,
          LearnedCodec.PTCI,
          PlainCodec.BMP,
          PlainCodec.PNM,
          PlainCodec.RAW);

  private static final Map<ImageFormat, ImageCodec> BY_FORMAT =
      ALL.stream().collect(Collectors.toMap(ImageCodec::format, codec -> codec));

  private ImageCodecs() {}

  /// {@return the codec of a format}
  public static ImageCodec of(ImageFormat format) {
    return Objects.requireNonNull(BY_FORMAT.get(format));
  }

  /// {@return the spellings that [#parse] takes, for people}
  public static String spellings() {
    String all =
        ALL.stream()
            .map(ImageCodec::spellings)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return all.substring(0, last) + " or " + all.substring(last + 2);
  }

  /// {@return the encoding written as `jpeg:QUALITY[:tables=data]`, `webp:QUALITY`,
  ///     `webp-lossless`, `avif:QUALITY`, `png[:LEVEL]`, `qoi`, `lossless[:LEVEL]`,
  ///     `learned[:MODEL[:QUALITY]]`, `ptci:MODEL[:QUALITY]`, `bmp`, `ppm` or `raw`}
  ///
  /// @throws ConfigException if it is none of these
  public static ImageEncoding parse(String text) {
    Spec spec = Spec.commas("encoding", text);
    ImageEncoding encoding = encoding(spec);
    if (encoding == null) {
      throw spec.unknown(spellings());
    }
    return encoding;
  }

  /// {@return the encoding that a spelling names, or null if it is another name}
  ///
  /// @throws ConfigException if its options are not understood
  public static @Nullable ImageEncoding encoding(Spec spec) {
    for (ImageCodec codec : ALL) {
      ImageEncoding encoding = codec.encoding(spec);
      if (encoding != null) {
        return encoding;
      }
    }
    return null;
  }
}
