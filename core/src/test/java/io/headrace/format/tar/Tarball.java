package io.headrace.format.tar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/// Builds archives by hand, for the tests: byte by byte, with no code of the writer.
final class Tarball {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Tarball file(String name, String data) {
    return file(name, data.getBytes(ISO_8859_1));
  }

  Tarball file(String name, byte[] data) {
    return member('0', name, data);
  }

  Tarball member(char type, String name, byte[] data) {
    return header(name, data.length, type, _ -> {}).data(data);
  }

  /// A header, changed before its checksum is made.
  Tarball header(String name, long size, char type, Consumer<byte[]> change) {
    byte[] header = new byte[512];
    put(header, 0, name.getBytes(UTF_8), 100);
    put(header, 100, "0000644\0", 8);
    put(header, 108, "0000000\0", 8);
    put(header, 116, "0000000\0", 8);
    put(header, 124, "%011o\0".formatted(size), 12);
    put(header, 136, "00000000000\0", 12);
    header[156] = (byte) type;
    put(header, 257, "ustar\00000", 8);
    change.accept(header);
    sum(header);
    return raw(header);
  }

  /// Data with its padding.
  Tarball data(byte[] data) {
    return raw(Arrays.copyOf(data, (data.length + 511) / 512 * 512));
  }

  Tarball raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /// A PAX header of one record.
  Tarball pax(char type, String key, String value) {
    String rest = " " + key + "=" + value + "\n";
    int bytes = rest.getBytes(UTF_8).length;
    int length = bytes + 1;
    while (Integer.toString(length).length() + bytes != length) {
      length++;
    }
    return member(type, "././@PaxHeader", (length + rest).getBytes(UTF_8));
  }

  Tarball zeros(int blocks) {
    return raw(new byte[512 * blocks]);
  }

  int size() {
    return out.size();
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  /// {@return the bytes with an end-of-archive mark}
  byte[] end() {
    return zeros(2).bytes();
  }

  static void put(byte[] header, int at, String text, int most) {
    put(header, at, text.getBytes(ISO_8859_1), most);
  }

  private static void put(byte[] header, int at, byte[] bytes, int most) {
    System.arraycopy(bytes, 0, header, at, Math.min(most, bytes.length));
  }

  static void sum(byte[] header) {
    put(header, 148, "        ", 8);
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum), 8);
  }
}
