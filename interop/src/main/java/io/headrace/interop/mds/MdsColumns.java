package io.headrace.interop.mds;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.interop.mds.MdsIndex.Column;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the columns of a shard are used for: one for the image, one for the label, the others for
/// fields. Immutable.
final class MdsColumns {
  private static final List<String> IMAGES =
      List.of("image", "img", "jpg", "jpeg", "png", "picture", "pixels", "x");
  private static final List<String> SOUNDS =
      List.of("audio", "sound", "speech", "wav", "flac", "mp3", "ogg");
  private static final List<String> LABELS = List.of("label", "class", "cls", "target", "y");

  private final List<Column> columns;
  private final Value[] values;

  /// By column; null where that is none of arrays.
  private final @Nullable ArrayColumn[] arrays;

  private final byte[][] names;
  private final int image;
  private final int label;
  private final int nameBytes;

  /// @param said what the user says about the columns
  /// @throws ConfigException if no column can be the image
  MdsColumns(List<Column> columns, OpenOptions said) {
    this.columns = columns;
    values = columns.stream().map(c -> Value.of(c.encoding())).toArray(Value[]::new);
    arrays =
        columns.stream()
            .map(c -> ArrayColumn.of(c.encoding()))
            .toArray(n -> new @Nullable ArrayColumn[n]);
    names = columns.stream().map(c -> c.name().getBytes(UTF_8)).toArray(byte[][]::new);
    image = imageColumn(said.feature(OpenOptions.IMAGE));
    label = labelColumn(said.feature(OpenOptions.LABEL));
    int bytes = 0;
    for (byte[] name : names) {
      bytes += name.length + Value.MAX_TEXT;
    }
    nameBytes = bytes;
  }

  private int imageColumn(@Nullable String said) {
    if (said != null) {
      for (int i = 0; i < values.length; i++) {
        if (columns.get(i).name().equals(said) && values[i].maybeImage()) {
          return i;
        }
      }
      throw new ConfigException(
          "no column %s that holds images: found %s".formatted(said, described()));
    }
    List<List<String>> turns = List.of(IMAGES, List.of(""), SOUNDS);
    for (List<String> turn : turns) {
      for (String name : turn) {
        for (int i = 0; i < values.length; i++) {
          if (name.isEmpty() ? values[i].surelyImage() : named(i, name) && values[i].maybeImage()) {
            return i;
          }
        }
      }
    }
    throw new ConfigException(
        "none of the columns %s holds images: expected one of encoding jpeg, png or pil, or of"
                .formatted(described())
            + " encoding bytes named "
            + String.join(", ", IMAGES)
            + ", "
            + String.join(", ", SOUNDS)
            + "; --features image=NAME,label=NAME says which is which");
  }

  /// {@return the column that may tell a class: whole numbers first, then any type that a label may
  ///     have}
  private int labelColumn(@Nullable String said) {
    for (boolean any : new boolean[] {false, true}) {
      for (String name : said == null ? LABELS : List.of(said)) {
        for (int i = 0; i < values.length; i++) {
          if (i != image && named(i, name) && (any || values[i].whole())) {
            return i;
          }
        }
      }
    }
    if (said != null && !said.isEmpty()) {
      throw new ConfigException("no column %s: found %s".formatted(said, described()));
    }
    return -1;
  }

  /// {@return whether labels may be texts, or lists}
  boolean mayHaveLabelTexts() {
    return label >= 0 && !values[label].scalar();
  }

  private boolean named(int column, String name) {
    return columns.get(column).name().equalsIgnoreCase(name);
  }

  private List<String> described() {
    return columns.stream().map(c -> c.name() + ":" + c.encoding()).toList();
  }

  /// {@return columns that are kept in MDS's own encoding, as `name:encoding`}
  List<String> asStored() {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (i != image && values[i].asStored() && arrays[i] == null) {
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
    long beyond = length + (long) nameBytes; // where arrays go, and raw pixels
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
      ArrayColumn array = arrays[i];
      if (i == image) {
        values[i].image(into, at, size, beyond);
        memory = into.block().memory();
        beyond = Math.max(beyond, into.start() + into.encodedBytes());
      } else if (array != null) {
        long bytes = array.write(into, at, size, beyond);
        memory = into.block().memory();
        MemorySegment.copy(names[i], 0, memory, JAVA_BYTE, free, names[i].length);
        into.addField(free, names[i].length, beyond, bytes, false);
        if (i == label) {
          into.labelInField();
        }
        free += names[i].length;
        beyond += bytes;
      } else if (i == label && values[i].scalar()) {
        into.label(values[i].label(memory, at, size));
      } else if (i == label && values[i] == Value.TEXT && !isList(memory, at, size)) {
        boolean quoted = size > 1 && memory.get(JAVA_BYTE, at) == '"'; // JSON
        into.labelText(quoted ? at + 1 : at, quoted ? size - 2 : size);
      } else {
        MemorySegment.copy(names[i], 0, memory, JAVA_BYTE, free, names[i].length);
        long text = free + names[i].length;
        long textBytes = values[i].text(memory, at, size, text);
        into.addField(
            free,
            names[i].length,
            textBytes < 0 ? at : text,
            textBytes < 0 ? size : textBytes,
            false);
        if (i == label) {
          into.labelInField();
        }
        free = text + Math.max(0, textBytes);
      }
      at += size;
    }
    if (at != end) {
      throw new DecodeException(
          Fault.CORRUPT, "columns of %d bytes in a sample of %d".formatted(at, length));
    }
  }

  /// {@return whether a text is a list or an object of JSON}
  private static boolean isList(MemorySegment memory, long at, long size) {
    byte first = size == 0 ? 0 : memory.get(JAVA_BYTE, at);
    return first == '[' || first == '{';
  }

  private long sizesBytes() {
    long bytes = 0;
    for (Column column : columns) {
      bytes += column.bytes() == 0 ? Integer.BYTES : 0;
    }
    return bytes;
  }
}
