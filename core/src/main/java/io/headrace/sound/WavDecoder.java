package io.headrace.sound;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.F64;
import static io.headrace.memory.LittleEndian.U16;
import static io.headrace.memory.LittleEndian.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.sound.framing.RiffStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;

/// Reads WAV whose samples are stored as they are: integers of 8 to 32 bits, floating point of 32
/// and 64. If samples have fewer bits than their bytes, these are the upper ones, as the standard
/// says. If the lower bits are not all zeros, the writer did not follow the standard and used those
/// instead.
final class WavDecoder {
  private final RiffStream riff = new RiffStream();
  private final NoteList notes = new NoteList();

  /// {@return what was odd about the last file}
  List<AudioNote> notes() {
    return notes.all();
  }

  /// Reads the chunks of a file, and is then about it.
  ///
  /// @return whether its samples are stored as they are: else they are for another decoder
  boolean open(MemorySegment wav) throws DecodeException {
    notes.clear();
    riff.read(wav, notes);
    return riff.plain();
  }

  /// {@return what the chunks are}
  RiffStream chunks() {
    return riff;
  }

  AudioInfo info() throws DecodeException {
    int bytes = riff.sampleBytes();
    if (riff.sampleRate() < 1 || riff.channels() < 1 || riff.bits() < 1) {
      throw new DecodeException(
          Fault.CORRUPT,
          "wav: %d Hz, %d channels, samples of %d bits"
              .formatted(riff.sampleRate(), riff.channels(), riff.bits()));
    }
    if (riff.floating() ? bytes != 4 && bytes != 8 : bytes > 4) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "wav: samples of %d %sbits in %d bytes: Headrace reads integers of up to 32 bits, and floating point of 32 and 64"
              .formatted(riff.bits(), riff.floating() ? "floating-point " : "", bytes));
    }
    long frames = riff.data().byteSize() / ((long) bytes * riff.channels());
    return new AudioInfo(
        AudioFormat.WAV, riff.sampleRate(), riff.channels(), frames, 8 * bytes, riff.floating());
  }

  /// Decodes the file that was opened.
  ///
  /// @param lenient whether damage becomes a note, not an exception
  /// @return frames
  long decode(Target target, boolean lenient) throws DecodeException {
    AudioInfo info = info();
    target.require("wav", info.frames());
    if (riff.missing() > 0) {
      notes.damaged(
          Fault.TRUNCATED,
          "wav: ends %d bytes early, after %d frames".formatted(riff.missing(), info.frames()),
          lenient);
    }
    MemorySegment data = riff.data();
    long samples = info.samples();
    int bytes = riff.sampleBytes();
    long rest = data.byteSize() - samples * bytes;
    if (rest > 0 && riff.missing() == 0) {
      notes.add(
          Fault.CORRUPT, "wav: the last %d bytes of the data are not a frame".formatted(rest));
    }
    SampleType type = target.type();
    MemorySegment out = target.ensure(info.bytes(type));
    if (riff.floating()) {
      floats(data, bytes, out, type, samples);
    } else if (type == SampleType.INT16 && bytes == 2 && riff.bits() == 16) {
      MemorySegment.copy(data, U16, 0, out, JAVA_SHORT_UNALIGNED, 0, samples);
    } else {
      integers(data, bytes, lower(data, bytes, samples), out, type, samples);
    }
    return info.frames();
  }

  /// Decodes a part of the file that was opened, if there is nothing odd about it.
  ///
  /// @param from first frame
  /// @param out float32 [frames, channels]
  /// @return whether it could be done
  boolean decodePart(long from, MemorySegment out) throws DecodeException {
    AudioInfo info = info();
    int bytes = riff.sampleBytes();
    long frameBytes = (long) bytes * info.channels();
    MemorySegment data = riff.data();
    if (riff.missing() > 0
        || !notes.all().isEmpty()
        || data.byteSize() % frameBytes != 0
        || (!riff.floating() && bytes > 1 && riff.bits() < 8 * bytes)) {
      return false;
    }
    MemorySegment part = data.asSlice(from * frameBytes);
    long samples = out.byteSize() / Float.BYTES;
    if (riff.floating()) {
      floats(part, bytes, out, SampleType.FLOAT32, samples);
    } else {
      integers(part, bytes, 0, out, SampleType.FLOAT32, samples);
    }
    return true;
  }

  /// {@return bits to move samples up by: those above the ones that count, if these are the lower}
  private int lower(MemorySegment data, int bytes, long samples) {
    int spare = 8 * bytes - riff.bits();
    if (spare <= 0 || bytes == 1) {
      return 0;
    }
    int mask = (1 << spare) - 1;
    for (long i = 0; i < samples; i++) {
      if ((sample(data, bytes, i * bytes) >> (32 - 8 * bytes) & mask) != 0) {
        notes.add(
            Fault.CORRUPT,
            "wav: samples of %d bits lie in the lower bits of %d bytes"
                .formatted(riff.bits(), bytes));
        return spare;
      }
    }
    return 0;
  }

  private static void floats(
      MemorySegment data, int bytes, MemorySegment out, SampleType type, long samples) {
    if (bytes == 4 && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      Samples.fromFloats(data, 0, out, type, 0, samples);
      return;
    }
    for (long i = 0; i < samples; i++) {
      float x = bytes == 4 ? data.get(F32, 4 * i) : (float) data.get(F64, 8 * i);
      switch (type) {
        case FLOAT32 -> out.set(JAVA_FLOAT_UNALIGNED, 4 * i, x);
        case INT16 -> out.set(JAVA_SHORT_UNALIGNED, 2 * i, (short) Samples.quantise(x, 16));
        case INT32 -> out.set(JAVA_INT_UNALIGNED, 4 * i, Samples.quantise(x, 32));
      }
    }
  }

  private static void integers(
      MemorySegment data, int bytes, int up, MemorySegment out, SampleType type, long samples) {
    for (long i = 0; i < samples; i++) {
      int x = sample(data, bytes, i * bytes) << up;
      switch (type) {
        case INT16 -> out.set(JAVA_SHORT_UNALIGNED, 2 * i, (short) (x >> 16));
        case INT32 -> out.set(JAVA_INT_UNALIGNED, 4 * i, x);
        case FLOAT32 -> out.set(JAVA_FLOAT_UNALIGNED, 4 * i, x * 0x1p-31f);
      }
    }
  }

  /// {@return a sample in the upper bits}
  private static int sample(MemorySegment data, int bytes, long at) {
    return switch (bytes) {
      case 1 -> (data.get(JAVA_BYTE, at) ^ 0x80) << 24; // unsigned in the file
      case 2 -> data.get(U16, at) << 16;
      case 3 -> data.get(U16, at + 1) << 16 | (data.get(JAVA_BYTE, at) & 0xff) << 8;
      default -> data.get(U32, at);
    };
  }
}
