package io.headrace.lab.codecs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headrace.sound.signal.Spectrogram;
import io.headrace.sound.signal.SpectrogramSpec;
import io.headrace.tensor.TensorShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Numbers to encode.
///
/// @param plain float32, row-major, off heap
/// @param shape of them
record FloatTensor(MemorySegment plain, TensorShape shape) implements Subject.Item {
  /// {@return pixels as fractions of 255, [height, width, 3], up to [Material#MAX_BYTES]}
  static List<FloatTensor> ofPixels(List<Pixels> pictures, Arena arena) {
    List<FloatTensor> tensors = new ArrayList<>();
    long bytes = 0;
    for (Pixels picture : pictures) {
      long count = picture.plain().byteSize();
      bytes += count * Float.BYTES;
      if (bytes > Material.MAX_BYTES && !tensors.isEmpty()) {
        break;
      }
      MemorySegment values = arena.allocate(count * Float.BYTES, 64);
      for (long i = 0; i < count; i++) {
        values.setAtIndex(JAVA_FLOAT, i, (picture.plain().get(JAVA_BYTE, i) & 0xff) / 255f);
      }
      tensors.add(new FloatTensor(values, TensorShape.of(picture.height(), picture.width(), 3)));
    }
    return tensors;
  }

  /// {@return log-mel spectrograms of the first channel, [columns, bands], as
  ///     [SpectrogramSpec#presto] has them. Sounds shorter than a window, or of rates that it does
  ///     not take, have none}
  static List<FloatTensor> ofSound(List<Pcm> sounds, Arena arena, List<String> notes) {
    List<FloatTensor> tensors = new ArrayList<>();
    Spectrogram spectrogram = null;
    for (Pcm sound : sounds) {
      spectrogram = at(sound.info().sampleRate(), spectrogram);
      FloatTensor mel = spectrogram == null ? null : mel(sound, spectrogram, arena);
      if (mel != null) {
        tensors.add(mel);
      }
    }
    if (tensors.size() < sounds.size()) {
      notes.add(
          "%d sounds are too short for a spectrogram, or of a rate it does not take"
              .formatted(sounds.size() - tensors.size()));
    }
    return tensors;
  }

  private static @Nullable Spectrogram at(int rate, @Nullable Spectrogram before) {
    if (before != null && before.spec().sampleRate() == rate) {
      return before;
    }
    return rate < 7600 || rate > 51_200 ? null : new Spectrogram(SpectrogramSpec.presto(rate));
  }

  private static @Nullable FloatTensor mel(Pcm sound, Spectrogram spectrogram, Arena arena) {
    long frames = sound.frames();
    long columns = spectrogram.spec().columns(frames);
    if (columns == 0 || columns > Integer.MAX_VALUE) {
      return null;
    }
    int bands = spectrogram.spec().height();
    MemorySegment values = arena.allocate(columns * bands * Float.BYTES, 64);
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment mono = scratch.allocate(frames * Float.BYTES, 64);
      int channels = sound.info().channels();
      for (long i = 0; i < frames; i++) {
        short sample = sound.plain().getAtIndex(JAVA_SHORT, i * channels);
        mono.setAtIndex(JAVA_FLOAT, i, sample / 32_768f);
      }
      long _ = spectrogram.of(mono, frames, frames, false, values);
    }
    return new FloatTensor(values, TensorShape.of((int) columns, bands));
  }
}
