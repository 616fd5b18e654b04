package io.headrace.load.deliver;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.SetDigest;
import io.headrace.load.plan.BadLimit;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.SkippedSample;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.FieldSlots;
import io.headrace.order.LastBatch;
import io.headrace.order.RanksTail;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What came of an epoch's samples: applies the error policy to filled batches, pads them where
/// asked, and counts. For the consumer's thread.
public final class Ledger {
  /// Skipped samples that are listed; the others are only counted.
  public static final int FAULTS_KEPT = 10_000;

  /// Faults that an exception names.
  private static final int NAMED = 3;

  private final LoadOptions options;
  private final @Nullable BatchMixer mixer;
  private final SetDigest set = new SetDigest();
  private final List<SkippedSample> faults = new ArrayList<>();
  private long digest;
  private long delivered;
  private long skipped;
  private long substituted;
  private long padded;
  private long unlabelled;
  private int valid;
  private final Map<String, Long> missing = new LinkedHashMap<>();
  private final Map<String, Long> outside = new LinkedHashMap<>();

  /// @param mixer mixes the samples of each batch; null if nothing does
  public Ledger(LoadOptions options, @Nullable BatchMixer mixer) {
    this.options = options;
    this.mixer = mixer;
  }

  /// Settles a filled batch.
  ///
  /// @param total samples of the rank's epoch, or -1 if not known yet
  /// @return slots to hand out, of which the first [#valid] count
  /// @throws CorruptDataException if the policy is to fail, or there are more bad samples than
  ///     allowed
  public int settle(BatchRing.Part part, long total) throws CorruptDataException {
    BatchBuffer buffer = part.buffer;
    int own = part.own();
    int size = 0;
    for (int slot = 0; slot < own; slot++) {
      CorruptDataException fault = part.faults[slot];
      if (fault != null) {
        if (options.policy() == ErrorPolicy.FAIL) {
          throw fault;
        }
        note(fault, buffer.id(slot));
        checkLimit(total);
        if (options.policy() == ErrorPolicy.SKIP) {
          continue;
        }
        int other = substituteFor(slot, part, own);
        if (other < 0) {
          continue; // not one good sample in the batch
        }
        buffer.copy(other, slot);
        substituted++;
      } else {
        delivered++;
        unlabelled += buffer.label(slot) == Sample.NO_LABEL ? 1 : 0;
        set.add(buffer.id(slot), buffer.label(slot));
      }
      if (size != slot) {
        buffer.copy(slot, size);
      }
      digest = CounterRandom.mix(digest ^ buffer.id(slot));
      digest = CounterRandom.mix(digest + buffer.hash(slot));
      size++;
    }
    valid = size;
    for (int field = 0; field < buffer.fields(); field++) {
      FieldSlots values = buffer.field(field);
      long lacking = values.missing(size);
      if (lacking > 0) {
        missing.merge(values.spec().name(), lacking, Long::sum);
      }
      long rows = values.outside(size);
      if (rows > 0) {
        outside.merge(values.spec().name(), rows, Long::sum);
      }
    }
    int filled = pad(part, size);
    if (mixer != null) {
      mixer.mix(buffer, size, filled);
    }
    buffer.seal(filled);
    return filled;
  }

  /// {@return samples without a field, by its name, of those fields that some lack}
  public Map<String, Long> missing() {
    return missing;
  }

  /// {@return rows that were left out since they are outside the image, by the name of their field}
  public Map<String, Long> outside() {
    return outside;
  }

  public int valid() {
    return valid;
  }

  private int pad(BatchRing.Part part, int size) {
    BatchBuffer buffer = part.buffer;
    int own = part.own();
    int expected = part.expected();
    boolean even = options.world() > 1 && options.ranksTail() != RanksTail.UNEVEN;
    int target = size + expected - own;
    if (options.lastBatch() == LastBatch.PAD) {
      target = buffer.capacity();
    } else if (target == 0 && even) {
      target = expected; // the other ranks have this batch too
    }
    for (int slot = size; slot < target; slot++) {
      int repeated = own + slot - size;
      if (repeated < expected && part.faults[repeated] == null) {
        if (repeated != slot) {
          buffer.copy(repeated, slot);
        }
      } else if (slot > 0) {
        buffer.copy((slot - size) % slot, slot);
      } else {
        buffer.blank(slot);
      }
      padded++;
    }
    return target;
  }

  private static int substituteFor(int slot, BatchRing.Part part, int own) {
    for (int before = slot - 1; before >= 0; before--) {
      if (part.faults[before] == null) {
        return before;
      }
    }
    for (int later = slot + 1; later < own; later++) {
      if (part.faults[later] == null) {
        return later;
      }
    }
    return -1;
  }

  private void note(CorruptDataException fault, long id) {
    skipped++;
    set.add(id, Sample.NO_LABEL);
    if (faults.size() < FAULTS_KEPT) {
      faults.add(new SkippedSample(fault.where(), fault.fault(), fault.reason()));
    }
  }

  /// Checks that no more samples were bad than are allowed.
  ///
  /// @param total samples of the rank's epoch, or -1 if not known yet
  public void checkLimit(long total) throws CorruptDataException {
    long seen = delivered + skipped;
    if (skipped <= BadLimit.allowed(options.maxBad(), total, seen)) {
      return;
    }
    var reason = new StringBuilder();
    reason.append(
        "%d bad samples of %d, more than the limit of %s"
            .formatted(skipped, seen, options.maxBad()));
    for (SkippedSample fault : faults.subList(0, Math.min(NAMED, faults.size()))) {
      reason.append("; ").append(fault.where()).append(' ').append(fault.fault());
      reason.append(": ").append(fault.reason());
    }
    SkippedSample last = faults.getLast();
    throw new CorruptDataException(last.fault(), reason.toString(), last.where(), null);
  }

  /// Counts a batch handed out again.
  public void repeat(int samples) {
    delivered += samples;
  }

  public long delivered() {
    return delivered;
  }

  public long skipped() {
    return skipped;
  }

  public long substituted() {
    return substituted;
  }

  public long padded() {
    return padded;
  }

  public long unlabelled() {
    return unlabelled;
  }

  public List<SkippedSample> faults() {
    return faults;
  }

  public String digest() {
    return "%016x".formatted(digest);
  }

  public String setDigest() {
    return set.hex();
  }

  /// {@return how what was delivered differs from what a dataset says it has. Not meaningful if
  ///     samples were skipped, since their labels are not known}
  public String contradiction(Dataset dataset) {
    return set.contradiction(dataset);
  }
}
