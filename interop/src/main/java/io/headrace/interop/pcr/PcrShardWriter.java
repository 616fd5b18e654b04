package io.headrace.interop.pcr;

import io.headrace.format.SampleMeta;
import io.headrace.format.ShardWriter;
import io.headrace.interop.spool.Spool;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one record. A scan group holds a part of every image. So each group grows in a file of
/// its own until the last image is known, and memory does not depend on the number of images.
final class PcrShardWriter implements ShardWriter {
  private static final int VERSION = 1;
  private static final MemorySegment NO_PART =
      MemorySegment.ofArray(new byte[] {(byte) Tags.PART, 0});

  private final WritableByteChannel target;
  private final Path scratch;
  private final List<Spool> groups = new ArrayList<>();
  private @Nullable Spool extras;
  private byte[] labels = new byte[4096];
  private int labelBytes;
  private long images;

  PcrShardWriter(WritableByteChannel target, Path scratch) {
    this.target = target;
    this.scratch = scratch;
  }

  @Override
  public void write(SampleMeta meta, MemorySegment packed) throws IOException {
    int entries = packed.get(PcrPacker.U32, 0);
    long at = (1L + entries) * Integer.BYTES;
    for (int entry = 0; entry < entries; entry++) {
      long length = packed.get(PcrPacker.U32, (1L + entry) * Integer.BYTES);
      spool(entry).write(packed.asSlice(at, length));
      at += length;
    }
    for (int group = entries - 1; group < groups.size(); group++) {
      groups.get(group).write(NO_PART);
    }
    if (labelBytes + 11 > labels.length) {
      labels = Arrays.copyOf(labels, 2 * labels.length);
    }
    var out = new MessageOutput(MemorySegment.ofArray(labels), labelBytes);
    out.number(Tags.LABEL, meta.label());
    labelBytes = (int) out.position();
    images++;
  }

  private Spool spool(int entry) throws IOException {
    if (entry == 0) {
      Spool open = extras;
      if (open == null) {
        open = new Spool(scratch.resolveSibling(scratch.getFileName() + ".extras"));
        extras = open;
      }
      return open;
    }
    while (groups.size() < entry) {
      var group =
          new Spool(
              scratch.resolveSibling(
                  "%s.group-%d".formatted(scratch.getFileName(), groups.size() + 1)));
      groups.add(group);
      for (long image = 0; image < images; image++) {
        group.write(NO_PART);
      }
    }
    return groups.get(entry - 1);
  }

  @Override
  public void finish() throws IOException {
    long index = (2L + groups.size()) * Long.BYTES;
    byte[] head =
        new byte
            [Math.toIntExact(
                MessageOutput.fieldBytes(Tags.OWN_INDEX, index)
                    + labelBytes
                    + 2 * MessageOutput.fieldBytes(Tags.LEVELS, 0))];
    long extraBytes = extras == null ? 0 : extras.size();
    long metadata = head.length + extraBytes;
    requireMessage("metadata", metadata);
    var out = new MessageOutput(MemorySegment.ofArray(head), 0);
    out.begin(Tags.OWN_INDEX, index);
    out.fixed64(images);
    out.fixed64(metadata);
    for (Spool group : groups) {
      requireMessage("a scan group", group.size());
      out.fixed64(group.size());
    }
    System.arraycopy(labels, 0, head, (int) out.position(), labelBytes);
    out = new MessageOutput(MemorySegment.ofArray(head), out.position() + labelBytes);
    out.number(Tags.LEVELS, groups.size());
    out.number(Tags.VERSION, VERSION);
    ByteBuffer bytes = ByteBuffer.wrap(head);
    while (bytes.hasRemaining()) {
      int _ = target.write(bytes);
    }
    if (extras != null) {
      extras.copyTo(target);
    }
    for (Spool group : groups) {
      group.copyTo(target);
    }
  }

  private void requireMessage(String what, long bytes) throws IOException {
    if (bytes > Integer.MAX_VALUE) {
      throw new IOException(
          "%s of %d images has %d bytes, a protobuf message less than 2 GiB: make more shards"
              .formatted(what, images, bytes));
    }
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    List<Spool> all = new ArrayList<>(groups);
    if (extras != null) {
      all.add(extras);
    }
    for (Spool spool : all) {
      try {
        spool.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
