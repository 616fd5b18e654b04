package io.headrace.format.shard;

import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.store.Fanout;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Samples in shards, one file each. Where a manifest lies beside them it gives classes, counts and
/// digests.
///
/// @param <S> a shard of that kind
public abstract class ShardedDataset<S extends ShardedDataset.Shard> implements Dataset {
  /// One shard, as it was when the dataset was opened.
  public interface Shard extends Closeable {
    /// {@return its file}
    Path path();

    /// {@return the size of the file}
    long bytes() throws IOException;

    /// {@return samples in it, counting those that stand for what cannot be read}
    ///
    /// @throws UncheckedIOException if the thread is interrupted or the dataset closed
    long samples();

    /// {@return whether single samples can be read}
    default boolean indexed() {
      return true;
    }

    /// Finds out what [#samples] needs, where that takes a walk through the file. It keeps its own
    /// faults.
    ///
    /// @throws UncheckedIOException if the thread is interrupted or the dataset closed
    default void prepare() {}

    /// Checks that nothing follows the samples that the manifest declares.
    ///
    /// @throws io.headrace.error.CorruptDataException if something does
    default void checkNotMore() throws IOException {}
  }

  private final Path root;
  private final @Nullable Manifest manifest;
  private final List<S> shards;
  private final boolean indexed;
  private volatile long @Nullable [] starts;

  /// A dataset.
  ///
  /// @param root to call it by
  /// @param manifest that names the shards, or null
  /// @param shards in stored order; closed with this
  protected ShardedDataset(Path root, @Nullable Manifest manifest, List<S> shards) {
    this.root = root;
    this.manifest = manifest;
    this.shards = List.copyOf(shards);
    indexed = this.shards.stream().allMatch(Shard::indexed);
  }

  /// {@return a reader of single samples}
  ///
  /// @param starts number of the first sample of each shard, and after them the total
  protected abstract SampleReader newReader(long[] starts);

  /// {@return the manifest that lies beside the shards, or null}
  protected final @Nullable Manifest manifest() {
    return manifest;
  }

  /// {@return the shards in stored order}
  protected final List<S> opened() {
    return shards;
  }

  /// {@return number of the first sample of each shard, and after them the total}
  ///
  /// @throws UncheckedIOException if the thread is interrupted or the dataset closed
  protected final long[] starts() {
    long[] s = starts;
    return s != null ? s : countAll();
  }

  private synchronized long[] countAll() {
    long[] s = starts;
    if (s == null) {
      try {
        Fanout.each(shards, Shard::prepare);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // interrupted: a shard keeps its own faults
      }
      s = new long[shards.size() + 1];
      for (int i = 0; i < shards.size(); i++) {
        s[i + 1] = s[i] + shards.get(i).samples();
      }
      starts = s;
    }
    return s;
  }

  /// {@return samples in all shards, counted}
  protected final long total() {
    return starts()[shards.size()];
  }

  @Override
  public final Path root() {
    return root;
  }

  @Override
  public final List<String> classes() {
    return manifest == null ? List.of() : manifest.classes();
  }

  @Override
  public long size() {
    if (manifest != null) {
      return manifest.samples();
    }
    return indexed ? total() : -1;
  }

  @Override
  public final boolean indexed() {
    return indexed;
  }

  @Override
  public final SampleReader openReader() throws IOException {
    if (!indexed) {
      throw new UnsupportedOperationException("compressed shards can only be streamed");
    }
    long[] from;
    try {
      from = starts();
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    }
    for (S shard : shards) {
      shard.checkNotMore();
    }
    return newReader(from);
  }

  @Override
  public final List<Path> shards() {
    return shards.stream().map(Shard::path).toList();
  }

  @Override
  public final long storedBytes() throws IOException {
    long sum = 0;
    for (S shard : shards) {
      sum += shard.bytes();
    }
    return sum;
  }

  @Override
  public String setDigest() {
    return manifest == null ? "" : manifest.setDigest();
  }

  @Override
  public String labelDigest() {
    return manifest == null ? "" : manifest.labelDigest();
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (S shard : shards) {
      try {
        shard.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
