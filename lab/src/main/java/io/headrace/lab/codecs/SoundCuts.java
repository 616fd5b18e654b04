package io.headrace.lab.codecs;

import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Cpu;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.SampleType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/// A pipeline for sound cut where PRESTO cuts it, and what compression of what is stored costs.
/// Times are CPU seconds of one thread.
public final class SoundCuts implements AutoCloseable {
  private static final int REPEATS = 3;

  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final AudioDecoder decoder = new AudioDecoder();
  private final List<MemorySegment> encoded = new ArrayList<>();
  private final List<Pcm> sounds;
  private final List<MemorySegment> spectrograms;
  private final double decodeSeconds;
  private final double spectrogramSeconds;

  /// Where the pipeline is cut: what is stored.
  public enum Cut {
    /// Encoded sound.
    READ,
    /// 16-bit samples.
    DECODED,
    /// Log-mel spectrograms of float32.
    SPECTROGRAM
  }

  /// What one kind of storage costs.
  ///
  /// @param plain bytes before compression
  /// @param bytes stored
  /// @param offline seconds to make and compress them
  /// @param online seconds to decompress them and do the steps that are left
  public record Cost(double plain, double bytes, double offline, double online) {}

  /// @param folder of recordings
  /// @param encoding that they are brought into first, such as `flac:5`
  /// @param limit sounds to take
  public SoundCuts(Path folder, String encoding, int limit) throws IOException, DecodeException {
    List<String> notes = new ArrayList<>();
    List<MemorySegment> files =
        Material.take(folder, EnumSet.of(Material.Content.SOUND), limit, arena)
            .of(Material.Content.SOUND);
    try (var encoder = new AudioEncoder();
        var block = new Block(MemoryBudget.unbounded())) {
      for (Pcm sound : Pcm.decode(files, arena, notes)) {
        long bytes = sound.encode(encoder, AudioSubject.parse(encoding), block);
        encoded.add(arena.allocate(bytes, 64).copyFrom(block.memory().asSlice(0, bytes)));
      }
    }
    sounds = Pcm.decode(encoded, arena, notes);
    spectrograms =
        FloatTensor.ofSound(sounds, arena, notes).stream().map(FloatTensor::plain).toList();
    decodeSeconds =
        best(
            () -> {
              for (MemorySegment sound : encoded) {
                long _ = decoder.decode(sound, SampleType.INT16, out);
              }
            });
    spectrogramSeconds =
        best(
            () -> {
              try (Arena scratch = Arena.ofConfined()) {
                var _ = FloatTensor.ofSound(sounds, scratch, new ArrayList<>());
              }
            });
  }

  /// {@return sounds taken}
  public int count() {
    return encoded.size();
  }

  /// {@return what it costs to store what a cut leaves, under some compression}
  public Cost cost(Cut cut, Compression compression) throws IOException, DecodeException {
    List<MemorySegment> items =
        switch (cut) {
          case READ -> encoded;
          case DECODED -> sounds.stream().map(Pcm::plain).toList();
          case SPECTROGRAM -> spectrograms;
        };
    double made = cut == Cut.READ ? 0 : decodeSeconds;
    double left = cut == Cut.READ ? decodeSeconds : 0;
    if (cut == Cut.SPECTROGRAM) {
      made = decodeSeconds + spectrogramSeconds;
    } else {
      left += spectrogramSeconds;
    }
    try (Arena own = Arena.ofConfined();
        var subject = StreamSubject.of(items, "items", own)) {
      Setting<Compression> setting = Setting.of(compression.spec(), Compression::parse);
      List<MemorySegment> packed = new ArrayList<>();
      double pack =
          best(
              () -> {
                for (StreamSubject.Plain item : subject.items) {
                  long bytes = subject.encode(item, compression, out);
                  if (packed.size() < subject.items.size()) {
                    packed.add(own.allocate(bytes, 64).copyFrom(out.memory().asSlice(0, bytes)));
                  }
                }
              });
      double unpack =
          best(
              () -> {
                for (int i = 0; i < packed.size(); i++) {
                  subject.decode(subject.items.get(i), packed.get(i), setting);
                }
              });
      double bytes = packed.stream().mapToLong(MemorySegment::byteSize).sum();
      return new Cost(subject.plainBytes(), bytes, made + pack, unpack + left);
    }
  }

  private interface Work {
    void run() throws IOException, DecodeException;
  }

  /// {@return the least CPU time of some runs}
  private static double best(Work work) throws IOException, DecodeException {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < REPEATS; i++) {
      long before = Cpu.ofThisThread();
      work.run();
      best = Math.min(best, (Cpu.ofThisThread() - before) / 1e9);
    }
    return best;
  }

  @Override
  public void close() {
    decoder.close();
    out.close();
    arena.close();
  }
}
