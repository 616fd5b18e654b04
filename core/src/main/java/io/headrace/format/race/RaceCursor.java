package io.headrace.format.race;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Sample;
import java.io.IOException;
import java.lang.foreign.Arena;

/// Reads the samples of a shard in stored order: of the file, exactly the groups that are wanted,
/// each from first to last in large reads.
final class RaceCursor implements SampleCursor {
  private static final int WINDOW = 1 << 20;

  private final RaceShard shard;
  private final int fidelity;
  private final Arena arena = Arena.ofShared();
  private final SampleFiller filler;
  private final int samples;
  private int next;
  private boolean resumable;

  /// @param fidelity groups to read, at least 1
  /// @throws CorruptDataException if the shard's index cannot be believed
  RaceCursor(RaceShard shard, int fidelity) throws CorruptDataException {
    this.shard = shard;
    this.fidelity = fidelity;
    try {
      samples = shard.index().samples();
      filler = new SampleFiller(shard, WINDOW, arena);
    } catch (CorruptDataException e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public boolean next(Sample into) throws IOException {
    resumable = false;
    if (next >= samples) {
      return false;
    }
    int sample = next++;
    into.place(shard.path().toString(), sample, -1);
    try {
      filler.fill(sample, fidelity, null, into);
      return true;
    } catch (CorruptDataException e) {
      resumable = true;
      throw e;
    }
  }

  @Override
  public boolean resumable() {
    return resumable;
  }

  @Override
  public long bytesRead() {
    return filler.bytesRead();
  }

  @Override
  public void close() {
    if (!arena.scope().isAlive()) {
      return;
    }
    filler.close();
    arena.close();
  }
}
