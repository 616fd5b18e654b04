package io.headrace.interop.beton;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.format.SampleMeta;
import io.headrace.format.ShardWriter;
import io.headrace.interop.spool.Spool;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Writes one file.
///
///      0 version      uint16   2, little-endian as all that follows
///      2 fields       uint16
///      4 page         uint32   a power of two: no value lies in two pages of so many bytes
///      8 samples      uint64
///     16 table        uint64   where the allocation table is
///     24 descriptors  see [BetonField]
///        rows         one for each sample; each part at a multiple of its alignment
///        data
///        table        uint64 sample, place, bytes of each value, to the end of the file
///
/// Data begin where the rows end, and the last page ends with them: FFCV begins a page for them,
/// and
/// fills the last one. A value without bytes has one, since FFCV finds values by their place: 0, or
/// [#MISSING] if the sample has none.
final class BetonShardWriter implements ShardWriter {
  static final int VERSION = 2;
  static final int HEAD = 24;
  static final byte MISSING = (byte) 0xff;

  /// FFCV's usual page.
  private static final long PAGE = 8 << 20;

  private static final long MAX_PAGE = 1L << 31;
  private static final int BUFFER = 64 << 10;
  private static final int TABLE_ENTRY = 24;

  /// Bits for the bytes of a value, below the number of its field.
  private static final int SIZE_BITS = 48;

  private final WritableByteChannel target;
  private final Spool spool;
  private final ByteBuffer out = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

  /// Fields of bytes and their numbers, the key's being 1; the image is 0.
  private final Map<Name, Integer> fields = new LinkedHashMap<>();

  /// Values in the order of the spool.
  private long[] values = new long[1024];

  private int count;
  private long[] labels = new long[256];
  private long[] shapes = new long[256];
  private int samples;
  private long largest;

  /// A field.
  ///
  /// @param feature whether its values are serialised features
  private record Name(String name, boolean feature) {}

  BetonShardWriter(WritableByteChannel target, Path scratch) throws IOException {
    this.target = target;
    spool = new Spool(scratch.resolveSibling(scratch.getFileName() + ".values"));
    fields.put(new Name(BetonPacker.KEY, false), 1);
  }

  @Override
  public void write(SampleMeta meta, MemorySegment packed) throws IOException {
    if (samples == labels.length) {
      labels = Arrays.copyOf(labels, 2 * samples);
      shapes = Arrays.copyOf(shapes, 2 * samples);
    }
    labels[samples] = meta.label();
    long mode = packed.get(BetonPacker.I32, 0);
    long width = packed.get(BetonPacker.I32, 4);
    shapes[samples++] = mode | (width << 8) | ((long) packed.get(BetonPacker.I32, 8) << 24);
    long at = BetonPacker.HEAD;
    for (int i = 0; i < packed.get(BetonPacker.I32, 12); i++) {
      int nameBytes = packed.get(BetonPacker.I32, at);
      boolean feature = packed.get(BetonPacker.I32, at + 4) != 0;
      long bytes = packed.get(BetonPacker.I64, at + 8);
      at += BetonPacker.VALUE_HEAD;
      int number = 0;
      if (i > 0) {
        byte[] name = packed.asSlice(at, nameBytes).toArray(JAVA_BYTE);
        var field = new Name(i == 1 ? BetonPacker.KEY : new String(name, UTF_8), feature);
        if (i > 1 && field.name().equals(BetonPacker.KEY)) {
          field = new Name("key_", feature);
        }
        number = fields.computeIfAbsent(field, _ -> fields.size() + 1);
      }
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = ((long) number << SIZE_BITS) | bytes;
      largest = Math.max(largest, bytes);
      spool.write(packed.asSlice(at + nameBytes, bytes));
      at += nameBytes + bytes;
    }
  }

  /// Where values go: one after the other, but none in two pages.
  private static final class Places {
    private final long page;
    private long end;

    Places(long start, long page) {
      end = start;
      this.page = page;
    }

    /// {@return the place of the next value}
    ///
    /// @param size its bytes; at least one is taken
    long next(long size) {
      long bytes = Math.max(1, size);
      long at = end;
      if ((at & (page - 1)) + bytes > page) {
        at = (at / page + 1) * page;
      }
      end = at + bytes;
      return at;
    }
  }

