package io.headrace.format.shard;

import io.headrace.codec.stream.StreamKind;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.KeptFile;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A shard in which samples follow each other: one that is not compressed is indexed by a walk
/// through it, one that is compressed as a whole can only be read from its start.
///
/// @param <I> what the walk finds
public abstract class StreamShard<I extends StreamShard.Index> implements ShardedDataset.Shard {
  /// Where the samples of a shard lie, as far as the walk came.
  public interface Index {
    /// {@return number of samples that were found}
    long count();

    /// {@return what stopped the walk, or null}
    @Nullable CorruptDataException fault();
  }

  /// Tells how a file is compressed.
  @FunctionalInterface
  public interface Detector {
    /// {@return the kind, told from the first bytes}
    StreamKind detect(ByteFile file) throws IOException;
  }

  private final String name;
  private final String noun;
  private final long declared;
  private final KeptFile kept;
  private final StreamKind kind;
  private @Nullable I index;

  /// Looks at a file's first bytes.
  ///
  /// @param noun what the format calls its samples, in the plural
  /// @param compression the kind it must have, or null
  /// @param declared samples it must have, or -1
  /// @throws CorruptDataException with [Fault#MISMATCH] if it is of another kind
  protected StreamShard(
      Path path,
      Store store,
      String noun,
      @Nullable StreamKind compression,
      long declared,
      Detector detector)
      throws IOException {
    name = path.toString();
    this.noun = noun;
    this.declared = declared;
    try (ByteFile file = store.open(path)) {
      StreamKind found = detector.detect(file);
      if (file.size() > 0 && compression != null && compression != found) {
        boolean plain = found == StreamKind.NONE;
        throw new CorruptDataException(
            Fault.MISMATCH,
            "declared as %s, but is %s"
                .formatted(compression.label(), plain ? "not compressed (none)" : found.label()),
            Location.of(name),
            null);
      }
      kind = file.size() == 0 ? StreamKind.NONE : found;
      kept = KeptFile.like(path, store, file);
    }
  }

  /// {@return the index, found anew}
  protected abstract I walk();

  /// {@return the index, found when first asked for}
  public final synchronized I index() {
    I i = index;
    if (i == null) {
      i = walk();
      index = i;
    }
    return i;
  }

  /// {@return the index if it was asked for already, or null}
  protected final synchronized @Nullable I indexOrNull() {
    return index;
  }

  @Override
  public final Path path() {
    return kept.path();
  }

  /// {@return the path in words, for places}
  public final String name() {
    return name;
  }

  /// {@return the file, which stays open}
  public final KeptFile file() {
    return kept;
  }

  /// {@return how it is compressed}
  public final StreamKind kind() {
    return kind;
  }

  @Override
  public final boolean indexed() {
    return kind == StreamKind.NONE;
  }

  @Override
  public final long bytes() {
    return kept.size();
  }

  /// {@return samples in the file, plus one that stands for a damaged tail; or as many as declared}
  @Override
  public final long samples() {
    if (declared >= 0) {
      return declared;
    }
    I i = index();
    return i.count() + (i.fault() == null ? 0L : 1L);
  }

  @Override
  public final void prepare() {
    I _ = index();
  }

  /// @throws CorruptDataException with [Fault#MISMATCH] if something does
  @Override
  public final void checkNotMore() throws CorruptDataException {
    I i = index();
    if (declared >= 0 && (i.count() > declared || (i.count() == declared && i.fault() != null))) {
      throw new CorruptDataException(
          Fault.MISMATCH,
          "more than the %d %s that the manifest says: %d %s in %d bytes"
              .formatted(declared, noun, i.count(), noun, kept.size()),
          Location.of(name),
          i.fault());
    }
  }

  /// Checks what was found before a clean end, which is not enough where the manifest says how many
  /// samples there were.
  ///
  /// @throws CorruptDataException if it says otherwise
  public final void checkCount(long found) throws CorruptDataException {
    if (declared >= 0 && found != declared) {
      throw otherCount(
          found, found < declared ? Fault.TRUNCATED : Fault.MISMATCH, Location.of(name));
    }
  }

  /// {@return the fault of a sample that the index could not reach}
  public final CorruptDataException lost(Location where) {
    I i = index();
    CorruptDataException fault = i.fault();
    return fault == null
        ? otherCount(i.count(), Fault.TRUNCATED, where)
        : new CorruptDataException(fault.fault(), fault.reason(), where, fault);
  }

  private CorruptDataException otherCount(long found, Fault fault, Location where) {
    return new CorruptDataException(
        fault, "%d %s, but the manifest says %d".formatted(found, noun, declared), where, null);
  }

  @Override
  public final void close() throws IOException {
    kept.close();
  }
}
