package io.headrace.format.tar;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.KeptFile;
import io.headrace.format.shard.StreamShard;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.StreamBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where the samples of an uncompressed archive lie, found by walking its headers.
///
/// Where the walk fails it stops; the fault stands for the sample found there and all after it.
final class TarIndex implements StreamShard.Index {
  private static final long HOLES = 1L << 62;
  private static final long REAPPEARS = 1L << 61;
  private static final long CUT = 1L << 60;

  private int count;
  private long[] starts = new long[64];
  /// Bytes from the first header to the last padding, and what is odd about the sample.
  private long[] lengths = new long[64];

  private long[] ids = new long[64];
  private Notes notes = new Notes();
  private @Nullable CorruptDataException fault;
  private String trouble = "";

  /// {@return the index of an archive; I/O errors are faults too, for others can still be read}
  ///
  /// @throws UncheckedIOException if the thread is interrupted or the dataset closed
  static TarIndex walk(TarShard shard) {
    var index = new TarIndex();
    try (StreamBytes in = shard.plain(0, TarShard.HEADER_BUFFER);
        var runs = new RunReader(in, shard.name(), index.notes)) {
      runs.others(shard::othersKinds);
      while (runs.next(null, 0)) {
        long flags =
            (runs.holes() ? HOLES : 0)
                | (runs.reappears() ? REAPPEARS : 0)
                | (runs.cut() ? CUT : 0);
        index.add(runs.start(), runs.end() - runs.start() | flags, runs.run().id());
      }
    } catch (CorruptDataException e) {
      index.fault = e;
    } catch (IOException e) {
      if (KeptFile.stopped(e)) {
        throw new UncheckedIOException(e);
      }
      Location where = new Location(shard.name(), index.count, null, -1);
      index.fault = new CorruptDataException(Fault.IO, "cannot be read: " + e, where, e);
    }
    return index;
  }

  /// {@return an index as it was stored}
  static TarIndex of(long[] starts, long[] lengths, long[] ids, Notes notes) {
    var index = new TarIndex();
    index.count = starts.length;
    index.starts = starts;
    index.lengths = lengths;
    index.ids = ids;
    index.notes = notes;
    return index;
  }

  private void add(long start, long length, long id) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
      ids = Arrays.copyOf(ids, 2 * count);
    }
    starts[count] = start;
    lengths[count] = length;
    ids[count++] = id;
  }

  @Override
  public long count() {
    return count;
  }

  /// {@return where a sample's first header begins}
  long start(int sample) {
    return starts[sample];
  }

  /// {@return bytes from there to the padding of its last member}
  long length(int sample) {
    return lengths[sample] & ~(HOLES | REAPPEARS | CUT);
  }

  /// {@return whether members that are no part of it lie in it}
  boolean holes(int sample) {
    return (lengths[sample] & HOLES) != 0;
  }

  /// {@return whether an earlier sample has the same key}
  boolean reappears(int sample) {
    return (lengths[sample] & REAPPEARS) != 0;
  }

  /// {@return whether the archive was cut within it}
  boolean cut(int sample) {
    return (lengths[sample] & CUT) != 0;
  }

  /// {@return the hash of its key as WebDataset has it, without the extension}
  long id(int sample) {
    return ids[sample];
  }

  @Override
  public @Nullable CorruptDataException fault() {
    return fault;
  }

  /// {@return what is odd about the archive}
  Notes notes() {
    return notes;
  }

  /// {@return why an index beside the archive was not believed, or an empty text}
  String trouble() {
    return trouble;
  }

  /// Takes note of an index beside the archive that was not believed.
  void trouble(String why) {
    trouble = why;
  }

  /// {@return whether nothing is wrong, so that it may be stored}
  boolean sound() {
    if (fault != null || !notes.sound()) {
      return false;
    }
    for (int s = 0; s < count; s++) {
      if (reappears(s) || holes(s)) {
        return false;
      }
    }
    return true;
  }
}
