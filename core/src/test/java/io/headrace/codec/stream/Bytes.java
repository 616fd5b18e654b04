package io.headrace.codec.stream;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;

/// Byte arrays through channels, for the tests.
public final class Bytes {
  private Bytes() {}

  static byte[] compress(byte[] plain, Compression compression) throws IOException {
    return compress(plain, compression, Buffering.DEFAULT, plain.length, false);
  }

  /// Writes in pieces of `piece` bytes, flushing after each if told.
  static byte[] compress(
      byte[] plain, Compression compression, Buffering buffering, int piece, boolean flush)
      throws IOException {
    var sink = new ByteArrayOutputStream();
    try (var out = Streams.compress(Channels.newChannel(sink), compression, buffering)) {
      for (int at = 0; at < plain.length; at += piece) {
        int length = Math.min(piece, plain.length - at);
        ByteBuffer part = ByteBuffer.wrap(plain, at, length);
        if ((at & 1) == 0) { // both kinds of buffer
          part = ByteBuffer.allocateDirect(length).put(part).flip();
        }
        int _ = out.write(part);
        if (flush) {
          out.flush(FlushMode.SYNC);
        }
      }
    }
    return sink.toByteArray();
  }

  static byte[] decompress(byte[] compressed, StreamKind kind) throws IOException {
    return readAll(
        Streams.decompress(
            Channels.newChannel(new ByteArrayInputStream(compressed)), kind, "bytes"));
  }

  static byte[] readAll(ReadableByteChannel in) throws IOException {
    var sink = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocateDirect(50_000);
    try (in) {
      while (in.read(buffer.clear()) >= 0) {
        byte[] part = new byte[buffer.flip().remaining()];
        buffer.get(part);
        sink.write(part);
      }
    }
    return sink.toByteArray();
  }

  /// {@return bytes with runs, repeats and noise, so that every strategy finds its prey}
  public static byte[] mixed(long seed, int length) {
    var random = new Random(seed);
    byte[] bytes = new byte[length];
    int at = 0;
    while (at < length) {
      int run = Math.min(length - at, 1 + random.nextInt(300));
      switch (random.nextInt(3)) {
        case 0 -> java.util.Arrays.fill(bytes, at, at + run, (byte) random.nextInt());
        case 1 -> {
          int from = at == 0 ? 0 : random.nextInt(at);
          for (int i = 0; i < run; i++) {
            bytes[at + i] = bytes[from + i % Math.max(1, at - from)];
          }
        }
        default -> {
          for (int i = 0; i < run; i++) {
            bytes[at + i] = (byte) random.nextInt();
          }
        }
      }
      at += run;
    }
    return bytes;
  }
}
