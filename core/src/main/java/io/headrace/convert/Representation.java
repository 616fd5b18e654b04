package io.headrace.convert;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.webp.WebpLosslessEncoding;
import io.headrace.format.Container;
import java.util.LinkedHashMap;
import java.util.Map;

/// One way to store a dataset.
///
/// @param packing of samples in files
/// @param encoding of the images
/// @param resize of the images
/// @param compression of each shard as a whole
public record Representation(
    Packing packing, TargetEncoding encoding, Resize resize, Compression compression) {
  /// Images as they are, in TFRecord shards that are not compressed.
  public static final Representation PLAIN =
      new Representation(new TargetEncoding.Keep(), Resize.KEEP, new Compression.None());

  /// Checks that these go together.
  ///
  /// @throws io.headrace.error.ConfigException if they do not
  public Representation {
    var _ = packing.container(encoding, compression);
  }

  /// TFRecord shards.
  public Representation(TargetEncoding encoding, Resize resize, Compression compression) {
    this(new Packing.TfRecord(), encoding, resize, compression);
  }

  /// {@return the container to write}
  Container container() {
    return packing.container(encoding, compression);
  }

  /// {@return a name for people, such as `tfrecord zstd, jpeg 75`}
  public String label() {
    String compressed = compression instanceof Compression.None ? "" : " " + compression.spec();
    String encoded =
        switch (encoding) {
          case TargetEncoding.Keep() -> "";
          case TargetEncoding.Encode(WebpLosslessEncoding()) -> ", lossless webp";
          case TargetEncoding.Mixed _ -> ", " + encoding.spec();
          default -> ", " + encoding.spec().replace(':', ' ');
        };
    String resized = resize.equals(Resize.KEEP) ? "" : ", " + resize.spec().replace('=', ' ');
    return packing.spec() + compressed + encoded + resized;
  }

  /// {@return the plan as it stands in `dataset.json` and `plan.json`}
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("container", packing.spec());
    map.put("compression", compression.spec());
    map.put("encoding", encoding.spec());
    map.put("resize", resize.spec());
    return map;
  }

  /// {@return the representation in TFRecord shards that is written like this}
  public static Representation of(String compression, String encoding, String resize) {
    return of("tfrecord", compression, encoding, resize);
  }

  /// {@return the representation that [#toMap] wrote}
  public static Representation of(
      String packing, String compression, String encoding, String resize) {
    return new Representation(
        Packing.parse(packing),
        TargetEncoding.parse(encoding),
        Resize.parse(resize),
        Compression.parse(compression));
  }
}
