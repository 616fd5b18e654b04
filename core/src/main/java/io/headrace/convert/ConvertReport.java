package io.headrace.convert;

import io.headrace.codec.jpeg.QuantTables;
import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.convert.checkpoint.ShardTally.Counter;
import io.headrace.convert.encode.Outcome;
import io.headrace.convert.encode.QualityMeter;
import io.headrace.convert.target.Packing;
import io.headrace.format.Dataset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a conversion did. `in = written + skipped`.
///
/// @param in samples in the source
/// @param written samples in the target
/// @param skipped samples left out, as `place: reason`
/// @param passed images copied byte for byte because they cannot be rewritten without loss as
///     asked, as `place: reason`
/// @param kept images copied byte for byte, for any reason
/// @param keptBelowTarget those of them whose quality was not above the target
/// @param transcoded images rewritten without loss: their coefficients are the same
/// @param reencoded images encoded again
/// @param resized those of them that were made smaller
/// @param unlabelled samples written that have no label
/// @param listLabels those of them whose label is a list, kept as a field
/// @param fieldsOfOldSize samples whose image was made smaller, and whose other fields were not
/// @param orientationsDropped images encoded again whose EXIF orientation was not 1: their pixels
///     are as stored, the tag is gone
/// @param alphasDropped images encoded again that had transparency: their colours are as stored,
///     the transparency is gone
/// @param depthsReduced images encoded again that had more than 8 bits a channel, and have 8 now:
///     the encoding holds no more, or they were made smaller or turned
/// @param trailersDropped images rewritten that had bytes after their end, which are gone
/// @param trailingBytesDropped these bytes
/// @param packed JPEGs packed, or kept packed
/// @param exact those of them that come back byte for byte
/// @param likeness of images encoded again to what they were encoded from, or null if none was
///     measured
/// @param tables of quantisation that were made of the data, by the spelling of their encoding
/// @param bytesIn encoded bytes read
/// @param bytesOut encoded bytes written, before compression of shards
/// @param fileBytes bytes of all shard files, or of the images where each is a file
/// @param shards number of shard files; 0 where each image is a file
/// @param resumed shards, or parts of a folder, that an earlier run had finished
/// @param seconds wall time of this run
/// @param setDigest over the identities of the samples written, 16 hex digits
/// @param contradiction how the source's samples or labels differ from what its manifest says, in
///     words; empty if they do not
public record ConvertReport(
    long in,
    long written,
    List<String> skipped,
    List<String> passed,
    long kept,
    long keptBelowTarget,
    long transcoded,
    long reencoded,
    long resized,
    long unlabelled,
    long listLabels,
    long fieldsOfOldSize,
    long orientationsDropped,
    long alphasDropped,
    long depthsReduced,
    long trailersDropped,
    long trailingBytesDropped,
    long packed,
    long exact,
    @Nullable Likeness likeness,
    Map<String, QuantTables.Made> tables,
    long bytesIn,
    long bytesOut,
    long fileBytes,
    int shards,
    int resumed,
    double seconds,
    String setDigest,
    String contradiction) {
  /// Means over the images that were measured.
  ///
  /// @param images that were
  /// @param psnr in dB, of images that came out equal 100
  /// @param ssim at most 1
  /// @param msSsim at most 1
  /// @param cpuSeconds that measuring took, in all threads
  public record Likeness(long images, double psnr, double ssim, double msSsim, double cpuSeconds) {}

  /// Copies the lists.
  public ConvertReport {
    skipped = List.copyOf(skipped);
    passed = List.copyOf(passed);
    tables = Map.copyOf(tables);
  }

  /// {@return what the shards' tallies say together}
  ///
  /// @param count samples in the source
  /// @param source what they should be, or null if nothing says it
  static ConvertReport of(
      List<ShardTally> tallies,
      ConvertOptions options,
      long count,
      int resumed,
      double seconds,
      @Nullable Dataset source) {
    ShardTally all = ShardTally.sum(tallies);
    boolean folder = options.representation().packing() instanceof Packing.Folder;
    long below = all.get(Outcome.KEPT_BELOW_TARGET);
    long resized = all.get(Outcome.RESIZED);
    QualityMeter.Likeness mean = all.likeness();
    return new ConvertReport(
        count,
        all.get(Counter.SAMPLES),
        all.skipped(),
        all.passed(),
        all.get(Outcome.KEPT) + below + all.get(Outcome.PASSED),
        below,
        all.get(Outcome.TRANSCODED),
        all.get(Outcome.REENCODED) + resized,
        resized,
        all.get(Counter.UNLABELLED),
        all.get(Counter.LIST_LABELS),
        all.get(Counter.FIELDS_OF_OLD_SIZE),
        all.get(Counter.ORIENTATIONS_DROPPED),
        all.get(Counter.ALPHAS_DROPPED),
        all.get(Counter.DEPTHS_REDUCED),
        all.get(Counter.TRAILERS_DROPPED),
        all.get(Counter.TRAILING_BYTES_DROPPED),
        all.get(Counter.PACKED),
        all.get(Counter.PACKED_EXACT),
        mean == null
            ? null
            : new Likeness(
                all.get(Counter.MEASURED),
                mean.psnr(),
                mean.ssim(),
                mean.msSsim(),
                mean.cpuNanos() / 1e9),
        DataTables.of(options.representation().encoding()),
        all.get(Counter.ENCODED_BYTES_IN),
        all.get(Counter.ENCODED_BYTES_OUT),
        folder ? all.get(Counter.ENCODED_BYTES_OUT) : all.get(Counter.FILE_BYTES),
        folder ? 0 : tallies.size(),
        resumed,
        seconds,
        all.set().hex(),
        source != null && all.skipped().isEmpty() ? all.set().contradiction(source) : "");
  }
}
