package io.headrace.convert;

import io.headrace.codec.jpeg.QuantTables;
import io.headrace.format.Dataset;
import io.headrace.format.SetDigest;
import java.util.ArrayList;
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
@SuppressWarnings("EnumOrdinal") // an index into tallies that are summed at once
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
    long written = 0;
    List<String> skipped = new ArrayList<>();
    long[] outcomes = new long[Outcome.values().length];
    long orientations = 0;
    long alphas = 0;
    long depths = 0;
    long trailers = 0;
    long trailing = 0;
    List<String> passed = new ArrayList<>();
    long in = 0;
    long out = 0;
    long file = 0;
    var set = new SetDigest();
    for (ShardTally tally : tallies) {
      written += tally.samples;
      tally.skipped.forEach(s -> skipped.add(s.where() + ": " + s.reason()));
      for (int i = 0; i < outcomes.length; i++) {
        outcomes[i] += tally.outcomes[i];
      }
      orientations += tally.orientationsDropped;
      alphas += tally.alphasDropped;
      depths += tally.depthsReduced;
      trailers += tally.trailersDropped;
      trailing += tally.trailingBytesDropped;
      tally.passed.forEach(p -> passed.add(p.where() + ": " + p.reason()));
      in += tally.encodedBytesIn;
      out += tally.encodedBytesOut;
      file += tally.fileBytes;
      set.addAll(tally.set);
    }
    boolean folder = options.representation().packing() instanceof Packing.Folder;
    long below = outcomes[Outcome.KEPT_BELOW_TARGET.ordinal()];
    long resized = outcomes[Outcome.RESIZED.ordinal()];
    return new ConvertReport(
        count,
        written,
        skipped,
        passed,
        outcomes[Outcome.KEPT.ordinal()] + below + outcomes[Outcome.PASSED.ordinal()],
        below,
        outcomes[Outcome.TRANSCODED.ordinal()],
        outcomes[Outcome.REENCODED.ordinal()] + resized,
        resized,
        tallies.stream().mapToLong(t -> t.unlabelled).sum(),
        tallies.stream().mapToLong(t -> t.listLabels).sum(),
        tallies.stream().mapToLong(t -> t.fieldsOfOldSize).sum(),
        orientations,
        alphas,
        depths,
        trailers,
        trailing,
        tallies.stream().mapToLong(t -> t.packed).sum(),
        tallies.stream().mapToLong(t -> t.exact).sum(),
        likeness(tallies),
        DataTables.of(options.representation().encoding()),
        in,
        out,
        folder ? out : file,
        folder ? 0 : tallies.size(),
        resumed,
        seconds,
        set.hex(),
        source != null && skipped.isEmpty() ? set.contradiction(source) : "");
  }

  private static @Nullable Likeness likeness(List<ShardTally> tallies) {
    long images = tallies.stream().mapToLong(t -> t.measured).sum();
    return images == 0
        ? null
        : new Likeness(
            images,
            tallies.stream().mapToDouble(t -> t.psnrSum).sum() / images,
            tallies.stream().mapToDouble(t -> t.ssimSum).sum() / images,
            tallies.stream().mapToDouble(t -> t.msSsimSum).sum() / images,
            tallies.stream().mapToLong(t -> t.measuringNanos).sum() / 1e9);
  }
}
