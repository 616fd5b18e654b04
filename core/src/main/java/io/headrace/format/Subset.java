package io.headrace.format;

import io.headrace.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A view of a few samples of a dataset: spread evenly where it is indexed, else the first ones; or
/// those of given numbers. Closing it leaves the dataset open.
public final class Subset implements Dataset {
  private final Dataset whole;
  private final long size;
  private final long wholeSize;

  /// Numbers of the samples, ascending; null if they are spread.
  private final long @Nullable [] picks;

  private final String rule;

  /// @param samples how many to show, if there are so many
  public Subset(Dataset whole, long samples) {
    this.whole = whole;
    wholeSize = whole.size();
    size = wholeSize < 0 ? samples : Math.min(samples, wholeSize);
    picks = null;
    rule = "";
  }

  /// The samples of some numbers.
  ///
  /// @param picks their numbers, ascending; of a dataset that only streams, counted over its shards
  /// @param rule by which they were picked, in words
  public Subset(Dataset whole, long[] picks, String rule) {
    this.whole = whole;
    wholeSize = whole.size();
    size = picks.length;
    this.picks = picks.clone();
    this.rule = rule;
  }

  /// {@return the rule by which samples were picked; empty if they are spread}
  public String rule() {
    return rule;
  }

  /// {@return the numbers that its samples have in the whole, ascending}
  public LongStream numbers() {
    return LongStream.range(0, size).map(this::at);
  }

  /// {@return the number that a sample has in the whole}
  private long at(long index) {
    return picks == null ? index * wholeSize / size : picks[(int) index];
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
    return picks != null || whole.indexed() || wholeSize >= 0 ? size : -1;
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
        reader.read(at(index), into);
      }

      @Override
      public void describe(long index, Sample into) throws IOException {
        reader.describe(at(index), into);
      }

      @Override
      public void read(long index, int fidelity, Sample into) throws IOException {
        reader.read(at(index), fidelity, into);
      }

      @Override
      public boolean extend(long index, int fidelity, Sample into) throws IOException {
        return reader.extend(at(index), fidelity, into);
      }

      @Override
      public void read(long index, int fidelity, LevelChoice choice, Sample into)
          throws IOException {
        reader.read(at(index), fidelity, choice, into);
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  @Override
  public int kindOf(long index) {
    return whole.kindOf(at(index));
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

  /// The wanted samples of all shards in turn.
  private final class First implements SampleCursor {
    private final int fidelity;
    private int shard;
    private long position;
    private long left = size;
    private long closedBytes;
    private boolean lost;
    private SampleCursor cursor;

    First(int fidelity) throws IOException {
      this.fidelity = fidelity;
      cursor = whole.openCursor(0, fidelity);
    }

    @Override
    public boolean next(Sample into) throws IOException {
      while (left > 0) {
        try {
          if (!lost && cursor.next(into)) {
            if (!wanted(position++)) {
              continue;
            }
            left--;
            return true;
          }
        } catch (CorruptDataException e) {
          lost = !cursor.resumable();
          if (wanted(position++) && picks != null) {
            left--;
          }
          throw e;
        }
        if (shard + 1 == whole.shards().size()) {
          return false;
        }
        closedBytes += cursor.bytesRead();
        cursor.close();
        cursor = whole.openCursor(++shard, fidelity);
        lost = false;
      }
      return false;
    }

    private boolean wanted(long number) {
      return picks == null || picks[(int) (size - left)] == number;
    }

    @Override
    public boolean resumable() {
      return !lost || shard + 1 < whole.shards().size();
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
