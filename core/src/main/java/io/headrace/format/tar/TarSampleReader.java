package io.headrace.format.tar;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.format.files.KeptFile;
import io.headrace.format.shard.ShardStarts;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.PlacedBytes;
import io.headrace.format.tar.archive.StreamBytes;
import io.headrace.format.tar.archive.TarHeader;
import io.headrace.store.FileStream;
import io.headrace.store.Gather;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads single samples of uncompressed archives: one read of the file per sample, or for several
/// that are expected and lie together; more where others' members lie in one.
final class TarSampleReader implements SampleReader {
  /// Room for the names of a few members, after what is read.
  private static final long NAMES = 4 << 10;

  private final List<TarShard> shards;
  /// Number of the first sample of each shard, and the total.
  private final long[] starts;
  private final PlacedBytes placed = new PlacedBytes();
  private @Nullable RunReader runs;
  private @Nullable Gather gather;
  private @Nullable Headers headers;

  TarSampleReader(List<TarShard> shards, long[] starts) {
    this.shards = shards;
    this.starts = starts;
  }

  @Override
  public boolean expect(
      long[] numbers, int[] fidelities, int count, @Nullable LevelChoice choice, Gather pieces) {
    gather = pieces;
    for (int i = 0; i < count; i++) {
      int s = ShardStarts.shardOf(starts, numbers[i]);
      TarIndex samples = shards.get(s).index();
      int sample = (int) (numbers[i] - starts[s]);
      if (sample < samples.count() && !samples.holes(sample)) {
        pieces.want(s, samples.start(sample), samples.length(sample));
      }
    }
    return true;
  }

  @Override
  public void read(long index, Sample into) throws IOException {
    read(index, into, true);
  }

  @Override
  public void describe(long index, Sample into) throws IOException {
    read(index, into, false);
  }

  private void read(long index, Sample into, boolean pictures) throws IOException {
    int s = ShardStarts.shardOf(starts, index);
    TarShard shard = shards.get(s);
    TarIndex samples = shard.index();
    int sample = (int) (index - starts[s]);
    if (sample >= samples.count()) {
      throw lost(shard, samples, sample, into);
    }
    into.place(shard.name(), sample, samples.start(sample));
    try {
      if (!pictures) {
        into.storedBytes(headersOf(shard).read(samples, sample, into));
        return;
      }
      if (samples.holes(sample)) {
        readPieces(shard, samples, sample, into);
      } else {
        readWhole(shard, s, samples, sample, into);
      }
      into.storedBytes(samples.length(sample));
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    } catch (CorruptDataException e) {
      throw e;
    } catch (IOException e) {
      if (KeptFile.stopped(e)) {
        throw e;
      }
      throw new CorruptDataException(Fault.IO, "cannot be read: " + e, into.location(), e);
    }
  }

  private void readWhole(TarShard shard, int number, TarIndex samples, int sample, Sample into)
      throws IOException, DecodeException {
    long length = samples.length(sample);
    try {
      MemorySegment _ = into.ensure(length + NAMES);
      Gather.read(gather, number, shard.file(), samples.start(sample), into.block(), 0, length);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          Fault.MISMATCH,
          "the file has changed since it was indexed: " + e.reason(),
          into.location(),
          e);
    }
    placed.reset(into.block(), length, samples.start(sample));
    RunReader reader = runs;
    if (reader == null) {
      reader = new RunReader(placed, "", new Notes());
      runs = reader;
    }
    reader.restart();
    fill(reader, samples, sample, into, length, shard.roles());
  }

  private Headers headersOf(TarShard shard) throws IOException {
    Headers open = headers;
    if (open == null || open.shard != shard) {
      if (open != null) {
        open.close();
      }
      open = new Headers(shard);
      headers = open;
    }
    return open;
  }

  /// Reads samples of one shard without their images and sounds: headers, labels and other fields.
  private static final class Headers implements Closeable {
    private final TarShard shard;
    private final FileStream file;
    private final StreamBytes bytes;
    private final RunReader runs;

    Headers(TarShard shard) {
      this.shard = shard;
      file = new FileStream(shard.file(), 0, false);
      bytes = new StreamBytes(file, 0, TarHeader.BLOCK);
      runs = new RunReader(bytes, shard.name(), new Notes());
      runs.passPictures();
    }

    /// {@return bytes read}
    long read(TarIndex samples, int sample, Sample into) throws IOException, DecodeException {
      long before = file.bytesRead();
      bytes.seek(samples.start(sample));
      runs.restart();
      fill(runs, samples, sample, into, 0, shard.roles());
      return file.bytesRead() - before;
    }

    @Override
    public void close() throws IOException {
      runs.close();
      bytes.close();
    }
  }

  /// Passes over what lies between the members.
  private static void readPieces(TarShard shard, TarIndex samples, int sample, Sample into)
      throws IOException, DecodeException {
    try (StreamBytes bytes = shard.plain(samples.start(sample), TarShard.HEADER_BUFFER);
        var reader = new RunReader(bytes, shard.name(), new Notes())) {
      fill(reader, samples, sample, into, 0, shard.roles());
    }
  }

  private static void fill(
      RunReader reader, TarIndex samples, int sample, Sample into, long filled, MemberRoles roles)
      throws IOException, DecodeException {
    boolean there;
    try {
      there = reader.next(into.block(), filled);
    } catch (CorruptDataException e) {
      throw new DecodeException(
          e.fault(), "no whole sample lies where the index has one: " + e.reason());
    }
    Run run = reader.run();
    if (!there
        || run.id() != samples.id(sample)
        || reader.start() != samples.start(sample)
        || reader.end() - reader.start() != samples.length(sample)) {
      throw new DecodeException(
          Fault.MISMATCH,
          "the file has changed since it was indexed: another sample lies here%s"
              .formatted(there ? ", '" + run.stem() + "'" : ""));
    }
    if (samples.reappears(sample)) {
      run.fail(RunReader.reappears(run));
    }
    if (samples.cut(sample)) {
      run.fail(RunReader.cut(run));
    }
    run.fill(into, roles);
  }

  /// A sample that the index could not reach.
  private static CorruptDataException lost(
      TarShard shard, TarIndex samples, int sample, Sample into) {
    CorruptDataException fault = samples.fault();
    long offset = fault == null ? -1 : fault.where().offset();
    into.place(shard.name(), sample, offset);
    return shard.lost(
        new Location(shard.name(), sample, fault == null ? null : fault.where().key(), offset));
  }

  @Override
  public void close() throws IOException {
    if (runs != null) {
      runs.close();
    }
    if (headers != null) {
      headers.close();
    }
  }
}