  @Override
  public void finish() throws IOException {
    if (largest > MAX_PAGE) {
      throw new IOException("a value of %d bytes: FFCV holds at most 2 GiB".formatted(largest));
    }
    long page = Math.max(PAGE, Long.highestOneBit(Math.max(1, largest - 1)) << 1);
    List<byte[]> descriptors = descriptors();
    int rowBytes = HEAD + 16 * fields.size(); // image, label and their padding; then bytes
    long rows = HEAD + (long) descriptors.size() * BetonField.BYTES;
    long data = rows + (long) samples * rowBytes;
    var places = new Places(data, page);
    each((_, _, size) -> places.next(size));
    room(HEAD);
    out.putShort((short) VERSION).putShort((short) descriptors.size()).putInt((int) page);
    out.putLong(samples).putLong(places.end);
    for (byte[] descriptor : descriptors) {
      room(descriptor.length);
      out.put(descriptor);
    }
    rows(new Places(data, page));
    flush();
    var copy = new Copy(data);
    var copied = new Places(data, page);
    each((_, _, size) -> copy.value(copied.next(size), size));
    copy.end();
    var listed = new Places(data, page);
    each(
        (sample, _, size) -> {
          room(TABLE_ENTRY);
          out.putLong(sample).putLong(listed.next(size)).putLong(Math.max(1, size));
        });
    flush();
  }

  /// Sees the values in the order in which they are stored.
  @FunctionalInterface
  private interface Visit {
    /// Takes one.
    ///
    /// @param field its number, 0 for the image
    /// @param size its bytes, or -1 if the sample has none
    void value(int sample, int field, long size) throws IOException;
  }

  private void each(Visit visit) throws IOException {
    int[] seen = new int[fields.size() + 1];
    int value = 0;
    for (int sample = 0; sample < samples; sample++) {
      do {
        int field = (int) (values[value] >>> SIZE_BITS);
        seen[field] = sample + 1;
        visit.value(sample, field, values[value] & ((1L << SIZE_BITS) - 1));
        value++;
      } while (value < count && values[value] >>> SIZE_BITS != 0);
      for (int field = 1; field < seen.length; field++) {
        if (seen[field] != sample + 1) {
          visit.value(sample, field, -1);
        }
      }
    }
  }

  private List<byte[]> descriptors() {
    List<byte[]> all = new ArrayList<>();
    all.add(BetonField.write(BetonField.Type.IMAGE, "image", null, false));
    all.add(BetonField.write(BetonField.Type.INT, "label", null, false));
    Set<String> taken = new HashSet<>(Set.of("image", "label"));
    for (Name field : fields.keySet()) {
      String plain = field.name().replaceAll("[^ -~]", "_");
      String shown = plain.substring(0, Math.min(BetonField.NAME, plain.length()));
      for (int n = 2; !taken.add(shown); n++) {
        String end = "~" + n;
        shown = plain.substring(0, Math.min(BetonField.NAME - end.length(), plain.length())) + end;
      }
      all.add(BetonField.write(BetonField.Type.BYTES, shown, field.name(), field.feature()));
    }
    return all;
  }

  private void rows(Places places) throws IOException {
    long[] row = new long[2 * (fields.size() + 1)]; // place and size by field
    int fieldsLeft = fields.size() + 1;
    var left = new int[] {fieldsLeft};
    each(
        (sample, field, size) -> {
          row[2 * field] = places.next(size);
          row[2 * field + 1] = Math.max(0, size);
          if (--left[0] == 0) { // each sample has one of every field
            left[0] = fieldsLeft;
            row(sample, row);
          }
        });
  }

  private void row(int sample, long[] row) throws IOException {
    room(HEAD + Long.BYTES * row.length);
    long shape = shapes[sample];
    out.put((byte) shape).putShort((short) (shape >> 8)).putShort((short) (shape >> 24));
    out.putLong(row[0]).put(new byte[3]).putLong(labels[sample]);
    for (int i = 2; i < row.length; i++) {
      out.putLong(row[i]);
    }
  }

  /// Writes values, those that follow each other in one piece.
  private final class Copy {
    private long end;
    private long taken;
    private long run;

    Copy(long start) {
      end = start;
    }

    void value(long place, long size) throws IOException {
      if (place != end || size <= 0) {
        end();
        for (; end < place; end++) {
          room(1);
          out.put((byte) 0);
        }
        flush();
      }
      if (size > 0) {
        run += size;
        end += size;
      } else {
        room(1);
        out.put(size < 0 ? MISSING : 0);
        flush();
        end++;
      }
    }

    void end() throws IOException {
      spool.copyTo(target, taken, run);
      taken += run;
      run = 0;
    }
  }

  private void room(int bytes) throws IOException {
    if (out.remaining() < bytes) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      int _ = target.write(out);
    }
    out.clear();
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }
}
