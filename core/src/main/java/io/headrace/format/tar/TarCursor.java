package io.headrace.format.tar;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Sample;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.StreamBytes;
import io.headrace.store.FileStream;
import java.io.IOException;

/// Streams the samples of one archive.
final class TarCursor implements SampleCursor {
  private final TarShard shard;
  private final FileStream channel;
  private final StreamBytes bytes;
  private final Notes notes = new Notes();
  private final RunReader runs;
  private boolean resumable;
  private boolean ended;

  /// @param channel of the file, from which `bytes` come
  TarCursor(TarShard shard, FileStream channel, StreamBytes bytes) {
    this.shard = shard;
    this.channel = channel;
    this.bytes = bytes;
    runs = new RunReader(bytes, shard.name(), notes);
    runs.others(shard::othersKinds);
  }

  @Override
  public boolean next(Sample into) throws IOException {
    resumable = false;
    if (ended) {
      return false;
    }
    into.place(shard.name(), -1, -1);
    try {
      if (!runs.next(into.block(), 0)) {
        end();
        shard.checkCount(runs.record() + 1);
        return false;
      }
    } catch (CorruptDataException e) {
      end();
      into.place(shard.name(), e.where().record(), e.where().offset());
      throw e;
    }
    into.place(shard.name(), runs.record(), runs.start());
    try {
      runs.run().fill(into, shard.roles());
    } catch (DecodeException e) {
      resumable = true;
      throw CorruptDataException.at(into.location(), e);
    }
    into.storedBytes(runs.end() - runs.start());
    return true;
  }

  private void end() {
    ended = true;
    shard.streamed(notes, true);
  }

  @Override
  public boolean resumable() {
    return resumable;
  }

  @Override
  public long bytesRead() {
    return channel.bytesRead();
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      shard.streamed(notes, false);
    }
    try (runs) {
      bytes.close();
    }
  }
}
