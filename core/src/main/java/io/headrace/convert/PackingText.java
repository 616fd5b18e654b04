package io.headrace.convert;

import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.spec.Spec;
import java.util.stream.Stream;

/// Reads the options of race as users write them.
final class PackingText {
  private static final int LZ4_LEVEL = 0;
  private static final int ZSTD_LEVEL = 3;

  private PackingText() {}

  static Packing.Race race(Spec spec) {
    String groups = spec.option("groups");
    String blobs = spec.option("blobs");
    int block = spec.optionNumber("block", 0);
    int dictionary = spec.optionNumber("dictionary", 0);
    return spec.end(
        new Packing.Race(
            groups == null ? null : groups(spec, groups),
            blobs == null ? new BlobCompression.None() : blobs(spec, blobs),
            block,
            dictionary));
  }

  private static ScanGroups groups(Spec spec, String value) {
    return value.equals("each")
        ? ScanGroups.EACH_SCAN
        : ScanGroups.of(
            Stream.of(value.split("/", -1)).mapToInt(scan -> spec.number("scan", scan)).toArray());
  }

  private static BlobCompression blobs(Spec spec, String value) {
    Spec blobs = Spec.colons("format", value);
    return switch (blobs.name()) {
      case "none" -> blobs.end(new BlobCompression.None());
      case "lz4" -> blobs.end(new BlobCompression.Lz4(blobs.number("level", LZ4_LEVEL)));
      case "zstd" -> blobs.end(new BlobCompression.Zstd(blobs.number("level", ZSTD_LEVEL)));
      default -> throw spec.bad("blobs are compressed by none, lz4 or zstd");
    };
  }
}
