package io.headrace.format.tfrecord;

import io.headrace.codec.FirstBytes;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.shard.ByteSource;
import io.headrace.memory.Block;
import io.headrace.memory.BufferPool;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/// Reads the records of one TFRecord stream in order.
///
/// A length is believed only after its checksum agrees, and where the size of the stream is not
/// known, memory grows with the bytes that arrive, not with the length declared. Each fault is
/// thrown once: after a wrong payload ([#resumable]) reading goes on; after a wrong length there
/// is no way to find the next record, so the rest is dropped and [#next] returns -1. Confined to
/// one thread at a time.
public final class RecordReader implements Closeable {
  private static final long BUFFER = 256 << 10;

  /// As many bytes as cost about as much to copy out of the buffer as to ask the channel for.
  private static final int LARGE = 8 << 10;

  /// Bytes before the buffer, in which there is a header.
  private static final long BEFORE = 64;

  private static final long FIRST_STEP = 1 << 20;

  /// No record is this long; so a length above it is not worth the reading to prove.
  private static final long ABSURD = 1L << 40;

  private final ByteSource in;
  private final String file;
  private final long size;
  private final MaskedCrc crc = new MaskedCrc();
  private final BufferPool buffers;
  private final MemorySegment memory;
  private final MemorySegment header;

  /// Bytes of the next header that came along with the record before.
  private long ahead;

  private long record = -1;
  private long offset;
  private long unread;
  private boolean resumable;
  private boolean lost;
  private boolean closed;

  /// {@return a pool for many readers, which are then opened and closed at little cost}
  static BufferPool newPool() {
    return new BufferPool(BEFORE + BUFFER);
  }

  /// A reader that owns `in`.
  ///
  /// @param in the records, already decompressed
  /// @param file the name to give in errors
  /// @param size bytes that `in` holds, or -1 if unknown
  public RecordReader(ReadableByteChannel in, String file, long size) {
    BufferPool own = newPool();
    this(in, file, size, own);
    own.close(); // once this reader has given its memory back
  }

  /// The same with memory that is lent.
  RecordReader(ReadableByteChannel in, String file, long size, BufferPool buffers) {
    this.buffers = buffers;
    memory = buffers.take();
    header = memory.asSlice(0, Framing.HEADER);
    long ahead = size < 0 ? BUFFER : Math.clamp(size, 16, BUFFER);
    this.in = new ByteSource(in, 0, memory.asSlice(BEFORE, ahead), LARGE);
    this.file = file;
    this.size = size;
  }

  /// Reads the next record's payload to the start of `into`.
  ///
  /// @return payload bytes, or -1 at the end
  /// @throws CorruptDataException if the record is damaged, cut short, or does not fit the memory
  ///     budget; the message says how many bytes are dropped with it
  public long next(Block into) throws IOException {
    if (closed) {
      throw new IllegalStateException("the reader is closed");
    }
    resumable = false;
    if (lost) {
      return -1;
    }
    try {
      return read(into);
    } catch (CorruptDataException e) {
      lost = !resumable;
      if (e.where().record() >= 0) {
        throw e;
      }
      throw new CorruptDataException(e.fault(), e.reason(), where(), e); // from the stream below
    }
  }

  private long read(Block into) throws IOException {
    if (unread > 0) {
      passOver();
    }
    record++;
    offset = in.position() - ahead;
    long got = ahead + in.take(header, ahead, Framing.HEADER - ahead);
    ahead = 0;
    if (got == 0) {
      record--;
      return -1;
    }
    if (got < Framing.HEADER) {
      throw cut("%d of %d header bytes".formatted(got, Framing.HEADER));
    }
    if (!Framing.lengthIsSound(header, 0, crc)) {
      int found = crc.of(header.asSlice(0, Long.BYTES));
      String what =
          "length CRC-32C is %08x, file says %08x".formatted(found, Framing.lengthCrc(header, 0));
      DecodeException other = record == 0 ? foreign() : null;
      throw other == null
          ? fault(Fault.CORRUPT, what + dropped())
          : fault(other.fault(), String.valueOf(other.getMessage()));
    }
    long length = Framing.length(header, 0);
    long left = size < 0 ? ABSURD : size - in.position() - Framing.FOOTER;
    if (length < 0 || length > left) {
      throw cut(
          "%s payload bytes are declared%s"
              .formatted(
                  Long.toUnsignedString(length),
                  size < 0 ? "" : ", %d bytes are left".formatted(size - in.position())));
    }
    if (length > Block.MAX_BYTES - Framing.FOOTER) {
      throw tooLarge(length, length + Framing.FOOTER);
    }
    fill(into, length);
    int found = crc.of(into, 0, length);
    int stored = Framing.payloadCrc(into.memory(), 0, length);
    if (found != stored) {
      resumable = true;
      throw fault(
          Fault.CORRUPT, "payload CRC-32C is %08x, file says %08x".formatted(found, stored));
    }
    return length;
  }

