package io.headrace.bench;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.AudioEncoding;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import io.headrace.sound.signal.Spectrogram;
import io.headrace.sound.signal.SpectrogramSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// Decodes a folder of sound, as it is and re-encoded, over and over in one thread.
///
/// Files are in memory; decoder and buffer are reused; encodings take turns, round by round.
/// Prints the medians of the rounds by the thread's CPU time: MB of 16-bit samples a second, and
/// seconds of sound a second, that is times real time, per core.
///
/// Run: `java --enable-native-access=ALL-UNNAMED -cp 'bench/target/*'
/// io.headrace.bench.AudioBench FOLDER [ROUNDS]`
public final class AudioBench {
  private AudioBench() {}

  private record Sound(MemorySegment bytes, AudioInfo info) {}

  /// Runs the benchmark.
  ///
  /// @param args folder of WAV, FLAC, MP3 or Ogg files; timed rounds, 7 if left out
  public static void main(String[] args) throws Exception {
    Mains.run(AudioBench.class, 1, args, AudioBench::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    try (Arena arena = Arena.ofConfined();
        var decoder = new AudioDecoder();
        var out = new Block(MemoryBudget.unbounded())) {
      Map<String, List<Sound>> pools =
          pools(load(Path.of(args[0]), decoder, arena), decoder, arena);
      Map<String, double[]> seconds = new LinkedHashMap<>();
      for (int round = -2; round < rounds; round++) {
        for (var pool : pools.entrySet()) {
          long start = cpuNanos();
          for (Sound sound : pool.getValue()) {
            decoder.decode(sound.bytes(), SampleType.INT16, out);
          }
          record(seconds, pool.getKey(), round, rounds, cpuNanos() - start);
        }
        long mel = logMel(pools.values().iterator().next(), decoder, out);
        record(seconds, "log-mel", round, rounds, mel);
      }
      print(pools, seconds);
    }
  }

  private static List<Sound> load(Path folder, AudioDecoder decoder, Arena arena)
      throws IOException, DecodeException {
    List<Sound> sounds = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.matches(".*\\.(wav|flac|mp3|ogg)")) {
          MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, Files.readAllBytes(file));
          sounds.add(new Sound(bytes, decoder.probe(bytes)));
        }
      }
    }
    if (sounds.isEmpty()) {
      throw new IOException("no sound in " + folder);
    }
    return sounds;
  }

  private static Map<String, List<Sound>> pools(
      List<Sound> sounds, AudioDecoder decoder, Arena arena) throws DecodeException {
    Map<String, List<Sound>> pools = new LinkedHashMap<>();
    pools.put("as is", sounds);
    Map<String, AudioEncoding> encodings = new LinkedHashMap<>();
    encodings.put("wav 16", new AudioEncoding.Wav(16));
    encodings.put("flac 5", new AudioEncoding.Flac(16, 5));
    encodings.put("mp3 V4", new AudioEncoding.Mp3Vbr(4));
    encodings.put("vorbis 0.4", new AudioEncoding.Vorbis(0.4));
    try (var encoder = new AudioEncoder();
        var samples = new Block(MemoryBudget.unbounded());
        var out = new Block(MemoryBudget.unbounded())) {
      for (var encoding : encodings.entrySet()) {
        List<Sound> pool = new ArrayList<>();
        for (Sound sound : sounds) {
          AudioInfo info = sound.info();
          long frames = decoder.decode(sound.bytes(), SampleType.INT16, samples);
          long bytes =
              encoder.encode(
                  samples.memory(),
                  SampleType.INT16,
                  frames,
                  info.channels(),
                  info.sampleRate(),
                  encoding.getValue(),
                  out);
          MemorySegment copy = arena.allocate(bytes);
          copy.copyFrom(out.memory().asSlice(0, bytes));
          pool.add(new Sound(copy, decoder.probe(copy)));
        }
        pools.put(encoding.getKey(), pool);
      }
    }
    return pools;
  }

  /// {@return nanoseconds that the spectrograms alone took}
  private static long logMel(List<Sound> sounds, AudioDecoder decoder, Block out)
      throws DecodeException {
    AudioInfo first = sounds.getFirst().info();
    var spectrogram = new Spectrogram(SpectrogramSpec.presto(first.sampleRate()));
    long longest = sounds.stream().mapToLong(sound -> sound.info().frames()).max().orElse(0);
    try (Arena scope = Arena.ofConfined()) {
      long columns = spectrogram.spec().columns(longest);
      MemorySegment mel =
          scope.allocate(Math.max(4, columns * spectrogram.spec().height() * Float.BYTES));
      long spent = 0;
      for (Sound sound : sounds) {
        if (sound.info().channels() == 1) {
          long frames = decoder.decode(sound.bytes(), SampleType.FLOAT32, out);
          long start = cpuNanos();
          spectrogram.of(out.memory(), frames, frames, false, mel);
          spent += cpuNanos() - start;
        }
      }
      return spent;
    }
  }

  private static void record(
      Map<String, double[]> seconds, String name, int round, int rounds, long nanos) {
    if (round >= 0) {
      seconds.computeIfAbsent(name, _ -> new double[rounds])[round] = nanos / 1e9;
    }
  }

  private static void print(Map<String, List<Sound>> pools, Map<String, double[]> seconds) {
    List<Sound> sounds = pools.values().iterator().next();
    double playing = sounds.stream().mapToDouble(sound -> sound.info().seconds()).sum();
    System.out.printf(Locale.ROOT, "%d sounds, %.0f seconds of sound%n", sounds.size(), playing);
    System.out.printf("%-12s %12s %12s %14s%n", "", "bytes", "MB/s", "x real time");
    for (var entry : seconds.entrySet()) {
      double[] times = entry.getValue().clone();
      Arrays.sort(times);
      double time = times[times.length / 2];
      List<Sound> pool = pools.getOrDefault(entry.getKey(), sounds);
      long bytes = pool.stream().mapToLong(sound -> sound.bytes().byteSize()).sum();
      long samples = pool.stream().mapToLong(sound -> sound.info().samples()).sum();
      System.out.printf(
          Locale.ROOT,
          "%-12s %12d %12.0f %14.0f%n",
          entry.getKey(),
          bytes,
          samples * 2 / 1e6 / time,
          playing / time);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
