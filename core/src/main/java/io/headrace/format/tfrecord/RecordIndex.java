package io.headrace.format.tfrecord;

import io.headrace.codec.FirstBytes;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.KeptFile;
import io.headrace.format.shard.StreamShard;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where the records of an uncompressed file begin, found by walking its lengths.
///
/// Where the walk fails it stops; the fault stands for the record found there and all after it.
final class RecordIndex implements StreamShard.Index {
  /// Read at once while walking: a page, which holds the headers of a few small records.
  private static final int WINDOW = 4096;

  private final long[] offsets;
  private final @Nullable CorruptDataException fault;

  private RecordIndex(long[] offsets, @Nullable CorruptDataException fault) {
    this.offsets = offsets;
    this.fault = fault;
  }

  /// {@return the index of `file`; I/O errors are faults too, for others can still be read}
  ///
  /// @throws UncheckedIOException if the thread is interrupted or the file closed
  static RecordIndex of(ByteFile file, String name) {
    long[] offsets = new long[1024];
    int count = 0;
    var crc = new MaskedCrc();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment window = arena.allocate(Math.clamp(file.size(), 1, WINDOW));
      long windowStart = -1;
      long at = 0;
      while (at < file.size()) {
        long left = file.size() - at;
        if (left < Framing.HEADER) {
          String what = "record cut short: %d of %d header bytes".formatted(left, Framing.HEADER);
          return stop(offsets, count, Fault.TRUNCATED, what, left, name, at);
        }
        if (windowStart < 0 || at + Framing.HEADER > windowStart + window.byteSize()) {
          windowStart = Math.min(at, file.size() - window.byteSize());
          file.read(windowStart, window);
        }
        long inWindow = at - windowStart;
        if (!Framing.lengthIsSound(window, inWindow, crc)) {
          DecodeException other = at == 0 ? FirstBytes.foreign(window, "a TFRecord file") : null;
          if (other != null) {
            return new RecordIndex(
                new long[1], CorruptDataException.at(new Location(name, 0, null, 0), other));
          }
          int found = crc.of(window.asSlice(inWindow, Long.BYTES));
          String what =
              "length CRC-32C is %08x, file says %08x"
                  .formatted(found, Framing.lengthCrc(window, inWindow));
          return stop(offsets, count, Fault.CORRUPT, what, left, name, at);
        }
        long length = Framing.length(window, inWindow);
        if (length < 0 || length > left - Framing.HEADER - Framing.FOOTER) {
          String what =
              "record cut short: %s payload bytes are declared, %d bytes are left"
                  .formatted(Long.toUnsignedString(length), left - Framing.HEADER);
          return stop(offsets, count, Fault.TRUNCATED, what, left, name, at);
        }
        if (count + 1 == offsets.length) {
          offsets = Arrays.copyOf(offsets, 2 * offsets.length);
        }
        at += Framing.HEADER + length + Framing.FOOTER;
        offsets[++count] = at;
      }
      return new RecordIndex(Arrays.copyOf(offsets, count + 1), null);
    } catch (CorruptDataException e) {
      return new RecordIndex(Arrays.copyOf(offsets, count + 1), e);
    } catch (IOException e) {
      if (KeptFile.stopped(e)) {
        throw new UncheckedIOException(e);
      }
      return failed(Arrays.copyOf(offsets, count + 1), name, e);
    }
  }

  private static RecordIndex failed(long[] offsets, String name, IOException e) {
    Location where = new Location(name, offsets.length - 1, null, offsets[offsets.length - 1]);
    return new RecordIndex(
        offsets, new CorruptDataException(Fault.IO, "cannot be read: " + e, where, e));
  }

  private static RecordIndex stop(
      long[] offsets, int count, Fault fault, String what, long dropped, String name, long at) {
    return new RecordIndex(
        Arrays.copyOf(offsets, count + 1),
        new CorruptDataException(
            fault,
            "%s; the last %d bytes are dropped".formatted(what, dropped),
            new Location(name, count, null, at),
            null));
  }

  @Override
  public long count() {
    return offsets.length - 1L;
  }

  /// {@return where a record's header begins; for [#count], where the last record ends}
  long offset(long record) {
    return offsets[(int) record];
  }

  @Override
  public @Nullable CorruptDataException fault() {
    return fault;
  }
}
