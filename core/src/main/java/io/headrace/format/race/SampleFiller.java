package io.headrace.format.race;

import io.headrace.codec.stream.BlobDecompressor;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import java.io.IOException;
import java.lang.foreign.Arena;

/// Fills samples of one shard from the blobs of their groups. Confined.
final class SampleFiller implements AutoCloseable {
  private final String name;
  private final RaceIndex index;
  private final BlobReader[] readers;
  private final BlobDecompressor decompressor;

  /// @param window bytes of each group to read at a time, or 0 for each blob alone
  /// @param arena of what lies between file and sample
  /// @throws CorruptDataException if the shard's index cannot be believed
  SampleFiller(RaceShard shard, int window, Arena arena) throws CorruptDataException {
    name = shard.path().toString();
    index = shard.index();
    decompressor = new BlobDecompressor(index.compression());
    readers = new BlobReader[index.groups()];
    for (int group = 0; group < readers.length; group++) {
      readers[group] =
          new BlobReader(shard.file(), index.section(group), window, decompressor, arena);
    }
  }

  /// {@return bytes read from the file so far}
  long bytesRead() {
    long sum = 0;
    for (BlobReader reader : readers) {
      sum += reader.bytesRead();
    }
    return sum;
  }

  /// Fills `into` with one sample of the shard.
  ///
  /// @param fidelity groups to read, at least 1
  void fill(int sample, int fidelity, Sample into) throws IOException {
    if (fidelity < 1) {
      throw new IllegalArgumentException("fidelity " + fidelity + ": expected at least 1");
    }
    int used = index.groups(sample);
    int wanted = Math.min(fidelity, used);
    boolean levels = (index.flags(sample) & Blob.LEVELS) != 0;
    int first = levels ? wanted - 1 : 0;
    into.place(name, sample, index.section(first).place(sample));
    long before = bytesRead();
    try {
      int key = index.keyLength(sample);
      long total = (long) key + Short.BYTES;
      for (int group = 0; group < wanted; group++) {
        total += index.section(group).length(sample);
      }
      index.copyKey(sample, into.ensure(total));
      into.key(0, key);
      into.label(index.label(sample));
      into.groups(wanted, used);
      if (levels) {
        fillLevel(sample, first, into);
      } else {
        fillParts(sample, wanted, into);
      }
      into.storedBytes(bytesRead() - before);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(e.fault(), e.reason(), into.location(), e);
    }
  }

  /// Reads the groups that a sample lacks behind those it has.
  ///
  /// @param fidelity groups that it is to have, more than it has
  /// @return false if its groups are not parts of one image
  boolean extend(int sample, int fidelity, Sample into) throws IOException {
    int used = index.groups(sample);
    int wanted = Math.min(fidelity, used);
    int had = into.parts();
    if (had == 0 || used != into.groupsInAll() || wanted <= had) {
      return false;
    }
    long before = bytesRead();
    try {
      long total = Short.BYTES;
      for (int group = had; group < wanted; group++) {
        total += index.section(group).length(sample);
      }
      long image = into.start();
      long at = into.follow(total);
      into.groups(wanted, used);
      readParts(sample, had, wanted, image, at, into);
      into.storedBytes(bytesRead() - before);
      return true;
    } catch (DecodeException e) {
      into.storedBytes(bytesRead() - before);
      throw CorruptDataException.at(into.location(), e);
    }
  }

  /// Parts of one image, read behind each other.
  private void fillParts(int sample, int wanted, Sample into) throws IOException, DecodeException {
    long start = index.keyLength(sample);
    long end = readBlob(0, sample, into, start);
    long image = readHead(sample, true, into, start, end);
    into.addPart(end - image);
    readParts(sample, 1, wanted, image, end, into);
  }

  private void readParts(int sample, int from, int wanted, long image, long start, Sample into)
      throws IOException, DecodeException {
    long at = start;
    for (int group = from; group < wanted; group++) {
      at = readBlob(group, sample, into, at);
      into.addPart(at - image);
    }
    if (wanted < into.groupsInAll()) {
      at = into.end(at);
    }
    into.encoded(image, at - image);
  }

  /// One image of several. Fields stand with the first.
  private void fillLevel(int sample, int group, Sample into) throws IOException, DecodeException {
    long start = index.keyLength(sample);
    long end = readBlob(group, sample, into, start);
    long image = readHead(sample, group == 0, into, start, end);
    into.encoded(image, end - image);
    if (group > 0 && (index.flags(sample) & Blob.FIELDS) != 0) {
      long tiles = into.tiles().byteSize();
      long last = readBlob(0, sample, into, end);
      long _ = readHead(sample, true, into, end, last);
      into.tiles(start + 4, tiles); // not those of the first level
    }
  }

  private long readBlob(int group, int sample, Sample into, long at)
      throws IOException, DecodeException {
    long end = at + index.section(group).length(sample);
    try {
      readers[group].read(sample, into.block(), at);
    } catch (DecodeException e) {
      String reason = String.valueOf(e.getMessage());
      throw new DecodeException(
          e.fault(), index.groups() == 1 ? reason : "group %d: %s".formatted(group + 1, reason));
    } catch (CorruptDataException e) {
      throw new DecodeException(
          Fault.MISMATCH, "the file has changed since it was opened: " + e.reason());
    }
    return end;
  }

  /// {@return where the image's bytes begin in a blob}
  private long readHead(int sample, boolean fields, Sample into, long start, long end)
      throws DecodeException {
    long at = start;
    if ((index.flags(sample) & Blob.TILED) != 0) {
      at = Blob.readTiles(into, at, end);
    }
    if (fields && (index.flags(sample) & Blob.FIELDS) != 0) {
      at = Blob.readFields(into, at, end);
    }
    return at;
  }

  @Override
  public void close() {
    decompressor.close();
  }
}
