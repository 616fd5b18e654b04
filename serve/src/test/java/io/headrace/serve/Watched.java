package io.headrace.serve;

import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A dataset whose readers count, and die at one sample, of nothing that is a fault of the data.
///
/// @param number of that sample, or -1
/// @param reads how many samples were read
record Watched(Dataset whole, long number, AtomicLong reads) implements Dataset {
  @Override
  public SampleReader openReader() throws IOException {
    SampleReader reader = whole.openReader();
    return new SampleReader() {
      @Override
      public void read(long index, Sample into) throws IOException {
        reader.read(index, into);
        long _ = reads.incrementAndGet();
        if (index == number) {
          throw new AssertionError("on purpose");
        }
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
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
    return whole.size();
  }

  @Override
  public boolean indexed() {
    return whole.indexed();
  }

  @Override
  public List<Path> shards() {
    return whole.shards();
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return whole.openCursor(shard);
  }

  @Override
  public long storedBytes() throws IOException {
    return whole.storedBytes();
  }

  @Override
  public String setDigest() {
    return whole.setDigest();
  }

  @Override
  public List<String> warnings() {
    return List.of();
  }

  @Override
  public void close() throws IOException {
    whole.close();
  }
}
