package io.headrace.interop.pcr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Streams the images of one record at a fidelity: all of its metadata, then every scan group from
/// start to end, all of them side by side, through a window each. Every byte of the prefix is read
/// once, and no byte after it.
final class PcrCursor implements SampleCursor {
  private static final long WINDOW = 1 << 20;
  private static final long MAX_METADATA = 1L << 30;

  private final RecordFile record;
  private final int groups;
  private final Arena arena = Arena.ofShared();
  private final Block metadata = new Block(new MemoryBudget(MAX_METADATA));
  private final Extras extras = new Extras();
  private final MessageInput[] inputs;
  private final PartReader[] parts;

  /// Bytes of the image's part in each group.
  private final long[] lengths;

  private @Nullable RecordHead head;
  private int image = -1;
  private long metadataRead;
  private boolean ended;
  private boolean resumable;
  private @Nullable DecodeException tooLarge;

  PcrCursor(RecordFile record, int fidelity) {
    this.record = record;
    groups = record.groups(fidelity);
    inputs = new MessageInput[groups];
    parts = new PartReader[groups];
    lengths = new long[groups];
  }

  @Override
  public boolean next(Sample into) throws IOException {
    resumable = false;
    if (ended) {
      return false;
    }
    ended = true; // unless all goes well
    into.place(record.name(), Math.max(image, 0), 0);
    RecordHead of = head;
    if (of == null) {
      of = begin();
      head = of;
    }
    image++;
    if (image == of.images()) {
      end();
      return false;
    }
    into.place(record.name(), image, inputs.length == 0 ? 0 : inputs[0].position());
    into.key(record.key(image));
    into.label(of.label(image));
    long before = consumed();
    int group = 0;
    tooLarge = null;
    try {
      long extra = readExtra(of, into);
      long bytes = extra;
      for (group = 1; group <= groups; group++) {
        lengths[group - 1] = parts[group - 1].next();
        bytes += lengths[group - 1];
      }
      reserve(into, bytes); // so that nothing is read of an image for which there is no memory
      long at = extra;
      boolean closed = false;
      for (group = 1; group <= groups; group++) {
        at = append(into, at, lengths[group - 1], inputs[group - 1]);
        long tail = parts[group - 1].tail();
        if (tail >= 0) {
          at = append(into, at, tail, inputs[group - 1]);
          closed = true;
        }
      }
      group = 0;
      DecodeException limit = tooLarge;
      if (limit != null) {
        resumable = true;
        ended = false;
        throw limit;
      }
      at = closed ? at : appendEnd(into, at);
      into.encoded(extra, at - extra);
      into.storedBytes(consumed() - before + (image == 0 ? record.entry().prefix(0) : 0));
      resumable = true;
      ended = false;
      if (of.hasExtras()) {
        extras.read(into, into.block().memory(), 0, extra);
      }
    } catch (DecodeException e) {
      throw record.at(image, group == 0 ? 0 : inputs[group - 1].position(), e);
    }
    return true;
  }

  /// {@return bytes consumed of the prefix}
  private long consumed() {
    long sum = 0;
    for (int group = 1; group <= groups; group++) {
      sum += inputs[group - 1].position() - record.entry().prefix(group - 1);
    }
    return sum;
  }

  private RecordHead begin() throws IOException {
    ByteFile file = record.checked();
    long length = record.entry().prefix(0);
    MemorySegment bytes;
    try {
      bytes = metadata.ensure(length).asSlice(0, length);
    } catch (DecodeException e) {
      throw record.at(-1, 0, e);
    }
    file.read(0, bytes);
    metadataRead = length;
    RecordHead of = record.head(bytes);
    for (int group = 1; group <= groups; group++) {
      long from = record.entry().prefix(group - 1);
      long to = record.entry().prefix(group);
      inputs[group - 1] = new MessageInput(file, arena.allocate(Math.clamp(to - from, 1, WINDOW)));
      inputs[group - 1].reset(from, to);
      parts[group - 1] = new PartReader(inputs[group - 1], of.images(), group);
    }
    return of;
  }

  private void end() throws CorruptDataException, IOException {
    for (int group = 1; group <= groups; group++) {
      try {
        parts[group - 1].end();
      } catch (DecodeException e) {
        throw record.at(-1, inputs[group - 1].position(), e);
      }
    }
  }

  /// {@return bytes that the image's key and fields take at the start of the sample's memory}
  private long readExtra(RecordHead of, Sample into) throws DecodeException {
    if (!of.hasExtras()) {
      return 0;
    }
    long length = of.extraLength(image);
    MemorySegment.copy(metadata.memory(), of.extraStart(image), into.ensure(length), 0, length);
    return length;
  }

  private void reserve(Sample into, long bytes) {
    try {
      if (tooLarge == null) {
        MemorySegment _ = into.ensureKeeping(bytes);
      }
    } catch (DecodeException e) {
      tooLarge = e;
    }
  }

  /// Appends a part to those before it, or skips it if there is no memory for the image.
  private long append(Sample into, long at, long length, MessageInput in)
      throws DecodeException, IOException {
    reserve(into, at + length);
    if (tooLarge == null) {
      in.read(into.block().memory().asSlice(at, length));
    } else {
      in.pass(length);
    }
    return at + length;
  }

  /// {@return the length with an end marker after}
  static long appendEnd(Sample into, long at) throws DecodeException {
    MemorySegment memory = into.ensureKeeping(at + 2);
    memory.set(JAVA_BYTE, at, (byte) 0xff);
    memory.set(JAVA_BYTE, at + 1, (byte) 0xd9);
    return at + 2;
  }

  @Override
  public boolean resumable() {
    return resumable;
  }

  @Override
  public long bytesRead() {
    long sum = metadataRead;
    for (MessageInput in : inputs) {
      sum += in == null ? 0 : in.bytesRead();
    }
    return sum;
  }

  @Override
  public void close() {
    metadata.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
