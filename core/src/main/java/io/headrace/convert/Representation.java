package io.headrace.convert;

import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.codec.stream.Compression;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// One way to store a dataset as TFRecord.
///
/// @param encoding of the images
/// @param resize of the images
/// @param compression of each shard as a whole
public record Representation(TargetEncoding encoding, Resize resize, Compression compression) {
  /// Images as they are, shards not compressed.
  public static final Representation PLAIN =
      new Representation(new TargetEncoding.Keep(), Resize.KEEP, new Compression.None());

  /// {@return a name for people, such as `tfrecord zstd, jpeg 75`}
  public String label() {
    String compressed = compression instanceof Compression.None ? "" : " " + compression.spec();
    String encoded =
        switch (encoding) {
          case TargetEncoding.Keep() -> "";
          case TargetEncoding.Jpeg(int quality) -> ", jpeg " + quality;
          case TargetEncoding.Png() -> ", png";
          case TargetEncoding.Raw() -> ", raw";
          case TargetEncoding.Webp(int quality) -> ", webp " + quality;
          case TargetEncoding.WebpLossless() -> ", lossless webp";
          case TargetEncoding.Avif(int quality) -> ", avif " + quality;
          case TargetEncoding.Qoi() -> ", qoi";
          case TargetEncoding.Lossless(LosslessLevel level) ->
              ", lossless " + level.name().toLowerCase(Locale.ROOT);
          case TargetEncoding.Bmp() -> ", bmp";
          case TargetEncoding.Ppm() -> ", ppm";
        };
    String resized = resize.equals(Resize.KEEP) ? "" : ", " + resize.spec().replace('=', ' ');
    return "tfrecord" + compressed + encoded + resized;
  }

  /// {@return the plan as it stands in `dataset.json` and `plan.json`}
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("container", "tfrecord");
    map.put("compression", compression.spec());
    map.put("encoding", encoding.spec());
    map.put("resize", resize.spec());
    return map;
  }

  /// {@return the representation that [#toMap] wrote}
  public static Representation of(String compression, String encoding, String resize) {
    return new Representation(
        TargetEncoding.parse(encoding), Resize.parse(resize), Compression.parse(compression));
  }
}
