package io.headrace.train.fit;

import io.headrace.codec.stream.Compression;
import io.headrace.format.tfrecord.RecordWriter;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/// A file of TensorBoard's: records of serialised `tensorflow.Event`, framed as a TFRecord's.
///
/// Fields (tensorflow/core/util/event.proto, framework/summary.proto): Event has wall_time 1
/// (double), step 2 (int64), file_version 3, summary 5; Summary has value 1; Value has tag 1 and
/// simple_value 2 (float).
final class EventFile implements Closeable {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final FileChannel channel;
  private final RecordWriter writer;

  /// A new file in a folder, named as TensorBoard expects it.
  ///
  /// @param seconds since 1970, at which the run began
  EventFile(Path folder, double seconds) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("events.out.tfevents.%010d.headrace".formatted((long) seconds));
    int again = 0;
    while (Files.exists(file)) {
      file =
          folder.resolve(
              "events.out.tfevents.%010d.headrace.%d".formatted((long) seconds, ++again));
    }
    channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    writer = new RecordWriter(channel, new Compression.None());
    var event = new Message();
    event.fixed64(1, Double.doubleToRawLongBits(seconds));
    event.bytes(3, "brain.Event:2".getBytes(StandardCharsets.UTF_8));
    write(event);
  }

  /// Appends numbers.
  ///
  /// @param seconds since 1970
  /// @param step of the run
  void scalars(double seconds, long step, Map<String, Double> values) throws IOException {
    var summary = new Message();
    values.forEach(
        (tag, number) -> {
          var value = new Message();
          value.bytes(1, tag.getBytes(StandardCharsets.UTF_8));
          value.fixed32(2, Float.floatToRawIntBits(number.floatValue()));
          summary.bytes(1, value.toByteArray());
        });
    var event = new Message();
    event.fixed64(1, Double.doubleToRawLongBits(seconds));
    event.key(2, VARINT);
    event.varint(step);
    event.bytes(5, summary.toByteArray());
    write(event);
  }

  private void write(Message message) throws IOException {
    byte[] bytes = message.toByteArray();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(bytes.length);
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
      writer.write(segment);
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
    channel.close();
  }

  /// A protobuf message under construction.
  private static final class Message extends ByteArrayOutputStream {
    void key(int field, int type) {
      varint(((long) field << 3) | type);
    }

    void varint(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        write((int) ((rest & 0x7f) | 0x80));
        rest >>>= 7;
      }
      write((int) rest);
    }

    void fixed64(int field, long bits) {
      key(field, FIXED64);
      put(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(bits).array());
    }

    void fixed32(int field, int bits) {
      key(field, FIXED32);
      put(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(bits).array());
    }

    void bytes(int field, byte[] bytes) {
      key(field, BYTES);
      varint(bytes.length);
      put(bytes);
    }

    private void put(byte[] bytes) {
      try {
        write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // memory does not fail
      }
    }
  }
}
