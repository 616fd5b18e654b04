package io.headrace.lab.codecs;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.AudioEncoding;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Sound as it was found, and its samples.
///
/// @param stored the file's bytes, off heap
/// @param plain samples, int16 [frames, channels], off heap
/// @param info of the file
record Pcm(MemorySegment stored, MemorySegment plain, AudioInfo info) implements Subject.Item {
  /// {@return the sounds that can be decoded, up to [Material#MAX_BYTES] of samples}
  ///
  /// @param arena owns the samples
  /// @param notes takes what was left out
  /// @throws IOException if not one can be decoded
  static List<Pcm> decode(List<MemorySegment> files, Arena arena, List<String> notes)
      throws IOException {
    List<Pcm> sounds = new ArrayList<>();
    long bytes = 0;
    int left = 0;
    String reason = "no samples in it";
    try (var decoder = new AudioDecoder();
        var out = new Block(MemoryBudget.unbounded())) {
      for (MemorySegment file : files) {
        try {
          AudioInfo info = decoder.probe(file);
          long frames = decoder.decode(file, SampleType.INT16, out);
          long size = frames * info.channels() * Short.BYTES;
          if (!sounds.isEmpty() && bytes + size > Material.MAX_BYTES) {
            notes.add("%d sounds make samples enough".formatted(sounds.size()));
            break;
          }
          if (size == 0) {
            left++;
            continue;
          }
          MemorySegment samples = arena.allocate(size, 64).copyFrom(out.memory().asSlice(0, size));
          sounds.add(new Pcm(file, samples, info));
          bytes += size;
        } catch (DecodeException e) {
          left++;
          reason = String.valueOf(e.getMessage());
        }
      }
    }
    if (sounds.isEmpty()) {
      throw new IOException("not one of %d sounds can be decoded: %s".formatted(left, reason));
    }
    if (left > 0) {
      notes.add("%d sounds cannot be decoded, such as: %s".formatted(left, reason));
    }
    return sounds;
  }

  /// {@return samples of one channel}
  long frames() {
    return plain.byteSize() / Short.BYTES / info.channels();
  }

  /// {@return bytes of it in an encoding, which `out` has at its start}
  long encode(AudioEncoder encoder, AudioEncoding encoding, Block out) throws DecodeException {
    int channels = info.channels();
    return encoder.encode(
        plain, SampleType.INT16, frames(), channels, info.sampleRate(), encoding, out);
  }
}
