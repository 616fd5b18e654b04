package io.headrace.format.race;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.jpeg.packed.PackedHeader;
import io.headrace.codec.stream.BlobDecompressor;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.store.Gather;
import java.io.IOException;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/// Fills samples of one shard from the blobs of their groups. Confined.
final class SampleFiller implements AutoCloseable {
  /// Scales at which a packed JPEG may be decoded: 1/8, 1/4, 1/2 and its own, which take the bands
  /// up to 1, 1, 2 and 3.
  private static final int SCALES = 4;

  private final String name;
  private final RaceIndex index;
  private final BlobReader[] readers;
  private final BlobDecompressor decompressor;
  private final PackedHeader packed = new PackedHeader();

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

  /// Announces the pieces of the file that a sample takes. Blocks are not among them: whoever reads
  /// one has many samples.
  ///
  /// @param fidelity groups to read, at least 1
  /// @param choice with which it will be read, or null
  /// @param number of the file
  static void want(
      RaceIndex index,
      int sample,
      int fidelity,
      @Nullable LevelChoice choice,
      Gather gather,
      int number) {
    int flags = index.flags(sample);
    int wanted = enough(index, sample, Math.min(fidelity, index.groups(sample)), choice);
    boolean levels = (flags & Blob.LEVELS) != 0;
    if (levels && wanted == index.groups(sample)) {
      return; // one of them will be chosen
    }
    for (int group = 0; group < wanted; group++) {
      boolean read = !levels || group == wanted - 1 || (group == 0 && (flags & Blob.FIELDS) != 0);
      RaceSection section = index.section(group);
      if (read && !section.compressed()) {
        gather.want(number, section.place(sample), section.length(sample));
      }
    }
  }

  /// {@return groups that a sample takes: of a packed JPEG only the bands that count at the scale
  ///     that is chosen, as if there were a level for each}
  private static int enough(RaceIndex index, int sample, int wanted, @Nullable LevelChoice choice) {
    if (choice == null || wanted == 1 || index.encoding(sample) != ImageFormat.PACKED.number()) {
      return wanted;
    }
    long id = SampleIds.of(index.key(sample));
    int level = choice.choose(id, index.height(sample), index.width(sample), SCALES);
    return level == LevelChoice.EVERY ? wanted : Math.clamp(level, 1, wanted);
  }

  /// Reads on from what was announced.
  ///
  /// @param number of the file
  void gather(@Nullable Gather gather, int number) {
    for (BlobReader reader : readers) {
      reader.gather(gather, number);
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
  /// @param choice which level is read of a whole image that has levels, or which bands of a packed
  ///     JPEG; null for the image
  void fill(int sample, int fidelity, @Nullable LevelChoice choice, Sample into)
      throws IOException {
    if (fidelity < 1) {
      throw new IllegalArgumentException("fidelity " + fidelity + ": expected at least 1");
    }
    int used = index.groups(sample);
    int wanted = Math.min(fidelity, used);
    boolean levels = (index.flags(sample) & Blob.LEVELS) != 0;
    into.place(name, sample, index.section(levels ? wanted - 1 : 0).place(sample));
    long before = bytesRead();
    try {
      int key = index.keyLength(sample);
      long total = (long) key + Short.BYTES;
      for (int group = 0; group < wanted; group++) {
        total += index.section(group).length(sample);
      }
      LevelChoice chooser = levels && wanted == used ? choice : null;
      index.copyKey(sample, into.ensure(chooser == null ? total : key));
      into.key(0, key);
      into.label(index.label(sample));
      into.groups(wanted, used);
      if (chooser != null) {
        fillChosen(sample, chooser, total, into);
      } else if (levels) {
        fillLevel(sample, wanted - 1, into);
      } else {
        fillParts(sample, wanted, enough(index, sample, wanted, choice), into);
      }
      into.storedBytes(bytesRead() - before);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(e.fault(), e.reason(), into.location(), e);
    }
  }

  /// Reads the groups that a sample lacks after those it has.
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

  /// Parts of one image, read after each other.
  ///
  /// @param enough how many are read of a packed JPEG if it is decoded to planes, as all usual ones
  ///     are
  private void fillParts(int sample, int wanted, int enough, Sample into)
      throws IOException, DecodeException {
    long start = index.keyLength(sample);
    long end = readBlob(0, sample, into, start);
    long image = readHead(sample, true, into, start, end);
    into.addPart(end - image);
    int read = wanted;
    if (enough < wanted && packed.shrinks(into.block().memory().asSlice(image, end - image))) {
      read = enough;
      into.groups(read, into.groupsInAll());
    }
    readParts(sample, 1, read, image, end, into);
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

  /// The level that is chosen, or all of them; with fields where these are wanted.
  private void fillChosen(int sample, LevelChoice choice, long total, Sample into)
      throws IOException, DecodeException {
    int count = index.groups(sample);
    int height = index.height(sample);
    int width = index.width(sample);
    long start = index.keyLength(sample);
    int level = choice.choose(into.id(), height, width, count);
    into.level(level == LevelChoice.EVERY ? count - 1 : level, count, height, width);
    if (level != LevelChoice.EVERY) {
      into.offset(index.section(level).place(sample));
      into.ensureKeeping(start + index.section(level).length(sample));
      long end = fillImage(sample, level, into, start);
      if (choice.fields()) {
        into.ensureKeeping(end + index.section(0).length(sample));
        addFields(sample, level, end, into);
      }
      return;
    }
    into.ensureKeeping(total);
    for (int group = 0; group < count; group++) {
      into.tiles(0, 0);
      long end = fillImage(sample, group, into, start);
      long image = end - into.encodedBytes();
      long place = index.section(group).place(sample);
      into.addLevel(image, end - image, start + 4, into.tiles().byteSize(), place);
      start = end;
    }
    into.takeLevel(count - 1);
  }

  /// One image of several. Fields stand with the first.
  private void fillLevel(int sample, int group, Sample into) throws IOException, DecodeException {
    long end = fillImage(sample, group, into, index.keyLength(sample));
    addFields(sample, group, end, into);
  }

  /// Adds the fields to a level that is not the first.
  ///
  /// @param end where the sample's memory is free, with room for the first level's blob
  private void addFields(int sample, int group, long end, Sample into)
      throws IOException, DecodeException {
    if (group > 0 && (index.flags(sample) & Blob.FIELDS) != 0) {
      long tiles = into.tiles().byteSize();
      long last = readBlob(0, sample, into, end);
      long _ = readHead(sample, true, into, end, last);
      into.tiles(index.keyLength(sample) + 4L, tiles); // not those of the first level
    }
  }

  /// {@return where the blob of an image that is a group of its own ends}
  ///
  /// @param start where it is to lie
  private long fillImage(int sample, int group, Sample into, long start)
      throws IOException, DecodeException {
    long end = readBlob(group, sample, into, start);
    long image = readHead(sample, group == 0, into, start, end);
    into.encoded(image, end - image);
    return end;
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
