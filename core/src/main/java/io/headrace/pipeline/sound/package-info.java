/// Steps on a sound: each one class, which says what it makes of which shape and does it.
///
/// [SoundProcessor][io.headrace.pipeline.SoundProcessor] runs them. Knows nothing of files, threads
/// or batches.
@NullMarked
package io.headrace.pipeline.sound;

import org.jspecify.annotations.NullMarked;
