package io.headrace.pipeline.sound;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// A sound on its way through a pipeline: float32 [frames, channels], or a spectrogram. A mutable
/// holder with memory of its own, reused.
public final class Sound implements AutoCloseable {
  private Block block;
  private Block spare;
  private MemorySegment aim = MemorySegment.NULL;
  private MemorySegment values = MemorySegment.NULL;
  private int rate;
  private int channels;
  private long frames;
  private long quiet;
  private int height;
  private boolean heightFirst;

  /// A holder without memory yet.
  public Sound(MemoryBudget budget) {
    block = new Block(budget);
    spare = new Block(budget);
  }

  /// Becomes samples that are still to be put into [#memory].
  ///
  /// @return memory for float32 [frames, channels]
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment begin(int rate, int channels, long frames) throws DecodeException {
    this.rate = rate;
    this.channels = channels;
    this.frames = frames;
    quiet = frames;
    height = 0;
    heightFirst = false;
    aim = MemorySegment.NULL;
    long bytes = frames * channels * Float.BYTES;
    values = block.ensure(bytes).asSlice(0, bytes);
    return values;
  }

  /// Becomes a spectrogram that is still to be put into [#values].
  ///
  /// @param shape whether it is [height, columns]
  /// @param first extent
  /// @param second extent
  /// @return memory for float32 [first, second]
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment begin(SoundShape shape, int first, int second) throws DecodeException {
    MemorySegment memory = begin(shape.rate(), 1, (long) first * second);
    frames = shape.heightFirst() ? second : first;
    quiet = frames;
    height = shape.heightFirst() ? first : second;
    heightFirst = shape.heightFirst();
    return memory;
  }

  /// Has the next result that is exactly so large put into `memory`.
  public void aim(MemorySegment memory) {
    aim = memory;
  }

  /// {@return float32 [frames, channels], or [#columns, [#height]]}
  public MemorySegment values() {
    return values;
  }

  /// {@return the block that the next result may grow in, whose content is free}
  Block spare() {
    return spare;
  }

  /// {@return memory for the next result, which [#samples] or [#spectrogram] makes the values}
  ///
  /// @throws DecodeException if the memory budget does not allow it
  MemorySegment next(long bytes) throws DecodeException {
    return aim.byteSize() == bytes && bytes > 0 ? aim : spare.ensure(bytes).asSlice(0, bytes);
  }

  /// Takes what was put into [#next] for the samples.
  void samples(MemorySegment made, int newRate, int newChannels, long newFrames) {
    become(made);
    rate = newRate;
    channels = newChannels;
    frames = newFrames;
    quiet = newFrames;
  }

  /// Has one channel, whose samples lie at the beginning of the values.
  void mixed(long quietFrom) {
    channels = 1;
    quiet = quietFrom;
    values = values.asSlice(0, frames * Float.BYTES);
  }

  /// Takes what was put into [#next] for the spectrogram.
  void spectrogram(MemorySegment made, long columns, int newHeight, boolean first) {
    become(made);
    frames = columns;
    quiet = columns;
    height = newHeight;
    heightFirst = first;
  }

  private void become(MemorySegment made) {
    values = made;
    Block was = block;
    block = spare;
    spare = was;
  }

  /// Shows a part of the samples, or as many zeros after them as are asked for.
  ///
  /// @param from first frame that stays
  /// @param length frames that there are then
  /// @throws DecodeException if the memory budget does not allow it
  void cut(long from, long length) throws DecodeException {
    long frameBytes = (long) channels * Float.BYTES;
    long kept = Math.min(length, frames - from);
    long bytes = length * frameBytes;
    if (length <= frames - from) {
      values = values.asSlice(from * frameBytes, bytes);
      quiet = Math.clamp(quiet - from, 0, length);
    } else {
      MemorySegment to = next(bytes);
      MemorySegment.copy(values, from * frameBytes, to, 0, kept * frameBytes);
      to.asSlice(kept * frameBytes).fill((byte) 0);
      become(to);
      quiet = Math.clamp(quiet - from, 0, kept);
    }
    frames = length;
  }

  /// {@return frames a second}
  public int rate() {
    return rate;
  }

  /// {@return samples in a frame}
  public int channels() {
    return channels;
  }

  /// {@return frames, or columns of a spectrogram}
  public long frames() {
    return frames;
  }

  /// {@return the frame from which on all is silence}
  long quiet() {
    return quiet;
  }

  /// Says that there may be no silence at the end any more.
  void noisy() {
    quiet = frames;
  }

  /// {@return values in a column; 0 if these are samples}
  public int height() {
    return height;
  }

  /// {@return whether a spectrogram is [height, columns]}
  public boolean heightFirst() {
    return heightFirst;
  }

  /// {@return the shape in words, for messages}
  public String words() {
    return height == 0
        ? "%d channels of %d frames at %d Hz".formatted(channels, frames, rate)
        : "%d columns of %d".formatted(frames, height);
  }

  @Override
  public void close() {
    block.close();
    spare.close();
  }
}
