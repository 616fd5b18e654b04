package io.headrace.pipeline.sound;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.pipeline.step.SoundStep;
import io.headrace.random.CounterRandom;

/// A step on a sound that can be done.
public interface SoundEffect extends SoundStep {
  /// {@return what is known of the sound after it}
  ///
  /// @throws ConfigException if the step makes no sense there
  SoundShape after(SoundShape before);

  /// {@return what does it, for one worker}
  Work work();

  /// Does a step. Keeps tables and memory between sounds.
  interface Work extends AutoCloseable {
    /// Changes a sound.
    ///
    /// @param random where the sample's draws stand
    /// @throws DecodeException if this sound cannot be so changed
    void run(Sound sound, CounterRandom random) throws DecodeException;

    @Override
    default void close() {
      // most hold nothing that is not garbage
    }
  }
}
