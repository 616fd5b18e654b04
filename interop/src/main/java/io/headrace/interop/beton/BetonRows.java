package io.headrace.interop.beton;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.files.ShardFiles;
import io.headrace.interop.table.Rows;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Reads samples of files, each by itself.
final class BetonRows extends Rows {
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong I64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfDouble F64 =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final List<BetonFile> files;
  private final List<BetonDataset.Roles> roles;
  private final Block scratch = new Block(MemoryBudget.unbounded());

  /// @param roles by file
  /// @param starts number of the first sample of each file, and after them the total
  BetonRows(List<BetonFile> files, List<BetonDataset.Roles> roles, long[] starts) {
    super(starts);
    this.files = files;
    this.roles = roles;
  }

  @Override
  protected void read(int number, long sample, Sample into) throws DecodeException, IOException {
    BetonFile file = files.get(number);
    BetonDataset.Roles use = roles.get(number);
    into.place(file.name(), sample, file.row(sample));
    into.key(ShardFiles.baseName(file.path()) + "#" + sample);
    MemorySegment row = scratch.ensure(file.rowBytes()).asSlice(0, file.rowBytes());
    file.file().read(file.row(sample), row);
    count(file.rowBytes());
    BetonField key = use.key();
    if (key != null) {
      long length = row.get(I64, key.place() + 8L);
      long place = row.get(I64, key.place());
      check(file, place, length);
      MemorySegment text = into.ensure(length);
      fetch(file, place, length, text, 0);
      into.key(new String(text.asSlice(0, length).toArray(JAVA_BYTE), UTF_8));
    }
    long end = image(file, row, use.image(), into);
    BetonField label = use.label();
    if (label != null) {
      into.label(row.get(I64, label.place()));
    }
    for (BetonField field : use.others()) {
      end = field(file, row, field, end, into);
    }
  }

  /// Reads the picture to the start of the memory: a JPEG, or pixels as a binary PPM.
  ///
  /// @return its bytes
  private long image(BetonFile file, MemorySegment row, BetonField field, Sample into)
      throws DecodeException, IOException {
    int mode = row.get(JAVA_BYTE, field.place());
    int width = row.get(U16, field.place() + 1L) & 0xffff;
    int height = row.get(U16, field.place() + 3L) & 0xffff;
    long place = row.get(I64, field.place() + 5L);
    into.offset(place);
    byte[] head = {};
    long length;
    if (mode == BetonPacker.JPEG) {
      length = file.sizeAt(place);
    } else if (mode == BetonPacker.RAW && width > 0 && height > 0) {
      length = 3L * width * height;
      head = "P6\n%d %d\n255\n".formatted(width, height).getBytes(US_ASCII);
    } else {
      throw new DecodeException(
          Fault.CORRUPT, "a picture of mode %d, %d x %d".formatted(mode, width, height));
    }
    check(file, place, length);
    MemorySegment memory = into.ensure(head.length + length);
    MemorySegment.copy(head, 0, memory, JAVA_BYTE, 0, head.length);
    fetch(file, place, length, memory, head.length);
    into.encoded(0, head.length + length);
    return head.length + length;
  }

  private long field(BetonFile file, MemorySegment row, BetonField field, long end, Sample into)
      throws DecodeException, IOException {
    byte[] name = field.name().getBytes(UTF_8);
    MemorySegment head = field.head();
    long place = 0;
    long length = 0;
    switch (field.type()) {
      case FLOAT -> head = ascii(Double.toString(row.get(F64, field.place())));
      case INT -> head = ascii(Long.toString(row.get(I64, field.place())));
      case ARRAY, TENSOR -> {
        place = row.get(I64, field.place());
        length = field.arrayBytes();
      }
      case BYTES, JSON -> {
        place = row.get(I64, field.place());
        length = row.get(I64, field.place() + 8L);
      }
      case IMAGE -> { // another picture: its bytes as they are
        place = row.get(I64, field.place() + 5L);
        length = file.sizeAt(place);
      }
    }
    long value = end + name.length;
    long free = value + head.byteSize();
    check(file, place, length);
    MemorySegment memory = into.ensureKeeping(free + Math.max(1, length));
    if (length == 0 && field.ours()) {
      fetch(file, place, 1, memory, free);
      if (memory.get(JAVA_BYTE, free) == BetonShardWriter.MISSING) {
        return end;
      }
    }
    MemorySegment.copy(name, 0, memory, JAVA_BYTE, end, name.length);
    MemorySegment.copy(head, 0, memory, value, head.byteSize());
    fetch(file, place, length, memory, free);
    if (field.type() == BetonField.Type.JSON
        && length > 0
        && memory.get(JAVA_BYTE, free + length - 1) == 0) {
      length--;
    }
    into.addField(end, name.length, value, head.byteSize() + length, field.feature());
    return free + length;
  }

  private static MemorySegment ascii(String text) {
    return MemorySegment.ofArray(text.getBytes(US_ASCII));
  }

  private static void check(BetonFile file, long place, long length) throws DecodeException {
    if (place < 0 || length < 0 || place > file.dataEnd() || length > file.dataEnd() - place) {
      throw new DecodeException(
          Fault.CORRUPT,
          "a value of %d bytes at %d, data end at %d".formatted(length, place, file.dataEnd()));
    }
  }

  private void fetch(BetonFile file, long place, long length, MemorySegment memory, long at)
      throws DecodeException, IOException {
    if (length > 0) {
      check(file, place, length);
      file.file().read(place, memory.asSlice(at, length));
      count(length);
    }
  }

  @Override
  public void close() {
    scratch.close(); // files belong to the dataset
  }
}
