package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Encodes sound in any format through libsndfile, to memory. One per worker: a thread-confined
/// arena.
///
/// The same samples and settings give the same bytes with the same libraries, but for Ogg, whose
/// streams are numbered at random.
public final class AudioEncoder implements AutoCloseable {
  /// Samples written in one call.
  private static final int CHUNK = 1 << 14;

  private final Arena arena = Arena.ofConfined();
  private final SoundFileIo io = new SoundFileIo(arena);
  private final MemorySegment info = arena.allocate(SoundFile.INFO_BYTES, Long.BYTES);
  private final MemorySegment setting = arena.allocate(Double.BYTES, Double.BYTES);
  private final MemorySegment scratch = arena.allocate(CHUNK * (long) Integer.BYTES, Long.BYTES);

  /// @throws ConfigException if libsndfile is missing
  public AudioEncoder() {
    NativeLibrary.SNDFILE.require();
  }

  /// Encodes sound. Samples of more bits than the encoding keeps are rounded to the nearest.
  ///
  /// @param samples `type` [frames, channels], off heap
  /// @param type of the samples
  /// @param frames how many, at least 0
  /// @param channels samples in a frame: up to 8 in FLAC, 2 in MP3
  /// @param sampleRate frames a second
  /// @param encoding what to make
  /// @param out takes the file at its start
  /// @return bytes of the file
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget of `out` does not allow it,
  ///     with [Fault#UNSUPPORTED] if the encoding does not take this rate or so many channels
  /// @throws ConfigException if libsndfile is missing
  public long encode(
      MemorySegment samples,
      SampleType type,
      long frames,
      int channels,
      int sampleRate,
      AudioEncoding encoding,
      Block out)
      throws DecodeException {
    if (frames < 0 || channels < 1 || channels > CHUNK) {
      throw new IllegalArgumentException("%d frames, %d channels".formatted(frames, channels));
    }
    if (!samples.isNative() || samples.byteSize() / type.bytes() / channels < frames) {
      throw new IllegalArgumentException(
          "%d frames of %d channels do not lie in %d bytes off heap"
              .formatted(frames, channels, samples.byteSize()));
    }
    io.create(out);
    MemorySegment file = open(channels, sampleRate, encoding);
    try {
      configure(file, sampleRate, encoding);
      write(file, samples, type, frames, channels, bits(encoding));
    } finally {
      SoundFile.close(file);
    }
    io.rethrow();
    long bytes = io.length();
    io.forget();
    return bytes;
  }

