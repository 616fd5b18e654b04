package io.headrace.interop.mds;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.interop.mds.MdsIndex.Column;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What the columns of a shard are taken for: one for the image, one for the label, the others for
/// fields. Immutable.
final class MdsColumns {
  private static final List<String> IMAGES =
      List.of("image", "img", "jpg", "jpeg", "png", "picture", "pixels", "x");
  private static final List<String> LABELS = List.of("label", "class", "cls", "target", "y");

  private final List<Column> columns;
  private final Value[] values;
  private final byte[][] names;
  private final int image;
  private final int label;
  private final int nameBytes;

  /// @throws ConfigException if no column can be the image
  MdsColumns(List<Column> columns) {
    this.columns = columns;
    values = columns.stream().map(c -> Value.of(c.encoding())).toArray(Value[]::new);
    names = columns.stream().map(c -> c.name().getBytes(UTF_8)).toArray(byte[][]::new);
    image = imageColumn();
    label = labelColumn();
    int bytes = 0;
    for (byte[] name : names) {
      bytes += name.length + Value.MAX_TEXT;
    }
    nameBytes = bytes;
  }

  private int imageColumn() {
    for (boolean anyName : new boolean[] {false, true}) {
      for (String name : anyName ? List.of("") : IMAGES) {
        for (int i = 0; i < values.length; i++) {
          if (anyName ? values[i].surelyImage() : named(i, name) && values[i].maybeImage()) {
            return i;
          }
        }
      }
    }
    throw new ConfigException(
        "none of the columns %s holds images: expected one of encoding jpeg, png or pil, or of"
                .formatted(described())
            + " encoding bytes named "
            + String.join(", ", IMAGES));
  }

  private int labelColumn() {
    for (String name : LABELS) {
      for (int i = 0; i < values.length; i++) {
        if (i != image && named(i, name) && values[i].whole()) {
          return i;
        }
      }
    }
    return -1;
  }

  private boolean named(int column, String name) {
    return columns.get(column).name().equalsIgnoreCase(name);
  }

  private List<String> described() {
    return columns.stream().map(c -> c.name() + ":" + c.encoding()).toList();
  }

  /// {@return columns that are left out, as `name:encoding`}
  List<String> leftOut() {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (i != image && i != label && !values[i].field()) {
        out.add(described().get(i));
      }
    }
    return out;
  }

  /// Takes image, label and fields out of a sample's bytes.
  ///
  /// @param into whose memory holds these from its start; its key and place are set
  /// @param length of these, in bytes
  void fill(Sample into, int length) throws DecodeException {
    MemorySegment memory = into.ensureKeeping(length + (long) nameBytes);
    long at = sizesBytes();
    long sizeAt = 0;
    long end = length;
    long free = length;
    for (int i = 0; i < values.length; i++) {
      long size = columns.get(i).bytes();
      if (size == 0) {
        size = sizeAt + Integer.BYTES <= length ? memory.get(Value.U32, sizeAt) & 0xffff_ffffL : -1;
        sizeAt += Integer.BYTES;
      }
      if (size < 0 || size > end - at) {
        throw new DecodeException(
            Fault.CORRUPT,
            "column %s needs %d bytes at %d, the sample has %d"
                .formatted(columns.get(i).name(), size, at, length));
      }
      if (i == image) {
        values[i].image(into, at, size, length + (long) nameBytes);
        memory = into.block().memory();
      } else if (i == label) {
        into.label(values[i].number(memory, at, size));
      } else if (values[i].field()) {
        MemorySegment.copy(names[i], 0, memory, JAVA_BYTE, free, names[i].length);
        long text = free + names[i].length;
        long textBytes = values[i].text(memory, at, size, text);
        into.addField(
            free,
            names[i].length,
            textBytes < 0 ? at : text,
            textBytes < 0 ? size : textBytes,
            false);
        free = text + Math.max(0, textBytes);
      }
      at += size;
    }
    if (at != end) {
      throw new DecodeException(
          Fault.CORRUPT, "columns of %d bytes in a sample of %d".formatted(at, length));
    }
  }

  private long sizesBytes() {
    long bytes = 0;
    for (Column column : columns) {
      bytes += column.bytes() == 0 ? Integer.BYTES : 0;
    }
    return bytes;
  }
}
