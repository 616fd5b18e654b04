package io.headrace.lab.tune;

import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.lossless.LosslessEncoding;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.stream.Compression;
import io.headrace.convert.Packing;
import io.headrace.convert.Representation;
import io.headrace.convert.Resize;
import io.headrace.convert.TargetEncoding;
import io.headrace.format.Content;
import java.util.ArrayList;
import java.util.List;

/// The representations tried by default.
public final class Candidates {
  private static final int[] QUALITIES = {85, 75, 50};

  private Candidates() {}

  /// {@return the original; TFRecord under each compression; JPEG at falling quality; raw;
  /// race with tiled JPEGs and with our lossless encoding}
  public static List<Candidate> standard() {
    List<Candidate> all = new ArrayList<>();
    all.add(new Candidate("original", null));
    var keep = new TargetEncoding.Keep();
    add(all, keep, new Compression.None());
    add(all, keep, Compression.Zlib.DEFAULT);
    add(all, keep, Compression.Gzip.DEFAULT);
    add(all, keep, Compression.Zstd.DEFAULT);
    for (int quality : QUALITIES) {
      add(all, new TargetEncoding.Encode(new JpegEncoding(quality)), new Compression.None());
    }
    add(all, new TargetEncoding.Encode(PlainCodec.RAW), new Compression.None());
    add(all, new TargetEncoding.Encode(PlainCodec.RAW), Compression.Zstd.DEFAULT);
    add(all, Packing.Race.PLAIN, new TargetEncoding.Tiled(0, MetadataPolicy.KEEP_ALL));
    add(all, Packing.Race.PLAIN, new TargetEncoding.Encode(LosslessEncoding.USUAL));
    return all;
  }

  /// {@return those that are tried for content: of images [#standard]; of sounds the original, and
  ///     TFRecord and race with the sounds as they are, as FLAC and as plain samples}
  public static List<Candidate> of(Content content) {
    if (content == Content.IMAGE) {
      return standard();
    }
    List<Candidate> all = new ArrayList<>();
    all.add(new Candidate("original", null));
    for (String encoding : List.of("keep", "flac:5", "wav")) {
      add(all, TargetEncoding.parse(encoding), new Compression.None());
      add(all, Packing.Race.PLAIN, TargetEncoding.parse(encoding));
    }
    return all;
  }

  private static void add(List<Candidate> all, Packing packing, TargetEncoding encoding) {
    var representation = new Representation(packing, encoding, Resize.KEEP, new Compression.None());
    all.add(new Candidate(representation.label(), representation));
  }

  private static void add(List<Candidate> all, TargetEncoding encoding, Compression compression) {
    var representation = new Representation(encoding, Resize.KEEP, compression);
    all.add(new Candidate(representation.label(), representation));
  }
}