  /// {@return the fault of a record that no memory can hold; reading goes on after it, if it is all
  /// there}
  private CorruptDataException tooLarge(long length, long bytes) throws IOException {
    long got = in.skip(bytes);
    if (got < bytes) {
      return cut("%d of %d payload bytes".formatted(Math.min(got, length), length));
    }
    resumable = true;
    return fault(
        Fault.LIMIT,
        "record of %d bytes, at most %d are read"
            .formatted(length, Block.MAX_BYTES - Framing.FOOTER));
  }

  /// Reads payload and footer. Where these go past the buffer the next header comes along if there
  /// is room for it, so that one read of the file is enough for a record.
  private void fill(Block into, long length) throws IOException {
    long bytes = length + Framing.FOOTER;
    long done = 0;
    while (done < bytes) {
      long step = size >= 0 ? bytes : Math.min(bytes, Math.max(FIRST_STEP, 2 * done));
      MemorySegment memory;
      try {
        memory = into.ensureKeeping(step);
      } catch (DecodeException e) {
        unread = bytes - done;
        resumable = true;
        throw fault(e.fault(), "record of %d bytes %s".formatted(length, e.getMessage()));
      }
      long more = step < bytes ? 0 : headerBehind(memory, bytes);
      done += in.take(memory, done, step - done + more);
      if (done > bytes) {
        ahead = done - bytes;
        MemorySegment.copy(memory, bytes, header, 0, ahead);
      }
      if (done < step) {
        throw cut(
            done < length
                ? "%d of %d payload bytes".formatted(done, length)
                : "%d of %d footer bytes".formatted(done - length, Framing.FOOTER));
      }
    }
  }

  /// {@return what the stream is, if its first bytes are known as those of something else}
  private @Nullable DecodeException foreign() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(FirstBytes.ENOUGH);
      MemorySegment.copy(header, 0, first, 0, Framing.HEADER);
      long more = in.peek(first, Framing.HEADER, FirstBytes.ENOUGH - Framing.HEADER);
      return FirstBytes.foreign(first.asSlice(0, Framing.HEADER + more), "a TFRecord file");
    }
  }

  /// {@return bytes of the next header to read into the memory after a record}
  private long headerBehind(MemorySegment memory, long bytes) {
    boolean large = size >= 0 && bytes >= LARGE;
    boolean room = memory.byteSize() - bytes >= Framing.HEADER;
    return large && room ? Math.min(Framing.HEADER, size - in.position() - bytes) : 0;
  }

  /// Passes over what a record without memory left unread.
  private void passOver() throws IOException {
    long got = in.skip(unread);
    if (got < unread) {
      throw cut("%d bytes are missing at its end".formatted(unread - got));
    }
    unread = 0;
  }

  private CorruptDataException cut(String what) throws IOException {
    return fault(Fault.TRUNCATED, "record cut short: " + what + dropped());
  }

  /// {@return how much is lost; in a stream of unknown size the rest is read to find out}
  private String dropped() throws IOException {
    long end = size;
    String more = "";
    if (size < 0) {
      try {
        long _ = in.skip(Long.MAX_VALUE);
      } catch (CorruptDataException e) {
        more = " or more";
      }
      end = in.position();
    }
    return "; the last %d bytes%s are dropped".formatted(end - offset, more);
  }

  private CorruptDataException fault(Fault fault, String what) {
    return new CorruptDataException(fault, what, where(), null);
  }

  private Location where() {
    return new Location(file, record, null, offset);
  }

  /// {@return whether [#next] goes on after the fault just thrown}
  public boolean resumable() {
    return resumable;
  }

  /// {@return number of the record read last, from 0; -1 before the first}
  public long record() {
    return record;
  }

  /// {@return where the record read last begins, in bytes of the uncompressed stream}
  public long offset() {
    return offset;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      buffers.giveBack(memory);
      in.close();
    }
  }
}
