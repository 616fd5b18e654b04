package io.headrace.load;

import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.FidelityReading;
import io.headrace.load.plan.SkippedSample;
import io.headrace.meter.StageReading;
import io.headrace.pipeline.Decoding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What an epoch did: a snapshot, final once the epoch is over.
///
/// @param epoch its number
/// @param delivered samples handed out, each once
/// @param skipped samples that could not be handed out
/// @param substituted slots that repeat another sample in a skipped one's place
/// @param padded slots that repeat a sample to fill a batch or to keep up with other ranks,
///     outside the mask
/// @param dropped samples of the epoch that no rank gets, known at its end
/// @param unlabelled delivered samples that have no label
/// @param missing delivered samples without a field that was asked for, by its name; only of fields
///     that some lack. An empty or a filled-in value stands for it
/// @param outside rows of boxes and points that were left out, by the name of their field
/// @param faults the first skipped samples with their reasons, at most
///     [Epoch#FAULTS_KEPT] of them
/// @param decoding how samples were decoded; pixels and so `digest` depend on it
/// @param began seconds from when the loader was made to when the epoch was asked for
/// @param seconds from when it was asked for to the last batch
/// @param bytesRead bytes taken from storage
/// @param fidelities what was read at each fidelity, from the lowest
/// @param cache what the cache did
/// @param stages what each stage did
/// @param queueOccupancy mean share of the queue of encoded samples that was filled, 0 to 1
/// @param bottleneck what the rate was bound by
/// @param digest over identities and pixels in delivered order, 16 hex digits
/// @param setDigest over the identities of delivered and skipped samples, in any order; equals the
///     dataset's own
/// @param verified whether `setDigest` was compared with the dataset's own and is equal
/// @param contradiction how samples or labels differ from what the dataset's manifest says, in
///     words; empty if they do not
public record EpochReport(
    long epoch,
    long delivered,
    long skipped,
    long substituted,
    long padded,
    long dropped,
    long unlabelled,
    Map<String, Long> missing,
    Map<String, Long> outside,
    List<SkippedSample> faults,
    Decoding decoding,
    double began,
    double seconds,
    long bytesRead,
    List<FidelityReading> fidelities,
    CacheReading cache,
    List<StageReading> stages,
    double queueOccupancy,
    Bottleneck bottleneck,
    String digest,
    String setDigest,
    boolean verified,
    String contradiction) {
  /// Copies lists and map.
  public EpochReport {
    missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
    outside = Collections.unmodifiableMap(new LinkedHashMap<>(outside));
    faults = List.copyOf(faults);
    fidelities = List.copyOf(fidelities);
    stages = List.copyOf(stages);
  }

  /// {@return delivered samples a second}
  public double samplesPerSecond() {
    return seconds > 0 ? delivered / seconds : 0;
  }
}
