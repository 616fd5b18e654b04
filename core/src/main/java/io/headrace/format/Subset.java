package io.headrace.format;

import io.headrace.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A view of a few samples of a dataset: spread evenly where it is indexed, else the first ones.
/// Closing it leaves the dataset open.
public final class Subset implements Dataset {
  private final Dataset whole;
  private final long size;
  private final long wholeSize;

  /// @param samples how many to show, if there are so many
  public Subset(Dataset whole, long samples) {
    this.whole = whole;
    wholeSize = whole.size();
    size = wholeSize < 0 ? samples : Math.min(samples, wholeSize);
  }

  @Override
  public Path root() {
    return whole.root();
  }

  @Override
  public List<String> classes() {
    return whole.classes();
  }

  @Override
  public long size() {
    return whole.indexed() || wholeSize >= 0 ? size : -1;
  }

  @Override
  public boolean indexed() {
    return whole.indexed();
  }

  @Override
  public SampleReader openReader() throws IOException {
    SampleReader reader = whole.openReader();
    return new SampleReader() {
      @Override
      public void read(long index, Sample into) throws IOException {
        reader.read(index * wholeSize / size, into);
      }

      @Override
      public void read(long index, int fidelity, Sample into) throws IOException {
        reader.read(index * wholeSize / size, fidelity, into);
      }

      @Override
      public boolean extend(long index, int fidelity, Sample into) throws IOException {
        return reader.extend(index * wholeSize / size, fidelity, into);
      }

      @Override
      public void read(long index, int fidelity, LevelChoice choice, Sample into)
          throws IOException {
        reader.read(index * wholeSize / size, fidelity, choice, into);
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  @Override
  public int kindOf(long index) {
    return whole.kindOf(index * wholeSize / size);
  }

  /// {@return one shard, whatever the dataset has}
  @Override
  public List<Path> shards() {
    return List.of(whole.root());
  }

  @Override
  public int groups() {
    return whole.groups();
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return openCursor(shard, Integer.MAX_VALUE);
  }

  @Override
  public SampleCursor openCursor(int shard, int fidelity) throws IOException {
    return whole.indexed() ? new Spread(openReader(), fidelity) : new First(fidelity);
  }

  /// The samples of an indexed dataset, one by one.
  private final class Spread implements SampleCursor {
    private final SampleReader reader;
    private final int fidelity;
    private long next;
    private long bytes;

    Spread(SampleReader reader, int fidelity) {
      this.reader = reader;
      this.fidelity = fidelity;
    }

    @Override
    public boolean next(Sample into) throws IOException {
      if (next == size) {
        return false;
      }
      reader.read(next++, fidelity, into);
      bytes += into.storedBytes();
      return true;
    }

    @Override
    public boolean resumable() {
      return true;
    }

    @Override
    public long bytesRead() {
      return bytes;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /// The first samples of all shards in turn.
  private final class First implements SampleCursor {
    private final int fidelity;
    private int shard;
    private long left = size;
    private long closedBytes;
    private SampleCursor cursor;

    First(int fidelity) throws IOException {
      this.fidelity = fidelity;
      cursor = whole.openCursor(0, fidelity);
    }

    @Override
    public boolean next(Sample into) throws IOException {
      while (left > 0) {
        if (cursor.next(into)) {
          left--;
          return true;
        }
        if (shard + 1 == whole.shards().size()) {
          return false;
        }
        closedBytes += cursor.bytesRead();
        cursor.close();
        cursor = whole.openCursor(++shard, fidelity);
      }
      return false;
    }

    @Override
    public boolean resumable() {
      return cursor.resumable();
    }

    @Override
    public long bytesRead() {
      return closedBytes + cursor.bytesRead();
    }

    @Override
    public void close() throws IOException {
      cursor.close();
    }
  }

  @Override
  public long storedBytes() throws IOException {
    return wholeSize <= 0 ? whole.storedBytes() : whole.storedBytes() / wholeSize * size;
  }

  @Override
  public String setDigest() {
    return size == wholeSize ? whole.setDigest() : "";
  }

  @Override
  public String labelDigest() {
    return size == wholeSize ? whole.labelDigest() : "";
  }

  @Override
  public List<Path> linkedFolders() {
    return whole.linkedFolders();
  }

  @Override
  public List<LeftOut> leftOut() {
    return whole.leftOut();
  }

  @Override
  public List<String> warnings() {
    return whole.warnings();
  }

  /// Does nothing: the dataset stays open.
  @Override
  public void close() throws CorruptDataException {}
}