  private MemorySegment open(int channels, int sampleRate, AudioEncoding encoding)
      throws DecodeException {
    info.fill((byte) 0);
    info.set(JAVA_LONG, 0, 0);
    info.set(JAVA_INT, 8, sampleRate);
    info.set(JAVA_INT, 12, channels);
    info.set(JAVA_INT, 16, format(encoding));
    MemorySegment file = SoundFile.openVirtual(io.table(), SoundFile.SFM_WRITE, info);
    if (file.equals(MemorySegment.NULL)) {
      io.rethrow();
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "%s: %s [%d channels, %d Hz]"
              .formatted(
                  encoding.format().label(),
                  SoundFile.strerror(MemorySegment.NULL),
                  channels,
                  sampleRate));
    }
    return file;
  }

  private static int format(AudioEncoding encoding) {
    return switch (encoding) {
      case AudioEncoding.Wav(int bits, boolean floating) ->
          SoundFile.FORMAT_WAV
              | (floating ? SoundFile.FLOAT : bits == 8 ? SoundFile.PCM_U8 : coding(bits));
      case AudioEncoding.Flac(int bits, _) -> SoundFile.FORMAT_FLAC | coding(bits);
      case AudioEncoding.Mp3 _, AudioEncoding.Mp3Vbr _ ->
          SoundFile.FORMAT_MPEG | SoundFile.MPEG_LAYER_III;
      case AudioEncoding.Vorbis _ -> SoundFile.FORMAT_OGG | SoundFile.VORBIS;
    };
  }

  private static int coding(int bits) {
    return switch (bits) {
      case 8 -> SoundFile.PCM_S8;
      case 16 -> SoundFile.PCM_16;
      case 24 -> SoundFile.PCM_24;
      default -> SoundFile.PCM_32;
    };
  }

  /// {@return bits of integer samples, 0 where fractions are written}
  private static int bits(AudioEncoding encoding) {
    return switch (encoding) {
      case AudioEncoding.Wav(int bits, boolean floating) -> floating ? 0 : bits;
      case AudioEncoding.Flac(int bits, _) -> bits;
      case AudioEncoding.Mp3 _, AudioEncoding.Mp3Vbr _, AudioEncoding.Vorbis _ -> 0;
    };
  }

  /// Gives the settings. libsndfile maps a level of 0 to 1 to 0 to 8 for FLAC and, for constant
  /// bit rates, to 320 down to 32 kbit/s, or to 160 down to 8 below 32 kHz.
  private void configure(MemorySegment file, int sampleRate, AudioEncoding encoding)
      throws DecodeException {
    boolean taken =
        switch (encoding) {
          case AudioEncoding.Wav _ -> {
            SoundFile.command(file, SoundFile.SET_ADD_PEAK_CHUNK, MemorySegment.NULL, 0);
            yield true; // a peak chunk would carry the time of day
          }
          case AudioEncoding.Flac(_, int level) -> level(file, level / 8.0);
          case AudioEncoding.Mp3(int kilobits) -> {
            int most = sampleRate >= 32_000 ? 320 : 160;
            int least = sampleRate >= 32_000 ? 32 : 8;
            SoundFile.command(
                file, SoundFile.SET_BITRATE_MODE, SoundFile.BITRATE_CONSTANT, setting);
            double level = (double) (most - kilobits) / (most - least);
            yield level(file, Math.clamp(level, 0, 1));
          }
          case AudioEncoding.Mp3Vbr(int quality) -> {
            SoundFile.command(
                file, SoundFile.SET_BITRATE_MODE, SoundFile.BITRATE_VARIABLE, setting);
            yield level(file, quality / 10.0);
          }
          case AudioEncoding.Vorbis(double quality) ->
              SoundFile.command(file, SoundFile.SET_VBR_ENCODING_QUALITY, quality, setting) != 0;
        };
    if (!taken) {
      throw new DecodeException(Fault.UNSUPPORTED, "libsndfile does not take " + encoding);
    }
  }

  private boolean level(MemorySegment file, double level) {
    return SoundFile.command(file, SoundFile.SET_COMPRESSION_LEVEL, level, setting) != 0;
  }

  private void write(
      MemorySegment file,
      MemorySegment samples,
      SampleType type,
      long frames,
      int channels,
      int bits)
      throws DecodeException {
    long chunk = CHUNK / channels;
    for (long done = 0; done < frames; done += chunk) {
      long n = Math.min(chunk, frames - done);
      convert(samples, type, done * channels, (int) n * channels, bits);
      SampleType as = bits == 0 ? SampleType.FLOAT32 : SampleType.INT32;
      if (SoundFile.write(file, as, scratch, n) != n) {
        io.rethrow();
        throw new DecodeException(Fault.IO, SoundFile.strerror(file));
      }
    }
  }

  private void convert(MemorySegment samples, SampleType type, long from, int count, int bits) {
    for (int i = 0; i < count; i++) {
      long at = from + i;
      if (bits == 0) {
        scratch.setAtIndex(JAVA_FLOAT, i, Samples.toFloat(samples, type, at));
      } else {
        int value =
            switch (type) {
              case INT16 ->
                  Samples.round(samples.get(JAVA_SHORT_UNALIGNED, at * Short.BYTES) << 16, bits);
              case INT32 ->
                  Samples.round(samples.get(JAVA_INT_UNALIGNED, at * Integer.BYTES), bits);
              case FLOAT32 ->
                  Samples.quantise(Samples.toFloat(samples, type, at), bits) << (32 - bits);
            };
        scratch.setAtIndex(JAVA_INT, i, value);
      }
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
