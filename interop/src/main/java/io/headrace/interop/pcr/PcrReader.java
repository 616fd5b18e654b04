package io.headrace.interop.pcr;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.format.ShardStarts;
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
    long at = extra;
    for (int group = 1; group <= groups; group++) {
      int length = map.length(image, group);
      if (length > 0) {
        file.read(map.start(image, group), memory.asSlice(at, length));
        at += length;
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
