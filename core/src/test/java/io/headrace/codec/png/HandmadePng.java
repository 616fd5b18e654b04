package io.headrace.codec.png;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// A PNG put together chunk by chunk.
public final class HandmadePng {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public HandmadePng(int width, int height, int depth, int colourType, boolean interlaced) {
    out.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
    ByteBuffer header = ByteBuffer.allocate(13).putInt(width).putInt(height);
    header.put((byte) depth).put((byte) colourType).put((byte) 0).put((byte) 0);
    chunk("IHDR", header.put((byte) (interlaced ? 1 : 0)).array());
  }

  public HandmadePng chunk(String type, byte... data) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    var crc = new CRC32();
    crc.update(name);
    crc.update(data);
    out.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
    out.writeBytes(name);
    out.writeBytes(data);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    return this;
  }

  /// Adds pixels: rows, each after the number of its filter.
  public HandmadePng pixels(byte... rows) {
    return chunk("IDAT", deflate(rows));
  }

  public static byte[] deflate(byte[] bytes) {
    var packed = new ByteArrayOutputStream();
    byte[] some = new byte[4096];
    try (var deflater = new Deflater(9)) {
      deflater.setInput(bytes);
      deflater.finish();
      while (!deflater.finished()) {
        packed.write(some, 0, deflater.deflate(some));
      }
    }
    return packed.toByteArray();
  }

  /// Makes the checksums of all chunks right, as far as chunks can be told apart.
  static void checksums(byte[] png) {
    ByteBuffer bytes = ByteBuffer.wrap(png);
    int at = 8;
    while (at + 12 <= png.length) {
      int length = bytes.getInt(at);
      if (length < 0 || length > png.length - at - 12) {
        return;
      }
      var crc = new CRC32();
      crc.update(png, at + 4, length + 4);
      bytes.putInt(at + 8 + length, (int) crc.getValue());
      at += length + 12;
    }
  }

  public byte[] end() {
    chunk("IEND");
    return out.toByteArray();
  }
}
