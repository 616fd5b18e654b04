package io.headrace.format.tar.archive;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.format.SampleIds;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Forms the headers of a member: ustar, with a PAX header before it only where the name does not
/// fit or is not ASCII, or a key goes beside. No time, no owner, mode 0644.
///
/// A name too long for ustar's fields stands in the PAX header alone; ustar's name is then made of
/// its hash, so that programs that know no PAX still tell samples apart, and their members by
/// extension.
public final class HeaderWriter {
  /// Data that the size field takes: eleven octal digits.
  public static final long MAX_BYTES = 0x1ffffffffL;

  private static final byte[] MAGIC = "ustar\00000".getBytes(ISO_8859_1);

  private HeaderWriter() {}

  /// {@return the headers of a member}
  ///
  /// @param stem the path before the extension
  /// @param key the key of the sample, or null if it goes without saying
  /// @param size bytes of data, at most [#MAX_BYTES]
  public static byte[] member(String stem, String extension, @Nullable String key, long size) {
    byte[] path = (stem + "." + extension).getBytes(UTF_8);
    int split = split(path);
    boolean ascii = isAscii(path);
    var records = new ByteArrayOutputStream();
    if (key != null) {
      record(records, PaxRecords.KEY, key);
    }
    if (split < 0 || !ascii) {
      record(records, "path", stem + "." + extension);
    }
    byte[] header = new byte[TarHeader.BLOCK];
    if (split < 0) {
      fill(header, hashed(stem, extension), 0, size, '0');
    } else {
      fill(header, path, split, size, '0');
    }
    return records.size() == 0 ? header : join(records.toByteArray(), header);
  }

  private static byte[] join(byte[] records, byte[] header) {
    byte[] pax = new byte[TarHeader.BLOCK];
    fill(pax, "././@PaxHeader".getBytes(UTF_8), 0, records.length, 'x');
    int data = (int) TarHeader.padded(records.length);
    byte[] all = Arrays.copyOf(pax, TarHeader.BLOCK + data + TarHeader.BLOCK);
    System.arraycopy(records, 0, all, TarHeader.BLOCK, records.length);
    System.arraycopy(header, 0, all, TarHeader.BLOCK + data, TarHeader.BLOCK);
    return all;
  }

  /// {@return where the path is split into prefix and name: 0 if all of it is the name, -1 if it
  /// cannot be}
  private static int split(byte[] path) {
    if (path.length <= TarHeader.NAME_BYTES) {
      return 0;
    }
    for (int i = Math.min(TarHeader.PREFIX_BYTES, path.length - 2); i > 0; i--) {
      if (path[i] == '/') {
        return path.length - i - 1 <= TarHeader.NAME_BYTES ? i : -1;
      }
    }
    return -1;
  }

  private static byte[] hashed(String stem, String extension) {
    byte[] name =
        (HexFormat.of().toHexDigits(SampleIds.of(stem)) + "." + extension).getBytes(UTF_8);
    return Arrays.copyOf(name, Math.min(name.length, TarHeader.NAME_BYTES));
  }

  private static boolean isAscii(byte[] path) {
    for (byte b : path) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  /// Appends `LENGTH KEY=VALUE\n`, where the length counts its own digits.
  private static void record(ByteArrayOutputStream into, String key, String value) {
    byte[] rest = (" " + key + "=" + value + "\n").getBytes(UTF_8);
    int length = rest.length + 1;
    while (Integer.toString(length).length() + rest.length != length) {
      length++;
    }
    into.writeBytes(Integer.toString(length).getBytes(ISO_8859_1));
    into.writeBytes(rest);
  }

  private static void fill(byte[] header, byte[] path, int split, long size, char type) {
    MemorySegment block = MemorySegment.ofArray(header);
    int name = split == 0 ? 0 : split + 1;
    System.arraycopy(path, name, header, TarHeader.NAME, path.length - name);
    System.arraycopy(path, 0, header, TarHeader.PREFIX, split);
    octal(header, 100, 7, 0644); // mode
    octal(header, 108, 7, 0); // owner
    octal(header, 116, 7, 0); // group
    octal(header, TarHeader.SIZE, 11, size);
    octal(header, 136, 11, 0); // time
    block.set(JAVA_BYTE, TarHeader.TYPE, (byte) type);
    System.arraycopy(MAGIC, 0, header, TarHeader.MAGIC, MAGIC.length);
    octal(header, 329, 7, 0); // device
    octal(header, 337, 7, 0);
    octal(header, TarHeader.CHECKSUM, 6, TarHeader.sum(block, 0, 0xff));
    header[TarHeader.CHECKSUM + 7] = ' ';
  }

  private static void octal(byte[] header, int at, int digits, long value) {
    for (int i = digits - 1; i >= 0; i--) {
      header[at + i] = (byte) ('0' + (value & 7));
      value >>= 3;
    }
  }
}
