package io.headrace.interop.pcr;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardStarts;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads single images: one read of the file for each of their parts. The structure of a record is
/// read when the first of its images is asked for.
final class PcrReader implements SampleReader {
  private final List<RecordFile> records;
  /// Number of the first image of each record, and the total.
  private final long[] starts;
  private final Extras extras = new Extras();
  private @Nullable RecordFile last;
  private @Nullable RecordMap lastMap;

  PcrReader(List<RecordFile> records, long[] starts) {
    this.records = records;
    this.starts = starts;
  }

  @Override
  public void read(long index, Sample into) throws IOException {
    read(index, Integer.MAX_VALUE, into);
  }

  @Override
  public void read(long index, int fidelity, Sample into) throws IOException {
    int r = ShardStarts.shardOf(starts, index);
    RecordFile record = records.get(r);
    long image = index - starts[r];
    into.place(record.name(), image, -1);
    into.key(record.key(image));
    RecordMap map = map(record);
    try {
      read(record, map, (int) image, record.groups(fidelity), into);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
  }

  @Override
  public boolean extend(long index, int fidelity, Sample into) throws IOException {
    int r = ShardStarts.shardOf(starts, index);
    RecordFile record = records.get(r);
    int image = (int) (index - starts[r]);
    int wanted = record.groups(fidelity);
    int had = into.parts();
    if (had == 0 || wanted <= had || into.groupsInAll() != record.groups(Integer.MAX_VALUE)) {
      return false;
    }
    RecordMap map = map(record);
    try {
      long bytes = 2;
      for (int group = had + 1; group <= wanted; group++) {
        bytes += map.length(image, group);
      }
      long start = into.start();
      long at = into.follow(bytes);
      into.groups(wanted, into.groupsInAll());
      into.storedBytes(bytes - 2);
      ByteFile file = record.checked();
      for (int group = had + 1; group <= wanted; group++) {
        at = readPart(file, map, image, group, at, into.block().memory());
        into.addPart(at - start);
      }
      into.encoded(start, PcrCursor.appendEnd(into, at) - start);
      return true;
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
  }

  /// {@return where the part ends in memory}
  private static long readPart(
      ByteFile file, RecordMap map, int image, int group, long at, MemorySegment memory)
      throws IOException {
    int length = map.length(image, group);
    if (length > 0) {
      file.read(map.start(image, group), memory.asSlice(at, length));
    }
    return at + length;
  }

  private RecordMap map(RecordFile record) throws IOException {
    RecordMap map = lastMap;
    if (map == null || last != record) {
      map = record.map();
      last = record;
      lastMap = map;
    }
    return map;
  }

  private void read(RecordFile record, RecordMap map, int image, int groups, Sample into)
      throws DecodeException, IOException {
    ByteFile file = record.checked();
    RecordHead head = map.head();
    RecordMap.Tail tail = map.tail(image);
    long extra = head.hasExtras() ? head.extraLength(image) : 0;
    long bytes = extra + 2;
    for (int group = 1; group <= groups; group++) {
      bytes += map.length(image, group);
    }
    boolean closed = tail.group() <= groups;
    bytes += closed ? tail.length() : 0;
    into.place(record.name(), image, groups == 0 ? -1 : map.start(image, 1));
    into.key(record.key(image));
    into.label(head.label(image));
    MemorySegment memory = into.ensure(bytes);
    if (extra > 0) {
      file.read(head.extraStart(image), memory.asSlice(0, extra));
    }
    into.groups(groups, record.groups(Integer.MAX_VALUE));
    boolean plain = tail.group() > record.groups(Integer.MAX_VALUE);
    long at = extra;
    for (int group = 1; group <= groups; group++) {
      at = readPart(file, map, image, group, at, memory);
      if (plain) {
        into.addPart(at - extra);
      }
      if (group == tail.group()) {
        file.read(tail.start(), memory.asSlice(at, tail.length()));
        at += tail.length();
      }
    }
    into.storedBytes(at);
    at = closed ? at : PcrCursor.appendEnd(into, at);
    into.encoded(extra, at - extra);
    if (head.hasExtras()) {
      extras.read(into, memory, 0, extra);
    }
  }

  @Override
  public void close() {
    // files belong to the dataset
  }
}
