package io.headrace.format.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.FlushMode;
import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// TFRecord streams in byte arrays, for the tests.
final class Records {
  private Records() {}

  /// What came out of a stream: the payloads and the faults, in order.
  record Outcome(List<byte[]> payloads, List<CorruptDataException> faults) {
    List<Integer> lengths() {
      return payloads.stream().map(p -> p.length).toList();
    }
  }

  static byte[] write(List<byte[]> payloads, Compression compression) {
    return write(payloads, compression, FlushMode.NONE);
  }

  static byte[] write(List<byte[]> payloads, Compression compression, FlushMode flush) {
    var sink = new ByteArrayOutputStream();
    try (var writer = new RecordWriter(Channels.newChannel(sink), compression)) {
      for (byte[] payload : payloads) {
        writer.write(MemorySegment.ofArray(payload));
        writer.flush(flush);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sink.toByteArray();
  }

  static byte[] plain(byte[]... payloads) {
    return write(List.of(payloads), new Compression.None());
  }

  /// {@return a file of `count` records of `length` bytes}
  static byte[] plain(int count, int length) {
    return plain(Records.payloads(count, length).toArray(byte[][]::new));
  }

  static List<byte[]> payloads(int count, int length) {
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] payload = new byte[length];
      new Random(i).nextBytes(payload);
      payloads.add(payload);
    }
    return payloads;
  }

  static Outcome read(byte[] file) throws IOException {
    return read(new ByteArrayInputStream(file), StreamKind.NONE, file.length);
  }

  static Outcome read(byte[] file, StreamKind kind) throws IOException {
    return read(new ByteArrayInputStream(file), kind, -1);
  }

  /// Reads leniently: on after every fault that allows it.
  static Outcome read(InputStream in, StreamKind kind, long size) throws IOException {
    List<byte[]> payloads = new ArrayList<>();
    List<CorruptDataException> faults = new ArrayList<>();
    var channel = Streams.decompress(Channels.newChannel(in), kind, "f");
    try (var reader = new RecordReader(channel, "f", size);
        var block = new Block(MemoryBudget.unbounded())) {
      while (true) {
        try {
          long length = reader.next(block);
          if (length < 0) {
            break;
          }
          payloads.add(block.memory().asSlice(0, length).toArray(JAVA_BYTE));
        } catch (CorruptDataException e) {
          faults.add(e);
          if (!reader.resumable()) {
            break;
          }
        }
      }
    }
    return new Outcome(payloads, faults);
  }
}
