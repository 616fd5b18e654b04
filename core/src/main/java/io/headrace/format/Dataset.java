package io.headrace.format;

import io.headrace.error.CorruptDataException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Gather;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Samples on disk, numbered from 0 in stored order.
///
/// A dataset is either *indexed*: any sample can be read at once ([#openReader]); or it only
/// *streams*: each shard is read from its start ([#openCursor]), as a compressed TFRecord must be.
/// Every dataset streams. Opening reads no sample. Thread-safe; readers and cursors are not.
public interface Dataset extends Closeable {
  /// {@return the folder or file it was opened from}
  Path root();

  /// {@return names of the classes, by label; empty if none are known}
  List<String> classes();

  /// {@return whether labels may be texts, of which [Datasets] then makes numbers}
  default boolean mayHaveLabelTexts() {
    return false;
  }

  /// {@return number of samples, or -1 if only a full read would tell}
  long size();

  /// {@return whether [#openReader] works}
  boolean indexed();

  /// {@return a reader of single samples}
  ///
  /// @throws UnsupportedOperationException if the dataset is not [#indexed]
  SampleReader openReader() throws IOException;

  /// {@return paths of the shards in stored order; an image folder is one shard}
  List<Path> shards();

  /// {@return a cursor over one shard, from its start}
  SampleCursor openCursor(int shard) throws IOException;

  /// {@return a cursor over one shard, from its start, that reads samples at a lower fidelity}
  ///
  /// @param fidelity groups to read of each sample, at least 1; more than there are means all
  default SampleCursor openCursor(int shard, int fidelity) throws IOException {
    return openCursor(shard);
  }

  /// {@return the most fidelity groups a sample has: 1 unless samples are stored in several parts,
  /// of which the first ones are enough for a picture of lower quality}
  default int groups() {
    return 1;
  }

  /// {@return how a sample is stored, as a number that samples stored alike share: its encoding,
  /// where a dataset mixes several and knows without reading the sample; else 0}
  ///
  /// @param index from 0, below [#size]
  default int kindOf(long index) {
    return 0;
  }

  /// {@return whether each sample is a file of its own, named by the sample's key}
  default boolean filePerSample() {
    return false;
  }

  /// {@return encoded bytes of the whole dataset as stored, files' sizes added}
  long storedBytes() throws IOException;

  /// {@return the digest of which samples it holds, in 16 hexadecimal digits, or an empty text if
  /// only a full read would tell; see [SetDigest]}
  String setDigest();

  /// {@return the digest of which label each sample has, in 16 hexadecimal digits, or an empty text
  /// if only a full read would tell; see [SetDigest]}
  default String labelDigest() {
    return "";
  }

  /// {@return folders elsewhere that symbolic links below its root lead to}
  default List<Path> linkedFolders() {
    return List.of();
  }

  /// {@return files and folders below its root that are no samples of it, by path}
  default List<LeftOut> leftOut() {
    return List.of();
  }

  /// {@return what a user should know about its files: those left out, with the reason}
  List<String> warnings();

  /// {@return what else is worth knowing about how samples are stored, as names and values}
  default Map<String, String> details() throws IOException {
    return Map.of();
  }

  /// {@return the number of the sample with a key, or -1; reads the dataset until it is found}
  default long find(String key) throws IOException {
    long id = SampleIds.of(key);
    long index = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < shards().size(); shard++) {
        try (SampleCursor cursor = openCursor(shard)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              if (more && sample.id() == id && sample.key().equals(key)) {
                return index;
              }
              index += more ? 1 : 0;
            } catch (CorruptDataException e) {
              index++;
              more = cursor.resumable();
            }
          }
        }
      }
    }
    return -1;
  }

  /// Reads samples by number.
  interface SampleReader extends Closeable {
    /// Fills `into` with one sample.
    ///
    /// @param index from 0, below [Dataset#size]
    /// @throws CorruptDataException if its bytes cannot be had or make no sense; `into` then holds
    ///     at least the key and place, if these are known
    void read(long index, Sample into) throws IOException;

    /// Fills `into` with the key and label of one sample at least, without its bytes where they
    /// need not be read for that.
    ///
    /// @param index from 0, below [Dataset#size]
    /// @throws CorruptDataException as [#read(long, Sample)]
    default void describe(long index, Sample into) throws IOException {
      read(index, into);
    }

    /// Fills `into` with one sample at a lower fidelity.
    ///
    /// @param index from 0, below [Dataset#size]
    /// @param fidelity groups to read of it, at least 1; more than there are means all
    /// @param into is told how many groups it has then ([Sample#groups(int, int)]), and where its
    ///     parts end, if groups are parts of one image
    /// @throws CorruptDataException as [#read(long, Sample)]
    default void read(long index, int fidelity, Sample into) throws IOException {
      read(index, into);
    }

    /// Reads what is missing of a sample of which `into` holds fewer groups.
    ///
    /// @param index from 0, below [Dataset#size]
    /// @param fidelity groups that it is to have then, more than it has; more than there are mean
    ///     all
    /// @param into the sample as read at a lower fidelity, its parts known
    /// @return false if that cannot be done; `into` is then as it was
    /// @throws CorruptDataException as [#read(long, Sample)]
    default boolean extend(long index, int fidelity, Sample into) throws IOException {
      return false;
    }

    /// Says which samples are read next and in which order, so that what lies together in a file
    /// can be read together. It changes no result: each sample is still to be read, and where its
    /// bytes are damaged, that is when it is said.
    ///
    /// @param samples their numbers: the first `count`
    /// @param fidelities how many groups of each
    /// @param choice with which they will be read, or null
    /// @param gather takes the pieces that these need; planned by the caller, and read from until
    ///     this is called again
    /// @return whether the reader can do that at all
    default boolean expect(
        long[] samples, int[] fidelities, int count, @Nullable LevelChoice choice, Gather gather) {
      return false;
    }

    /// Fills `into` with one sample, of which a smaller level may be enough: as [#read(long, int,
    /// Sample)], unless at that fidelity it is the whole image and levels lie beside it, or its
    /// groups are the bands of a packed JPEG, of which the first are enough where it is decoded
    /// smaller.
    ///
    /// @param index from 0, below [Dataset#size]
    /// @param fidelity groups to read of it, at least 1; more than there are means all
    /// @param choice says which level; only that one is read, or what it takes
    /// @throws CorruptDataException as [#read(long, Sample)]
    default void read(long index, int fidelity, LevelChoice choice, Sample into)
        throws IOException {
      read(index, fidelity, into);
    }
  }

  /// Reads the samples of a shard in stored order.
  interface SampleCursor extends Closeable {
    /// Fills `into` with the next sample.
    ///
    /// @return whether there was one
    /// @throws CorruptDataException if its bytes make no sense. If [SampleCursor#resumable] then
    ///     holds, the next call goes on after it; else the rest of the shard is lost
    boolean next(Sample into) throws IOException;

    /// {@return whether reading can go on after the fault just thrown}
    boolean resumable();

    /// {@return bytes taken from storage so far, before decompression}
    long bytesRead();
  }
}
