package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.stream.CompressedOutput;
import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Streams;
import io.headrace.error.DecodeException;
import io.headrace.format.SampleIds;
import io.headrace.format.SampleMeta;
import io.headrace.format.ShardWriter;
import io.headrace.format.tar.archive.HeaderWriter;
import io.headrace.format.tar.archive.TarHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// Writes one archive. Nothing reaches the channel before the first sample.
final class TarShardWriter implements ShardWriter {
  /// Archives end at a multiple of this, as tar's tapes did.
  private static final int RECORD = 20 * TarHeader.BLOCK;

  private static final int END = 2 * TarHeader.BLOCK;
  private static final long MAX_WRITE = 1L << 30;

  private final CompressedOutput out;
  private final KeySet stems = new KeySet();
  private final ByteBuffer zeros = ByteBuffer.allocate(RECORD);
  private long written;
  private boolean finished;

  TarShardWriter(WritableByteChannel target, Compression compression) {
    out = Streams.compress(new Lent(target), compression);
  }

  /// A channel that stays open, as it is someone else's.
  private record Lent(WritableByteChannel target) implements WritableByteChannel {
    @Override
    public int write(ByteBuffer source) throws IOException {
      return target.write(source);
    }

    @Override
    public boolean isOpen() {
      return target.isOpen();
    }

    @Override
    public void close() {
      // whoever lent it closes it
    }
  }

  @Override
  public void write(SampleMeta meta, MemorySegment packed) throws IOException {
    long at = 0;
    String stem = null;
    String key = null;
    while (at < packed.byteSize()) {
      long name = at + TarPacker.MEMBER_HEADER;
      long nameBytes = packed.get(JAVA_LONG_UNALIGNED, at);
      long data = name + nameBytes;
      long dataBytes = packed.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
      String extension = new String(packed.asSlice(name, nameBytes).toArray(JAVA_BYTE), UTF_8);
      if (stem == null) { // the image, which comes first
        MemberPath path = path(meta, packed.asSlice(data, dataBytes));
        stem = unique(path.stem());
        key = path.exact() && stem.equals(path.stem()) ? null : meta.key();
      }
      member(stem, extension, key, packed.asSlice(data, dataBytes));
      key = null;
      at = data + dataBytes;
    }
  }

  private static MemberPath path(SampleMeta meta, MemorySegment encoded) {
    try {
      return MemberPath.of(meta.key(), encoded);
    } catch (DecodeException e) {
      throw new IllegalArgumentException("was not packed by a packer of this container", e);
    }
  }

  /// {@return the stem, or the first of `STEM-2`, `STEM-3` and so on that no sample of the archive
  /// has}
  private String unique(String stem) throws IOException {
    if (stems.full()) {
      throw new IOException(
          "more than %d samples in one archive: write more shards".formatted(KeySet.MAX));
    }
    String free = stem;
    for (int n = 2; !stems.add(SampleIds.of(free)); n++) {
      free = stem + "-" + n;
    }
    return free;
  }

  private void member(String stem, String extension, @Nullable String key, MemorySegment data)
      throws IOException {
    long bytes = data.byteSize();
    write(ByteBuffer.wrap(HeaderWriter.member(stem, extension, key, bytes)));
    for (long at = 0; at < bytes; at += MAX_WRITE) {
      write(data.asSlice(at, Math.min(MAX_WRITE, bytes - at)).asByteBuffer());
    }
    pad(TarHeader.padded(bytes) - bytes);
  }

  private void write(ByteBuffer bytes) throws IOException {
    written += bytes.remaining();
    int _ = out.write(bytes);
  }

  private void pad(long bytes) throws IOException {
    write(zeros.clear().limit((int) bytes));
  }

  @Override
  public void finish() throws IOException {
    if (!finished) {
      finished = true;
      pad(END);
      pad((RECORD - written % RECORD) % RECORD);
      out.close();
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
